"""plan: read the question against the index, choose tools, call them; again where too little was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any, Literal
from uuid import uuid4

from langchain_core.messages import AIMessage, HumanMessage

from graphs.contracts import TOOLS_OF, Plan, Reading, Route, ToolName
from graphs.engine import Engine
from graphs.index import Index, Shelf
from graphs.state import Context, State
from graphs.steps.ask_back import asked_back
from graphs.steps.cited_tables import cited_tables
from graphs.steps.condense import begun, cited_before, history, kept, sources_before
from graphs.steps.corpus import put_to_all
from graphs.steps.hops import with_hop
from graphs.steps.read import read_within
from graphs.steps.readings import as_planned, unrefused, with_profile, with_told
from graphs.steps.telling import tell
from graphs.steps.tool_calls import (
    calls,
    computing,
    planned_calls,
    tools_of,
    with_calculations,
    with_concept_call,
    with_concepts,
)
from tools.documents.metadata.catalog import Catalog
from tools.documents.types import REPORTS
from tools.knowledge.lexicon.company_profile import OPEN, PLAIN_WORDS
from tools.periods import PeriodFilter
from tools.scope import Scope

MAX_TABLES = 6
"""Tables fetched beside the figures of a question about filings, at most."""


def plan(state: State, context: Context, *, shelf: Shelf, engine: Engine) -> dict[str, Any]:
    """As `_planned`; what is looked up is told to whoever streams the turn."""
    made = _planned(state, context, shelf, engine)
    told = [
        {"tool": call["name"], **call["args"]} for each in made.get("lookups", ()) for call in each.tool_calls
    ]
    if told:
        tell(planned=told)
    return made


def _planned(state: State, context: Context, shelf: Shelf, engine: Engine) -> dict[str, Any]:
    """Choose the tools and write their calls. The second time: what the planner looks up besides, or else the
    paper's fallback: both tools, larger k, a period read from the question loosened to its year; a company, or any
    filter the user set, never is."""
    if state["plans"] or state["widened"]:
        return _again(state, context, shelf.get(state["generation"]), engine)
    kind = context.route
    if kind == "auto":
        return read_and_call(state, context, shelf, engine, engine.planner.plan, may_ask=True, routed=True)
    fixed = Plan(route=fixed_route(TOOLS_OF[kind], "set by the caller"))
    return read_and_call(state, context, shelf, engine, lambda *_: fixed, may_ask=True)


def after_plan(state: State) -> Literal["retrieve", "check"]:
    """Nothing to look up besides: the draft is checked as it stands."""
    return "check" if state["settled"] else "retrieve"


def _again(state: State, context: Context, index: Index, engine: Engine) -> dict[str, Any]:
    reading, before = state["reading"], state["route"]
    more = None
    if state["plan"].calls and state["drafts"]:
        found, draft = state["evidence"], state["draft"]
        more = engine.planner.further(reading, index.catalog, state["user_scope"], found, draft)
    plans = state["plans"] + 1
    if more is not None and not (more.calls or more.calculations):
        return {"plans": plans, "settled": True}
    if more is not None:
        planned = state["plan"].model_copy(
            update={
                "calls": (*state["plan"].calls, *more.calls),
                "calculations": (*state["plan"].calculations, *more.calculations),
            }
        )
        asked = with_calculations(planned_calls(more.calls, context), more.calculations)
        route = before.model_copy(update={"tools": tools_of(planned.calls)})
        route = computing(route, planned.calculations)
        return {"plan": planned, "plans": plans, "route": route, "lookups": [asked]}
    chosen = before.model_copy(
        update={
            "tools": TOOLS_OF["uncertain"],
            "widened": True,
            "reason": f"{before.reason}; not enough found, so both tools were asked",
        }
    )
    scope, question = state["scope"], state["standalone_question"]
    if reading.hops and state["widened"]:  # nothing came of the name that was found first
        question = reading.hops[0].question
        reading = engine.reader.read(question, index, state["user_scope"])
        scope = reading.scope
        why = f"{before.reason}; nothing came of that, so the question was looked up as it was asked"
        chosen = chosen.model_copy(update={"reason": why})
    if not state["user_scope"].periods:
        scope = replace(scope, periods=_by_year(scope))
    chosen = with_concepts(chosen, _concepts_of(reading, index, context))
    tables = tables_for(reading, index.catalog)
    if tables and state["drafts"] and is_reported(reading.scope, index.catalog):
        scope = reading.scope
    return {
        "plan": Plan(route=chosen, form=state["plan"].form, calculations=state["plan"].calculations),
        "plans": plans,
        "widened": True,
        "route": chosen,
        "standalone_question": question,
        "reading": reading,
        "scope": scope,
        "lookups": [calls(reading, chosen, context, tables, ranked=engine.ranker is not None)],
    }


def _by_year(scope: Scope) -> tuple[PeriodFilter, ...]:
    years: dict[PeriodFilter, None] = {}
    for period in scope.periods:
        if isinstance(period.end, date):
            years[PeriodFilter(calendar_year=period.end.year)] = None
        elif period.fiscal_year is not None:
            years[PeriodFilter(fiscal_year=period.fiscal_year)] = None
        elif period.calendar_year is not None:
            years[PeriodFilter(calendar_year=period.calendar_year)] = None
        else:
            years[period] = None
    return tuple(years)


def read_and_call(
    state: State,
    context: Context,
    shelf: Shelf,
    engine: Engine,
    planned: Callable[[Reading, Catalog, Scope], Plan],
    *,
    may_ask: bool = False,
    routed: bool = False,
) -> dict[str, Any]:
    """Read the question's filters, plan it, write the tool calls; none where no tool could help.

    With `may_ask`, and if the run wants it, an open question is asked back first (LangGraph's `interrupt`). `routed`:
    the question decides on the route, so that all companies may be looked through for it.
    """
    index = shelf.get(state["generation"])
    reading, user_scope = read_within(state["standalone_question"], context, index, engine)
    waiting, passed = state.get("waiting", []), state.get("passed")
    reading, untold = _told(reading, state, index, engine) if may_ask else (unrefused(reading), "")
    if not routed:
        reading = reading.model_copy(update={"of_companies": ""})
    if may_ask and context.clarify and not (passed or reading.told or reading.of_companies):
        asked_for = reading.question
        reading, user_scope, index, other = asked_back(
            reading, user_scope, state, context, shelf, index, engine
        )
        if other:
            fresh = _asked_instead(other, state, index, engine, context)
            once = replace(context, clarify=False)
            return fresh | read_and_call(
                state | fresh, once, shelf, engine, planned, may_ask=True, routed=routed
            )
        if reading.question != asked_for:  # the questions that the turn is made of do not know the reply
            waiting = []
    within = index.catalog.within(user_scope)  # whose latest quarter is that of the documents left
    made = planned(reading, within, user_scope)
    if reading.of_companies:
        reading, made = put_to_all(reading, made, user_scope, engine.ranker)
    elif may_ask and not (made.calls or reading.told or reading.out_of_scope):
        hopped = with_hop(
            reading,
            index,
            engine,
            user_scope,
            context,
            lambda question: engine.reader.read(question, index, user_scope),
        )
        if hopped.hops:
            reading = _answerable(with_profile(hopped, index.catalog, engine), index, engine)
            made = planned(reading, within, user_scope)
    reading = as_planned(reading, made, within, user_scope)
    tables = tables_for(reading, index.catalog) if may_ask else 0
    chosen, asked = _called(reading, made, context, tables, untold, index, engine if may_ask else None)
    return {
        "generation": index.number,
        "standalone_question": state["standalone_question"] if reading.spelled_out else reading.question,
        "user_scope": user_scope,
        "reading": reading,
        "scope": reading.scope,
        "plan": made,
        "plans": 1,
        "route": chosen,
        "waiting": waiting,
        "lookups": [asked],
    }


def _told(reading: Reading, state: State, index: Index, engine: Engine) -> tuple[Reading, str]:
    """As `with_told`; a question of the turn that leans on those before it is about documents, whatever it sounds
    like."""
    passed = state.get("passed") or []
    if passed and passed[-1][0] != passed[-1][1]:
        return _answerable(with_profile(reading, index.catalog, engine), index, engine), ""
    before = state["messages"]
    said, sources = history(before[:-1]), sources_before(before)
    told, untold = with_told(reading, index.catalog, engine, sources, said)
    if told.told and said and engine.guide is not None and engine.guide.of_table(reading):
        shown = filter(None, (cited_tables(*each, index) for each in cited_before(before)))
        told = told.model_copy(update={"told": next(shown, told.told)})
    return _answerable(told, index, engine), untold


def _answerable(reading: Reading, index: Index, engine: Engine) -> Reading:
    """The reading of what is asked of any company, for what answers it: in plain words for figures, or where a list
    has it, which leaves what else the turn asks to be put by itself; else without it, since passages may say it."""
    listed = tuple(kind for kind in reading.profile if kind not in (*PLAIN_WORDS, *OPEN))
    plain = [kind for kind in reading.profile if kind in PLAIN_WORDS and not listed]
    if plain and not reading.unknown_periods:
        return engine.reader.plainly(reading, plain[0], index.catalog)
    if any(index.profile_lines(kind, reading.question, reading.scope) for kind in listed):
        return reading.model_copy(update={"profile": listed})
    return reading.model_copy(update={"profile": ()})


def _asked_instead(question: str, state: State, index: Index, engine: Engine, context: Context) -> State:
    """What the state holds of a question that was asked in place of a reply: the conversation goes on with it."""
    return {
        "messages": [*state["messages"], HumanMessage(kept(question), id=str(uuid4()))],
        **begun(question, state["messages"], index, engine, context, apart=True),
    }


def _concepts_of(reading: Reading, index: Index, context: Context) -> tuple[str, ...]:
    """The concepts to which a question leads whose passages are ranked by its words."""
    led = context.concept_weight > 0 and not (reading.spoken or reading.parts)
    return index.concepts_of(reading.question) if led else ()


def _called(
    reading: Reading,
    made: Plan,
    context: Context,
    tables: int,
    untold: str,
    index: Index,
    engine: Engine | None,
) -> tuple[Route, AIMessage]:
    """The route as it is taken, and its tool calls. `untold`: what could not be told, for the reason; `engine`: who
    answers, None for a baseline."""
    chosen = with_both(made.route, reading)
    if reading.hops:
        found = "; ".join(f"'{hop.described}' is {hop.name}" for hop in reading.hops)
        chosen = chosen.model_copy(update={"reason": f"{chosen.reason}; {found}"})
    if untold:
        chosen = chosen.model_copy(update={"reason": f"{chosen.reason}; {untold}"})
    if reading.out_of_scope or reading.told:
        chosen = chosen.model_copy(update={"tools": ()})
    if made.calls:
        chosen = chosen.model_copy(update={"tools": tools_of(made.calls)})
    searched = engine is not None and "vector_search" in chosen.tools
    concepts = _concepts_of(reading, index, context) if searched else ()
    chosen = with_concepts(chosen, concepts)
    asked = calls(reading, chosen, context, tables, ranked=engine is not None and engine.ranker is not None)
    if made.calls:
        asked = planned_calls(with_concept_call(made.calls, reading.question, concepts), context)
    if made.calculations and chosen.tools:
        asked = with_calculations(asked, made.calculations)
        chosen = computing(chosen, made.calculations)
    return chosen, asked


def tables_for(reading: Reading, catalog: Catalog) -> int:
    """How many whole tables to fetch beside figures: some where a company asked about has filed a report that could
    hold them."""
    types = {
        kind
        for key in reading.scope.companies
        if key in catalog.companies
        for kind in catalog.companies[key].doc_types
    }
    filed = types & REPORTS & (set(reading.scope.doc_types) or REPORTS)
    return MAX_TABLES if filed and not reading.out_of_scope and not reading.spoken else 0


def is_reported(scope: Scope, catalog: Catalog) -> bool:
    """Whether every company of the scope has a report on a period of it: what others say is no answer then."""
    return bool(scope.periods) and all(
        any(wished.admits(period) for wished in scope.periods for period in catalog.document_periods(key))
        for key in scope.companies
    )


def with_both(chosen: Route, reading: Reading) -> Route:
    """An overview of results is prose, but begins with figures; who asked about something is a fact, but stands in
    a call's questions: both tools are asked, whatever kind of question it is."""
    if chosen.kind == "abstractive" and reading.overview:
        why = "of results, so figures are looked up, too"
    elif reading.asks_who_asked:
        why = "who asked what, so questions and participants are looked up"
    else:
        return chosen
    return chosen.model_copy(update={"tools": TOOLS_OF["uncertain"], "reason": f"{chosen.reason}; {why}"})


def fixed_route(tools: tuple[ToolName, ...], reason: str) -> Route:
    """A route that does not depend on the question."""
    kind = next((kind for kind, of_kind in TOOLS_OF.items() if of_kind == tools), "abstractive")
    return Route(kind=kind, tools=tools, reason=reason, confidence=1.0)
