"""retrieve: LangGraph's ToolNode over the read-only tools."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from typing import Annotated, Any, Literal

from langchain_core.tools import BaseTool, tool
from langgraph.prebuilt import InjectedState, ToolNode

from graphs.contracts import PlannedCalculation
from graphs.engine import Engine
from graphs.index import Index, Shelf
from graphs.state import Context, State
from graphs.steps.comparison import Search, in_turns, looked_up, searches
from graphs.steps.corpus import LOOKED_THROUGH, PERHAPS, looked_through
from graphs.steps.filters import scope_of_call
from graphs.steps.tables import with_tables
from graphs.steps.timing import overdue, turn_began
from graphs.steps.tool_calls import SEARCH_TOOLS
from graphs.steps.tool_results import UNCOMPUTED, results_of
from tools.evidence import Evidence
from tools.model.turn import Turn, turn
from tools.model_files import ModelFileError
from tools.scope import Scope

NEAREST = 12
"""Figures of each company that are looked for by the meaning of their lines."""
MAX_CONTINUED = 2
"""Passages of a planned call that are shown with what follows them."""


def make_tools(shelf: Shelf, engine: Engine, context_of: Any, *, plain: bool = False) -> list[BaseTool]:
    """The read-only tools over `shelf`; `plain`: as the baselines have them, without doubts and
    a ranking of its own for spoken questions.

    A caller (a model included) chooses the question, k and, of a planned call, a filter within the user's; scope and
    generation come from the state, so no call can reach past the filters.
    """

    @tool("kg_search", response_format="content_and_artifact")
    def kg_search(
        question: str,
        k: int,
        state: Annotated[dict[str, Any], InjectedState],
        tables: int = 0,
        companies: Sequence[str] | None = None,
        periods: Sequence[str] = (),
        doc_types: Sequence[str] = (),
        depth: int | None = None,
    ) -> tuple[str, list[Evidence]]:
        """Facts and relations of the entities a question names, from the knowledge graph, and up to `tables` whole
        tables that such facts stand in. With `companies`: of these, () for all, in these periods and documents."""
        index = shelf.get(state["generation"])
        depth, months = depth or context_of().depth, state["reading"].months
        if companies is not None:
            scope = scope_of_call(index.catalog, companies, periods, doc_types, state["user_scope"])
            with _turn(state):
                found = [*_of_profile(index, state, scope), *index.kg_search(question, scope, k, depth, None)]
                found += index.tables(question, scope, tables, whole=True)
            return _summary(found), found

        def ask(asked: str, scope: Scope) -> list[Evidence]:
            return index.kg_search(asked, scope, k, depth, months)

        with _turn(state):
            found = _found(state, searches_for(state, question, compared=True), k, ask, compared=True)
            found = found if plain else _with_profile_and_doubts(index, state, found)
            found = with_figures(state, beside_tables(state, found, question, tables))
        return _summary(found), found

    @tool("vector_search", response_format="content_and_artifact")
    def vector_search(
        question: str,
        k: int,
        state: Annotated[dict[str, Any], InjectedState],
        tables: int = 0,
        companies: Sequence[str] | None = None,
        periods: Sequence[str] = (),
        doc_types: Sequence[str] = (),
    ) -> tuple[str, list[Evidence]]:
        """Passages and tables that are close in meaning or wording to a question, and up to `tables` whole tables
        that are about it. With `companies`: of these, () for all, in these periods and documents."""
        index = shelf.get(state["generation"])
        weight, spoken = context_of().dense_weight, state["reading"].spoken and not plain
        if companies is not None:
            scope, own = (
                scope_of_call(index.catalog, companies, labels, doc_types, state["user_scope"])
                for labels in (periods, ())
            )
            with _turn(state):
                found = index.vector_search(question, scope, k, weight, spoken)
                found = found or index.vector_search(question, own, k, weight, spoken)
                found = index.continued(found, MAX_CONTINUED)
            return _summary(found), found
        most = 2 * k if spoken else k  # short exchanges fill what room the long ones leave

        def ask(asked: str, scope: Scope) -> list[Evidence]:
            return index.vector_search(asked, scope, most, weight, spoken)

        with _turn(state):
            found = _found(state, searches_for(state, question, compared=False), most, ask, compared=False)
            if not found and may_leave_periods(state):
                undated = {**state, "scope": replace(state["scope"], periods=())}
                asked = searches_for(undated, question, compared=False)
                found = _found(undated, asked, most, ask, compared=False)
            found = with_figures(state, beside_tables(state, found, question, tables))
        return _summary(found), found

    def with_figures(state: dict[str, Any], found: list[Evidence]) -> list[Evidence]:
        """After `widen` also the figures that the tables found print, and those whose lines come nearest to the
        question: a learned fit chooses among them."""
        if engine.ranker is None or not state["widened"]:
            return found
        tables = [item.item_id for item in found if item.kind == "table"]
        index, scope, reading = shelf.get(state["generation"]), state["scope"], state["reading"]
        near = list[Evidence]()
        with suppress(ModelFileError):  # the ranker says that it ranks roughly
            near = index.nearest_figures(reading.question, scope, reading.months, NEAREST)
        return [*found, *index.figures_of(tables, scope), *near]

    def may_leave_periods(state: dict[str, Any]) -> bool:
        """After `widen`, where the user has set none: documents of other years tell of that one, too."""
        return bool(state["widened"] and state["scope"].periods and not state["user_scope"].periods)

    def searches_for(state: dict[str, Any], question: str, *, compared: bool) -> list[Search]:
        scope, own, reading = state["scope"], state["user_scope"], state["reading"]
        catalog = shelf.get(state["generation"]).catalog
        return searches(scope, own, reading, question, catalog, engine.reader, compared=compared)

    def beside_tables(
        state: dict[str, Any], found: list[Evidence], question: str, most: int
    ) -> list[Evidence]:
        if most <= 0:
            return found
        asked, index = searches_for(state, question, compared=True), shelf.get(state["generation"])
        fixed = bool(state["user_scope"].periods)
        return with_tables(found, asked, question, index, most, engine.reader, fixed=fixed)

    def _turn(state: dict[str, Any]) -> AbstractContextManager[Turn]:
        return _timed_turn(state, context_of())

    return [
        kg_search,
        vector_search,
        make_ontology_search(shelf, context_of),
        make_corpus_search(shelf, engine, context_of),
        make_calculate(shelf, context_of),
    ]


def _with_profile_and_doubts(index: Index, state: dict[str, Any], found: list[Evidence]) -> list[Evidence]:
    return [*_of_profile(index, state, state["scope"]), *_with_doubts(index, state, found)]


def _with_doubts(index: Index, state: dict[str, Any], found: list[Evidence]) -> list[Evidence]:
    """`found`, less sure where one figure is asked for whose line comes nearer than that of the one found; of several
    figures none has a line that means the whole question."""
    reading = state["reading"]
    if reading.parts or reading.overview or len(reading.metrics) > 1:
        return found
    with suppress(ModelFileError):  # what is found by its words stands; the ranker says that it ranks roughly
        return index.with_doubts(reading.question, state["scope"], reading.months, found)
    return found


def _of_profile(index: Index, state: dict[str, Any], scope: Scope) -> list[Evidence]:
    reading = state["reading"]
    return [line for kind in reading.profile for line in index.profile_lines(kind, reading.question, scope)]


def make_ontology_search(shelf: Shelf, context_of: Callable[[], Context]) -> BaseTool:
    """ontology_search over `shelf`, within the question's filters."""

    @tool("ontology_search", response_format="content_and_artifact")
    def ontology_search(
        question: str,
        k: int,
        state: Annotated[dict[str, Any], InjectedState],
        companies: Sequence[str] | None = None,
        periods: Sequence[str] = (),
        doc_types: Sequence[str] = (),
    ) -> tuple[str, list[Evidence]]:
        """Passages that speak of the concepts a question names, or of their neighbours in an ontology, in whatever
        words. With `companies`: of these, () for all, in these periods and documents."""
        index, context = shelf.get(state["generation"]), context_of()
        scope = state["scope"]
        if companies is not None:
            scope = scope_of_call(index.catalog, companies, periods, doc_types, state["user_scope"])
        with _timed_turn(state, context):
            found = index.ontology_search(question, scope, k, context.dense_weight, context.concept_weight)
        return _summary(found), found

    return ontology_search


