"""The figures that a calculation is most likely of: features, choices, and how rules and choices meet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.accounts import ANNUAL, CATALOG, Y22, Y23, graph_of, line, year
from tools.calculate.compute import compute
from tools.calculate.likely_lines import (
    KINDS,
    MAX_PAIRED,
    Field,
    Weights,
    Wished,
    choose,
    learnt,
    same_amount,
)
from tools.calculate.operands import Chooser, Figures
from tools.calculate.shares import share_items
from tools.calculate.types import Asked, Calculation
from tools.evidence import Evidence
from tools.knowledge.search.kg_search import fact_evidence
from tools.knowledge.types import Triplet
from tools.model_files import ModelFileError
from tools.scope import Scope

NOTE: dict[str, Any] = {"statement": "other", "page": 81, "title": "Revenue by product"}
VALVES = line(ANNUAL, "Valves", {Y23: "300"}, **NOTE)
PUMPS = line(ANNUAL, "Pumps", {Y23: "100"}, **NOTE)
PUMPS_AGAIN = line(ANNUAL, "Pumps", {Y23: "100"}, statement="other", page=88, title="Overview")
RENT = line(ANNUAL, "Rent", {Y23: "20", Y22: "18"})
SURE, NEVER = {"": 9.0}, {"": -9.0}


class Blind:
    """Every text lies where every other does."""

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.ones((len(texts), 1), np.float32)


def evidence(*rows: list[Triplet]) -> list[Evidence]:
    return [fact_evidence(each, 1.0) for row in rows for each in row]


def field(wished: Wished, *rows: list[Triplet], ruled: Sequence[Evidence] = ()) -> Field:
    every = evidence(*rows)
    return Field(wished, every, ruled or every[:1] * len(wished.places), frozenset(), Blind())


def labels(figures: Sequence[Evidence]) -> list[str]:
    return [each.fact.metric for each in figures if each.fact]


def test_a_line_that_has_the_words_comes_first() -> None:
    wished = Wished("How fast did pumps grow?", "one", (("pumps sold",),))
    weights = Weights({"in line": 3.0}, {}, SURE)
    found = field(wished, VALVES, PUMPS, RENT)
    assert labels(choose(found, weights)) == ["Pumps"]
    assert choose(found, Weights({"in line": 3.0}, {}, NEVER)) == ()
    assert choose(Field(wished, [], found.ruled, frozenset(), Blind()), weights) == ()


def test_words_of_every_line_tell_nothing_and_a_name_of_the_company_is_none() -> None:
    wished = Wished("What did Orla's valves sales bring?", "one", (("valves sales",),), frozenset({"orla"}))
    lines = (
        line(ANNUAL, "Valves", {Y23: "300"}, path=("Sales",)),
        line(ANNUAL, "Pumps", {Y23: "1"}, path=("Sales",)),
    )
    valves, pumps = field(wished, *lines).places[0]["in line"]
    assert valves == 1.0 and 0 < pumps < 0.5
    assert "orla" not in field(wished, *lines).said


def test_a_word_is_the_printed_one_that_begins_alike() -> None:
    lines = (line(ANNUAL, "Canada", {Y23: "3"}), line(ANNUAL, "Interest", {Y23: "4"}))
    found = field(Wished("The Canadian share of Nordic and international?", "one", (("Canadian",),)), *lines)
    assert found.said == {"canada", "share", "nordic", "international"}
    assert found.names == {"canada", "nordic"}
    assert found.places[0]["in line"].tolist() == [1.0, 0.0]


def test_what_rules_found_is_told_by_its_amount_wherever_it_is_printed() -> None:
    (ruled,) = evidence(PUMPS)
    found = field(Wished("Pumps?", "one", (("pumps",),)), VALVES, PUMPS_AGAIN, ruled=(ruled,))
    assert found.places[0]["ruled"].tolist() == [0.0, 1.0]


def test_two_places_have_figures_of_different_amounts_and_of_the_likeliest_only() -> None:
    wished = Wished("Valves to pumps?", "ratio", (("valves",), ("pumps",)))
    found = field(wished, VALVES, PUMPS, PUMPS_AGAIN)
    pairs = found.pairs(found.scores({"in line": 1.0}))
    assert all(not same_amount(found.figures[a], found.figures[b]) for (a, b), _ in pairs)
    best = found.choices(Weights({"in line": 1.0}, {"a": 1.0, "b": 1.0, "table": 1.0}, {}))[0]
    assert labels(best.figures) == ["Valves", "Pumps"] and best.figures[0].page == best.figures[1].page
    many = [line(ANNUAL, f"Part {n}", {Y23: str(n + 1)}, **NOTE) for n in range(MAX_PAIRED + 5)]
    assert len(field(wished, *many).pairs(field(wished, *many).scores({}))) == MAX_PAIRED * (MAX_PAIRED - 1)


def test_a_lead_is_over_what_is_of_another_amount() -> None:
    wished = Wished("Pumps?", "one", (("pumps",),))
    found = field(wished, PUMPS, PUMPS_AGAIN, RENT)
    choices = found.choices(Weights({"in line": 8.0}, {}, {}))
    standing = found.standing(choices)
    assert standing["lead"] == 1.0 and standing["share"] > 0.99
    assert found.standing([]) == {"": 1.0}


def test_words_that_no_line_has_are_told() -> None:
    known = field(Wished("Rent?", "one", (("rent",),)), RENT)
    strange = field(Wished("Rent of ARR?", "one", (("ARR",),)), RENT)
    told = [each.standing(each.choices(Weights({}, {}, {})))["unnamed"] for each in (known, strange)]
    assert told == [0.0, 1.0]


BY_PRODUCT = graph_of(VALVES, PUMPS, RENT)
SOLD = Asked(
    formula="a - b",
    items=(("a", "valves"), ("b", "pumps")),
    said="Orla: valves less pumps?",
    title="as asked",
)


class Chosen:
    """Chooses figures by their labels; remembers how it was asked."""

    def __init__(self, *chosen: str) -> None:
        self._chosen, self.asked = chosen, list[tuple[Wished, list[str]]]()

    def __call__(self, field: Field) -> Sequence[Evidence]:
        self.asked.append((field.wished, labels(field.ruled)))
        return [next(each for each in field.figures if labels([each]) == [label]) for label in self._chosen]


def computed(asked: Asked, choose: Chooser, graph: Any = BY_PRODUCT) -> Calculation | None:
    figures = Figures(graph, Scope(), Blind(), choose)
    found, _ = compute(asked, figures, CATALOG, ("ORLA",), {"ORLA": (year(2023),)})
    return found[0].calculation if found else None


def test_other_figures_than_rules_find_are_called_as_they_are_printed() -> None:
    likely = Chosen("Valves", "Rent")
    found = computed(SOLD, likely)
    assert found is not None and [each.value for each in found.results[0].operands] == ["300", "20"]
    assert found.title == "Valves less Rent"
    wished, ruled = likely.asked[0]
    assert (wished.kind, wished.places) == ("difference", (("valves",), ("pumps",)))
    assert ruled == ["Valves", "Pumps"] and "orla" in wished.own_words


def test_what_rules_find_stands_where_nothing_else_is_sure() -> None:
    for likely in (Chosen(), Chosen("Valves", "Pumps")):
        found = computed(SOLD, likely)
        assert found is not None and found.title == "as asked"
        assert [each.value for each in found.results[0].operands] == ["300", "100"]


def test_nothing_is_chosen_where_rules_find_nothing() -> None:
    likely = Chosen("Valves", "Pumps")
    assert computed(SOLD.model_copy(update={"items": (("a", "moon dust"), ("b", "pumps"))}), likely) is None
    assert likely.asked == []


def test_nothing_is_chosen_in_place_of_one_figure_that_is_found_for_both() -> None:
    likely = Chosen("Valves", "Rent")
    found = computed(SOLD.model_copy(update={"items": (("a", "valves"), ("b", "valves"))}), likely)
    assert likely.asked == [] and (found is None or not found.results[0].value)


def test_a_printed_name_ends_no_sentence_and_has_a_short_heading() -> None:
    graph = graph_of(VALVES, PUMPS, line(ANNUAL, "Total Orla, Inc. taps", {Y23: "7"}, path=("Home",), **NOTE))
    found = computed(SOLD, Chosen("Valves", "Total Orla, Inc. taps"), graph)
    assert found is not None and found.title == "Valves less Total Orla, Inc taps (Home)"


@pytest.mark.parametrize(
    "change",
    [
        {"said": ""},
        {"of_all": True},
        {"items": (("a", "valves plus rent"), ("b", "pumps"))},
        {"items": (("a", "all excluding valves"), ("b", "pumps"))},
        {"formula": "a - b - c", "items": (("a", "valves"), ("b", "pumps"), ("c", "rent"))},
    ],
)
def test_rules_decide_on_sums_what_is_not_meant_and_without_a_question(change: dict[str, Any]) -> None:
    likely = Chosen("Valves", "Pumps")
    computed(SOLD.model_copy(update=change), likely)
    assert likely.asked == []


def test_a_name_in_the_question_that_no_chosen_figure_is_of_is_refused() -> None:
    asked = SOLD.model_copy(update={"said": "Orla: Valves less Pumps?", "title": "Valves less Pumps"})
    found = computed(asked, Chosen("Valves", "Rent"))
    assert found is not None and found.results[0].fault == "no figure found is of Pumps"


def test_a_part_of_a_share_goes_by_its_own_words() -> None:
    likely = Chosen()
    whole = line(ANNUAL, "Net revenue", {Y23: "4000"}, **NOTE)
    asked = Asked(
        formula="a / b", items=share_items("valves", "net revenue"), is_share=True, said="Share of valves?"
    )
    computed(asked, likely, graph_of(VALVES, whole))
    ((wished, _),) = likely.asked
    assert (wished.kind, wished.places) == ("share", (("valves",), ("net revenue",)))


def test_a_share_of_what_is_no_part_is_a_ratio_of_two_known_line_items() -> None:
    graph = graph_of(
        line(ANNUAL, "Net income", {Y23: "640"}),
        line(ANNUAL, "Dividends paid", {Y23: "-160"}, statement="cash_flow", page=44),
    )
    asked = Asked(
        formula="a / b", items=share_items("dividends", "net income"), shown="percent", is_share=True
    )
    found = computed(asked, Chosen(), graph)
    assert found is not None and found.results[0].value == "0.25"
    unknown = asked.model_copy(update={"items": share_items("moon dust", "net income")})
    assert computed(unknown, Chosen(), graph) is None


def test_the_weights_are_of_features_that_there_are() -> None:
    weights = learnt()
    one = field(Wished("Pumps?", "one", (("pumps",),)), PUMPS, RENT)
    known = set(one.places[0])
    pairs = set[str]()
    for kind in KINDS[1:]:
        two = field(Wished("Pumps to rent?", kind, (("pumps",), ("rent",))), PUMPS, RENT)
        pairs |= two.pairs(two.scores({}))[0][1].keys()
    standing = set(one.standing(one.choices(weights)))
    assert set(weights.figures) == known and set(weights.pairs) <= pairs
    assert set(weights.chance) - standing <= {f"is {kind}" for kind in KINDS}


def test_rules_stand_where_the_files_of_what_was_learnt_are_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = tmp_path / "likely_lines.json"
    damaged.write_text('{"figures": ')
    monkeypatch.setattr("tools.calculate.likely_lines.WEIGHTS", damaged)
    learnt.cache_clear()
    with pytest.raises(ModelFileError, match=r"evals\.learn_operands"):
        learnt()
    found = computed(SOLD, choose)
    assert found is not None and found.results[0].value == "200000000"
    monkeypatch.undo()
    learnt.cache_clear()
