"""Period phrases of a question, resolved against the periods that the index holds for a company."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from graphs.local.period_phrases import PeriodAsk
from tools.documents.catalog import Catalog
from tools.periods import Period, PeriodFilter

_YEAR_DAYS, _QUARTER_DAYS = 364, 91
_SLACK = 11
"""Days by which 52/53-week fiscal calendars stray from whole years and quarters."""
_LABEL_SLACK = 9
"""Days by which a quarter named by a month may end before or after that month's last day."""
_COMPARES = re.compile(
    r"\b(?:compar\w+|versus|vs\.?|than|against|relative\s+to|from|chang\w+|gr[eo]w\w*|increas\w+|decreas\w+|declin\w+|"
    r"r[io]se\w*|rising|f[ea]ll\w*|dropp?\w*|up|down|higher|lower|differ\w*|better|worse|improv\w+|shr[aiu]nk\w*)\b",
    re.IGNORECASE,
)
_ALWAYS_COMPARES = re.compile(
    r"year[\s-](?:over|on|to)|yoy|y/y|y-o-y|sequential|quarter[\s-]o|qoq|q/q", re.IGNORECASE
)
_CHANGES = re.compile(
    r"\b(?:chang\w+|gr[eo]w\w*|increas\w+|decreas\w+|declin\w+|r[io]se\w*|f[ea]ll\w*|dropp?\w*|improv\w+|shr[aiu]nk)\b",
    re.IGNORECASE,
)
_PROSE = re.compile(
    r"\b(?:why|reasons?|explain\w*|drives?|drove|driv\w+|caus\w+|behind|describ\w+|summar\w+|discuss\w*|outlook)\b",
    re.IGNORECASE,
)
_BASE_FOLLOWS = re.compile(
    r"^[\s,]*(?:(?:to|of|than|before|the|quarter|period|\w+\s+months|ended|ending|in|for)\s+)*$", re.I
)


@dataclass(frozen=True, slots=True)
class Resolved:
    """What the period phrases of a question mean."""

    by_company: tuple[tuple[str, tuple[PeriodFilter, ...]], ...] = ()
    compared: tuple[PeriodFilter, ...] = ()
    """Year-ago periods of a question about a change that names one period only; not part of the filters."""
    unknown: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def filters(self) -> tuple[PeriodFilter, ...]:
        """The union over companies, in order of first appearance."""
        return tuple(dict.fromkeys(each for _, filters in self.by_company for each in filters))


