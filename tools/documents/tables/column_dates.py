"""Dates and durations in table headers, captions and row labels.

Headers run dates together ('June 30, 2022June 30, 2021') and part them from their years: forms with slashes, without
a comma or with the month alone, which `text.dates` reads, would find false dates there.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date

from tools.documents.text.dates import month_number
from tools.period_words import ALL_ORDINALS, MONTHS_OF_WEEKS
from tools.value_patterns import MONTH
from tools.values import whole_number

_MONTH = rf"(?P<month>{MONTH})\.?"
_YEAR = r"(?P<year>(?:19|20)\d{2})"
_FULL = re.compile(rf"(?<![a-z]){_MONTH}\s*(?P<day>\d{{1,2}})\s*,\s*{_YEAR}(?!\d)", re.IGNORECASE)
_DAY_FIRST = re.compile(rf"(?<!\d)(?P<day>\d{{1,2}})\s+{_MONTH},?\s+{_YEAR}(?!\d)", re.IGNORECASE)
_ISO = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d{2})-(?P<month>\d{2})-(?P<day>\d{2})(?!\d)")
_SLASHED = re.compile(r"(?<![\d/])(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>(?:19|20)?\d{2})(?![\d/])")
_MONTH_DAY = re.compile(rf"(?<![a-z]){_MONTH}\s*(?P<day>\d{{1,2}})(?!\d)\s*,?", re.IGNORECASE)
_BARE_YEAR = re.compile(rf"(?<![\d.,$/-]){_YEAR}(?![\d,.%/-]\d|\d)")
_COUNT = r"(?:(?:twenty|thirty|forty|fifty)(?:-\w+)?|[a-z]{3,9}|\d{1,2})"
_DURATION = re.compile(
    rf"\b(?:(?:trailing|last|past)\s+)?(?P<count>{_COUNT})[\s-]+(?P<unit>months?|weeks?|quarters?)(?:\s+periods?)?"
    r"[\s,]+end(?:ed|ing)\b",
    re.IGNORECASE,
)
_PAIRED = re.compile(
    rf"\b(?P<first>{_COUNT})(?:[\s-]+months?)?-?,?\s+(?:and"
    rf"|or)\s+{_COUNT}[\s-]+months?(?:\s+periods?)?\s+end",
    re.IGNORECASE,
)
_FIRST_MONTHS = re.compile(rf"\bfirst (?P<count>{_COUNT}) months\b", re.IGNORECASE)
_PERIOD_WORD = re.compile(
    r"\b(?:fiscal\s+)?(?P<word>quarters?|years?)(?:\s+periods?)?[\s,]+end(?:ed|ing)\b", re.IGNORECASE
)
_EITHER = re.compile(
    r"\bas\s+(?:of|at)\s*(?:/|,?\s*(?:and|or|and/or)\b)(?:\s*for\b)?(?:\s+the\b)?", re.IGNORECASE
)
_AS_OF = re.compile(r"\bas\s+(?:of|at)\b|^at\s", re.IGNORECASE)
_FISCAL = re.compile(
    r"\b(?:(?P<ytd>YTD)|Q(?P<quarter>[1-4])|(?P<ahead>[1-4])Q|(?P<half>H[12])|FY)\s*(?:FY\s*)?"
    r"['’]?(?P<year>(?:20)?\d{2})\b"
)
_SPELLED = re.compile(
    rf"\b(?P<ordinal>{'|'.join(ALL_ORDINALS)})[\s-]+quarter(?:\s+of)?(?:\s+fiscal)?(?:\s+year)?,?\s+(?P<year>20\d{{2}})\b",
    re.IGNORECASE,
)

QUARTERS = 4
LEAP_YEAR = 2000
MAX_TRAILING = 24
"""Months that a number of quarters may cover."""


@dataclass(frozen=True, slots=True)
class PeriodText:
    """What a header text says about its period; fields are None where it says nothing or is ambiguous."""

    end: date | None = None
    months: int | None = None
    """0 for 'as of'."""
    fiscal_year: int | None = None
    fiscal_quarter: int | None = None
    year_to_date: bool = False
    dates: tuple[date, ...] = ()
    """Every full date, in reading order, without repeats."""
    either: bool = False
    """True of a head for balances and flows alike: 'As of or for the three months ended'."""
    rest: str = ""
    """The text without its period words."""

    @property
    def says_something(self) -> bool:
        """True if any period word or date was read."""
        return (
            self.end is not None
            or self.months is not None
            or self.fiscal_year is not None
            or bool(self.dates)
        )


def _make_date(match: re.Match[str], year: int | None = None) -> date | None:
    name = match["month"].lower()
    month = int(name) if name.isdigit() else month_number(name) or 0
    day = int(match["day"])
    number = year if year is not None else int(match["year"])
    number += 2000 if number < 100 else 0
    if not 1 <= month <= 12 or not 1 <= day <= monthrange(number, month)[1]:
        return None
    return date(number, month, day)


def find_full_dates(text: str) -> list[tuple[date, int, int]]:
    """Full dates with their character spans, in reading order."""
    found: list[tuple[date, int, int]] = []
    for pattern in (_FULL, _DAY_FIRST, _ISO, _SLASHED):
        for match in pattern.finditer(text):
            day = _make_date(match)
            if day is not None and not any(s < match.end() and match.start() < e for _, s, e in found):
                found.append((day, match.start(), match.end()))
    return sorted(found, key=lambda item: item[1])


def find_durations(text: str) -> list[tuple[int, int, int]]:
    """Durations ('Three Months Ended', '39 weeks ended', 'Quarter Ended') as (months, start, end)."""
    found: list[tuple[int, int, int]] = []
    for match in _DURATION.finditer(text):
        count, unit = whole_number(match["count"]), match["unit"][0].lower()
        months = {"m": count, "q": 3 * count}.get(unit, MONTHS_OF_WEEKS.get(count, 0))
        if 0 < months <= (MAX_TRAILING if unit == "q" else 12):
            found.append((months, match.start(), match.end()))
    for match in _PAIRED.finditer(text):
        if whole_number(match["first"]):
            found.append((whole_number(match["first"]), match.start(), match.end("first")))
    for match in _FIRST_MONTHS.finditer(text):
        if whole_number(match["count"]):
            found.append((whole_number(match["count"]), match.start(), match.end()))
    for match in _PERIOD_WORD.finditer(text):
        if not any(s <= match.start() < e for _, s, e in found):
            found.append((3 if match["word"].lower().startswith("q") else 12, match.start(), match.end()))
    return sorted(found, key=lambda item: item[1])


def is_year(text: str) -> bool:
    """True for a bare calendar year such as '2023'."""
    return re.fullmatch(r"(?:19|20)\d{2}", text.strip()) is not None


def yearless_day(text: str) -> tuple[int, int] | None:
    """Month and day of a text that is nothing else: 'September 30'."""
    match = _MONTH_DAY.fullmatch(text.strip(" ,"))
    day = _make_date(match, LEAP_YEAR) if match else None
    return (day.month, day.day) if day else None


def day_in(text: str) -> tuple[int, int] | None:
    """Month and day of the one day that a text names, where it names no year: 'Balance at March 31'."""
    days = {
        (d.month, d.day) for m in _MONTH_DAY.finditer(text) if (d := _make_date(m, LEAP_YEAR)) is not None
    }
    dated = bool(find_full_dates(text)) or _BARE_YEAR.search(text) is not None
    return days.pop() if len(days) == 1 and not dated else None


def says_either(text: str) -> bool:
    """True if a text heads balances and flows alike: 'As of or for the period ended'."""
    return _EITHER.search(text) is not None


def has_period_words(text: str) -> bool:
    """True if a text holds a date, a month and day, a duration, a bare year or a fiscal label ('Q2 2023')."""
    return bool(
        find_full_dates(text)
        or find_durations(text)
        or _MONTH_DAY.search(text)
        or _FISCAL.search(text)
        or _BARE_YEAR.search(text)
    )


def _cut(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + " " + text[end:]
    return text


def read_period(text: str) -> PeriodText:
    """The period a column header states: 'Three Months Ended September 30, 2022', 'As of July 1, 2023',
    'Q2 2023'.

    Two different dates, two durations or two years make that part None: never a choice between them.
    """
    durations = find_durations(text)
    dates = find_full_dates(text)
    spans = [(s, e) for _, s, e in (*durations, *dates)]
    days = tuple(dict.fromkeys(d for d, _, _ in dates))
    left = _blank(text, spans)
    end: date | None
    if days:
        end = _only_day(days, left)
    else:
        end, used = _month_day_and_year(left)
        spans += used
    label = _FiscalLabel()
    if end is None and not days:
        label, used = _fiscal_label(left)
        spans += used
    months = {m for m, _, _ in durations}
    length = months.pop() if len(months) == 1 else None
    both = _EITHER.search(text) if durations else None
    as_of = [both.span()] if both else [(m.start(), m.end()) for m in _AS_OF.finditer(text)]
    if as_of and not durations and (end is not None or len(days) > 1):
        length = 0
    if end is not None or days:
        spans += as_of
    rest = " ".join(_cut(text, spans).split()).strip(" ,:;-—–")
    return PeriodText(
        end, length, label.year, label.quarter, label.year_to_date, days, both is not None, rest
    )


def _only_day(days: tuple[date, ...], rest: str) -> date | None:
    """The one day, unless the rest of the text names another year."""
    if len(days) > 1 or any(int(m["year"]) != days[0].year for m in _BARE_YEAR.finditer(rest)):
        return None
    return days[0]


@dataclass(frozen=True, slots=True)
class _FiscalLabel:
    """'Q2 2023', 'FY22', 'YTD 2023'."""

    year: int | None = None
    quarter: int | None = None
    year_to_date: bool = False


def _fiscal_label(text: str) -> tuple[_FiscalLabel, list[tuple[int, int]]]:
    """The first fiscal label and its span; not of a half year: no figure is filed under one. Of quarters spelled out
    only one alone."""
    spelled = list(_SPELLED.finditer(text))
    if len(spelled) == 1 and ALL_ORDINALS[spelled[0]["ordinal"].lower()] <= QUARTERS:
        label = spelled[0]
        return _FiscalLabel(int(label["year"]), ALL_ORDINALS[label["ordinal"].lower()]), [label.span()]
    found = _FISCAL.search(text)
    if found is None or found["half"]:
        return _FiscalLabel(), []
    year = int(found["year"]) if len(found["year"]) == 4 else 2000 + int(found["year"])
    named = found["quarter"] or found["ahead"]
    quarter = int(named) if named else None
    return _FiscalLabel(year, quarter, found["ytd"] is not None), [found.span()]


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _month_day_and_year(text: str) -> tuple[date | None, list[tuple[int, int]]]:
    """'September 30,' and '2022' apart from each other, as stacked header cells give them."""
    days = list(_MONTH_DAY.finditer(text))
    spans = [(m.start(), m.end()) for m in days]
    years = list(_BARE_YEAR.finditer(_blank(text, spans)))
    if len({m.group().lower().rstrip(" ,") for m in days}) != 1 or len({m.group() for m in years}) != 1:
        return None, []
    made = _make_date(days[0], int(years[0]["year"]))
    if made is None:
        return None, []
    return made, spans + [(m.start(), m.end()) for m in years]
