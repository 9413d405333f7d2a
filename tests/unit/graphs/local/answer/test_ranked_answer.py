"""Answers of ranked lines: the figure, the relation or the sentences that a learned fit found likely."""

from __future__ import annotations

from collections.abc import Callable

from graphs.contracts import Reading
from graphs.local.answer.line_ranking import KEPT_LINES, LineRanker, lines_of
from graphs.local.answer.ranked_answer import ranked_lines
from tests.unit.graphs.local.answer.checked import ByWords, Flat
from tools.evidence import AnswerLine, Evidence

Make = Callable[..., Evidence]
READING = Reading(question="What happened to freight?")


def with_lines(item: Evidence, *lines: tuple[str, float], likely: bool = True) -> Evidence:
    found = tuple(
        AnswerLine(text=text, share=share, chance=0.5, shown=share >= 0.1, likely=likely)
        for text, share in lines
    )
    return item.model_copy(update={"lines": found})


def test_what_was_not_ranked_or_is_unlikely_is_no_answer(chunk: Make) -> None:
    item = chunk(1, "Freight costs came down a lot this year.")
    assert ranked_lines(READING, [item]) == []
    assert ranked_lines(READING, [with_lines(item, (item.text, 1.0), likely=False)]) == []


def test_the_likeliest_sentence_is_quoted_with_those_that_come_near_it(chunk: Make) -> None:
    item = chunk(1, "Freight costs came down a lot. Prices held up well. Ships were on time again.")
    ranked = with_lines(
        item,
        ("Freight costs came down a lot.", 0.6),
        ("Ships were on time again.", 0.3),
        ("Prices held up well.", 0.01),
    )
    assert ranked_lines(READING, [ranked]) == [
        "Orla Devices, Inc.: “Freight costs came down a lot.” [1]",
        "Orla Devices, Inc.: “Ships were on time again.” [1]",
    ]


def test_figures_and_sentences_are_shown_in_the_order_of_their_shares(fact: Make, chunk: Make) -> None:
    item = chunk(2, "Freight costs came down a lot this year.")
    shown = [
        with_lines(item, (item.text, 0.4)),
        with_lines(fact(1, "Freight costs", "31"), ("Freight costs", 0.5)),
    ]
    first, second = ranked_lines(READING, shown)
    assert "31" in first and "[1]" in first and "“Freight costs came down" in second


def test_evidence_is_ordered_by_its_best_line_and_loses_nothing(fact: Make, chunk: Make) -> None:
    other = chunk(1, "Prices held up well in all of the regions.")
    right = chunk(2, "The weather was fine. Freight happened to cost far less than a year ago.")
    table = chunk(3, "| a | b |").model_copy(update={"kind": "table"})
    ranked = LineRanker(ByWords(), Flat()).rank(READING, [table, other, right])
    assert [item.rank for item in ranked] == [2, 1, 3]
    assert ranked[0].lines[0].text.startswith("Freight happened") and len(ranked[0].lines) <= KEPT_LINES
    assert ranked[2].lines == ()


def test_a_line_is_read_once_and_unusable_figures_are_not_read(fact: Make, chunk: Make) -> None:
    twice = chunk(1, "Freight costs came down a lot."), chunk(2, "Freight costs came down a lot.")
    unknown = fact(3, "Freight costs", "31", unit="?")
    lines, places = lines_of(READING, [*twice, unknown])
    assert [line.text for line in lines] == ["Freight costs came down a lot."] and places == [0]
