"""retrieve: LangGraph's ToolNode over the two read-only tools."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import zip_longest
from typing import Annotated, Any, Literal

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, tool
from langgraph.prebuilt import InjectedState, ToolNode

from graphs.contracts import Reading
from graphs.resources import Shelf
from graphs.state import Context, State
from graphs.steps.timing import overdue
from tools.documents.catalog import Catalog
from tools.evidence import Evidence
from tools.model.turn import Turn, turn
from tools.scope import Scope

MAX_PARTS = 4
"""Companies of a comparison that are searched one by one."""


def make_tools(shelf: Shelf, context_of: Any) -> list[BaseTool]:
    """kg_search and vector_search over `shelf`.

    A caller (a model included) chooses only the question and k; scope and generation come from the state, so
    no call can reach past the filters.
    """

    @tool("kg_search", response_format="content_and_artifact")
    def kg_search(
        question: str, k: int, state: Annotated[dict[str, Any], InjectedState]
    ) -> tuple[str, list[Evidence]]:
        """Facts and relations of the entities a question names, from the knowledge graph."""
        index = shelf.get(state["generation"])
        depth, months = context_of().depth, state["reading"].months
        scopes = parts_of(state["scope"], state["user_scope"], state["reading"], compared=True)
        with _turn(state):
            found = in_turns([index.kg_search(question, scope, k, depth, months) for scope in scopes], k)
        return _summary(found), found

    @tool("vector_search", response_format="content_and_artifact")
    def vector_search(
        question: str, k: int, state: Annotated[dict[str, Any], InjectedState]
    ) -> tuple[str, list[Evidence]]:
        """Passages and tables that are close in meaning or wording to a question."""
        index = shelf.get(state["generation"])
        weight = context_of().dense_weight
        scopes = parts_of(state["scope"], state["user_scope"], state["reading"], compared=False)
        with _turn(state):
            asked = [question_for(question, scope, state["reading"], index.catalog) for scope in scopes]
        found = in_turns(
            [index.vector_search(own, scope, k, weight) for own, scope in zip(asked, scopes, strict=True)], k
        )
        return _summary(found), found

    def _turn(state: dict[str, Any]) -> AbstractContextManager[Turn]:
        return turn("retrieve", deadline=state["turn_start"] + context_of().deadline)

    return [kg_search, vector_search]


def parts_of(scope: Scope, user_scope: Scope, reading: Reading, *, compared: bool) -> list[Scope]:
    """The scopes to search one by one: for several companies, each with the dates that a label such as
    'Q3 2023' means to it; `compared` adds the year-ago periods that a change is measured against.

    Passages are searched company by company without dates, too: those of one must not crowd out the other's.
    Never wider than the user's own filters: with a period among those, `scope` stays as it is.
    """
    if not compared and not scope.periods and 1 < len(scope.companies) <= MAX_PARTS:
        return [replace(scope, companies=(company,)) for company in scope.companies]
    if user_scope.periods or not scope.periods:
        return [scope]
    extra = reading.compared_periods if compared else ()
    if len(reading.company_periods) < 2 or scope != reading.scope:
        return [replace(scope, periods=(*scope.periods, *extra))]
    return [
        replace(scope, companies=(company,), periods=(*periods, *extra))
        for company, periods in reading.company_periods[:MAX_PARTS]
    ]


def question_for(question: str, scope: Scope, reading: Reading, catalog: Catalog) -> str:
    """The question as asked of one company of several: the others' names would turn its meaning away."""
    if len(scope.companies) != 1 or len(reading.companies) < 2:
        return question
    for name in sorted(reading.company_names, key=len, reverse=True):
        if catalog.find(name) not in scope.companies:
            question = question.replace(name, " ")
    return question


def in_turns(lists: list[list[Evidence]], k: int) -> list[Evidence]:
    """At most `k` pieces, the lists taking turns, renumbered."""
    turns = [item for turn in zip_longest(*lists) for item in turn if item is not None]
    return [item.model_copy(update={"rank": rank}) for rank, item in enumerate(turns[:k], start=1)]


def make_retrieve(shelf: Shelf) -> ToolNode:
    """The node: runs the last lookup's calls in parallel; a failing tool leaves a message, not a crash."""
    from langgraph.runtime import get_runtime

    def context_of() -> Context:
        return get_runtime(Context).context or Context()

    return ToolNode(
        make_tools(shelf, context_of), name="retrieve", messages_key="lookups", handle_tool_errors=_gap
    )


def after_retrieve(state: State, context: Context) -> Literal["merge", "widen"]:
    """`widen` when nothing at all was found, once, and only a question meant for these documents."""
    found = any(results_of(state))
    may_widen = context.widen and not state["widened"] and not state["reading"].out_of_scope
    may_widen = may_widen and not overdue(state, context)
    return "widen" if not found and may_widen else "merge"


def results_of(state: State) -> list[list[Evidence]]:
    """Evidence of the last lookup, one list a tool call, in call order; failed calls yield an empty list."""
    results: list[list[Evidence]] = []
    for message in reversed(state["lookups"]):
        if not isinstance(message, ToolMessage):
            break
        results.insert(0, list(message.artifact or []))
    return results


def _gap(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _summary(found: list[Evidence]) -> str:
    if not found:
        return "nothing found"
    return f"{len(found)} found; best: {found[0].text[:160]} ({found[0].document}, p. {found[0].page})"
