"""The local planner: which tools a question's kind of answer calls for."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from graphs.contracts import Reading
from graphs.local.question.planner import LocalPlanner
from graphs.steps.readings import as_planned
from tools.calculate.questions import AskedSum, SumReader
from tools.documents.metadata.catalog import Catalog
from tools.scope import Scope

BOTH = ("vector_search", "kg_search")


@pytest.mark.parametrize(
    ("question", "metric", "tools"),
    [
        ("What does Orla put into its category 'All Other' in segment reporting?", "", BOTH),
        ("Who runs Orla's office in Lisbon?", "", BOTH),
        ("What were Orla's net sales in the quarter ended June 29, 2024?", "net sales", ("kg_search",)),
    ],
)
def test_passages_are_searched_too_where_what_is_asked_for_is_no_figure(
    question: str, metric: str, tools: tuple[str, ...]
) -> None:
    reading = Reading(
        question=question,
        companies=("ORLA",),
        company_names=("Orla",),
        metrics=(metric,) if metric else (),
        scope=Scope(companies=("ORLA",)),
    )
    plan = LocalPlanner(SumReader()).plan(reading, Catalog(()), Scope())
    assert plan.route.kind == "extractive" and plan.route.tools == tools


class Told(SumReader):
    """Reads every question as it was told."""

    def __init__(self, **told: float) -> None:
        self._read = AskedSum("none", "value", (), 0.9, **told)  # type: ignore[arg-type]

    def read(self, question: str, names: Collection[str] = ()) -> AskedSum:
        return self._read


@pytest.mark.parametrize(
    ("told", "form", "tools"),
    [
        ({"of_figure": 0.1, "of_prose": 0.85}, "reasons", BOTH),
        ({"of_figure": 0.85, "of_prose": 0.1}, "figure", ("kg_search",)),
        ({"of_figure": 0.5, "of_prose": 0.5}, "other", ("kg_search",)),
    ],
)
def test_a_kind_of_answer_that_is_surely_asked_for_is_planned(
    told: dict[str, float], form: str, tools: tuple[str, ...]
) -> None:
    reading = Reading(
        question="What sank Orla's operating income in 2023?",
        companies=("ORLA",),
        company_names=("Orla",),
        metrics=("operating income",),
        scope=Scope(companies=("ORLA",)),
    )
    plan = LocalPlanner(Told(**told)).plan(reading, Catalog(()), Scope())
    assert (plan.form, plan.route.tools) == (form, tools) and not plan.calculations


def test_how_likely_something_has_to_be_computed_goes_from_the_reader_to_the_reading() -> None:
    reading = Reading(question="Orla's rent?", companies=("ORLA",), scope=Scope(companies=("ORLA",)))
    made = LocalPlanner(Told(of_sum=0.7)).plan(reading, Catalog(()), Scope())
    assert as_planned(reading, made, Catalog(()), Scope()).of_sum == 0.7


def test_a_figure_of_another_period_need_not_be_computed() -> None:
    read = SumReader().read
    assert read("What was Orla's current ratio at the end of 2023?").of_sum > 0.9
    assert read("What was Orla's revenue in 2023?").of_sum < 0.1


def test_a_rate_that_documents_print_need_not_be_computed() -> None:
    reading = Reading(
        question="What was Orla's effective tax rate in 2023?",
        companies=("ORLA",),
        company_names=("Orla",),
        scope=Scope(companies=("ORLA",)),
    )
    made = LocalPlanner(SumReader()).plan(reading, Catalog(()), Scope())
    assert made.calculations and made.of_sum == 0
