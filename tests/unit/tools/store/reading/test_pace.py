"""How far a run is and how long the rest will take."""

from __future__ import annotations

import pytest

from tools.store.reading.pace import FileAt, Pace


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_file_counts_by_its_pages_and_one_not_begun_by_the_root_of_its_bytes(clock: Clock) -> None:
    pace = Pace([("a.pdf", 40_000), ("b.pdf", 10_000)], clock)
    pace.at(0, "pages", 20, 20)
    assert pace.share == pytest.approx(20 * 0.35 / (20 + 10))
    pace.end(0)
    assert pace.share == pytest.approx(20 / 30)
    pace.at(1, "pages", 1, 60)
    assert pace.share == pytest.approx((20 + 60 * 0.35 / 60) / 80)
    pace.end(1)
    assert pace.share == 1.0


def test_files_in_hand_are_named_until_they_end(clock: Clock) -> None:
    pace = Pace([("a.pdf", 1), ("b.pdf", 1)], clock)
    pace.at(1, "pages", 2, 9)
    pace.at(0, "passages", 32, 100)
    assert pace.in_hand == (FileAt("a.pdf", "passages", 32, 100), FileAt("b.pdf", "pages", 2, 9))
    pace.end(0)
    assert [each.file for each in pace.in_hand] == ["b.pdf"]


def test_time_to_go_is_unknown_at_first_and_then_changes_smoothly(clock: Clock) -> None:
    pace = Pace([("a.pdf", 100)], clock)
    pace.at(0, "pages", 1, 100)
    clock.now += 4
    assert pace.seconds_left() is None
    clock.now += 6
    pace.at(0, "pages", 100, 100)
    assert pace.seconds_left() == pytest.approx(10 * 0.65 / 0.35)
    clock.now += 2  # nothing was done meanwhile: the pace is slower, and tells by and by
    expected, slower = 10 * 0.65 / 0.35 - 2, 12 * 0.65 / 0.35
    assert pace.seconds_left() == pytest.approx(expected + (slower - expected) * 2 / 20)


def test_a_run_that_reads_nothing_has_nothing_left_to_tell(clock: Clock) -> None:
    pace = Pace([], clock)
    assert (pace.share, pace.in_hand, pace.seconds_left()) == (1.0, (), None)
