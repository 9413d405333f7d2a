"""When a company's fiscal years and quarters end, as one document shows it."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping
from datetime import date, timedelta

from tools.documents.types import YEARLY, Document
from tools.period_words import ALL_ORDINALS
from tools.periods import DAYS_A_QUARTER, Period

DAYS_A_MONTH = 30.4
YEAR_END = 4
"""The quarter whose last day is the year's."""
MIN_YEARS = 2
"""Whose last days must be known to tell the rule that they follow."""
MAX_SPILL = 3
"""Days by which the weekday nearest to a month's end may follow it."""
QUARTER_WEEKS = (12, 13)
FiscalEnds = Mapping[tuple[int, int], date]
"""(fiscal year, quarter) -> last day, as the document's own dated columns show it."""

_YEAR = re.compile(
    r"(?:(?:in|for|the|fiscal|calendar|year|years|FY)\s+)*'?((?:19|20)\d{2})(?:\s+quarters?)?", re.IGNORECASE
)
MARK = re.compile(r"\((?:[a-z]|\d{1,2})\)", re.IGNORECASE)
"""A footnote's."""
_QUARTER = re.compile(rf"({'|'.join(ALL_ORDINALS)}|Q[1-4])(?:[\s-]+(?:fiscal\s+)?quarter)?", re.IGNORECASE)


QUARTER = timedelta(weeks=13)


def _is_month_end(day: date) -> bool:
    return day.day == monthrange(day.year, day.month)[1]


def bare_year(text: str) -> int | None:
    """The year where a text names nothing else: '2022', 'Fiscal 2022', 'FY 2022'; else None."""
    match = _YEAR.fullmatch(MARK.sub("", text).strip(" :,*()"))
    return int(match[1]) if match else None


def bare_quarter(text: str) -> int | None:
    """1 to 4 where a text names nothing but a quarter: 'Third Quarter', 'Q3', 'Third'; else None."""
    match = _QUARTER.fullmatch(MARK.sub("", text).strip(" :,*()"))
    if match is None:
        return None
    word = match[1].lower()
    return int(word[1]) if word.startswith("q") else ALL_ORDINALS[word]


