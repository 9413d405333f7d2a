"""The step before a question is read: what of a conversation the condenser is told."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from agent.assistant import Assistant
from agent.engines import local_engine
from graphs.state import Context
from graphs.steps.condense import MAX_TURNS, SOURCES, UNDERSTOOD, cited_before, condense


class Unread(HumanMessage):
    """A message that must not be looked at."""

    @property
    def text(self) -> Any:
        raise AssertionError("what is far back is read")


def turn(asked: str, understood: str, kind: type[HumanMessage] = HumanMessage) -> list[AnyMessage]:
    return [kind(asked), AIMessage("An answer [1].", additional_kwargs={UNDERSTOOD: understood})]


def understood(assistant: Assistant, *messages: AnyMessage) -> str:
    state: Any = {"messages": list(messages)}
    update = condense(state, Context(), shelf=assistant.shelf, engine=local_engine())
    return str(update["standalone_question"])


def test_a_chain_of_follow_ups_knows_its_company_by_what_was_understood(assistant: Assistant) -> None:
    short = turn(
        "and gross profit?", "What was Calderith's gross profit in the quarter ended March 30, 2024?"
    )
    assert understood(assistant, *(short * 12), HumanMessage("and R&D?")) == (
        "What was Calderith's R&D in the quarter ended March 30, 2024?"
    )


def test_what_was_said_far_back_is_not_looked_at(assistant: Assistant) -> None:
    far = turn("What was Harrowmere's net income?", "What was Harrowmere's net income?", Unread) * 500
    near = turn("thanks", "thanks") * MAX_TURNS
    assert understood(assistant, *far, *near, HumanMessage("and gross profit?")) == "and gross profit?"


def test_a_question_that_another_program_answered_is_read_as_it_was_typed(assistant: Assistant) -> None:
    typed = [HumanMessage("What was Calderith's gross profit in Q2 2024?"), AIMessage("695.9 million USD.")]
    assert understood(assistant, *typed, HumanMessage("and R&D?")) == "What was Calderith's R&D in Q2 2024?"


def test_a_first_question_leans_on_the_one_company_that_the_filters_leave(assistant: Assistant) -> None:
    def asked(question: str, company: str | None) -> str:
        state: Any = {"messages": [HumanMessage(question)]}
        context = Context(company=company)
        update = condense(state, context, shelf=assistant.shelf, engine=local_engine())
        return str(update["standalone_question"])

    assert "Harrowmere" in asked("What does it say about theft?", "HRWM")
    assert asked("What does it say about theft?", None) == "What does it say about theft?"
    assert asked("Which risks are described?", "HRWM") == "Which risks are described?"


@pytest.mark.parametrize(
    ("asked", "pinned", "expected"),
    [
        ("and R&D?", {"company": "HRWM"}, "What was Harrowmere Stores, Inc's R&D"),
        ("and Calderith's R&D?", {"company": "HRWM"}, "What was Calderith's R&D"),
        ("and R&D?", {"company": "CDTH"}, "What was Calderith's R&D in the quarter ended March 30, 2024?"),
        ("and R&D?", {"year": 2023}, "What was Calderith's R&D in calendar 2023?"),
        ("and R&D in Q2 2024?", {"year": 2023}, "What was Calderith's R&D in Q2 2024?"),
    ],
)
def test_what_the_user_pinned_wins_over_what_a_turn_takes_from_those_before(
    assistant: Assistant, asked: str, pinned: dict[str, Any], expected: str
) -> None:
    before = turn("Sales?", "What was Calderith's gross profit in the quarter ended March 30, 2024?")
    state: Any = {"messages": [*before, HumanMessage(asked)]}
    update = condense(state, Context(**pinned), shelf=assistant.shelf, engine=local_engine())
    assert str(update["standalone_question"]).startswith(expected)


def test_what_the_answers_before_cite_is_told_with_their_questions_the_latest_first() -> None:
    cited = [
        AIMessage("A [1].", additional_kwargs={UNDERSTOOD: "What?", SOURCES: ["a.pdf, p. 1: “b”"]}),
        HumanMessage("and?"),
        AIMessage("Nothing.", additional_kwargs={UNDERSTOOD: "And?"}),
    ]
    assert cited_before(cited) == [("And?", []), ("What?", ["a.pdf, p. 1: “b”"])]
