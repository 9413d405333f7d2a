"""How long a period a question asks about: three, six, nine or twelve months, a balance, or up to its last day."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.local.question.period_asks import PeriodAsk
from graphs.local.question.period_patterns import TO_DATE
from graphs.local.question.period_resolution import Resolved
from tools.documents.metadata.catalog import Catalog
from tools.period_words import MONTH_COUNTS

_DURATIONS = (
    (3, re.compile(r"\b(?:three|3)[\s-]+months?\b|\bquarter(?:s|ly)?\b|\bqtr\b", re.IGNORECASE)),
    (6, re.compile(r"\b(?:six|6)[\s-]+months?\b|\bhalf[\s-]year\b|\b6m\b", re.IGNORECASE)),
    (9, re.compile(r"\b(?:nine|9)[\s-]+months?\b|\b9m\b", re.IGNORECASE)),
    (12, re.compile(
        r"\b[lt]tm\b"
        r"|(?<!within )(?<!beyond )(?<!next )(?<!than )(?<!after )\b(?:twelve|12)[\s-]+months?\b|\bfull[\s-]year\b"
        r"|\bannual\b|\byear\s+(?:ended|ending|(?:up\s+)?to|through)\s+(?!date\b)", re.IGNORECASE)),
)  # fmt: skip
ROLLING = re.compile(
    r"\b(?:trailing|rolling|last|past|latest|previous)[\s-]+(?:twelve|12)[\s-]+months?\b|\b[LT]TM\b",
    re.IGNORECASE,
)
"""Twelve months to the end of whatever period is named beside them."""
_LISTED_MONTHS = re.compile(
    r"\b(three|six)(?=(?:\s*,\s*\w+)?\s*,?\s+and\s+(?:six|nine)[\s-]+months?\b)", re.IGNORECASE
)
_INSTANT = re.compile(
    r"\bas\s+(?:of|at)\b|\b(?:at|by)\s+(?:the\s+)?(?:end|close)\s+of\b"
    r"|\bend\s+of\s+(?:the\s+)?(?:quarter|q\d|period|year|\w+\s+20)"
    r"|\b(?:quarter|period|year)[\s-]end\b",
    re.IGNORECASE,
)


def months_asked(question: str, asks: Sequence[PeriodAsk], has_metric: bool) -> int | None:
    """The one duration that the wording asks for; None when it names no duration or several."""
    said = {months for months, pattern in _DURATIONS if pattern.search(question)}
    said |= {MONTH_COUNTS[match.group().lower()] for match in _LISTED_MONTHS.finditer(question)}
    said |= {ask.months for ask in asks if ask.months is not None}
    dated = {ask.kind for ask in asks}
    at_date = any(
        ask.kind == "date" and re.search(r"\b(?:at|on|by)\s+$", question[: ask.start], re.IGNORECASE)
        for ask in asks
    )
    longer = said - {3}
    if len(longer) == 1 and not (3 in said and _LISTED_MONTHS.search(question)):
        return next(iter(longer))
    if longer:
        return None
    if _INSTANT.search(question) or at_date:
        return 0
    if said:
        return 3
    return 12 if has_metric and dated and dated <= {"year", "last_year"} else None


def months_held(
    question: str, months: int | None, resolved: Resolved, catalog: Catalog, companies: Sequence[str]
) -> int | None:
    """None in place of the twelve months that a bare year means, where the companies report only parts of it; `months`
    where the wording says them."""
    if months != 12 or not companies or not resolved.filters or _DURATIONS[-1][1].search(question):
        return months
    spans = {
        key: {
            period.months
            for period in catalog.fact_periods(key)
            if any(each.admits(period) for each in resolved.filters)
        }
        for key in companies
    }

    def in_parts(key: str) -> bool:
        # notes of quarterly reports, too, tell of years
        interim = {each.doc_type for each in catalog.documents_of(key)} == {"10-Q"}
        return bool(spans[key] & {3, 6, 9}) and (interim or 12 not in spans[key])

    return None if all(map(in_parts, spans)) else months


def months_to_date(
    question: str, months: int | None, resolved: Resolved, catalog: Catalog, companies: Sequence[str]
) -> int | None:
    """The duration of a year to date, from what is reported for its last day; `months` where the wording says it."""
    ends = {each.end for each in resolved.filters}
    if months not in (None, 3) or len(ends) != 1 or not TO_DATE.search(question):
        return months
    known = {
        period.months
        for key in companies
        for period in (*catalog.document_periods(key), *catalog.fact_periods(key))
        if period.end in ends
    }
    return max((span for span in known if span in (3, 6, 9)), default=months)
