"""Turns about figures that were told: compared, taken apart, and what an answer calls them."""

from __future__ import annotations

import pytest

from graphs.local.followup.condenser import LocalCondenser
from graphs.local.followup.slots import Slots, find_slots
from graphs.local.followup.told_figures import compared, figure_told, is_compared, part_of
from tests.filings import CATALOG
from tools.calculate.questions import Operation, SumReader
from tools.vector.embeddings import LocalEmbeddings

NAMES = frozenset({"merrow", "valves", "north asia", "pumps"})
YEAR = "What was Orla's revenue in fiscal 2022?"
TOLD = "Orla Devices, Inc.'s Valves, revenue, for the twelve months ended July 1, 2023 was 3 million USD [1]."


def slots(text: str) -> Slots:
    return find_slots(text, CATALOG, NAMES)


@pytest.mark.parametrize(
    ("operation", "last", "previous", "answer", "expected"),
    [
        (
            "growth", YEAR, "What was Orla's revenue in fiscal 2023?", "",
            "By how many percent did revenue at Orla change from fiscal 2022 to fiscal 2023?",
        ),
        (
            "difference", "How many valves did Orla sell in fiscal 2023?",
            "How many valves did Orla sell at the end of its fiscal 2021?", "",
            "How did valves at Orla change from fiscal 2021 to fiscal 2023?",
        ),
        ("growth", YEAR, "", "", "By how many percent did revenue at Orla change from fiscal 2021 to fiscal 2022?"),
        (
            "ratio", "What was Orla's Merrow revenue in 2023?", "What was Orla's Valves revenue in 2023?", "",
            "How many times larger was Orla's Merrow revenue than its Valves revenue in 2023?",
        ),
        (
            "none", "How much did Orla make in Merrow in 2023?", "How much did Orla make in Valves in 2023?", TOLD,
            "How much larger was Orla's Merrow than its Valves in 2023?",
        ),
        (
            "none", "What did Orla pay for Merrow?", "What did Orla pay for Zenvia?", "Orla: “We paid 3 USD.” [1]",
            "What did Orla pay for Zenvia and Merrow?",
        ),
        (
            "none", "What was Tilbrook's revenue in 2023?", "What was Orla's revenue in 2023?", "",
            "Compare the revenue of Orla and Tilbrook in 2023?",
        ),
        ("growth", "How large was the charge that Orla took in 2023?", "", "", ""),
        ("growth", "Why did Orla's revenue fall in 2023?", "", "", ""),
    ],
)  # fmt: skip
def test_figures_that_were_told_are_compared_in_a_question(
    operation: Operation, last: str, previous: str, answer: str, expected: str
) -> None:
    found = compared(operation, slots(last), slots(previous), answer)
    assert found == expected
    assert is_compared(found) == bool(found and "pay" not in found)


@pytest.mark.parametrize(
    ("turn", "earlier", "expected"),
    [
        (
            "how many of those in Canada?", "How many shops did Orla have worldwide at the end of fiscal 2021?",
            "How many shops did Orla have in Canada at the end of fiscal 2021?",
        ),
        (
            "how many of them are in R&D?", "how many engineers does Orla have, end of fiscal 2023?",
            "how many engineers does Orla have in R&D, end of fiscal 2023?",
        ),
        (
            "and how much of it was pumps?", "What was Orla's revenue in North Asia in fiscal 2023?",
            "What was Orla's pumps North Asia revenue in fiscal 2023?",
        ),
        (
            "how much of that came from abroad?", "What was Orla's revenue in fiscal 2023?",
            "What was Orla's revenue came from abroad in fiscal 2023?",
        ),
        ("how much of that is goodwill?", "What did Orla pay for Merrow?", ""),
        ("how much did that cost?", "What was Orla's revenue in fiscal 2023?", ""),
    ],
)  # fmt: skip
def test_a_part_of_what_was_told_is_asked_for_like_the_whole(turn: str, earlier: str, expected: str) -> None:
    assert part_of(slots(turn), slots(earlier), LocalEmbeddings()) == expected


@pytest.mark.parametrize(
    ("asked", "answer", "expected"),
    [
        ("How much did Orla sell in valves in 2023?", TOLD, "Valves revenue"),
        ("How much did Orla sell in 2023?", TOLD, "revenue"),
        ("How much did Orla sell in valves?", TOLD.replace(" [1]", ""), ""),
        ("How much did Orla sell in valves?", f"{TOLD} {TOLD}", ""),
        (
            "How much did Orla sell in valves?",
            "| Net sales, valves | 3 million USD | [1] |",
            "valves Net sales",
        ),
        ("What did Orla pay?", "Orla: “Merrow's revenue for the year was 3.” [1]", ""),
    ],
)
def test_a_figure_is_called_as_its_answer_calls_it_as_far_as_it_was_asked_for(
    asked: str, answer: str, expected: str
) -> None:
    assert figure_told(asked, answer) == expected


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (
            ("What was Orla's Merrow revenue in 2022?", "and in 2023?", "by how many percent did it grow?"),
            "By how many percent did Merrow revenue at Orla change from 2022 to 2023?",
        ),
        (
            ("What was Orla's Merrow revenue in 2023?", "by how many percent did it grow?", "what pushed it up?"),
            "Why did Merrow revenue at Orla rise in 2023?",
        ),
        (
            ("What was Orla's Merrow revenue in 2023?", "and Valves?", "which of the two is larger?"),
            "How much larger was Orla's Valves revenue than its Merrow revenue in 2023?",
        ),
        (
            ("What was Orla's Merrow revenue in 2023?", "which of the regions is the largest?"),
            "Which of Orla's regions had the highest revenue in 2023?",
        ),
        (
            ("What was Orla's Merrow revenue in 2023?", "what share of the total is that?"),
            "What was Orla's Merrow revenue as a percentage of total revenue in 2023?",
        ),
        (
            ("What was Orla's Merrow revenue in 2023?", "tell me more"),
            "Why did Merrow revenue at Orla change in 2023?",
        ),
        (
            ("What was Orla's Merrow revenue in 2023?", "which of them fell the most?"),
            "which of them fell the most? (about: Orla's Merrow revenue in 2023)",
        ),
        (("Who runs Orla?", "since when?"), "since when? (about: runs Orla)"),
        (("What was Orla's Merrow revenue in 2023?", "which page?"), "which page?"),
        (("What was Orla's Merrow revenue in 2023?", "show me the table"), "show me the table"),
        (("What was Orla's Merrow revenue in 2023?", "sum up our conversation"), "sum up our conversation"),
    ],
)  # fmt: skip
def test_what_a_turn_wants_of_what_was_told_is_as_learnt(turns: tuple[str, ...], expected: str) -> None:
    condenser = LocalCondenser(CATALOG, NAMES, LocalEmbeddings(), SumReader())
    history: list[tuple[str, str]] = []
    for turn in turns[:-1]:
        history.append((condenser.condense(turn, history), "An answer."))
    assert condenser.condense(turns[-1], history) == expected
