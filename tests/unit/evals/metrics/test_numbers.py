"""Expected figures in the evidence and in the answer."""

from __future__ import annotations

import pytest
from metric_rows import abstained, failed, item, number, row, score, value

TABLE = """Berth revenue by pier
| (in millions, except per share amounts) | 2031 | 2030 |
| --- | --- | --- |
| North pier | $ 4,217 | $ 3,988 |
| Operating loss | (312) | (85) |
| Margin | 24.2 % | 21.0 % |
| Earnings per share | 1.26 | 0.98 |"""


def evidence(expected: tuple[str, str, int], *texts: str) -> float | None:
    return value("evidence_number_recall", item(numbers=(number(*expected),)), row(*texts))


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (("4217", "USD", 6), TABLE),
        (("4.217", "USD", 9), TABLE),
        (("4.2", "USD", 9), TABLE),
        (("-312", "USD", 6), TABLE),
        (("312", "USD", 6), TABLE),
        (("24.2", "percent", 0), TABLE),
        (("1.26", "USD/share", 0), TABLE),
        (("4217", "USD", 6), "Fjordline, revenue, year 2031: 4,217 million USD (Note 3)"),
        (("4217", "USD", 6), "Piers (in millions)\nNorth pier 4,217 3,988"),
        (("4217", "USD", 6), "Piers (dollars in thousands)\nNorth pier 4,217,000"),
        (
            ("1200", "shares", 3),
            "(in millions, except shares, which are reflected in thousands)\nShares 1,200",
        ),
        (("-5", "USD", 6), "The division lost $5.0 million."),
        (("17", "", 0), "The port has 17 percent of the trade."),
        (("1.26", "USD/share", 0), "It earned $1.26."),
    ],
)
def test_a_figure_is_found_by_amount_whatever_its_print(expected: tuple[str, str, int], text: str) -> None:
    assert evidence(expected, text) == 1


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (("4218", "USD", 6), TABLE),
        (("4217", "USD", 3), TABLE),
        (("24.2", "USD", 6), "24.2 % of berths"),
        (("24.2", "percent", 0), "24.2 million USD"),
        (("4217", "USD", 6), "North pier 4,217 3,988"),
        (("4217", "USD", 6), "Revenue was about 4.2 billion USD."),
        (("4217", "EUR", 6), "Revenue was $4,217 million."),
        (("12", "percent", 0), "Piers (in millions)\nNorth pier 12"),
    ],
)
def test_another_amount_unit_scale_or_coarser_print_is_not_it(
    expected: tuple[str, str, int], text: str
) -> None:
    assert evidence(expected, text) == 0


def test_recall_is_the_share_found_over_all_contexts_and_names_the_rest() -> None:
    wanted = item(numbers=(number("4217"), number("85"), number("77", "percent", 0)))
    got = score(
        "evidence_number_recall", wanted, row("Revenue was $4,217 million.", "A loss of $85 million.")
    )
    assert got.value == pytest.approx(2 / 3)
    assert "77 %" in got.reason


def test_without_expected_figures_nothing_is_counted() -> None:
    assert value("evidence_number_recall", item(), row(TABLE)) is None
    assert value("answer_number_recall", item(), row(TABLE, answer="4,217 million USD")) is None


def answered(text: str, *expected: tuple[str, str, int]) -> float | None:
    wanted = item(numbers=tuple(number(*one) for one in expected))
    return value("answer_number_recall", wanted, row(TABLE, answer=text))


def test_the_answer_must_state_the_figures_itself() -> None:
    assert answered("Revenue was 4,217 million USD ($4.2 billion) [1].", ("4217", "USD", 6)) == 1
    assert answered("Revenue rose [1].", ("4217", "USD", 6)) == 0
    assert answered("The loss was $312 million [1].", ("-312", "USD", 6), ("-85", "USD", 6)) == 0.5


def test_a_marker_is_no_figure_of_the_answer() -> None:
    assert answered("It has many berths [7].", ("7", "", 0)) == 0


def test_a_cell_has_the_scale_of_its_columns_header() -> None:
    table = "| Pier | Revenue (USD million) |\n| --- | --- |\n| North | 4,217 [1] |"
    assert answered(table, ("4217", "USD", 6)) == 1


@pytest.mark.parametrize(
    "got", [abstained(TABLE, answer="Not 4,217 million USD."), failed(answer="4,217 million USD")]
)
def test_an_answer_that_was_withheld_states_nothing(got: object) -> None:
    wanted = item(numbers=(number("4217"),))
    assert value("answer_number_recall", wanted, got) == 0  # type: ignore[arg-type]


def test_evidence_counts_even_where_the_answer_was_withheld() -> None:
    assert value("evidence_number_recall", item(numbers=(number("4217"),)), abstained(TABLE)) == 1