def make_corpus_search(shelf: Shelf, engine: Engine, context_of: Callable[[], Context]) -> BaseTool:
    """corpus_search over `shelf`, within the question's filters; it finds nothing for an engine without a ranker."""

    @tool("corpus_search", response_format="content_and_artifact")
    def corpus_search(
        question: str, state: Annotated[dict[str, Any], InjectedState]
    ) -> tuple[str, list[Evidence]]:
        """The companies of which what a question says is surely true, each with the passage or relation that shows it;
        where a judge decides that later, of the others what may show it, too. `question`: without its 'which
        companies': 'use Ernst & Young'. Says how many were looked through, and in a line of its own how many not."""
        index, found, reached, unreached = shelf.get(state["generation"]), list[Evidence](), 0, 0
        perhaps = PERHAPS if engine.judge is not None else 0
        if engine.ranker is not None:
            asked = state["reading"].model_copy(update={"of_companies": question})
            with _timed_turn(state, context_of()):
                found, reached, unreached = looked_through(
                    index, asked, state["scope"], engine.ranker, context_of(), perhaps
                )
        told = [f"{reached}{LOOKED_THROUGH}"]
        told += [f"{unreached} companies not looked through: the question's time is up"] if unreached else []
        return "\n".join(told), found

    return corpus_search


