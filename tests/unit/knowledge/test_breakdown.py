"""What a figure is broken down into, read from the tables of the sample documents."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from agent.assistant import Assistant
from tools.knowledge.breakdown import Dimension

CALDERITH, HARROWMERE = "CDTH", "HRWM"


@pytest.mark.parametrize(
    ("company", "metric", "by", "names"),
    [
        (CALDERITH, "revenue", "segment", {"Data Infrastructure", "Connected Devices", "Automotive"}),
        (HARROWMERE, "operating income", "segment", {"Department Stores", "Harbor Club", "International"}),
        (CALDERITH, "goodwill", "segment", set()),
        (CALDERITH, "net income", "segment", set()),
    ],
)
def test_a_figure_is_broken_down_as_a_table_does_it(
    company: str, metric: str, by: Dimension, names: set[str], sample_home: Path
) -> None:
    with Assistant.open(sample_home) as assistant:
        index = assistant.current()
        key = index.catalog.find(company)
        assert key is not None
        assert set(index.part_names(key, metric, by, ())) == names


def test_a_table_of_other_periods_is_not_used(sample_home: Path) -> None:
    with Assistant.open(sample_home) as assistant:
        index = assistant.current()
        key = index.catalog.find(CALDERITH)
        assert key is not None
        assert index.part_names(key, "revenue", "segment", [date(2024, 3, 30)])
        assert index.part_names(key, "revenue", "segment", [date(2019, 3, 30)]) == ()


def test_a_figure_by_segment_is_stated_for_each_segment(sample_home: Path) -> None:
    with Assistant.open(sample_home) as assistant:
        answer = assistant.ask(
            "What was Calderith's total revenue by segment in the quarter ended March 30, 2024?"
        )
    assert all(figure in answer.answer for figure in ("742.5", "396.3", "145.8"))
    assert answer.status == "answered"
