from __future__ import annotations

import numpy as np
import pytest

from agent.pictures.places import places

ROOM = 26.0


def tree(count: int, seed: int) -> list[tuple[int, int]]:
    """Of every node a link to one before it, the first ones with many."""
    random = np.random.default_rng(seed)
    return [(int(random.integers(0, max(1, at // 6))), at) for at in range(1, count)]


@pytest.mark.parametrize(
    "links",
    [tree(300, 1), [(0, at) for at in range(1, 15)], [(at, at + 1) for at in range(80)], [(0, 0), (1, 2), (2, 1)]],
)  # fmt: skip
def test_no_node_stands_nearer_to_another_than_twice_the_room(links: list[tuple[int, int]]) -> None:
    count = max(max(link) for link in links) + 1
    found = places(count, links, [0], ROOM)
    apart = np.hypot(*(found[:, None] - found[None]).transpose(2, 0, 1))
    assert apart[~np.eye(count, dtype=bool)].min() >= 2 * ROOM - 1e-6
    assert np.array_equal(found, places(count, links, [0], ROOM))


def test_the_room_that_a_graph_takes_grows_with_its_nodes_whatever_its_shape() -> None:
    line = places(400, [(at, at + 1) for at in range(399)], [0], ROOM)
    assert np.ptp(line, axis=0).max() < 400 * 3 * ROOM
    bushy = places(3000, tree(3000, 2), [0], ROOM)
    assert np.ptp(bushy, axis=0).max() < 8 * ROOM * np.sqrt(3000)


def test_nothing_and_one_node_have_places() -> None:
    assert places(0, [], [], ROOM).shape == (0, 2)
    assert np.isfinite(places(1, [], [], ROOM)).all()


def test_what_nothing_links_to_the_roots_is_placed_too() -> None:
    found = places(4, [(2, 3)], [0], ROOM)
    assert len({tuple(place) for place in found.tolist()}) == 4
