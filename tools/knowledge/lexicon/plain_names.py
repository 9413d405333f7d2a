"""How readers call line items apart from how statements print them: canonical name -> further names.

Kept from `vocabulary` so that its lists stay those of printed names; the same folding applies. Only names that
can mean nothing else in a question about a company's figures stand here.
"""

from __future__ import annotations

# fmt: off
PLAIN: dict[str, tuple[str, ...]] = {
    "revenue": ("sales figure", "total turnover", "top line revenue", "sales volume in dollars"),
    "cost of revenue": (
        "direct cost of sales", "cost of what it sold", "cost of what was sold", "cost of product and service",
        "cost of goods sold cogs", "cost of the goods sold",
    ),
    "gross margin": (
        "profit after cost of sales", "profit after cost of revenue", "gross margin dollar", "gross profit dollar",
        "gross margin in dollars", "gross profit in dollars",
    ),
    "operating income": (
        "profit at the operating level", "earnings at the operating level", "result at the operating level",
        "op income", "op profit", "op inc", "operating inc", "income from running the business",
        "profit from running the business", "profit before interest and tax", "profit from its operations",
        "operating profit loss",
    ),
    "operating margin": ("op margin",),
    "operating expenses": ("op ex", "operating spend", "operating spending"),
    "research and development": (
        "r&d expenditure", "r&d outlay", "engineering and r&d", "r&d budget", "r&d bill",
        "research and development outlay",
    ),
    "selling, general and administrative": (
        "selling general and admin", "selling general and admin expense", "s g&a", "s g & a", "sg&a cost",
        "marketing and g&a", "marketing general and admin", "sales general and admin", "mg&a expense", "mg&a cost",
        "selling and admin expense", "sales and administrative expense",
    ),
    "sales and marketing": ("sales and marketing spend", "marketing and sales expense", "selling and marketing cost"),
    "general and administrative": (
        "admin expense", "administrative expense", "admin cost", "general and admin", "general and admin cost",
        "administrative cost", "general and admin expense",
    ),
    "technology and content": ("tech and content", "tech and content expense"),
    "technology and infrastructure": ("tech and infrastructure", "tech and infrastructure expense"),
    "depreciation and amortization": (
        "depreciation plus amortization","dd&a", "depreciation and amort", "depreciation & amort"),
    "depreciation": ("depreciation charge",),
    "amortization": ("intangible amortization", "intangible asset amortization"),
    "share-based compensation": (
        "stock based pay", "share based pay", "equity compensation", "stock compensation cost", "stock pay",
        "stock based compensation cost", "share based compensation cost", "stock based comp expense",
        "share compensation", "employee stock compensation", "stock award expense", "share based payment",
        "share based payment expense",
    ),
    "interest expense": (
        "interest charge", "interest bill", "interest cost on debt", "interest on debt", "interest on its debt",
        "interest on borrowings", "cost of borrowing",
    ),
    "interest income": ("interest earned", "interest earned on its cash", "interest earned on cash"),
    "other income and expense": ("oi&e", "oie", "other income and expenses"),
    "income before taxes": (
        "pbt", "ebt", "earnings before tax", "profit before taxes", "pre tax result", "pretax result", "pti",
        "pretax book income", "income pre tax", "profit pre tax", "earnings pre tax", "pre tax book income",
        "profit before income tax", "earnings before income tax", "profit before income taxes",
    ),
    "income taxes": (
        "taxes on income", "tax on income", "income tax line", "tax line", "income tax charge", "income tax bill",
        "tax cost", "provision for tax", "tax provision expense", "corporate income tax", "tax accrual",
        "taxes set aside", "money set aside for taxes", "amount set aside for taxes",
        "amount set aside for income taxes", "money set aside for income taxes",
    ),
    "net income": (
        "pat", "after tax profit", "after tax income", "after tax earnings", "profit after tax", "profits after tax",
        "profit after taxes", "earnings after tax", "earnings after taxes", "income after tax",
        "income after taxes", "net profit after tax", "bottom line profit", "net income after tax",
        "bottom line net income", "bottom line result", "bottom line earnings",
    ),
    "diluted earnings per share": (
        "eps on a fully diluted basis", "earnings for each diluted share",
        "earnings per share on a fully diluted basis",
        "dil eps", "eps dil", "diluted profit per share", "eps fully diluted",
        "earnings per share on a diluted basis", "per share earnings on a diluted basis",
        "per share earnings diluted", "diluted per share earnings",
    ),
    "basic earnings per share": (
        "undiluted eps", "undiluted earnings per share", "basic per share earnings", "eps on a basic basis",
        "eps undiluted", "earnings per share on a basic basis",
    ),
    "earnings per share": ("per share earnings", "per share profit", "per share net income"),
    "diluted weighted average shares": (
        "share count diluted", "fully diluted share count", "fully diluted shares", "average diluted shares",
        "diluted average shares", "average shares outstanding diluted", "diluted share base",
        "average diluted share count", "fully diluted shares outstanding", "shares outstanding diluted",
        "dil shares", "average diluted shares outstanding", "diluted weighted average share count",
    ),
    "basic weighted average shares": (
        "share count basic", "basic share count", "average basic shares", "average shares outstanding basic",
        "undiluted share count", "average basic share count", "basic weighted average share count",
        "shares outstanding basic", "undiluted shares", "average basic shares outstanding",
    ),
    "weighted average shares": ("average share count", "average shares outstanding"),
    "cash and cash equivalents": (
        "cash on hand", "cash in hand", "cash in the bank", "cash in bank", "cash holding", "c&ce", "cash reserve",
        "cash on the balance sheet", "cash & equivalent", "balance sheet cash", "cash at bank",
    ),
    "short-term investments": ("st investments", "current investments", "short term financial investments"),
    "current marketable securities": ("st marketable securities", "short term securities"),
    "non-current marketable securities": ("long term securities", "lt marketable securities"),
    "accounts receivable": (
        "customer receivable", "money owed by customers", "amount due from customers", "due from customers",
        "amount owed by customers", "receivable from customers", "ar balance", "receivable balance",
        "money due from customers", "trade debtors", "accts receivable", "accounts receivables",
    ),
    "accounts payable": (
        "money owed to suppliers", "amount owed to suppliers", "amount owed to vendors", "money owed to vendors",
        "owed to suppliers", "owed to vendors", "amount due to suppliers", "amount due to vendors", "ap balance",
        "supplier payable", "due to suppliers", "trade creditors", "accts payable", "accounts payables",
        "bills owed to suppliers", "unpaid supplier bills", "payable to suppliers",
    ),
    "inventories": (
        "inventory on hand", "inventory balance", "stock of unsold goods", "unsold goods", "unsold stock",
        "stockpile of inventory", "inventory stockpile", "inventory level", "unsold inventory", "goods in stock",
    ),
    "assets": (
        "balance sheet total", "balance sheet size", "size of the balance sheet", "asset base", "total balance sheet",
        "everything it owned",
    ),
    "liabilities": ("everything it owed", "total obligations owed"),
    "current assets": ("short term assets", "assets due within a year"),
    "current liabilities": (
        "short term liabilities", "liabilities due within a year", "liabilities due within one year",
        "liabilities due in a year", "liabilities due within twelve months", "liabilities due within 12 months",
        "current liabs", "obligations due within a year", "obligations due within twelve months",
    ),
    "non-current liabilities": ("long term liabilities", "liabilities due after one year"),
    "non-current assets": ("long term assets",),
    "goodwill": ("goodwill from acquisitions", "acquisition goodwill", "goodwill from acquired businesses"),
    "property, plant and equipment": (
        "property and equipment after depreciation", "property plant and equipment after depreciation",
        "depreciated value of property and equipment", "pp&e after depreciation", "depreciated pp&e",
        "depreciated value of property plant and equipment",
        "plant and equipment", "tangible fixed assets", "net fixed assets", "net property and equipment", "net pp&e",
        "pp&e net", "net ppe", "property plant and equipment net of depreciation", "plant property and equipment",
        "property and equipment net of depreciation", "pp&e net of depreciation",
    ),
    "intangible assets": (
        "intangibles other than goodwill", "other intangibles", "acquired intangibles", "net intangibles",
        "acquisition related intangibles", "intangibles excluding goodwill", "purchased intangibles",
        "intangible assets other than goodwill", "intangible assets excluding goodwill",
    ),
    "operating lease right-of-use assets": ("rou assets", "leased assets", "lease assets", "rou asset"),
    "short-term deferred revenue": ("current unearned revenue", "deferred revenue current",
    "unearned revenue current"),
    "deferred revenue": ("customer prepayment", "revenue billed in advance", "deferred income from customers"),
    "accrued liabilities": ("accruals", "accrual", "accrued cost"),
    "accrued compensation": (
        "accrued pay", "accrued payroll", "accrued salaries", "accrued wages", "accrued salaries and wages",
        "pay owed to employees", "wages owed to employees", "accrued employee compensation", "accrued comp",
    ),
    "long-term debt": (
        "long term portion of debt", "long term loans and notes", "long term loans", "long term part of debt",
        "long term part of its debt", "long term portion of its debt",
        "lt debt", "long dated debt", "long term borrowing", "non current borrowing", "non current debt",
        "debt due after one year", "debt due in more than one year", "debt due after a year",
        "debt due beyond one year", "debt maturing after one year", "long dated borrowings", "lt borrowings",
        "non current term debt", "long term term debt", "noncurrent borrowing", "long run debt",
    ),
    "short-term debt": (
        "st debt", "debt due within one year", "debt due within a year", "debt due in one year", "near term debt",
        "debt due within twelve months", "debt maturing within a year", "debt maturing within one year",
        "current borrowing", "st borrowings", "current term debt", "short term term debt", "short term borrowing",
    ),
    "commercial paper": ("commercial paper borrowing", "commercial paper outstanding", "cp outstanding",
                         "outstanding commercial paper", "commercial paper balance"),
    "stockholders' equity": (
        "equity belonging to shareholders", "equity capital", "equity attributable to shareholders",
        "book value of equity", "book equity", "owner equity", "net worth", "net assets", "shareholder fund",
        "equity of shareholders", "shareholders funds", "book value",
    ),
    "retained earnings": ("accumulated profit", "retained profit", "accumulated earnings", "undistributed profit",
                          "undistributed earnings", "retained earnings deficit"),
    "accumulated other comprehensive income": ("accumulated oci", "accumulated other comprehensive"),
    "additional paid-in capital": ("paid in capital", "capital paid in", "capital paid in by shareholders"),
    "treasury stock": ("treasury stock at cost", "treasury shares", "stock held in treasury",
    "shares held in treasury"),
    "net cash from operating activities": (
        "ocf", "cffo", "operating cash", "cash from running the business", "cash generated from operations",
        "cash flow from ops", "cash from ops", "cash thrown off by operations", "cash produced by operations",
        "cash generated by operations", "operational cash flow", "cash flows from operating", "cash from operating",
        "cash flow generated by operations", "cash generated by the business", "cash generation from operations",
        "cash flow from the business", "cash flow from running the business", "cash provided by operations",
        "cash generated by its operations", "operating cash generation", "cash flow from operating",
        "cash generated from operating activities", "cash from operating activities", "cash from its operations",
    ),
    "net cash from investing activities": (
        "cash used for investing", "cash used in investing", "net cash used in investing",
        "net cash used for investing", "net cash provided by investing",
        "net cash provided by used in investing", "cfi", "investing cash outflow", "investing outflow",
        "net investing cash flow", "cash flow from investing", "cash flows used in investing activities",
        "cash spent on investing activities", "cash from investing activities", "cash from investing",
        "investing cash flows", "cash flow used in investing activities", "cash outflow from investing",
    ),
    "net cash from financing activities": (
        "cash used for financing", "cash used in financing", "net cash used in financing",
        "net cash used for financing", "net cash provided by financing",
        "net cash provided by used in financing", "cff", "financing cash outflow", "financing outflow",
        "net financing cash flow", "cash flow from financing", "cash flows used in financing activities",
        "cash spent on financing activities", "cash from financing activities", "cash from financing",
        "cash flow used in financing activities", "cash outflow from financing", "cash flow used for financing",
    ),
    "capital expenditures": (
        "pp&e additions", "additions to pp&e", "purchases of pp&e", "pp&e purchases", "capital outlay", "cash capex",
        "property and equipment purchases", "property and equipment additions", "pp&e spending", "pp&e spend",
        "spending on pp&e", "investment in pp&e", "capex spend", "capex spending", "purchases of fixed assets",
        "purchases of property plant equipment", "property plant and equipment additions", "capex outlay",
        "property plant and equipment purchases", "fixed asset purchases", "fixed asset additions",
        "spending on plant and equipment", "investment in plant and equipment", "gross capex", "cap ex",
        "spending on fixed assets", "capital spend", "cash capital expenditures", "pp&e capex",
    ),
    "share repurchases": (
        "stock buyback", "share buyback", "buyback", "buyback spending", "buyback spend",
        "share buy backs", "stock buy backs", "repurchases of shares", "repurchases of stock",
        "repurchases of its own shares",
        "repurchases of its shares", "repurchases of its stock", "repurchases of its common stock",
    ),
    "dividends paid": (
        "dividend payment", "dividend payout", "dividends paid out", "dividends to shareholders",
        "dividends to stockholders", "dividends paid to shareholders", "dividends paid to stockholders",
        "cash dividend payment", "dividend cash outflow", "cash paid as dividends", "cash spent on dividends",
        "cash dividend payout", "cash paid for dividends", "cash paid out as dividends", "dividend outlay",
        "dividends distributed", "payout to shareholders in dividends", "cash dividends paid out",
    ),
    "cash, cash equivalents and short-term investments": (
        "cash plus short term investments", "cash and cash equivalents plus short term investments",
        "cash and short term investments combined", "cash and short term investments in total",
    ),
    "cash, cash equivalents and marketable securities": (
        "cash plus marketable securities", "cash and cash equivalents plus marketable securities",
    ),
    "cash, cash equivalents and restricted cash": (
        "cash cash equivalents and restricted cash at end of period", "cash including restricted cash",
        "cash cash equivalents and restricted cash end of period", "ending cash including restricted cash",
        "cash cash equivalents and restricted cash ending balance", "cash and restricted cash",
        "ending cash balance", "closing cash balance", "ending cash", "closing cash", "cash plus restricted cash",
    ),
    "segment operating income": ("segment profit", "segment income", "segment operating profit",
                                 "segment earnings", "segment operating loss"),
    "change in cash": (
        "net change in cash", "change in its cash", "net cash movement", "net cash change", "movement in cash",
        "change in cash balance", "change in cash cash equivalents and restricted cash",
        "net increase in cash cash equivalents and restricted cash", "change in cash and cash equivalents",
        "decrease in cash cash equivalents and restricted cash", "change in cash and equivalents",
        "increase in cash cash equivalents and restricted cash", "net change in cash and equivalents",
        "net change in cash cash equivalents and restricted cash", "change in its cash balance",
        "net change in its cash", "change in cash position",
    ),
}
"""Canonical metric -> names that readers use."""

