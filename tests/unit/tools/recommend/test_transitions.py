"""tools.recommend.transitions, popularity and held_out: counts, their reasons, and ranks of what was left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.histories import histories_of
from tools.recommend.errors import DivergedError
from tools.recommend.held_out import hits, last_ranks, ndcg, without_last
from tools.recommend.mixed import SHARES, Mixed, best_share
from tools.recommend.popularity import Popularity
from tools.recommend.transitions import NORMS, Reason, Transitions, best_norm
from tools.recommend.types import Event, Histories, Past, Scores


def histories(**users: str) -> Histories:
    """A letter is an item; a user's events come in the order of the letters."""
    return histories_of(
        Event(user, float(n), item) for user, items in users.items() for n, item in enumerate(items)
    )


def past(of: Histories, items: str) -> Past:
    return Past(
        np.array([of.items.index(each) for each in items], np.int32), np.arange(len(items), dtype=float)
    )


class Fixed:
    """Scores every past alike."""

    name = "fixed"

    def __init__(self, scores: Sequence[float]) -> None:
        self._scores = scores

    def scores(self, pasts: Sequence[Past]) -> Scores:
        return np.tile(np.array(self._scores, np.float32), (len(pasts), 1))


def test_a_pair_counts_one_over_its_distance_both_ways_and_the_past_one_over_its_age() -> None:
    told = histories(ann="abcdef", bob="ab")  # e is 4 after a, f is 5
    [scores] = Transitions(told).scores([past(told, "a")])
    assert scores.tolist() == pytest.approx([0, 2, 1 / 2, 1 / 3, 1 / 4, 0])
    [scores] = Transitions(told).scores([past(told, "fa")])
    assert scores.tolist() == pytest.approx([0, 2 + 1 / 8, 1 / 2 + 1 / 6, 1 / 3 + 1 / 4, 1 / 4 + 1 / 2, 0])
    [scores] = Transitions(told, length=1).scores([past(told, "fa")])
    assert scores.tolist() == pytest.approx([0, 2, 1 / 2, 1 / 3, 1 / 4, 0])


def test_a_norm_divides_a_count_by_powers_of_both_degrees() -> None:
    told = histories(ann="ab", bob="ac", cid="ac")
    [plain], [normed] = (
        Transitions(told, norm=norm).scores([past(told, "a")]) for norm in (NORMS[0], NORMS[2])
    )
    assert plain.tolist() == [0, 1, 2]
    assert normed.tolist() == pytest.approx([0, 1 / 3**0.5, 2 / (3**0.5 * 2**0.25)])


def test_the_norm_is_the_one_that_finds_held_out_events() -> None:
    own = iter("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")  # the last events of those whose others are counted
    hub = {f"z{n}": f"zh{next(own)}" for n in range(20)}
    near = {f"h{n}": f"xh{next(own)}" for n in range(3)} | {f"a{n}": f"xa{next(own)}" for n in range(2)}
    asked = {f"x{n}": "xa" for n in range(9)}
    assert (
        best_norm(histories(**hub, **near, **asked)) == NORMS[2]
    )  # a hub follows x more often, but follows anything
    assert best_norm(histories(ann="ab", bob="b")) == NORMS[0]


def test_a_reason_counts_users_who_went_on_within_the_window_from_what_weighs_most() -> None:
    told = histories(ann="abab", bob="axxxxb", cid="ab", dan="ba", eve="cb")
    counted = Transitions(told)
    a, b, c = (told.items.index(each) for each in "abc")
    assert counted.reason(past(told, "a"), b) == Reason(item=a, went_on=2, users=4)
    assert counted.reason(past(told, "ca"), b) == Reason(item=a, went_on=2, users=4)
    assert counted.reason(past(told, "caaaaaaaaaaa"), c) is None  # nobody did c after a
    assert counted.reason(past(told, "b"), c) is None  # eve did c before b
    assert counted.reason(past(told, "acccc"), b) == Reason(item=c, went_on=1, users=1)
    assert counted.reason(past(told, "acccc"), b, least=2) == Reason(item=a, went_on=2, users=4)


