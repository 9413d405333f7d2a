"""Phrases of a question that ask for a reporting period, as written: dates, quarters, 'the latest', ..."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from graphs.local.question.period_patterns import (
    BEFORE,
    LAST_COUNT,
    LAST_YEAR,
    LATEST,
    MONTH_QUARTER,
    MONTH_RANGE,
    NOT_A_PERIOD,
    NOT_A_PERIOD_AFTER,
    PARTS,
    PERIOD_ROLE,
    PREVIOUS,
    QUARTERS,
    REPORT_AFTER,
    REPORT_BEFORE,
    SERIES,
    THIS_YEAR,
    TO_A_DAY,
    TO_DATE,
    YEAR_AGO,
    YEARS,
    YEARS_AGO,
)
from tools.documents.text.dates import find_dates, month_number
from tools.period_words import ALL_ORDINALS
from tools.value_patterns import NUMBER_WORDS

AskKind = Literal[
    "date", "month", "quarter", "year", "latest", "previous", "year_ago", "this_year", "last_year", "series"
]
_OF_YEAR = re.compile(r"\s+(?:of|in|from)\s+", re.IGNORECASE)
_BESIDE = re.compile(r"\s*[,(]\s*")
REPORTED_MONTHS = (3, 6, 9, 12)
"""Lengths of what reports are on."""


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
    """'latest': how many quarters; 'year_ago': how many years."""
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

    for match in MONTH_RANGE.finditer(text):
        span = _month_range(match)
        if span is not None:
            add(span)
    for ask in _date_asks(text):
        if free(ask.start, ask.end):
            add(ask)
    for pattern, build in _BUILDERS:
        for match in pattern.finditer(text):
            if match.group().strip() and free(*match.span()):
                ask_or_none = build(match)
                if ask_or_none is not None:
                    add(ask_or_none)
    ordered = _without_to_date(text, sorted(asks, key=lambda ask: ask.start))
    return _with_shared_years(text, _with_own_years(text, _without_series(ordered)))


def _with_own_years(text: str, asks: list[PeriodAsk]) -> list[PeriodAsk]:
    """'The same period of 2021', behind 'the first nine months of 2022', is that of the year which it names, 'two years
    earlier' behind a year that of two years before."""
    found: list[PeriodAsk] = []
    for ask in asks:
        if ask.kind == "year_ago" and ask.count > 1:
            found += [_years_before(found[-1], ask)] if found and found[-1].year else []
            continue
        base = next((each for each in reversed(found) if each.kind in ("quarter", "month")), None)
        last = found[-1] if found else None
        if (
            base is not None
            and last is not None
            and (last.kind, ask.kind) == ("year_ago", "year")
            and _OF_YEAR.fullmatch(text[last.end : ask.start])
        ):
            said = text[last.start : ask.end]
            found[-1] = replace(base, text=said, start=last.start, end=ask.end, year=ask.year)
        else:
            found.append(ask)
    return found


def _years_before(base: PeriodAsk, ask: PeriodAsk) -> PeriodAsk:
    year = (base.year or 0) - ask.count
    return _with_day(replace(base, text=ask.text, start=ask.start, end=ask.end, year=year, day=None))


def _without_series(asks: list[PeriodAsk]) -> list[PeriodAsk]:
    """'The periods' beside a period that is named are that one; beside the latest one 'the previous quarters' are all
    before it."""
    named = [ask for ask in asks if ask.kind != "series"]
    latest = all(ask.kind == "latest" and ask.count == 1 for ask in named)
    return [ask for ask in asks if ask.kind != "series" or not named or (latest and ask.earlier)]


def _without_to_date(text: str, asks: list[PeriodAsk]) -> list[PeriodAsk]:
    if not any(ask.kind == "this_year" and TO_DATE.search(ask.text) for ask in asks):
        return asks
    asks = [
        replace(ask, strict=True) if ask.kind == "date" and TO_A_DAY.search(text[: ask.start]) else ask
        for ask in asks
    ]
    dated = any(ask.kind in ("date", "month", "quarter") and ask.strict for ask in asks)
    return [ask for ask in asks if not (dated and ask.kind == "this_year" and TO_DATE.search(ask.text))]


def _date_asks(text: str) -> list[PeriodAsk]:
    asks = []
    for mention in find_dates(text):
        before, after = text[: mention.start], text[mention.end :]
        quarter_after = re.match(r"\s*(?:fiscal\s+)?(?:quarter|qtr|period)", after, re.IGNORECASE)
        role = bool(PERIOD_ROLE.search(before)) or bool(quarter_after) or not before.strip()
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
                strict=role and not NOT_A_PERIOD.search(before),
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
    return replace(ask, report=bool(REPORT_AFTER.match(after) or REPORT_BEFORE.search(before)))


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


def _month_range(match: re.Match[str]) -> PeriodAsk | None:
    """Whole months of which reports are made; None for other spans."""
    first, last = month_number(match["first"]) or 0, month_number(match["month"]) or 0
    months = (last - first) % 12 + 1
    if months not in REPORTED_MONTHS:
        return None
    return _ask("month", match, month=last, year=int(match["year"]) if match["year"] else None, months=months)


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
    if NOT_A_PERIOD_AFTER.match(after) or (match["plain"] and NOT_A_PERIOD.search(before)):
        return None
    year = _full_year(match["year"] or match["plain"])
    return _ask("year", match, year=year, basis=_basis(match["basis"]))


def _years_ago(match: re.Match[str]) -> PeriodAsk:
    said = match["count"].lower()
    return _ask("year_ago", match, count=int(NUMBER_WORDS.get(said, said)))


_BUILDERS = (
    (QUARTERS, _quarter),
    (PARTS, _part),
    (MONTH_QUARTER, _month_quarter),
    (LAST_COUNT, _last_count),
    (BEFORE, _earlier),
    (SERIES, _series),
    (YEARS_AGO, _years_ago),
    (YEAR_AGO, lambda match: _ask("year_ago", match)),
    (PREVIOUS, lambda match: _ask("previous", match)),
    (LATEST, lambda match: _ask("latest", match)),
    (THIS_YEAR, lambda match: _ask("this_year", match)),
    (LAST_YEAR, lambda match: _ask("last_year", match)),
    (YEARS, _year),
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
    asks = [each for at, each in enumerate(asks) if at == 0 or not _says_again(text, asks[at - 1], each)]
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


def _says_again(text: str, before: PeriodAsk, here: PeriodAsk) -> bool:
    """Whether months without a year say beside a period which it is: 'the first half of 2022, January to June'."""
    bare = here.kind == "month" and here.year is None and here.months == before.months
    return bare and before.year is not None and _BESIDE.fullmatch(text[before.end : here.start]) is not None


def _with_day(ask: PeriodAsk) -> PeriodAsk:
    if ask.kind == "date" and ask.year and ask.month and ask.day_of_month and ask.day is None:
        return replace(ask, day=date(ask.year, ask.month, ask.day_of_month))
    return ask
