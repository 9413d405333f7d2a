"""Finance metric vocabulary, as data: canonical name -> other names of the same measure.

A name stands for itself and needs no entry of its own. Names are given as a reader would write them;
`metric_names` folds case, plurals, '&', hyphens and bracketed alternatives such as '(loss)' before it compares.
Names that differ in what they measure are kept apart: product and total sales, basic and diluted, amounts and
percentages.
"""

from __future__ import annotations

from tools.knowledge.lexicon.plain_names import COSTS, FLOWS, PLAIN, STOCKS

# fmt: off
INCOME: dict[str, tuple[str, ...]] = {
    "revenue": (
        "net revenue", "net sales", "sales", "sales revenue", "turnover", "top line", "topline", "rev",
        "operating revenue",
        "revenue net", "net operating revenue", "net sales and revenue",
        "sales and other operating revenue",
    ),
    "product revenue": (
        "product sales", "net product sales", "product net sales", "sales of products", "products revenue",
        "net sales of products", "product net revenue", "revenue from products", "revenue product",
    ),
    "service revenue": (
        "service sales", "net service sales", "services net sales", "services revenue", "sales of services",
        "net sales of services", "revenue from services", "service net revenue",
    ),
    "service and other revenue": ("service and other sales",),
    "cost of revenue": (
        "cost of sales", "cost of goods sold", "cogs", "cost of goods", "cost of products sold",
        "cost of revenues", "cost of net revenue", "costs of sales", "cost of net sales",
        "cost of goods and services sold",
    ),
    "product cost of revenue": (
        "cost of product sales", "product cost of sales", "cost of products", "products cost of sales",
    ),
    "service cost of revenue": (
        "cost of services", "service cost of sales", "cost of service revenue", "services cost of sales",
    ),
    "service and other cost of revenue": ("service and other cost of sales",),
    "gross margin": ("gross profit", "gross income"),
    "gross margin percentage": (
        "gross margin percent", "gross margin %", "gross profit margin", "gross margin rate",
        "gross profit percentage", "gross margin ratio", "gross profit %",
        "gross margin as a percentage of revenue", "gross margin as a percentage of net sales",
        "gross profit as a percentage of sales",
    ),
    "operating income": (
        "income from operations", "operating profit", "operating loss", "loss from operations",
        "profit from operations", "operating earnings", "earnings from operations",
        "operating income from operations", "income loss from operations", "operating result",
        "result of operations before interest and taxes",
    ),
    "operating margin": (
        "operating margin percentage", "operating profit margin", "operating income margin",
        "operating income as a percentage of revenue", "operating margin %",
        "operating income as a percentage of net sales",
    ),
    "operating expenses": (
        "opex", "total operating expense", "operating costs and expenses", "operating costs",
    ),
    "costs and expenses": ("total costs and expenses", "total expenses", "total benefits and expenses"),
    "research and development": (
        "r&d", "r and d", "research and development expense", "r&d expense", "r&d spending", "r&d costs",
        "research and development costs", "research and development spending", "research & development",
        "research", "research cost", "research spending",
    ),
    "selling, general and administrative": (
        "sg&a", "sga", "sg and a", "selling general and administrative expense",
        "sales general and administrative", "sg&a expense", "selling and administrative",
        "selling and administrative expense", "marketing general and administrative", "mg&a",
        "sales general and administrative expense",
    ),
    "sales and marketing": (
        "sales and marketing expense", "selling and marketing", "selling and marketing expense", "s&m",
        "s&m expense", "marketing and sales",
    ),
    "marketing": ("marketing expense", "advertising expense"),
    "general and administrative": (
        "g&a", "general and administrative expense", "g and a", "g&a expense", "general & administrative",
        "general and administrative cost", "general and administrative spending", "g&a cost",
    ),
    "technology and content": ("technology and content expense",),
    "technology and infrastructure": ("technology and infrastructure expense",),
    "fulfillment": ("fulfillment expense", "fulfillment costs"),
    "restructuring and other charges": (
        "restructuring charges", "restructuring costs", "restructuring expense", "restructuring",
    ),
    "depreciation and amortization": (
        "d&a", "depreciation and amortization expense", "depreciation amortization",
        "depreciation and amortisation", "depreciation and amortization and other",
        "depreciation amortization and other",
    ),
    "depreciation": ("depreciation expense",),
    "amortization": (
        "amortization expense", "amortization of intangibles", "amortization of intangible assets",
        "amortization of acquisition related intangibles",
    ),
    "share-based compensation": (
        "stock based compensation", "share based compensation expense", "stock compensation",
        "stock based comp", "share based comp",
        "stock based compensation expense", "equity based compensation", "stock comp", "sbc",
    ),
    "interest expense": ("interest costs",),
    "interest income": ("interest and dividend income", "interest and dividends income"),
    "net interest income": ("nii",),
    "other income and expense": (
        "other income expense", "other income expense net", "other income net", "other income",
        "other expense", "other expense net", "other income and expense net", "other income or expense",
    ),
    "interest and other": ("interest and other net", "interest and other income net"),
    "non-operating income": (
        "non operating income expense", "non operating expense", "nonoperating income",
    ),
    "income before taxes": (
        "income before income tax", "income before provision for income taxes", "pretax income",
        "pre tax income", "earnings before income taxes", "profit before tax", "earnings before taxes",
        "loss before income taxes", "income before provision for taxes", "loss before taxes",
        "pretax earnings", "pre tax earnings", "pretax profit", "pre tax profit",
        "pretax loss", "pre tax loss", "income before tax",
    ),
    "income taxes": (
        "provision for income taxes", "income tax expense", "income tax provision", "provision for taxes",
        "benefit for income taxes", "tax expense", "income tax benefit", "tax provision",
        "benefit from taxes", "income tax", "provision benefit for income taxes", "income taxes expense",
        "income tax expense benefit", "benefit provision for income taxes", "tax benefit", "tax bill", "tax charge",
    ),
    "effective tax rate": ("tax rate", "effective income tax rate", "etr"),
    "net income": (
        "net earnings", "net profit", "profit", "net loss", "bottom line", "net income loss", "profit for the period",
        "consolidated net income", "net losses", "earnings", "net result",
    ),
    "net margin": ("net profit margin", "net income margin"),
    "comprehensive income": ("comprehensive loss", "total comprehensive income"),
    "other comprehensive income": ("other comprehensive loss", "oci"),
    "ebitda": ("earnings before interest taxes depreciation and amortization",),
    "ebitda margin": (),
    "ebit": ("earnings before interest and taxes",),
}

