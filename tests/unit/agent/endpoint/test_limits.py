"""Requests a minute, pauses that an endpoint asks for, and what Retry-After means."""

from __future__ import annotations

import time
from collections.abc import Callable
from email.utils import formatdate

import pytest

from agent.endpoint.faults import retry_after
from agent.endpoint.limits import MAX_REQUESTS, Limits, Pace, limits_of
from tools.model.types import DeadlineError


class Clock:
    """Passes only in sleep."""

    def __init__(self) -> None:
        self.now = 100.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def pace(self, **fields: float) -> Pace:
        return Pace(sleep=self.sleep, clock=lambda: self.now, **fields)


def test_no_minute_holds_more_requests_than_allowed() -> None:
    clock = Clock()
    limits = Limits(1, 3, clock.pace())
    begun = []
    for _ in range(10):
        with limits.slot(None):
            begun.append(clock.now)
        clock.sleep(1)
    assert all(sum(start <= other < start + 60 for other in begun) <= 3 for start in begun)
    assert begun[-1] - begun[0] < 190, "and no more waiting than needed"


def test_a_turn_that_would_come_too_late_is_refused_at_once() -> None:
    clock = Clock()
    limits = Limits(1, 1, clock.pace())
    with limits.slot(None):
        pass
    with pytest.raises(DeadlineError), limits.slot(30):
        pytest.fail("no request may begin")
    assert clock.now == 100
    with limits.slot(61):
        assert clock.now == 160


def test_a_pause_holds_back_all_requests() -> None:
    clock = Clock()
    limits = Limits(2, None, clock.pace())
    limits.hold(20)
    limits.hold(5)
    with limits.slot(None):
        assert clock.now == 120
    with limits.slot(1):
        assert clock.now == 120


def test_a_busy_endpoint_is_not_waited_for_beyond_the_deadline() -> None:
    limits = Limits(1, None, Pace())
    with limits.slot(None), pytest.raises(DeadlineError), limits.slot(0.01):
        pytest.fail("no request may begin")


@pytest.mark.parametrize("attempt", range(1, MAX_REQUESTS))
def test_waits_grow_and_stay_within_their_bound(attempt: int) -> None:
    pace = Pace(first=0.5, factor=4, most=1.5, jitter=0.25)
    waits = [pace.wait(attempt, None) for _ in range(100)]
    base = (0.5, 1.5)[attempt - 1]
    assert all(base <= wait <= base + 0.25 for wait in waits)
    assert pace.bound == 2.5
    assert all(7 <= pace.wait(attempt, 7) <= 7.25 for _ in range(100))


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "x", "retry-after": "9"}, 9),
        ({"retry-after": "0"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, None),
        ({"retry-after": "Wed, 99 Oct 2015 07:28:00 GMT"}, None),
    ],
)
def test_retry_after_is_read_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_retry_after_may_be_a_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1e9)
    assert retry_after({"retry-after": formatdate(1e9 + 30, usegmt=True)}) == 30


def test_chat_and_embeddings_of_one_host_share_its_limits() -> None:
    pace = Pace()
    chat = limits_of("http://127.0.0.1:1", 1, 3, pace)
    assert limits_of("http://127.0.0.1:1", 1, 3, pace) is chat
    assert limits_of("http://127.0.0.1:2", 1, 3, pace) is not chat


def test_a_place_among_all_processes_is_taken_before_the_turn_and_given_back() -> None:
    done: list[str] = []

    class Noting:
        def turn(self, a_minute: int, after: float, left: float | None) -> float | None:
            done.append("turn")
            return after

        def place(self, at_once: int, seconds: float | None) -> Callable[[], None] | None:
            done.append("place")
            return lambda: done.append("given back")

    with Limits(1, 3, Clock().pace(), Noting()).slot(None):
        done.append("asked")
    assert done == ["place", "turn", "asked", "given back"]
