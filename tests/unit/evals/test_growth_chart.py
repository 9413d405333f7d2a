"""A chart of cost against size: a line a kind for the median and one for the 95th percentile, over rising sizes."""

from __future__ import annotations

from evals.growth import points
from evals.growth_chart import Point, chart, figure

POINTS = [
    Point("folder: vector, none", 10_000, 0.02, 0.04),
    Point("folder: vector, none", 1_000, 0.01, 0.03),
    Point("database: graph, none", 1_000, 0.1, 0.5),
]


def test_each_kind_has_a_colour_and_two_lines_over_rising_sizes() -> None:
    drawn = figure(POINTS)
    told = [(line.name, list(line.x), list(line.y)) for line in drawn.data]
    assert told == [
        ("folder: vector, none", [1_000, 10_000], [0.01, 0.02]),
        ("folder: vector, none, p95", [1_000, 10_000], [0.03, 0.04]),
        ("database: graph, none", [1_000], [0.1]),
        ("database: graph, none, p95", [1_000], [0.5]),
    ]
    colours = [line.line.color for line in drawn.data]
    assert colours[0] == colours[1] != colours[2] == colours[3]
    assert (drawn.layout.xaxis.type, drawn.layout.yaxis.type) == ("log", "log")


def test_as_many_kinds_as_both_stores_have_are_told_apart() -> None:
    drawn = figure([Point(str(number), 1_000, 0.1, 0.2) for number in range(14)])
    assert len({line.line.color for line in drawn.data}) == 14


def test_the_page_needs_no_network() -> None:
    page = chart(POINTS)
    assert "vector, none" in page and '<script src="http' not in page


def test_only_what_was_asked_warm_is_charted() -> None:
    report = {"copy": {"seconds": 3.0}, "vector, none": {"median": 0.01, "p95": 0.02, "max": 0.03}}
    assert points({("database", 500): report}) == [Point("database: vector, none", 500, 0.01, 0.02)]
