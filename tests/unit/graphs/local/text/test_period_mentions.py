from __future__ import annotations

from datetime import date

import pytest

from graphs.local.text.period_mentions import Mention, find_mentions, fits_mentions, fits_period
from tools.periods import Period

QUARTER = Period(date(2023, 7, 1), 3, 2023, 3)
"""Orla's third fiscal quarter, which ended on the first day of July."""


def only(text: str) -> Mention:
    (mention,) = find_mentions(text)
    return mention


def test_a_duration_and_the_date_it_ended_on_are_one_mention() -> None:
    mention = only("Revenue for the six months ended June 30, 2023 was 4 million.")
    assert (mention.months, mention.day) == (6, date(2023, 6, 30))
    assert mention.text == "June 30, 2023"
    assert only("At the thirteen weeks ended July 1, 2023").months == 3


def test_what_something_is_compared_with_is_marked() -> None:
    now, then = find_mentions("Sales were higher in Q3 2023 than in Q3 2022.")
    assert (now.base, then.base) == (False, True)


def test_an_impossible_day_is_a_mention_that_fits_nothing() -> None:
    mention = only("on February 30, 2024")
    assert not fits_period(mention, Period())
    assert not fits_mentions(mention, [mention], QUARTER)


@pytest.mark.parametrize(
    "phrase",
    [
        *("July 1, 2023", "July 1", "the third quarter of fiscal 2023", "Q3", "Q2 2023", "June 2023"),
        *("July 2023", "fiscal 2023", "2023", "three months ended July 1, 2023", "the prior year"),
    ],
)
def test_a_period_may_be_called_by_its_day_its_months_and_its_quarter_of_either_year(phrase: str) -> None:
    assert fits_period(only(phrase), QUARTER)


@pytest.mark.parametrize(
    "phrase",
    [
        *("July 2, 2023", "July 2", "fiscal Q2 2023", "Q4 2023", "Q3 2022", "May 2023", "June 2022"),
        *("fiscal 2022", "nine months ended July 1, 2023", "the first half"),
    ],
)
def test_a_period_is_not_called_by_another_day_quarter_month_year_or_length(phrase: str) -> None:
    assert not fits_period(only(phrase), QUARTER)


def test_a_balance_at_the_end_of_a_quarter_is_called_by_the_quarter_but_not_by_its_length() -> None:
    balance = Period(date(2023, 7, 1), 0, 2023, 3)
    assert fits_period(only("Q3 2023"), balance)
    assert not fits_period(only("the three months ended July 1, 2023"), balance)


@pytest.mark.parametrize(
    ("claim", "passage", "fits"),
    [
        ("Q3 2023", "in the third quarter of 2023", True),
        ("Q2", "in the third quarter", False),
        ("Q3", "revenue rose", True),  # the document's own quarter, where the passage names none
        ("Q1", "revenue rose", False),
        ("July 1, 2023", "revenue rose", True),
        ("July 1, 2023", "at April 1, 2023", False),
        ("July 1", "at April 1, 2023", False),
        ("March 2022", "in March 2023, while 2022 was weak", False),
        ("June 2023", "in March 2023", False),
        ("2022", "in 2023", False),
        ("2023", "revenue rose", True),
        ("nine months", "in the quarter ended July 1, 2023", False),
        ("three months", "revenue rose", True),
        ("nine months", "revenue rose", False),
        ("six months", "from January 1, 2023 to July 1, 2023", True),
    ],
)
def test_what_the_passage_says_of_a_kind_decides_and_its_document_on_what_it_leaves_open(
    claim: str, passage: str, fits: bool
) -> None:
    assert fits_mentions(only(claim), find_mentions(passage), QUARTER) == fits


def test_a_year_that_the_passage_only_compares_with_is_not_the_claim_s_own() -> None:
    passage = find_mentions("Revenue rose in 2023 compared with 2022.")
    assert not fits_mentions(only("2022"), passage, QUARTER)
    assert fits_mentions(only("than in 2022"), passage, QUARTER)