PER_SHARE: dict[str, tuple[str, ...]] = {
    "earnings per share": (
        "eps", "net income per share", "net earnings per share", "income per share", "net loss per share",
        "loss per share", "earnings per common share", "net income per common share", "earnings a share",
    ),
    "diluted earnings per share": (
        "diluted eps", "earnings per diluted share", "eps diluted", "diluted net income per share",
        "diluted income per share", "earnings per share diluted", "diluted earnings per common share",
        "net income per diluted share", "diluted loss per share", "fully diluted eps",
        "fully diluted earnings per share", "diluted net earnings per share",
        "net income per share diluted", "earnings per diluted common share",
        "net earnings per diluted share", "eps on a diluted basis", "diluted net loss per share",
        "income per diluted share",
    ),
    "basic earnings per share": (
        "basic eps", "eps basic", "basic net income per share", "earnings per share basic",
        "basic loss per share", "basic earnings per common share", "basic income per share",
        "net income per share basic", "earnings per basic share", "basic net loss per share",
    ),
    "weighted average shares": (
        "weighted average shares outstanding", "weighted average common shares outstanding",
        "shares used in computing earnings per share", "weighted average number of shares",
        "weighted average shares of common stock outstanding",
    ),
    "diluted weighted average shares": (
        "diluted shares", "diluted shares outstanding", "weighted average diluted shares",
        "diluted share count", "weighted average shares outstanding diluted",
        "weighted average shares diluted", "diluted weighted average shares outstanding",
        "shares used in computation of diluted earnings per share",
        "weighted average diluted shares outstanding",
    ),
    "basic weighted average shares": (
        "basic shares", "basic shares outstanding", "weighted average basic shares",
        "weighted average shares outstanding basic", "weighted average shares basic",
        "weighted average basic shares outstanding", "basic weighted average shares outstanding",
        "shares used in computation of basic earnings per share",
    ),
    "shares outstanding": (
        "common shares outstanding", "shares of common stock outstanding", "outstanding shares",
        "shares issued and outstanding", "common stock outstanding", "shares in issue",
    ),
    "shares repurchased": ("number of shares repurchased", "total number of shares purchased", "shares bought back",
                           "repurchased the following shares", "repurchased the following shares of common stock"),
    "purchase commitments": (
        "future purchase commitments", "purchase obligations", "unconditional purchase obligations",
        "unconditional purchase commitments", "future unconditional purchase commitments",
    ),
    "dividends per share": (
        "dividend per share", "cash dividends declared per share", "dividends declared per share",
        "cash dividends per share", "dividends and dividend equivalents declared per share",
        "cash dividends declared per common share", "dividends declared per common share",
        "cash dividends declared and paid per common share", "dividend a share",
        "cash dividends declared and paid per share",
    ),
    "book value per share": ("bvps",),
    "tangible book value per share": (),
    "funds from operations": ("ffo",),
    "funds from operations per share": ("ffo per share", "ffo per diluted share"),
}

