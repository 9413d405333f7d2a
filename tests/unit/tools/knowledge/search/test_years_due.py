"""Years to come: which of them a question asks about, and which lines speak of them."""

from __future__ import annotations

from datetime import date

import pytest

from tools.knowledge.search.years_due import is_due_then, is_of_other_year, later_years
from tools.periods import Period

AT22 = Period(date(2022, 12, 31), 0, 2022)


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("Lease payments due in 2026?", {2026}),
        ("Lease payments due in '26?", {2026}),
        ("Maturities for 2024 through 2026", {2024, 2025, 2026}),
        ("Maturities for 2024 and 2026", {2024, 2026}),
        ("Maturities by year as of December 31, 2022", set()),
        ("Maturities for 2024-26", {2024, 2025, 2026}),
        ("Maturities 2024 thru 2026", {2024, 2025, 2026}),
        ("Before ASU 2024-26", {2024}),
        ("Cash reported in February 2023", set()),
        ("Cash at 25-Mar-2023", set()),
        ("Cash in the 2022 10-K", set()),
        ("Square feet in 2,000 stores", set()),
    ],
)
def test_years_to_come_are_those_after_the_figures_own(question: str, years: set[int]) -> None:
    assert later_years(question, AT22) == years


def test_of_lines_called_by_a_year_those_of_the_years_asked_about_are_meant() -> None:
    def left(question: str) -> list[str]:
        labels = ("2024", "2025", "Thereafter", "2026-2030")
        return [label for label in labels if not is_of_other_year(label, AT22, question)]

    assert left("Payments due in 2025?") == ["2025", "Thereafter", "2026-2030"]
    assert left("Payments due in 2024 and 2025?") == left("Payments as of December 31, 2022?")


def test_a_figure_that_names_no_year_asked_about_tells_nothing_of_what_falls_due_then() -> None:
    asked = "Payments due in 2024 and 2025?"
    assert is_due_then("Payments: 2025", AT22, asked) and is_due_then("Total", AT22, asked) is False
    assert is_due_then("Revenue", Period(date(2022, 12, 31), 12, 2022), "Revenue in 2024?") is False
    for question in ("Cash at the end of 2022 in the 2023 report", "Cash reported in February 2023", "Cash"):
        assert is_due_then("Cash", AT22, question) is None
