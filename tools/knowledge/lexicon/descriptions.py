"""Figures asked for by what they are, in any order of words: 'bills it still had to pay its suppliers'."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Description:
    """What a question says of a figure without its name."""

    canonical: str
    spans: tuple[tuple[int, int], ...]
    """Where the words that say so stand."""


@dataclass(frozen=True, slots=True)
class _Rule:
    canonical: str
    needs: tuple[re.Pattern[str], ...]
    """All must be found."""
    bars: re.Pattern[str] | None
    """None of it may be."""


def _whole_words(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{text})(?!\w)", re.IGNORECASE)


def _rule(canonical: str, *needs: str, bars: str = "") -> _Rule:
    return _Rule(canonical, tuple(_whole_words(need) for need in needs), _whole_words(bars) if bars else None)


_OWE = (
    r"(?:still\s+)?(?:owe[sd]?|owing|due|unpaid|bills?|invoices?|"
    r"(?:still\s+)?(?:had|has|have)\s+(?:yet\s+)?to\s+pay|yet\s+to\s+pay)"
)
_SPEND = (
    r"spen[dt]|spending|invest(?:ed)?|la(?:y|id)\s+out|put|pa(?:y|id)|outlays?|cash|plough(?:ed)?|plow(?:ed)?|"
    r"sunk|cost|went|going|goes|return(?:ed)?(?:\s+to\s+(?:its\s+)?(?:share|stock)holders)?|use[ds]?|money|dollars?"
)
_BACK = (
    r"buy(?:ing)?\s+in\s+its\s+own(?:\s+(?:shares|stock))?|retir(?:e|ed|ing)\s+(?:its\s+)?(?:own\s+)?(?:shares|stock)|"
    r"buy(?:ing)?[\s-]*backs?|bought\s+back|re-?purchas\w+|(?:on|buying|bought|buy)\s+(?:its|"
    r"their)\s+own(?:\s+(?:shares|stock))?"
)
_DEBTS = r"(?:(?:long[\s-]term|term|senior|its|new|fresh)\s+)*(?:debts?|borrowings?|notes|bonds|loans)(?:\s+payable)?"
_COUNTED = r"how\s+many|number|average|per[\s-]share|price|authori[sz]\w+|remain\w*|left|million\s+shares"

_RULES = (
    _rule("vendor non-trade receivables", r"vendors?|suppliers?", r"owe[sd]?|owing|due", r"non-?\s?trade"),
    _rule(
        "accounts payable",
        _OWE,
        r"(?:its\s+|to\s+)*(?:suppliers?|vendors?|creditors)",
        bars=r"non-?\s?trade|receivable|customers?|prepa\w+|leases?|programs?",
    ),
    _rule(
        "accounts receivable",
        r"owe[sd]?|owing|due|uncollected|yet\s+to\s+(?:pay|collect)|unpaid|(?:outstanding\s+)?invoices?|"
        r"(?:still\s+)?to\s+collect",
        r"customers?|clients",
        bars=r"suppliers?|vendors?|prepa\w+|advance|ahead|deferred|unearned",
    ),
    _rule(
        "deferred revenue",
        r"customers?(?:\s+had)?(?:\s+paid)?|clients",
        r"prepa(?:id|y\w*)|(?:paid\s+)?(?:\w+\s+){0,2}in\s+advance|"
        r"up[\s-]?front|(?:paid\s+)?ahead|advance\s+payments?",
        bars=r"suppliers?|receivable|recognized",
    ),
    _rule(
        "income taxes paid",
        r"(?:income\s+)?tax(?:es)?",
        r"pa(?:y|id)|handed|remitted",
        r"(?:actually|in)\s+(?:\w+\s+)?(?:in\s+)?cash|cash",
        bars=r"rate|percent\w*|effective\w*|settlement|equity\s+awards?|restricted|dividends?",
    ),
    _rule(
        "interest paid",
        r"interest",
        r"pa(?:y|id)",
        r"(?:in\s+)?cash",
        bars=r"earn\w*|income|receiv\w*|dividends?",
    ),
    _rule(
        "interest income",
        r"(?:in\s+|of\s+)?interest",
        r"earn(?:ed|s|ing)?|receiv(?:e|ed)|took\s+in|t[ao]ke\s+in",
        bars=r"expense|rates?|per\s+share|before|paid|dividends?|taxes",
    ),
    _rule(
        "interest expense",
        r"(?:in\s+|of\s+)?interest",
        r"cost|costs|bore|charged|borrowing\s+costs?|debt\s+cost(?:\s+it)?|servic\w+",
        bars=r"earn\w*|income|rates?|capitali[sz]ed|before|paid|margin",
    ),
    _rule("share repurchases", _BACK, _SPEND, bars=rf"{_COUNTED}|debt|notes|bonds|excise"),
    _rule(
        "dividends per share",
        r"dividends?",
        r"per[\s-](?:common\s+)?share|a\s+share|each\s+share|for\s+every\s+share",
    ),
    _rule(
        "dividends paid",
        r"(?:in\s+)?(?:cash\s+)?dividends?",
        r"(?:to\s+)?(?:its\s+)?(?:share|stock)holders|hand(?:ed)?(?:\s+out)?|"
        r"pa(?:y|id|ying)(?:\s+out)?|distribut\w+",
        bars=r"per[\s-]share|a\s+share|declar\w+|income|rates?|each|receiv\w+|yield",
    ),
    _rule(
        "long-term debt",
        _DEBTS,
        r"(?:due\s+|payable\s+|maturing\s+|repayable\s+)?(?:after|beyond|in)\s+(?:more\s+than\s+)?"
        r"(?:one|a|1|twelve|12)\s+(?:years?|months?)(?!\s+(?:to|ended))|not\s+due\s+(?:for|"
        r"within)\s+(?:a|one)\s+years?|long[\s-]dated|due\s+later",
        bars=r"rates?|fair|paid|repa\w+|issu\w+|leases?|interest|short-dated",
    ),
    _rule(
        "short-term debt",
        _DEBTS,
        r"(?:due\s+|payable\s+|maturing\s+|repayable\s+)?(?:within|inside)\s+(?:the\s+)?(?:next\s+)?"
        r"(?:one|a|1|twelve|12)?\s*(?:years?|months?)|short[\s-]dated",
        bars=r"not\s+due|rates?|fair|paid|repa\w+|issu\w+|leases?|interest|after|beyond",
    ),
    _rule(
        "accrued compensation",
        r"(?:its\s+)?(?:employees|staff|workers)",
        r"owe[sd]?|owing|accrued",
        bars=r"taxes|stock|units|shares|leases?",
    ),
    _rule(
        "interest expense",
        r"(?:in\s+|of\s+)?interest",
        r"(?:its\s+)?(?:lenders|creditors|bondholders)|(?:it\s+)?(?:had\s+)?borrowed",
        bars=r"earn\w*|income|rates?|before|cash",
    ),
    _rule(
        "share-based compensation",
        r"(?:pay(?:ing)?|paid|compensat\w+|reward\w*)",
        r"(?:its\s+)?(?:employees|staff|workers)",
        r"(?:in|with)\s+(?:company\s+)?(?:stock|shares)",
        bars=r"tax\w*|unvested|unrecognized",
    ),
    _rule(
        "operating income",
        r"ma[dk]e|earn(?:ed)?|profit|lose|lost|loss",
        r"(?:at|on)\s+(?:the|an)\s+operating\s+(?:level|basis)",
    ),
    _rule(
        "lease cost",
        r"leases?|leasing|renting",
        r"cost|costs",
        bars=r"owe[d]?|liabilit\w+|obligations?|assets?|discount|sublease",
    ),
    _rule(
        "repayments of debt",
        _DEBTS,
        r"pa(?:y|id|ying)\s+(?:back|down|off)|repa(?:y|id|ying|yments?)|retire[d]?|retiring|redeem\w*|pay-?downs?",
        bars=r"issu\w*|proceeds|short[\s-]term|commercial\s+paper|due|maturit\w+|maturing|leases?|raise[d]?",
    ),
    _rule(
        "proceeds from issuance of debt",
        _DEBTS,
        r"rais(?:e|ed|ing)|issu(?:e|ed|ing|ances?)|sold|selling|t[ao]ken?\s+on|took\s+on|"
        r"brought\s+in|bring\s+in",
        bars=r"repa\w+|paid|outstanding|short[\s-]term|commercial\s+paper|rates?|discounts?|carry\w*|owe[d]?|costs",
    ),
    _rule(
        "net cash from operating activities",
        r"cash",
        r"operations|(?:from\s+)?running\s+(?:the|its)\s+business|"
        r"(?:from\s+)?(?:day-to-day|core|its|the)\s+business",
        bars=r"segments?|invest\w*|financing|discontinued|leases?|statements?",
    ),
    _rule(
        "net cash from investing activities",
        r"(?:net\s+)?cash",
        r"(?:\w+\s+)?investing(?:\s+(?:items|activities))?",
        bars=r"financing|operating|noncash|non-cash",
    ),
    _rule(
        "net cash from financing activities",
        r"(?:net\s+)?cash",
        r"financing(?:\s+activities)?",
        bars=r"investing|operating|leases?|receivables?|obligations?|noncash|non-cash",
    ),
    _rule(
        "effective tax rate",
        r"(?:income\s+)?tax(?:es)?",
        r"percent(?:age)?|%|rate",
        r"effective(?:ly)?|(?:its\s+)?pre-?\s?tax\s+(?:profit|income|earnings)|profit\s+before\s+tax",
        bars=r"statutory|u\.?s\.?\s+federal|withholding",
    ),
    _rule(
        "gross margin percentage",
        r"percent(?:age)?|%|share",
        r"(?:its\s+)?(?:net\s+)?(?:revenue|sales)",
        r"left(?:\s+to)?|keep|kept|retain(?:ed)?|remain(?:ed|ing)?",
        r"(?:after\s+)?cost\s+of\s+(?:revenue|sales|goods(?:\s+sold)?)",
    ),
    _rule(
        "gross property plant and equipment",
        r"property(?:,?\s+plant,?)?(?:\s+and)?\s+equipment|pp&e|fixed\s+assets",
        r"(?:cost\s+)?before\s+(?:accumulated\s+)?depreciation(?:\s+was\s+taken\s+off)?|gross|at\s+cost",
        bars=r"capex|purchases?|spen[dt]|additions?|proceeds",
    ),
    _rule(
        "retained earnings",
        r"profits?|earnings",
        r"accumulated|kept|retained|ploughed\s+back|plowed\s+back|reinvested|piled\s+up",
        bars=r"comprehensive|depreciation|percent\w*|%|rate|deferred",
    ),
    _rule(
        "work in process",
        r"(?:half|partly|partially|semi|part)[\s-]*finished|unfinished|part[\s-]completed",
        bars=r"construction|buildings?|research",
    ),
    _rule(
        "finished goods",
        r"(?:fully\s+)?(?:finished|completed)",
        r"products?|goods|units",
        bars=r"half\W*\w*|part\w*\W*\w*|semi\W*\w*|unfinished",
    ),
    _rule(
        "inventories",
        r"(?:the\s+)?(?:goods|products|merchandise)",
        r"(?:had\s+)?in\s+stock|unsold|on\s+(?:its\s+)?(?:hand|shelves)|"
        r"in\s+(?:its\s+)?warehouses",
        bars=r"cost\s+of|finished|sales",
    ),
    _rule(
        "diluted weighted average shares",
        r"shares|share\s+count",
        r"(?:fully\s+)?dilut(?:ed|ion|ive)",
        r"per[\s-]share(?:\s+(?:earnings|profit))?|EPS|earnings\s+per\s+share|count(?:ed)?|average",
        bars=r"exclud\w*|antidilutive|effect|excluded",
    ),
    _rule(
        "net income attributable",
        r"(?:net\s+)?(?:income|profit|loss|earnings|result)|bottom\s+line",
        r"(?:attributable|belong\w*|due|available|accru\w+|left)\s+(?:to|"
        r"for)\s+(?:the\s+)?(?:\w+[’']s\s+)?(?:own\s+|common\s+|ordinary\s+)*"
        r"(?:(?:share|stock)holders|owners|parent)",
        bars=r"per\s+share|comprehensive|non-?controlling|EPS|per-share",
    ),
    _rule(
        "non controlling interest",
        r"equity",
        r"minority|non-?controlling|outside\s+(?:holders|owners|investors|shareholders)",
        bars=r"income|loss|profit",
    ),
    _rule(
        "cash, cash equivalents and restricted cash",
        r"(?:total\s+)?cash",
        r"(?:including|plus|and|with|counting)\s+(?:its\s+)?"
        r"(?:the\s+)?restricted(?:\s+cash)?",
        bars=r"equivalents?|change|increase|decrease|movement|beginning|stock",
    ),
    _rule(
        "operating income",
        r"(?:how\s+deep\s+)?in\s+the\s+(?:red|black)|los[es]\s+money|lost\s+money",
        r"operating(?:\s+level)?|operations",
    ),
    _rule(
        "capital expenditures",
        r"(?:other\s+)?(?:property|pp&e|plants?|factories|buildings)(?:,?\s+plant,?)?(?:\s+and\s+equipment)?",
        _SPEND,
        bars=r"net\s+of|depreciation|gross|leases?|accumulated|proceeds|payable|fair|unpaid|balance|carr\w+|"
        r"worth|value|cost|principal",
    ),
)


@lru_cache(maxsize=1024)
def find_description(text: str) -> Description | None:
    """The figure that `text` describes by the first rule that fits; None if none does."""
    for rule in _RULES:
        if rule.bars is not None and rule.bars.search(text):
            continue
        found = [[match.span() for match in need.finditer(text)] for need in rule.needs]
        if all(found) and len({spans[0] for spans in found}) == len(found):
            return Description(
                rule.canonical, tuple(dict.fromkeys(span for spans in found for span in spans))
            )
    return None
