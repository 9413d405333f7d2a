from __future__ import annotations

import pytest

from tools.quantities import group_digits, render_quantity


@pytest.mark.parametrize(
    ("value", "unit", "scale", "printed", "words"),
    [
        ("81797", "USD", 6, "81,797", "81,797 million USD"),
        ("-2028", "USD", 6, "(2,028)", "-2,028 million USD"),
        ("1.26", "USD/share", 0, "1.26", "1.26 USD per share"),
        ("1.20", "USD/share", 0, "1.20", "1.20 USD per share"),
        ("44.5", "percent", 0, "44.5 %", "44.5 %"),
        ("15787154", "shares", 3, "15,787,154", "15,787,154 thousand shares"),
        ("0", "USD", 6, "—", "0 million USD"),
        ("131000", "", 0, "131,000", "131,000"),
        ("25", "basis points", 0, "25", "25 basis points"),
        ("3.5", "USD", 9, "3.5", "3.5 billion USD"),
        ("35", "?", 6, "35", "35 million (unit not stated)"),
    ],
)
def test_a_figure_is_stated_with_scale_and_unit(
    value: str, unit: str, scale: int, printed: str, words: str
) -> None:
    assert render_quantity(value, unit, scale, printed) == words


def test_a_scale_without_a_word_is_multiplied_out() -> None:
    assert render_quantity("12.5", "USD", 2, "12.5") == "1,250 USD"


def test_a_negative_zero_loses_its_sign() -> None:
    assert render_quantity("-0.0", "percent", 0, "(0.0)%") == "0.0 %"


def test_what_is_no_number_is_shown_as_printed() -> None:
    assert render_quantity("", "USD", 6, "*") == "*"


@pytest.mark.parametrize("text", ["", "abc", "NaN", "Infinity"])
def test_grouping_digits_refuses_what_is_no_finite_number(text: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        group_digits(text)
