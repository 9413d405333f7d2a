"""When a figure of a claim is one of the evidence: amount, unit, scale, sign, line item and period."""

from __future__ import annotations

import pytest

from graphs.local.check.claim_text import ClaimText
from graphs.local.check.figure_checks import number_fault
from graphs.local.check.figure_match import is_labelled, is_same, near_periods, same_size
from graphs.local.check.parsed_text import parsed
from graphs.local.check.passages import Passage, pool, whole
from graphs.local.check.printed_figures import Figure
from tests.pieces import NOW, piece
from tools.evidence import Evidence, Fact
from tools.periods import Period

THEN = Period(fiscal_year=2023, fiscal_quarter=2, months=3)


def figure(metric: str, value: str, period: Period = NOW) -> Evidence:
    fact = Fact(metric=metric, value=value, unit="USD", scale=6, printed=value, period=period)
    return piece(1, f"Orla Inc., {metric}: {value} million USD", fact)


SALES = pool(
    [
        whole(figure("Net sales", "812")),
        whole(figure("Net sales", "790", THEN)),
        whole(figure("Net loss", "-14")),
    ]
)


def fault(text: str, passage: Passage = SALES) -> str:
    return number_fault(ClaimText(text), passage, ClaimText(text))


@pytest.mark.parametrize(
    ("text", "shown", "holds"),
    [
        ("$4.8 billion", "$4,812 million", True),
        ("$4.9 billion", "$4,812 million", False),
        ("4.8 billion shares", "$4,812 million", False),
        ("about 700,000 units", "702,000", True),
        ("about 700,000 units", "730,000", False),
        ("a loss of $5 million", "-$5 million", True),
        ("a gain of $5 million", "-$5 million", False),
    ],
)
def test_a_figure_may_be_rounded_but_keeps_unit_scale_and_sign(text: str, shown: str, holds: bool) -> None:
    ours, theirs = parsed(text).quantities[0], parsed(shown).quantities[0]
    assert is_same(ours, Figure(theirs), text) is holds


def test_size_is_compared_without_sign_and_a_bare_number_has_any_unit() -> None:
    five, less, percent = (parsed(text).quantities[0] for text in ("$5 million", "-$5 million", "5%"))
    bare = parsed("5").quantities[0]
    assert same_size(five, less)
    assert same_size(bare, percent)
    assert not same_size(five, percent)


@pytest.mark.parametrize(
    ("text", "label", "names"),
    [
        ("sensor sales in Europe", "Net sales: European sensors", True),
        ("research spending", "Net sales: European sensors", False),
        ("It earned 5 million", "Net income (loss)", True),
        ("It spent 5 million", "Net income (loss)", False),
    ],
)
def test_a_text_names_a_line_item_by_most_of_its_words_or_its_metric(
    text: str, label: str, names: bool
) -> None:
    assert is_labelled(parsed(text), label) is names


def test_a_figure_s_period_is_that_of_its_own_clause() -> None:
    claim = ClaimText("Sales were $5 million in 2024, but costs were $3 million in 2023", "Orla in 2022:")
    sales, costs = claim.said.quantities
    assert [m.year for m in near_periods(claim, sales)] == [2024]
    assert [m.year for m in near_periods(claim, costs)][-1] == 2023
    undated = ClaimText("Sales were $5 million while costs fell in 2023", "Orla in 2022:")
    assert [m.year for m in near_periods(undated, undated.said.quantities[0])] == [2022]


def test_a_printed_figure_of_the_line_item_and_period_holds() -> None:
    assert fault("Net sales were $812 million in the second quarter of 2024") == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Net sales were $813 million", "$813 million is not in the cited evidence"),
        ("Goodwill was $812 million", "$812 million belongs to 'Net sales'"),
        (
            "Net sales were $812 million in the second quarter of 2023",
            "$812 million is not the figure for second quarter of 2023",
        ),
        ("812 - 790 = 23 million USD", "the calculation gives 22, not 23"),
        ("Net sales of the Kestrel X17 were $812 million", "17 is not in the cited evidence"),
        ("Net sales of its four plants were $812 million", "'four' is not in the cited evidence"),
    ],
)
def test_a_figure_of_another_amount_line_item_or_period_is_a_fault(text: str, reason: str) -> None:
    assert fault(text) == reason
