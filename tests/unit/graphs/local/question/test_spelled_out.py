"""The definition that a question gives beside a measure's name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphs.local.question.spelled_out import with_definition
from tools.calculate.questions import AskedSum, Operation

QUESTION = "Quick ratio, please: cash and receivables over current liabilities."
NAMED = AskedSum("measure", "value", ("quick ratio",), 1.0)
DEFINED = AskedSum("ratio", "value", (), 1.0, a="cash and receivables", b="current liabilities")


def test_a_definition_is_read_without_the_measures_name() -> None:
    asked = list[str]()

    def again(question: str) -> AskedSum:
        asked.append(question)
        return DEFINED

    read = with_definition(NAMED, QUESTION, again)
    assert asked == ["figure, please: cash and receivables over current liabilities."]
    assert (read.operation, read.a, read.b) == ("measure", DEFINED.a, DEFINED.b)
    assert with_definition(replace(NAMED, operation="ratio"), QUESTION, again).a == ""
    assert with_definition(NAMED, "Cash over current liabilities, please.", again) == NAMED
    assert len(asked) == 1, "nothing is read again where no measure is asked for by name"


@pytest.mark.parametrize(
    ("operation", "chance", "b"),
    [
        ("difference", 1.0, "current liabilities"),  # no quotient, as the measure is
        ("ratio", 0.4, "current liabilities"),  # not sure
        ("ratio", 1.0, "the Garden segment"),  # no line item
        ("ratio", 1.0, ""),
    ],
)
def test_what_is_no_definition_of_the_measure_is_not_taken_for_one(
    operation: Operation, chance: float, b: str
) -> None:
    found = replace(DEFINED, operation=operation, chance=chance, b=b)
    assert with_definition(NAMED, QUESTION, lambda _: found) == NAMED


def test_a_measure_that_is_an_amount_is_defined_by_a_difference() -> None:
    named = replace(NAMED, measures=("free cash flow",))
    found = AskedSum("difference", "value", (), 0.9, a="cash from operations", b="capital expenditures")
    question = "FCF, cash from operations less capital expenditures?"
    assert with_definition(named, question, lambda _: found).b == "capital expenditures"
    ratio = replace(found, operation="ratio")
    assert with_definition(named, question, lambda _: ratio) == named
