"""Figures that sentences, labels and covers print: pairs, shares outstanding, head counts."""
# ruff: noqa: E501

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from builders import BALANCE, END, LAST_YEAR, QUARTER, document, figure, parsed, prose, table

from tools.documents.types import ParsedDocument
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.extract.printed_figures import printed_triplets
from tools.periods import Period

FILING = document()
YEAR_BEFORE = figure("Net sales", "1", Period(LAST_YEAR, 3, 2022, 3))
OPENING = Period(date(2022, 9, 24), 0, 2022, 4)


def said(text: str) -> list[tuple[str, str, str]]:
    """(metric, figure, period) of what the sentence states."""
    item = parsed(FILING, table("income", YEAR_BEFORE), chunks=(prose(FILING, text),))
    return figures_of(item)


def figures_of(item: ParsedDocument) -> list[tuple[str, str, str]]:
    return [
        (t.head, t.tail, t.period.describe())
        for t in printed_triplets(item)
        if t.value is not None and t.head != "Net sales"
    ]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Our effective tax rate was 19% and 17% for the three months ended July 1, 2023 and 2022, respectively, and "
            "19% and 11% for the nine months ended July 1, 2023 and 2022, respectively.",
            [
                ("effective tax rate", "19 %", "three months ended July 1, 2023"),
                ("effective tax rate", "17 %", "three months ended July 1, 2022"),
                ("effective tax rate", "19 %", "nine months ended July 1, 2023"),
                ("effective tax rate", "11 %", "nine months ended July 1, 2022"),
            ],
        ),
        (
            "As of July 1, 2023 and September 24, 2022, the Company had total deferred revenue of $12.6 billion and $12.4 "
            "billion, respectively.",
            [
                ("total deferred revenue", "12.6 billion USD", "as of July 1, 2023"),
                ("total deferred revenue", "12.4 billion USD", "as of September 24, 2022"),
            ],
        ),
        (
            "Operating lease expenses were $49 million and $139 million for the third quarter and first nine months of "
            "fiscal year 2023, respectively.",
            [
                ("Operating lease expenses", "49 million USD", "three months ended July 1, 2023"),
                ("Operating lease expenses", "139 million USD", "nine months ended July 1, 2023"),
            ],
        ),
        (
            "Overall gross margin decreased to 53.6% for the quarter and grew by 2% and 3% in Q3 2023 and Q3 2022.",
            [],
        ),
        (
            "Total video expense was $3.3 billion and $4.2 billion for Q3 2022 and Q3 2023, and was led by films.",
            [
                ("Total video expense", "3.3 billion USD", "three months ended June 25, 2022"),
                ("Total video expense", "4.2 billion USD", "three months ended July 1, 2023"),
            ],
        ),
        (
            "There were $6.8 billion and $567 million of borrowings outstanding under the Programs as of September 24, "
            "2022 and July 1, 2023.",
            [
                ("borrowings outstanding under the Programs", "6.8 billion USD", "as of September 24, 2022"),
                ("borrowings outstanding under the Programs", "567 million USD", "as of July 1, 2023"),
            ],
        ),
    ],
)
def test_two_figures_for_two_periods_are_told_apart(
    sentence: str, expected: list[tuple[str, str, str]]
) -> None:
    assert said(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "During the third quarter and first nine months of fiscal year 2023, we repurchased 28 million shares for $3.65 "
        "billion and 56 million shares for $8.99 billion, respectively.",
        "During the third quarter and first nine months of fiscal year 2023, we repurchased 28 million and 56 million "
        "shares for $3.65 billion and $8.99 billion, respectively.",
    ],
)
def test_shares_bought_and_their_cost_are_two_pairs(sentence: str) -> None:
    assert said(sentence) == [
        ("shares repurchased", "28 million shares", "three months ended July 1, 2023"),
        ("shares repurchased", "56 million shares", "nine months ended July 1, 2023"),
        ("repurchases of common stock", "3.65 billion USD", "three months ended July 1, 2023"),
        ("repurchases of common stock", "8.99 billion USD", "nine months ended July 1, 2023"),
    ]


def test_a_benefit_of_income_tax_is_negative() -> None:
    text = (
        "Income tax was an expense of $1.28 billion and $2.24 billion for the third quarter and first nine months of fiscal "
        "year 2023, respectively, and a benefit of $67 million and $61 million for the third quarter and first nine "
        "months of fiscal year 2022, respectively."
    )
    assert [value for _, value, _ in said(text)] == [
        "1.28 billion USD", "2.24 billion USD", "-67 million USD", "-61 million USD"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "sentence",
    [
        "Unrealized gains of $8 million and $126 million from an investment were recorded in other income in the third "
        "quarter and first nine months of fiscal year 2023, respectively.",
        "Revenue and operating income included an unfavorable impact of 3% and 5% for the three months ended July 1, 2023 "
        "and 2022, respectively.",
        "We expect that capital spending would be $2 billion and $3 billion for the three months ended July 1, 2023 and "
        "2022, respectively.",
        "Common shares outstanding plus shares underlying awards totaled 10.6 billion and 10.8 billion as of July 1, 2023 and "
        "September 24, 2022, respectively.",
        "The Company's fiscal years 2023 and 2022 span 53 and 52 weeks, respectively.",
        "One customer represented approximately 17% and 13% of revenue for the three months ended July 1, 2023 and 2022, "
        "respectively.",
        "Operating lease expenses were $49 million and $44 million for the second quarter of fiscal years 2023 and 2022, "
        "respectively.",  # not the quarter of the document: its days are not known
        "Receivables were $5 million and $4 million, which excludes $1 million sold, as of July 1, 2023 and September 24, "
        "2022, respectively.",
    ],
)
def test_a_pair_whose_subject_or_periods_are_in_doubt_states_nothing(sentence: str) -> None:
    assert said(sentence) == []


