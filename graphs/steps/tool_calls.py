"""Routes and plans -> the tool calls that LangGraph's ToolNode runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage
from langchain_core.messages.tool import ToolCall

from graphs.contracts import PlannedCalculation, PlannedCall, Reading, Route, ToolName
from graphs.state import Context

WIDER = 3
"""Times as much is looked up after widening, and of passages where a learned fit chooses among them."""
MAX_TABLES_OF_CALL = 3
"""Tables fetched beside the figures of one planned call."""


def calls(
    reading: Reading, chosen: Route, context: Context, tables: int = 0, *, ranked: bool = False
) -> AIMessage:
    """The tool calls of a route, as the message LangGraph's ToolNode runs; more is looked up after `widen`, and of
    passages where what is found will be `ranked`. Else two `tables` take the place of a passage."""
    fetching = "kg_search" if "kg_search" in chosen.tools else "vector_search"
    among = ranked and not (reading.spoken or reading.parts)
    wider = WIDER if chosen.widened else 1
    k = {
        "kg_search": context.graph_k * wider,
        "vector_search": context.top_k * (WIDER if among else wider),
        "ontology_search": context.top_k * wider,
    }
    asked = {**dict(reading.tool_questions), "corpus_search": reading.of_companies}
    if tables and "kg_search" in chosen.tools and not (chosen.widened or among):
        k["vector_search"] = max(1, context.top_k - tables // 2)
    return AIMessage(
        content="",
        tool_calls=[
            ToolCall(
                name=tool,
                args={"question": asked.get(tool, reading.question)}
                | ({"k": k[tool]} if tool in k else {})
                | ({"tables": tables} if tables and tool == fetching else {}),
                id=str(uuid4()),
                type="tool_call",
            )
            for tool in chosen.tools
        ],
    )


def with_concept_call(
    asked: Sequence[PlannedCall], question: str, concepts: Sequence[str]
) -> tuple[PlannedCall, ...]:
    """The calls of a plan, and where it searches for passages and the question leads to concepts, one that follows them
    within the first such call's filter."""
    first = next((each for each in asked if each.tool == "vector_search"), None)
    if first is None or not concepts:
        return tuple(asked)
    return (*asked, first.model_copy(update={"tool": "ontology_search", "question": question, "depth": None}))


def planned_calls(asked: Sequence[PlannedCall], context: Context) -> AIMessage:
    """The tool calls of a plan, each with its own filter, as the message LangGraph's ToolNode runs."""
    more: dict[ToolName, dict[str, Any]] = {
        "kg_search": {"k": context.graph_k, "tables": MAX_TABLES_OF_CALL},
        "vector_search": {"k": context.top_k},
        "ontology_search": {"k": context.top_k},
    }
    return AIMessage(
        content="",
        tool_calls=[
            ToolCall(
                name=each.tool,
                args=each.model_dump(mode="json", exclude={"tool"}, exclude_none=True) | more[each.tool],
                id=str(uuid4()),
                type="tool_call",
            )
            for each in asked
        ],
    )


def with_calculations(asked: AIMessage, planned: Sequence[PlannedCalculation]) -> AIMessage:
    """The same message with the calls of `calculate` behind the searches."""
    computed = [
        ToolCall(
            name="calculate",
            args={"question": each.question, "calculation": each.model_dump(mode="json")},
            id=str(uuid4()),
            type="tool_call",
        )
        for each in planned
    ]
    return AIMessage(content="", tool_calls=[*asked.tool_calls, *computed])


def computing(chosen: Route, planned: Sequence[PlannedCalculation]) -> Route:
    """The route with `calculate`, where it is asked for more than what no page happens to print."""
    asked = any(not each.asked.derived for each in planned)
    return chosen.model_copy(update={"tools": (*chosen.tools, "calculate")}) if asked else chosen


def with_concepts(chosen: Route, concepts: Sequence[str]) -> Route:
    """The route with `ontology_search` behind `vector_search`, where the question leads to concepts of an ontology."""
    if not concepts or "vector_search" not in chosen.tools:
        return chosen
    at = chosen.tools.index("vector_search") + 1
    named = ", ".join(f"'{each}'" for each in concepts)
    return chosen.model_copy(
        update={
            "tools": (*chosen.tools[:at], "ontology_search", *chosen.tools[at:]),
            "reason": f"{chosen.reason}; leads to {named}",
        }
    )


SEARCH_TOOLS: tuple[ToolName, ...] = ("vector_search", "ontology_search", "kg_search")
"""In the order in which they are asked, and what they find is shown."""


def tools_of(asked: Sequence[PlannedCall]) -> tuple[ToolName, ...]:
    used = {each.tool for each in asked}
    return tuple(tool for tool in SEARCH_TOOLS if tool in used)