FLOWS: dict[str, tuple[str, ...]] = {
    "proceeds from issuance of debt": (
        "proceeds from issuance of term debt", "proceeds from long term debt", "issuance of debt",
        "issuance of long term debt", "proceeds from issuance of long term debt", "debt issuance proceeds",
        "issuance of debt net of issuance costs", "proceeds from issuance of notes", "new debt raised", "debt raised",
        "proceeds from issuing debt", "proceeds from issuing long term debt", "proceeds from issuing term debt",
        "issuance of long term debt net of issuance costs", "proceeds from debt issuance", "new debt issued",
        "proceeds from debt", "proceeds from issuance of long term debt net of discounts and issuance costs",
        "issuance of term debt", "debt issuance", "new borrowing", "term debt issuance", "term debt issued",
        "long term debt issuance", "long term debt issued", "debt issued", "proceeds from new debt",
        "proceeds from term debt", "bond issuance proceeds", "proceeds from issuing notes",
    ),
    "repayments of debt": (
        "principal repaid on debt", "principal repaid",
        "repayments of term debt", "repayments of long term debt", "repayment of debt", "debt repayment",
        "repayment of long term debt", "repayment of term debt", "term debt repayment", "long term debt repayment",
        "debt paydown", "debt pay down", "debt repaid", "repayment of borrowings", "term debt repaid",
        "long term debt repaid", "payments on long term debt", "payments on debt", "principal payments on debt",
        "repayments of borrowings", "repayment of notes", "debt retired", "debt paid back", "debt paid down",
        "debt payment", "payment of debt", "debt principal repaid", "debt principal repayment",
    ),
    "cash paid for acquisitions": (
        "payments made in connection with business acquisitions", "acquisitions net of cash acquired",
        "acquisitions net of cash acquired and other", "acquisition of businesses net of cash acquired",
        "acquisition net of cash acquired", "m&a spending", "m&a spend", "m&a outlay", "acquisition spending",
        "acquisition spend", "spending on acquisitions", "cash used for acquisitions", "business acquisitions net",
        "acquisitions net of cash acquired non marketable investments and other", "cash spent on acquisitions",
        "acquisition of companies net of cash acquired and purchases of intangible and other assets",
        "payments for acquisitions", "acquisition payments", "cash outlay for acquisitions",
    ),
    "income taxes paid": (
        "cash outlay for income taxes", "cash outlay for taxes", "cash spent on income taxes", "cash spent on taxes",
        "cash paid for income taxes", "income taxes net of refunds", "cash taxes", "cash taxes paid",
        "cash income taxes paid", "income taxes paid in cash", "taxes paid in cash", "taxes paid cash",
        "cash tax payment", "cash paid for taxes", "taxes paid", "income tax payment", "income taxes paid cash",
        "cash tax", "cash tax paid", "cash paid for income taxes net of refunds", "cash income taxes",
    ),
    "interest paid": (
        "cash paid for interest", "interest net of capitalized interest", "cash interest paid", "cash interest",
        "interest paid in cash", "cash paid for interest on debt", "cash interest payment", "interest paid cash",
        "cash paid for interest on debt net of capitalized interest", "interest payment",
        "cash paid for interest net of capitalized interest",
    ),
    "purchases of marketable securities": (
        "purchases of investments", "purchases of short term investments", "purchases of securities",
        "outlays for marketable securities", "marketable securities purchased", "investment purchases",
        "marketable securities purchases", "securities purchases", "investments purchased",
    ),
    "maturities of marketable securities": (
        "proceeds from maturities of marketable securities", "maturities of investments",
        "maturities of short term investments", "investment maturities", "proceeds from maturing securities",
        "proceeds from maturing investments", "proceeds from maturities of investments",
        "cash from maturities of investments", "cash from maturing securities", "marketable securities maturities",
        "cash from maturities of marketable securities", "maturing securities", "maturing marketable securities",
    ),
    "sales of marketable securities": (
        "proceeds from sales of marketable securities", "sales of investments", "proceeds from sales of securities",
        "proceeds from selling securities", "proceeds from selling marketable securities", "sale of investments",
        "proceeds from sales of investments", "proceeds from selling investments", "investment sales",
        "marketable securities sold", "sales of securities", "cash from selling securities",
        "proceeds from sale of marketable securities", "proceeds from the sale of marketable securities",
    ),
    "deferred income taxes": (
        "deferred taxes", "deferred tax", "deferred income tax", "deferred income tax expense",
        "deferred tax expense",
        "deferred income tax benefit", "deferred tax benefit", "deferred tax expense benefit",
    ),
    "taxes on net share settlement": (
        "payments for taxes related to net share settlement of equity awards",
        "payments related to tax on restricted stock units", "taxes on net share settlement of equity awards",
        "taxes related to net share settlement of equity awards", "tax payments on employee stock awards",
        "taxes withheld on equity awards", "tax on restricted stock units",
        "taxes paid on net share settlement of equity awards", "taxes on net settlement of equity awards",
        "payments for taxes on net share settlement",
    ),
    "proceeds from employee stock plans": (
        "proceeds related to employee stock plans", "employee stock plan proceeds",
        "proceeds from sales of common stock through employee equity incentive plans",
        "proceeds from issuance of common stock under employee plans", "cash from employee stock plans",
        "cash received from employee stock plans",
    ),
}
"""Lines of a cash-flow statement that companies print under different names -> those names."""
COSTS: dict[str, tuple[str, ...]] = {
    "lease cost": ("total lease cost", "lease expense", "total lease expense", "cost of leasing", "leasing cost"),
}
STOCKS: dict[str, tuple[str, ...]] = {
    "raw materials": ("raw materials inventory", "raw materials stock", "raw materials on hand"),
    "work in process": (
        "wip", "wip inventory", "work in progress", "work in progress inventory", "work in process inventory",
    ),
    "finished goods": ("finished goods inventory", "finished goods stock", "finished goods on hand"),
}
"""Kinds of inventory."""
# fmt: on
