from __future__ import annotations

import pytest

from graphs.local.followup.condenser import LocalCondenser
from graphs.model.condenser import ModelCondenser
from tests.filings import CATALOG
from tests.scripted import Scripted
from tools.vector.embeddings import LocalEmbeddings

NAMES = frozenset({"merrow", "cloud services"})
ORLA = "What was Orla's net income in the quarter ended July 1, 2023?"
TOLD = "Orla Devices, Inc.'s net income for the three months ended July 1, 2023 was 19 million USD [1]."


def said(*turns: str, told: str = TOLD) -> str:
    """What the last turn means after the others, each understood and answered in turn."""
    condenser = LocalCondenser(CATALOG, NAMES)
    history: list[tuple[str, str]] = []
    for turn in turns[:-1]:
        history.append((condenser.condense(turn, history), told))
    return condenser.condense(turns[-1], history)


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ("and the quarter before?", "What was Orla's net income in the quarter ended April 1, 2023?"),
        ("same quarter last year?", "What was Orla's net income in the quarter ended July 2, 2022?"),
        ("and last year", "What was Orla's net income in the quarter ended July 2, 2022?"),
        ("same quarter in 2022?", "What was Orla's net income in the quarter ended July 2, 2022?"),
        ("and for the nine months?", "What was Orla's net income for the nine months ended July 1, 2023?"),
        ("no, the nine months", "What was Orla's net income for the nine months ended July 1, 2023?"),
        ("ytd?", "What was Orla's net income for the nine months ended July 1, 2023?"),
        ("in q2?", "What was Orla's net income in q2 2023?"),
        ("what about tilbrook", "What was tilbrook's net income in the quarter ended June 30, 2023?"),
        ("sorry, I meant Tilbrook", "What was Tilbrook's net income in the quarter ended June 30, 2023?"),
        ("not Orla, Tilbrook", "What was Tilbrook's net income in the quarter ended June 30, 2023?"),
        ("and Tilbrook in the same quarter?", "What was Tilbrook's net income in the quarter ended June 30, 2023?"),
        ("what about zenvia?", "What was Zenvia's net income in the quarter ended July 1, 2023?"),
        ("and Merrow?", "What was Orla's Merrow net income in the quarter ended July 1, 2023?"),
        ("and cloud services", "What was Orla's cloud services net income in the quarter ended July 1, 2023?"),
    ],
)  # fmt: skip
def test_periods_are_counted_in_dates_and_each_company_has_its_own(turn: str, expected: str) -> None:
    assert said(ORLA, turn) == expected


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ("why?", "Why did net income at Orla change in the quarter ended July 1, 2023?"),
        ("why did it fall", "Why did net income at Orla fall in the quarter ended July 1, 2023?"),
        ("what drove the increase?", "Why did net income at Orla rise in the quarter ended July 1, 2023?"),
        (
            "how does that compare?",
            "How did net income at Orla in the quarter ended July 1, 2023 change from the same quarter a year before?",
        ),
        (
            "is that up or down",
            "How did net income at Orla in the quarter ended July 1, 2023 change from the same quarter a year before?",
        ),
        (
            "vs the quarter before?",
            "How did net income at Orla in the quarter ended July 1, 2023 change from the quarter ended April 1, 2023?",
        ),
        (
            "how does that compare to Tilbrook?",
            "How does Orla's net income in the quarter ended July 1, 2023 compare with Tilbrook's"
            " in the quarter ended June 30, 2023?",
        ),
        (
            "break it down by segment",
            "What was Orla's net income by segment in the quarter ended July 1, 2023?",
        ),
        (
            "in percent of revenue?",
            "What was Orla's net income as a percentage of revenue in the quarter ended July 1, 2023?",
        ),
        ("why so low", "Why did net income at Orla change in the quarter ended July 1, 2023?"),
        (
            "growth?",
            "How did net income at Orla in the quarter ended July 1, 2023 change from the same quarter a year before?",
        ),
        (
            "vs Tilbrook's Cloud Services?",
            "How does Orla's net income in the quarter ended July 1, 2023 compare with Tilbrook's Cloud Services net"
            " income in the quarter ended June 30, 2023?",
        ),
        ("by region?", "What was Orla's net income by region in the quarter ended July 1, 2023?"),
        (
            "who asked about it?",
            "Which analyst asked about net income on Orla's call in the quarter ended July 1, 2023?",
        ),
        (
            "what did they say about it?",
            "What did Orla's management say about net income in the quarter ended July 1, 2023?",
        ),
        (
            "and what did the CFO say about margins in Asia?",
            "What did the CFO of Orla say about margins in Asia in the quarter ended July 1, 2023?",
        ),
    ],
)
def test_a_turn_that_only_points_is_spelled_out(turn: str, expected: str) -> None:
    assert said(ORLA, turn) == expected


def test_who_said_it_is_the_speaker_that_the_answer_quotes() -> None:
    quoted = "Ines Marrow (Orla Devices): “Demand was fine.” [1]\n- Tom Ash (Orla Devices): “It was.” [2]"
    assert said("What did Orla say about demand?", "who said that?", told=quoted) == (
        "Who are Ines Marrow and Tom Ash at Orla?"
    )


def test_figures_after_a_person_are_those_of_the_subject_before() -> None:
    assert said(ORLA, "who is the cfo?", "and revenue?") == (
        "What was Orla's revenue in the quarter ended July 1, 2023?"
    )


def test_she_is_the_person_of_the_answer() -> None:
    told = "Ines Marrow holds the role Chief Executive Officer [1]."
    assert said("Who leads sales at Orla?", "when does she retire?", told=told) == (
        "when does she retire? (about: leads sales at Orla; Ines Marrow)"
    )


