"""Scope: with a company and a period set, nothing of another company or period enters the context."""

from __future__ import annotations

import hashlib
from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.assistant import Assistant
from agent.threads.turn_parts import Filters
from evals.samples import DOCUMENTS as SAMPLES
from graphs.steps.filters import UncoveredPeriodError, UnknownDocumentError
from tools.periods import PeriodFilter
from tools.scope import Scope

QUESTIONS = (
    "What was total revenue?",
    "What were net sales and net income in the most recent quarter?",
    "Why did gross margin change?",
    "Who is Daniel Marsh?",
    "What risks does Harrowmere describe?",
    "Compare Calderith's and Harrowmere's operating income.",
    "Calderith's and Harrowmere's revenue and net income in Q2 2024, Q3 2024 and Q3 2023, and Tilbrook's",
    "Harbor Club revenue and net income in Q3 2024 against Q3 2023",
    "inventories as of the end of the quarter",
)
COMPANIES = ("CDTH", "HRWM", "Calderith", "harrowmere stores")
TYPES = ("10-Q", "10q", "call", "10-K")
DOCUMENTS = ("10Q-Q2-2024.pdf", "HRWM/2024/ECT/ECT-Q3-2024.pdf")
ENDS = (date(2024, 3, 30), date(2023, 4, 1), date(2024, 9, 30), date(2023, 9, 30), date(2023, 12, 31))

IDS = [hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in sorted(SAMPLES.rglob("*.pdf"))]
"""Of the sample documents."""

optional_years = st.none() | st.sampled_from((2022, 2023, 2024, 2025))
optional_quarters = st.none() | st.integers(1, 4)
filters_of_periods = st.builds(
    PeriodFilter,
    end=st.none() | st.sampled_from(ENDS),
    months=st.none() | st.sampled_from((0, 3, 6, 9)),
    fiscal_year=optional_years,
    fiscal_quarter=optional_quarters,
)
scopes = st.builds(
    Scope,
    companies=st.lists(st.sampled_from(("CDTH", "HRWM", "ELSE")), max_size=2, unique=True).map(tuple),
    periods=st.lists(filters_of_periods, max_size=3).map(tuple),
    doc_types=st.lists(st.sampled_from(("10-Q", "call", "10-K")), max_size=2, unique=True).map(tuple),
    documents=st.lists(st.sampled_from(IDS), max_size=2, unique=True).map(tuple),
)
modest = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@modest
@given(
    question=st.sampled_from(QUESTIONS),
    company=st.none() | st.sampled_from(COMPANIES),
    year=optional_years,
    quarter=optional_quarters,
    doc_type=st.none() | st.sampled_from(TYPES),
    document=st.none() | st.sampled_from(DOCUMENTS),
    pipeline=st.sampled_from(("agent", "vector", "graph", "hybrid")),
)
def test_no_evidence_lies_outside_the_filters_the_user_set(
    assistant: Assistant, question: str, pipeline: str, **filters: Any
) -> None:
    try:
        scope = Filters(**filters).scope(assistant.current().catalog)
    except (UncoveredPeriodError, UnknownDocumentError) as error:
        with pytest.raises(type(error)):
            assistant.ask(question, pipeline=pipeline, **filters)
        return
    answer = assistant.ask(question, pipeline=pipeline, **filters)
    outside = [e for e in answer.evidence if not e.is_within(scope)]
    assert outside == []


@modest
@given(question=st.sampled_from(QUESTIONS), scope=scopes, k=st.integers(1, 40), depth=st.integers(1, 3))
def test_kg_search_stays_within_any_scope(
    assistant: Assistant, question: str, scope: Scope, k: int, depth: int
) -> None:
    found = assistant.current().kg_search(question, scope, k, depth, None)
    assert [e for e in found if not e.is_within(scope)] == []
    assert len(found) <= k


