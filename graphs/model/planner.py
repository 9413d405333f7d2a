"""Question -> plan, made by the model: which tools look for what, of which companies and periods."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator

from graphs.contracts import (
    TOOLS_OF,
    AnswerForm,
    Draft,
    Plan,
    PlannedCalculation,
    PlannedCall,
    Reading,
    Route,
    RouteKind,
)
from graphs.drafts import refusals
from graphs.model.catalogue_text import in_words
from graphs.model.model_call import prompt, with_local_fallback
from graphs.model.replies import unlinked
from graphs.protocols import Planner
from tools.calculate.expressions import ExpressionError, names_in
from tools.calculate.measures import catalogue, measure_called
from tools.calculate.resolving import DAYS, QUARTER, YEAR
from tools.calculate.types import Across, Asked, Over, Pick, Shown, When
from tools.documents.metadata.catalog import Catalog
from tools.documents.metadata.period_labels import filter_of, is_covered, label_of
from tools.documents.text.cleaning import clean, squeeze
from tools.documents.types import DocType
from tools.evidence import Evidence
from tools.model.fence import RULE, defused, fence
from tools.model.structured import ask_structured
from tools.model.turn import current_turn
from tools.model.types import ChatModel, MalformedReplyError, Message
from tools.periods import PeriodFilter
from tools.scope import Scope

MAX_CALLS = 8
"""Calls of one plan; what a model asks for beyond them is left out."""
MAX_CALCULATIONS = 4
MAX_TITLE_CHARS = 120
MAX_QUERY_CHARS = 300
MAX_DEPTH = 3
MIN_CONFIDENCE = 0.5
"""Confidence below which a kind counts as uncertain."""
MAX_REASON_CHARS = 200
MAX_LISTED = 12
"""Names or periods that are offered in place of one that does not fit."""
MAX_FOUND = 30
"""Pieces of evidence listed when more is planned."""


def _word(value: object) -> object:
    return value.strip().strip("\"'.").lower() if isinstance(value, str) else value


def _share(value: object) -> object:
    """0 to 1; small models write 95 or '95%' for 0.95, or leave it out."""
    if isinstance(value, str):
        value = value.strip().rstrip("%")
    if value is None or value == "":
        return MIN_CONFIDENCE
    if not isinstance(value, str | int | float):
        return value
    try:
        number = float(value)
    except ValueError:
        return value
    return min(max(number / 100 if number > 1 else number, 0.0), 1.0)


def _form(value: object) -> object:
    word = _word(value)
    return word if word in get_args(AnswerForm) else "other"


def _texts(value: object) -> object:
    return [value] if isinstance(value, str) else value or []


Texts = Annotated[list[str], BeforeValidator(_texts)]


class LookupReply(BaseModel):
    """One lookup, as the model writes it."""

    tool: Annotated[Literal["kg_search", "vector_search"], BeforeValidator(_word)]
    query: str
    companies: Texts = []
    periods: Texts = []
    document_types: Texts = []
    depth: int = 1


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
    across: Annotated[Across, BeforeValidator(_word)] = ""
    balances: Annotated[Literal["", "closing", "average"], BeforeValidator(_word)] = ""
    over: Annotated[Over, BeforeValidator(_word)] = ""
    parts: Texts = []
    pick: Annotated[Pick, BeforeValidator(_word)] = ""
    shown: Annotated[Shown | Literal[""], BeforeValidator(_word)] = ""


class PlanReply(BaseModel):
    """What the model plans for a question."""

    kind: Annotated[RouteKind, BeforeValidator(_word)]
    reason: str = ""
    confidence: Annotated[float, BeforeValidator(_share)] = MIN_CONFIDENCE
    form: Annotated[AnswerForm, BeforeValidator(_form)] = "other"
    lookups: list[LookupReply] = []
    calculations: list[CalculationReply] = []


class ModelPlanner:
    """A `Planner` of one call, and one more where something of its reply does not fit the catalogue."""

    def __init__(self, model: ChatModel, local: Planner) -> None:
        """`local` plans where the model's reply can't be used, and what is asked about the assistant itself."""
        self._model, self._local = model, local

    def plan(self, reading: Reading, catalog: Catalog, within: Scope) -> Plan:
        """See `graphs.protocols.Planner`. Where the model looks nothing up, the local plan decides what that means: a
        refusal in words, or a search all the same."""
        if reading.told or not catalog.companies:
            return self._local.plan(reading, catalog, within)
        return with_local_fallback(
            "plan",
            lambda: self._asked(reading, catalog, within, ""),
            lambda: self._local.plan(reading, catalog, within),
        )

    def further(
        self, reading: Reading, catalog: Catalog, within: Scope, found: Sequence[Evidence], draft: Draft
    ) -> Plan | None:
        """See `graphs.protocols.Planner`."""
        listed = "\n".join(
            f"- {item.document}, p. {item.page}: {squeeze(item.section or item.text)[:90]}"
            for item in found[:MAX_FOUND]
        )
        before = (
            "This was looked up already, and did not suffice. Found:\n"
            f"{fence(listed or 'nothing')}\nStill missing: {defused(squeeze(draft.missing))}\n"
            "Plan other lookups for what is missing, in other words or elsewhere, at most four. "
            "If the documents can't hold it, lookups is []."
        )
        return with_local_fallback(
            "plan",
            lambda: self._asked(reading, catalog, within, before),
            lambda: self._local.further(reading, catalog, within, found, draft),
        )

    def _asked(self, reading: Reading, catalog: Catalog, within: Scope, before: str) -> Plan:
        first = (
            *reading.companies,
            *(key for name in reading.unknown_companies for key in catalog.nearest(name)),
        )
        messages = prompt(
            "plan",
            data_rule=RULE,
            measures=", ".join(each.name for each in catalogue().measures),
            question=defused(squeeze(reading.question)),
            hints=defused(hints(reading)),
            catalogue=fence(in_words(catalog, first)),
            filters=defused(_filters(within)),
            before=before,
        )
        reply = ask_structured(self._model, messages, PlanReply)
        named = tuple(dict.fromkeys(each.key for each in catalog.link(reading.question) if each.exact))
        calls, faults = fitting_calls(reply, catalog, named)
        sums, misfits = fitting_calculations(reply.calculations, catalog, named)
        faults += misfits
        if faults:
            again = (
                *messages,
                Message("assistant", json.dumps(reply.model_dump())),
                Message(
                    "user",
                    f"These do not fit the catalogue: {defused('; '.join(faults))}. Plan it once more, whole.",
                ),
            )
            reply = ask_structured(self._model, again, PlanReply)
            calls, faults = fitting_calls(reply, catalog, named)
            sums, misfits = fitting_calculations(reply.calculations, catalog, named)
            for fault in (*faults, *misfits):
                current_turn().note(f"plan: left out of what the model planned: {fault}")
        if not calls and not sums and faults:
            raise MalformedReplyError("nothing of the model's plan fits the index")
        return self._plan(reply, calls, sums, reading, catalog, within, again=bool(before))

    def _plan(
        self,
        reply: PlanReply,
        calls: tuple[PlannedCall, ...],
        sums: tuple[PlannedCalculation, ...],
        reading: Reading,
        catalog: Catalog,
        within: Scope,
        *,
        again: bool,
    ) -> Plan:
        kind: RouteKind = reply.kind if reply.confidence >= MIN_CONFIDENCE else "uncertain"
        reason = squeeze(unlinked(clean(reply.reason)))[:MAX_REASON_CHARS].rstrip(".")
        route = Route(
            kind=kind,
            tools=TOOLS_OF[kind],
            reason=reason or f"the model calls it {kind}",
            confidence=reply.confidence,
        )
        if calls or again or refusals.before(reading) is not None:
            return Plan(route=route, calls=calls, calculations=sums, form=reply.form)
        planned = self._local.plan(reading, catalog, within)
        return planned.model_copy(update={"calculations": sums or planned.calculations, "form": reply.form})


def hints(reading: Reading) -> str:
    """What was read from the question without a model, in words."""
    said = {
        "companies": ", ".join(reading.companies),
        "not indexed": ", ".join(reading.unknown_companies),
        "nearest names": ", ".join(reading.nearest_companies),
        "periods": ", ".join(
            dict.fromkeys(filter(None, (each.describe() for each in reading.scope.periods[:6])))
        ),
        "periods not covered": ", ".join(reading.unknown_periods),
        "line items": ", ".join(reading.metrics),
        "names": ", ".join(reading.entities),
        "may be no question for these documents": reading.out_of_scope,
    }
    return "; ".join(f"{what}: {words}" for what, words in said.items() if words) or "nothing"


def _filters(within: Scope) -> str:
    """The user's own filters, which code applies to every call."""
    said = (*within.companies, *(each.describe() for each in within.periods), *within.doc_types)
    return f"The user has limited the search to: {', '.join(said)}. Plan within that.\n" if said else ""


