"""A quarter went well if two of three figures are up on the year before; the checker counts them again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphs.local.check.quarter_rule import judgement, judgement_fault, moves, went_well
from tests.unit.graphs.conftest import THEN
from tools.evidence import Evidence

Make = Callable[..., Evidence]
NAMES = ("Total net revenue", "Net income", "Diluted earnings per share")


@pytest.fixture
def figures(fact: Make) -> Callable[[str], list[Evidence]]:
    """'ud-': revenue is up, net income down, earnings per share are not found."""

    def made(ways: str) -> list[Evidence]:
        found: list[Evidence] = []
        for name, way in zip(NAMES, ways, strict=True):
            if way != "-":
                now = "120" if way == "u" else "80" if way == "d" else "100"
                found += [fact(len(found) + 1, name, now), fact(len(found) + 2, name, "100", end=THEN)]
        return found

    return made


@pytest.mark.parametrize(
    ("ways", "well"),
    [
        ("uuu", True),
        ("uud", True),
        ("u=u", True),
        ("udd", False),
        ("u=d", False),
        ("uu-", True),
        ("dd-", False),
    ],
)
def test_two_of_the_three_figures_must_be_up(
    figures: Callable[[str], list[Evidence]], ways: str, well: bool
) -> None:
    assert went_well(moves(figures(ways), figures(ways))) is well


@pytest.mark.parametrize("ways", ["ud-", "u--", "---"])
def test_nothing_is_said_where_a_missing_figure_could_turn_it(
    figures: Callable[[str], list[Evidence]], ways: str
) -> None:
    assert went_well(moves(figures(ways), figures(ways))) is None


def test_a_judgement_holds_only_as_the_cited_figures_say(figures: Callable[[str], list[Evidence]]) -> None:
    evidence = figures("uud")
    said = judgement(moves(evidence, evidence), True)
    assert judgement_fault(f"Yes, {said}", evidence) == ""
    wrong = "the cited figures do not support this judgement"
    assert judgement_fault(said.replace("did well", "did not do well"), evidence) == wrong
    assert judgement_fault(f"Yes, {said}", figures("udd")) == wrong
    assert judgement_fault(f"Yes, {said}", evidence[:2]) == wrong


def test_a_sentence_without_the_rule_is_left_to_other_checks(
    figures: Callable[[str], list[Evidence]],
) -> None:
    assert judgement_fault("Orla Devices did well [1].", figures("uuu")) is None
