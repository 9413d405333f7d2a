from __future__ import annotations

import pytest

from evals.sample_check import SampleQuestion, load_sample, outcome, summarize
from graphs.contracts import Answer

QUESTION = SampleQuestion.model_validate(
    {
        "id": "q",
        "question": "What was the loss?",
        "answerable": True,
        "route": "extractive",
        "expected_numbers": [{"value": "-21.4", "unit": "USD", "scale": "million"}],
        "source": "a.pdf",
        "page": 3,
        "alternates": [{"source": "b.pdf", "page": 1}],
    }
)


def answer(text: str, document: str = "a.pdf", page: int = 3) -> Answer:
    return Answer.model_construct(
        status="answered" if text else "abstained",
        answer=text,
        citations=[_citation(document, page)] if text else [],
    )


def _citation(document: str, page: int) -> object:
    from graphs.contracts import Citation

    return Citation.model_construct(marker=1, source="graph", document=document, page=page, quote="")


@pytest.mark.parametrize(
    ("text", "document", "page", "expected"),
    [
        ("The loss was $21.4 million [1].", "a.pdf", 3, "right"),
        ("The loss was $21.4 million [1].", "b.pdf", 1, "right"),
        ("The loss was $21.4 million [1].", "b.pdf", 3, "not_cited"),
        ("The loss was $21.4 billion [1].", "a.pdf", 3, "figure_missing"),
        ("The loss was 21.4 percent [1].", "a.pdf", 3, "figure_missing"),
        ("", "a.pdf", 3, "abstained"),
    ],
)
def test_a_sample_answer_is_right_with_its_figure_and_a_citation_of_its_page(
    text: str, document: str, page: int, expected: str
) -> None:
    assert outcome(QUESTION, answer(text, document, page)) == expected


def test_an_unanswerable_question_must_be_refused() -> None:
    question = QUESTION.model_copy(update={"answerable": False})
    assert outcome(question, answer("")) == "refused"
    assert outcome(question, answer("The loss was $21.4 million [1].")) == "answered"


def test_the_summary_lists_what_went_wrong() -> None:
    rows = [(QUESTION, a, outcome(QUESTION, a)) for a in (answer("It was $21.4 million [1]."), answer(""))]
    summary = summarize(rows)
    assert summary["extractive"] == {"asked": 2, "good": 1}
    assert [miss["outcome"] for miss in summary["misses"]] == ["abstained"]


def test_every_answerable_sample_question_names_its_page() -> None:
    questions = load_sample()
    assert len(questions) >= 60
    assert all(question.pages for question in questions if question.answerable)
