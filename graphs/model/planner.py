"""Question -> plan, made by the model: which tools look for what, of which companies and periods."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator

from graphs.contracts import (
    TOOLS_OF,
    AnswerForm,
    Draft,
    Plan,
    PlannedCalculation,
    PlannedCall,
    PlannedKind,
    Reading,
    Route,
)
from graphs.drafts import refusals
from graphs.drafts.links import unlinked
from graphs.model.catalogue_fit import (
    MAX_QUERY_CHARS,
    Texts,
    known_companies,
    named_word,
    period_fault,
)
from graphs.model.catalogue_text import in_words
from graphs.model.model_call import prompt, with_local_fallback
from graphs.model.planned_calculations import CalculationReply, fitting_calculations
from graphs.protocols import Planner
from tools.calculate.measures import catalogue
from tools.documents.metadata.catalog import Catalog
from tools.documents.text.cleaning import clean, squeeze
from tools.documents.types import DocType
from tools.evidence import Evidence
from tools.model.fence import RULE, defused, fence
from tools.model.structured import ask_structured
from tools.model.turn import current_turn
from tools.model.types import ChatModel, MalformedReplyError, Message
from tools.scope import Scope

MAX_CALLS = 8
"""Calls of one plan; what a model asks for beyond them is left out."""
MAX_DEPTH = 3
MIN_CONFIDENCE = 0.5
"""Confidence below which a kind counts as uncertain."""
MAX_REASON_CHARS = 200
MAX_FOUND = 30
"""Pieces of evidence listed when more is planned."""


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
    word = named_word(value)
    return word if word in get_args(AnswerForm) else "other"


class LookupReply(BaseModel):
    """One lookup, as the model writes it."""

    tool: Annotated[Literal["kg_search", "vector_search"], BeforeValidator(named_word)]
    query: str
    companies: Texts = []
    periods: Texts = []
    document_types: Texts = []
    depth: int = 1


class PlanReply(BaseModel):
    """What the model plans for a question."""

    kind: Annotated[PlannedKind, BeforeValidator(named_word)]
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
        kind: PlannedKind = reply.kind if reply.confidence >= MIN_CONFIDENCE else "uncertain"
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
    one = ("one document",) if within.documents else ()
    said = (*within.companies, *(each.describe() for each in within.periods), *within.doc_types, *one)
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
        companies, unknown = known_companies(each.companies, catalog)
        fault = unknown or period_fault(each.periods, catalog, companies) or _type_fault(each.document_types)
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


def _depth(each: LookupReply) -> dict[str, Any]:
    return {"depth": min(each.depth, MAX_DEPTH)} if each.tool == "kg_search" and each.depth > 1 else {}


def _type_fault(types: Sequence[str]) -> str:
    known = get_args(DocType)
    bad = next((each for each in types if each not in known), None)
    return "" if bad is None else f"document type '{squeeze(bad)[:40]}' is none of {', '.join(known)}"
