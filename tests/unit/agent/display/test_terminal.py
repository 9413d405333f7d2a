"""What a terminal shows at any width: folded, listed, never cut."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from rich.console import Console, RenderableType

from agent.display.render import footer
from agent.display.terminal import answer_view, documents_view, fit_tables, turn_view
from graphs.contracts import Answer, Citation, Route, Statement, Usage, Verdict
from tools.documents.types import Document

TABLE = (
    "The figures found:\n\n| Company | Line item | Period | Value | Source |\n| --- | --- | --- | --- | --- |\n"
    "| Calderith Semiconductor Corporation | Net income | three months ended March 30, 2024 | "
    "200.4 million USD | [1] |"
)
ANSWER = Answer(
    question="q",
    standalone_question="q",
    status="answered",
    answer=TABLE,
    route=Route(kind="extractive", tools=("kg_search",), reason="asks for a figure", confidence=0.9),
    citations=(
        Citation(
            marker=1,
            source="graph",
            document="A-rather-long-file-name-of-a-quarterly-report-2024-Q2.pdf",
            page=113,
            quote="Net income, three months ended March 30, 2024: 200.4 million USD",
        ),
    ),
    faithfulness=Verdict(statements=(Statement(text="x", supported=True, evidence=(1,)),), score=1.0),
    seconds={"total": 0.08},
)
DOCUMENT = Document(
    id="5717e47e224d9c63",
    name="10Q-Q2-2024.pdf",
    path="Calderith/2024/10Q/10Q-Q2-2024.pdf",
    title="10-Q",
    company="Calderith Semiconductor Corporation",
    company_key="CDTH",
    ticker="CDTH",
    aliases=(),
    doc_type="10-Q",
    fiscal_year=2024,
    fiscal_quarter=2,
    period_end=date(2024, 3, 30),
    pages=10,
)


def shown(view: RenderableType, width: int) -> str:
    console = Console(width=width, force_terminal=False, color_system=None)
    with console.capture() as capture:
        console.print(view)
    lines = capture.get().splitlines()
    assert max(map(len, lines)) <= width
    return "\n".join(lines)


@pytest.mark.parametrize("view", [answer_view, turn_view])
@pytest.mark.parametrize("width", [24, 40, 59, 60, 80, 120, 200])
def test_nothing_of_an_answer_is_cut_at_any_width(
    width: int, view: Callable[[Answer], RenderableType]
) -> None:
    text = shown(view(ANSWER), width)
    assert "…" not in text
    words = set(text.split())
    assert {"200.4", "million", "USD", "[1]"} <= words
    assert "113" in text and "kg_search" in text
    squeezed = "".join(text.split())
    assert 60 <= width < 200 or ANSWER.citations[0].document in squeezed  # else folded in its column


def test_in_a_chat_the_answer_comes_first_and_its_status_last() -> None:
    lines = shown(turn_view(ANSWER), 120).split()
    assert lines.index("figures") < lines.index("[1]") < lines.index("answered")
    assert shown(turn_view(ANSWER), 120).splitlines()[-1].startswith("answered · extractive -> kg_search · ")


@pytest.mark.parametrize("width", [24, 40, 80, 109, 110, 160])
def test_documents_show_id_company_and_path_at_any_width(width: int) -> None:
    squeezed = "".join(shown(documents_view([DOCUMENT]), width).split())
    for part in ("5717e47e", "2024-03-30", "10-Q"):
        assert part in squeezed
    assert "…" not in squeezed
    assert width in range(110, 130) or DOCUMENT.path in squeezed


def test_a_table_that_does_not_fit_becomes_a_list_with_its_headers() -> None:
    assert fit_tables(TABLE, 200) == TABLE
    listed = fit_tables(TABLE, 40)
    assert listed.splitlines()[-1] == (
        "- Company: Calderith Semiconductor Corporation, Line item: Net income, "
        "Period: three months ended March 30, 2024, Value: 200.4 million USD, Source: [1]"
    )
    assert "| ---" not in listed


def test_a_link_inside_a_document_is_shown_as_text_not_made_clickable() -> None:
    linked = ANSWER.model_copy(update={"answer": "See [the report](https://elsewhere.example/x) [1]."})
    console = Console(width=80, force_terminal=True)
    with console.capture() as capture:
        console.print(answer_view(linked))
    assert "\x1b]8" not in capture.get() and "https://elsewhere.example/x" in capture.get()


def test_an_out_of_scope_answer_says_that_no_tool_was_asked() -> None:
    refused = ANSWER.model_copy(
        update={"status": "abstained", "route": ANSWER.route.model_copy(update={"tools": ()})}
    )
    assert "extractive -> no tool" in shown(answer_view(refused), 80)


def test_the_last_line_tells_what_fell_back_and_what_was_spent() -> None:
    note = "route: nobody is there; the local engine's was used from here on"
    assert footer(ANSWER) == "faithfulness 1.00 (1 of 1 statements supported) · 0.08 s · local engine"
    asked = ANSWER.model_copy(
        update={
            "reason": note,
            "gaps": (note,),
            "engine": "model",
            "usage": Usage(calls=4, input_tokens=5120),
        }
    )
    assert footer(asked).endswith(f"supported) · {note} · 0.08 s · model engine · 4 calls, 5,120 + 0 tokens")
    priced = asked.model_copy(update={"usage": Usage(calls=1, output_tokens=10, cost=0.00123)})
    assert footer(priced).endswith("1 call, 0 + 10 tokens, 0.0012 USD")


def test_an_abstention_tells_its_code_and_the_notes_beside_it() -> None:
    refused = ANSWER.model_copy(
        update={"status": "abstained", "reason": "no_evidence", "gaps": ("check: cut",)}
    )
    assert " · no_evidence · check: cut · " in shown(answer_view(refused), 200)
