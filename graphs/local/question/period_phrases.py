"""Phrases of a question that ask for a reporting period, as written: dates, quarters, 'the latest', ..."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from tools.documents.text.dates import find_dates, month_number
from tools.period_words import ALL_ORDINALS, ANY_ORDINAL, MONTHS
from tools.value_patterns import NUMBER_WORDS

AskKind = Literal[
    "date", "month", "quarter", "year", "latest", "previous", "year_ago", "this_year", "last_year", "series"
]

_BASIS = r"(?P<basis>fiscal(?:\s+year)?|financial\s+year|fy|calendar(?:\s+year)?|cy)"
_YEAR_AFTER = (
    rf"(?:[\s,\-/]*(?:of\s+|in\s+|for\s+)?(?:the\s+)?(?:{_BASIS}[\s\-]*'?(?P<year>(?:19|20)?\d\d)|"
    r"(?P<plain>(?:19|20)\d\d)|['’](?P<short>\d\d))(?![\w/])(?!-\w))?"
)
_YEAR_BEFORE = (
    r"(?:(?P<lead_basis>fiscal(?:\s+year)?|fy|calendar(?:\s+year)?|cy)?[\s\-]*'?(?P<lead>(?:19|20)\d\d|(?<=fy)\d\d|"
    r"(?<=fy')\d\d)(?:['’]s)?[\s\-,]+)?"
)
_QUARTER = (
    r"(?:(?P<q_basis>fiscal|calendar)\s+)?(?:q\s?-?(?P<q>[1-4])(?!\d)|(?P<q2>[1-4])q(?P<glued>\d\d)?(?!\d)|"
    rf"(?P<q3>{ANY_ORDINAL})[\s\-]+(?:(?P<q_basis2>fiscal|calendar)[\s\-]+)?"
    r"(?:quarter|qtr)s?)"
)
_QUARTERS = re.compile(rf"(?<![\w.])(?:the\s+)?{_YEAR_BEFORE}{_QUARTER}{_YEAR_AFTER}", re.IGNORECASE)
_PARTS = re.compile(
    r"(?<![\w.])(?:the\s+)?(?:(?P<half>first|second|1st|2nd)[\s\-]+half|(?P<h>[12])h(?P<glued>\d\d)?|h(?P<h2>[12])|"
    r"(?:the\s+)?first\s+(?P<span>three|six|nine|3|6|9)\s+months|"
    r"(?:the\s+)?first\s+(?P<quarters>two|three|2|3)\s+quarters|(?P<nm>[369])m(?!\s+end))" + _YEAR_AFTER,
    re.IGNORECASE,
)
_YEARS = re.compile(
    rf"(?<![\w$€£.,/\-])(?:{_BASIS}[\s\-]*['’]?(?P<year>(?:19|20)?\d\d)|(?P<plain>(?:19|20)\d\d))(?![\w/,%]\w|\w|-\w)",
    re.IGNORECASE,
)
_RECENT = r"(?:most\s+recent(?:ly)?|latest|last|newest|current|present|this|recent|just[\s-]ended)"
_LATEST = re.compile(
    rf"\b(?:the\s+)?{_RECENT}\s+(?:completed\s+|reported\s+|reporting\s+|ended\s+|fiscal\s+|available\s+)*"
    r"(?:quarters?|qtr|periods?|three\s+months|10-q|10-k|filings?|reports?|call|earnings\s+call|transcript)\b"
    r"(?!\s+(?:of|a\s+year|last\s+year))|\b(?:the\s+)?(?:most\s+recent(?:ly)?|latest)\b|\bcurrently\b",
    re.IGNORECASE,
)
_LAST_COUNT = re.compile(
    r"\b(?:the\s+)?(?:last|past|previous|latest|most\s+recent)\s+(?P<count>[2-8]|two|three|four|five|six|seven|eight)"
    r"\s+(?:reported\s+|fiscal\s+)?(?:quarters|quarterly\s+(?:reports|filings)|10-?qs)\b",
    re.IGNORECASE,
)
_EACH = (
    r"(?:all|the|of|these|those|its|their|each|every|several|recent|past|successive|various|multiple|last|different"
    r"|consecutive)"
)
_REPORTED = r"(?:reported|reporting|fiscal|quarterly|available|10-q|covered|given|indexed|most)"
_REPORTS = r"(?:quarters|periods|reports|filings|10-?qs|balance\s+sheet\s+dates)"
_SERIES = re.compile(
    rf"\bover\s+time\b|\b(?:from\s+)?(?:quarter|period)[\s-](?:to|by|after)[\s-](?:quarter|period)\b"
    rf"|\b(?:across|over|through|throughout|during|between|among|for|in)\s+(?:{_EACH}\s+)*(?:{_REPORTED}\s+)*{_REPORTS}\b"
    r"(?:\s+(?:on\s+file|reported|covered|available|given|provided|presented|indexed))?"
    r"|\b(?:each|every|by)\s+quarter\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    rf"\b(?:(?:compared|relative)\s+(?:to|with)\s+|(?:than|from|with|against|versus|vs\.?)\s+)?(?:(?:in|that\s+of|those\s+of)\s+)?"
    rf"(?:the\s+)?(?:previous|prior|past|earlier|preceding)\s+(?:{_REPORTED}\s+)*{_REPORTS}\b",
    re.IGNORECASE,
)
_SAME = r"(?:same|corresponding|comparable|equivalent|matching)"
_SPAN = r"(?:quarter|period|qtr|(?:three|six|nine)\s+months|\d\s+months)"
_YEAR_AGO = re.compile(
    rf"\b(?:the\s+)?{_SAME}\s+(?:fiscal\s+)?{_SPAN}(?:\s+(?:(?:of|in|from)\s+)?(?:the\s+)?(?:(?:a|one)\s+year|"
    r"(?:prior|previous|preceding|last)\s+(?:fiscal\s+)?year)(?:\s+(?:ago|before|earlier|prior|previously))?)?"
    rf"|\b(?:the\s+)?(?:prior|previous|preceding|last)[\s-]+years?(?:['’]s?)?[\s-]+(?:{_SAME}\s+)?(?:fiscal\s+)?{_SPAN}"
    rf"|\b(?:the\s+)?year[\s-](?:ago|earlier|before|prior)(?:\s+{_SPAN})?"
    rf"|\b(?:the\s+)?{_SPAN}\s+(?:a|one)\s+year\s+(?:ago|earlier|before|prior)"
    r"|\b(?:a|one)\s+year\s+(?:ago|earlier|before|prior|previously)"
    r"|\byear[\s-](?:over|on|to)[\s-](?:the[\s-])?year\b(?!\s+to)|\byoy\b|\by/y\b|\by-o-y\b"
    r"|\b(?:the\s+)?(?:prior|previous|preceding)\s+(?:fiscal\s+)?year\b(?![\s-]+end,?\s+\(?[a-z]{3,9}\.?\s+\d)",
    re.IGNORECASE,
)
_PREVIOUS = re.compile(
    r"\b(?:the\s+)?(?:previous|prior|preceding)\s+(?:fiscal\s+)?(?:quarter|qtr)\b|\b(?:the\s+)?quarter\s+"
    r"(?:before|prior|earlier|preceding)(?:\s+(?:that|this|to|it|last))?\b(?:\s+quarter\b)?|\ba\s+quarter\s+(?:ago|earlier|before)\b"
    r"|\bsequential(?:ly)?\b|\bquarter[\s-](?:over|on)[\s-]quarter\b|\bqoq\b|\bq/q\b",
    re.IGNORECASE,
)
_THIS_YEAR = re.compile(
    r"\b(?:this|the\s+current)\s+(?:fiscal\s+)?year\b|\byear[\s-]to[\s-]date\b|\bytd\b", re.I
)
_LAST_YEAR = re.compile(r"\blast\s+(?:fiscal\s+)?year\b", re.IGNORECASE)
_PERIOD_ROLE = re.compile(
    r"(?:\bto[\s-]date|\bytd|\bend(?:ed|ing|s)?|\bending\s+on|\bas\s+(?:of|at)|\bat(?:\s+the)?(?:\s+close)?(?:\s+of)?|\bfor|\bof|\bend|"
    r"\bquarters?|\bmonths|\bto|\bversus|\bvs\.?|\band|\bwith|\bthan|\bperiod|[,:(])\s*(?:the\s+)?(?:on\s+)?$",
    re.IGNORECASE,
)
_MONTH_QUARTER = re.compile(
    rf"\b(?P<month>{'|'.join(MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?\s+(?:quarters?|qtr)\b"
    r"(?:\s+(?:of\s+|in\s+)?(?P<year>(?:19|20)\d\d))?",
    re.IGNORECASE,
)
_NOT_A_PERIOD = re.compile(
    r"\b(?:due|matur\w+|expir\w+|notes?|bonds?|plan|act|by|until|through|target|since)\s+(?:in\s+|of\s+|the\s+)*$",
    re.IGNORECASE,
)
_NOT_A_PERIOD_AFTER = re.compile(
    r"^(?:['’]s)?\s+(?:(?:\w+\s+)?(?:notes?|bonds?|plan|act|program|credit|agreement|form|annual\s+report)\b)|^s\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class PeriodAsk:
    """One period phrase, not yet compared with what exists."""

    kind: AskKind
    text: str
    start: int
    end: int
    day: date | None = None
    """Of a 'date' that is complete."""
    month: int | None = None
    day_of_month: int | None = None
    quarter: int | None = None
    """1 to 4."""
    year: int | None = None
    basis: Literal["fiscal", "calendar"] | None = None
    """As said; None is the company's own label if there is one."""
    months: int | None = None
    """Duration said with this phrase: 'first half' is 6."""
    count: int = 1
    """'latest': how many quarters."""
    strict: bool = True
    """False where the phrase may name the day of an event instead of a reporting period."""
    earlier: bool = False
    """'series': the periods before another one, 'the previous quarters'."""
    report: bool = False
    """'quarter': what is named is a report ('the Q3 2023 10-Q'), which goes by the name of its file."""
    until: bool = False
    """The range from the ask before this one up to this one is meant."""


