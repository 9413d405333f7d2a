"""merge: an answer is written from what fits its context; the baselines from all that they found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from agent.engines import local_engine
from graphs.contracts import Part, Plan, Reading, Route, RouteKind
from graphs.protocols import Ranker
from graphs.state import Context, State
from graphs.steps.merge import MAX_FACTS_SHARE, fitted, merge
from tests.pieces import piece
from tools.calculate.types import Asked, Calculation, Computed, Operand
from tools.evidence import AnswerLine, Evidence, fact_of
from tools.model_files import ModelFileError
from tools.periods import PeriodFilter
from tools.scope import Scope

Make = Callable[..., Evidence]
lengths = st.lists(st.integers(1, 1_500), max_size=12)


def chars(items: list[Evidence]) -> int:
    return sum(len(item.text) for item in items)


def passages(*lengths: int) -> list[Evidence]:
    return [piece(at, "p" * length) for at, length in enumerate(lengths, start=1)]


def facts(*lengths: int) -> list[Evidence]:
    changes = {"source": "graph", "kind": "relation"}
    return [
        piece(100 + at, "f" * length).model_copy(update=changes) for at, length in enumerate(lengths, start=1)
    ]


def shape(items: list[Evidence]) -> list[tuple[str, int]]:
    return [(item.text[0], len(item.text)) for item in items]


@given(said=lengths, known=lengths, room=st.integers(100, 4_000))
def test_what_fits_is_kept_in_order_and_never_exceeds_the_room_but_for_the_first_of_each(
    said: list[int], known: list[int], room: int
) -> None:
    asked, told = passages(*said), facts(*known)
    kept = fitted(asked, told, room)
    order = [item.item_id for item in asked + told]
    assert [item.item_id for item in kept] == [key for key in order if key in {e.item_id for e in kept}]
    firsts = [items[0] for items in (asked, told) if items]
    assert all(item in kept for item in firsts)
    assert chars(kept) <= max(room, chars(firsts), *(len(item.text) + room for item in firsts), 0)
    if chars(asked + told) <= room and chars(told) <= room * MAX_FACTS_SHARE:
        assert kept == asked + told
    if chars(firsts) <= room and (not told or not asked or len(told[0].text) <= room * MAX_FACTS_SHARE):
        assert chars(kept) <= room


def test_facts_are_kept_before_passages_and_take_four_fifths_of_the_room_at_most() -> None:
    kept = fitted(passages(100, 300, 300, 300), facts(*[100] * 9), 1_000)
    assert shape(kept) == [("p", 100)] + [("f", 100)] * 8
    kept = fitted(passages(300, 300, 300, 300), facts(*[100] * 9), 1_000)
    assert shape(kept) == [("p", 300)] + [("f", 100)] * 7  # the best passage has its place
    assert chars(fitted([], facts(*[100] * 20), 1_000)) == 1_000  # without passages the room is theirs


def test_passages_take_what_facts_leave() -> None:
    assert shape(fitted(passages(300, 300, 300, 300), facts(100), 1_000)) == [("p", 300)] * 3 + [("f", 100)]


def test_what_is_too_long_is_passed_over_for_what_follows() -> None:
    assert shape(fitted(passages(400, 900, 500, 200), [], 1_000)) == [("p", 400), ("p", 500)]
    assert shape(fitted([], facts(400, 900, 600), 1_000)) == [("f", 400), ("f", 600)]


def test_the_best_one_is_kept_whatever_its_length() -> None:
    assert shape(fitted(passages(5_000, 10), [], 1_000)) == [("p", 5_000)]
    assert shape(fitted([], facts(5_000), 1_000)) == [("f", 5_000)]
    assert fitted([], [], 1_000) == []


def merged(found: dict[str, list[Evidence]], context: Context, *, whole: bool = False) -> list[Evidence]:
    """The evidence that `merge` keeps of what the tools found."""
    tools: list[Any] = [
        ToolMessage("found", name=name, tool_call_id=name, artifact=items) for name, items in found.items()
    ]
    state = cast(
        State,
        {
            "lookups": [AIMessage(""), *tools],
            "reading": Reading(question="Why?"),
            "widened": False,
            "route": ROUTE,
            "plan": Plan(route=ROUTE),
        },
    )
    evidence = merge(state, context, engine=local_engine(), whole=whole)["evidence"]
    return cast(list[Evidence], evidence)


@pytest.mark.parametrize("order", [("kg_search", "vector_search"), ("vector_search", "kg_search")])
def test_the_context_is_bounded_numbered_and_vector_first(order: tuple[str, str]) -> None:
    found = {"vector_search": passages(*[400] * 6), "kg_search": facts(*[100] * 6)}
    kept = merged({name: found[name] for name in order}, Context(context_chars=1_500))
    assert shape(kept) == [("p", 400)] * 2 + [("f", 100)] * 6
    assert [item.rank for item in kept] == list(range(1, 9))


def test_the_baselines_context_is_whole() -> None:
    found = {"vector_search": passages(*[900] * 6), "kg_search": facts(*[900] * 6)}
    kept = merged(found, Context(context_chars=1_000), whole=True)
    assert shape(kept) == [("p", 900)] * 6 + [("f", 900)] * 6
    assert [item.rank for item in kept] == list(range(1, 13))


def test_a_figure_stays_beside_passages_that_would_fill_the_room(fact: Make) -> None:
    figure = fact(50, "Total net revenue", "4812")
    kept = merged(
        {"vector_search": passages(*[990] * 9), "kg_search": [figure]}, Context(context_chars=1_000)
    )
    assert figure.item_id in [item.item_id for item in kept]


def test_a_table_that_both_tools_found_takes_its_room_once() -> None:
    (table,) = passages(600)
    twice = table.model_copy(update={"source": "graph"})
    kept = merged({"vector_search": [table], "kg_search": [twice, *facts(400)]}, Context(context_chars=1_000))
    assert shape(kept) == [("p", 600), ("f", 400)]


def test_messages_of_the_reader_are_no_evidence() -> None:
    state = cast(
        State,
        {
            "lookups": [HumanMessage("Why?")],
            "reading": Reading(question="Why?"),
            "widened": False,
            "route": ROUTE,
            "plan": Plan(route=ROUTE),
        },
    )
    assert merge(state, Context(), engine=local_engine())["evidence"] == []


ROUTE = Route(kind="extractive", tools=("vector_search",), reason="", confidence=1.0)


class Backwards:
    """Ranks in the opposite order, and says of each that it may answer."""

    def rank(
        self, reading: Reading, evidence: Sequence[Evidence], *, roughly: bool = False
    ) -> list[Evidence]:
        line = AnswerLine(text="", share=1.0, chance=1.0, shown=True, likely=True)
        return [item.model_copy(update={"lines": (line,)}) for item in reversed(evidence)]


class Unsure:
    """Says of nothing that it may answer."""

    def rank(
        self, reading: Reading, evidence: Sequence[Evidence], *, roughly: bool = False
    ) -> list[Evidence]:
        return list(evidence)


class Missing(Backwards):
    """Lacks its model's files."""

    def rank(
        self, reading: Reading, evidence: Sequence[Evidence], *, roughly: bool = False
    ) -> list[Evidence]:
        if not roughly:
            raise ModelFileError("model.onnx is missing. Run: pip install it")
        return super().rank(reading, evidence, roughly=True)


