"""Which sentence may stand for the single fact that is asked for."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from graphs.contracts import Reading
from graphs.drafts.sentences import split
from graphs.local.answer.single_fact_quotes import is_of_asked_period, states_fact
from graphs.local.question.answer_form import read_answer_form
from tests.unit.graphs.conftest import NOW
from tools.evidence import Evidence
from tools.periods import PeriodFilter
from tools.scope import Scope

Make = Callable[..., Evidence]


@pytest.mark.parametrize(
    ("question", "text", "states"),
    [
        (
            "What was Orla's order backlog?",
            "Our order backlog was $310 million at the end of the quarter.",
            True,
        ),
        ("What was Orla's order backlog?", "Our order backlog grew nicely in the quarter.", False),
        ("How many stores did Orla open?", "We opened 12 stores in the quarter.", True),
        ("How many stores did Orla open?", "The stores that we opened cost $12 million.", False),
        ("What percentage of orders came from Japan?", "Some 40% of our orders came from Japan.", True),
        ("What percentage of orders came from Japan?", "Orders of $40 million came from Japan.", False),
        ("How many stores did Orla open in Osaka?", "We opened 12 stores in Kobe.", False),
    ],
)
def test_a_sentence_states_a_fact_of_the_kind_asked_for(
    chunk: Make, question: str, text: str, states: bool
) -> None:
    reading = Reading(question=question, companies=("ORLA",), company_names=("Orla",))
    [sentence] = split(chunk(1, text))
    assert states_fact(sentence, read_answer_form(reading, frozenset({"orla"})), reading) is states


def test_a_sentence_is_of_the_period_if_its_document_is_or_if_it_says_so(chunk: Make) -> None:
    spring = date(2024, 3, 30)
    asked = {
        end: Reading(question="?", scope=Scope(periods=(PeriodFilter(end=end),))) for end in (NOW, spring)
    }
    plain, dated = split(chunk(1, "Prices held up well. Prices fell in the quarter ended March 30, 2024."))
    assert is_of_asked_period(plain, Reading(question="?"))
    assert is_of_asked_period(plain, asked[NOW]) and not is_of_asked_period(plain, asked[spring])
    assert is_of_asked_period(dated, asked[spring])