class CompanyPeriods:
    """The periods of one company, searched by date, label or distance."""

    def __init__(self, catalog: Catalog, company: str) -> None:
        self.name = catalog.name(company)
        self.documents = catalog.document_periods(company)
        self.facts = catalog.fact_periods(company)
        self.ends = catalog.ends(company)
        self.document_ends = tuple(p.end for p in self.documents if p.end is not None)
        self.latest = catalog.latest(company)

    def resolve(self, ask: PeriodAsk, bases: Sequence[PeriodFilter]) -> list[PeriodFilter]:
        """Filters that `ask` means for this company; empty if it has no such period.

        `bases` are what a relative phrase counts from; without one it counts from the latest period.
        """
        found = self._absolute(ask)
        if found is None:
            origins = list(bases) or [self.as_filter(self.latest)] if self.latest else list(bases)
            found = [each for origin in origins for each in self._relative(ask, origin)]
        if ask.months in (6, 9, 12):
            found = [replace(each, months=ask.months) for each in found]
        return list(dict.fromkeys(found))

    def _absolute(self, ask: PeriodAsk) -> list[PeriodFilter] | None:
        match ask.kind:
            case "date":
                return self._on_day(ask)
            case "month":
                return self._in_month(ask)
            case "quarter":
                return self._labelled(ask)
            case "year":
                return self._in_year(ask)
            case "latest":
                dated = [p for p in self.documents if p.end or p.fiscal_year]
                return [self.as_filter(p) for p in dated[-ask.count :]]
            case _:
                return None

    def _relative(self, ask: PeriodAsk, origin: PeriodFilter) -> list[PeriodFilter]:
        if ask.kind in ("this_year", "last_year"):
            return self._relative_year(ask)
        days = _YEAR_DAYS if ask.kind == "year_ago" else _QUARTER_DAYS
        if origin.end is not None:
            for ends in (self.document_ends, self.ends):
                near = [end for end in ends if abs((origin.end - end).days - days) <= _SLACK]
                if near:
                    best = min(near, key=lambda end: abs((origin.end - end).days - days))  # type: ignore[operator]
                    return [PeriodFilter(end=best, months=origin.months)]
            return []
        year, quarter = origin.fiscal_year, origin.fiscal_quarter
        if year is None:
            return []
        if ask.kind == "year_ago" or quarter is None:
            year -= 1
        else:
            year, quarter = (year, quarter - 1) if quarter > 1 else (year - 1, 4)
        wanted = PeriodFilter(fiscal_year=year, fiscal_quarter=quarter)
        return [wanted] if any(map(wanted.admits, (*self.documents, *self.facts))) else []

    def _relative_year(self, ask: PeriodAsk) -> list[PeriodFilter]:
        latest = self.latest
        if latest is None:
            return []
        if ask.kind == "this_year" and re.search(r"to[\s-]date|ytd", ask.text, re.IGNORECASE):
            months = 3 * latest.fiscal_quarter if latest.fiscal_quarter else None
            return [replace(self.as_filter(latest), months=months)]
        year = latest.fiscal_year or (latest.end.year if latest.end else None)
        if year is None:
            return []
        return self._in_year(replace(ask, year=year - (ask.kind == "last_year")))

    def _on_day(self, ask: PeriodAsk) -> list[PeriodFilter]:
        if ask.day is None:
            days = [end for end in self.ends if (end.month, end.day) == (ask.month, ask.day_of_month)]
            return [PeriodFilter(end=days[-1])] if days else []
        if ask.day in self.ends:
            return [PeriodFilter(end=ask.day)]
        return self._undated(ask.day.year, ask.day.month) if _is_quarter_end(ask.day) else []

    def _in_month(self, ask: PeriodAsk) -> list[PeriodFilter]:
        for ends in (self.document_ends, self.ends):
            near = [end for end in ends if _near_month(end, ask.month or 0, ask.year)]
            if near:
                chosen = near if ask.year is None and ask.text.lower().endswith("s") else near[-1:]
                return [PeriodFilter(end=end) for end in chosen]
        return self._undated(ask.year, ask.month or 0) if ask.year and (ask.month or 0) % 3 == 0 else []

    def _undated(self, year: int, month: int) -> list[PeriodFilter]:
        """A document that states no date answers for a calendar quarter's end by its label."""
        label = (year, (month - 1) // 3 + 1)
        if any(p.end is None and (p.fiscal_year, p.fiscal_quarter) == label for p in self.documents):
            return [PeriodFilter(fiscal_year=label[0], fiscal_quarter=label[1])]
        return []

    def _labelled(self, ask: PeriodAsk) -> list[PeriodFilter]:
        """A label is the company's fiscal one where a document or fact has it, else a calendar quarter."""

        def fiscal(period: Period) -> bool:
            return period.fiscal_quarter == ask.quarter and ask.year in (None, period.fiscal_year)

        def by_calendar(period: Period) -> bool:
            end = _nominal(period.end) if period.end else None
            return end is not None and (end.month + 2) // 3 == ask.quarter and ask.year in (None, end.year)

        tests: list[Callable[[Period], bool]] = []
        if ask.basis != "calendar":
            tests.append(fiscal)
        if ask.basis != "fiscal":
            tests.append(by_calendar)
        for test in tests:
            documents = [p for p in self.documents if test(p)]
            if documents:
                newest = documents if ask.year is not None else documents[-1:]
                return [self.as_filter(period) for period in newest]
            facts = [p for p in self.facts if test(p) and p.end is not None]
            flows = [p for p in facts if p.months in (3, 6, 9)] or facts
            if flows:
                return [PeriodFilter(end=max(p.end for p in flows if p.end is not None))]
        return []

    def _in_year(self, ask: PeriodAsk) -> list[PeriodFilter]:
        wanted = []
        if ask.basis != "calendar":
            wanted.append(PeriodFilter(fiscal_year=ask.year))
        if ask.basis != "fiscal":
            wanted.append(PeriodFilter(calendar_year=ask.year))
        known = (*self.documents, *self.facts)
        return [each for each in wanted if any(map(each.admits, known))]

    @staticmethod
    def as_filter(period: Period) -> PeriodFilter:
        """The filter that means exactly this document period."""
        if period.end is not None:
            return PeriodFilter(end=period.end)
        return PeriodFilter(fiscal_year=period.fiscal_year, fiscal_quarter=period.fiscal_quarter)

    def nearest(self, ask: PeriodAsk) -> list[str]:
        """Up to two periods that exist, nearest to what was asked, in words."""
        target = ask.day or date(min(max(ask.year or 2000, 1), 9999), ask.month or 3 * (ask.quarter or 4), 28)
        dated = sorted(
            (p for p in self.documents if p.end), key=lambda p: abs((target - (p.end or target)).days)
        )
        words = [f"quarter ended {_day(p.end)}" for p in dated if p.end] or [
            p.describe() for p in self.documents if p.fiscal_year
        ]
        return [f"{self.name}: {each}" for each in dict.fromkeys(words)][:2]


def resolve_periods(
    question: str, asks: Sequence[PeriodAsk], catalog: Catalog, companies: Sequence[str], *, named: bool
) -> Resolved:
    """`asks` resolved for each of `companies`.

    A phrase is unknown only if none of them has the period; `named` says that the question names them,
    so that one of several lacking a period is worth a note.
    """
    asks = _relative_years(list(asks))
    views = {company: CompanyPeriods(catalog, company) for company in companies}
    relative = [ask for ask in asks if ask.kind in ("previous", "year_ago", "last_year")]
    absolute = [ask for ask in asks if ask not in relative]
    compares = bool(_COMPARES.search(question)) or any(_ALWAYS_COMPARES.search(ask.text) for ask in relative)
    only_relative = bool(relative) and (not compares or _counts_from(question, relative[0], absolute))
    by_company: dict[str, list[PeriodFilter]] = {}
    hits: dict[PeriodAsk, list[str]] = {ask: [] for ask in asks}
    notes: list[str] = []
    for company, view in views.items():
        bases: list[PeriodFilter] = []
        previous: list[PeriodFilter] = []
        for ask in absolute:
            found = view.resolve(ask, ())
            hits[ask] += [company] * bool(found)
            notes += _label_note(ask, found, view, named)
            bases += _between(view, previous, found) if ask.until else found
            previous = found
        if relative and compares and not absolute and view.latest is not None:
            bases = [view.as_filter(view.latest)]
        moved: list[PeriodFilter] = []
        for ask in relative:
            found = view.resolve(ask if bases else replace(ask), bases)
            hits[ask] += [company] * bool(found)
            moved += found
        chosen = moved if only_relative else [*bases, *moved]
        if chosen:
            by_company[company] = list(dict.fromkeys(chosen))
    missing = [ask for ask in asks if not hits[ask] and ask.strict]
    if named and len(companies) > 1:
        notes += [
            f"{views[company].name} has no period {ask.text}"
            for ask in asks
            if ask.strict and hits[ask]
            for company in companies
            if company not in hits[ask]
        ]
    options = [option for ask in missing for view in list(views.values())[:3] for option in view.nearest(ask)]
    resolved = Resolved(
        by_company=tuple((company, tuple(filters)) for company, filters in by_company.items()),
        unknown=tuple(dict.fromkeys(ask.text for ask in missing)),
        options=tuple(dict.fromkeys(options)) if named else (),
        notes=tuple(dict.fromkeys(notes)),
    )
    return _with_change(question, resolved, views, has_relative=bool(relative))


def _with_change(
    question: str, resolved: Resolved, views: dict[str, CompanyPeriods], *, has_relative: bool
) -> Resolved:
    """A change over one named period is measured against the year before, unless something else is named."""
    single = all(len(filters) == 1 and filters[0].end for _, filters in resolved.by_company)
    if has_relative or not resolved.by_company or not single or not _CHANGES.search(question):
        return resolved
    ask = PeriodAsk("year_ago", "a year before", 0, 0)
    earlier = {company: views[company].resolve(ask, filters) for company, filters in resolved.by_company}
    compared = tuple(dict.fromkeys(each for filters in earlier.values() for each in filters))
    if _PROSE.search(question):
        # Last year's documents explain last year's change: they stay out of what is read for reasons.
        return replace(resolved, compared=compared)
    widened = tuple((company, (*filters, *earlier[company])) for company, filters in resolved.by_company)
    return replace(resolved, by_company=widened, compared=compared)


def _relative_years(asks: list[PeriodAsk]) -> list[PeriodAsk]:
    """'last year's third quarter' and 'Q3 last year' count back from the latest quarter of that label."""
    quarters = [ask for ask in asks if ask.kind == "quarter" and ask.year is None]
    last = [ask for ask in asks if ask.kind == "last_year"]
    if len(quarters) != 1 or len(last) != 1 or abs(quarters[0].start - last[0].end) > 12:
        return asks
    return [replace(ask, kind="year_ago") if ask is last[0] else ask for ask in asks]


def _counts_from(question: str, relative: PeriodAsk, absolute: Sequence[PeriodAsk]) -> bool:
    """'the quarter before Q3 2023': the named period is only where to count from."""
    return any(
        bool(_BASE_FOLLOWS.match(question[relative.end : ask.start]))
        for ask in absolute
        if ask.start >= relative.end and not _ALWAYS_COMPARES.search(relative.text)
    )


def _between(
    view: CompanyPeriods, first: Sequence[PeriodFilter], last: Sequence[PeriodFilter]
) -> list[PeriodFilter]:
    """The company's document periods after `first` up to and including `last`."""
    starts = [each.end for each in first if each.end]
    ends = [each.end for each in last if each.end]
    if not starts or not ends:
        return list(last)
    inside = [end for end in view.document_ends if min(starts) < end <= max(ends)]
    return [PeriodFilter(end=end) for end in inside] or list(last)


def _label_note(
    ask: PeriodAsk, found: Iterable[PeriodFilter], view: CompanyPeriods, named: bool
) -> list[str]:
    """Says how a label was read where fiscal and calendar quarters differ."""
    if ask.kind != "quarter" or ask.basis or ask.year is None or not named:
        return []
    ends = [each.end for each in found if each.end is not None]
    strange = [
        end for end in ends if (_nominal(end).year, (_nominal(end).month + 2) // 3) != (ask.year, ask.quarter)
    ]
    return [f"{ask.text} is read as {view.name}'s fiscal quarter ended {_day(end)}" for end in strange]


def _day(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"


def _nominal(day: date) -> date:
    """52/53-week years end some days before or after a month's end: July 1 belongs to June."""
    if day.day > _LABEL_SLACK:
        return day
    return date(day.year - (day.month == 1), 12 if day.month == 1 else day.month - 1, 28)


def _near_month(end: date, month: int, year: int | None) -> bool:
    nominal = _nominal(end)
    late = nominal.day >= calendar.monthrange(nominal.year, nominal.month)[1] - _LABEL_SLACK or nominal != end
    return late and nominal.month == month and year in (None, nominal.year)


def _is_quarter_end(day: date) -> bool:
    return day.month % 3 == 0 and day.day == calendar.monthrange(day.year, day.month)[1]