def ranked(
    ranker: Ranker,
    *,
    widened: bool,
    spoken: bool = False,
    kind: RouteKind = "extractive",
    whole: bool = False,
    tools: Sequence[str] = ("vector_search", "kg_search"),
    parts: tuple[Part, ...] = (),
    figures: Sequence[Evidence] = (),
) -> dict[str, Any]:
    """What `merge` makes of two passages and two relations, or `figures`, with a ranker."""
    found = {"vector_search": passages(10, 20), "kg_search": list(figures) or facts(30, 40)}
    messages: list[Any] = [
        ToolMessage("found", name=name, tool_call_id=name, artifact=found[name]) for name in tools
    ]
    reading = Reading(question="Why?", spoken=spoken, parts=parts)
    route = Route(kind=kind, tools=("vector_search",), reason="", confidence=1.0)
    state = cast(
        State,
        {
            "lookups": [AIMessage(""), *messages],
            "reading": reading,
            "widened": widened,
            "route": route,
            "plan": Plan(route=route),
        },
    )
    return merge(state, Context(), engine=replace(local_engine(), ranker=ranker), whole=whole)


def lengths_of(result: dict[str, Any]) -> list[int]:
    return [len(item.text) for item in result["evidence"]]


def test_after_widening_a_ranker_orders_passages_and_facts_each_among_themselves() -> None:
    assert lengths_of(ranked(Backwards(), widened=True)) == [20, 10, 40, 30]