def find_asks(text: str) -> list[PeriodAsk]:
    """Period phrases of `text`, left to right without overlap."""
    asks: list[PeriodAsk] = []
    taken = [False] * len(text)

    def free(start: int, end: int) -> bool:
        return not any(taken[start:end])

    def add(ask: PeriodAsk) -> None:
        asks.append(ask)
        taken[ask.start : ask.end] = [True] * (ask.end - ask.start)

    for ask in _date_asks(text):
        add(ask)
    for pattern, build in _BUILDERS:
        for match in pattern.finditer(text):
            if match.group().strip() and free(*match.span()):
                ask_or_none = build(match)
                if ask_or_none is not None:
                    add(ask_or_none)
    ordered = _without_to_date(text, sorted(asks, key=lambda ask: ask.start))
    return _with_shared_years(text, _without_series(ordered))


def _without_series(asks: list[PeriodAsk]) -> list[PeriodAsk]:
    """'The periods' beside a period that is named are that one; beside the latest one 'the previous quarters' are all
    before it."""
    named = [ask for ask in asks if ask.kind != "series"]
    latest = all(ask.kind == "latest" and ask.count == 1 for ask in named)
    return [ask for ask in asks if ask.kind != "series" or not named or (latest and ask.earlier)]


TO_DATE = re.compile(r"\byear[\s-]to[\s-]date\b|\bytd\b", re.IGNORECASE)
"""Says how long a period is that another phrase dates: 'year to date through June 25, 2022'."""


