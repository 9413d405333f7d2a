"""Sizes told in words or computed by the writer, with what they must not pass for."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from graphs.local.check.guard import ModelDraftGuard
from graphs.local.text.degrees import find_degrees
from tests.pieces import NOW, piece
from tools.evidence import Evidence, Fact
from tools.periods import Period

THEN = Period(fiscal_year=2023, fiscal_quarter=2, end=date(2023, 4, 1), months=3)


def figure(rank: int, metric: str, value: str, period: Period, company: str = "Orla Inc.") -> Evidence:
    unit, scale = ("USD/share", 0) if "per share" in metric else ("USD", 6)
    fact = Fact(metric=metric, value=value, unit=unit, scale=scale, printed=value, period=period)
    text = f"{company}, {metric}, {period.describe()}: {value} {'million USD' if scale else 'USD per share'}"
    return piece(rank, text, fact).model_copy(update={"company": company, "company_key": company.upper()})


EVIDENCE = [
    figure(1, "Sensors", "660", NOW),
    figure(2, "Total revenue", "1000", NOW),
    figure(3, "Sensors", "240", THEN),
    figure(4, "Total revenue", "800", THEN),
    figure(5, "Dividends paid", "-121", NOW),
    figure(6, "Dividends paid", "-114", THEN),
    figure(7, "Total revenue", "402.5", NOW, "Brisk Corp."),
    piece(
        8,
        "Funds from operations were $1.04 per diluted share, compared with $1.02 in the second quarter of 2023.",
    ),
    piece(
        9,
        "The program covers losses above a retention of $150 million; the retention was $100 million before.",
    ),
    piece(10, "At March 30, 2024, we operated 287 trucks, of which 64 were leased. We bought three trucks."),
    figure(11, "Net loss per share, basic and diluted", "-0.05", NOW),
    piece(
        12,
        "Storm losses were $90 million. A year earlier they were $300 million, of which hail came to $271 million.",
    ),
    figure(13, "Diluted earnings per share", "1.91", NOW),
    piece(14, "We stopped buying back shares in May 2023. Fares were under pressure on routes to Ohio."),
    piece(
        16,
        "We closed 29 deals, against 21 a year ago. Retention was 112% now and 119% last year. We guide to sales of"
        " $1.25 billion, plus or minus $40 million. We signed leases for 702,000 square feet. Liquidity includes an"
        " undrawn line. Mill fees were slightly down. About 83% of our employees belong to unions.",
    ),
    figure(17, "Sensor costs", "300", NOW),
    figure(18, "Chip costs", "320", NOW),
    figure(19, "Total costs", "1000", NOW),
    figure(20, "Operating income", "104", NOW),
    piece(15, "In 2023, we built a plant in Ohio. We expect capital expenditures of $1.1 billion in 2024."),
]

TOLD = [
    ("Sensors rose by $420 million [1][3].", "$420", "$430", "$430 million"),
    (
        "Sensors came to $660 million, up from $240 million a year earlier [1][3].",
        "a year earlier",
        "in the previous quarter",
        "previous quarter",
    ),
    ("It closed 29 deals, eight more than a year ago [16].", "eight more", "six more", "'six'"),
    ("Retention slid seven points to 112% [16].", "seven", "six", "'six'"),
    ("It expects sales of $1.21 billion to $1.29 billion [16].", "$1.21", "$1.20", "$1.20 billion"),
    ("It signed leases for about 700,000 square feet [16].", "700,000", "800,000", "800,000"),
    ("Sensors and chips together made up 62% of costs [17][18][19].", "62%", "66%", "66%"),
    ("Operating margin was 10.4% [2][20].", "10.4%", "10.9%", "10.9%"),
    (
        "More than four in five employees are in unions [16].",
        "four in five",
        "nine in ten",
        "More than nine in ten",
    ),
    (
        "Liquidity includes a line it has not drawn [16].",
        "has not drawn",
        "has fully drawn and did not repay",
        "'not'",
    ),
    (
        "Dividends came to $121 million, $7 million more than a year ago [5][6].",
        "$7 million",
        "$9 million",
        "$9 million",
    ),
    ("Sensors brought about two thirds of revenue [1][2].", "two thirds", "one third", "one third"),
    ("Sensors made up just under a third of revenue, or 30%, in Q2 2023 [3][4].", "30%", "66%", "66%"),
    (
        "Sensors accounted for 66% of revenue, up from 30% a year earlier [1][2][3][4].",
        "up from",
        "down from",
        "'down'",
    ),
    (
        "Sensors more than doubled to $660 million [1][3].",
        "more than doubled",
        "more than tripled",
        "more than tripled",
    ),
    ("Sensors nearly tripled to $660 million [1][3].", "nearly tripled", "nearly doubled", "nearly doubled"),
    ("Revenue rose by a quarter to $1 billion [2][4].", "a quarter", "a half", "a half"),
    (
        "Revenue rose to $1 billion from $800 million [2][4].",
        "Revenue rose",
        "Revenue edged up slightly",
        "'edged'",
    ),
    (
        "Dividends were slightly more than a year earlier, $121 million against $114 million [5][6].",
        "slightly more",
        "slightly less",
        "'less'",
    ),
    (
        "Orla's revenue of $1 billion was 2.5 times the $402.5 million of Brisk [2][7].",
        "2.5 times",
        "3.5 times",
        "3.5",
    ),
    ("FFO edged up two cents to $1.04 per diluted share [8].", "two cents", "six cents", "six cents"),
    (
        "The retention went up from $100 million to $150 million [9].",
        "up from $100 million to $150",
        "down from $150 million to $100",
        "$150 million and $100 million",
    ),
    (
        "64 of its 287 trucks, a little over a fifth, were leased [10].",
        "a fifth",
        "a third",
        "a little over a third",
    ),
    ("Orla's net loss was five cents per share [11].", "five", "six", "six cents per share"),
    (
        "Storm losses fell to $90 million from $300 million, of which hail was roughly nine-tenths [12].",
        "nine-tenths",
        "six-tenths",
        "roughly six-tenths",
    ),
    ("Orla earned $1.91 per diluted share [13].", "$1.91", "$1.19", "$1.19 per diluted share"),
    ("Orla halted its buybacks in May 2023 [14].", "May 2023", "June 2023", "June 2023"),
    ("Fares were weak on routes to Ohio [14].", "weak", "strengthening", "'strengthening'"),
    ("It expects capital expenditures of $1.1 billion in 2024 [15].", "in 2024", "in 2023", "2023"),
]


def faults(text: str, *, doubts: bool = True) -> str:
    """What vetoes a text, and what is a question to a judge."""
    guard, by_rank = ModelDraftGuard(), {item.rank: item for item in EVIDENCE}
    found = [guard.find(claim, by_rank) for claim in guard.claims(text)]
    return "; ".join(f.fault or (f.doubt if doubts else "") for f in found)


@pytest.mark.parametrize("text", [told[0] for told in TOLD])
def test_what_follows_from_the_cited_figures_holds_in_words_too(text: str) -> None:
    assert faults(text, doubts=False) == ""


@pytest.mark.parametrize(("sound", "old", "new", "named"), TOLD)
def test_what_does_not_follow_is_flagged_by_name(sound: str, old: str, new: str, named: str) -> None:
    assert old in sound
    assert named in faults(sound.replace(old, new))


def test_a_share_of_uncited_figures_is_no_figure() -> None:
    assert "66%" in faults("Sensors accounted for 66% of revenue [1].")
    assert faults("Sensors accounted for about two thirds of revenue [1].")


@pytest.mark.parametrize(
    ("text", "kind", "inside", "outside"),
    [
        ("just under half of revenue", "share", "0.47", "0.53"),
        ("fell by about a tenth", "change", "0.11", "0.2"),
        ("more than doubled", "fold", "2.3", "1.9"),
        ("more than halved", "fold", "0.4", "0.6"),
        ("almost seven times as much", "fold", "6.7", "5"),
    ],
)
def test_words_of_size_are_bounds(text: str, kind: str, inside: str, outside: str) -> None:
    (degree,) = find_degrees(text)
    assert degree.kind == kind
    assert degree.holds(Decimal(inside))
    assert not degree.holds(Decimal(outside))


@pytest.mark.parametrize(
    "text", ["the third quarter of 2024", "the first half of the year", "a quarter of 2023"]
)
def test_parts_of_a_year_are_no_sizes(text: str) -> None:
    assert find_degrees(text) == ()
