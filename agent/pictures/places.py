"""Where nodes are drawn: everything in a disc around what it belongs to."""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

MOST_ON_A_RING = 20
"""Children of a node that stand on one ring, where all are alike: lines to them cross nothing."""
MOST_TRIED = 5_000
"""Places that are tried for children of a node, and two for each of them."""
STEPS = 20
"""By which a disc around discs is found."""
GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))


def places(
    count: int, links: Iterable[tuple[int, int]], roots: Sequence[int], room: float
) -> NDArray[np.float64]:
    """(count, 2): x and y of each node, the same for the same input, none nearer to another than twice `room`.

    A tree is grown from all `roots` at once, then from the best connected of what they do not reach; the children of a
    node stand around it, each in the middle of a disc that holds its own children.
    """
    children, order = _tree(count, links, roots)
    radius = np.full(count + 1, room)
    offset = np.zeros((count + 1, 2))
    middle = np.zeros((count + 1, 2))
    """Of the disc around a node and what is below it, from the node."""
    for node in reversed(order):
        own = sorted(children[node], key=lambda child: -radius[child])
        if own:
            discs = np.array([0.0 if node == count else room, *radius[own]])
            centres = _packed(discs, room)
            offset[own] = centres[1:] - middle[own]
            middle[node], radius[node] = _around(centres, discs)
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


def _packed(radii: NDArray[np.float64], room: float) -> NDArray[np.float64]:
    """(n, 2): middles of discs of these radii that do not overlap, the first at (0, 0) and each as near to it as the
    ones before leave free."""
    inner, rest = radii[0], radii[1:]
    if inner > 0 and 1 < len(rest) <= MOST_ON_A_RING and rest.max() == rest.min():
        turned = np.arange(len(rest)) * 2 * math.pi / len(rest) + math.pi / 6
        distance = max(inner + rest[0], rest[0] / math.sin(math.pi / len(rest)))
        return np.vstack([[0, 0], distance * np.stack([np.cos(turned), np.sin(turned)], axis=1)])
    reach = 2 * math.sqrt(float((radii**2).sum())) + 3 * float(radii.max())
    numbers = np.arange(min(math.ceil((reach / room) ** 2), MOST_TRIED + 2 * len(radii)))
    spiral = np.stack([np.cos(numbers * GOLDEN_ANGLE), np.sin(numbers * GOLDEN_ANGLE)], axis=1)
    spiral *= reach * np.sqrt(numbers / len(numbers))[:, None]
    free = np.hypot(*spiral.T) - inner if inner > 0 else np.full(len(spiral), np.inf)
    middles = np.zeros((len(radii), 2))
    for at, own in enumerate(rest, start=1):
        nearest = int(np.argmax(free >= own))
        if at == 1 or free[nearest] < own:  # beside everything
            middles[at] = (np.hypot(*middles[:at].T) + radii[:at]).max() + own, 0
        else:
            middles[at] = spiral[nearest]
        free = np.minimum(free, np.hypot(*(spiral - middles[at]).T) - own)
    return middles


def _around(middles: NDArray[np.float64], radii: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Middle and radius of a small disc around discs, of two the smallest: from around the largest and what is farthest
    from it a step towards the farthest, again and again, ever shorter (Badoiu and Clarkson, Smaller Core-Sets for
    Balls, 2003)."""
    largest = int(np.argmax(radii))
    ends = [largest, int(np.argmax(np.hypot(*(middles - middles[largest]).T) + radii))]
    towards = middles[ends[1]] - middles[ends[0]]
    length = float(np.hypot(*towards)) or 1.0
    middle = middles[ends].mean(axis=0) + towards / length * (radii[ends[1]] - radii[ends[0]]) / 2
    best = (middle, float("inf"))
    for step in range(1, STEPS):
        reach = np.hypot(*(middles - middle).T) + radii
        farthest = int(np.argmax(reach))
        if reach[farthest] < best[1]:
            best = (middle, float(reach[farthest]))
        way = middles[farthest] - middle
        middle = middle + way * (reach[farthest] / (float(np.hypot(*way)) or 1.0)) / (step + 1)
    return best
