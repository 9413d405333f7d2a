"""evals.learn_operands: which figures a question's operands are, and that more is told of them once it was learnt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evals.asked_lines import COMPUTED
from evals.computed import Computed
from evals.learn_operands import Example, _example, learn, told
from evals.records import DATA
from tests.accounts import ANNUAL, Y23, line
from tools.calculate.likely_lines import Field, Kind, Wished
from tools.evidence import Evidence
from tools.knowledge.search.kg_search import fact_evidence
from tools.knowledge.types import Triplet

NAMES = ("Valves", "Pumps", "Taps", "Rent")
ROWS = [line(ANNUAL, name, {Y23: str(100 + n)}, page=60 + n) for n, name in enumerate(NAMES)]


class Blind:
    """Every text lies where every other does."""

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.ones((len(texts), 1), np.float32)


def evidence(rows: Sequence[list[Triplet]]) -> list[Evidence]:
    return [fact_evidence(each, 1.0) for row in rows for each in row]


def example(kind: Kind, formula: str, *names: str, ruled: Sequence[str] = ()) -> Example:
    """Of a question that asks for these, whose operands they are."""
    figures = evidence(ROWS)
    by_name = dict(zip(NAMES, figures, strict=True))
    operands = tuple(
        {"value": 100 + NAMES.index(name), "source": figures[0].document.removesuffix(".pdf"), "page": 1}
        for name in names
    )
    asked = Computed(id="x", question=" and ".join(names), formula=formula, operands=operands)
    wished = Wished(asked.question, kind, tuple((name.lower(),) for name in names))
    own = [by_name[name] for name in ruled or names]
    return _example(asked, Field(wished, figures, own, frozenset(), Blind()))


def test_right_are_the_operands_that_the_formula_puts_there() -> None:
    assert example("one", "o1 / 4", "Taps").right == {(2,)}
    assert example("ratio", "o1 / o2 * 100", "Taps", "Rent").right == {(2, 3)}
    assert example("difference", "o2 - o1", "Taps", "Rent").right == {(3, 2)}
    assert example("share", "o1 > o2", "Taps", "Rent").right == {(2, 3)}
    assert example("difference", "o1 / o2", "Taps", "Rent").right == frozenset()


def test_rules_are_right_where_they_find_the_same_amounts() -> None:
    assert example("one", "o1", "Taps").by_rules
    assert not example("one", "o1", "Taps", ruled=["Rent"]).by_rules


def test_what_was_learnt_mends_rules_that_are_wrong() -> None:
    wrong = [example("one", "o1", name, ruled=["Rent"]) for name in NAMES[:3]]
    wrong += [example("ratio", "o1 / o2", "Taps", name, ruled=["Rent", "Taps"]) for name in NAMES[:2]]
    weights = learn(wrong)
    assert weights.figures["label asked"] > 0 > weights.figures["ruled"]
    best = [each.field.choices(weights)[0].figures for each in wrong]
    assert [labels(each) for each in best] == [
        ["Valves"],
        ["Pumps"],
        ["Taps"],
        ["Taps", "Valves"],
        ["Taps", "Pumps"],
    ]
    said = told([(each, 0.65, True) for each in wrong])
    assert (
        said.startswith("5 of 5 right, by rules 0") and "from 0.6: 5 gained" in said and "from 0.7: 0" in said
    )


def test_all_that_is_learnt_from_is_tuning_questions() -> None:
    assert all(name.startswith("computed_tune") and (DATA / f"{name}.jsonl").is_file() for name in COMPUTED)


def labels(figures: Sequence[Evidence]) -> list[str]:
    return [each.fact.metric for each in figures if each.fact]
