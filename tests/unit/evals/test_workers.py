"""Questions side by side."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from agent.settings import Settings
from evals.datasets.types import Item
from evals.pipelines import Pipeline
from evals.rows import Row
from evals.workers import ProcessWorker, Worker, WorkerEndedError, WorkerStartError, ask_all

AGENT, GRAPH = Pipeline("agent"), Pipeline("graph")
ITEMS = [Item(id=f"q{n}", question="Why?") for n in range(6)]
TASKS = [(item, (AGENT, GRAPH)) for item in ITEMS]


class Scripted:
    """A worker that dies at the questions it is told to."""

    def __init__(self, dies_at: set[tuple[str, str]]) -> None:
        self.dies_at = dies_at
        self.ended = threading.Event()

    def ask(self, pipeline: Pipeline, item: Item) -> Row:
        if self.ended.is_set():
            raise AssertionError("a worker that has ended was asked")
        if (pipeline.name, item.id) in self.dies_at:
            raise WorkerEndedError("its process was ended by SIGKILL (out of memory?)")
        return Row(pipeline=pipeline.name, id=item.id, question=item.question, status="answered")

    def kill(self) -> None:
        self.ended.set()

    def end(self) -> None:
        self.ended.set()


def test_every_question_is_asked_of_every_pipeline_once() -> None:
    rows = [row for _, row in ask_all(TASKS, 3, lambda: Scripted(set()))]
    assert sorted((row.id, row.pipeline) for row in rows) == sorted(
        (item.id, p.name) for item, ps in TASKS for p in ps
    )


def test_a_worker_that_dies_fails_its_question_alone_and_is_replaced() -> None:
    made: list[Scripted] = []

    def make() -> Worker:
        made.append(Scripted({("graph", "q2")}))
        return made[-1]

    rows = {(row.pipeline, row.id): row for _, row in ask_all(TASKS, 1, make)}
    failed = [key for key, row in rows.items() if row.status == "failed"]
    assert failed == [("graph", "q2")]
    assert "SIGKILL" in rows[("graph", "q2")].error
    assert len(rows) == 12
    assert len(made) == 2
    assert all(worker.ended.is_set() for worker in made)


def test_workers_that_cannot_start_stop_the_run() -> None:
    def make() -> Worker:
        raise WorkerStartError("No process could be started to ask questions: no memory")

    with pytest.raises(WorkerStartError, match="no memory"):
        list(ask_all(TASKS, 2, make))


def test_closing_ends_all_workers() -> None:
    made: list[Scripted] = []

    def make() -> Worker:
        made.append(Scripted(set()))
        return made[-1]

    rows = ask_all(TASKS, 2, make)
    next(rows)
    rows.close()
    assert made
    assert all(worker.ended.wait(5) for worker in made)


def test_a_process_that_is_killed_says_so_and_leaves_nothing_behind(sample_home: Path) -> None:
    settings = Settings(_env_file=None, engine="local")
    worker = ProcessWorker(settings, {"structure": sample_home}, (GRAPH,))
    try:
        item = Item(
            id="s", question="What was Calderith's total revenue in the quarter ended March 30, 2024?"
        )
        row = worker.ask(GRAPH, item)
        assert row.status == "answered"
        assert row.scores["answer_rate"].value is None  # whether it can be answered is not known
        pid = worker.child.pid
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(WorkerEndedError, match="SIGKILL"):
            worker.ask(GRAPH, item)
    finally:
        worker.end()
    assert not worker.child.running


def test_a_process_that_cannot_open_its_index_fails_questions_rather_than_the_run(tmp_path: Path) -> None:
    worker = ProcessWorker(
        Settings(_env_file=None, engine="local"), {"structure": tmp_path / "none"}, (GRAPH,)
    )
    try:
        row = worker.ask(GRAPH, ITEMS[0])
    finally:
        worker.end()
    assert row.status == "failed"
    assert "No index at" in row.error
