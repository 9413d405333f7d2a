"""Phrases of a question that ask for a reporting period, as written: dates, quarters, 'the latest', ..."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from graphs.local.question.period_asks import AskKind, PeriodAsk, put_together
from graphs.local.question.period_patterns import (
    ANNUAL_REPORT,
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
    YEAR_AGO,
    YEAR_RANGE,
    YEARS,
    YEARS_AGO,
)
from tools.documents.text.dates import find_dates, month_number
from tools.period_words import ALL_ORDINALS
from tools.value_patterns import NUMBER_WORDS

_ONE_BY_ONE = re.compile(r"\b(?:which|each|every(?:\s+one)?)\s+of\s+$", re.IGNORECASE)
MAX_YEARS = 15
"""From the first year of a range to its last."""
REPORTED_MONTHS = (3, 6, 9, 12)
"""Lengths of what reports are on."""


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
    for ask in (*_year_range_asks(text), *_date_asks(text)):
        if free(ask.start, ask.end):
            add(ask)
    for pattern, build in _BUILDERS:
        for match in pattern.finditer(text):
            if match.group().strip() and free(*match.span()):
                ask_or_none = build(match)
                if ask_or_none is not None:
                    add(ask_or_none)
    if not asks:
        asks += _annual_report(text)
    return put_together(text, asks)


def _annual_report(text: str) -> list[PeriodAsk]:
    """The year of 'its 2022 annual report' where no other period is named, of which it only says where it is told."""
    match = ANNUAL_REPORT.search(text)
    return [replace(_ask("year", match, year=int(match["year"])), report=True)] if match else []


def _year_range_asks(text: str) -> Iterator[PeriodAsk]:
    """The first and the last year of ranges that a dash makes."""
    for match in YEAR_RANGE.finditer(text):
        first, last = (
            _full_year(match[name]) or 0 for name in ("year" if match["year"] else "plain", "last")
        )
        last += first // 100 * 100 - 2000 if len(match["last"]) == 2 else 0
        if 0 < last - first <= MAX_YEARS and _year(match):
            for name, year in (("from", first), ("to", last)):
                start, end = match.span(name)
                basis = _basis(match["basis"])
                yield PeriodAsk("year", match[name], start, end, year=year, basis=basis)


_END_OF = re.compile(r"\bend\s+(?:of\s+)?$", re.IGNORECASE)


def _date_asks(text: str) -> list[PeriodAsk]:
    asks = []
    mentions = find_dates(text)
    bare = sum(mention.day is not None and mention.year is None for mention in mentions)
    for mention in mentions:
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
                may_be_year=bare > 1 or _END_OF.search(before) is not None,
                strict=role and not NOT_A_PERIOD.search(before),
            )
        )
    return asks


def _quarter(match: re.Match[str]) -> PeriodAsk:
    parts = match.groupdict()
    word = parts["q"] or parts["q2"] or ALL_ORDINALS[parts["q3"].lower()]
    year = (
        parts["year"] or parts["plain"] or parts["short"] or parts["bare"] or parts["lead"] or parts["glued"]
    )
    basis = parts["basis"] or parts["lead_basis"] or parts["q_basis"] or parts["q_basis2"]
    ask = _ask("quarter", match, quarter=int(word), year=_full_year(year), basis=_basis(basis), months=3)
    before, after = match.string[: match.start()], match.string[match.end() :]
    return replace(ask, report=bool(REPORT_AFTER.match(after) or REPORT_BEFORE.search(before)))


def _part(match: re.Match[str]) -> PeriodAsk | None:
    """None for the last quarters of no year, and for those of a year that are asked for one by one."""
    parts = match.groupdict()
    span = parts["span"] or parts["nm"]
    if parts["quarters"]:
        quarter = NUMBER_WORDS.get(parts["quarters"].lower()) or int(parts["quarters"])
        months = 3 * quarter
        quarter = 4 if parts["closing"] else quarter
    elif span:
        months = NUMBER_WORDS.get(span.lower()) or int(span)
        quarter = months // 3
    else:
        half = parts["half"] or parts["h"] or parts["h2"]
        quarter = 2 * ALL_ORDINALS.get(half.lower(), int(half) if half.isdigit() else 1)
        months = 6
    year = parts["year"] or parts["plain"] or parts["short"] or parts["bare"] or parts["glued"]
    if parts["closing"] and (not year or _ONE_BY_ONE.search(match.string[: match.start()])):
        return None
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
    year = _full_year(match["year"] or match["short"])
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
    year = _full_year(match["year"] or match["plain"] or match["short"])
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
