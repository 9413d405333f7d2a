from __future__ import annotations

import pytest

from tools.documents.tables.cells import read_figure, split_line


@pytest.mark.parametrize(
    ("printed", "value", "currency", "suffix"),
    [
        ("81,797", "81797", "", ""),
        ("$ 1.26", "1.26", "USD", ""),
        ("$       60,584", "60584", "USD", ""),
        ("(2,028)", "-2028", "", ""),
        ("(1,234 )", "-1234", "", ""),
        ("( 1,234)", "-1234", "", ""),
        ("$ (0.29)", "-0.29", "USD", ""),
        ("44.5 %", "44.5", "", "%"),
        ("(3.3)%", "-3.3", "", "%"),
        ("(3.3%)", "-3.3", "", "%"),
        (".5", "0.5", "", ""),
        ("-5", "-5", "", ""),
        ("€ 12", "12", "EUR", ""),
        ("11.3 years", "11.3", "", "years"),
        ("1,234 (1)", "1234", "", ""),
    ],
)
def test_a_printed_figure_is_read_with_sign_currency_and_mark(
    printed: str, value: str, currency: str, suffix: str
) -> None:
    cell = read_figure(printed, 0)
    assert cell is not None
    assert (cell.kind, cell.value, cell.currency, cell.suffix) == ("figure", value, currency, suffix)


@pytest.mark.parametrize("printed", ["—", "$ —", "–", "— %"])
def test_a_dash_is_nil(printed: str) -> None:
    cell = read_figure(printed, 0)
    assert cell is not None
    assert (cell.kind, cell.value) == ("nil", "0")


@pytest.mark.parametrize("printed", ["N/M", "n/a", "*", "NM"])
def test_a_void_mark_takes_a_column_and_states_nothing(printed: str) -> None:
    cell = read_figure(printed, 0)
    assert cell is not None
    assert cell.kind == "void"


@pytest.mark.parametrize(
    "text", ["(1,234", "July 1, 2023", "Level 1", "12 of 15", "1,23,4", "", "2012 – 2042"]
)
def test_what_is_no_single_figure_is_none(text: str) -> None:
    assert read_figure(text, 0) is None


def test_currency_signs_brackets_and_percent_signs_in_columns_of_their_own_rejoin_their_figure() -> None:
    line = split_line("Loss      $       (454 )      $    12      (0.3    )      50.1    %", 0)
    assert [c.value for c in line.cells[1:]] == ["-454", "12", "-0.3", "50.1"]
    assert line.cells[-1].suffix == "%"


def test_a_figure_run_into_a_long_label_is_parted_from_it() -> None:
    line = split_line("Common stock, 1,200 and 1,300 shares issued, respectively70,667        64,849", 0)
    assert [c.text for c in line.cells] == [
        "Common stock, 1,200 and 1,300 shares issued, respectively",
        "70,667",
        "64,849",
    ]


def test_a_range_is_not_two_figures_and_one_of_percentages_takes_a_column() -> None:
    line = split_line("2012 notes      2022   – 2042      2.13%    – 3.50%      1,204", 0)
    assert [c.kind for c in line.cells] == ["text", "text", "void", "figure"]


def test_a_dash_at_a_figure_far_from_the_one_before_is_its_minus_sign() -> None:
    line = split_line("Desks        20   %           18    %   1,204        -4   %", 0)
    assert [c.value for c in line.cells[1:]] == ["20", "18", "1204", "-4"]


def test_figures_one_space_apart_are_told_apart() -> None:
    line = split_line("Shares issued    $ 1,234 $ 2,345", 0)
    assert [c.value for c in line.cells[1:]] == ["1234", "2345"]


def test_letters_of_footnotes_are_no_cells() -> None:
    assert [cell.text for cell in split_line("Reserves    (85)  (a)  NM (c)   1.4 %  (b)", 0).cells] == [
        "Reserves", "(85)", "NM", "1.4 %",
    ]  # fmt: skip
    assert split_line("                  (b)         (b)", 0).blank
    assert split_line("Harbour tolls (a)    12", 0).cells[0].text == "Harbour tolls (a)"
