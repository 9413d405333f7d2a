"""Line items of the knowledge graph near one of them, and their periods."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from agent.assistant import Assistant
from graphs.index import Index
from graphs.local.dialogue.neighbours import (
    age,
    line_for,
    line_named,
    line_of,
    nearest,
    other_periods,
    periods_of,
)
from tools.evidence import Evidence
from tools.periods import Period
from tools.scope import Scope

NOW, THEN = date(2024, 3, 30), date(2023, 4, 1)


@pytest.fixture
def index(assistant: Assistant) -> Index:
    return assistant.current()


def revenue(index: Index) -> Evidence:
    found = index.kg_search("Calderith's total revenue?", Scope(companies=("CDTH",)), 8, 1, 3)
    return next(item for item in found if item.fact and item.fact.metric == "Total revenue")


def test_a_figure_leads_to_the_line_that_it_stands_in(index: Index, chunk: Callable[..., Evidence]) -> None:
    line = line_of(revenue(index), index)
    assert line is not None and (line.label, line.statement) == ("Total revenue", "income")
    assert {(period.end, period.months) for period in periods_of(line, index)} == {
        (end, months) for end in (NOW, THEN) for months in (3, 6)
    }
    assert line_of(chunk(1, "Total revenue rose."), index) is None


def test_other_periods_are_of_the_same_length(index: Index) -> None:
    line = line_of(revenue(index), index)
    assert line is not None
    for months in (3, 6):
        [other] = other_periods("CDTH", line, Period(NOW, months, 2024, 2), index)
        assert (other.end, other.months) == (THEN, months)


def test_the_longest_line_that_stands_whole_in_the_text_is_meant(index: Index) -> None:
    text = "Beside net income and cost of revenue, what were restructuring charges among operating expenses?"
    line = line_named("CDTH", text, index)
    assert line is not None
    assert (line.path, line.label) == (("Operating expenses",), "Restructuring charges")
    assert line_named("CDTH", "And revenue?", index) is None, "one word may mean any line"
    assert line_named("HRWM", "the foundry in Ostrava", index) is None


def test_without_a_known_metric_a_headline_figure_is_near(index: Index) -> None:
    line, period = line_for("CDTH", ("net income",), Period(end=THEN), index)
    assert line is not None and line.canonical == "net income" and (period.end, period.months) == (THEN, 3)
    line, _ = line_for("CDTH", (), Period(end=THEN), index)
    assert line is not None and line.canonical == "revenue"
    assert line_for("KEST", (), Period(end=THEN), index) == (None, Period(end=THEN))


def test_the_nearest_period_ends_on_the_day_or_is_the_latest_and_shortest() -> None:
    half, quarter, before = Period(NOW, 6), Period(NOW, 3), Period(THEN, 3)
    assert nearest([before, half, quarter], Period(end=NOW)) == quarter
    assert nearest([before, half, quarter], Period(end=THEN)) == before
    assert nearest([before, half, quarter], Period(end=date(2020, 1, 1))) == quarter
    assert nearest([], Period(end=NOW)) is None


def test_what_ended_later_is_of_less_age_known_by_its_day_or_its_label() -> None:
    labelled = Period(fiscal_year=2023, fiscal_quarter=3)
    assert age(Period(end=NOW)) < age(labelled) < age(Period(end=THEN)) < age(Period())
