"""The routed graph as a machine: its edges, its bounded loops, what a failing tool or a bad draft does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from agent.assistant import Assistant
from agent.engines import local_engine
from agent.settings import Settings
from graphs.contracts import Answer, Draft, Reading, Verdict
from graphs.index import Index, Shelf
from graphs.input_error import InputError
from graphs.routed import build_routed
from graphs.state import Context
from tools.evidence import Evidence
from tools.scope import Scope

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
BOTH = Context(route="uncertain")
FALSE = "Total revenue was 999.9 million USD [1]."


class Stubborn:
    """An answerer that writes what no evidence supports, and does not mend it unless told how."""

    def __init__(self, text: str = FALSE, revised: str | None = None) -> None:
        self.text, self.revised = text, revised
        self.drafts: list[str] = []

    def draft(self, reading: Reading, evidence: Sequence[Evidence]) -> Draft:
        self.drafts.append(self.text)
        return Draft(text=self.text)

    def revise(self, reading: Reading, evidence: Sequence[Evidence], draft: Draft, verdict: Verdict) -> Draft:
        self.drafts.append(self.revised or self.text)
        return Draft(text=self.revised or self.text)


class Faulty:
    """An index whose named tools fail, as a damaged file would make them."""

    def __init__(self, index: Index, *broken: str) -> None:
        self.index, self.broken = index, broken
        self.number, self.catalog = index.number, index.catalog
        self.known_names, self.notice = index.known_names, index.notice
        self.place_of, self.continued = index.place_of, index.continued
        self.with_doubts, self.concepts_of = index.with_doubts, index.concepts_of
        self.profile_lines = index.profile_lines

    def kg_search(
        self, question: str, scope: Scope, k: int, depth: int, months: int | None
    ) -> list[Evidence]:
        if "kg_search" in self.broken:
            raise OSError("SECRET-FAULT graph.jsonl: input/output error")
        return self.index.kg_search(question, scope, k, depth, months)

    def vector_search(
        self, question: str, scope: Scope, k: int, dense_weight: float, spoken: bool = False
    ) -> list[Evidence]:
        if "vector_search" in self.broken:
            raise OSError("SECRET-FAULT chroma.sqlite3: input/output error")
        return self.index.vector_search(question, scope, k, dense_weight, spoken)

    def tables(self, question: str, scope: Scope, k: int, *, whole: bool = False) -> list[Evidence]:
        if "kg_search" in self.broken:
            raise OSError("SECRET-FAULT graph.jsonl: input/output error")
        return self.index.tables(question, scope, k, whole=whole)


class OneIndex:
    """A shelf of one index."""

    def __init__(self, index: Index) -> None:
        self.index = index

    def current(self) -> Index:
        return self.index

    def get(self, number: int) -> Index:
        return self.index


def ask(
    shelf: Shelf, question: str, answerer: Any = None, context: Context | None = None
) -> tuple[list[str], Answer]:
    """Steps in order, and the answer."""
    engine = local_engine()
    graph = build_routed(shelf, replace(engine, answerer=answerer or engine.answerer))
    steps: list[str] = []
    answer: Answer | None = None
    state: Any = {"messages": [HumanMessage(question)]}
    for update in graph.stream(state, context=context or Context(), stream_mode="updates"):
        for step, fields in update.items():
            steps.append(step)
            answer = (fields or {}).get("answer", answer)
    assert answer is not None
    return steps, answer


def test_the_drawn_edges_are_those_of_the_design() -> None:
    nothing: Any = None
    drawn = build_routed(nothing, nothing).get_graph()
    assert {(e.source, e.target, e.conditional) for e in drawn.edges} == {
        ("__start__", "condense", False),
        ("condense", "plan", False),
        ("plan", "retrieve", True),
        ("plan", "check", True),
        ("retrieve", "merge", True),
        ("retrieve", "plan", True),
        ("merge", "generate", False),
        ("generate", "check", False),
        ("check", "answer", True),
        ("check", "revise", True),
        ("check", "plan", True),
        ("revise", "check", False),
        ("answer", "__end__", True),
        ("answer", "plan", True),
    }


def test_an_unsupported_statement_is_sent_back_once_then_the_question_is_widened_then_refused(
    assistant: Assistant,
) -> None:
    liar = Stubborn()
    steps, answer = ask(assistant.shelf, REVENUE, liar)
    assert steps.count("revise") == 1 and steps.count("plan") == 2
    assert len(liar.drafts) == 3
    assert (answer.status, answer.reason) == ("abstained", "unsupported")
    assert "999.9" not in answer.answer
    assert answer.citations == ()
    assert "total revenue" in answer.answer


def test_what_stays_unsupported_after_one_revision_is_trimmed_and_the_answer_is_partial(
    assistant: Assistant,
) -> None:
    good = "Calderith's total revenue for the three months ended March 30, 2024 was 1,284.6 million USD [1]."
    mixed = Stubborn(f"{good} Net income doubled to 777.7 million USD [1].")
    steps, answer = ask(assistant.shelf, REVENUE, mixed)
    assert steps.count("revise") == 1 and steps.count("plan") == 1
    assert len(mixed.drafts) == 2
    assert (answer.status, answer.answer) == ("partial", good)
    assert [c.marker for c in answer.citations] == [1]
    assert answer.faithfulness.score == 0.5


def test_a_revision_that_mends_the_draft_is_a_whole_answer(assistant: Assistant) -> None:
    good = "Calderith's total revenue for the three months ended March 30, 2024 was 1,284.6 million USD [1]."
    steps, answer = ask(assistant.shelf, REVENUE, Stubborn(FALSE, revised=good))
    assert steps[-4:] == ["check", "revise", "check", "answer"]
    assert (answer.status, answer.answer) == ("answered", good)


@pytest.mark.parametrize("text", ["", "   ", "## Figures", "Total revenue was 1,284.6 million USD."])
def test_a_draft_without_a_statement_that_cites_evidence_is_no_answer(
    assistant: Assistant, text: str
) -> None:
    _, answer = ask(assistant.shelf, REVENUE, Stubborn(text))
    assert (answer.status, answer.reason, answer.citations) == ("abstained", "unsupported", ())


def test_a_marker_that_points_at_nothing_is_never_shown(assistant: Assistant) -> None:
    good = "Calderith's total revenue for the three months ended March 30, 2024 was 1,284.6 million USD [1]."
    _, answer = ask(assistant.shelf, REVENUE, Stubborn(f"{good} Net income was 200.4 million USD [99]."))
    assert answer.status == "partial"
    assert "[99]" not in answer.answer
    assert any("[99]" in statement.reason for statement in answer.faithfulness.statements)


def test_without_widening_allowed_a_stubborn_answerer_gets_two_drafts(assistant: Assistant) -> None:
    liar = Stubborn()
    steps, answer = ask(assistant.shelf, REVENUE, liar, Context(widen=False))
    assert steps.count("plan") == 1 and len(liar.drafts) == 2
    assert answer.reason == "unsupported"


@pytest.mark.parametrize(
    ("broken", "left", "question", "told"),
    [
        ("kg_search", "vector", "Why did Calderith's gross margin change?", "Data Infrastructure"),
        ("vector_search", "graph", REVENUE, "1,284.6"),
    ],
)
def test_a_failing_tool_is_a_gap_and_the_others_evidence_is_used(
    assistant: Assistant, broken: str, left: str, question: str, told: str
) -> None:
    _, answer = ask(OneIndex(Faulty(assistant.current(), broken)), question, context=BOTH)
    assert {e.source for e in answer.evidence} == {left}
    assert [gap for gap in answer.gaps if gap.startswith(f"{broken} failed")]
    assert answer.status == "answered" and told in answer.answer
    assert "SECRET-FAULT" not in answer.answer
    assert answer.reason is not None and broken in answer.reason


def test_a_comparison_of_periods_whose_company_cannot_be_looked_up_is_a_gap_too(assistant: Assistant) -> None:
    broken = Faulty(assistant.current(), "kg_search")
    asked = "What was gross margin in the quarters ended March 30, 2024 and April 1, 2023?"
    _, answer = ask(OneIndex(broken), asked, context=BOTH)
    assert [gap for gap in answer.gaps if gap.startswith("kg_search failed")]


def test_when_both_tools_fail_the_assistant_abstains_and_says_so_without_an_error_text(
    assistant: Assistant,
) -> None:
    broken = Faulty(assistant.current(), "kg_search", "vector_search")
    steps, answer = ask(OneIndex(broken), REVENUE, context=BOTH)
    assert steps.count("plan") == 2
    assert (answer.status, answer.reason) == ("abstained", "no_evidence")
    assert "search failed" in answer.answer and "SECRET-FAULT" not in answer.answer
    assert len(answer.gaps) == len(set(answer.gaps)) == 2


def test_nothing_of_a_draft_is_streamed_before_its_check(sample_home: Path) -> None:
    engine = replace(local_engine(), answerer=Stubborn())
    seen: list[str] = []
    with Assistant(Settings(_env_file=None, home=sample_home), engine) as assistant:
        for step, fields in assistant.stream(REVENUE):
            assert set(fields) <= {"messages", "standalone_question", "route", "verdict", "answer", "usage"}
            if step != "answer":
                seen.append(step)
                shown = {name: value for name, value in fields.items() if name != "verdict"}
                assert "999.9" not in str(shown)
    assert seen.count("check") == 3


def test_tokens_of_a_draft_do_not_reach_a_chat_pane(assistant: Assistant) -> None:
    graph = build_routed(assistant.shelf, replace(local_engine(), answerer=Stubborn()))
    state: Any = {"messages": [HumanMessage(REVENUE)]}
    parts: list[Any] = list(graph.stream(state, stream_mode="messages"))
    assert parts[-1][0].text.startswith("The documents do not support an answer")
    assert not [message for message, _ in parts if "999.9" in str(message)]


def test_three_turns_leave_only_the_users_and_the_assistants_messages(assistant: Assistant) -> None:
    graph = build_routed(assistant.shelf, local_engine(), checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "t"}}
    answers: list[Answer] = []
    for question in (REVENUE, "And net income?", "What is the capital of France?"):
        answers.append(graph.invoke({"messages": [HumanMessage(question)]}, thread)["answer"])
    messages = graph.get_state(thread).values["messages"]
    assert [type(message) for message in messages] == [HumanMessage, AIMessage] * 3
    assert all(not getattr(message, "tool_calls", None) for message in messages)
    assert [m.text for m in messages[1::2]] == [answer.answer for answer in answers]
    assert "Calderith" in answers[1].standalone_question and "200.4" in answers[1].answer
    assert answers[2].status == "abstained" and answers[2].evidence == ()


def test_evidence_and_gaps_of_an_earlier_turn_do_not_leak_into_the_next(assistant: Assistant) -> None:
    broken = Faulty(assistant.current(), "kg_search")
    shelf = OneIndex(broken)
    graph = build_routed(shelf, local_engine(), checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "t"}}
    first: Answer = graph.invoke({"messages": [HumanMessage(REVENUE)]}, thread, context=BOTH)["answer"]
    assert first.gaps
    shelf.index = assistant.current()
    second: Answer = graph.invoke(
        {"messages": [HumanMessage("Who is the chief financial officer of Harrowmere?")]}, thread
    )["answer"]
    assert second.gaps == ()
    assert {e.company_key for e in second.evidence} == {"HRWM"}
    spans = graph.get_state(thread).values["spans"]
    assert [span["step"] for span in spans] == ["condense", "plan", "merge", "generate", "check", "answer"]


def test_a_run_without_a_question_is_refused(assistant: Assistant) -> None:
    graph = build_routed(assistant.shelf, local_engine())
    inputs: list[Any] = [{"messages": []}, {"messages": [AIMessage("hello")]}]
    for state in inputs:
        with pytest.raises(InputError, match="No question"):
            graph.invoke(state)


@pytest.mark.parametrize("bad", [{"quarter": 5}, {"top_k": 0}, {"depth": 99}, {"threshold": 1.5}])
def test_a_number_out_of_bounds_in_the_context_is_refused_by_name(bad: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(bad))):
        Context(**bad)


def test_past_its_deadline_a_question_gets_no_second_draft_and_no_wider_search(assistant: Assistant) -> None:
    liar = Stubborn()
    steps, answer = ask(assistant.shelf, REVENUE, liar, Context(deadline=0))
    assert len(liar.drafts) == 1 and "revise" not in steps and steps.count("plan") == 1
    assert (answer.status, answer.reason) == ("abstained", "unsupported")


def test_who_streams_a_turn_is_told_what_is_looked_for_what_was_found_and_the_checked_answer(
    assistant: Assistant,
) -> None:
    state: Any = {"messages": [HumanMessage(REVENUE)]}
    told = list(build_routed(assistant.shelf, local_engine()).stream(state, stream_mode="custom"))
    assert [list(each) for each in told] == [["planned"], ["found"], ["said"]]
    assert told[0]["planned"][0]["question"] == REVENUE and told[1]["found"] > 0
    assert "1,284.6 million USD" in told[2]["said"]