def test_what_a_statement_prints_for_the_period_is_not_repeated_from_a_sentence() -> None:
    text = "Net income was $19.9 billion and $19.4 billion for the three months ended July 1, 2023 and 2022, respectively."
    item = parsed(
        FILING, table("income", figure("Net income", "19881", QUARTER)), chunks=(prose(FILING, text),)
    )
    assert [(value, when) for _, value, when in figures_of(item)] == [
        ("19,881 million USD", "three months ended July 1, 2023"),
        ("19.4 billion USD", "three months ended July 1, 2022"),
    ]


@pytest.mark.parametrize(
    ("label", "note", "expected"),
    [
        (
            "Common stock ($0.01 par value; 100,000 shares authorized; 10,757 and 10,828 shares issued; 10,242 and 10,313 "
            "shares outstanding)",
            "in millions, except per share data",
            [
                ("Shares issued", "10,757 million shares", "as of July 1, 2023"),
                ("Shares issued", "10,828 million shares", "as of September 24, 2022"),
                ("Shares outstanding", "10,242 million shares", "as of July 1, 2023"),
                ("Shares outstanding", "10,313 million shares", "as of September 24, 2022"),
            ],
        ),
        (
            "Common stock, $0.00001 par value: 50,400,000 shares authorized; 15,842,407and 15,943,425 shares issued and "
            "outstanding, respectively",
            "In millions, except number of shares which are reflected in thousands and par value",
            [
                ("Shares issued and outstanding", "15,842,407 thousand shares", "as of July 1, 2023"),
                ("Shares issued and outstanding", "15,943,425 thousand shares", "as of September 24, 2022"),
            ],
        ),
        (
            "Common stock, 4,127 issued and outstanding (4,070 issued and outstanding as of September 24, 2022)",
            "In Millions",
            [
                ("Shares issued and outstanding", "4,127 million shares", "as of July 1, 2023"),
                ("Shares issued and outstanding", "4,070 million shares", "as of September 24, 2022"),
            ],
        ),
        ("Common stock - shares authorized 24,000; outstanding 7,457 and 7,464", "", []),
        ("Class A common stock, 100 and 120 shares issued and outstanding", "In millions", []),
    ],
)
def test_a_balance_sheets_label_counts_shares_in_the_order_of_its_columns(
    label: str, note: str, expected: list[tuple[str, str, str]]
) -> None:
    facts = (figure(label, "108", BALANCE), replace(figure(label, "107", OPENING), column=1))
    item = parsed(FILING, replace(table("balance", *facts), note=note))
    assert [one for one in figures_of(item) if one[0] != label] == expected


@pytest.mark.parametrize(
    ("cover", "expected"),
    [
        ("15,821,946,000 shares of common stock were issued and outstanding as of January 20, 2023", "15,821,946,000 shares"),
        ("As of April 21, 2023, the registrant had outstanding 4,171 million shares of common stock.", "4,171 million shares"),
        (
            "The number of shares of common stock, $0.001 par value, outstanding as of May 19, 2023, was 2.47 billion.",
            "2.47 billion shares",
        ),
        (
            "Class Outstanding as of April 20, 2023 Common Stock, $0.00000625 par value per share 7,435,487,575 shares",
            "7,435,487,575 shares",
        ),
        ("Class A common stock: 50,000,000 shares of common stock outstanding as of May 1, 2023", None),
    ],
)  # fmt: skip
def test_a_cover_counts_shares_on_a_day_of_its_own(cover: str, expected: str | None) -> None:
    found = figures_of(parsed(FILING, chunks=(prose(FILING, cover),)))
    assert [(name, value) for name, value, _ in found] == (
        [("Shares outstanding", expected)] if expected else []
    )
    assert END.isoformat() not in str(found)


def test_a_reduction_of_the_workforce_is_counted() -> None:
    text = "The Board approved a plan to reduce our workforce by about 240 employees."
    assert said(text) == [("workforce reduction", "240 employees", "period not stated")]


def test_printed_figures_are_part_of_what_a_document_yields() -> None:
    text = "Equity investments were $6.8 billion and $6.9 billion as of July 1, 2023 and September 24, 2022, respectively."
    item = parsed(FILING, chunks=(prose(FILING, text),))
    assert {t.tail for t in LocalExtractor(prose=False).extract(item)} >= {
        "6.8 billion USD",
        "6.9 billion USD",
    }


def test_dividends_per_share_inside_a_label_are_a_figure_of_their_own() -> None:
    label = "Cash dividends declared ($0.13 per share)"
    item = parsed(FILING, table("equity", figure(label, "-525", QUARTER, ("Total",))))
    assert figures_of(item)[1:] == [
        ("Cash dividends declared per share", "0.13 USD per share", "three months ended July 1, 2023")
    ]
