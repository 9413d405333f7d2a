"""How pages would print what was to be computed."""

from __future__ import annotations

import pytest

from graphs.contracts import PlannedCalculation
from graphs.steps.computed import form_in_print
from tools.calculate.types import Asked


@pytest.mark.parametrize(
    ("asked", "form"),
    [
        (Asked(formula="a", across="growth"), "percent"),
        (Asked(formula="a / b", is_share=True), "percent"),
        (Asked(formula="a / b", is_share=True, said="How much of sales was freight?"), ""),
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
        (Asked(measure="operating margin", yes_no=True), "none"),
        (Asked(measure="operating margin", derived=True), ""),
    ],
)
def test_rates_are_printed_in_percent_and_means_sums_and_quotients_not_at_all(
    asked: Asked, form: str
) -> None:
    assert form_in_print([PlannedCalculation(asked=asked, companies=("ORLA",))]) == form
