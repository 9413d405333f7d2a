"""Citations numbered for readers."""

from __future__ import annotations

import pytest

from agent.chat import views
from agent.chat.export import file_name
from agent.display.reading_order import numbered, reading_order
from agent.display.render import looked_up, places_words, plain_turn
from graphs.contracts import Answer, Citation, Route, Statement, ToolName, Verdict
from tools.evidence import Evidence


def cited(rank: int) -> Citation:
    return Citation(marker=rank, source="graph", document=f"{rank}.pdf", page=rank, quote=f"quote {rank}")


def found(rank: int) -> Evidence:
    return Evidence.model_construct(
        rank=rank, source="vector", text=f"text {rank}", document=f"{rank}.pdf", page=rank, why=""
    )


def route(*tools: ToolName) -> Route:
    return Route(kind="uncertain", tools=tools, reason="", confidence=0.5)


ANSWER = Answer(
    question="q",
    standalone_question="q",
    status="answered",
    answer="One [5]. Two [2, 5], and a range [99].",
    route=route("vector_search", "kg_search"),
    citations=(cited(5), cited(2)),
    faithfulness=Verdict(statements=(Statement(text="Two", supported=True, evidence=(2, 5)),), score=1.0),
    evidence=tuple(map(found, (1, 2, 5))),
    seconds={"total": 0.08},
)


def test_citations_read_1_2_3_in_the_order_of_the_text_and_everything_else_comes_after() -> None:
    assert reading_order(ANSWER) == {5: 1, 2: 2, 1: 3}
    told = numbered(ANSWER)
    assert told.answer == "One [1]. Two [2, 1], and a range [99]."
    assert [(each.marker, each.document) for each in told.citations] == [(1, "5.pdf"), (2, "2.pdf")]
    assert {item.rank: item.document for item in told.evidence} == {3: "1.pdf", 2: "2.pdf", 1: "5.pdf"}
    assert told.faithfulness.statements[0].evidence == (2, 1)
    assert ANSWER.citations[0].marker == 5, "what is resolved and what --json says stays"


def test_a_terminal_shows_the_numbers_wherever_it_names_a_source() -> None:
    lines = plain_turn(ANSWER).splitlines()
    assert lines[0].startswith("One [1].") and lines[2].startswith("[1] 5.pdf, p. 5")
    assert any(line.plain == "  [1] vector, cited: text 5" for line in views.sources(ANSWER))
    assert views.why(ANSWER)[0].plain == "supported [2][1]: Two"


def test_where_was_looked_is_said_without_the_names_of_tools() -> None:
    assert places_words(ANSWER.route) == "looking in the text of the documents and the knowledge graph"
    assert places_words(route()) == "nothing has to be looked up"
    assert looked_up(ANSWER) == (
        "Looked up in the text of the documents and the knowledge graph, in 0.1 s, without a language model."
    )


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("Who audits Corning's books?", "Who audits Corning's books"),
        ("../a\\b: 10-K / 10-Q", "a b 10-K 10-Q"),
        ("Umsätze 2023 …", "Umsätze 2023 …"),
        (" ..?", ""),
        ("x" * 300, "x" * 80),
        ("x" + "\U0001f4c8" * 80, "x" + "\U0001f4c8" * 49),
        ("CON", "_CON"),
        ("aux .2024", "_aux .2024"),
        ("Consolidated", "Consolidated"),
    ],
)
def test_a_conversation_is_a_file_of_its_name_on_any_system(name: str, file: str) -> None:
    assert file_name(name) == file
