"""route: read the question against the index, choose tools, call them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.messages.tool import ToolCall
from langgraph.types import interrupt

from graphs.contracts import TOOLS_OF, Clarification, Reading, Route, RouteKind, ToolName
from graphs.local.answer.analyst_questions import asks_who_asked
from graphs.local.answer.overview import asks_overview, lookups, with_year_before
from graphs.local.dialogue.clarification import clarification, is_open, settled
from graphs.local.dialogue.which_quarter import readings_of, said_before, settled_quarter, which
from graphs.local.question.reading import read_question
from graphs.resources import Engine, Index, Shelf
from graphs.state import Context, State
from graphs.steps.breakdown import as_asked, spelled_out
from graphs.steps.comparison import split
from graphs.steps.condense import kept
from graphs.steps.filters import scope_from_filters
from tools.documents.metadata.catalog import Catalog
from tools.scope import Scope

TABLES = 6
"""Tables fetched beside the figures of a question about filings, at most."""
FILED = {"10-Q", "10-K"}


def route(state: State, context: Context, *, shelf: Shelf, engine: Engine) -> dict[str, Any]:
    """Choose the tools and write their calls; after `widen`, both tools with a larger k."""
    if state["widened"]:
        before = state["route"]
        chosen = before.model_copy(
            update={
                "tools": TOOLS_OF["uncertain"],
                "widened": True,
                "reason": f"{before.reason}; not enough found, so both tools were asked",
            }
        )
        reading, catalog = state["reading"], shelf.get(state["generation"]).catalog
        tables = tables_for(reading, catalog)
        kept = tables and state["drafts"] and is_reported(reading.scope, catalog)
        scope = reading.scope if kept else state["scope"]
        return {"route": chosen, "scope": scope, "lookups": [calls(reading, chosen, context, tables)]}
    if context.route == "auto":
        return read_and_call(
            state,
            context,
            shelf,
            lambda reading: with_both(engine.router.route(reading), reading),
            may_ask=True,
        )
    kind: RouteKind = context.route
    return read_and_call(
        state, context, shelf, lambda _: fixed_route(TOOLS_OF[kind], "set by the caller"), may_ask=True
    )


def read_and_call(
    state: State,
    context: Context,
    shelf: Shelf,
    choose: Callable[[Reading], Route],
    *,
    may_ask: bool = False,
) -> dict[str, Any]:
    """Read the question's filters, choose its route, write the tool calls; none where no tool could help.

    With `may_ask`, and if the run wants it, an open question is asked back first (LangGraph's `interrupt`).
    """
    index = shelf.get(state["generation"])
    reading, user_scope = read_within(state["standalone_question"], context, index)
    if may_ask and context.clarify:
        reading, user_scope, index = asked_back(reading, user_scope, state, context, shelf, index)
    if asks_overview(reading):
        reading = with_year_before(reading, index.catalog)
    tables = tables_for(reading, index.catalog) if may_ask else 0
    chosen = choose(reading)
    if reading.out_of_scope:
        chosen = chosen.model_copy(update={"tools": ()})
    return {
        "generation": index.number,
        "standalone_question": as_asked(state["standalone_question"], reading.question),
        "user_scope": user_scope,
        "reading": reading,
        "scope": reading.scope,
        "route": chosen,
        "lookups": [calls(reading, chosen, context, tables)],
    }


def tables_for(reading: Reading, catalog: Catalog) -> int:
    """How many whole tables to fetch beside figures: some where a company asked about has filed a report that could
    hold them."""
    types = {
        kind
        for key in reading.scope.companies
        if key in catalog.companies
        for kind in catalog.companies[key].doc_types
    }
    filed = types & FILED & (set(reading.scope.doc_types) or FILED)
    return TABLES if filed and not reading.out_of_scope and not reading.spoken else 0


def is_reported(scope: Scope, catalog: Catalog) -> bool:
    """Whether every company of the scope has a report on a period of it: what others say is no answer then."""
    return bool(scope.periods) and all(
        any(wished.admits(period) for wished in scope.periods for period in catalog.document_periods(key))
        for key in scope.companies
    )


def asked_back(
    reading: Reading, user_scope: Scope, state: State, context: Context, shelf: Shelf, index: Index
) -> tuple[Reading, Scope, Index]:
    """The question as the user means it, asked back once where several companies fit or a label means two quarters;
    the same where the reply does not settle it. And the index to answer from, which another process may have
    replaced meanwhile.

    Its node runs again from the start when the reply is there: nothing before it is paid for.
    """
    asked, settle = left_open(reading, state, context, index)
    if asked is None:
        return reading, user_scope, index
    reply = str(interrupt(asked.model_dump()))
    index = shelf.current()
    question = settle(reply, asked, index.catalog) or reading.question
    return *read_within(question, context, index), index


Settle = Callable[[str, Clarification, Catalog], str]
"""Reply, what was asked and the index's names -> the question as it is meant; '' if the reply does not say."""


def left_open(
    reading: Reading, state: State, context: Context, index: Index
) -> tuple[Clarification | None, Settle]:
    """What to ask back, None if nothing, and what makes a question of the reply."""

    def read(question: str) -> Reading:
        return read_within(question, context, index)[0]

    def of_company(reply: str, asked: Clarification, catalog: Catalog) -> str:
        return settled(reply, reading.question, asked, catalog)

    def of_quarter(reply: str, asked: Clarification, catalog: Catalog) -> str:
        return settled_quarter(reply, quarters, asked, catalog)

    quarters = readings_of(reading, index.catalog, read)
    if quarters:
        before = [str(each.text) for each in state["messages"][:-1] if isinstance(each, HumanMessage)]
        return (None if said_before(before) else which(quarters, read)), of_quarter
    if not is_open(reading, index.catalog):
        return None, of_company
    return clarification(reading, index), of_company


def read_within(question: str, context: Context, index: Index) -> tuple[Reading, Scope]:
    """The question read against the index, and the user's filters."""
    user_scope = scope_from_filters(index.catalog, context.company, context.year, context.quarter)

    def read(question: str, within: Scope) -> Reading:
        return read_question(question, index.catalog, within, known_names=index.known_names)

    reading = read(question, user_scope)
    if reading.spoken:
        return reading.model_copy(update={"question": kept(question)}), user_scope
    if (spelled := spelled_out(reading, index)) != question:
        reading = read(spelled, user_scope)
    reading = split(reading, index, user_scope, read)
    return reading.model_copy(update={"question": kept(reading.question)}), user_scope


def with_both(chosen: Route, reading: Reading) -> Route:
    """An overview of results is prose, but begins with figures; who asked about something is a fact, but stands in
    a call's questions: both tools are asked, whatever kind of question it is."""
    if chosen.kind == "abstractive" and asks_overview(reading):
        why = "of results, so figures are looked up, too"
    elif asks_who_asked(reading.question):
        why = "who asked what, so questions and participants are looked up"
    else:
        return chosen
    return chosen.model_copy(update={"tools": TOOLS_OF["uncertain"], "reason": f"{chosen.reason}; {why}"})


def fixed_route(tools: tuple[ToolName, ...], reason: str) -> Route:
    """A route that does not depend on the question."""
    kind = next(kind for kind, of_kind in TOOLS_OF.items() if of_kind == tools)
    return Route(kind=kind, tools=tools, reason=reason, confidence=1.0)


def calls(reading: Reading, chosen: Route, context: Context, tables: int = 0) -> AIMessage:
    """The tool calls of a route, as the message LangGraph's ToolNode runs; k doubles after `widen`. Before, two
    `tables` take the place of a passage."""
    fetching = "kg_search" if "kg_search" in chosen.tools else "vector_search"
    factor = 2 if chosen.widened else 1
    asked = lookups(reading) if asks_overview(reading) else {}
    k = {"kg_search": context.graph_k * factor, "vector_search": context.top_k * factor}
    if tables and "kg_search" in chosen.tools and not chosen.widened:
        k["vector_search"] = max(1, context.top_k - tables // 2)
    return AIMessage(
        content="",
        tool_calls=[
            ToolCall(
                name=tool,
                args={"question": asked.get(tool, reading.question), "k": k[tool]}
                | ({"tables": tables} if tables and tool == fetching else {}),
                id=str(uuid4()),
                type="tool_call",
            )
            for tool in chosen.tools
        ],
    )
