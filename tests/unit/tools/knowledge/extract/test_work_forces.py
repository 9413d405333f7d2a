"""How many people work for the whole company."""

from __future__ import annotations

import pytest
from builders import document

from tools.documents.types import Chunk, Page, ParsedDocument
from tools.knowledge.extract.work_forces import work_force_triplets


def employed(text: str, doc_type: str = "10-K") -> list[str]:
    own = document(doc_type=doc_type)
    chunk = Chunk("c1", own.id, text, text, (1,), "Human Capital", "prose")
    return [each.tail for each in work_force_triplets(ParsedDocument(own, (Page(1, text),), (), (chunk,)))]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "As of May 31, 2025, we had approximately 77,800 employees worldwide.",
            "approximately 77,800 employees",
        ),
        ("We employed 29,239 people, of which 51% were in Canada.", "29,239 people"),
        (
            "Acme and our subsidiaries employed more than 2.2 million associates.",
            "more than 2.2 million associates",
        ),
        ("Of the 2.1 million associates employed worldwide, 51% are women.", "2.1 million associates"),
        (
            "Each of our 61,200 full- and part-time employees matters to us.",
            "61,200 full- and part-time employees",
        ),
        (
            "We had a skilled workforce made up of approximately 114,000 employees.",
            "approximately 114,000 employees",
        ),
        ("There were 1,200 employees at the end of the year.", "1,200 employees"),
        ("Our workforce consisted of 45,000 employees.", "45,000 employees"),
        ("The Company had 164,000 full-time equivalent employees.", "164,000 full-time equivalent employees"),
    ],
)
def test_the_count_is_read_as_it_is_said(text: str, said: str) -> None:
    assert employed(text) == [said]


def test_the_largest_count_is_that_of_all() -> None:
    parts = "We had 120 employees under contracts of a fixed term. We had 9,200 employees. We had 80 employees in Peru."
    assert employed(parts) == ["9,200 employees"]


@pytest.mark.parametrize(
    "text",
    [
        "We have donated meals to over 12 million people.",
        "The Company has trained 25,000 employees of its customers.",
        "We have 40,000 retired employees.",
        "We had 12,400 employees in 2019, before the sale.",
        "We had 1.2.3 million employees.",
        "We have 73 collective bargaining agreements.",
        "A business that may employ fewer than 300 employees can apply for such a loan.",
        "The facility can accommodate approximately 4,000 employees of all departments.",
        "Of our employees, 34.6% are women, and we serve over 14 million people in 24 states.",
    ],
)
def test_other_numbers_are_no_count_of_those_who_work_there(text: str) -> None:
    assert employed(text) == []


def test_only_an_annual_report_counts_them() -> None:
    assert employed("We had 9,200 employees.", "10-Q") == []
