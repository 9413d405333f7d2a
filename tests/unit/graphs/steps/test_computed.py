"""How pages would print what was to be computed."""

from __future__ import annotations

import pytest

from graphs.contracts import PlannedCalculation
from graphs.steps.computed import form_in_print, said_in_print
from tools.calculate.types import Asked, When
from tools.periods import PeriodFilter


@pytest.mark.parametrize(
    ("asked", "form"),
    [
        (Asked(formula="a", across="growth"), "growth"),
        (Asked(formula="a / b", is_share=True), "percent"),
        (Asked(formula="a / b", is_share=True, said="How much of sales was freight?"), ""),
        (Asked(formula="a / b", is_share=True, said="How many of the stores were leased?"), ""),
        (
            Asked(formula="a / b", is_share=True, said="How much of sales, in percent, was freight?"),
            "percent",
        ),
        (Asked(measure="operating margin"), "percent"),
        (Asked(measure="current ratio"), ""),
        (Asked(formula="a", across="change"), ""),
        (Asked(formula="a / b"), "none"),
        (Asked(formula="a - b"), "none"),
        (Asked(formula="a", across="average"), "none"),
        (Asked(formula="a", across="times"), "none"),
        (Asked(formula="a + a2", across="sum"), "words"),
        (Asked(formula="a + a2", across="sum", yes_no=True), "none"),
        (Asked(measure="operating margin", yes_no=True), "none"),
        (Asked(measure="operating margin", derived=True), ""),
    ],
)
def test_rates_are_printed_in_percent_and_means_and_quotients_not_at_all(asked: Asked, form: str) -> None:
    assert form_in_print([PlannedCalculation(asked=asked, companies=("ORLA",))]) == form


def test_a_sum_of_one_time_is_printed_where_a_line_has_all_its_words() -> None:
    items = (("a", "bank guarantees"), ("a2", "letters of credit"))
    asked = Asked(formula="a + a2", across="sum", items=items)
    year, before = (When((PeriodFilter(fiscal_year=number),)) for number in (2023, 2022))
    once = PlannedCalculation(asked=asked, companies=("ORLA",), periods=(("ORLA", (year,)),))
    assert {"bank", "guarantee", "letter", "credit"} <= set(said_in_print([once]).split())
    twice = once.model_copy(update={"periods": (("ORLA", (year, before)),)})
    assert (form_in_print([twice]), said_in_print([twice])) == ("none", "")
