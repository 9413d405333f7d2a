from __future__ import annotations

import pytest

from graphs.local.text.polarity import direction_fault, direction_of, directions, negation_fault, negations


@pytest.mark.parametrize(
    ("word", "expected"),
    [("rose", "up"), ("declined", "down"), ("up", "up"), ("down", "down"), ("sold", ""), ("growth", "up")],
)
def test_a_word_says_one_way_or_none(word: str, expected: str) -> None:
    assert direction_of(word) == expected


def test_up_and_down_are_directions_only_before_an_amount_or_a_base() -> None:
    assert [sign.up for sign in directions("Sales were down 4% and costs up from last year.")] == [
        False,
        True,
    ]
    assert directions("Orla set up a fund after a down payment.") == ()


def test_a_denied_state_says_the_opposite() -> None:
    assert [sign.up for sign in directions("Orla is not yet profitable.")] == [False]


@pytest.mark.parametrize(
    ("claim", "passage", "fault"),
    [
        ("Revenue rose.", "Revenue increased by 4%.", ""),
        ("Revenue fell.", "Revenue increased by 4%.", "'fell' is not what the cited evidence says"),
        (
            "Equipment sales fell.",
            "Equipment sales increased while services sales declined.",
            "'fell' is the opposite of what the cited evidence says",
        ),
        ("Services sales fell.", "Equipment sales increased while services sales declined.", ""),
        ("Hiring grew.", "Orla opened more plants.", ""),  # no direction, but words that lean the same way
        ("Hiring fell.", "Orla opened more plants.", "'fell' is not what the cited evidence says"),
        ("Weaker growth in seats.", "Seats declined.", ""),
    ],
)
def test_a_direction_is_what_the_passage_says_of_the_same(claim: str, passage: str, fault: str) -> None:
    assert direction_fault(claim, passage) == fault


def test_a_direction_that_a_figure_states_is_not_judged_by_words() -> None:
    claim = "Revenue fell."
    assert direction_fault(claim, "Revenue increased.")
    assert direction_fault(claim, "Revenue increased.", frozenset({claim.index("fell")})) == ""


def test_not_only_and_no_later_than_deny_nothing() -> None:
    assert negations("Orla sells not only tractors, no later than May.") == ()
    assert [sign.text for sign in negations("Orla doesn't sell tractors.")] == ["n't"]


@pytest.mark.parametrize(
    ("claim", "passage", "fault"),
    [
        ("Orla did not sell the plant.", "Orla did not sell its plant.", ""),
        ("Orla did not sell the plant.", "Orla sold the plant.", "'not' is not in the cited evidence"),
        ("The loan was not drawn.", "The loan is undrawn.", ""),
        ("Orla no longer ships tractors.", "Orla stopped shipping tractors.", ""),
        (
            "Orla never ships tractors.",
            "Orla stopped shipping tractors.",
            "'never' is not in the cited evidence",
        ),
        (
            "The recall affected dealer shipments.",
            "The recall did not affect dealer shipments.",
            "the evidence says 'not', the statement does not",
        ),
        ("Dealer shipments rose.", "The recall did not affect warranty costs.", ""),
    ],
)
def test_a_denial_is_neither_added_nor_dropped(claim: str, passage: str, fault: str) -> None:
    assert negation_fault(claim, passage) == fault