@modest
@given(question=st.sampled_from(QUESTIONS), scope=scopes, k=st.integers(1, 40))
def test_vector_search_stays_within_any_scope(
    assistant: Assistant, question: str, scope: Scope, k: int
) -> None:
    found = assistant.current().vector_search(question, scope, k, 0.8)
    assert [e for e in found if not e.is_within(scope)] == []
    assert len(found) <= k


@modest
@given(scope=scopes, depth=st.integers(1, 3), data=st.data())
def test_no_neighbour_of_an_entity_lies_outside_the_scope(
    assistant: Assistant, scope: Scope, depth: int, data: st.DataObject
) -> None:
    graph = assistant.current().graph
    entity = data.draw(st.sampled_from(graph.entities))
    for triplet in graph.neighbourhood(entity.key, depth, scope):
        assert scope.admits(triplet.company_key, triplet.period, triplet.doc_type, triplet.document_id)


@pytest.mark.parametrize(
    ("scope", "companies", "types"),
    [
        (Scope(companies=("CDTH",)), {"CDTH"}, {"10-Q", "call"}),
        (Scope(companies=("HRWM",), doc_types=("call",)), {"HRWM"}, {"call"}),
        (Scope(doc_types=("10-Q",)), {"CDTH", "HRWM"}, {"10-Q"}),
    ],
)
def test_a_scope_that_holds_something_is_not_empty(
    assistant: Assistant, scope: Scope, companies: set[str], types: set[str]
) -> None:
    found = assistant.current().vector_search("What was said about revenue and inventory?", scope, 40, 0.8)
    assert {e.company_key for e in found} == companies
    assert {e.doc_type for e in found} == types


def test_people_of_the_same_name_at_two_companies_are_two_nodes(assistant: Assistant) -> None:
    graph = assistant.current().graph
    people = [e for e in graph.find_entity("Daniel Marsh") if e.type == "person"]
    assert len(people) == 2
    for person in people:
        triplets = graph.neighbourhood(person.key, 1)
        assert len({t.company_key for t in triplets}) == 1
    at_calderith = {
        t.tail for t in graph.neighbourhood(graph.find_entity("Daniel Marsh", CDTH)[0].key, 1, CDTH)
    }
    assert "Bellhaven Research" in at_calderith and "Treasurer" not in " ".join(at_calderith)


CDTH = Scope(companies=("CDTH",))


def test_a_question_about_one_of_two_namesakes_is_answered_from_that_company(assistant: Assistant) -> None:
    answer = assistant.ask("What is Daniel Marsh's role?", company="HRWM")
    assert {e.company_key for e in answer.evidence} == {"HRWM"}
    assert "reasurer" in answer.answer and "Bellhaven" not in answer.answer


def test_every_figure_carries_company_unit_and_period(assistant: Assistant) -> None:
    statements = ("income", "balance", "cash_flow", "segment")
    figures = [t for t in assistant.current().graph.triplets() if t.value is not None]
    assert len(figures) > 400
    for triplet in figures:
        assert triplet.company_key in ("CDTH", "HRWM") and triplet.printed
        if triplet.relation == "was":  # an outlook may leave its period unsaid
            assert triplet.period.end is not None or triplet.period.fiscal_year is not None
    printed = [t for t in figures if t.statement in statements]
    assert len(printed) > 200
    for (
        triplet
    ) in printed:  # a balance at a quarter's beginning is of the quarter before, which may not be dated
        assert triplet.period.end is not None or triplet.period.fiscal_quarter is not None
        assert triplet.period.months is not None and triplet.unit


def test_the_months_of_a_table_of_share_purchases_are_no_quarter(assistant: Assistant) -> None:
    """The sample's table has a period that ends on January 27, 2024; the fiscal quarter ended in December."""
    answer = assistant.ask("What was Calderith's net income in fiscal Q1 2024?")
    assert (answer.status, answer.reason) == ("abstained", "no_evidence")
    assert "fiscal Q1 2024" in answer.answer