BALANCE: dict[str, tuple[str, ...]] = {
    "cash and cash equivalents": (
        "cash & cash equivalents", "cash and equivalents", "cash and cash equivalent", "cash",
        "cash position", "cash pile", "cash balance",
    ),
    "cash, cash equivalents and restricted cash": (
        "cash cash equivalents and restricted cash and cash equivalents",
    ),
    "cash, cash equivalents and marketable securities": (),
    "cash, cash equivalents and short-term investments": (),
    "restricted cash": (),
    "short-term investments": ("short term investment",),
    "marketable securities": (),
    "current marketable securities": ("short term marketable securities",),
    "non-current marketable securities": (
        "long term marketable securities", "noncurrent marketable securities",
    ),
    "accounts receivable": (
        "accounts receivable net", "trade receivables", "receivables", "accounts receivable net and other",
        "accounts receivable net of allowance", "trade accounts receivable",
    ),
    "vendor non-trade receivables": (),
    "inventories": ("inventory", "total inventory", "inventories net"),
    "current assets": (),
    "other current assets": (),
    "non-current assets": ("noncurrent assets",),
    "assets": ("total asset",),
    "property, plant and equipment": (
        "property plant and equipment net", "pp&e", "ppe", "property and equipment",
        "property and equipment net", "net property plant and equipment", "fixed assets",
    ),
    "goodwill": (),
    "intangible assets": (
        "intangible assets net", "intangibles", "acquired intangible assets",
        "identified intangible assets", "identified intangible assets net",
    ),
    "operating lease right-of-use assets": (
        "operating lease rou assets", "right of use assets", "operating lease assets",
    ),
    "other assets": ("other long term assets", "other noncurrent assets"),
    "deferred tax assets": ("deferred income tax assets",),
    "accounts payable": ("trade payables", "payables"),
    "accrued liabilities": (
        "accrued expenses", "accrued and other current liabilities", "accrued expenses and other",
    ),
    "accrued compensation": ("accrued compensation and benefits",),
    "deferred revenue": ("unearned revenue",),
    "short-term deferred revenue": ("current deferred revenue", "short term unearned revenue"),
    "long-term deferred revenue": ("noncurrent deferred revenue", "long term unearned revenue"),
    "remaining performance obligations": ("rpo", "remaining performance obligation"),
    "current liabilities": (),
    "other current liabilities": (),
    "non-current liabilities": ("noncurrent liabilities",),
    "liabilities": (),
    "other long-term liabilities": ("other noncurrent liabilities", "other liabilities"),
    "debt": ("borrowings", "indebtedness", "total borrowings"),
    "short-term debt": ("current debt", "short term borrowings"),
    "long-term debt": (
        "long term borrowings", "noncurrent debt", "long term debt net of current portion",
        "long term debt excluding current portion", "long term debt excluding the current portion",
        "long term debt less current portion", "long term debt net of current maturities",
        "long term debt less current maturities", "noncurrent portion of long term debt",
    ),
    "current portion of long-term debt": ("current maturities of long term debt",),
    "term debt": (),
    "net debt": (),
    "commercial paper": (),
    "long-term lease liabilities": (),
    "operating lease liabilities": (),
    "finance lease liabilities": (),
    "stockholders' equity": (
        "shareholders equity", "stockholders equity", "shareholder equity", "equity", "stockholder equity",
    ),
    "liabilities and stockholders' equity": (
        "liabilities and shareholders equity", "liabilities and equity",
    ),
    "retained earnings": ("accumulated deficit", "retained deficit"),
    "accumulated other comprehensive income": ("accumulated other comprehensive loss", "aoci"),
    "additional paid-in capital": ("apic",),
    "treasury stock": (),
    "working capital": (),
    "loans": ("total loan",),
    "deposits": ("total deposit",),
    "assets under management": ("aum",),
}

