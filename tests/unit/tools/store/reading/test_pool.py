from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest

from tools.documents.read.child import Limits
from tools.store.disk import child_process
from tools.store.reading import pool
from tools.store.reading.pool import Answer, run_tasks


class Counter:
    """Refuses a task, answers questions of others."""

    def __init__(self, refused: int | None = None) -> None:
        self.refused = refused
        self.questions: list[tuple[int, dict[str, Any]]] = []

    def refusal(self, position: int) -> str:
        return "its endpoint is gone" if position == self.refused else ""

    def serve(self, position: int, question: dict[str, Any], answer: Answer) -> None:
        self.questions.append((position, question))
        answer({"leave": 0} if question.get("last") else {"said": position})


@pytest.fixture(autouse=True)
def small_worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The stand-in in place of the reading process."""

    class Small(child_process.ChildProcess):
        def __init__(self, module: str) -> None:
            assert module == "tools.store.reading.worker"
            super().__init__("tests.line_stand_in")

    monkeypatch.setattr(pool, "ChildProcess", Small)
    yield


def test_each_task_has_a_reply_at_its_position() -> None:
    tasks = [{"n": number} for number in range(5)]
    assert dict(run_tasks({}, tasks, 2)) == dict(enumerate(tasks))


def test_where_a_process_is_comes_before_its_reply() -> None:
    told: list[tuple[Any, ...]] = []
    where = [["pages", 1, 2], ["facts", 0, 0]]
    replies = run_tasks({}, [{"n": 0}, {"where": where}], 1, on_at=lambda *at: told.append(at))
    assert [position for position, _ in replies] == [0, 1]
    assert told == [(1, "pages", 1, 2), (1, "facts", 0, 0)]


def test_a_process_that_is_killed_fails_its_task_and_the_next_is_read_by_another() -> None:
    replies = dict(run_tasks({}, [{"n": 0}, {"kill": 9}, {"raise": "no rule"}, {"n": 3}], 1))
    assert replies[1]["failed"] == "the process that read it was ended by SIGKILL (out of memory?)."
    assert replies[2]["failed"] == "reading it failed unexpectedly: RuntimeError: no rule"
    assert (replies[0], replies[3]) == ({"n": 0}, {"n": 3})


@pytest.mark.skipif(sys.platform == "win32", reason="the system limits no processor time there")
def test_a_process_that_the_system_ends_for_its_time_says_so() -> None:
    limits = {"limits": asdict(Limits(seconds=7, seconds_per_page=0.5))}
    replies = dict(run_tasks(limits, [{"kill": int(signal.SIGXCPU)}, {"n": 1}], 1))
    assert "took longer than 7 s and 0.5 s a page of processor time" in replies[0]["failed"]
    assert replies[1] == {"n": 1}


def test_a_refused_task_is_not_begun() -> None:
    replies = dict(run_tasks({}, [{"kill": 9}, {"n": 1}], 1, Counter(refused=0)))
    assert replies[0] == {"incomplete": "its endpoint is gone", "seconds": 0.0}
    assert replies[1] == {"n": 1}


def test_a_question_is_answered_before_the_reply() -> None:
    server = Counter()
    replies = dict(run_tasks({}, [{"n": 0}, {"ask": 7}], 1, server))
    assert server.questions == [(1, {"ask": 7})]
    assert replies[1] == {"answer": 7, "said": 1}


def test_closing_the_generator_ends_a_process_that_would_never_reply(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[Any] = []
    real = pool.ReadingProcess.__init__

    def noted(self: Any, start: Any) -> None:
        real(self, start)
        started.append(self)

    monkeypatch.setattr(pool.ReadingProcess, "__init__", noted)
    running = run_tasks({}, [{"n": 0}, {"half": True}], 1)
    assert next(running) == (0, {"n": 0})
    running.close()
    assert [process._child.running for process in started] == [False]
