"""Two periods named together."""

from __future__ import annotations

from datetime import date

import pytest
from builders import NINE_MONTHS, QUARTER, document, figure, parsed, table

from tools.knowledge.extract.period_pairs import find_period_pair, pair_spans, quarter_ends
from tools.periods import Period

FILING = document()
ENDS = {(2023, 3): date(2023, 7, 1), (2022, 3): date(2022, 6, 25)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the three months ended July 1, 2023 and June 25, 2022", ["2023-07-01 3", "2022-06-25 3"]),
        ("as of July 1, 2023 and 2022", ["2023-07-01 0", "2022-07-01 0"]),
        ("the three and nine months ended July 1, 2023", ["2023-07-01 3", "2023-07-01 9"]),
        ("the third quarter of fiscal 2023 and 2022", ["2023-07-01 3", "2022-06-25 3"]),
        ("the third quarter and first nine months of 2023", ["2023-07-01 3", "2023-07-01 9"]),
        ("Q3 2023 and 2022", ["2023-07-01 3", "2022-06-25 3"]),
    ],
)
def test_two_periods_are_read_in_their_order(text: str, expected: list[str]) -> None:
    pair = find_period_pair(f"Costs in {text} differed.", FILING, ENDS)
    assert pair is not None
    assert [f"{period.end} {period.months}" for period in pair.periods] == expected
    assert f"Costs in {text} differed."[pair.start : pair.end].strip() in text


@pytest.mark.parametrize(
    "text",
    [
        "the second quarter of fiscal 2023 and 2022",  # not the document's quarter
        "the third quarter of fiscal 2021 and 2020",  # neither its year nor the year before
        "the third quarter and first half of 2023",  # a half year does not end with a third quarter
        "February 29, 2024",
        "as of July 1, 2023 and July 1, 2023",
        "as of July 1, 2023 and 2022 and at July 1, 2021 and 2020",
    ],
)
def test_what_is_not_one_pair_of_known_periods_is_none(text: str) -> None:
    assert find_period_pair(text, FILING, ENDS) is None


def test_pairs_are_placed_in_reading_order() -> None:
    text = "Q3 2023 and 2022, then as of July 1, 2023 and 2022"
    assert [text[start:end] for start, end in pair_spans(text)] == [
        "Q3 2023 and 2022",
        "as of July 1, 2023 and 2022",
    ]


def test_a_quarter_that_tables_date_in_two_ways_has_no_end() -> None:
    before = Period(date(2022, 6, 25), 3, 2022, 3)
    other = Period(date(2022, 6, 30), 3, 2022, 3)
    once = parsed(
        FILING, table("income", figure("Net sales", "1", before), figure("Net sales", "2", QUARTER))
    )
    twice = parsed(FILING, table("income", figure("Net sales", "1", before), figure("Costs", "2", other)))
    assert quarter_ends(once) == {(2022, 3): date(2022, 6, 25), (2023, 3): date(2023, 7, 1)}
    assert quarter_ends(twice) == {(2023, 3): date(2023, 7, 1)}
    assert quarter_ends(parsed(FILING, table("income", figure("Net sales", "3", NINE_MONTHS)))).keys() == {
        (2023, 3)
    }
