"""Quantities in text: what counts as one, with which unit and scale, and which two are the same."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tools.values import Quantity, find_quantities, parse_decimal, same_amount


def one(text: str) -> Quantity:
    """The only quantity of `text`."""
    found = find_quantities(text)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("text", "value", "unit", "scale"),
    [
        ("$81.8 billion", "81.8", "USD", 9),
        ("81,797 million USD", "81797", "USD", 6),
        ("-2,028 million USD", "-2028", "USD", 6),
        ("| (2,028) |", "-2028", "", 0),
        ("$ (2,028)", "-2028", "USD", 0),
        ("(2.5)%", "-2.5", "percent", 0),
        ("a loss of ($0.12) per share", "-0.12", "USD/share", 0),
        ("1.26 USD per share", "1.26", "USD/share", 0),
        ("$1.26 per diluted share", "1.26", "USD/share", 0),
        ("diluted EPS was $1.26", "1.26", "USD/share", 0),
        ("40 cents per share", "40", "USD/share", -2),
        ("24.2%", "24.2", "percent", 0),
        ("5 %", "5", "percent", 0),
        ("twenty-five percent", "25", "percent", 0),
        ("600 basis points", "600", "basis points", 0),
        ("5.6 percentage points", "5.6", "percentage points", 0),
        ("15,787,154 thousand shares", "15787154", "shares", 3),
        ("15.8 million diluted shares", "15.8", "shares", 6),
        ("US$5.2 million", "5.2", "USD", 6),
        ("€3bn", "3", "EUR", 9),
        ("JPY three billion", "3", "JPY", 9),
        ("three million subscribers", "3", "", 6),
        ("one hundred million units", "1", "", 8),
        ("1,500 employees", "1500", "", 0),
        ("-$712 million", "-712", "USD", 6),
        ("$1.2B", "1.2", "USD", 9),
        ("a term of 4.9 years", "4.9", "years", 0),
    ],
)
def test_a_quantity_is_read_with_sign_unit_and_scale(text: str, value: str, unit: str, scale: int) -> None:
    quantity = one(text)
    assert (quantity.value, quantity.unit, quantity.scale) == (Decimal(value), unit, scale)


@pytest.mark.parametrize(
    "text",
    [
        "July 1, 2023",
        "1 July 2023 and 2023-07-01",
        "in 2023",
        "Q3 2023, 3Q21 and FY23",
        "the third quarter of fiscal 2023",
        "the nine months ended",
        "13 weeks",
        "Form 10-Q, Item 1A, Note 8",
        "Section 13(a) and ASC 606",
        "the 1st and 2nd",
        "sales [1] and [2, 3]",
        "COVID-19, the A100 and 5G",
        "Net sales (1)",
        "one of them, two others",
    ],
)
def test_dates_labels_and_names_are_no_quantities(text: str) -> None:
    assert find_quantities(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12% to 14%", [("12", "percent", 0), ("14", "percent", 0)]),
        ("12 to 14%", [("12", "percent", 0), ("14", "percent", 0)]),
        ("$1.2 to $1.4 billion", [("1.2", "USD", 9), ("1.4", "USD", 9)]),
        ("between $1.20 and $1.30", [("1.20", "USD", 0), ("1.30", "USD", 0)]),
        ("$30 million-$35 million", [("30", "USD", 6), ("35", "USD", 6)]),
    ],
)
def test_the_first_end_of_a_range_takes_what_is_said_once_at_its_end(
    text: str, expected: list[tuple[str, str, int]]
) -> None:
    assert [(str(q.value), q.unit, q.scale) for q in find_quantities(text)] == expected


def test_a_bracket_with_a_scale_word_is_an_aside_and_no_loss() -> None:
    assert [str(q.value) for q in find_quantities("81,797 million USD ($81.8 billion)")] == ["81797", "81.8"]


@pytest.mark.parametrize(
    "text", ["Plant, net\n8,738", "Plant, net of\n8,738", "Leases-\n8,738", "No. A.\n8,738"]
)
def test_a_figure_on_the_line_after_its_name_is_no_part_of_the_name(text: str) -> None:
    assert one(text).value == Decimal(8738)


def test_the_span_of_a_quantity_is_its_text() -> None:
    text = "Sales were $81.8 billion, up 2.5%."
    assert [text[q.start : q.end] for q in find_quantities(text)] == ["$81.8 billion", "2.5%"]


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("(2,028)", "-2028"),
        ("$ 81,797", "81797"),
        ("—", "0"),
        ("24.2%", "24.2"),
        ("$ (1)", "-1"),
        ("−5", "-5"),
        ("( 1,234)", "-1234"),
    ],
)
def test_a_cell_is_read_as_a_number(printed: str, value: str) -> None:
    assert parse_decimal(printed) == Decimal(value)


@pytest.mark.parametrize("printed", ["", "n/a", "12,34", "1.2.3", "July 1"])
def test_a_cell_without_a_number_gives_none(printed: str) -> None:
    assert parse_decimal(printed) is None


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("$81.8 billion", "81,797 million USD"),
        ("$82 billion", "81,797 million USD"),
        ("2.3 percentage points", "230 basis points"),
        ("40 cents", "$0.40"),
        ("10%", "9.6%"),
    ],
)
def test_a_rounded_print_is_the_same_amount(a: str, b: str) -> None:
    assert same_amount(one(a), one(b)) and same_amount(one(b), one(a))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("$81.7 billion", "81,797 million USD"),
        ("$80 billion", "81,797 million USD"),
        ("81,797 million USD", "81,797 billion USD"),
        ("5%", "5 basis points"),
        ("5 million USD", "5 million shares"),
        ("81,797 million USD", "81,797"),
        ("-5 million USD", "5 million USD"),
        ("1.26 USD per share", "1.26 USD"),
        ("81,797 million USD", "81,798 million USD"),
    ],
)
def test_another_amount_unit_scale_or_sign_is_not_the_same(a: str, b: str) -> None:
    assert not same_amount(one(a), one(b)) and not same_amount(one(b), one(a))