def fitting_calls(
    reply: PlanReply, catalog: Catalog, named: Sequence[str]
) -> tuple[tuple[PlannedCall, ...], list[str]]:
    """The calls of a reply that fit the index, and what does not fit, in words with what there is instead.

    `named`: the companies that the question itself names. A call without a company is of these, and a plan without any
    of them is none: what a document says of whom to look at changes nothing.
    """
    calls, faults = dict[PlannedCall, None](), list[str]()
    if len(reply.lookups) > MAX_CALLS:
        current_turn().note(f"plan: of {len(reply.lookups)} lookups the first {MAX_CALLS} were made")
    for each in reply.lookups[:MAX_CALLS]:
        query = squeeze(unlinked(clean(each.query)))[:MAX_QUERY_CHARS]
        companies, unknown = _companies(each.companies, catalog)
        fault = unknown or _period_fault(each.periods, catalog, companies) or _type_fault(each.document_types)
        if not query or fault:
            faults.append(fault or "a lookup without a query")
            continue
        made = PlannedCall(
            tool=each.tool,
            question=query,
            companies=companies or tuple(named),
            periods=tuple(each.periods),
            doc_types=tuple(each.document_types),
            **_depth(each),
        )
        calls[made] = None
    if calls and named and not any(set(named) & set(each.companies) for each in calls):
        return (), [*dict.fromkeys(faults), f"the question names {', '.join(named)}, and no lookup does"]
    return tuple(calls), list(dict.fromkeys(faults))