def make_calculate(shelf: Shelf, context_of: Callable[[], Context]) -> BaseTool:
    """calculate over `shelf`, within the user's filters."""

    @tool("calculate", response_format="content_and_artifact")
    def calculate(
        question: str, calculation: dict[str, Any], state: Annotated[dict[str, Any], InjectedState]
    ) -> tuple[str, list[Evidence]]:
        """What no page prints, from figures that pages do: measures, ratios, growth, sums, rankings, each with its
        formula and operands. `calculation`: a `graphs.contracts.PlannedCalculation`."""
        planned = PlannedCalculation.model_validate(calculation)
        with _timed_turn(state, context_of()):
            found, missing = shelf.get(state["generation"]).calculate(planned, state["user_scope"])
        lacking = f"{question}{UNCOMPUTED}{'; '.join(missing)} not found" if missing else ""
        return "\n".join(filter(None, (found[0].text if found else "", lacking))), found

    return calculate


def _timed_turn(state: dict[str, Any], context: Context) -> AbstractContextManager[Turn]:
    began = turn_began(state, context, time.monotonic(), after_retrieval=False)
    return turn("retrieve", deadline=began + context.deadline)


def _found(
    state: dict[str, Any],
    asked: Sequence[Search],
    k: int,
    ask: Callable[[str, Scope], list[Evidence]],
    *,
    compared: bool,
) -> list[Evidence]:
    lists = [found for each in asked for found in looked_up(each, ask)]
    # a figure and the one it is compared with
    least = 2 if compared and len(lists) > 1 and state["reading"].compared_periods else 1
    return in_turns(lists, k, least)


def make_retrieve(shelf: Shelf, engine: Engine, *, plain: bool = False) -> ToolNode:
    """The node: runs the last lookup's calls in parallel; a failing tool leaves a message, not a crash. `plain` as
    for `make_tools`."""
    from langgraph.runtime import get_runtime

    def context_of() -> Context:
        return get_runtime(Context).context or Context()

    return ToolNode(
        make_tools(shelf, engine, context_of, plain=plain),
        name="retrieve",
        messages_key="lookups",
        handle_tool_errors=_gap,
    )


def after_retrieve(state: State, context: Context) -> Literal["merge", "plan"]:
    """`plan` again when nothing at all was found, once, and only a question meant for these documents."""
    found = any(results_of(state, *SEARCH_TOOLS, "corpus_search", "calculate"))
    may_widen = context.widen and not state["widened"] and not state["reading"].out_of_scope
    may_widen = may_widen and not state["reading"].of_companies  # of none: that is the answer
    may_widen = may_widen and not (state["reading"].told or overdue(state, context))
    return "plan" if not found and may_widen else "merge"


def _gap(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _summary(found: list[Evidence]) -> str:
    if not found:
        return "nothing found"
    return f"{len(found)} found; best: {found[0].text[:160]} ({found[0].document}, p. {found[0].page})"
