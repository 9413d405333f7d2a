"""Questions put in a reader's own words: what their phrases ask for, and which of them ask for nothing."""

from __future__ import annotations

import re
from functools import lru_cache

from tools.knowledge.lexicon.descriptions import Description, find_description
from tools.knowledge.lexicon.metric_names import MetricMention, find_metrics
from tools.knowledge.lexicon.vocabulary import VOCABULARY


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_SPENDING = (
    r"(?:spen[dt]|spending|us(?:e|ed|ing)|pa(?:y|id|ying)|put|shell(?:ed)?\s+out|laid\s+out|lay\s+out|cash|money|"
    r"outlays?)"
)
_ITS = r"(?:its|their|the|own|company[’']s|outstanding)\s+"
_DEBT = r"(?:new\s+)?(?:long[\s-]term\s+|term\s+|senior\s+)?(?:debt|notes|bonds|borrowings|loans)\b"
_SECURITIES = r"(?:(?:marketable|debt|short[\s-]term|investment)\s+)*(?:securities|investments)\b"
_HOLDERS = r"(?:share|stock)holders"
_STAFF = r"how\s+many\s+(?:employees|jobs|people|workers|positions|roles|staff)"
_CUT = (
    r"(?:affect(?:s|ed)?|cut(?:s|ting)?|eliminat(?:e|es|ed|ing)|la(?:y|id|ying)\s+off|layoffs?|reduc(?:e|es|ed|tion)|"
    r"let(?:ting)?\s+go|los(?:e|es|t|ing)\s+(?:their|jobs))"
)

