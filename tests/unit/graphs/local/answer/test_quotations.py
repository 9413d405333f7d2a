"""Chosen sentences as quotations: what is joined to them, and how they are cited."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphs.drafts.sentences import split
from graphs.local.answer.quotations import part_of, quotations, with_antecedents, with_reasons, with_sequels
from graphs.local.text.sentence_ranking import Ranked
from tools.evidence import Evidence

Make = Callable[..., Evidence]


def ranked(item: Evidence) -> list[Ranked]:
    return [Ranked(sentence, 1.0, 1.0, 1.0) for sentence in split(item)]


def texts(found: list[Ranked]) -> list[str]:
    return [each.sentence.text for each in found]


def test_neighbouring_sentences_are_one_quotation_and_others_are_not(chunk: Make) -> None:
    one, two, three = ranked(chunk(1, "Sales of sensors rose. Prices held up well. Freight costs came down."))
    assert quotations([two.sentence, one.sentence]) == [
        "Orla Devices, Inc.: “Sales of sensors rose. Prices held up well.” [1]"
    ]
    assert quotations([three.sentence, one.sentence]) == [
        "Orla Devices, Inc.: “Sales of sensors rose.” [1]",
        "Orla Devices, Inc.: “Freight costs came down.” [1]",
    ]


def test_quotations_stand_in_the_order_in_which_their_evidence_was_chosen(chunk: Make) -> None:
    first, second = ranked(chunk(1, "Sales of sensors rose.")), ranked(chunk(2, "Prices held up well."))
    assert [line[-3:] for line in quotations([each.sentence for each in (*second, *first)])] == ["[2]", "[1]"]


def test_a_sentence_is_followed_by_the_one_that_carries_it_on(chunk: Make) -> None:
    pool = ranked(chunk(1, "Sales of sensors rose. This was due to new cars. Prices held up well."))
    assert texts(with_sequels(pool[:1], pool)) == ["Sales of sensors rose.", "This was due to new cars."]
    assert texts(with_sequels(pool[1:2], pool)) == ["This was due to new cars."]


def test_a_sentence_that_cannot_stand_alone_brings_what_it_speaks_of_or_goes(chunk: Make) -> None:
    pool = ranked(chunk(1, "Sales of sensors rose. This was due to new cars. Prices held up well."))
    assert set(texts(with_antecedents(pool[1:2], pool))) == {
        "Sales of sensors rose.",
        "This was due to new cars.",
    }
    quotable = pool[1:]  # the first may not be quoted
    assert texts(with_antecedents(quotable, quotable)) == ["Prices held up well."]
    assert texts(with_antecedents(pool[1:2], quotable)) == ["This was due to new cars."]


def test_a_reason_a_few_sentences_on_is_added_to_a_sentence_without_one(chunk: Make) -> None:
    pool = ranked(
        chunk(
            1, "Orla returned to profit. Net income was $31 million. Profit rose because freight rates fell."
        )
    )
    assert texts(with_reasons(pool[:1], pool))[1:] == ["Profit rose because freight rates fell."]
    assert texts(with_reasons(pool[2:], pool)) == texts(pool[2:])


@pytest.mark.parametrize(
    ("section", "part"),
    [
        ("Part I, Item 2 - MD&A > Home Devices", "Home Devices"),
        ("Part I, Item 2 - MD&A > Results of Operations", ""),
        ("Part I, Item 2 - MD&A", ""),
        (f"Part I, Item 2 - MD&A > {'Home Devices ' * 6}", ""),
    ],
)
def test_a_heading_names_a_part_of_the_company_unless_it_is_a_usual_one(
    chunk: Make, section: str, part: str
) -> None:
    [each] = split(chunk(1, "Revenue increased 5%.", section=section))
    assert part_of(each) == part


def test_a_speaker_is_named_with_the_company(chunk: Make) -> None:
    item = chunk(1, "Demand for sensors remains strong.", section="Prepared Remarks > Marta Lindqvist")
    assert quotations(split(item)) == [
        "Marta Lindqvist (Orla Devices, Inc.): “Demand for sensors remains strong.” [1]"
    ]
