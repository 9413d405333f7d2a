"""What a figure is broken down into, read from the tables of the sample documents."""

from __future__ import annotations

from datetime import date

import pytest

from agent.assistant import Assistant
from graphs.local.question.reader import LocalReader
from tools.knowledge.search.breakdown import Dimension
from tools.scope import Scope


def parts(assistant: Assistant, company: str, metric: str, by: Dimension, *ends: date) -> tuple[str, ...]:
    index = assistant.current()
    return index.part_names(index.catalog.find(company) or "", metric, by, ends)


@pytest.mark.parametrize(
    ("company", "metric", "names"),
    [
        ("CDTH", "revenue", ("Data Infrastructure", "Connected Devices", "Automotive")),
        ("HRWM", "revenue", ("Department Stores", "Harbor Club", "International")),
        ("CDTH", "goodwill", ()),
        ("CDTH", "net income", ()),
    ],
)
def test_a_figure_is_broken_down_as_a_table_does_it_the_largest_part_first(
    company: str, metric: str, names: tuple[str, ...], assistant: Assistant
) -> None:
    assert parts(assistant, company, metric, "segment") == names


def test_a_table_of_other_periods_is_not_used(assistant: Assistant) -> None:
    assert parts(assistant, "CDTH", "revenue", "segment", date(2024, 3, 30))
    assert parts(assistant, "CDTH", "revenue", "segment", date(2019, 3, 30)) == ()


@pytest.mark.parametrize(
    "question",
    [
        "What was Calderith's total revenue by segment in the quarter ended March 30, 2024?",
        "Break down Calderith's revenue by segment in Q2 2024",
    ],
)
def test_a_figure_by_segment_is_stated_for_each_segment(question: str, assistant: Assistant) -> None:
    answer = assistant.ask(question)
    assert answer.status == "answered"
    assert all(figure in answer.answer for figure in ("742.5", "396.3", "145.8"))


@pytest.mark.parametrize(("figure", "spelled"), [("revenue", True), ("Automotive revenue", False)])
def test_of_a_breakdown_one_part_may_be_asked_for_alone(
    figure: str, spelled: bool, assistant: Assistant
) -> None:
    question = f"What was Calderith's {figure} by segment in the quarter ended March 30, 2024?"
    assert LocalReader().read(question, assistant.current(), Scope()).spelled_out == spelled


def test_a_figure_that_no_table_breaks_down_is_asked_for_as_it_is(assistant: Assistant) -> None:
    question = "What was Calderith's goodwill by segment as of March 30, 2024?"
    assert assistant.ask(question).standalone_question == question