_ASKS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "share repurchases",
        _pattern(
            rf"(?:\b{_SPENDING}\s+(?:\w+\s+){{0,3}}?)?\b(?:(?:re-?)?purchas(?:e|ed|ing)|b(?:uy|uying|ought)[\s-]*backs?|"
            rf"b(?:uy|ought|uying)\s+(?:back\s+)?(?={_ITS}{_ITS}|back))\s*(?:of\s+)?(?:back\s+)?(?:{_ITS})*"
            r"(?<!\w)(?:common\s+)?(?:shares?|stock)\b(?:\s+back\b)?(?:\s+of\s+(?:its\s+)?common\s+stock)?"
        ),
    ),
    (
        "share repurchases",
        _pattern(
            rf"\b{_SPENDING}\s+(?:\w+\s+){{0,2}}?(?:(?:share|stock)\s+)?(?:buy[\s-]?backs?|repurchases)\b"
        ),
    ),
    (
        "share repurchases",
        _pattern(
            r"(?<!debt )(?<!note )\brepurchases\b(?!\s+of\s+(?:debt|notes|senior))(?!\s+(?:program|auth))"
        ),
    ),
    (
        "dividends paid",
        _pattern(
            rf"\b(?:pa(?:y|id|ying)|return(?:ed|ing)?|distribut(?:e|ed|ing))\s+(?:out\s+)?(?:to\s+)?(?:its\s+)?"
            rf"(?:{_HOLDERS}\s+)?(?:in|as|through|by\s+way\s+of)\s+(?:the\s+form\s+of\s+)?(?:cash\s+)?dividends\b"
            rf"(?:\s+to\s+(?:its\s+)?{_HOLDERS})?"
        ),
    ),
    (
        "dividends paid",
        _pattern(
            rf"\b(?:pa(?:y|id|ying)|distribut(?:e|ed|"
            rf"ing))\s+(?:out\s+)?(?:cash\s+)?dividends?\s+to\s+(?:its\s+)?{_HOLDERS}"
        ),
    ),
    (
        "dividends paid",
        _pattern(
            r"\bpa(?:y|id)\s+out\s+to\s+(?:its\s+)?(?:(?:share|stock)holders|investors)\b(?!.*\b(?:buy|repurchas))"
        ),
    ),
    (
        "income taxes",
        _pattern(
            r"\b(?:set|setting|put)\s+(?:\w+\s+)?aside\s+(?:for|to\s+pay|"
            r"to\s+cover)\s+(?:its\s+)?(?:income\s+)?tax(?:es)?\b"
        ),
    ),
    (
        "income taxes paid",
        _pattern(
            r"\bpa(?:y|id|ying)\s+(?:in|as)?\s*cash\s+(?:income\s+)?tax(?:es)?\b"
            r"|\bpa(?:y|id|ying)\s+(?:in\s+)?(?:income\s+)?tax(?:es)?\s+\(?(?:in\s+)?cash\b\)?"
        ),
    ),
    (
        "interest paid",
        _pattern(
            r"\bpa(?:y|id|ying)\s+(?:in|as)?\s*cash\s+interest\b|\bpa(?:y|id|"
            r"ying)\s+(?:in\s+)?interest\s+\(?(?:in\s+)?cash\b\)?"
        ),
    ),
    (
        "interest income",
        _pattern(
            r"\bearn(?:ed|ing)?\s+(?:in|as|from)\s+interest\b(?:\s+on\s+(?:its\s+)?cash(?:\s+and\s+(?:cash\s+)?\w+)?)?"
            r"|\binterest\s+(?:\w+\s+)?earned\s+on\s+(?:its\s+)?(?:cash(?:\s+(?:pile|balances?))?|investments)\b"
        ),
    ),
    (
        "net income",
        _pattern(
            r"\b(?:earn(?:ed)?|made?|make)\s+(?:\w+\s+)?after\s+(?:paying\s+)?(?:income\s+)?tax(?:es)?\b"
        ),
    ),
    (
        "proceeds from issuance of debt",
        _pattern(
            rf"\b(?:rais(?:e|ed|ing)|borrow(?:ed|ing)?|receiv(?:e|ed|ing)|g[eo]t|obtain(?:ed)?|proceeds|cash)\s+"
            rf"(?:\w+\s+){{0,3}}?(?:from|by|through|via|with|in)\s+(?:(?:the\s+)?(?:issu(?:ing|ance|ances|e)|"
            rf"sell(?:ing)?|"
            rf"sales?|offering)\s+(?:of\s+)?)?{_DEBT}(?:\s+(?:issuances?|issues?|offerings?|sales))?"
        ),
    ),
    (
        "repayments of debt",
        _pattern(
            rf"\b(?:repa(?:y|id|ying)|retir(?:e|ed|ing)|pa(?:y|id|ying)\s+(?:back|down|off))\s+(?:(?:on|in|of|"
            rf"its|their|the)\s+)*"
            rf"(?:long[\s-]term\s*/\s*)?{_DEBT}"
        ),
    ),
    (
        "cash paid for acquisitions",
        _pattern(
            rf"\b{_SPENDING}\s+(?:\w+\s+){{0,3}}?(?:(?:on|for|in)\s+(?:\w+\s+)?acquisitions|(?:to\s+(?:buy|"
            rf"acquire)|(?:on\s+)?(?:buying|"
            r"acquiring))\s+(?:other\s+)?(?:companies|businesses))\b"
        ),
    ),
    (
        "purchases of marketable securities",
        _pattern(
            rf"\b{_SPENDING}\s+(?:\w+\s+){{0,2}}?(?:(?:on|to|for|in)\s+)?(?:buy|buying|purchas(?:e|es|"
            rf"ing))\s+(?:of\s+)?{_SECURITIES}"
        ),
    ),
    (
        "maturities of marketable securities",
        _pattern(
            rf"\b(?:receiv(?:e|ed)|g[eo]t|collect(?:ed)?|cash|proceeds|t[ao]ke?|"
            rf"took)\s+(?:\w+\s+){{0,2}}?from\s+(?:the\s+)?"
            rf"(?:maturing|maturity\s+of|maturities\s+of)\s+(?:its\s+)?{_SECURITIES}"
        ),
    ),
    (
        "sales of marketable securities",
        _pattern(
            rf"\b(?:receiv(?:e|ed)|g[eo]t|rais(?:e|ed)|cash|proceeds)\s+(?:\w+\s+){{0,2}}?(?:from|by)\s+(?:the\s+)?"
            rf"(?:selling|sales?\s+of)\s+(?:its\s+)?{_SECURITIES}"
        ),
    ),
    (
        "proceeds from employee stock plans",
        _pattern(
            r"\b(?:from|by)\s+(?:its\s+)?employees\s+(?:buying|purchasing)\s+(?:\w+\s+)?(?:stock|shares)\b"
        ),
    ),
    (
        "net cash from operating activities",
        _pattern(
            r"\b(?:cash|money)\s+(?:\w+\s+){0,3}?(?:from|by|in|through)\s+(?:running\s+|its\s+|the\s+|"
            r"day-to-day\s+|core\s+)*"
            r"(?:business|operations)\b(?!\s+segment)"
            r"|\bcash\s+(?:did\s+)?(?:the\s+)?(?:business|operations)\s+(?:generate|produce|throw\s+off)[sd]?\b"
        ),
    ),
    (
        "accounts payable",
        _pattern(
            r"\bow(?:e|ed|es|ing)\s+(?:to\s+)?(?:its\s+|their\s+|the\s+)?(?:suppliers|vendors)\b|\bA/P\b|(?-i:\bAP\b)"
            r"|\b(?:suppliers|vendors)\s+(?:were|was|are)\s+owed\b"
        ),
    ),
    (
        "accounts receivable",
        _pattern(
            r"\b(?:owed|owing|due|outstanding)\s+(?:to\s+\w+\s+)?(?:by|from)\s+(?:its\s+|their\s+|"
            r"the\s+)?customers\b|\bA/R\b|(?-i:\bAR\b)"
            r"|\b(?:did\s+)?(?:its\s+)?customers\s+(?:still\s+)?owed?\b"
        ),
    ),
    (
        "shares outstanding",
        _pattern(
            rf"\b(?:how\s+many|number\s+of)\s+(?:{_ITS})*(?:common\s+)?shares?(?:\s+of\s+(?:{_ITS})*common\s+stock)?\b"
            r"(?:(?!\b(?:average|diluted|basic|weighted|options?|awards?|units?|purchased?|bought)\b)[^?.,])*?\boutstanding\b"
        ),
    ),
    (
        "shares repurchased",
        _pattern(
            rf"\b(?:how\s+many|number\s+of)\s+(?:(?:million|thousand|billion)\s+)?(?:of\s+)?(?:{_ITS})*(?:common\s+)?"
            rf"(?:shares?|stock)\b(?:\s+of\s+(?:{_ITS})*common\s+stock)?(?:(?!\b(?:employees|can|may|could|options?|warrants?)\b)[^?.,])*?"
            r"\b(?:(?:re-?)?purchase[sd]?|b(?:uy|ought)(?:\s+back|[\s-]?backs?)?|retired?)\b"
            r"(?:\s+under\s+(?:its\s+)?(?:(?:share|stock)\s+)?(?:repurchase|buy-?back)\s+programs?)?"
        ),
    ),
    (
        "workforce reduction",
        _pattern(
            rf"\b{_STAFF}\b[^?.]*\b{_CUT}\b|\b{_CUT}\s+(?:\w+\s+){{0,2}}?(?:employees|jobs|positions|staff)\b"
        ),
    ),
    (
        "revenue",
        _pattern(
            r"\b(?:made?|make|earn(?:ed)?|t[ao]ke|took|br(?:ing|ought)|"
            r"pull(?:ed)?)\s+(?:in\s+)?from\s+(?:selling\s+|sales?\s+of\s+|its\s+)?"
            r"(?!operat|financ|invest|interest|continuing|discontinu)"
        ),
    ),
)
"""Phrases that no list of names can hold -> the metric that they ask for."""
_NO_AMOUNT = _pattern(
    r"\bhow\s+many\b|\bnumber\b|\bprices?\b|\baverage\b|\bper\s+share\b|\bauthori[sz]\w+|\bremain\w*"
)
"""Asks for shares, their price or a permission, not for the amount spent on them."""

