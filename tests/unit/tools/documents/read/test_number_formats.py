"""Values of cells as their number formats show them."""

from __future__ import annotations

from datetime import datetime, time

import pytest

from tools.documents.read.number_formats import shown


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (1234.5, "General", "1234.5"),
        (0.1 + 0.2, "General", "0.3"),
        (1234567, "#,##0", "1,234,567"),
        (1234.5, "#,##0.00", "1,234.50"),
        (2.345, "0.00", "2.35"),
        (0.125, "0.0%", "12.5%"),
        (-120, "#,##0;(#,##0)", "(120)"),
        (-120, "#,##0_);[Red](#,##0)", "(120)"),
        (-120, "#,##0", "-120"),
        (0, '#,##0;(#,##0);"-"', "-"),
        (5.2, '"£"0.0"m"', "£5.2m"),
        (1200, "[$$-409]#,##0", "$1,200"),
        (1_500_000, '0.0,,"m"', "1.5m"),
        (3.5, "0.##", "3.5"),
        (3, "0.##", "3"),
        (5.2, '0.0"%"', "5.2%"),
        (12000, "0.00E+00", "12000"),
        (1.5, "# ?/?", "1.5"),
        (5, '[<1000]0;0.0,"k"', "5"),
        (10**19, "General", "10000000000000000000"),
        (True, "General", "TRUE"),
        ("text", "@", "text"),
        (None, "General", ""),
        (datetime(2023, 12, 31), "d mmmm yyyy", "31 December 2023"),
        (datetime(2023, 12, 31), "mmm-yy", "Dec-23"),
        (datetime(2023, 12, 31), "mm-dd-yy", "2023-12-31"),
        (datetime(2023, 12, 31), "dd/mm/yyyy", "2023-12-31"),
        (datetime(2023, 12, 31, 9, 5), "m/d/yy h:mm", "2023-12-31 09:05"),
        (datetime(2023, 12, 31), "yyyy", "2023"),
        (time(9, 5), "h:mm", "09:05"),
    ],
)
def test_a_value_is_shown_as_its_format_says(value: object, number_format: str, text: str) -> None:
    assert shown(value, number_format) == text
