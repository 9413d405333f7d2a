"""Questions about the sample documents, from the words typed to the cited answer."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from agent.assistant import Assistant
from graphs.contracts import Answer
from graphs.steps.filters import UnknownCompanyError
from tools.documents.text.cleaning import squeeze
from tools.store.errors import IndexMissingError

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
STRAIGHT = ["condense", "plan", "retrieve", "merge", "generate", "check", "answer"]
QUESTIONS = [
    REVENUE,
    "Why did Calderith's gross margin change?",
    "Harrowmere's inventory and why it changed?",
    "Who is the chief financial officer of Harrowmere?",
    "What was Harrowmere's net loss for the nine months ended September 30, 2023?",
    "What does Harrowmere say about theft?",
]


def steps(assistant: Assistant, question: str, **filters: Any) -> list[str]:
    return [step for step, _ in assistant.stream(question, **filters)]


@pytest.mark.parametrize(
    ("question", "kind", "tools"),
    [
        (REVENUE, "extractive", ("kg_search",)),
        ("What risks does Harrowmere describe in its filing?", "abstractive", ("vector_search",)),
        (
            "What was Calderith's net income in the quarter ended March 30, 2024, and why did it change?",
            "uncertain",
            ("vector_search", "kg_search"),
        ),
    ],
)
def test_each_kind_of_question_takes_its_tools(
    assistant: Assistant, question: str, kind: str, tools: tuple[str, ...]
) -> None:
    answer = assistant.ask(question)
    assert (answer.route.kind, answer.route.tools) == (kind, tools)
    assert answer.status == "answered"
    assert {e.source for e in answer.evidence} == {{"kg_search": "graph"}.get(t, "vector") for t in tools}
    order = [step for step in steps(assistant, question) if step != "revise"]
    assert order[: len(STRAIGHT) - 1] == STRAIGHT[:-1]
    assert order[-1] == "answer"


def test_an_extractive_question_goes_straight_through_the_diagram(assistant: Assistant) -> None:
    assert steps(assistant, REVENUE) == STRAIGHT


def test_a_question_for_no_document_goes_through_without_asking_a_tool(assistant: Assistant) -> None:
    assert steps(assistant, "What is the capital of France?") == STRAIGHT
    answer = assistant.ask("What is the capital of France?")
    assert (answer.status, answer.reason) == ("abstained", "out_of_scope")
    assert answer.route.tools == ()
    assert answer.evidence == () and answer.citations == ()
    assert answer.answer[0].isupper() and answer.answer.endswith(".")


def test_the_answer_states_value_unit_and_period_and_cites_its_page(assistant: Assistant) -> None:
    answer = assistant.ask(REVENUE)
    assert answer.status == "answered"
    assert "1,284.6 million USD" in answer.answer
    assert "three months ended March 30, 2024" in answer.answer
    assert [(c.document, c.page) for c in answer.citations] == [("10Q-Q2-2024.pdf", 3)]
    assert answer.faithfulness.score == 1.0


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_cited_stands_on_the_cited_page(assistant: Assistant, samples: Path, question: str) -> None:
    answer = assistant.ask(question)
    assert answer.citations
    assert {c.marker for c in answer.citations} == {int(n) for n in re.findall(r"\[(\d+)\]", answer.answer)}
    by_rank = {e.rank: e for e in answer.evidence}
    for citation in answer.citations:
        item = by_rank[citation.marker]
        assert item.document == citation.document
        (path,) = [p for p in samples.rglob(citation.document) if _is_of(p, item.company_key)]
        text = squeeze(PdfReader(path).pages[citation.page - 1].extract_text())
        if item.fact is not None:
            assert item.fact.printed in text
        elif item.kind in ("prose", "exchange"):
            assert squeeze(citation.quote.removesuffix("..."))[:60] in text


def _is_of(path: Path, company_key: str) -> bool:
    folder = {"CDTH": ("CDTH", "Calderith"), "HRWM": ("HRWM", "Harrowmere")}[company_key]
    return any(part in folder for part in path.parts)


def test_every_number_of_an_answer_is_in_its_cited_evidence(assistant: Assistant) -> None:
    for question in QUESTIONS:
        answer = assistant.ask(question)
        cited = " ".join(e.text for e in answer.evidence if e.rank in {c.marker for c in answer.citations})
        shown = re.sub(r"\[\d+\]|\([^)]*billion\)", "", answer.answer)
        for number in re.findall(r"\d[\d,]*\.?\d*", shown):
            assert number.rstrip(".,") in cited, (question, number)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("What was Apple's revenue in 2023?", "no_evidence"),
        ("What was Calderith's revenue in the quarter ended June 30, 2019?", "no_evidence"),
        ("How many penguins does Harrowmere own?", "no_evidence"),
        ("wibble wobble snark frumious", "no_evidence"),
        ("Write a poem about autumn leaves.", "out_of_scope"),
        ("qwertz asdf yxcv", "out_of_scope"),
        ("Quelle était la marge brute de Calderith au deuxième trimestre ?", "out_of_scope"),
    ],
)
def test_what_the_documents_do_not_hold_is_refused_with_a_reason(
    assistant: Assistant, question: str, reason: str
) -> None:
    answer = assistant.ask(question)
    assert (answer.status, answer.reason) == ("abstained", reason)
    assert answer.citations == ()
    assert answer.faithfulness.score is None
    assert len(answer.answer) > 20


def test_a_year_and_quarter_filter_keeps_other_periods_out(assistant: Assistant) -> None:
    answer = assistant.ask("What was Calderith's total revenue?", company="CDTH", year=2024, quarter=2)
    assert answer.status == "answered"
    for item in answer.evidence:
        assert (item.company_key, item.period.fiscal_year, item.period.fiscal_quarter) == ("CDTH", 2024, 2)


def test_an_unknown_company_filter_is_an_error_that_lists_what_there_is(assistant: Assistant) -> None:
    with pytest.raises(UnknownCompanyError, match=r"No company 'Foo'.*CDTH.*HRWM"):
        assistant.ask("What was revenue?", company="Foo")


def test_without_an_index_asking_names_the_command_that_mends_it(tmp_path: Path) -> None:
    with (
        Assistant.open(tmp_path / "none") as nothing,
        pytest.raises(IndexMissingError, match="hybridrag index PATH"),
    ):
        nothing.ask(REVENUE)
    assert not (tmp_path / "none").exists()


def test_the_streamed_end_is_the_answer_that_ask_returns(assistant: Assistant) -> None:
    last_step, update = list(assistant.stream(REVENUE))[-1]
    streamed = update["answer"]
    assert last_step == "answer" and isinstance(streamed, Answer)
    asked = assistant.ask(REVENUE)
    assert streamed.model_dump(exclude={"seconds"}) == asked.model_dump(exclude={"seconds"})


def test_a_company_is_found_by_ticker_in_any_case(assistant: Assistant) -> None:
    assert assistant.ask("what was total revenue?", company="cdth", year=2024).status == "answered"
    assert assistant.ask("hrwm net sales in the third quarter of 2024?").status == "answered"