_LOCATION = _pattern(
    r"\(?\s*,?\s*\b(?:(?:(?:going|judging)\s+by|according\s+to|as\s+(?:shown|reported|printed|"
    r"stated)\s+(?:in|on)|as\s+per|"
    r"charged\s+to|on|in|from|per|off)\s+)?(?:\w+[’']s\s+)?(?:the\s+|its\s+)?(?:consolidated\s+)?(?:"
    r"(?P<cash_flow>cash[\s-]?flow\s+statement|statements?\s+of\s+cash\s+flows?)|(?P<income>income\s+statement|P&L\b)|"
    r"(?P<balance>balance\s+sheet(?!\s+(?:total|size|cash))))(?:\s+line)?\s*\)?"
)
_FILLERS = (
    _pattern(r"\(\s*(?:US\s+)?GAAP\s*\)|(?<!non-)(?<!non )\b(?:US\s+)?GAAP\b(?!\s+(?:to|and)\b)"),
    _pattern(
        r"(?<!debt)(?<!debt,)(?<!borrowings)(?<!borrowings,)(?<![,\s]),?\s*\b(?:both\s+)?(?:short[\s-]term|current)\s+(?:and|plus)\s+(?:long[\s-]term|non-?current)(?:\s+(?:parts?|portions?|"
        r"pieces?))?(?:\s+(?:together|combined))?(?=\s*(?:,|\?|$|\bat\b|\bon\b|\bas\b))"
    ),
    _pattern(
        r"\badd[\s-]?backs?\b|\bnon-?\s?cash\b(?=\s+(?:depreciation|amorti[sz]ation|stock|share|"
        r"charge\s+for))|\bwar[\s-]chest\b(?:\s+of)?|\bi\.\s?e\.,?"
    ),
    _pattern(r"\bon\s+(?:its|the|their)\s+books\b|\bin\s+(?:the\s+)?(?:US\s+)?dollars?(?:\s+terms)?\b"),
    _pattern(
        r"(?<=sales )to\s+customers\s+(?=billed|located|based|in\b)|"
        r"(?<=revenue )from\s+customers\s+(?=billed|located|based|in\b)|(?<=\bin )from\s+customers\b|"
        r"\bfrom\s+customers\s+(?=in\s+(?:total\s+)?sales\b)"
    ),
)
_EXCLUDED = _pattern(
    r"\s*,?\s*\(?\b(?:excluding|except(?:\s+for)?|leaving\s+out|(?:not|without)\s+(?:counting|"
    r"including)|without|no|apart\s+from|"
    r"before(?:\s+any)?|other\s+than|net\s+of)\s+(?:any\s+|the\s+|its\s+)*(?:goodwill|"
    r"current\s+(?:portion|piece|part|maturities)"
    r"(?:\s+of\s+(?:the\s+|its\s+)?(?:long[\s-]term\s+)?(?:debt|borrowings))?|"
    r"proceeds\s+from\s+sales\s+and\s+incentives|"
    r"proceeds\s+from\s+(?:its\s+)?(?:sales|disposals|incentives|grants)|restricted\s+cash|investments)\b\)?"
    r"|,?\s*goodwill\s+aside\b"
)
"""What a measure leaves out by its nature: goodwill of intangible assets, the current part of long-term debt."""
_EXCLUSIVE = frozenset(
    {"intangible assets", "long-term debt", "short-term debt", "debt", "capital expenditures",
     "cash and cash equivalents"}
)  # fmt: skip
"""Words that say where a figure stands or in what terms, and name nothing."""
_PURPOSE = _pattern(
    r"\s*\(?\b(?:(?:that\s+(?:is|are|was|were)\s+)?used\s+)?(?:to\s+(?:compute|calculate|work\s+out)|"
    r"in\s+(?:computing|calculating|"
    r"the\s+(?:calculation|computation)\s+of)|for(?:\s+(?:computing|calculating))?)\s+(?:the\s+|its\s+)?"
    r"(?:(?:basic|diluted)\s+)?(?:EPS|earnings\s+per\s+share|per[\s-]share)(?:\s+(?:purposes?|"
    r"calculations?|computations?|figures?))?\)?"
)
"""What shares are counted for: 'diluted shares for EPS' asks for no earnings."""
_DEFINITION = _pattern(
    r"\(([^()]*\b(?:less|minus|before|i\.?e\.?|that\s+is|aka|also\s+(?:known|called))\b[^()]*)\)"
)


