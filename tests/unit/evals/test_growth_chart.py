"""A chart of cost against size: what it shows lies where its figures say."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from evals.growth import points
from evals.growth_chart import HEIGHT, WIDTH, Point, chart

SVG = "{http://www.w3.org/2000/svg}"


def places(drawn: str) -> list[tuple[float, float]]:
    circles = ElementTree.fromstring(drawn).iter(f"{SVG}circle")
    return [(float(circle.attrib["cx"]), float(circle.attrib["cy"])) for circle in circles]


def test_ten_times_the_size_and_the_seconds_are_as_far_apart_everywhere() -> None:
    drawn = chart(
        [Point("a", size, seconds, seconds) for size, seconds in ((100, 0.01), (1000, 0.1), (10_000, 1.0))]
    )
    (x1, y1), (x2, y2), (x3, y3) = places(drawn)[:3]
    assert x2 - x1 == pytest.approx(x3 - x2) and x1 < x2 < x3 <= WIDTH
    assert y1 - y2 == pytest.approx(y2 - y3) and HEIGHT > y1 > y2 > y3


def test_the_95th_percentile_is_drawn_apart_from_the_median_and_each_line_is_named() -> None:
    drawn = chart([Point("folder: vector, none", 100, 0.01, 0.05), Point("a <b>", 100, 0.02, 0.02)])
    said = [text.text for text in ElementTree.fromstring(drawn).iter(f"{SVG}text")]
    assert "folder: vector, none" in said and "a <b>" in said
    median, p95 = places(drawn)[:2]
    assert median[1] > p95[1]


def test_one_size_and_one_value_can_be_drawn_and_nothing_can_not() -> None:
    assert places(chart([Point("a", 1000, 0.01, 0.01)]))
    with pytest.raises(ValueError, match="nothing to draw"):
        chart([])


def test_only_what_was_asked_warm_is_charted() -> None:
    report = {"copy": {"seconds": 3.0}, "vector, none": {"median": 0.01, "p95": 0.02, "max": 0.03}}
    assert points({("database", 500): report}) == [Point("database: vector, none", 500, 0.01, 0.02)]
