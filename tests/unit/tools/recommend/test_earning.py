"""A level earns its place on last events, and what few users did is never named."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.histories import histories_of
from tools.recommend.earning import MAX_USERS, compared, hits_of, hits_of_rules, last_events, some_users
from tools.recommend.ordering import Ordering
from tools.recommend.transitions import Transitions
from tools.recommend.types import Event, Histories


class RulesThatSay:
    """The same three things after whatever was done; what begins with '-' can't be asked."""

    def __init__(self, *named: str) -> None:
        self.named = named

    def after(self, item: str) -> Sequence[str]:
        return self.named

    def can_ask(self, item: str) -> bool:
        return not item.startswith("-")


def desk(users: int, *items: str) -> Histories:
    """Everybody did the same."""
    return histories_of(
        Event(f"u{user}", float(at), item) for user in range(users) for at, item in enumerate(items)
    )


def after(histories: Histories, *done: str) -> list[str]:
    ordering = Ordering(Transitions(histories), histories.items, histories)
    past = ordering.past([(item, float(at)) for at, item in enumerate(done)])
    return [ordering.items[at] for at in ordering.best(past, 9)]


def test_what_fewer_than_five_users_did_is_not_named() -> None:
    assert after(desk(5, "a", "b"), "a") == ["b"]
    assert after(desk(4, "a", "b"), "a") == []


@pytest.mark.parametrize("done", [(), ("unknown",)])
def test_after_nothing_that_is_known_nothing_is_named(done: tuple[str, ...]) -> None:
    assert after(desk(9, "a", "b"), *done) == []


def test_what_was_done_and_what_nothing_leads_to_is_not_named() -> None:
    apart = histories_of(
        [Event(f"u{user}", float(at), item) for user in range(6) for at, item in enumerate("ab")]
        + [Event(f"v{user}", float(at), item) for user in range(6) for at, item in enumerate("cd")]
    )
    assert after(apart, "a") == ["b"] and after(apart, "a", "b") == []


def test_a_level_that_names_what_was_done_last_earns_its_place() -> None:
    histories = desk(8, "a", "b", "c")
    last = last_events(histories)
    assert [last.before.items[each] for each in last.targets] == ["c"] * 8
    assert last.before.ids.tolist() == [0, 1] * 8
    ordering = Ordering(Transitions(histories), histories.items, histories)
    own, rules = (
        hits_of(ordering, RulesThatSay("x"), last),
        np.array([*hits_of_rules(RulesThatSay("x"), last)]),
    )
    found = compared("transitions", own, "rules", rules)
    assert found.earned and (found.hits, found.hits_against, found.low) == (8, 0, 1.0)
    assert "names what 8 of 8 users did last, rules what 0 did" in found.words
    as_good = compared("transitions", own, "rules", np.array([*hits_of_rules(RulesThatSay("c"), last)]))
    assert not as_good.earned


def test_what_cannot_be_asked_is_no_hit() -> None:
    histories = desk(8, "a", "b", "-c")
    ordering = Ordering(Transitions(histories), histories.items, histories)
    assert not hits_of(ordering, RulesThatSay(), last_events(histories)).any()


@pytest.mark.parametrize("users", [0, 1, 4])
def test_few_users_prove_nothing(users: int) -> None:
    last = last_events(desk(users, "a", "b"))
    hits = np.ones(len(last.pasts), bool)
    found = compared("transitions", hits, "rules", ~hits)
    assert not found.earned and "was not tried" in found.words


def test_of_many_users_some_are_looked_at_and_the_seed_says_which() -> None:
    histories = histories_of(
        Event(f"u{user}", float(at), f"i{user}") for user in range(MAX_USERS + 50) for at in range(2)
    )
    one, same, other = (last_events(histories, seed).targets for seed in (1, 1, 2))
    assert len(one) == MAX_USERS and one == same != other


def test_some_users_keep_their_histories_and_the_items_their_places() -> None:
    histories = histories_of(
        Event(f"u{user}", float(at), f"i{user}") for user in range(40) for at in range(3)
    )
    some = some_users(histories, 7)
    assert len(some.users) == 7 and some.items == histories.items and some_users(histories, 40) is histories
    for at, user in enumerate(some.users):
        assert [some.items[item] for item in some.past(at).items] == [f"i{user.removeprefix('u')}"] * 3


def test_one_event_a_user_holds_nothing_out() -> None:
    last = last_events(desk(9, "a"))
    assert last.targets == () == last.pasts
