"""A conversation is summed up, and the table shown that a figure stands in, from what was answered before."""

from __future__ import annotations

from agent.assistant import Assistant
from evals.dialogues import converse
from graphs.steps.cited_tables import cited_tables

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
SOURCE = "10Q-Q2-2024.pdf, p. 3: “Calderith, Total revenue, three months ended March 30, 2024: 1,284.6 million USD”"


def test_the_table_and_the_conversation_are_those_of_the_answers_before(assistant: Assistant) -> None:
    turns = [REVENUE, "and gross profit?", "show me that table", "sum up our conversation please"]
    answers = [
        answer for _, answer in converse(assistant.build("agent"), assistant.context(clarify=False), turns)
    ]
    table, summary = answers[2].answer, answers[3].answer
    assert table.startswith("10Q-Q2-2024.pdf, p. 3:") and "\n\n| " in table
    assert "| Total revenue |" in table and "Gross profit" in table
    assert summary.count("\n- ") == 3 and "1,284.6 million USD" in summary and "[1]" not in summary


def test_no_table_is_shown_of_another_page_or_without_the_figure_that_was_cited(assistant: Assistant) -> None:
    index = assistant.shelf.current()
    assert "1,284.6" in cited_tables(REVENUE, [SOURCE], index)
    assert cited_tables(REVENUE, [SOURCE.replace("p. 3", "p. 4")], index) == ""
    assert cited_tables(REVENUE, [SOURCE.replace("1,284.6", "9,999.9")], index) == ""
    assert cited_tables(REVENUE, ["10Q-Q2-2024.pdf, p. 3: “Demand rose.”"], index) == ""
