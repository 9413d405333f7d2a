"""Where nodes are drawn: everything in a disc around what it belongs to, computed once and in linear space."""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

LEAF = 60.0
"""Radius that a node and its name take, in pixels at full size."""


def places(count: int, links: Iterable[tuple[int, int]], roots: Sequence[int]) -> NDArray[np.float64]:
    """(count, 2): x and y of each node, the same for the same input.

    A tree is grown from all `roots` at once, then from the best connected of what they do not reach; the children of a
    node stand on rings around it, each in a disc that holds its own children. No two discs overlap, so no two nodes do.
    """
    children, order = _tree(count, links, roots)
    radius = np.full(count + 1, LEAF)
    offset = np.zeros((count + 1, 2))
    for node in reversed(order):
        own = sorted(children[node], key=lambda child: radius[child])
        if own:
            first = 0.0 if node == count and len(own) == 1 else radius[node]
            offset[own], radius[node] = _rings(radius[own], 0.0 if node == count else first)
    for node in order:
        for child in children[node]:
            offset[child] += offset[node]
    return offset[:count]


def _tree(
    count: int, links: Iterable[tuple[int, int]], roots: Sequence[int]
) -> tuple[dict[int, list[int]], list[int]]:
    """Children of each node, and all nodes from the top; the node `count` holds the roots."""
    near: dict[int, list[int]] = defaultdict(list)
    for one, other in links:
        near[one].append(other)
        near[other].append(one)
    children: dict[int, list[int]] = defaultdict(list)
    order, seen = [count], set[int]()
    rest = sorted(range(count), key=lambda node: (-len(near[node]), node))
    for starts in (roots, *([node] for node in rest)):
        waiting = deque(node for node in dict.fromkeys(starts) if node not in seen)
        children[count] += waiting
        seen.update(waiting)
        while waiting:
            node = waiting.popleft()
            order.append(node)
            found = [other for other in dict.fromkeys(near[node]) if other not in seen]
            children[node] += found
            seen.update(found)
            waiting.extend(found)
    return children, order


def _rings(radii: NDArray[np.float64], inner: float) -> tuple[NDArray[np.float64], float]:
    """Middles of discs of these radii, ascending, on rings around a disc of radius `inner`, and the radius of all."""
    middles = np.zeros((len(radii), 2))
    start = 0
    if inner == 0.0:
        start, inner = 1, float(radii[0])  # nothing stands in the middle yet
    while start < len(radii):
        end = start + 1
        while end < len(radii) and _angles(radii[start : end + 1], inner).sum() <= 2 * math.pi:
            end += 1
        widths = _angles(radii[start:end], inner)
        widths += max(0.0, 2 * math.pi - widths.sum()) / len(widths)
        turned = np.cumsum(widths) - widths / 2
        distance = inner + radii[end - 1]
        middles[start:end] = distance * np.stack([np.cos(turned), np.sin(turned)], axis=1)
        inner, start = float(distance + radii[end - 1]), end
    return middles, inner


def _angles(radii: NDArray[np.float64], inner: float) -> NDArray[np.float64]:
    """How much of a ring around a disc each of these takes; the largest stands last."""
    widths: NDArray[np.float64] = 2 * np.arcsin(np.minimum(1.0, radii / (inner + radii[-1])))
    return widths
