"""Seconds against size, both by powers of ten, as a page that works without a network: a colour a kind of search, its
median and, dashed, its 95th percentile. Needs the extra `evals`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Point:
    """What one kind of search took in an index of one size."""

    line: str
    size: int
    median: float
    p95: float
    """Seconds."""


def figure(points: Sequence[Point]) -> Any:
    """Two lines for each kind, in the order in which kinds come."""
    from plotly.colors import qualitative
    from plotly.graph_objects import Figure

    drawn = Figure()
    for number, line in enumerate(dict.fromkeys(point.line for point in points)):
        own = sorted((point for point in points if point.line == line), key=lambda point: point.size)
        colour = qualitative.Dark24[number % len(qualitative.Dark24)]
        for name, dash, values in (
            (line, "solid", [point.median for point in own]),
            (f"{line}, p95", "dash", [point.p95 for point in own]),
        ):
            sizes = [point.size for point in own]
            drawn.add_scatter(
                x=sizes, y=values, name=name, line={"color": colour, "dash": dash}, legendgroup=line
            )
    drawn.update_xaxes(type="log", title="chunks", tickvals=sorted({point.size for point in points}))
    drawn.update_yaxes(type="log", title="seconds")
    return drawn


def chart(points: Sequence[Point]) -> str:
    """An HTML document."""
    return str(figure(points).to_html(include_plotlyjs=True))
