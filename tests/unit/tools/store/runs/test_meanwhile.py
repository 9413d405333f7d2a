"""When it is worth it to publish what is read so far."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tools.store.disk.home import Home, Manifest
from tools.store.errors import RecordDamagedError
from tools.store.runs import meanwhile
from tools.store.runs.meanwhile import Meanwhile


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def publishing(monkeypatch: pytest.MonkeyPatch, clock: Clock, seconds: float) -> None:
    def build(home: Home, manifest: Manifest) -> None:
        clock.now += seconds

    monkeypatch.setattr(meanwhile, "build_generation", build)


def test_first_after_a_while_then_whenever_there_are_twice_as_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    publishing(monkeypatch, clock, 1)
    plan = Meanwhile(30, clock)
    due = []
    for second, finished in ((10, 3), (30, 0), (30, 4), (50, 9), (62, 7), (62, 8)):
        clock.now = max(clock.now, second)
        due.append(plan.is_due(finished))
        if due[-1]:
            plan.publish(Home(tmp_path), Manifest("m"), finished)
    assert due == [False, False, True, False, False, True]


def test_what_costs_much_is_done_seldom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    publishing(monkeypatch, clock, 20)
    plan = Meanwhile(30, clock)
    clock.now = 30
    assert plan.is_due(1) and plan.publish(Home(tmp_path), Manifest("m"), 1)
    clock.now = 50 + 179
    assert not plan.is_due(9)
    clock.now += 1
    assert plan.is_due(9)


def test_a_damaged_record_of_an_earlier_run_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    def build(*_: Any) -> None:
        raise RecordDamagedError(tmp_path, "r", "a.pdf", "it has changed")

    monkeypatch.setattr(meanwhile, "build_generation", build)
    plan = Meanwhile(0, clock)
    assert plan.is_due(1) and not plan.publish(Home(tmp_path), Manifest("m"), 1)
    assert not plan.is_due(100)
