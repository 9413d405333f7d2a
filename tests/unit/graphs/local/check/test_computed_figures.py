"""Figures that follow from printed ones: shown calculations, changes, shares, multiples and sums."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from graphs.local.check.arithmetic import equation_fault, find_equations
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.computed_figures import is_change, is_computed
from graphs.local.check.derivations import is_derived, shares
from graphs.local.check.parsed_text import parsed
from graphs.local.check.passages import Passage, pool, whole
from graphs.local.check.printed_figures import Figure
from tests.pieces import NOW, piece
from tools.evidence import Fact
from tools.periods import Period
from tools.values import Quantity

THEN = Period(fiscal_year=2023, fiscal_quarter=2, end=date(2023, 4, 1), months=3)


def quantity(text: str) -> Quantity:
    return parsed(text).quantities[0]


def fact(metric: str, value: str, period: Period = NOW) -> Passage:
    found = Fact(metric=metric, value=value, unit="USD", scale=6, printed=value, period=period)
    return whole(piece(1, f"Orla Inc., {metric}: {value} million USD", found))


ORLA = pool([fact("Sensors", "660"), fact("Total revenue", "1000"), fact("Sensors", "600", THEN)])


@pytest.mark.parametrize(
    ("shown", "reason"),
    [
        ("660 - 600 = 60 million USD (+10.0 %)", ""),
        ("660 - 600 = 70 million USD", "the calculation gives 60, not 70"),
        ("660 - 600 = 60 million USD (+12.0 %)", "the change is 10.00 %, not 12.0 %"),
        ("661 - 600 = 61 million USD", "661 in the calculation is not in the cited evidence"),
        ("660 / 0 = 0 %", "0 in the calculation is not in the cited evidence"),
    ],
)
def test_a_shown_calculation_is_done_again_from_cited_operands(shown: str, reason: str) -> None:
    (equation,) = find_equations(shown)
    assert equation_fault(equation, ORLA.figures) == reason


@pytest.mark.parametrize(
    ("text", "new", "old", "way", "holds"),
    [
        ("$60 million", "$660 million", "$600 million", "up", True),
        ("$60 million", "$660 million", "$600 million", "down", False),
        ("10%", "$660 million", "$600 million", "", True),
        ("12%", "$660 million", "$600 million", "", False),
        ("3 percentage points", "15%", "12%", "", True),
        ("3%", "15%", "12%", "", False),
        ("2 cents", "$1.04 per share", "$1.02 per share", "up", True),
    ],
)
def test_a_change_has_the_size_and_the_way_that_its_figures_show(
    text: str, new: str, old: str, way: str, holds: bool
) -> None:
    assert is_change(quantity(text), quantity(new), quantity(old), way) is holds


@pytest.mark.parametrize(
    ("text", "figure", "holds"),
    [
        ("$5 million, 2.5 times the $2 million", "2.5", True),
        ("$5 million, 3.5 times the $2 million", "3.5", False),
        ("$5 million and $2 million, together $7 million", "$7 million", True),
        ("$5 million and $2 million, and then $7 million", "$7 million", False),
        ("$2 million was 40% of the $5 million", "40%", True),
        ("$2 million was 45% of the $5 million", "45%", False),
    ],
)
def test_multiples_sums_and_shares_follow_from_the_figures_stated(
    text: str, figure: str, holds: bool
) -> None:
    said = parsed(text)
    told = next(q for q in said.quantities if q.text == figure)
    stated = [Figure(q) for q in said.quantities if q is not told]
    assert is_computed(told, said, stated, (), Passage("", (), ()), ()) is holds


def test_a_share_is_of_two_line_items_of_one_period() -> None:
    found = list(shares(ClaimText("Sensors as a share of total revenue"), ORLA))
    assert {(s.part.label, s.whole.label, s.ratio) for s in found} == {
        ("Sensors", "Total revenue", Decimal("0.66"))
    }


@pytest.mark.parametrize(
    ("text", "figure", "holds"),
    [
        ("Sensors were 66% of total revenue", "66%", True),
        ("Sensors were 60% of total revenue", "60%", False),
        ("Sensors rose by 10%, to $660 million", "10%", True),
        ("Sensors rose by 11%, to $660 million", "11%", False),
    ],
)
def test_a_figure_that_is_not_printed_may_follow_from_what_is_cited(
    text: str, figure: str, holds: bool
) -> None:
    claim = ClaimText(text)
    assert is_derived(claim, ORLA, next(q for q in claim.said.quantities if q.text == figure)) is holds