def _without_to_date(text: str, asks: list[PeriodAsk]) -> list[PeriodAsk]:
    if not any(ask.kind == "this_year" and TO_DATE.search(ask.text) for ask in asks):
        return asks
    asks = [
        replace(ask, strict=True) if ask.kind == "date" and _TO_A_DAY.search(text[: ask.start]) else ask
        for ask in asks
    ]
    dated = any(ask.kind in ("date", "month", "quarter") and ask.strict for ask in asks)
    return [ask for ask in asks if not (dated and ask.kind == "this_year" and TO_DATE.search(ask.text))]


_TO_A_DAY = re.compile(
    rf"(?:{TO_DATE.pattern})[\s,(]*(?:through|thru|to|until|as\s+of|ended|ending)?\s*$", re.IGNORECASE
)


def _date_asks(text: str) -> list[PeriodAsk]:
    asks = []
    for mention in find_dates(text):
        before, after = text[: mention.start], text[mention.end :]
        quarter_after = re.match(r"\s*(?:fiscal\s+)?(?:quarter|qtr|period)", after, re.IGNORECASE)
        role = bool(_PERIOD_ROLE.search(before)) or bool(quarter_after) or not before.strip()
        dated = mention.day is not None
        asks.append(
            PeriodAsk(
                "date" if dated else "month",
                mention.text,
                mention.start,
                mention.end + (quarter_after.end() if quarter_after else 0),
                day=mention.date,
                month=mention.month,
                day_of_month=mention.day,
                year=mention.year,
                months=3 if quarter_after else None,
                strict=role and not _NOT_A_PERIOD.search(before),
            )
        )
    return asks


