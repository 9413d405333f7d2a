"""Figures of one thing for one period after another."""
# ruff: noqa: E501

from __future__ import annotations

from datetime import date

import pytest
from builders import document, figure, parsed, prose, table

from tools.knowledge.extract.figure_series import read_series, series_triplets
from tools.periods import Period

FILING = document(
    "ORLA", company="Orla Corporation", doc_type="10-K", fiscal_quarter=None, end=date(2023, 12, 31)
)


def read(sentence: str, scale: int | None = None) -> list[tuple[str, str, str]]:
    """(label with whose it is, amount and unit, period)."""
    return [
        (
            ": ".join((*each.subject.path, each.subject.label)),
            f"{each.quantity.amount.normalize():f} {each.quantity.unit}",
            each.period.describe().replace("twelve months ended December 31,", "year"),
        )
        for each in read_series(sentence, FILING, {}, scale)
    ]


@pytest.mark.parametrize(
    ("sentence", "label", "amounts", "periods"),
    [
        (
            "Towing expense was $14, $11 and $17 million in 2023, 2022 and 2021, respectively.",
            "Towing expense",
            ["14000000 USD", "11000000 USD", "17000000 USD"],
            ["year 2023", "year 2022", "year 2021"],
        ),
        (
            "Towing expense for the years ended December 31, 2023 and 2022 was $9 million and $8 million, respectively.",
            "Towing expense",
            ["9000000 USD", "8000000 USD"],
            ["year 2023", "year 2022"],
        ),
        (
            "As of December 31, 2023 and 2022, accrued tolls for bridges were $2.5 billion and $900 million.",
            "accrued tolls for bridges",
            ["2500000000 USD", "900000000 USD"],
            ["as of December 31, 2023", "as of December 31, 2022"],
        ),
        (
            "We recorded towing costs of $3 million in 2023, $2 million in 2022 and $1 million in 2021, all in cash.",
            "towing costs",
            ["3000000 USD", "2000000 USD", "1000000 USD"],
            ["year 2023", "year 2022", "year 2021"],
        ),
        (
            "In 2023, our towing rate was 16% compared to 21% in 2022 due to storms.",
            "towing rate",
            ["16 percent", "21 percent"],
            ["year 2023", "year 2022"],
        ),
        (
            "Orla North had towing fees of $3 million in 2023 and $2 million in 2022.",
            "Orla North: towing fees",
            ["3000000 USD", "2000000 USD"],
            ["year 2023", "year 2022"],
        ),
        (
            "We incurred $3 million and $2 million in mooring fees in 2023 and 2022, respectively.",
            "mooring fees",
            ["3000000 USD", "2000000 USD"],
            ["year 2023", "year 2022"],
        ),
        (
            "We had $3 million of mooring fees in 2023 compared to $2 million of mooring fees in 2022.",
            "mooring fees",
            ["3000000 USD", "2000000 USD"],
            ["year 2023", "year 2022"],
        ),
        (
            "Mooring fees were $3 million and $2 million related to ferries in 2023 and 2022.",
            "Mooring fees related to ferries",
            ["3000000 USD", "2000000 USD"],
            ["year 2023", "year 2022"],
        ),
        (
            "In 2023 and 2022, we recorded a gain of $3 million and $2 million, respectively, related to ferries.",
            "",
            [],
            [],
        ),
        (
            "In 2023 and 2022, we recorded a net gain of $3 million and $2 million, respectively, related to ferries.",
            "net gain related to ferries",
            ["3000000 USD", "2000000 USD"],
            ["year 2023", "year 2022"],
        ),
        (
            "Tolls abroad accounted for 30% and 20% of our total tolls in 2023 and 2022, respectively.",
            "Tolls abroad as a percentage of total tolls",
            ["30 percent", "20 percent"],
            ["year 2023", "year 2022"],
        ),
        (
            "Mooring fees, which include piers, docks and quays, were $3 million in 2023 and $2 million in 2022.",
            "Mooring fees",
            ["3000000 USD", "2000000 USD"],
            ["year 2023", "year 2022"],
        ),
        (
            "The fair value of options granted was $4.25 and $5.50 per share in 2023 and 2022, respectively.",
            "fair value of options granted",
            ["4.25 USD/share", "5.5 USD/share"],
            ["year 2023", "year 2022"],
        ),
    ],
)
def test_every_figure_has_its_own_period(
    sentence: str, label: str, amounts: list[str], periods: list[str]
) -> None:
    assert read(sentence) == [(label, amount, when) for amount, when in zip(amounts, periods, strict=True)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Towing expense was $14 million and $11 million in 2023, 2022 and 2021, respectively.",
        "Towing expense was $14 million in 2023.",
        "Towing expense was $14 million and $11 million in 2024 and 2023.",  # a year to come
        "Towing expense was $14 million in 2023 and $11 million in 2023.",
        "Towing expense was $14 and $11 in 2023 and 2022.",  # of what scale nobody says
        "Towing was $14 million and 11% in 2023 and 2022.",
        "Tolls were $9 million and $8 million in 2023 and 2022 of Birch Ferries.",
        "Tolls and fees were $9 million and $8 million, respectively, as of December 31, 2023 and 2022.",
        "If tolls fell, fees were $9 million in 2023 and $8 million in 2022.",
        "We recorded towing income of $2 million in 2023 compared to $24 million of expense in 2022.",
        "Towing income was $2 million of income in 2023 and $3 million of income in 2022.",
        "We recorded $2 million and $3 million in other income in 2023 and 2022, respectively.",
        "Two customers accounted for 30% and 20% of our total tolls in 2023 and 2022.",
        "Tolls were 30% and 20% lower in 2023 and 2022.",
        "The net loss was $2 million in 2023 and $3 million in 2022.",
        "Tolls rates were $2 million in 2023 and $3 million in 2022.",
        "Net income was 5% in 2023 and 6% in 2022.",
        "The crew was 500 and 600 in 2023 and 2022.",
    ],
)
def test_where_anything_is_in_doubt_nothing_is_read(sentence: str) -> None:
    assert read(sentence) == []


def test_plain_amounts_are_in_what_the_tables_are_in_where_sentences_leave_that_to_them() -> None:
    sentence = "Towing expense was $14 and $11 in 2023 and 2022."
    assert [amount for _, amount, _ in read(sentence, 6)] == ["14000000 USD", "11000000 USD"]
    income = table("income", figure("Net sales", "1"))
    text = f"{sentence} " + " ".join(
        f"Pier {letter} cost us about ${cost}."
        for letter, cost in zip("ABCDEFGHI", range(31, 40), strict=True)
    )
    assert [t.scale for t in series_triplets(parsed(FILING, income, chunks=(prose(FILING, text),)))] == [6, 6]
    said = text.replace("cost us about $31.", "cost us about $31 million.").replace("$32.", "$32 million.")
    assert list(series_triplets(parsed(FILING, income, chunks=(prose(FILING, said),)))) == []


def test_what_a_statement_prints_or_a_pair_says_is_not_repeated() -> None:
    year = Period(date(2023, 12, 31), 12, 2023, 4)
    printed = table("income", figure("Net sales", "3", year))
    text = (
        "Net sales were $3 million in 2023 and $2 million in 2022. "
        "Tolls were $3 million and $2 million as of December 31, 2023 and 2022, respectively."
    )
    found = list(series_triplets(parsed(FILING, printed, chunks=(prose(FILING, text),))))
    assert [(t.head, t.tail, t.period.fiscal_year) for t in found] == [("Net sales", "2 million USD", 2022)]
    assert found[0].title and found[0].statement == "prose" and found[0].quote.startswith("Net sales were")
