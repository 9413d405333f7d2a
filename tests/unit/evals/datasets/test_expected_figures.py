"""Which figures of an expected answer are looked for."""

from __future__ import annotations

import pytest

from evals.datasets.expected_figures import asked_scale, spoken_figures, written_figures
from evals.datasets.types import ExpectedNumber


def shown(numbers: tuple[ExpectedNumber, ...]) -> list[str]:
    return [f"{n.value} e{n.scale} {n.unit}".strip() for n in numbers]


def written(answer: str) -> list[str]:
    return shown(written_figures(answer).numbers)


def test_figures_keep_their_unit_scale_and_sign() -> None:
    assert written("Sales were $1,204 million, a margin of 12.5%, and the result was -$3.1 billion.") == [
        "1204 e6 USD",
        "12.5 e0 percent",
        "-3.1 e9 USD",
    ]
    assert written("Diluted earnings were $0.45 per share on 12 million shares.") == [
        "0.45 e0 USD/share",
        "12 e6 shares",
    ]


def test_lines_of_sources_and_file_names_are_no_figures() -> None:
    text = (
        "It was $7 million (SOURCE: 2031 Q3 ORLA.pdf), as 2030 400 ORLA.pdf says.\n\n"
        "SOURCE(S): 2031 Q3 ORLA.pdf, table of 250 lines\n"
        "**Sources:** https://orla.test/900"
    )
    assert written(text) == ["7 e6 USD"]


def test_a_number_that_starts_a_line_is_a_figure() -> None:
    assert written("The counts of stores were\n1,250\n1,260") == ["1250 e0", "1260 e0"]


def test_dates_labels_list_numbers_and_spans_of_time_are_no_figures() -> None:
    text = (
        "1. In the 10-Q for the quarter ended June 30, 2031 (Q2 2031), Note 14 says so.\n"
        "2. Item 7 looks 12 months ahead, at the 5-year bond.\n"
        "100. The risk of the hundredth line, as in the first three months of 2030)."
    )
    assert written(text) == []


def test_a_bare_count_is_a_figure_only_where_it_is_no_name_and_not_small() -> None:
    assert written("It has 1,250 stores and employs about 640 people in 3 countries.") == [
        "1250 e0",
        "640 e0",
    ]
    assert (
        written("It sells the Orla 365 and builds on Plan 2.0, under Patent Nos. 7,814,999; and 8,000,001.")
        == []
    )


def test_an_amount_told_twice_is_expected_once_in_its_finer_print() -> None:
    assert written("Sales were $1.2 billion. That is $1,204 million; again $1,204 million.") == [
        "1204 e6 USD"
    ]


def test_a_scale_noted_apart_is_given_to_the_amounts_after_it() -> None:
    assert written("(in millions)\nSales 1,204\nCosts 903.5\nEarnings per share: $1.26\nMargin 25%") == [
        "1204 e6",
        "903.5 e6",
        "1.26 e0 USD/share",
        "25 e0 percent",
    ]


@pytest.mark.parametrize(
    "told",
    [
        "Sales rose from $80 million to $100 million, an increase of $20 million, or 25%.",
        "Sales rose from $80 million to $100 million, an increase of $20 million (25%).",
        "Sales were $100 million against $80 million: $20 million higher, a 25% increase.",
        "Sales were $80 million and grew by 25%, up by $20 million, to $100 million.",
    ],
)
def test_a_change_that_two_other_figures_make_is_not_expected(told: str) -> None:
    figures = written_figures(told)
    assert sorted(shown(figures.numbers)) == ["100 e6 USD", "80 e6 USD"]
    assert figures.derived == 2


def test_a_difference_of_shares_in_points_is_not_expected() -> None:
    figures = written_figures(
        "The margin was 44.5% after 43.3%, up 120 basis points, a change of 1.2 percentage points."
    )
    assert shown(figures.numbers) == ["44.5 e0 percent", "43.3 e0 percent"]


def test_a_share_worked_out_before_the_reader_is_not_expected() -> None:
    figures = written_figures(
        "Parts brought $21,213 million of $81,797 million:\n(21,213 / 81,797) * 100 = 25.93%\nSo 25.93% of sales."
    )
    assert shown(figures.numbers) == ["21213 e6 USD", "81797 e6 USD"]


def test_a_change_whose_ends_are_not_told_is_expected() -> None:
    assert written("Net sales decreased 3% or $2.4 billion.") == ["3 e0 percent", "2.4 e9 USD"]


def test_a_total_and_its_parts_are_all_expected() -> None:
    text = "Costs of $100 million were wages of $60 million and rent of $40 million."
    assert written(text) == ["100 e6 USD", "60 e6 USD", "40 e6 USD"]


def test_a_coarse_change_counts_as_worked_out_only_beside_its_two_figures() -> None:
    ends = "- East: $80 million\n- West: $100 million\n"
    assert "25 e0 percent" in written(ends + "- Profit increased by 25%.")
    assert "254 e6 USD" not in written("- A: $5,313 million\n- B: $5,567 million\n- That is up $254 million.")


def test_spoken_answers_are_held_to_figures_with_a_unit_or_scale() -> None:
    text = (
        "Well, we run the 737 and 550 of these, I agree 100%, and in 5 years we took $2 billion out, about 9 to 10%, "
        "50 basis points, on 2 million units in 2031, the 3rd time."
    )
    assert shown(spoken_figures(text)) == [
        "2 e9 USD",
        "9 e0 percent",
        "10 e0 percent",
        "50 e0 basis points",
        "2 e6",
    ]


@pytest.mark.parametrize(
    ("question", "power"),
    [
        ("What is the amount (in USD millions)?", 6),
        ("Answer in USD billions.", 9),
        ("Tell it in thousands of dollars.", 3),
        ("What did it earn in 2031?", 0),
    ],
)
def test_a_question_may_say_the_scale_of_its_answer(question: str, power: int) -> None:
    assert asked_scale(question) == power