def test_passages_are_ranked_at_once_and_figures_alone_only_after_widening() -> None:
    assert lengths_of(ranked(Backwards(), widened=False)) == [20, 10, 40, 30]
    assert lengths_of(ranked(Backwards(), widened=False, tools=("kg_search",))) == [30, 40]
    assert lengths_of(ranked(Backwards(), widened=True, tools=("kg_search",))) == [40, 30]


def test_for_spoken_questions_the_tools_own_order_stays() -> None:
    assert lengths_of(ranked(Backwards(), widened=False, spoken=True)) == [10, 20, 30, 40]


def test_a_baseline_keeps_the_order_in_which_was_found() -> None:
    assert lengths_of(ranked(Backwards(), widened=False, whole=True)) == [10, 20, 30, 40]


def test_parts_keep_their_order_and_none_of_the_figures_that_nobody_asked_for() -> None:
    named, printed = facts(30, 50)
    figures = [printed.model_copy(update={"score": 0.0}), named]
    parts = (Part(company="ORLA", name="Orla"),)
    assert lengths_of(ranked(Unsure(), widened=True, parts=parts, figures=figures)) == [10, 20, 30]


def test_a_ranker_without_its_files_ranks_roughly_and_says_so() -> None:
    result = ranked(Missing(), widened=True)
    assert lengths_of(result) == [20, 10, 40, 30]
    assert result["gaps"] == ["ranked roughly: model.onnx is missing. Run: pip install it"]


def computed_beside(fact: Make, scope: Scope) -> dict[str, float]:
    """Item id -> match, of what was computed with f1 and f2 and is printed as f3, where a search found all of them."""
    matches = {"1": 0.9, "2": 0.8, "3": 0.7, "4": 0.6}
    found = [_matched(fact(int(at), f"Line {at}", at), match) for at, match in matches.items()]
    own = [_matched(item, 0.0) for item in found[:3]]
    one, two, printed = (
        Operand(name="x", item_id=item.item_id, value="1", unit="", scale=0, label="", company_key="ORLA", company="",
                document="", page=1, period=item.period)
        for item in own
    )  # fmt: skip
    result = Computed(name="", company="Orla Inc.", formula="a / b", operands=(one, two), value="0.5")
    sum_ = Calculation(
        asked=Asked(title="rate"), title="rate", shown="percent", results=(result,), printed=printed
    )
    said = piece(9, "rate = 50 %").model_copy(
        update={"kind": "calculation", "source": "graph", "calculation": sum_}
    )
    messages = [
        ToolMessage("found", name="kg_search", tool_call_id="k", artifact=found),
        ToolMessage("computed", name="calculate", tool_call_id="c", artifact=[said, *own]),
    ]
    state = {
        "lookups": [AIMessage(""), *messages], "reading": Reading(question="Rate?"), "widened": False,
        "route": ROUTE, "plan": Plan(route=ROUTE), "scope": scope,
    }  # fmt: skip
    kept = merge(cast(State, state), Context(), engine=local_engine())["evidence"]
    assert len({item.item_id for item in kept}) == len(kept) == 5
    return {item.item_id: item.fact.match for item in kept if item.fact}


def _matched(item: Evidence, match: float) -> Evidence:
    return item.model_copy(update={"fact": fact_of(item).model_copy(update={"match": match}), "score": match})


def test_of_what_was_computed_only_the_printed_figure_answers_by_itself_for_a_period(fact: Make) -> None:
    then = Scope(periods=(PeriodFilter(fiscal_year=2024),))
    assert computed_beside(fact, then) == {"f1": 0.0, "f2": 0.0, "f3": 0.7, "f4": 0.6}


def test_without_a_period_the_operands_stand_with_the_earlier_figures_of_their_lines(fact: Make) -> None:
    assert computed_beside(fact, Scope()) == {"f1": 0.9, "f2": 0.8, "f3": 0.7, "f4": 0.6}
