"""Figures of two periods in one sentence, each with its own period."""
# ruff: noqa: E501

from __future__ import annotations

from datetime import date

import pytest
from builders import document

from tools.knowledge.extract.figure_pairs import read_pairs

FILING = document("ORLA", company="Orla Corporation")
ENDS = {(2023, 3): date(2023, 7, 1), (2022, 3): date(2022, 6, 25)}


def pairs(sentence: str) -> list[tuple[str, list[str], list[str], bool]]:
    return [
        (pair.label, [q.text for q in pair.figures], [p.describe() for p in pair.periods], pair.credit)
        for pair in read_pairs(sentence, FILING, ENDS)
    ]


def test_the_first_figure_belongs_to_the_first_period() -> None:
    sentence = "Advertising expense was $12 million and $9 million for the three months ended July 1, 2023 and 2022, respectively."
    quarters = ["three months ended July 1, 2023", "three months ended July 1, 2022"]
    assert pairs(sentence) == [("Advertising expense", ["$12 million", "$9 million"], quarters, False)]


def test_fiscal_quarters_take_the_last_days_that_the_documents_tables_date() -> None:
    sentence = "Lease costs were $7 million and $8 million for the third quarter of fiscal 2023 and 2022, respectively."
    found = [pair.periods for pair in read_pairs(sentence, FILING, ENDS)]
    assert [[period.end for period in periods] for periods in found] == [
        [date(2023, 7, 1), date(2022, 6, 25)]
    ]


def test_a_tax_benefit_is_a_credit_and_an_expense_is_none() -> None:
    sentence = (
        "Our income tax provision was a benefit of $3 million and $2 million for the three months ended July 1, 2023 and 2022, "
        "respectively."
    )
    assert [credit for *_, credit in pairs(sentence)] == [True]
    assert [credit for *_, credit in pairs(sentence.replace("a benefit", "an expense"))] == [False]


@pytest.mark.parametrize(
    "sentence",
    [
        "Hypothetical lease costs were $7 million and $8 million for the three months ended July 1, 2023 and 2022, respectively.",
        "Lease costs were $7 million and 8% for the three months ended July 1, 2023 and 2022, respectively.",
        "Lease costs in 2021 were $7 million and $8 million for the three months ended July 1, 2023 and 2022, respectively.",
        "Lease costs were $7 million, $8 million and $9 million for the three months ended July 1, 2023 and 2022, respectively.",
    ],
)
def test_what_is_supposed_of_two_units_or_of_a_third_period_is_left_unread(sentence: str) -> None:
    assert pairs(sentence) == []


def test_shares_bought_and_what_they_cost_are_two_pairs() -> None:
    sentence = (
        "We repurchased 28 million shares for $3 billion and 56 million shares for $8 billion "
        "in the three months ended July 1, 2023 and 2022, respectively."
    )
    assert [(label, figures) for label, figures, *_ in pairs(sentence)] == [
        ("shares repurchased", ["28 million shares", "56 million shares"]),
        ("repurchases of common stock", ["$3 billion", "$8 billion"]),
    ]
