"""The counting of refusals, and the set of questions that deserve one."""

from __future__ import annotations

from evals import unanswerable
from evals.records import load
from tests.unit.evals.test_facts import HERE, answer


def test_unanswerable_questions_count_as_refused_only_when_abstained() -> None:
    record = unanswerable.Unanswerable(id="u1", question="Tesla's revenue?", why="company", half="tune")
    refused, told = answer("Not found.", status="abstained"), answer("It was 5 USD [1].", HERE)
    partly = answer("Perhaps [1].", HERE, status="partial")
    summary = unanswerable.summarize([(record, refused), (record, told), (record, partly)])
    assert summary["by_why"] == {"company": {"asked": 3, "abstained": 1}}
    assert [item["got"] for item in summary["answered"]] == [told.answer, partly.answer]
    assert "1 of   3" in unanswerable.describe(summary)


def test_every_unanswerable_question_says_why() -> None:
    records = load(unanswerable.QUESTIONS, unanswerable.Unanswerable, "tune")
    assert len(records) >= 50
    assert all(r.why for r in records)
