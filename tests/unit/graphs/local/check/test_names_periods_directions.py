"""Periods, names and directions of a claim against one passage, and figures in each other's place."""

from __future__ import annotations

from datetime import date

import pytest

from graphs.local.check.claim_text import ClaimText
from graphs.local.check.direction_checks import movement_fault
from graphs.local.check.name_checks import attribution_fault, name_fault, speaker_fault
from graphs.local.check.opposites import opposite_fault
from graphs.local.check.passages import CitedEvidence, Passage, pool, whole
from graphs.local.check.period_checks import period_fault
from graphs.local.check.swapped_figures import swapped_change_fault, swapped_figure_fault
from graphs.local.check.wording_checks import wording_fault
from tests.pieces import NOW, piece
from tools.evidence import Fact
from tools.periods import Period

THEN = Period(fiscal_year=2023, fiscal_quarter=2, end=date(2023, 4, 1), months=3)


def fact(metric: str, value: str, period: Period = NOW) -> Passage:
    found = Fact(metric=metric, value=value, unit="USD", scale=6, printed=value, period=period)
    return whole(piece(1, f"Orla Inc., {metric}: {value} million USD", found))


SALES = pool([fact("Net sales", "812"), fact("Net sales", "790", THEN)])
PROSE = whole(
    piece(
        2,
        "Sales in Ohio rose to $812 million from $790 million. Margins fell by 2% in June. Sensor"
        " revenue was $300 million and chip revenue was $200 million.",
    )
)
CALL = piece(
    3, "Ana Reyes: Prices held up well.\nTom Birch: We cut costs at every plant in Leeds."
).model_copy(update={"kind": "exchange", "section": "Questions and Answers > Ivo Stern"})


@pytest.mark.parametrize(
    ("text", "passage", "fault"),
    [
        ("Net sales rose in the second quarter of 2024", SALES, ""),
        (
            "Net sales rose in the third quarter of 2024",
            SALES,
            "the cited evidence is not for third quarter of 2024",
        ),
        ("Net sales were above those of a year earlier", SALES, ""),
        (
            "Net sales were above those of the previous quarter",
            SALES,
            "the cited figures are not for 'previous quarter'",
        ),
        ("Margins fell in June", PROSE, ""),
        ("Margins fell in July", PROSE, "the cited evidence does not speak of July"),
        ("Margins fell in 2019", PROSE, "the cited evidence does not speak of 2019"),
    ],
)
def test_a_period_is_one_of_the_passage(text: str, passage: Passage, fault: str) -> None:
    assert period_fault(ClaimText(text), passage) == fault


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Sales in Ohio rose", True),
        ("Orla's sales rose", True),
        ("Sales in Utah rose", False),
        ("Sales of F.N.B rose", False),
    ],
)
def test_a_name_stands_in_the_passage_or_is_its_company_s(text: str, named: bool) -> None:
    assert (name_fault(ClaimText(text), PROSE, frozenset()) == "") is named


def test_around_a_quotation_only_its_speaker_may_be_named() -> None:
    said = Passage("We cut costs at every plant", (CALL,), (), speakers=("Tom Birch",))
    assert attribution_fault(ClaimText("Tom Birch of Orla said"), said) == ""
    assert attribution_fault(ClaimText("Ana Reyes said"), said).endswith("is not who says this")


def test_what_one_person_said_is_not_another_s() -> None:
    cited = CitedEvidence((CALL,))
    assert speaker_fault(ClaimText("Tom Birch said they cut costs at every plant"), cited) == ""
    assert (
        speaker_fault(ClaimText("Ana Reyes said they cut costs at every plant"), cited)
        == "'Ana Reyes' is not who says this"
    )


@pytest.mark.parametrize(
    ("text", "passage", "holds"),
    [
        ("Net sales rose to $812 million", SALES, True),
        ("Net sales fell to $812 million", SALES, False),
        ("Net sales did not fall", SALES, True),
        ("Sales rose to $812 million", PROSE, True),
        ("Sales dropped to $812 million", PROSE, False),
        ("Margins were down 2%", PROSE, True),
        ("Margins were up 2%", PROSE, False),
        ("Sales in Ohio did not rise", PROSE, False),
    ],
)
def test_a_direction_is_that_of_the_figures_or_of_the_words(text: str, passage: Passage, holds: bool) -> None:
    assert (movement_fault(ClaimText(text), passage) == "") is holds


def test_the_size_of_a_movement_keeps_its_direction() -> None:
    fault = movement_fault(ClaimText("Margins were up 2%"), PROSE)
    assert fault == "2% is a movement down, not up, in the cited evidence"


@pytest.mark.parametrize(
    ("text", "passage", "fault"),
    [
        ("Sales rose from $790 million to $812 million", PROSE, ""),
        (
            "Sales went from $812 million to $790 million",
            PROSE,
            "$812 million and $790 million stand in each other's place",
        ),
        (
            "Net sales went from $812 million to $790 million",
            SALES,
            "$812 million and $790 million stand in each other's place",
        ),
        (
            "Sales rose from $812 million to $790 million",
            PROSE,
            "'rose' is not what $812 million and $790 million show",
        ),
    ],
)
def test_a_comparison_has_its_figures_the_right_way_round(text: str, passage: Passage, fault: str) -> None:
    assert swapped_change_fault(ClaimText(text), passage) == fault


def test_two_figures_keep_their_own_subjects() -> None:
    assert (
        swapped_figure_fault(
            ClaimText("Chip revenue was $200 million and sensor revenue $300 million"), PROSE
        )
        == ""
    )
    swapped = ClaimText("Chip revenue was $300 million and sensor revenue $200 million")
    assert swapped_figure_fault(swapped, PROSE) == "$300 million and $200 million stand in each other's place"


def test_a_reason_shows_words_as_they_are_written() -> None:
    assert (
        name_fault(ClaimText("Sales in Germany rose"), PROSE, frozenset())
        == "'Germany' is not named in the cited evidence"
    )
    assert (
        attribution_fault(
            ClaimText("Mary Lacey's team said"), Passage("We cut costs", (CALL,), (), speakers=("Tom Birch",))
        )
        == "'Mary' is not who says this"
    )
    assert wording_fault(ClaimText("Heavier taxes surprised buyers"), PROSE) == (
        "the cited evidence does not say this (Heavier, taxes, surprised, buyers)"
    )
    assert opposite_fault(ClaimText("Orla acquired a plant"), whole(piece(4, "We sold a plant."))) == (
        "'acquired' is the opposite of what the cited evidence says"
    )