@lru_cache(maxsize=1024)
def readable(question: str) -> str:
    """`question` with everything blanked that asks for nothing: what a figure is for, in which statement it
    stands, how a metric is defined. Of the same length, so that spans stay those of the question."""
    text = question
    for pattern in _FILLERS:
        text = pattern.sub(_blank, text)
    text = _LOCATION.sub(_blank, text)
    if any(m.canonical in _EXCLUSIVE for m in find_metrics(_EXCLUDED.sub(_blank, text))):
        text = _EXCLUDED.sub(_blank, text)
    for pattern in (_PURPOSE, _DEFINITION):
        for match in pattern.finditer(text):
            if _ends_with_metric(text[: match.start()], shares=pattern is _PURPOSE):
                text = text[: match.start()] + _blank(match) + text[match.end() :]
    return text if text.strip(" ?.,") else question


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _ends_with_metric(text: str, *, shares: bool) -> bool:
    mentions = find_metrics(text)
    if not mentions or re.sub(r"\([^()]*\)", "", text[mentions[-1].end :]).strip(" ,("):
        return False
    return not shares or mentions[-1].canonical.endswith("shares")


def statement_named(question: str) -> str:
    """The primary statement in which the question says the figure stands, else ''."""
    match = _LOCATION.search(question)
    return (match.lastgroup or "") if match else ""


