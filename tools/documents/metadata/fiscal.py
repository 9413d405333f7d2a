"""A filer's fiscal calendar: which of its years and quarters a period is, and how it names its years."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta

from tools.documents.text.cleaning import squeeze
from tools.documents.text.printed_dates import DATE, first_date, read_dates, read_quarters
from tools.documents.types import YEARLY, DocType, Page
from tools.period_words import MONTH_COUNTS
from tools.periods import DAYS_A_QUARTER
from tools.values import whole_number

_BALANCE = re.compile(
    r"^.{0,60}(?:balance\s+sheets?|statements?\s+of\s+financial\s+(?:condition|position))\b", re.I
)
_FISCAL_YEAR_ENDED = re.compile(rf"(?:fiscal\s+)?year\s+ended\s+({DATE})", re.IGNORECASE)
_WEEK = r"(?:(?:twenty|thirty|forty|fifty)(?:-[a-z]+)?|[a-z]{6,9}|\d\d)"
_MONTH = "|".join([*MONTH_COUNTS, *map(str, MONTH_COUNTS.values())])
_MONTHS_ENDED = re.compile(
    rf"\b({_MONTH})(?:\s+(?:months\s+)?and\s+({_MONTH}))?\s+months\s+ended", re.IGNORECASE
)
_WEEKS_ENDED = re.compile(rf"\b({_WEEK})(?:\s+(?:weeks\s+)?and\s+({_WEEK}))?\s+weeks\s+ended", re.IGNORECASE)
_WEEKS_A_MONTH = 52.2 / 12
_MAX_INTERIM = 10
"""Months that a filing within the year covers at most: its twelve months are no year of its own."""
_LABEL_THEN_DATE = re.compile(
    rf"\bfiscal\s+(?:year\s+)?((?:19|20)\d\d)\b[^.;:]{{0,60}}?\bend(?:ed|ing|s)\s+(?:on\s+)?({DATE})",
    re.IGNORECASE,
)
_DATE_THEN_LABEL = re.compile(
    rf"({DATE})\s*,?\s*(?:\(|or\s|is\s|was\s|as\s)?\s*(?:the\s+)?[\"“]?\s*fiscal\s+(?:year\s+)?((?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_FISCAL_LABEL = re.compile(r"\b(?:fiscal\s+(?:year\s+)?|FY\s?)((?:19|20)\d\d|\d\d\b)", re.IGNORECASE)
_MIN_LABELS = 3
"""Mentions of a year's name from which it counts as the filer's own."""
_COMMON_SHARE = 0.4
"""Share of the commonest label's mentions that makes another label common, too: the year before is compared with."""
_SLACK = 10
"""Days by which years of 52 or 53 weeks end earlier or later than others."""


def fiscal_position(
    pages: Sequence[Page], end: date | None, doc_type: DocType, quarter: int | None = None
) -> tuple[int, int | None] | None:
    """Fiscal year and quarter of the period that ends at `end`; the year is named by the calendar year in which it
    ends, or otherwise where the filer's own words do.

    For an annual report the year ends at `end`. Else the last year's end, which the balance sheet shows beside
    the period's and the text names ('fiscal year ended September 24, 2022'), says how many quarters ago it
    was; where neither is found, the longest span to date that the statements show ('nine months ended'); else
    what the filing calls itself ('Q3 2023 Form 10-Q'). A `quarter` that is known is kept. None if nothing says.
    """
    if end is None:
        return _stated(pages)
    if doc_type in YEARLY:
        return year_name(pages, end), None
    if quarter is not None:
        return year_name(pages, end + timedelta(days=round((4 - quarter) * DAYS_A_QUARTER))), quarter
    last_year_end = _last_year_end(pages, end)
    if last_year_end is not None:
        quarter = round((end - last_year_end).days / DAYS_A_QUARTER)
        return year_name(pages, last_year_end + timedelta(days=365)), quarter
    quarter_by_span = _quarter_by_span(pages, 12.5 if doc_type == "release" else _MAX_INTERIM)
    if quarter_by_span is not None:
        year_end = end + timedelta(days=round((4 - quarter_by_span) * DAYS_A_QUARTER))
        return year_name(pages, year_end), quarter_by_span
    return _stated(pages)


def year_name(pages: Sequence[Page], year_end: date) -> int:
    """The number by which the filer calls the fiscal year that ends then.

    That is the calendar year of its last day, or the one before where the text says so ('fiscal 2022 ended January
    28, 2023') or, for a year that ends in a calendar year's first half, where it speaks of that year alone. Years of
    52 or 53 weeks that end in the first days of January belong to the year before.
    """
    default = (year_end - timedelta(days=7)).year
    said: Counter[bool] = Counter()
    spoken: Counter[int] = Counter()
    for page in pages:
        text = squeeze(page.text)
        pairs = [(label, day) for label, day in _LABEL_THEN_DATE.findall(text)]
        pairs += [(label, day) for day, label in _DATE_THEN_LABEL.findall(text)]
        for label, day in pairs:
            ended = first_date(day)
            if ended is not None and _same_day_of_year(ended, year_end):
                said[int(label) < (ended - timedelta(days=7)).year] += 1
        spoken.update(int(label) + 2000 * (len(label) == 2) for label in _FISCAL_LABEL.findall(text))
    if said:
        return default - (said[True] > said[False])
    common = [year for year, times in spoken.items() if times >= _COMMON_SHARE * max(spoken.values())]
    early = year_end.month <= 6 and default == year_end.year
    if early and common and max(common) == default - 1 and spoken[default - 1] >= _MIN_LABELS:
        return default - 1
    return default


def _same_day_of_year(one: date, other: date) -> bool:
    days = abs((one - other).days) % 365.25
    return min(days, 365.25 - days) <= _SLACK


def _last_year_end(pages: Sequence[Page], end: date) -> date | None:
    votes: Counter[date] = Counter()
    for page in pages:
        lines = page.text.split("\n")
        if any(_BALANCE.match(line) for line in lines[:15]):
            votes.update({day: 3 for _, day in read_dates(page.text[:1_500])})
        votes.update(d for m in _FISCAL_YEAR_ENDED.finditer(squeeze(page.text)) if (d := first_date(m[1])))
    possible = {day: n for day, n in votes.items() if 60 <= (end - day).days <= 305}
    return max(sorted(possible), key=lambda day: possible[day]) if possible else None


def _quarter_by_span(pages: Sequence[Page], most: float) -> int | None:
    """1 to 4 by the longest span to date of at most so many months: '36 weeks ended' is of a third quarter."""
    spans: list[float] = []
    for page in pages[:15]:
        text = squeeze(page.text)
        for found in _MONTHS_ENDED.findall(text):
            spans += [MONTH_COUNTS.get(each.lower()) or int(each) for each in found if each]
        for found in _WEEKS_ENDED.findall(text):
            spans += [whole_number(each) / _WEEKS_A_MONTH for each in found if each and whole_number(each)]
    longest = max((span for span in spans if 2 < span <= most), default=0)
    return round(longest / 3) or 1 if longest else None


def _stated(pages: Sequence[Page]) -> tuple[int, int | None] | None:
    labels = Counter(
        label for page in pages for line in page.text.split("\n") if re.search(r"form\s+10-[qk]", line, re.I)
        for label in read_quarters(line)
    )  # fmt: skip
    return max(sorted(labels), key=lambda label: labels[label]) if labels else None
