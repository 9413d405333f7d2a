"""The worth of an answer's evidence: which expected figures it holds, and what the answer says without it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from evals.evidence import Asked, Figure, Found, score
from graphs.contracts import Answer, Route
from tests.pieces import piece

ASKED = Asked(
    id="e1",
    question="How did Orla's sales and margin move?",
    half="tune",
    kind="two figures",
    documents=("orla.pdf",),
    expected=(
        Figure(value=Decimal("5.2"), unit="USD", scale="billion"),
        Figure(value=Decimal("-41"), unit="USD", scale="million"),
    ),
)
HELD = "Net sales were $5,200 million; the operating loss was $(41) million."


def scored(text: str, *evidence: str, status: Any = "answered") -> Found:
    route = Route(kind="extractive", tools=(), reason="", confidence=1)
    pieces = tuple(piece(rank, each) for rank, each in enumerate(evidence, start=1))
    return score(
        ASKED,
        Answer(
            question="q", standalone_question="q", status=status, answer=text, route=route, evidence=pieces
        ),
    )


def test_a_figure_counts_whatever_its_scale_and_sign_and_a_marker_is_no_figure() -> None:
    found = scored("Sales were 5,200 million USD [1]; it lost $41 million [1].", HELD)
    assert (found.in_evidence, found.in_answer, found.wrong, found.chars) == (1, 1, 0, len(HELD))


def test_a_figure_may_stand_in_a_table_whose_heading_says_millions() -> None:
    found = scored("It lost.", "(In millions)\n| Net sales | 5,200 |\n| Operating loss | (41) |")
    assert (found.in_evidence, found.in_answer) == (1, 0)


def test_a_figure_that_the_evidence_lacks_is_named_and_one_of_the_answers_own_is_wrong() -> None:
    found = scored("Sales were 5,200 million USD; it lost $43 million.", "Net sales were $5.2 billion.")
    assert (found.in_evidence, found.in_answer, found.lacks, found.wrong) == (0.5, 0.5, ("-41",), 1)


def test_what_an_abstention_says_is_no_answer() -> None:
    found = scored("Perhaps 5,200 million USD, perhaps $43 million.", HELD, status="abstained")
    assert (found.abstained, found.in_answer, found.wrong, found.in_evidence) == (True, 0, 0, 1)
