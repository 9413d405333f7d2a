"""Words that a question says once of several figures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphs.contracts import Reading
from graphs.local.question.shared_words import with_shared_words
from tools.calculate.questions import AskedSum, Operation


def reading(question: str, *entities: str) -> Reading:
    return Reading(question=question, entities=entities)


@pytest.mark.parametrize(
    ("question", "a", "last", "expected"),
    [
        (
            "subscription and service revenue of Orla",
            "subscription",
            "service revenue",
            "subscription revenue",
        ),
        ("short- and long-term debt of Orla", "short", "long-term debt", "short-term debt"),
        ("domestic plus foreign plan assets", "domestic", "foreign plan assets", "domestic plan assets"),
    ],
)
def test_what_only_tells_one_figure_from_another_has_the_words_of_the_last(
    question: str, a: str, last: str, expected: str
) -> None:
    read = AskedSum("sum", "value", (), 0.95, a=a, more=(last,))
    found = with_shared_words(read, reading(question))
    assert found.a == f"{expected}|{a}" and found.more == (last,)


@pytest.mark.parametrize(
    ("question", "operation", "expected"),
    [
        ("difference between product and lease expense of Orla", "difference", "product expense|product"),
        ("ratio of product to lease expense of Orla", "ratio", "product"),
        ("product as a part of lease expense of Orla", "share", "product"),
    ],
)
def test_what_stands_on_the_other_side_is_of_its_own(
    question: str, operation: Operation, expected: str
) -> None:
    read = AskedSum(operation, "value", (), 0.95, a="product", b="lease expense")
    assert with_shared_words(read, reading(question)) == replace(read, a=expected)


def test_what_is_added_to_one_side_stays_with_it() -> None:
    read = AskedSum("ratio", "value", (), 0.95, a="federal", b="pretax income", more=("state taxes",))
    assert with_shared_words(read, reading("federal plus state taxes to pretax income of Orla")) == read


@pytest.mark.parametrize(
    ("question", "a", "last"),
    [
        ("goodwill and intangible assets of Orla", "goodwill", "intangible assets"),
        ("CP and current maturities of Orla", "CP", "current maturities"),
        ("fees of Orla in 2021, then long-term debt", "fees", "long-term debt"),
        ("wages and rent of Orla", "wages", "rent"),
    ],
)
def test_a_figure_by_itself_stays(question: str, a: str, last: str) -> None:
    read = AskedSum("sum", "value", (), 0.95, a=a, more=(last,))
    assert with_shared_words(read, reading(question)) == read


def test_what_several_are_of_is_said_of_each() -> None:
    read = AskedSum("change", "value", (), 0.95, a="hay", more=("almonds",), of="revenue")
    found = with_shared_words(read, reading("How did hay and almonds change in revenue?"))
    assert (found.a, found.more, found.of) == ("hay revenue", ("almonds revenue",), "")


def test_what_is_a_figure_by_itself_is_of_nothing_else() -> None:
    question = "Deferred plus current foreign tax provision to pre-tax income of Orla?"
    read = AskedSum(
        "ratio", "value", (), 0.95, "Deferred", "pre-tax income", ("current",), of="foreign tax provision"
    )
    found = with_shared_words(read, reading(question))
    assert (found.a, found.b) == ("Deferred foreign tax provision", "pre-tax income")
    assert found.more == ("current foreign tax provision",)


@pytest.mark.parametrize("comma", ["", ","])
def test_the_list_goes_on_to_the_last_of_all(comma: str) -> None:
    read = AskedSum("sum", "value", (), 0.95, a="federal", more=("state", "foreign taxes"))
    found = with_shared_words(read, reading(f"federal, state{comma} and foreign taxes of Orla"))
    assert (found.a, found.more) == ("federal taxes|federal", ("state taxes|state", "foreign taxes"))
