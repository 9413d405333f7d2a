from __future__ import annotations

import re

import pytest

from tools.period_words import ANY_ORDINAL, LENGTHS, MONTH_LENGTH, MONTH_NAME, MONTHS, WEEK_LENGTH


@pytest.mark.parametrize(
    ("count", "months"), [("three", 3), ("12", 12), ("thirteen", 3), ("26", 6), ("fifty-three", 12)]
)
def test_a_count_of_months_or_weeks_stands_for_months(count: str, months: int) -> None:
    assert LENGTHS[count] == months


def test_every_length_in_the_table_is_in_a_pattern_and_no_other() -> None:
    assert {*MONTH_LENGTH.split("|"), *WEEK_LENGTH.split("|")} == LENGTHS.keys()


def test_patterns_read_months_in_full_and_short_and_ordinals_in_words_and_digits() -> None:
    for month in MONTHS:
        assert re.fullmatch(MONTH_NAME, month.capitalize()) and re.fullmatch(
            MONTH_NAME, month[:3].capitalize()
        )
    assert re.fullmatch(ANY_ORDINAL, "3rd") and re.fullmatch(ANY_ORDINAL, "third")
    assert not re.fullmatch(MONTH_NAME, "Octave")