CASH_FLOW: dict[str, tuple[str, ...]] = {
    "net cash from operating activities": (
        "operating cash flow", "cash flow from operations", "cash from operations",
        "cash generated by operating activities", "net cash from operations",
        "net cash provided by operating activities", "cash provided by operating activities",
        "net cash used in operating activities", "cash flow from operating activities",
        "cash used in operating activities", "net cash generated by operating activities",
        "operating cash flows", "net cash used for operating activities", "cash flows from operations",
        "cash flow provided by operating activities", "operating activities cash flow",
        "net cash provided by operations", "net cash flow from operating activities",
        "cash flow from operation", "operating activities",
    ),
    "net cash from investing activities": (
        "net cash used in investing activities", "net cash provided by investing activities",
        "investing cash flow", "cash used in investing activities",
        "cash generated by investing activities", "net cash used for investing activities",
        "cash flow from investing activities", "cash used for investing activities",
        "net cash from investing", "cash provided by investing activities", "investing activities",
    ),
    "net cash from financing activities": (
        "net cash used in financing activities", "net cash provided by financing activities",
        "financing cash flow", "cash used in financing activities", "cash flow from financing activities",
        "net cash used for financing activities", "cash used for financing activities",
        "net cash from financing", "cash provided by financing activities",
        "cash generated by financing activities", "financing activities",
    ),
    "free cash flow": ("fcf", "free cash flows"),
    "capital expenditures": (
        "capex", "capital expenditure", "capital spending", "purchases of property and equipment",
        "additions to property and equipment", "additions to property plant and equipment",
        "purchases of property plant and equipment",
        "payments for acquisition of property plant and equipment",
        "purchases related to property and equipment and intangible assets", "capital investments",
        "spending on property plant and equipment", "spending on property and equipment",
        "investment in property plant and equipment", "investment in property and equipment",
    ),
    "share repurchases": (
        "stock repurchases", "share buybacks", "repurchases of common stock", "stock buybacks", "buybacks",
        "common stock repurchased", "repurchase of common stock", "share repurchase",
        "payments related to repurchases of common stock", "stock repurchase",
    ),
    "dividends paid": (
        "payments for dividends", "payment of dividends", "payments for dividends and dividend equivalents",
        "payment of dividends to stockholders", "common stock cash dividends paid", "cash dividends paid",
    ),
    "dividends": ("dividend", "cash dividends"),
    "change in cash": (
        "net increase in cash and cash equivalents", "net change in cash and cash equivalents",
        "net decrease in cash and cash equivalents", "net increase decrease in cash and cash equivalents",
        "increase in cash and cash equivalents",
    ),
    "impairment": (
        "impairment charges", "impairment charge", "asset impairment charges", "asset impairment",
    ),
}

OPERATIONS: dict[str, tuple[str, ...]] = {
    "comparable sales": (
        "same store sales", "comp sales", "comparable store sales", "like for like sales", "comps",
    ),
    "sales growth": (),
    "same-store revenue": ("same store revenues",),
    "same-store noi": ("same store net operating income",),
    "net operating income": ("noi",),
    "backlog": ("order backlog",),
    "bookings": (),
    "orders": (),
    "book-to-bill": ("book to bill ratio",),
    "net interest margin": ("nim",),
    "combined ratio": (),
    "loss ratio": (),
    "expense ratio": (),
    "benefit ratio": (),
    "profit margin": (),
    "pretax margin": ("pre tax margin", "pretax profit margin"),
    "efficiency ratio": (),
    "return on equity": ("roe",),
    "return on assets": ("roa",),
    "return on invested capital": ("roic", "return on capital"),
    "premiums": ("net premiums", "premium income", "net earned premiums", "earned premiums"),
    "net premiums written": ("premiums written", "gross premiums written"),
    "net investment income": ("investment income",),
    "persistency": ("premium persistency",),
    "solvency ratio": ("solvency margin ratio", "smr"),
    "occupancy": ("occupancy rate", "physical occupancy"),
    "net charge-offs": ("charge offs",),
    "provision for credit losses": (
        "credit loss expense", "provision for loan losses", "loan loss provision",
    ),
    "leverage ratio": ("net leverage", "leverage", "debt to equity ratio"),
    "headcount": ("number of employees", "employees", "employee count"),
    "market share": (),
    "guidance": (),
    "segment operating income": (),
}

NOT_METRICS: tuple[str, ...] = (
    "earnings call", "earnings conference call", "earnings release", "earnings press release",
    "earnings presentation", "earnings announcement", "earnings season", "earnings report",
    "earnings results", "sales force", "sales team", "sales representative", "sales rep", "sales people",
    "sales organization", "sales tax", "sales channel", "point of sales", "revenue recognition",
    "revenue stream", "cash consideration", "cash flow hedge", "cash flow", "debt securities",
    "debt securities market", "equity securities", "equity method", "equity investments", "equity research",
    "equity awards", "income taxes payable", "profit sharing", "inventory management", "in order",
    "in orders", "private equity", "brand equity", "home equity", "leverage our", "conference call",
    "marketing campaign", "marketing team", "market cap", "fulfillment center", "fulfillment network",
    "balance sheet", "depreciation method",
)
"""Phrases that begin like a metric but are not one; they keep their words from a shorter match."""
# fmt: on

CASH_FLOW |= FLOWS
BALANCE |= STOCKS
INCOME |= COSTS

VOCABULARY: dict[str, tuple[str, ...]] = {
    canonical: (*names, *PLAIN.get(canonical, ()))
    for canonical, names in {**INCOME, **PER_SHARE, **BALANCE, **CASH_FLOW, **OPERATIONS}.items()
}
"""Canonical metric -> synonyms."""