def test_he_is_the_person_asked_about_where_no_company_is_named() -> None:
    told = "Tom Ash holds the role Treasurer [1]."
    assert (
        said("Who is Tom Ash?", "what did he say about debt?", told=told)
        == "What did Tom Ash say about debt?"
    )


def test_it_is_the_product_that_the_question_before_names() -> None:
    assert said("Why did Orla buy Merrow?", "when does it ship?") == "when does Merrow ship at Orla?"


def test_another_companys_chief_is_not_asked_about_the_period_before() -> None:
    assert said(ORLA, "Who is the CEO of Tilbrook?", "what did he say about prices?") == (
        "What did the CEO of Tilbrook say about prices?"
    )


def test_a_flow_after_a_balance_is_asked_for_by_its_quarter() -> None:
    assert said("What were Orla's inventories at July 1, 2023?", "and net income?") == (
        "What were Orla's net income in the quarter ended July 1, 2023?"
    )


def test_a_figure_after_an_overview_or_a_comparison_is_asked_for_plainly() -> None:
    assert said("Summarize Orla's quarter", "what about its cash") == "What was Orla's cash?"
    assert said(ORLA, "how does that compare?", "and in q1?") == "What was Orla's net income in q1 2023?"


def test_the_company_of_the_answer_is_meant_where_the_question_named_none() -> None:
    assert said("What was Merrow revenue in the quarter ended July 1, 2023?", "and net income?") == (
        "What was Merrow net income in the quarter ended July 1, 2023 at Orla Devices, Inc.?"
    )


def test_a_turn_that_nothing_resolves_is_no_base_for_the_next() -> None:
    assert said(ORLA, "which one is the largest?", "and revenue?") == (
        "What was Orla's revenue in the quarter ended July 1, 2023?"
    )
    assert said(ORLA, "was that expected?", "and revenue?") == (
        "What was Orla's revenue in the quarter ended July 1, 2023?"
    )


def test_a_period_that_the_index_lacks_is_still_counted_from() -> None:
    chain = (ORLA, *["and the quarter before?"] * 3)
    assert said(*chain) == "What was Orla's net income in fiscal Q4 2022?"
    assert (
        said(*chain, "and the quarter before?")
        == "What was Orla's net income in the quarter ended July 2, 2022?"
    )


def test_twelve_follow_ups_in_a_row_still_know_their_company() -> None:
    figures = ["revenue", "gross profit", "operating income", "net income", "R&D", "cost of sales"] * 2
    chain = [f"and {figure}?" for figure in figures]
    assert said(ORLA, *chain, "and the quarter before?") == (
        "What was Orla's cost of sales in the quarter ended April 1, 2023?"
    )


@pytest.mark.parametrize(
    "turn",
    [
        "What was Tilbrook's revenue?",
        "Which companies mention export controls?",
        "Who asked about rents on the Tilbrook call?",
        "thanks, that helps",
        "No news is good news",
    ],
)
def test_a_change_of_subject_drags_nothing_along(turn: str) -> None:
    assert said(ORLA, turn) == turn


def test_what_is_off_the_topic_drags_nothing_along() -> None:
    condenser = LocalCondenser(CATALOG, NAMES, LocalEmbeddings())
    for turn in ("What is the capital of France?", "write me a poem about it"):
        assert condenser.condense(turn, [(ORLA, TOLD)]) == turn


@pytest.mark.parametrize(
    "turn", ["Who asked about rents on the Tilbrook call?", "Which companies mention export controls?"]
)
def test_a_model_is_not_asked_about_a_question_that_opens_a_subject_of_its_own(turn: str) -> None:
    model = Scripted({"condense": "What was Orla's revenue?"})
    assert ModelCondenser(model, LocalCondenser(CATALOG)).condense(turn, [(ORLA, TOLD)]) == turn
    assert model.steps == []


@pytest.mark.parametrize(
    ("turn", "reply"),
    [
        ("what about Tilbrook?", "What was Kestrel's net income in the quarter ended July 1, 2023?"),
        ("no, the nine months", "What was Orla's net income in the nine months ended September 30, 2021?"),
        ("how does that compare?", "How does Orla's net income compare with the same period a year before?"),
        ("why?", "Because demand rose.\nWhat else?"),
        ("who said that?", ""),
    ],
)
def test_where_a_models_rewriting_is_refused_the_rules_understand_the_turn(turn: str, reply: str) -> None:
    condenser, history = LocalCondenser(CATALOG, NAMES), [(ORLA, TOLD)]
    model = Scripted({"condense": reply})
    assert ModelCondenser(model, condenser).condense(turn, history) == condenser.condense(turn, history)
    assert model.steps == ["condense"]


def test_a_question_put_again_stays_as_it_is() -> None:
    assert said("What was said about revenue?", "What was said about revenue?", told="No index.") == (
        "What was said about revenue?"
    )


def test_what_an_answer_tells_is_what_is_asked_on_about() -> None:
    told = "Orla Devices, Inc.'s net income for the three months ended July 1, 2023 was 31 million USD [1]."
    asked = "How much did Orla make in the quarter ended July 1, 2023?"
    assert said(asked, "and the quarter before?", told=told) == (
        "What was Orla's net income in the quarter ended April 1, 2023?"
    )
    ranked = "Valves had the highest net revenue for the three months ended July 1, 2023: 20 million USD [2]."
    assert said("What was Orla's biggest product line?", "how much did it sell?", told=ranked) == (
        "how much did Valves sell at Orla?"
    )
    refused = "The documents do not hold an answer. Close to it in the documents: Orla's net income."
    assert "net income" not in said(asked, "and the quarter before?", told=refused)
