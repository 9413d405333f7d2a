"""route: read the question against the index, choose tools, call them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage
from langchain_core.messages.tool import ToolCall

from graphs.contracts import TOOLS_OF, Reading, Route, RouteKind, ToolName
from graphs.engine import Engine
from graphs.index import Shelf
from graphs.state import Context, State
from graphs.steps.ask_back import asked_back
from graphs.steps.condense import sources_before
from graphs.steps.read import read_within
from tools.documents.metadata.catalog import Catalog
from tools.documents.types import REPORTS
from tools.model_files import ModelFileError
from tools.scope import Scope

WIDER = 3
"""Times as much is looked up after `widen`, and of passages where a learned fit chooses among them."""
MAX_TABLES = 6
"""Tables fetched beside the figures of a question about filings, at most."""


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
        return {
            "route": chosen,
            "scope": scope,
            "lookups": [calls(reading, chosen, context, tables, ranked=engine.ranker is not None)],
        }
    if context.route == "auto":
        return read_and_call(
            state,
            context,
            shelf,
            engine,
            lambda reading: with_both(engine.router.route(reading), reading),
            may_ask=True,
        )
    kind: RouteKind = context.route
    return read_and_call(
        state,
        context,
        shelf,
        engine,
        lambda _: fixed_route(TOOLS_OF[kind], "set by the caller"),
        may_ask=True,
    )


def read_and_call(
    state: State,
    context: Context,
    shelf: Shelf,
    engine: Engine,
    choose: Callable[[Reading], Route],
    *,
    may_ask: bool = False,
) -> dict[str, Any]:
    """Read the question's filters, choose its route, write the tool calls; none where no tool could help.

    With `may_ask`, and if the run wants it, an open question is asked back first (LangGraph's `interrupt`).
    """
    index = shelf.get(state["generation"])
    reading, user_scope = read_within(state["standalone_question"], context, index, engine)
    reading, untold = with_told(reading, index.catalog, engine, sources_before(state["messages"]))
    if may_ask and context.clarify and not reading.told:
        reading, user_scope, index = asked_back(reading, user_scope, state, context, shelf, index, engine)
    tables = tables_for(reading, index.catalog) if may_ask else 0
    chosen = choose(reading)
    if untold:
        chosen = chosen.model_copy(update={"reason": f"{chosen.reason}; {untold}"})
    if reading.out_of_scope or reading.told:
        chosen = chosen.model_copy(update={"tools": ()})
    return {
        "generation": index.number,
        "standalone_question": state["standalone_question"] if reading.spelled_out else reading.question,
        "user_scope": user_scope,
        "reading": reading,
        "scope": reading.scope,
        "route": chosen,
        "lookups": [calls(reading, chosen, context, tables, ranked=may_ask and engine.ranker is not None)],
    }


def with_told(
    reading: Reading, catalog: Catalog, engine: Engine, sources: Sequence[str] | None = None
) -> tuple[Reading, str]:
    """The reading of a question about the assistant, its index or its last answer, which cites `sources`, with what
    answers it, or of one off the topic with the reason; and why that could not be told, '' where it could."""
    if engine.guide is None or reading.out_of_scope:
        return reading, ""
    try:
        told = engine.guide.tell(reading, catalog, sources)
        reason = "" if told or reading.spoken else engine.guide.off_topic(reading)
    except ModelFileError as error:
        return reading, f"not told whether it is about the index or the last answer: {error}"
    return reading.model_copy(update={"told": told, "out_of_scope": reason}), ""


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
    kind = next(kind for kind, of_kind in TOOLS_OF.items() if of_kind == tools)
    return Route(kind=kind, tools=tools, reason=reason, confidence=1.0)


def calls(
    reading: Reading, chosen: Route, context: Context, tables: int = 0, *, ranked: bool = False
) -> AIMessage:
    """The tool calls of a route, as the message LangGraph's ToolNode runs; more is looked up after `widen`, and of
    passages where what is found will be `ranked`. Else two `tables` take the place of a passage."""
    fetching = "kg_search" if "kg_search" in chosen.tools else "vector_search"
    among = ranked and not (reading.spoken or reading.parts)
    wider = WIDER if chosen.widened else 1
    k = {"kg_search": context.graph_k * wider, "vector_search": context.top_k * (WIDER if among else wider)}
    asked = dict(reading.tool_questions)
    if tables and "kg_search" in chosen.tools and not (chosen.widened or among):
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
