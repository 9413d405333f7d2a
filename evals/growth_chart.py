"""Seconds against size, both by powers of ten, as SVG: a line a kind of search, its median and its 95th percentile."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 960, 540, 70, 250, 20, 50
COLOURS = ("#1b6ca8", "#c8553d", "#2d7d46", "#7b4ea3", "#a8791b", "#4a4a4a", "#0f8b8d", "#b03a76")


@dataclass(frozen=True, slots=True)
class Point:
    """What one kind of search took in an index of one size."""

    line: str
    size: int
    median: float
    p95: float
    """Seconds."""


def chart(points: Sequence[Point]) -> str:
    """An SVG document. ValueError for no points."""
    if not points:
        raise ValueError("nothing to draw")
    sizes = [point.size for point in points]
    seconds = [max(value, 1e-4) for point in points for value in (point.median, point.p95)]
    across = _scale(min(sizes), max(sizes), LEFT, WIDTH - RIGHT)
    up = _scale(min(seconds), max(seconds), HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        f'font-size="12"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    ]
    for power in _powers(min(seconds), max(seconds)):
        y = up(10.0**power)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{1000 * 10.0**power:,g} ms</text>'
        )
    for size in sorted(set(sizes)):
        x = across(size)
        parts.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#eee"/>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{size:,}</text>')
    parts.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">chunks</text>'
    )
    for number, line in enumerate(dict.fromkeys(point.line for point in points)):
        colour = COLOURS[number % len(COLOURS)]
        own = sorted((point for point in points if point.line == line), key=lambda point: point.size)
        for dash, values in (
            ("", [p.median for p in own]),
            (' stroke-dasharray="4 3"', [p.p95 for p in own]),
        ):
            placed = [(across(p.size), up(max(value, 1e-4))) for p, value in zip(own, values, strict=True)]
            path = "L".join(f"{x:.1f} {y:.1f}" for x, y in placed)
            parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
            parts += (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in placed)
        y = TOP + 18 * (number + 1)
        parts.append(f'<path d="M{WIDTH - RIGHT + 20} {y - 4}h24" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 50}" y="{y}">{escape(line)}</text>')
    parts.append(
        f'<text x="{WIDTH - RIGHT + 20}" y="{HEIGHT - BOTTOM}" fill="#666">dashed: 95th percentile</text>'
    )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _powers(least: float, most: float) -> range:
    return range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)


class _scale:
    """From a value to a place, by powers of ten; whole powers at both ends."""

    def __init__(self, least: float, most: float, first: float, last: float) -> None:
        powers = _powers(least, most)
        self._from, self._to = powers[0], max(powers[-1], powers[0] + 1)
        self._first, self._last = first, last

    def __call__(self, value: float) -> float:
        share = (math.log10(value) - self._from) / (self._to - self._from)
        return self._first + share * (self._last - self._first)
