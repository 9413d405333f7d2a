"""How a figure is put into words: value, scale and unit, the one way used everywhere."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

SCALE_WORDS = {3: "thousand", 6: "million", 9: "billion", 12: "trillion"}

UNKNOWN_UNIT = "?"
"""Of a figure whose unit could not be read: kept and shown as such, never used as an answer."""
_UNIT_WORDS = {"percent": "%", "": "", UNKNOWN_UNIT: "(unit not stated)"}


def group_digits(value: str) -> str:
    """A plain decimal with thousands separators, its decimals kept as they are: '-1234.50' is '-1,234.50'.

    Raises ValueError when `value` is not a finite decimal number.
    """
    try:
        number = Decimal(value)
    except InvalidOperation as error:
        raise ValueError(f"not a decimal number: {value!r}") from error
    if not number.is_finite():
        raise ValueError(f"not a finite number: {value!r}")
    if number == 0:
        number = abs(number)
    return f"{number:,f}"


def render_unit(unit: str) -> str:
    """Words for a unit of `Fact.unit`: 'USD/share' is 'USD per share', 'percent' is '%', '' stays ''."""
    return _UNIT_WORDS.get(unit, unit.replace("/", " per "))


def render_quantity(value: str, unit: str, scale: int, printed: str = "") -> str:
    """A figure as it is stated to a reader: '81,797 million USD', '1.26 USD per share', '44.5 %'.

    `value`, `unit` and `scale` are as in `tools.evidence.Fact`; the sign of `value` is kept, so a loss
    printed '(2,028)' is '-2,028 million USD'. `printed` is shown only when `value` is no number. A scale
    without a word of its own (tens, hundreds) is multiplied out.
    """
    try:
        digits = group_digits(value)
    except ValueError:
        return printed or value
    scale_word = SCALE_WORDS.get(scale, "")
    if scale and not scale_word:
        digits = group_digits(format(Decimal(value).scaleb(scale), "f"))
    return " ".join(part for part in (digits, scale_word, render_unit(unit)) if part)
