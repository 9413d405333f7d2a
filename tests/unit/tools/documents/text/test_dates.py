from __future__ import annotations

from datetime import date

import pytest

from tools.documents.text.dates import find_dates, month_number


@pytest.mark.parametrize(
    "text",
    [
        "the quarter ended July 1, 2023",
        "July 1,2023",
        "1 July 2023",
        "the 1st of July 2023",
        "2023-07-01",
        "1-Jul-23",
        "01-jul-2023",
        "7/1/2023",
        "07/01/23",
        "jul. 1 2023",
    ],
)
def test_a_day_is_read_in_any_usual_form(text: str) -> None:
    assert [mention.date for mention in find_dates(text)] == [date(2023, 7, 1)]


def test_the_day_comes_first_where_the_month_cannot() -> None:
    [mention] = find_dates("25/12/2022")
    assert mention.date == date(2022, 12, 25)


def test_further_years_repeat_the_day() -> None:
    dates = [mention.date for mention in find_dates("as of June 30, 2023, 2022 and 2021")]
    assert dates == [date(2023, 6, 30), date(2022, 6, 30), date(2021, 6, 30)]


def test_parts_that_are_not_said_stay_open() -> None:
    [month] = find_dates("the June 2023 quarter")
    assert (month.year, month.month, month.day, month.date) == (2023, 6, None, None)
    [day] = find_dates("as of June 30")
    assert (day.year, day.month, day.day, day.date) == (None, 6, 30, None)


@pytest.mark.parametrize(
    "text", ["February 31, 2023", "it may 5 be", "Form 10-Q", "version 3.5.2", "13/13/2023"]
)
def test_what_is_no_date_is_left_out(text: str) -> None:
    assert find_dates(text) == []


def test_spans_cut_the_text() -> None:
    text = "from March 31, 2023 to 6/30/2023"
    assert [text[m.start : m.end] for m in find_dates(text)] == ["March 31, 2023", "6/30/2023"]


def test_month_names_and_abbreviations_are_numbers() -> None:
    assert [month_number(name) for name in ("Sept.", "july", "Dec", "xx", "smarch")] == [9, 7, 12, None, None]
