"""Candidates for next questions: what is asked, and which answer is the one that is meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

import pytest

from agent.assistant import Assistant
from graphs.index import Index
from graphs.local.answer.line_ranking import LineRanker
from graphs.local.dialogue.dry_run import DryRun, dry_run
from graphs.local.dialogue.neighbours import line_of
from graphs.local.dialogue.next_questions import (
    AFTER_FIGURE,
    AFTER_NOTHING,
    AFTER_PEOPLE,
    AFTER_PROSE,
    Kind,
    Place,
)
from tools.evidence import Evidence
from tools.scope import Scope
from tools.vector.embeddings import LocalEmbeddings

RANKER = LineRanker(None, LocalEmbeddings())
REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"


@pytest.fixture
def index(assistant: Assistant) -> Index:
    return assistant.current()


@pytest.fixture
def run(index: Index) -> DryRun:
    """Of the question that the place below stands at."""
    found = dry_run(REVENUE, index, Scope(), RANKER)
    assert found is not None
    return found


@pytest.fixture
def place(index: Index, run: DryRun) -> Place:
    [cited] = run.cited
    line = line_of(cited, index)
    return Place("CDTH", cited.period, line, frozenset(), ("revenue",), AFTER_FIGURE)


def questions(place: Place, index: Index, kinds: Sequence[Kind] = AFTER_FIGURE) -> list[str]:
    return [candidate.question for kind in kinds for candidate in kind(place, index)]


@pytest.mark.parametrize(
    "question",
    [
        "What was Calderith Semiconductor's total revenue in the quarter ended April 1, 2023?",
        "Why did Calderith Semiconductor's revenue change in the quarter ended March 30, 2024?",
        "What was Calderith Semiconductor's product revenue in the quarter ended March 30, 2024?",
        "What was Calderith Semiconductor's net income in the quarter ended March 30, 2024?",
        "Who asked about gross margin on Calderith Semiconductor's Q2 earnings call?",
        "What did Calderith Semiconductor's management say about revenue?",
        "Who is the CFO of Calderith Semiconductor?",
    ],
)
def test_a_figure_has_neighbours_of_every_kind(index: Index, place: Place, question: str) -> None:
    assert question in questions(place, index)


def test_a_figures_candidate_is_met_by_that_figure_alone(index: Index, place: Place, run: DryRun) -> None:
    itself = [c for kind in AFTER_NOTHING[:1] for c in kind(place, index)]
    [other] = [c for kind in AFTER_FIGURE[:1] for c in kind(place, index)]
    assert [c.fits(run) for c in itself] == [True] and not other.fits(run)
    found = dry_run(other.question, index, Scope(), RANKER)
    assert found is not None and other.fits(found) and not itself[0].fits(found)


def test_a_figure_of_another_company_does_not_meet_a_candidate(
    index: Index, place: Place, run: DryRun
) -> None:
    [itself] = AFTER_NOTHING[0](place, index)
    [cited] = run.cited
    stranger = replace(run, cited=(cited.model_copy(update={"company_key": "HRWM"}),))
    assert itself.fits(run) and not itself.fits(stranger)


def test_people_are_met_by_relations_alone(
    index: Index, place: Place, run: DryRun, chunk: Callable[..., Evidence]
) -> None:
    officer = AFTER_PEOPLE[0](place, index).__next__()
    relation = chunk(1, "Tobias Lindqvist is the CFO of Calderith.", "relation")
    assert officer.fits(replace(run, cited=(relation,))) and not officer.fits(run)


def test_without_a_line_there_are_no_figures_beside_it(index: Index, place: Place) -> None:
    found = questions(replace(place, item=None), index, AFTER_PROSE)
    assert not any("April 1, 2023" in each for each in found)
    assert any(each.startswith("Who asked about") for each in found)


def test_another_companys_figure_is_near_only_within_two_months(index: Index, place: Place) -> None:
    asked = place.item
    assert asked is not None

    def peers(end: date) -> list[str]:
        at = replace(place, period=replace(place.period, end=end))
        return [each for each in questions(at, index) if "Harrowmere" in each]

    assert peers(date(2024, 9, 1)) == [
        "What was Harrowmere Stores' revenue in the quarter ended September 30, 2024?"
    ]
    assert peers(date(2024, 7, 1)) == []
