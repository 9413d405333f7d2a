"""The scorer of dialogues, the helper that holds them, and the set itself."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any

import pytest

from agent.assistant import Assistant
from evals.dialogues import DIALOGUES, Dialogue, converse, score, summarize
from evals.records import load
from graphs.contracts import Answer, Reading, Route
from tools.documents.metadata.catalog import Catalog
from tools.documents.types import Document
from tools.evidence import Evidence
from tools.periods import Period, PeriodFilter
from tools.scope import Scope

END, BEFORE = date(2023, 6, 30), date(2023, 3, 31)


def document(key: str, end: date) -> Document:
    return Document(
        id=f"{key}{end}", name=f"{key}.pdf", path=f"{key}.pdf", title=key, company=f"{key} Inc.", company_key=key,
        ticker=key, aliases=(), doc_type="10-Q", fiscal_year=2023, fiscal_quarter=2, period_end=end, pages=1,
    )  # fmt: skip


CATALOG = Catalog([document("ORLA", END), document("ORLA", BEFORE), document("TLBK", END)])
FIGURE = {
    "company": "ORLA", "value": "41", "unit": "USD", "scale": "million", "period_end": END, "months": 3,
}  # fmt: skip


def dialogue(**fields: Any) -> Dialogue:
    common = {"id": "d", "home": "sample", "half": "tune", "kind": "company", "turns": ["a", "b"]}
    return Dialogue.model_validate({**common, "companies": ["ORLA"], **fields})


def reading(
    *companies: str, ends: tuple[date, ...] = (END,), question: str = "Orla's net income?"
) -> Reading:
    periods = tuple(PeriodFilter(end=end) for end in ends)
    return Reading(question=question, scope=Scope(companies=companies, periods=periods))


def answer(text: str = "Net income was 41 million USD [1].", status: Any = "answered") -> Answer:
    fact = Evidence.model_validate(
        {
            "rank": 1, "source": "graph", "text": "x", "document": "q.pdf", "document_id": "q", "page": 1, "score": 1,
            "item_id": "f1", "kind": "fact", "company_key": "ORLA", "company": "Orla", "doc_type": "10-Q",
            "period": Period(END, 3),
            "fact": {"metric": "m", "value": "41", "unit": "USD", "printed": "41", "period": Period(END, 3)},
        }
    )  # fmt: skip
    route = Route(kind="extractive", tools=(), reason="", confidence=1)
    return Answer(
        question="b", standalone_question="b", status=status, answer=text, route=route, evidence=(fact,)
    )


WHOLE = dialogue(
    period_ends=[END],
    about=["net income|profit"],
    figures=[FIGURE],
    must_not={"companies": ["TLBK"], "period_ends": [BEFORE]},
)


def test_a_turn_with_the_right_scope_subject_and_figure_is_resolved() -> None:
    assert score(WHOLE, reading("ORLA"), answer(), CATALOG) == ("resolved", ())


@pytest.mark.parametrize(
    "misread",
    [
        reading(),
        reading("TLBK"),
        reading("ORLA", "TLBK"),
        reading("ORLA", ends=()),
        reading("ORLA", ends=(BEFORE,)),
        reading("ORLA", ends=(END, BEFORE)),
        reading("ORLA", question="Orla's revenue?"),
    ],
)
def test_another_company_period_or_subject_or_one_of_the_turns_before_is_misread(misread: Reading) -> None:
    assert score(WHOLE, misread, answer(), CATALOG).outcome == "misread"


@pytest.mark.parametrize(
    "other", [answer("Net income was 42 million USD [1]."), answer("Net income was 41 million USD [2].")]
)
def test_a_figure_that_is_wrong_or_cited_to_nothing_is_unanswered(other: Answer) -> None:
    assert score(WHOLE, reading("ORLA"), other, CATALOG).outcome == "unanswered"


def test_the_status_and_the_words_of_the_answer_count_too() -> None:
    asked = dialogue(companies=[], status="abstained", says=["small talk|knowledge"])
    assert score(asked, reading(), answer("It is small talk.", "abstained"), CATALOG).outcome == "resolved"
    assert score(asked, reading(), answer("It is small talk."), CATALOG).outcome == "unanswered"
    assert score(asked, reading(), answer("Paris.", "abstained"), CATALOG).outcome == "unanswered"


def test_misses_are_listed_of_the_tune_half_alone() -> None:
    miss = score(WHOLE, reading(), answer(), CATALOG)
    held = WHOLE.model_copy(update={"half": "held"})
    summary = summarize([(WHOLE, answer(), miss), (held, answer(), miss)])
    assert (summary["counts"]["misread"], len(summary["misses"])) == (2, 1)


def test_each_turn_is_asked_with_those_before_it(assistant: Assistant) -> None:
    turns = (
        "What was Calderith's net income in the quarter ended March 30, 2024?",
        "thanks",
        "and gross profit?",
    )
    understood, told = converse(assistant.build("agent"), assistant.context(), turns)[-1]
    assert understood.question == "What was Calderith's gross profit in the quarter ended March 30, 2024?"
    assert "695.9" in told.answer


def test_the_half_to_tune_on_has_thirty_dialogues_of_two_or_three_turns() -> None:
    dialogues = load(DIALOGUES, Dialogue, "tune")
    assert Counter(each.home for each in dialogues) == {"sample": 15, "real": 15}
    assert len({each.id for each in dialogues}) == 30
    for each in dialogues:
        assert 2 <= len(each.turns) <= 3
        assert each.figures or each.says or each.status or each.about
        assert {figure.company for figure in each.figures} <= set(each.companies)
        assert not set(each.must_not.companies) & set(each.companies)
        assert not set(each.must_not.period_ends) & set(each.period_ends)
