"""Chosen sentences as quotations: what is joined to them, and how they are cited."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphs.drafts.sentences import split
from graphs.local.answer.quotations import part_of, quotations, with_antecedents
from tools.evidence import Evidence

Make = Callable[..., Evidence]


def test_neighbouring_sentences_are_one_quotation_and_others_are_not(chunk: Make) -> None:
    one, two, three = split(chunk(1, "Sales of sensors rose. Prices held up well. Freight costs came down."))
    assert quotations([two, one]) == ["Orla Devices, Inc.: “Sales of sensors rose. Prices held up well.” [1]"]
    assert quotations([three, one]) == [
        "Orla Devices, Inc.: “Sales of sensors rose.” [1]",
        "Orla Devices, Inc.: “Freight costs came down.” [1]",
    ]


def test_quotations_stand_in_the_order_in_which_their_evidence_was_chosen(chunk: Make) -> None:
    first, second = split(chunk(1, "Sales of sensors rose.")), split(chunk(2, "Prices held up well."))
    assert [line[-3:] for line in quotations([*second, *first])] == ["[2]", "[1]"]


@pytest.mark.parametrize("beginning", ["This was", "The increase was", "The increases were"])
def test_a_sentence_that_cannot_stand_alone_brings_what_it_speaks_of(chunk: Make, beginning: str) -> None:
    said = (
        f"Sales of sensors rose in all regions of the world. {beginning} due to new cars in Europe and Asia."
    )
    first, second = split(chunk(1, said))
    assert with_antecedents([first]) == [first]
    assert with_antecedents([second]) == [first, second]
    assert with_antecedents([second, first]) == [first, second]


def test_what_may_not_be_quoted_is_not_brought(chunk: Make) -> None:
    _, second = split(chunk(1, "Sales rose. This was due to new cars in Europe and Asia."))
    assert with_antecedents([second]) == [second]


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


def test_an_item_brings_the_rest_of_its_list(chunk: Make) -> None:
    items = "the price of our sensors and probes;\n- the reach of our own shops; and\n- service."
    said = f"We compete on:\n{items}\nWe sell in Europe."
    _, price, reach, service, sell = split(chunk(1, said))
    assert with_antecedents([price]) == [price, reach, service]
    assert with_antecedents([sell]) == [sell]
    long = split(
        chunk(1, "\n".join(f"- the price of sensors of kind {n}{' and more' * 40};" for n in range(9)))
    )
    assert with_antecedents([long[0]]) == long[:4], "as far as can be shown"


def test_what_sets_off_a_sentence_is_told_with_it(chunk: Make) -> None:
    said = "Gross margin fell by 190 points due to discounts. This was partially offset by lower freight. Sales fell."
    fell, offset, sales = split(chunk(1, said))
    assert with_antecedents([fell]) == [fell, offset]
    assert with_antecedents([sales]) == [sales]
    one, next_one = (
        chunk(1, "Gross margin fell by 190 points."),
        chunk(2, "This was offset by lower freight. More."),
    )
    elsewhere = chunk(3, next_one.text, section="Item 7 > Taxes")
    [fell] = split(one)
    assert with_antecedents([fell], [one, elsewhere, next_one]) == [fell, split(next_one)[0]]
    assert with_antecedents([fell], [one, elsewhere]) == [fell]