def _quarter(match: re.Match[str]) -> PeriodAsk:
    parts = match.groupdict()
    word = parts["q"] or parts["q2"] or ALL_ORDINALS[parts["q3"].lower()]
    year = parts["year"] or parts["plain"] or parts["short"] or parts["lead"] or parts["glued"]
    basis = parts["basis"] or parts["lead_basis"] or parts["q_basis"] or parts["q_basis2"]
    ask = _ask("quarter", match, quarter=int(word), year=_full_year(year), basis=_basis(basis), months=3)
    before, after = match.string[: match.start()], match.string[match.end() :]
    return replace(ask, report=bool(_REPORT_AFTER.match(after) or _REPORT_BEFORE.search(before)))


_REPORT_AFTER = re.compile(
    r"(?:['’]s)?\s+(?:form\s+|sec\s+|quarterly\s+|earnings\s+)*(?:10-?[qk]|reports?|filings?)\b",
    re.IGNORECASE,
)
_REPORT_BEFORE = re.compile(
    r"\b(?:10-?[qk]|reports?|filings?)(?:\s+(?:report|filing))?\s+(?:(?:for|of|from|in)\s+)?(?:the\s+)?[(\[]?$",
    re.IGNORECASE,
)


def _part(match: re.Match[str]) -> PeriodAsk:
    parts = match.groupdict()
    span = parts["span"] or parts["nm"]
    if parts["quarters"]:
        quarter = NUMBER_WORDS.get(parts["quarters"].lower()) or int(parts["quarters"])
        months = 3 * quarter
    elif span:
        months = NUMBER_WORDS.get(span.lower()) or int(span)
        quarter = months // 3
    else:
        half = parts["half"] or parts["h"] or parts["h2"]
        quarter = 2 * ALL_ORDINALS.get(half.lower(), int(half) if half.isdigit() else 1)
        months = 6
    year = parts["year"] or parts["plain"] or parts["short"] or parts["glued"]
    ask = _ask("quarter", match, quarter=quarter, year=_full_year(year), months=months)
    # 'How do you see the second half?' need not mean a reporting period.
    return replace(ask, basis=_basis(parts["basis"]), strict=bool(year))


def _month_quarter(match: re.Match[str]) -> PeriodAsk:
    year = int(match["year"]) if match["year"] else None
    return _ask("month", match, month=month_number(match["month"]), year=year, months=3)


