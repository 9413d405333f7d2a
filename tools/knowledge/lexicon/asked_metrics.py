"""Metrics that a question names, and which of its phrases ask for nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from tools.knowledge.lexicon.metric_names import MetricMention, find_metrics


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


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


@lru_cache(maxsize=1024)
def statement_named(question: str) -> str:
    """The primary statement in which the question says the figure stands, else ''."""
    match = _LOCATION.search(question)
    return (match.lastgroup or "") if match else ""


def without_statement(words: str) -> str:
    """Words without those that say in which primary statement a figure stands."""
    return " ".join(_LOCATION.sub(" ", words).split())


@lru_cache(maxsize=1024)
def find_asked(question: str) -> tuple[MetricMention, ...]:
    """Metrics that a question names, in order, without overlap."""
    return tuple(
        _adjusted(question, replace(mention, text=question[mention.start : mention.end]))
        for mention in find_metrics(readable(question))
    )


_POSTPONED = _pattern(r"\s*\(\s*(?:adjusted|non-?\s?GAAP)\s*\)")


def _adjusted(question: str, mention: MetricMention) -> MetricMention:
    """'Free cash flow (adjusted)' is adjusted free cash flow."""
    match = _POSTPONED.match(question, mention.end)
    if match is None or mention.canonical.startswith("adjusted"):
        return mention
    return MetricMention(
        f"adjusted {mention.text}", f"adjusted {mention.canonical}", mention.start, match.end()
    )
