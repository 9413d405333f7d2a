"""Period phrases of a question, resolved against the periods that the index holds for a company."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graphs.local.question.company_periods import CompanyPeriods, day_in_words, nominal
from graphs.local.question.period_asks import PeriodAsk
from graphs.local.question.question_forms import WHY
from tools.documents.metadata.catalog import Catalog
from tools.documents.metadata.company_names import name_tokens
from tools.documents.text.ordinary_words import FUNCTION_WORDS
from tools.periods import PeriodFilter

_SPEAKS_OF_CHANGE = re.compile(
    r"\b(?:compar\w+|versus|vs\.?|than|against|relative\s+to|from|chang\w+|gr[eo]w\w*|increas\w+|decreas\w+|declin\w+|"
    r"r[io]se\w*|rising|f[ea]ll\w*|dropp?\w*|up|down|higher|lower|differ\w*|better|worse|improv\w+|shr[aiu]nk\w*)\b",
    re.IGNORECASE,
)
_SAME_AGAIN = re.compile(r"(?:the\s+)?same\s+(?:[\w-]+\s+)?(?:quarter|period|months)", re.IGNORECASE)
_ALWAYS_COMPARES = re.compile(
    r"year[\s-](?:over|on|to)|yoy|y/y|y-o-y|sequential|quarter[\s-]o|qoq|q/q", re.IGNORECASE
)
_CHANGES = re.compile(
    r"\b(?:chang\w+|gr[eo]w\w*|increas\w+|decreas\w+|declin\w+|r[io]se\w*|dropp?\w*|improv\w+|shr[aiu]nk|"
    r"f[ea]ll\w*\b(?!\s+(?:due\b|(?:in|within)\s+(?:fiscal\b|(?:19|20)\d\d))))\b",
    re.IGNORECASE,
)
_ASKS_REASONS = re.compile(rf"{WHY.pattern}|\b(?:describ\w+|summar\w+|discuss\w*|outlook)\b", re.IGNORECASE)
_BASE_FOLLOWS = re.compile(
    r"^[\s,]*(?:(?:to|of|than|before|the|quarter|period|\w+\s+months|ended|ending|in|for)\s+)*$", re.I
)

_DATES = re.compile(r"[\s,(]*(?:(?:in|on|ended|ending|the)\s+)*", re.IGNORECASE)
"""Between a relative phrase and the date that says which period it means."""
_AND = re.compile(r"\b(?:and|as\s+well\s+as|plus)\b(?P<rest>.*)$", re.IGNORECASE | re.DOTALL)
_SINCE = re.compile(r"\bsince\s+(?:the\s+)?$", re.IGNORECASE)


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


@dataclass(frozen=True, slots=True)
class _Asked:
    """The period phrases of a question, and how they go together."""

    question: str
    absolute: tuple[PeriodAsk, ...]
    """Phrases that name a period by themselves."""
    relative: tuple[PeriodAsk, ...]
    """Phrases that count from another period."""
    compares: bool
    """Relative periods stand beside the ones that they count from."""
    only_relative: bool
    """What they count from is not asked for itself."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What the phrases mean for one company."""

    filters: tuple[PeriodFilter, ...]
    met: frozenset[PeriodAsk]
    """Phrases for which the company has a period."""
    notes: tuple[str, ...]


def resolve_periods(
    question: str, asks: Sequence[PeriodAsk], catalog: Catalog, companies: Sequence[str], *, named: bool
) -> Resolved:
    """`asks` resolved for each of `companies`.

    A phrase is unknown only if none of them has the period; `named` says that the question names them,
    so that one of several lacking a period is worth a note.
    """
    asks = _without_dated(question, _relative_years(list(asks)))
    if any(ask.until for ask in asks):  # 'sequential growth from Q1 to Q2' names both
        asks = [ask for ask in asks if ask.kind != "previous"]
    views = {company: CompanyPeriods(catalog, company) for company in companies}
    asked = _taken_together(question, asks)
    found = {company: _for_company(view, asked, named=named) for company, view in views.items()}
    by_company = tuple((company, each.filters) for company, each in found.items() if each.filters)
    missing = _missing(asks, asked, found)
    notes = [note for each in found.values() for note in each.notes]
    resolved = Resolved(
        by_company=by_company,
        unknown=tuple(dict.fromkeys(ask.text for ask in missing)),
        options=_options(missing, views) if named else (),
        notes=tuple(dict.fromkeys([*notes, *(_gap_notes(asks, found, views) if named else ())])),
    )
    if any(ask.earlier for ask in asks) and _ASKS_REASONS.search(question):
        return _latest_alone(resolved, views)
    return _with_change(question, resolved, views, has_relative=bool(asked.relative))