def fitting_calculations(
    replies: Sequence[CalculationReply], catalog: Catalog, named: Sequence[str]
) -> tuple[tuple[PlannedCalculation, ...], list[str]]:
    """The calculations of a reply that can be made, and what does not fit of the others; as for `fitting_calls`."""
    made, faults = dict[str, PlannedCalculation](), list[str]()
    if len(replies) > MAX_CALCULATIONS:
        current_turn().note(f"plan: of {len(replies)} calculations the first {MAX_CALCULATIONS} were made")
    for each in replies[:MAX_CALCULATIONS]:
        companies, unknown = _companies(each.companies, catalog)
        companies = companies or tuple(named)
        fault = unknown or _sum_fault(each) or _period_fault(each.periods, catalog, companies)
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


def _depth(each: LookupReply) -> dict[str, Any]:
    return {"depth": min(each.depth, MAX_DEPTH)} if each.tool == "kg_search" and each.depth > 1 else {}


def _companies(names: Sequence[str], catalog: Catalog) -> tuple[tuple[str, ...], str]:
    """Keys of the names, and what is wrong with the first that is none."""
    keys: dict[str, None] = {}
    for name in names:
        key = catalog.find(name.strip())
        if key is None:
            near = ", ".join(catalog.nearest(name.strip())) or "none"
            return (), f"company '{squeeze(name)[:60]}' is not in the catalogue (nearest: {near})"
        keys[key] = None
    return tuple(keys), ""


def _period_fault(labels: Sequence[str], catalog: Catalog, companies: Sequence[str]) -> str:
    """What is wrong with the periods: a label that is none, or none that anything indexed is of."""
    filters = {label: filter_of(label, catalog, companies) for label in labels}
    bad = next((label for label, found in filters.items() if found is None), None)
    if bad is not None:
        return f"period '{squeeze(bad)[:40]}' is not written as 'FY2022', 'Q2 FY2023' or '2023-07-01'"
    if not filters or any(found and is_covered(found, catalog, companies) for found in filters.values()):
        return ""
    there = dict.fromkeys(label_of(each) for key in companies for each in catalog.documents_of(key))
    listed = ", ".join(list(filter(None, there))[-MAX_LISTED:])
    whose = ", ".join(companies) or "any company"
    return f"nothing of {whose} is of {', '.join(filters)}" + (f" (there are: {listed})" if listed else "")


def _type_fault(types: Sequence[str]) -> str:
    known = get_args(DocType)
    bad = next((each for each in types if each not in known), None)
    return "" if bad is None else f"document type '{squeeze(bad)[:40]}' is none of {', '.join(known)}"
