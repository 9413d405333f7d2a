"""Comparisons from question to answer over the samples: split, looked up, tabled, and what is missing said."""

from __future__ import annotations

import re

from langchain_core.messages import HumanMessage

from agent.assistant import Assistant
from agent.endpoint.limits import Pace
from agent.endpoint.models import chat_model
from agent.engines import model_engine
from graphs.contracts import Answer
from graphs.routed import build_routed
from graphs.state import Context
from tests.endpoint import serving
from tests.scripted import ROUTE, Replies, script

BOTH = "Compare Calderith's revenue in Q2 2024 and Harrowmere's in Q3 2024."


def rows(answer: Answer) -> list[list[str]]:
    """Cells of the answer's table, its head and rule left out."""
    lines = [line for line in answer.answer.split("\n") if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def values(answer: Answer) -> list[str]:
    return [row[-2] for row in rows(answer)]


def test_each_company_is_read_in_its_own_period(assistant: Assistant) -> None:
    answer = assistant.ask(BOTH)
    assert values(answer) == ["1,284.6 million USD", "4,078 million USD"]
    assert answer.status == "answered" and answer.reason is None
    assert {
        (e.company_key, e.period.describe()) for e in answer.evidence if e.fact and e.fact.match > 0.9
    } == {
        ("CDTH", "three months ended March 30, 2024"),
        ("HRWM", "three months ended September 30, 2024"),
    }


def test_companies_and_periods_are_crossed_and_every_figure_has_a_row(assistant: Assistant) -> None:
    answer = assistant.ask("Harbor Club revenue and operating income in Q3 2024 and Q3 2023")
    assert values(answer) == [f"{n} million USD" for n in ("1,437", "94", "1,248", "61")]
    assert len(re.findall(r"^\| ---", answer.answer, re.MULTILINE)) == 1


def test_a_qualifier_holds_for_every_figure_that_shares_it(assistant: Assistant) -> None:
    answer = assistant.ask("What were Harbor Club's net sales and operating income in Q3 2024?")
    assert values(answer) == ["1,437 million USD", "94 million USD"]


def test_where_a_segment_has_no_such_figure_the_companys_is_said_to_be_the_companys(
    assistant: Assistant,
) -> None:
    answer = assistant.ask("What were Harbor Club's net sales and net income in Q3 2024?")
    assert values(answer) == ["1,437 million USD", "59 million USD"]
    assert answer.status == "partial"
    assert "Stated for the whole company, since nothing was found as asked: " in (answer.reason or "")
    assert (answer.reason or "").split(" (")[0] in answer.answer


def test_a_company_that_is_not_indexed_is_said_to_be_missing(assistant: Assistant) -> None:
    answer = assistant.ask("Compare Calderith's, Harrowmere's and Tilbrook's net income.")
    assert values(answer) == ["200.4 million USD", "59 million USD"]
    assert (answer.status, answer.reason) == ("partial", "Not in the indexed documents: Tilbrook.")
    assert answer.answer.endswith("\n\nNot in the indexed documents: Tilbrook.")


def test_what_goes_beyond_four_parts_is_said(assistant: Assistant) -> None:
    dates = "March 30, 2024, September 30, 2023, September 30, 2024 and December 31, 2023"
    answer = assistant.ask(f"Calderith's and Harrowmere's total assets as of {dates}")
    assert values(answer) == [f"{n} million USD" for n in ("5,640.7", "5,463.9", "11,349")]
    assert answer.status == "partial"
    lines = [f"{line}." for line in (answer.reason or "").split(". ")]
    assert "Left out, since a comparison has at most four parts: Harrowmere Stores, Inc." in (
        answer.reason or ""
    )
    assert "period ended December 31, 2023" in lines[-1]


def test_every_part_has_its_own_passages(assistant: Assistant) -> None:
    answer = assistant.ask("Compare how Calderith and Harrowmere explain the change of their gross margin.")
    passages = [e.company_key for e in answer.evidence if e.source == "vector"]
    assert passages == ["CDTH", "HRWM"] * 4


def test_a_filter_of_the_user_is_not_loosened_for_a_part(assistant: Assistant) -> None:
    answer = assistant.ask(BOTH, company="HRWM")
    assert {e.company_key for e in answer.evidence} == {"HRWM"}
    assert answer.status == "partial"
    assert "Outside the filter that is set: Calderith Semiconductor Corporation." in answer.answer


TABLE = (
    "| Company | Period | Revenue | Source |\n| --- | --- | --- | --- |\n"
    "| Calderith Semiconductor Corporation | three months ended March 30, 2024 | 1,284.6 million USD | [1] |\n"
    "| Harrowmere Stores, Inc. | three months ended September 30, 2024 | 4,078 million USD | [2] |"
)
PLAN = {
    **ROUTE,
    "form": "table",
    "lookups": [
        {"tool": "kg_search", "query": "Total revenue", "companies": ["CDTH"], "periods": ["2024-03-30"]},
        {"tool": "kg_search", "query": "Revenue", "companies": ["HRWM"], "periods": ["2024-09-30"]},
    ],
}


def ask(assistant: Assistant, told: str, revised: str = "NOT_IN_EVIDENCE") -> Answer:
    """BOTH, through a server whose model writes so."""
    with serving(Replies(script(told, revise=revised, plan=PLAN))) as server:
        engine = model_engine(chat_model(server.settings(), Pace(first=0.01, factor=1, jitter=0)))
        graph = build_routed(assistant.shelf, engine)
        found = graph.invoke({"messages": [HumanMessage(BOTH)]}, context=Context(deadline=20))
    answer: Answer = found["answer"]
    return answer


def test_a_models_table_of_all_parts_is_shown(assistant: Assistant) -> None:
    answer = ask(assistant, TABLE)
    assert (answer.engine, answer.status, answer.answer) == ("model", "answered", TABLE)


def test_of_a_models_table_with_a_wrong_figure_the_rows_that_hold_are_shown(assistant: Assistant) -> None:
    wrong = TABLE.replace("4,078", "4,870")
    answer = ask(assistant, wrong, wrong)
    assert (answer.engine, answer.status) == ("model", "partial")
    assert values(answer) == ["1,284.6 million USD"] and "4,870" not in answer.answer