def _missing(asks: Sequence[PeriodAsk], asked: _Asked, found: dict[str, _Found]) -> list[PeriodAsk]:
    """Phrases for which no company has a period. A comparison with a year ago that the index lacks does not count:
    the named period is left to answer from."""
    answerable = any(each.filters for each in found.values())
    optional = asked.relative if answerable and not asked.only_relative else ()
    met = frozenset(ask for each in found.values() for ask in each.met)
    return [ask for ask in asks if ask not in met and ask.strict and ask not in optional]


def _gap_notes(
    asks: Sequence[PeriodAsk], found: dict[str, _Found], views: dict[str, CompanyPeriods]
) -> list[str]:
    """Says which company lacks a period that another one has."""
    return [
        f"{views[company].name} has no period {ask.text}"
        for ask in asks
        if ask.strict and any(ask in each.met for each in found.values())
        for company, each in found.items()
        if ask not in each.met
    ]


def _options(missing: Sequence[PeriodAsk], views: dict[str, CompanyPeriods]) -> tuple[str, ...]:
    """Periods to ask for instead, of up to three companies."""
    options = [option for ask in missing for view in list(views.values())[:3] for option in view.nearest(ask)]
    return tuple(dict.fromkeys(options))


def _taken_together(question: str, asks: Sequence[PeriodAsk]) -> _Asked:
    relative = tuple(ask for ask in asks if ask.kind in ("previous", "year_ago", "last_year"))
    absolute = tuple(ask for ask in asks if ask not in relative)
    compares = (
        bool(_SPEAKS_OF_CHANGE.search(question))
        or any(_ALWAYS_COMPARES.search(ask.text) for ask in relative)
        or _is_listed(question, absolute, relative)
    )
    if absolute and not compares:  # 'in the same six months', of no other year, are those just named
        relative = tuple(ask for ask in relative if not _SAME_AGAIN.fullmatch(ask.text))
    only_relative = bool(relative) and (not compares or _counts_from(question, relative[0], absolute))
    return _Asked(question, absolute, relative, compares, only_relative)


def _for_company(view: CompanyPeriods, asked: _Asked, *, named: bool) -> _Found:
    bases, met, notes = _named_outright(view, asked, named=named)
    if asked.relative and asked.compares and not asked.absolute and view.latest is not None:
        bases = [view.as_filter(view.latest)]
    moved: list[PeriodFilter] = []
    for ask, origin in _origins(asked.question, asked.relative):
        found = view.resolve(ask, moved if origin else bases)
        met |= {ask} if found else set()
        if not origin:  # 'Q3 2023 against Q3 2022, year on year' names both
            found = [each for each in found if each in bases] or found
        moved = found if origin else [*moved, *found]
    chosen = moved if asked.only_relative else [*bases, *moved]
    return _Found(tuple(dict.fromkeys(chosen)), frozenset(met), tuple(notes))


def _named_outright(
    view: CompanyPeriods, asked: _Asked, *, named: bool
) -> tuple[list[PeriodFilter], set[PeriodAsk], list[str]]:
    """Periods of the absolute phrases, the phrases that the company has a period for, and how labels were read."""
    bases: list[PeriodFilter] = []
    met: set[PeriodAsk] = set()
    notes: list[str] = []
    previous: list[PeriodFilter] = []
    for ask in asked.absolute:
        found = view.resolve(ask, ())
        met |= {ask} if found else set()
        notes += _label_note(ask, found, view, named)
        bases += _between(view, previous, found) if ask.until else found
        if found and view.latest is not None and _SINCE.search(asked.question[: ask.start]):
            bases.append(view.as_filter(view.latest))
        previous = found
    return bases, met, notes


def _latest_alone(resolved: Resolved, views: dict[str, CompanyPeriods]) -> Resolved:
    """What the latest report says about a change since the ones before it: these are for figures, not for reasons."""
    newest = {company: view.as_filter(view.latest) for company, view in views.items() if view.latest}
    return replace(
        resolved,
        by_company=tuple(
            (company, (newest[company],) if newest.get(company) in filters else filters)
            for company, filters in resolved.by_company
        ),
        compared=tuple(each for each in resolved.filters if each not in newest.values()),
    )


