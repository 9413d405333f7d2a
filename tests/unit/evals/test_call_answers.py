"""The scorer of analysts' questions, and the set itself."""

from __future__ import annotations

from typing import Any

import pytest

from evals.call_answers import QUESTIONS, CallQuestion, describe, score, summarize
from evals.records import load
from graphs.contracts import Answer, Route
from graphs.local.question.spoken_questions import is_spoken


def question(**changes: Any) -> CallQuestion:
    known: dict[str, Any] = {
        "id": "a1",
        "question": "Marta, how are inventories?",
        "company": "ORLA",
        "year": 2024,
        "quarter": 2,
        "answerable": True,
        "gold": ["two weeks", "normal levels"],
        "half": "tune",
    }
    return CallQuestion.model_validate({**known, **changes})


def answer(text: str, status: Any = "answered") -> Answer:
    route = Route(kind="abstractive", tools=("vector_search",), reason="", confidence=1)
    return Answer(question="q", standalone_question="q", status=status, answer=text, route=route)


@pytest.mark.parametrize(
    ("asked", "got", "expected"),
    [
        (question(), answer("Marta: “It came down by two\n weeks.” [1]"), "right"),
        (question(), answer("Marta: “Pricing held up.” [1]"), "other"),
        (question(), answer("Looked for two weeks.", "abstained"), "abstained"),
        (question(answerable=False, gold=[]), answer("Nothing.", "abstained"), "refused"),
        (question(answerable=False, gold=[]), answer("Marta: “It came down.” [1]"), "invented"),
    ],
)
def test_an_answer_is_worth_what_it_quotes(asked: CallQuestion, got: Answer, expected: str) -> None:
    assert score(asked, got) == expected


def test_the_summary_counts_both_kinds_apart_and_shows_what_went_wrong() -> None:
    absent = question(id="n1", answerable=False, gold=[], question="Marta, how are cruises?")
    outcomes = [
        (q, a, score(q, a)) for q, a in ((question(), answer("two weeks")), (absent, answer("Wafers.")))
    ]
    summary = summarize(outcomes)
    assert (summary["answerable"], summary["unanswerable"]) == (1, 1)
    told = describe(summary, show=True)
    assert "right       1 of   1" in told and "invented    1 of   1" in told
    assert "Marta, how are cruises?" in told and "Marta, how are inventories?" not in told


def test_the_half_to_tune_on_has_both_kinds() -> None:
    rows = load(QUESTIONS, CallQuestion, "tune")
    assert len({row.id for row in rows}) == len(rows)
    assert sum(row.answerable for row in rows) >= 30 and sum(not row.answerable for row in rows) >= 15
    assert all(bool(row.gold) == row.answerable == bool(row.document) for row in rows)
    assert sum(is_spoken(row.question) for row in rows) > 0.9 * len(rows)
