"""Counts that labels, covers and sentences print: shares, dividends a share, people."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from builders import BALANCE, QUARTER, document, figure, parsed, prose, table

from tools.knowledge.extract.head_counts import head_count_triplets
from tools.knowledge.extract.share_counts import share_triplets
from tools.periods import Period

FILING = document("KEST", company="Kestrel Inc.")
OPENING = Period(date(2022, 9, 24), 0, 2022, 4)


def shares(label: str, note: str = "In millions") -> list[tuple[str, str | None, int]]:
    facts = (figure(label, "108", BALANCE), replace(figure(label, "107", OPENING), column=1))
    item = parsed(FILING, replace(table("balance", *facts), note=note))
    return [(t.head, t.value, t.scale) for t in share_triplets(item)]


def test_counts_in_a_label_follow_the_columns_and_the_tables_scale() -> None:
    label = "Common stock, 500 shares authorized; 120 and 118 shares issued; 110 and 109 shares outstanding"
    assert shares(label) == [
        ("Shares issued", "120", 6),
        ("Shares issued", "118", 6),
        ("Shares outstanding", "110", 6),
        ("Shares outstanding", "109", 6),
    ]


@pytest.mark.parametrize(
    ("label", "note"),
    [
        ("Class B common stock, 120 and 118 shares issued", "In millions"),
        ("Preferred stock, 120 and 118 shares issued", "In millions"),
        ("Common stock, 120,000,000 and 118,000,000 shares issued", "In millions"),  # 120 trillion
    ],
)
def test_a_class_of_shares_or_a_count_of_the_wrong_scale_is_left_out(label: str, note: str) -> None:
    assert shares(label, note) == []


def test_only_the_first_two_pages_are_a_cover() -> None:
    text = "120,000,000 shares of common stock were issued and outstanding as of July 20, 2023"
    assert [t.period.end for t in share_triplets(parsed(FILING, chunks=(prose(FILING, text),)))] == [
        date(2023, 7, 20)
    ]
    item = parsed(FILING, chunks=(prose(FILING, text),))
    later = replace(item, pages=(*(replace(page, text="") for page in item.pages), item.pages[0]))
    assert list(share_triplets(later)) == []


def test_a_dividend_a_share_is_read_from_the_label_of_one_period() -> None:
    label = "Dividends declared ($0.24 per common share)"
    one = parsed(FILING, table("equity", figure(label, "-12", QUARTER)))
    assert [(t.head, t.value, t.unit, t.period) for t in share_triplets(one)] == [
        ("Dividends declared per share", "0.24", "USD/share", QUARTER)
    ]
    two = parsed(FILING, table("equity", figure(label, "-12", QUARTER), figure(label, "-11", OPENING)))
    assert list(share_triplets(two)) == []


def people(text: str, **fields: str) -> list[tuple[str, str, str | None, str]]:
    item = parsed(FILING, chunks=(prose(FILING, text, **fields),))
    return [(t.head, t.relation, t.value, t.period.describe()) for t in head_count_triplets(item)]


def test_employees_are_counted_on_the_documents_last_day() -> None:
    assert people("As of July 1, 2023, we had approximately 1,520 employees worldwide.") == [
        ("employees", "was", "1520", "as of July 1, 2023")
    ]


def test_a_reduction_of_the_workforce_has_no_period_of_its_own() -> None:
    assert people("The plan will reduce our workforce by about 240 positions this year.") == [
        ("workforce reduction", "affects", "240", "period not stated")
    ]


def test_two_counts_in_one_sentence_or_a_question_count_nobody() -> None:
    assert people("We had 1,520 employees, and the company had 900 employees, a year before.") == []
    assert people("You said we had 1,520 employees, is that right today?", kind="exchange") == []


def test_whoever_an_annual_report_counts_is_a_figure_of_employees_too() -> None:
    assert people("We employed more than 2.2 million associates worldwide.") == [
        ("employees", "was", "2200000", "as of July 1, 2023")
    ]
