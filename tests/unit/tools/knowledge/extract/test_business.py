"""What a company says that it is, else what it does."""

from __future__ import annotations

import pytest
from builders import document

from tools.documents.types import Chunk, Page, ParsedDocument
from tools.knowledge.extract.business import business_triplets

BUSINESS = "Part I, Item 1 - Business > General"


def described(text: str, section: str = BUSINESS, doc_type: str = "10-K") -> list[str]:
    own = document(doc_type=doc_type)
    chunk = Chunk("c1", own.id, text, text, (1,), section, "prose")
    return [each.quote for each in business_triplets(ParsedDocument(own, (Page(1, text),), (), (chunk,)))]


@pytest.mark.parametrize(
    "said",
    [
        "We are a leading maker of garden tools.",
        'Acme Inc. (the "Company") is one of the largest makers of garden tools.',
        "We are principally engaged in the operation of garden centers in Canada.",
        "The Company designs, manufactures and markets lamps, and sells a variety of related services.",
        "Our principal business activity is the design and selling of garden tools.",
    ],
)
def test_the_sentence_that_says_it_is_found_among_others(said: str) -> None:
    before = (
        "Acme Inc. was incorporated in 1931 under the laws of Ohio. The terms we and us mean all of them."
    )
    assert described(f"{before} {said} Acme Lamp Pro is the first lamp of its kind.") == [said]


def test_what_it_is_comes_before_what_it_does_and_the_next_sentence_goes_with_it() -> None:
    text = "We sell tools to many people. We are a maker of garden tools. We operate 40 stores. We own two plants."
    assert described(text) == ["We are a maker of garden tools. We operate 40 stores."]


def test_a_note_tells_where_no_part_does_and_other_parts_never() -> None:
    text = "The Company is a maker of garden tools."
    assert described(text, "Note 1 - Description of Business", "10-Q") == [text]
    assert described(text, "Part I, Item 1A - Risk Factors") == []


@pytest.mark.parametrize(
    "said",
    [
        "We are a smaller reporting company.",
        "We are not a bank.",
        "We file reports with the commission.",
        "We expect higher prices.",
        "We sold our lamp business in 2019.",
        "The market is a difficult one.",
    ],
)
def test_forecasts_the_past_and_others_are_no_description(said: str) -> None:
    assert described(said) == []