def _with_change(
    question: str, resolved: Resolved, views: dict[str, CompanyPeriods], *, has_relative: bool
) -> Resolved:
    """A change over one named period is measured against the year before, unless something else is named."""
    single = all(_is_one(filters) for _, filters in resolved.by_company)
    if has_relative or not resolved.by_company or not single or not _CHANGES.search(question):
        return resolved
    ask = PeriodAsk("year_ago", "a year before", 0, 0)
    earlier = {company: views[company].resolve(ask, filters) for company, filters in resolved.by_company}
    compared = tuple(dict.fromkeys(each for filters in earlier.values() for each in filters))
    if _ASKS_REASONS.search(question):
        # Last year's documents explain last year's change: they stay out of what is read for reasons.
        return replace(resolved, compared=compared)
    widened = tuple((company, (*filters, *earlier[company])) for company, filters in resolved.by_company)
    return replace(resolved, by_company=widened, compared=compared)


def _is_one(filters: Sequence[PeriodFilter]) -> bool:
    """Whether they mean one day, or one year by whatever calendar."""
    days = [each for each in filters if each.end]
    years = {each.fiscal_year or each.calendar_year for each in filters}
    quarters = any(each.fiscal_quarter or each.calendar_quarter for each in filters)
    return len(days) == 1 if days else len(years) == 1 and None not in years and not quarters


def _without_dated(question: str, asks: list[PeriodAsk]) -> list[PeriodAsk]:
    """Without relative phrases that the next one dates, where another period is named before them: 'on July 1, 2023
    than at the end of its previous year in September 2022'."""

    def is_dated(at: int, ask: PeriodAsk) -> bool:
        before, behind = [each for each in asks[:at] if each.year], asks[at + 1 : at + 2]
        relative = ask.kind in ("previous", "year_ago", "last_year") and bool(before)
        between = question[ask.end : behind[0].start] if behind else ""
        return relative and bool(behind) and bool(behind[0].year) and _DATES.fullmatch(between) is not None

    return [ask for at, ask in enumerate(asks) if not is_dated(at, ask)]


def _relative_years(asks: list[PeriodAsk]) -> list[PeriodAsk]:
    """'last year's third quarter' and 'Q3 last year' count back from the latest quarter of that label."""
    quarters = [ask for ask in asks if ask.kind == "quarter" and ask.year is None]
    last = [ask for ask in asks if ask.kind == "last_year"]
    if len(quarters) != 1 or len(last) != 1 or abs(quarters[0].start - last[0].end) > 12:
        return asks
    return [replace(ask, kind="year_ago") if ask is last[0] else ask for ask in asks]


def _is_listed(question: str, absolute: Sequence[PeriodAsk], relative: Sequence[PeriodAsk]) -> bool:
    """'in Q3 2023 and in the same quarter a year earlier' asks for both, and so does 'in 2023, and how much a year
    before': nothing but grammar stands between."""
    joints = [
        _AND.search(question[one.end : other.start])
        for one in absolute
        for other in relative
        if one.end <= other.start
    ]
    return any(
        all(token.word in FUNCTION_WORDS for token in name_tokens(joint["rest"])) for joint in joints if joint
    )


def _counts_from(question: str, relative: PeriodAsk, absolute: Sequence[PeriodAsk]) -> bool:
    """'the quarter before Q3 2023': the named period is only where to count from."""
    return any(
        bool(_BASE_FOLLOWS.match(question[relative.end : ask.start]))
        for ask in absolute
        if ask.start >= relative.end and not _ALWAYS_COMPARES.search(relative.text)
    )


def _origins(question: str, relative: Sequence[PeriodAsk]) -> list[tuple[PeriodAsk, bool]]:
    """Relative phrases in the order to resolve; True for one that counts from the phrase resolved before it.

    'the quarter before the same quarter a year before Q3 2023' is resolved from the right.
    """
    ordered: list[tuple[PeriodAsk, bool]] = []
    for ask, following in zip(reversed(relative), [None, *reversed(relative)], strict=False):
        chained = following is not None and bool(_BASE_FOLLOWS.match(question[ask.end : following.start]))
        ordered.append((ask, chained))
    return ordered


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
        end for end in ends if (nominal(end).year, (nominal(end).month + 2) // 3) != (ask.year, ask.quarter)
    ]
    return [
        f"{ask.text} is read as {view.name}'s fiscal quarter ended {day_in_words(end)}" for end in strange
    ]