def test_nothing_counted_is_a_score_of_nothing() -> None:
    told = histories(ann="a", bob="b")
    for model in (Transitions(told), Transitions(without_last(told, 1))):
        assert model.scores([past(told, "ab")]).tolist() == [[0, 0]]
        assert model.reason(past(told, "a"), 1) is None


def test_the_popular_come_first_whoever_asks() -> None:
    told = histories(ann="abb", bob="cb")
    assert Popularity(told).scores([past(told, "a"), past(told, "c")]).tolist() == [[1, 3, 1]] * 2


def test_without_the_last_events_users_and_items_keep_their_places() -> None:
    told = histories(ann="abc", bob="d", cid="ef")
    part = without_last(told, 2)
    assert (part.users, part.items) == (told.users, told.items)
    assert [part.past(user).items.tolist() for user in range(3)] == [[0], [], []]
    assert part.times.tolist() == [0.0]


def test_a_rank_counts_higher_scores_and_equal_ones_that_come_earlier() -> None:
    told = histories(ann="abc", bob="dc", cid="e")
    found = last_ranks(Fixed([5, 1, 2, 2, 2]), told)
    assert found.users.tolist() == [0, 1]  # cid has nothing before the last
    assert found.unmasked.tolist() == [2, 2]
    assert found.masked.tolist() == [1, 2]  # a is seen by ann alone; d comes after c
    last = last_ranks(Fixed([5, 1, 2, 2, 2]), histories(ann="abcde"))
    assert (last.masked.tolist(), last.unmasked.tolist()) == ([1], [4])


def test_a_last_item_that_was_seen_before_comes_last_where_seen_ones_are_left_out() -> None:
    found = last_ranks(Fixed([9, 1]), histories(ann="aba"))
    assert (found.masked.tolist(), found.unmasked.tolist()) == ([2], [1])


def test_some_of_many_users_are_asked_for_evenly_spread() -> None:
    told = histories(**{f"u{n}": "ab" for n in range(10)})
    assert last_ranks(Fixed([1, 0]), told, 4).users.tolist() == [0, 3, 6, 9]
    assert last_ranks(Fixed([1, 0]), told, 11).users.tolist() == list(range(10))


def test_scores_that_are_no_numbers_have_no_order() -> None:
    with pytest.raises(DivergedError, match="fixed gave scores that are no numbers"):
        last_ranks(Fixed([float("nan"), 0]), histories(ann="ab"))


def test_hits_and_ndcg_are_of_the_one_item_that_is_right() -> None:
    ranks = np.array([1, 3, 10, 11])
    assert hits(ranks, 10).tolist() == [1, 1, 1, 0]
    assert ndcg(ranks, 10).tolist() == pytest.approx([1, 0.5, 1 / np.log2(11), 0])


def test_likelihoods_are_mixed_by_the_share_of_what_was_counted() -> None:
    told = histories(ann="abcdef", bob="ab")
    learned = Fixed(np.log([1, 2, 3, 4, 5, 5]) + 800)
    counted = np.array([0, 2, 1 / 2, 1 / 3, 1 / 4, 0])
    for share in (0.0, 0.5, 1.0):
        [mixed] = Mixed(learned, Transitions(told), share).scores([past(told, "a")])
        wanted = (1 - share) * np.array([1, 2, 3, 4, 5, 5]) / 20 + share * counted / counted.sum()
        assert mixed == pytest.approx(wanted, rel=1e-4)
    alone = histories(ann="ab", bob="c")
    [mixed] = Mixed(Fixed([0, 0, 0]), Transitions(alone), 0.5).scores([past(alone, "c")])
    assert mixed == pytest.approx([1 / 6] * 3), "nothing leads on from c"


def test_the_share_is_the_one_that_finds_the_last_events() -> None:
    told = histories(
        ann="xab", bob="xab", cid="abz"
    )  # counted without the last events, a leads to b; nothing to z
    assert best_share(Fixed([0, 0, 0, 9]), told, (0, 0), 100) == SHARES[-1]
    assert best_share(Fixed([0, 0, 0.1, 0]), told, (0, 0), 100) == SHARES[0], "the first of equals"
    led_astray = histories(ann="abx", bob="cax")
    assert best_share(Fixed([0, 0.1, 1, 0]), led_astray, (0, 0), 100) == SHARES[0]
