"""What a model wants computed, as it writes it -> calculations that can be made of what is indexed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator

from graphs.contracts import PlannedCalculation
from graphs.drafts.links import unlinked
from graphs.model.catalogue_fit import MAX_QUERY_CHARS, Texts, known_companies, named_word, period_fault
from tools.calculate.expressions import ExpressionError, names_in
from tools.calculate.measures import catalogue, measure_called
from tools.calculate.resolving import DAYS, QUARTER, YEAR
from tools.calculate.types import Across, Asked, Over, Pick, Shown, When
from tools.documents.metadata.catalog import Catalog
from tools.documents.metadata.period_labels import filter_of, is_covered
from tools.documents.text.cleaning import clean, squeeze
from tools.model.turn import current_turn
from tools.periods import PeriodFilter

MAX_CALCULATIONS = 4
MAX_TITLE_CHARS = 120


class OperandReply(BaseModel):
    """A line item of a formula."""

    name: str
    item: str


class CalculationReply(BaseModel):
    """One calculation, as the model writes it."""

    title: str = ""
    measure: str = ""
    formula: str = ""
    items: list[OperandReply] = []
    companies: Texts = []
    periods: Texts = []
    months: int | None = None
    across: Annotated[Across, BeforeValidator(named_word)] = ""
    balances: Annotated[Literal["", "closing", "average"], BeforeValidator(named_word)] = ""
    over: Annotated[Over, BeforeValidator(named_word)] = ""
    parts: Texts = []
    pick: Annotated[Pick, BeforeValidator(named_word)] = ""
    shown: Annotated[Shown | Literal[""], BeforeValidator(named_word)] = ""


def fitting_calculations(
    replies: Sequence[CalculationReply], catalog: Catalog, named: Sequence[str]
) -> tuple[tuple[PlannedCalculation, ...], list[str]]:
    """The calculations of a reply that can be made, and what does not fit of the others; as for `fitting_calls`."""
    made, faults = dict[str, PlannedCalculation](), list[str]()
    if len(replies) > MAX_CALCULATIONS:
        current_turn().note(f"plan: of {len(replies)} calculations the first {MAX_CALCULATIONS} were made")
    for each in replies[:MAX_CALCULATIONS]:
        companies, unknown = known_companies(each.companies, catalog)
        companies = companies or tuple(named)
        fault = unknown or _sum_fault(each) or period_fault(each.periods, catalog, companies)
        if not companies:
            fault = fault or "a calculation without a company"
        elif named and not set(named) & set(companies):
            fault = fault or f"the question names {', '.join(named)}, and a calculation does not"
        if fault:
            faults.append(fault)
            continue
        asked = Asked(
            title=_words_alone(each.title)[:MAX_TITLE_CHARS],
            measure=each.measure if measure_called(each.measure) else "",
            formula=each.formula.strip(),
            items=tuple((item.name, squeeze(clean(item.item))[:MAX_QUERY_CHARS]) for item in each.items),
            shown=each.shown or None,
            across=each.across,
            averaged=None if not each.balances else each.balances == "average",
            over=each.over,
            set_words=squeeze(clean(each.title))[:MAX_TITLE_CHARS] if each.over == "part" else "",
            parts=tuple(_words_alone(part)[:MAX_TITLE_CHARS] for part in each.parts),
            pick=each.pick,
        )
        planned = PlannedCalculation(
            asked=asked,
            companies=companies,
            periods=tuple((key, _whens(each, catalog, key)) for key in companies),
        )
        made[planned.model_dump_json()] = planned
    return tuple(made.values()), list(dict.fromkeys(faults))


def _words_alone(text: str) -> str:
    """A model's words for what is computed, which are shown with the result: no sentence, figure or citation."""
    return squeeze(re.sub(r"[^\w\s&,'’()/.-]|\d|(?<!\b\w)\.(?=\s|$)", " ", unlinked(clean(text))))


def _sum_fault(each: CalculationReply) -> str:
    """What is wrong with a formula or measure."""
    if each.measure and measure_called(each.measure) is None:
        near = get_close_matches(
            each.measure.lower(), [m.name for m in catalogue().measures], n=3, cutoff=0.3
        )
        return f"measure '{squeeze(each.measure)[:40]}' is not in the list (nearest: {', '.join(near) or 'none'})"
    if each.measure:
        return ""
    try:
        names = names_in(each.formula)
    except ExpressionError as error:
        return f"formula: {error}"
    lacking = [name for name in names if name not in {item.name for item in each.items} and name != DAYS]
    if not names or lacking:
        return f"formula '{squeeze(each.formula)[:60]}' needs items for {', '.join(lacking) or 'its names'}"
    return ""


def _whens(each: CalculationReply, catalog: Catalog, company: str) -> tuple[When, ...]:
    """The periods of a calculation as this company has them: of several days those of its own. A year is of twelve
    months, a quarter of three."""
    wished = [(_filter(label, catalog, company), label) for label in each.periods]
    known = [found for found, _ in wished if found is not None]
    own = [found for found in known if is_covered(found, catalog, (company,))] or known
    whens = []
    for found in own:
        quarter = found.fiscal_quarter or found.calendar_quarter
        usual = None if found.end else QUARTER if quarter else YEAR
        whens.append(When((found,), usual if each.months is None else each.months))
    return tuple(whens)


def _filter(label: str, catalog: Catalog, company: str) -> PeriodFilter | None:
    """What a label means to a company; its fiscal year and quarter also where only figures, and no document, are of
    it: a filing prints those of the year before."""
    found = filter_of(label, catalog, (company,))
    if found is None or found.calendar_year is None:
        return found
    fiscal = PeriodFilter(fiscal_year=found.calendar_year, fiscal_quarter=found.calendar_quarter)
    return fiscal if is_covered(fiscal, catalog, (company,)) else found
