"""route: read the question against the index, choose tools, call them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage
from langchain_core.messages.tool import ToolCall

from graphs.contracts import Reading, Route, RouteKind, ToolName
from graphs.local.askers import asks_who_asked
from graphs.local.overview import asks_overview, lookups, with_year_before
from graphs.local.reading import read_question
from graphs.resources import Engine, Shelf
from graphs.state import Context, State
from graphs.steps.condense import kept
from graphs.steps.filters import scope_from_filters
from graphs.steps.parts import split
from tools.scope import Scope

TOOLS_OF: dict[RouteKind, tuple[ToolName, ...]] = {
    "extractive": ("kg_search",),
    "abstractive": ("vector_search",),
    "uncertain": ("vector_search", "kg_search"),
}


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
        return {"route": chosen, "lookups": [calls(state["reading"], chosen, context)]}
    if context.route == "auto":
        return read_and_call(
            state, context, shelf, lambda reading: with_both(engine.router.route(reading), reading)
        )
    kind: RouteKind = context.route
    return read_and_call(state, context, shelf, lambda _: fixed_route(TOOLS_OF[kind], "set by the caller"))


def read_and_call(
    state: State, context: Context, shelf: Shelf, choose: Callable[[Reading], Route]
) -> dict[str, Any]:
    """Read the question's filters, choose its route, write the tool calls; none where no tool could help."""
    index = shelf.get(state["generation"])
    user_scope = scope_from_filters(index.catalog, context.company, context.year, context.quarter)

    def read(question: str, within: Scope) -> Reading:
        return read_question(question, index.catalog, within, known_names=index.known_names)

    reading = split(read(state["standalone_question"], user_scope), index, user_scope, read)
    reading = reading.model_copy(update={"question": kept(reading.question)})
    if asks_overview(reading):
        reading = with_year_before(reading, index.catalog)
    chosen = choose(reading)
    if reading.out_of_scope:
        chosen = chosen.model_copy(update={"tools": ()})
    return {
        "standalone_question": reading.question,
        "user_scope": user_scope,
        "reading": reading,
        "scope": reading.scope,
        "route": chosen,
        "lookups": [calls(reading, chosen, context)],
    }


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


def calls(reading: Reading, chosen: Route, context: Context) -> AIMessage:
    """The tool calls of a route, as the message LangGraph's ToolNode runs; k doubles after `widen`."""
    factor = 2 if chosen.widened else 1
    asked = lookups(reading) if asks_overview(reading) else {}
    k = {"kg_search": context.graph_k * factor, "vector_search": context.top_k * factor}
    return AIMessage(
        content="",
        tool_calls=[
            ToolCall(
                name=tool,
                args={"question": asked.get(tool, reading.question), "k": k[tool]},
                id=str(uuid4()),
                type="tool_call",
            )
            for tool in chosen.tools
        ],
    )