class FiscalCalendar:
    """Counts fiscal periods from the document's own; a last day is stated only where the document dates it or where
    years end with a month.
    """

    def __init__(
        self, document: Document, ends: FiscalEnds | None = None, heads_lengths: bool = True
    ) -> None:
        """`ends`: last days that the document's columns date."""
        self.heads_lengths = heads_lengths
        """True where the document's flows are headed by their length ('Years Ended')."""
        self.period_end = document.period_end
        self.is_annual = document.doc_type in YEARLY
        """True where years without more words are fiscal years."""
        quarter = document.fiscal_quarter or (4 if self.is_annual else None)
        known = document.fiscal_year is not None and quarter is not None and document.period_end is not None
        self._base = (document.fiscal_year or 0, quarter or 0) if known else None
        self._ends = dict(ends or {})
        if self._base is not None and document.period_end is not None:
            self._ends[self._base] = document.period_end
        self.own_quarter = document.fiscal_quarter
        self.is_first_quarter = (
            document.doc_type == "10-Q"
            and document.fiscal_quarter == 1
            and document.period_end is not None
            and document.fiscal_year == document.period_end.year
        )
        """True in a report on the first quarter of a year that is called as its days are."""
        self._by_months = self._ends_with_months()
        """True where fiscal years end with a month, not with a week."""

    def fiscal_of(self, end: date | None) -> tuple[int | None, int | None]:
        """Fiscal year and quarter in which `end` falls; None where the document does not know."""
        if end is None or self._base is None or self.period_end is None:
            return None, None
        year, quarter = self._base
        total = year * 4 + (quarter - 1) + round((end - self.period_end).days / DAYS_A_QUARTER)
        return total // 4, total % 4 + 1

    def may_end(self, day: date) -> bool:
        """True if a fiscal quarter may end on a day: on a month's last, or on the weekday of the document's own end."""
        return _is_month_end(day) or self.period_end is None or day.weekday() == self.period_end.weekday()

    def _ends_with_months(self) -> bool:
        """False where the document's own last day is not a month's, or another year's is the same weekday and not a
        month's: years of 52 or 53 weeks may end with a month by chance."""
        own = self.period_end
        if own is None or not _is_month_end(own):
            return False
        years = (end for (_, quarter), end in self._ends.items() if quarter == (self._base or (0, 4))[1])
        return all(_is_month_end(end) or end.weekday() != own.weekday() for end in years)

    def period(self, end: date | None, months: int | None) -> Period:
        """A period with the fiscal quarter of its own end date; all None without an end."""
        if end is None:
            return Period()
        year, quarter = self.fiscal_of(end)
        return Period(end, months, year, quarter)

    def year(self, year: int) -> Period:
        """A fiscal year by its number, of open length: balances at its end or flows within it."""
        return Period(self._end(year, 4), None, year, None)

    def quarter(self, year: int, quarter: int, months: int = 3) -> Period:
        """A fiscal quarter, or what has passed of the year by its end."""
        return Period(self._end(year, quarter), months, year, quarter)

    def is_future(self, year: int) -> bool:
        """True for a fiscal year after the document's own: what falls due in it is known today."""
        return self._base is not None and year > self._base[0]

    def is_year_end(self, end: date | None) -> bool:
        """True for the last day of a fiscal year."""
        return end is not None and self.fiscal_of(end)[1] == 4

    def _end(self, year: int, quarter: int) -> date | None:
        found = self._ends.get((year, quarter))
        if found is not None or self._base is None or self.period_end is None:
            return found
        if not self._by_months:
            return self._year_end(year) if quarter == YEAR_END else self._weeks_end(year, quarter)
        base_year, base_quarter = self._base
        quarters = (year - base_year) * 4 + quarter - base_quarter
        months = self.period_end.year * 12 + self.period_end.month - 1 + 3 * quarters
        return date(months // 12, months % 12 + 1, monthrange(months // 12, months % 12 + 1)[1])

    def _year_end(self, year: int) -> date | None:
        """The last day of a year of 52 or 53 weeks by the rules that the known ones may follow, where these agree: a
        month's last such weekday, or the one nearest to its end."""
        known = [(12 * y, end) for (y, quarter), end in self._ends.items() if quarter == YEAR_END]
        weekdays = {end.weekday() for _, end in known}
        if len(known) < MIN_YEARS or len(weekdays) > 1:
            return None
        weekday = weekdays.pop()
        found = set()
        for spill in (0, MAX_SPILL):
            days = [(number, end - timedelta(days=spill)) for number, end in known]
            offsets = {12 * day.year + day.month - 1 - number for number, day in days}
            offset = offsets.pop()
            if not offsets and all(
                _week_end(number + offset, weekday, spill) == end for number, end in known
            ):
                found.add(_week_end(12 * year + offset, weekday, spill))
        return found.pop() if len(found) == 1 else None

    def _weeks_end(self, year: int, quarter: int) -> date | None:
        """The last day of a quarter of a year of 52 weeks, or before a quarter whose own is known where those up to it
        have equally many: in which quarter the 53rd week of a longer year falls nobody says."""
        later = min((q for y, q in self._ends if y == year and quarter < q < YEAR_END), default=None)
        opening, closing = (self._ends.get((y, YEAR_END)) or self._year_end(y) for y in (year - 1, year))
        if opening and closing and closing - opening == YEAR_END * QUARTER:
            return opening + quarter * QUARTER
        if later is None or opening is None:
            return None
        weeks, odd = divmod((self._ends[year, later] - opening).days, 7 * later)
        return None if odd or weeks not in QUARTER_WEEKS else opening + timedelta(weeks=weeks * quarter)


def _week_end(month: int, weekday: int, spill: int) -> date:
    """The last day of a weekday in a month, counted from the year 0, or up to `spill` days after it."""
    last = date(month // 12, month % 12 + 1, monthrange(month // 12, month % 12 + 1)[1]) + timedelta(
        days=spill
    )
    return last - timedelta(days=(last.weekday() - weekday) % 7)