@lru_cache(maxsize=1024)
def find_asked(question: str) -> tuple[MetricMention, ...]:
    """Metrics that a question asks for, by name or by what it says of them ('spent buying back stock'), in
    order, without overlap. A mention by description has the metric's own name as its text."""
    return _read_question(question)[0]


@lru_cache(maxsize=1024)
def spare_spans(question: str) -> tuple[tuple[int, int], ...]:
    """Stretches of a question that go with a description: its mention stands for them."""
    return _read_question(question)[1]


def is_described(question: str) -> bool:
    """True if the question says what a figure is instead of naming it."""
    return _read_question(question)[2]


_POSTPONED = _pattern(r"\s*\(\s*(?:adjusted|non-?\s?GAAP)\s*\)")


def _read_question(question: str) -> tuple[tuple[MetricMention, ...], tuple[tuple[int, int], ...], bool]:
    text = readable(question)
    described: list[MetricMention] = []
    counts = bool(_NO_AMOUNT.search(question))
    for canonical, pattern in _ASKS:
        if counts and canonical == "share repurchases":
            continue
        for match in pattern.finditer(text):
            if match.group().strip() and not _overlaps(match.start(), match.end(), described):
                described.append(MetricMention(canonical, canonical, match.start(), match.end()))
    named = [
        _adjusted(question, MetricMention(question[m.start : m.end], m.canonical, m.start, m.end))
        for m in find_metrics(text)
        if not _overlaps(m.start, m.end, described)
    ]
    if any(m.canonical in VOCABULARY and m.canonical != "revenue" for m in named):
        # 'made from operating income': the verb names nothing where a noun does
        described = [m for m in described if m.canonical != "revenue"]
    spare: tuple[tuple[int, int], ...] = ()
    verbal = bool(described)
    if not verbal:
        described, named, spare = _with_description(text, named)
    return (
        tuple(sorted([*described, *named], key=lambda mention: mention.start)),
        spare,
        bool(spare) or (bool(described) and not verbal),
    )


def _adjusted(question: str, mention: MetricMention) -> MetricMention:
    """'Free cash flow (adjusted)' is adjusted free cash flow."""
    match = _POSTPONED.match(question, mention.end)
    if match is None or mention.canonical.startswith("adjusted"):
        return mention
    return MetricMention(
        f"adjusted {mention.text}", f"adjusted {mention.canonical}", mention.start, match.end()
    )


def _with_description(
    text: str, named: list[MetricMention]
) -> tuple[list[MetricMention], list[MetricMention], tuple[tuple[int, int], ...]]:
    """A description in place of the names inside it, unless another metric is named besides or one of them says
    it all."""
    found = find_description(text)
    if found is None:
        return [], named, ()
    outside, aside = _outside(found, named)
    if any(m.canonical in VOCABULARY and m.canonical != found.canonical for m in outside):
        return [], named, ()
    if any(m.canonical == found.canonical for m in named):
        kept = [m for m in named if m.canonical == found.canonical or m in outside]
        return [], kept, (*(span for span in found.spans if not _overlaps(*span, kept)), *aside)
    start, end = max(found.spans, key=lambda span: span[1] - span[0])
    mention = MetricMention(found.canonical, found.canonical, start, end)
    return [mention], outside, (*(span for span in found.spans if span != (start, end)), *aside)


def _outside(
    found: Description, named: list[MetricMention]
) -> tuple[list[MetricMention], tuple[tuple[int, int], ...]]:
    """(metrics named outside the description, where such stand that may be named besides without being asked for)."""
    outside = [m for m in named if not any(start < m.end and m.start < end for start, end in found.spans)]
    besides = [m for m in outside if m.canonical in _BESIDES.get(found.canonical, _FUNDS)]
    return [m for m in outside if m not in besides], tuple((m.start, m.end) for m in besides)


_FUNDS = frozenset({"cash and cash equivalents", "debt", "marketable securities", "short-term investments"})
"""Named besides as what earns, is paid with or is borrowed."""
_STOCKS = frozenset({"inventories"})
_BESIDES = {
    "raw materials": _STOCKS,
    "work in process": _STOCKS,
    "finished goods": _STOCKS,
    "accrued compensation": frozenset({"headcount", "accrued liabilities"}),
    "diluted weighted average shares": frozenset(
        {"earnings per share", "diluted earnings per share", "weighted average shares"}
    ),
}
"""Described metric -> metrics that may be named besides without being asked for."""


def _overlaps(start: int, end: int, found: list[MetricMention]) -> bool:
    return any(start < m.end and m.start < end for m in found)
