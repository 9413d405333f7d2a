"""Sentences as a fluent writer puts figures (compared, computed, rounded, in another order) and their twins."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from graphs.local.check.computed_figures import delta_way
from graphs.local.check.figure_changes import FigureChange, find_changes, moves_as_said
from graphs.local.check.guard import ModelDraftGuard
from tests.pieces import NOW, piece
from tools.evidence import Evidence, Fact
from tools.periods import Period
from tools.values import find_quantities

THEN = Period(fiscal_year=2023, fiscal_quarter=2, end=date(2023, 4, 1), months=3)
MARGIN = (
    "Gross margin was 54.2% in the second quarter of fiscal 2024, compared with 50.9% in the second quarter of fiscal"
    " 2023. One customer accounted for 14% of revenue in the second quarter of fiscal 2024 and for 11% in the second"
    " quarter of fiscal 2023. We repurchased common stock for $180.2 million and paid dividends of $69.7 million."
    " We have not recorded a liability for the claims, which are without merit. Below two billion is unlikely."
)


def figure(rank: int, metric: str, value: str, period: Period) -> Evidence:
    fact = Fact(metric=metric, value=value, unit="USD", scale=6, printed=value, period=period)
    return piece(rank, f"Orla Inc., {metric}, {period.describe()}: {value} million USD", fact)


EVIDENCE = [
    piece(1, MARGIN),
    figure(2, "Total revenue", "1284.6", NOW),
    figure(3, "Total revenue", "1141.4", THEN),
    figure(4, "Operating income (loss)", "-21.4", NOW),
    figure(5, "Operating income (loss)", "-18.9", THEN),
    figure(6, "Research and development", "312.8", NOW),
    figure(7, "Selling, general and administrative", "141.6", NOW),
]

TOLD = [
    (
        "Gross margin improved from 50.9% to 54.2% [1].",
        "from 54.2% to 50.9% [1].",
        "from 50.9% to 54.2% [1].",
        "'improved'",
    ),
    ("Gross margin rose to 54.2%, up from 50.9% a year earlier [1].", "fell to", "rose to", "'fell'"),
    ("Gross margin rose 330 basis points to 54.2% [1].", "33 basis", "330 basis", "33 basis points"),
    (
        "Gross margin expanded by 3.3 percentage points to 54.2% [1].",
        "contracted",
        "expanded",
        "'contracted'",
    ),
    ("One customer made up 14% of revenue, up from 11% a year before [1].", "down from", "up from", "'down'"),
    (
        "Orla bought back $180.2 million of stock and paid $69.7 million in dividends [1].",
        "$69.7 million of stock and paid $180.2 million in",
        "$180.2 million of stock and paid $69.7 million in",
        "$69.7 million and $180.2 million",
    ),
    (
        "Buybacks and dividends came to $249.9 million in total ($180.2 million and $69.7 million) [1].",
        "294",
        "249",
        "$294.9 million",
    ),
    ("Orla has not recorded a liability for the claims [1].", "has recorded", "has not recorded", "'not'"),
    ("Revenue rose 12.5% to about $1.28 billion from $1.14 billion [2][3].", "11.1%", "12.5%", "11.1%"),
    ("Revenue was up $143.2 million to $1,284.6 million [2][3].", "down $143", "up $143", "$143.2 million"),
    (
        "Revenue was $1,284.6mn, against $1,141.4mn in the same quarter a year earlier [2][3].",
        "4.6mn",
        "4.6bn",
        "$1,284.6bn",
    ),
    (
        "Orla's operating loss widened to $21.4 million from $18.9 million [4][5].",
        "narrowed",
        "widened",
        "'narrowed'",
    ),
    ("Orla lost $21.4 million at the operating level in Q2 2024 [4].", "earned", "lost", "$21.4 million"),
    (
        "Together, R&D ($312.8 million) and SG&A ($141.6 million) were $454.4 million [6][7].",
        "R&D ($141.6 million) and SG&A ($312.8 million)",
        "R&D ($312.8 million) and SG&A ($141.6 million)",
        "$141.6 million and $312.8 million",
    ),
]


def change(text: str) -> FigureChange:
    return next(find_changes(text))


def faults(text: str, *, doubts: bool = True) -> str:
    """What vetoes a text, and what is a question to a judge."""
    guard, by_rank = ModelDraftGuard(), {item.rank: item for item in EVIDENCE}
    found = [guard.find(claim, by_rank) for claim in guard.claims(text)]
    return "; ".join(f.fault or (f.doubt if doubts else "") for f in found)


@pytest.mark.parametrize("text", [told[0] for told in TOLD])
def test_a_sound_sentence_holds_however_its_figures_are_told(text: str) -> None:
    assert faults(text, doubts=False) == ""


@pytest.mark.parametrize(("sound", "one", "other", "named"), TOLD)
def test_its_corrupted_twin_is_flagged_by_name(sound: str, one: str, other: str, named: str) -> None:
    old, new = (other, one) if other in sound else (one, other)
    assert old in sound
    assert named in faults(sound.replace(old, new))


@pytest.mark.parametrize(
    ("text", "new", "old"),
    [
        ("It went from 5% to 7%.", "7", "5"),
        ("It was 7%, compared with 5% before.", "7", "5"),
        ("It rose 12%, from $5 million to $7 million.", "7", "5"),
        (
            "Net income was $59 million, or $0.31 per share, compared with a net loss of $92 million.",
            "59",
            "-92",
        ),
        ("The loss narrowed to $26 million from $52 million.", "-26", "-52"),
        ("It fell to -$1,095 million from -$109 million.", "-1095", "-109"),
        ("It declined to -$113 million from $57 million.", "-113", "57"),
        ("The forecast was raised to 10%-12% from 6%-8%.", "10", "6"),
    ],
)
def test_a_comparison_is_read_with_its_new_and_its_old_figure(text: str, new: str, old: str) -> None:
    found = change(text)
    assert (found.new.value, found.old.value) == (Decimal(new), Decimal(old))
    assert moves_as_said(found) is not False


@pytest.mark.parametrize(
    "text",
    ["More than $5 million of $7 million.", "Cash from operations decreased $4.7 billion to $34.4 billion."],
)
def test_a_bound_or_a_movement_is_no_comparison(text: str) -> None:
    assert list(find_changes(text)) == []


def test_a_loss_that_grows_is_a_greater_one_and_a_signed_figure_that_grows_is_less_negative() -> None:
    assert moves_as_said(change("The loss grew to $9 million from $5 million."))
    assert moves_as_said(change("It grew to -$9 million from -$5 million.")) is False


def test_figures_that_are_printed_too_coarsely_neither_show_a_movement_nor_contradict_it() -> None:
    for word in ("rose", "fell"):
        coarse = change(f"Expenses {word} to $3,969 million from $4.0 billion.")
        assert moves_as_said(coarse) is None
    assert moves_as_said(change("Expenses rose to $4.1 billion from $4.0 billion."))


@pytest.mark.parametrize(
    ("text", "way"),
    [("down $5 million", "down"), ("it made up 5%", ""), ("5% higher than before", "up"), ("fell to 5%", "")],
)
def test_the_size_of_a_movement_is_told_from_a_level(text: str, way: str) -> None:
    assert delta_way(text, find_quantities(text)[0]) == way
