"""tools.recommend: the graph of items, edges drawn from it, and what views and encoder make of them, in NumPy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.histories import histories_of
from tools.recommend.batches import batches, pieces_of
from tools.recommend.held_out import without_last
from tools.recommend.inference import Learned
from tools.recommend.layers import unchanged
from tools.recommend.presets import Settings, settings_of
from tools.recommend.sampling import disturbed, drawn, everyone
from tools.recommend.sequences import NOBODY, intervals, packed, portions
from tools.recommend.tgcl4sr import all_views, predicted, start
from tools.recommend.titg import neighbourhoods_of, titg_of
from tools.recommend.types import Event, Histories, Past

SMALL = Settings("tgcl4sr", width=8, length=6, neighbours=4, edge_width=4)


def _histories(times: float = 86_400.0) -> Histories:
    draw = np.random.default_rng(0)
    return histories_of(
        Event(f"u{user}", 1e9 + times * (user + draw.random() * place), f"i{draw.integers(9)}")
        for user in range(12)
        for place in range(3 + user)
    )


def test_an_item_is_joined_with_the_four_that_follow_it() -> None:
    events = [Event("u", float(k), item) for k, item in enumerate("abcadef")] + [Event("v", 0.0, "a")]
    histories = histories_of(events)
    graph, items = titg_of(without_last(histories, 1)), histories.items
    edges = [
        (items[source] + items[target], when, then)
        for source, target, when, then in zip(
            graph.sources, graph.targets, graph.source_times, graph.target_times, strict=True
        )
    ]
    pairs = ["ab", "ac", "aa", "ad", "bc", "ba", "bd", "be", "ca", "cd", "ce", "ad", "ae", "de"]
    assert sorted(pair for pair, _, _ in edges) == sorted(pairs)  # "ad" twice
    assert ("be", 1.0, 5.0) in edges and set(graph.of_users.tolist()) == {0}
    assert len(titg_of(histories)) == len(pairs) + 4


def test_every_edge_is_seen_once_from_each_end() -> None:
    graph = titg_of(_histories())
    around = neighbourhoods_of(graph)
    seen = [
        (int(item), int(neighbour))
        for items, edges in everyone(around)
        for item, neighbours, present in zip(items, edges.neighbours, edges.present, strict=True)
        for neighbour in neighbours[present]
    ]
    there = list(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True))
    assert sorted(seen) == sorted([*there, *((target, source) for source, target in there)])
    assert around.times.min() == 0 and around.times.max() == 1


def test_edges_are_drawn_evenly_and_those_of_users_left_out_are_not_present() -> None:
    around = neighbourhoods_of(titg_of(_histories()))
    left_out = np.arange(around.users) % 2 == 0
    edges = drawn(around, 4_000, np.random.default_rng(1), left_out)
    assert not left_out[edges.of_users[edges.present]].any()
    for item in range(9):
        own = slice(around.starts[item], around.starts[item + 1])
        expected = np.bincount(around.neighbours[own][~left_out[around.of_users[own]]], minlength=9)
        found = np.bincount(edges.neighbours[item][edges.present[item]], minlength=9)
        assert np.allclose(found / 4_000, expected / (own.stop - own.start), atol=0.04)


@pytest.mark.parametrize("preset", ["quick", "paper"])
@pytest.mark.parametrize(("users", "events"), [(100, 30), (7, 200), (2, 4)])
def test_a_batch_is_left_with_edges_of_others_however_few_there_are(
    preset: str, users: int, events: int
) -> None:
    histories = histories_of(
        Event(f"u{user}", float(place), f"i{(user + place) % 9}")
        for user in range(users)
        for place in range(events)
    )
    settings, around = settings_of("tgcl4sr", preset), neighbourhoods_of(titg_of(without_last(histories, 1)))
    pieces = list(pieces_of(histories, settings.length))
    joined = np.diff(around.starts) > 0
    found = list(batches(pieces, settings, around, np.random.default_rng(0)))
    assert sum(int(batch.weights.sum()) for batch in found) == users * (events - 2)
    for batch in found:
        assert batch.edges is not None
        assert all(edges.present[:, joined].mean() > 0.4 for edges in batch.edges)
        assert len(np.unique(batch.owners[batch.owners >= 0])) <= max(users // 4, 1)


def test_half_of_the_times_are_disturbed_and_nothing_else() -> None:
    edges = drawn(neighbourhoods_of(titg_of(_histories())), 400, np.random.default_rng(1))
    moved = disturbed(edges, 0.1, np.random.default_rng(2))
    changed = (moved.times != edges.times).all(axis=2)
    assert abs(changed.mean() - 0.5) < 0.05
    assert abs((moved.times - edges.times)[changed].std() - 0.1) < 0.01
    assert moved.neighbours is edges.neighbours and moved.present is edges.present


def test_histories_share_rows_and_none_is_cut_but_to_its_last_events() -> None:
    pasts = [
        Past(np.arange(count, dtype=np.int32), np.arange(count, dtype=np.float64) * 1e5)
        for count in (3, 2, 4, 9, 1)
    ]
    rows = packed(pasts, 50, 100, 6)
    assert rows.owners.tolist() == [
        [0, 0, 0, 1, 1, NOBODY],
        [2, 2, 2, 2, NOBODY, NOBODY],
        [3] * 6,
        [4, *[NOBODY] * 5],
    ]
    assert rows.items[2].tolist() == [3, 4, 5, 6, 7, 8]
    assert rows.items.ravel()[rows.ends].tolist() == [2, 1, 3, 8, 0]
    assert list(portions([3, 2, 4, 9, 1], 6, 2, 50, 50)) == [slice(0, 3), slice(3, 5)]
    assert list(portions([3, 2, 4, 1, 1], 6, 9, 7, 2)) == [slice(0, 2), slice(2, 4), slice(4, 5)]


def test_intervals_grow_with_the_logarithm_of_the_time_between_events() -> None:
    times = np.array([0.0, 0.0, 60_000.0, 60_000.0 + 60_000.0 * (np.e**2 - 0.99), 1e12, 5.0])
    assert intervals(times, 50, 300).tolist() == [0, 0, 34, 100, 300, 0]


def test_what_is_asked_together_is_answered_as_if_asked_alone() -> None:
    histories = _histories()
    given = start(SMALL, 9, 12, np.random.default_rng(0))
    given["fused.out.weight"] = np.random.default_rng(1).normal(size=(8, 8)).astype(np.float32)
    learned = Learned(SMALL, given, all_views(given, SMALL, neighbourhoods_of(titg_of(histories))))
    pasts = [histories.past(user) for user in range(12)]
    together = learned.scores(pasts)
    assert together.shape == (12, 9) and together.dtype == np.float32
    assert np.allclose(together, np.concatenate([learned.scores([past]) for past in pasts]), atol=1e-6)
    longer = Past(np.append(np.int32(8), pasts[-1].items), np.append(0.0, pasts[-1].times))
    assert np.allclose(
        learned.scores([longer]), together[-1:], atol=1e-6
    )  # more than `length` are not looked at


def test_an_empty_past_is_refused_in_words_and_no_pasts_are_no_rows() -> None:
    learned = Learned(replace(SMALL, model="sasrec"), start(SMALL, 9, 12, np.random.default_rng(0)), None)
    with pytest.raises(ValueError, match="did nothing yet"):
        learned.scores([Past(np.zeros(0, np.int32), np.zeros(0))])
    assert learned.scores([]).shape == (0, 9)


@pytest.mark.parametrize(
    ("changed", "matters"),
    [({}, True), ({"attention": "single"}, True), ({"ablation": "titconv"}, False)],
)
def test_times_matter_to_the_views_unless_a_plain_convolution_is_left(
    changed: dict[str, str], matters: bool
) -> None:
    settings = replace(SMALL, **changed)  # type: ignore[arg-type]
    given = start(settings, 9, 12, np.random.default_rng(0))
    around = neighbourhoods_of(titg_of(_histories()))
    other = replace(around, times=around.times[::-1])
    one, another = (all_views(given, settings, each) for each in (around, other))
    assert np.isfinite(one).all() and np.allclose(one, another, atol=1e-6) != matters


def test_softmax_over_the_edges_and_over_each_alone_are_not_the_same() -> None:
    given = start(SMALL, 9, 12, np.random.default_rng(0))
    around = neighbourhoods_of(titg_of(_histories()))
    views = [all_views(given, replace(SMALL, attention=each), around) for each in ("edges", "single")]
    assert not np.allclose(views[0], views[1], atol=1e-3)


def test_before_the_graph_is_learnt_the_encoder_speaks_alone() -> None:
    given = start(SMALL, 9, 12, np.random.default_rng(0))
    rows = packed([_histories().past(11)], SMALL.interval_scale, SMALL.interval_highest, SMALL.length)
    views = np.ones((9, 8), np.float32)
    alone, joined = (
        predicted(given, SMALL, rows.items, rows.gaps, rows.owners, both, unchanged)
        for both in (None, (views, views))
    )
    assert (alone == joined).all()


def test_names_that_are_none_are_answered_with_those_that_are() -> None:
    with pytest.raises(ValueError, match="sasrec quick, sasrec paper, tgcl4sr quick, tgcl4sr paper"):
        settings_of("sasrec", "fast")
    with pytest.raises(ValueError, match="dgcl, sgcl, tgcl, titconv, interval"):
        settings_of("tgcl4sr", "quick", ablation="gcn")
    with pytest.raises(ValueError, match="edges, single"):
        settings_of("tgcl4sr", "quick", attention="none")
