from __future__ import annotations

from datetime import date

import pytest

from tools.documents.text.printed_dates import first_date, read_dates, read_quarters


def test_dates_in_words_are_read_with_their_place_and_impossible_ones_passed_over() -> None:
    text = "From June 31, 2023 and Sept. 30 , 2023 to Apr 1,2024"
    assert list(read_dates(text)) == [(23, date(2023, 9, 30)), (42, date(2024, 4, 1))]
    assert first_date(text) == date(2023, 9, 30)


@pytest.mark.parametrize("text", ["orla-2023-07-01.pdf", "1 July 2023", "7/1/2023", "July 2023", ""])
def test_other_notations_are_no_printed_date(text: str) -> None:
    assert first_date(text) is None


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Q3 2023", (2023, 3)),
        ("second quarter of fiscal year 2024", (2024, 2)),
        ("2021 fourth quarter", (2021, 4)),
        ("Q1 FY2022", (2022, 1)),
    ],
)
def test_a_quarter_is_read_in_words_and_figures(text: str, label: tuple[int, int]) -> None:
    assert list(read_quarters(f"Our {text} call")) == [label]