def _last_count(match: re.Match[str]) -> PeriodAsk:
    count = match["count"].lower()
    return _ask("latest", match, count=NUMBER_WORDS.get(count) or int(count), months=3)


def _series(match: re.Match[str]) -> PeriodAsk:
    return replace(_ask("series", match), strict=False)


def _earlier(match: re.Match[str]) -> PeriodAsk:
    return replace(_ask("series", match), strict=False, earlier=True)


def _year(match: re.Match[str]) -> PeriodAsk | None:
    before, after = match.string[: match.start()], match.string[match.end() :]
    if _NOT_A_PERIOD_AFTER.match(after) or (match["plain"] and _NOT_A_PERIOD.search(before)):
        return None
    year = _full_year(match["year"] or match["plain"])
    return _ask("year", match, year=year, basis=_basis(match["basis"]))


_BUILDERS = (
    (_QUARTERS, _quarter),
    (_PARTS, _part),
    (_MONTH_QUARTER, _month_quarter),
    (_LAST_COUNT, _last_count),
    (_BEFORE, _earlier),
    (_SERIES, _series),
    (_YEAR_AGO, lambda match: _ask("year_ago", match)),
    (_PREVIOUS, lambda match: _ask("previous", match)),
    (_LATEST, lambda match: _ask("latest", match)),
    (_THIS_YEAR, lambda match: _ask("this_year", match)),
    (_LAST_YEAR, lambda match: _ask("last_year", match)),
    (_YEARS, _year),
)


def _ask(
    kind: AskKind,
    match: re.Match[str],
    *,
    quarter: int | None = None,
    month: int | None = None,
    year: int | None = None,
    basis: Literal["fiscal", "calendar"] | None = None,
    months: int | None = None,
    count: int = 1,
) -> PeriodAsk:
    return PeriodAsk(
        kind,
        match.group().strip(),
        match.start(),
        match.end(),
        quarter=quarter,
        month=month,
        year=year,
        basis=basis,
        months=months,
        count=count,
    )


def _full_year(year: str | None) -> int | None:
    if not year:
        return None
    return int(year) + (2000 if len(year) == 2 else 0)


def _basis(word: str | None) -> Literal["fiscal", "calendar"] | None:
    if not word:
        return None
    return "calendar" if word.lower().startswith("c") else "fiscal"


def _with_shared_years(text: str, asks: list[PeriodAsk]) -> list[PeriodAsk]:
    """Years shared within a list ('Q1, Q2 and Q3 2023') are given to each; 'Q1 to Q3' becomes a range."""
    asks = list(asks)
    for index in range(len(asks) - 2, -1, -1):
        here, following = asks[index], asks[index + 1]
        joined = re.fullmatch(r"[\s,&/]*(?:and|or|to|through|thru|vs\.?|versus|with|[-–—])?[\s,]*(?:the\s+)?",
                              text[here.end : following.start], re.IGNORECASE)  # fmt: skip
        if joined and here.year is None and here.kind in ("quarter", "month", "date") and following.year:
            asks[index] = _with_day(replace(here, year=following.year, basis=here.basis or following.basis))
    for index in range(1, len(asks)):
        before, here = asks[index - 1], asks[index]
        between = text[before.end : here.start]
        if before.kind == here.kind and here.year is None and before.year and here.kind == "quarter":
            asks[index] = here = replace(here, year=before.year, basis=before.basis)
        if before.kind == here.kind and re.fullmatch(
            r"\s*(?:to|through|thru|until|[-–—])\s*(?:the\s+)?", between, re.I
        ):
            asks[index] = replace(here, until=True)
    return asks


def _with_day(ask: PeriodAsk) -> PeriodAsk:
    if ask.kind == "date" and ask.year and ask.month and ask.day_of_month and ask.day is None:
        return replace(ask, day=date(ask.year, ask.month, ask.day_of_month))
    return ask
