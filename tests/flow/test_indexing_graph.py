from __future__ import annotations

from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from evals.kills import write_documents
from graphs.indexing import build_indexing
from tests.vectors_here import vectors_in_this_process
from tools.store.disk.lock import WriterLock
from tools.store.runs.index_run import index_paths


def test_the_graph_does_what_indexing_does_step_by_step(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "in", 0)
    graph = build_indexing(tmp_path / "home")
    order = [
        name for update in graph.stream({"paths": [str(documents)]}, stream_mode="updates") for name in update
    ]
    assert order[:2] == ["plan", "read"]
    assert set(order[2:4]) == {"build_vectors", "build_knowledge"}
    assert order[4:] == ["publish"]
    again = graph.invoke({"paths": [str(documents)]})
    assert again["error"] == ""
    assert [file["state"] for file in again["files"]] == ["unchanged"] * 3
    with vectors_in_this_process():
        assert again["index"]["digest"] == index_paths(tmp_path / "other", [documents], workers=1).digest


def test_the_drawn_graph_splits_after_reading() -> None:
    drawn = build_indexing().get_graph()
    assert {(edge.source, edge.target) for edge in drawn.edges} == {
        ("__start__", "plan"),
        ("plan", "read"),
        ("plan", "__end__"),
        ("read", "build_vectors"),
        ("read", "build_knowledge"),
        ("read", "publish"),
        ("build_vectors", "publish"),
        ("build_knowledge", "publish"),
        ("publish", "__end__"),
    }


@pytest.mark.parametrize("paths", [[], None, "a string", [3], ["/nowhere/at/all"]])
def test_paths_that_cannot_be_read_become_a_message_and_free_the_home(tmp_path: Path, paths: object) -> None:
    found = build_indexing(tmp_path / "home").invoke({"paths": paths})  # type: ignore[typeddict-item]
    assert found["error"]
    assert found["files"] == []
    WriterLock.take(tmp_path / "home").release()


@pytest.mark.usefixtures("vectors_here")
def test_a_thread_forgets_the_error_of_its_last_run(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "in", 0)
    graph = build_indexing(tmp_path / "home")
    graph.checkpointer = InMemorySaver()
    thread = {"configurable": {"thread_id": "1"}}
    with WriterLock.take(tmp_path / "home"):
        refused = graph.invoke({"paths": [str(documents)]}, thread)
    assert "is being written by process" in refused["error"]
    done = graph.invoke({"paths": [str(documents)]}, thread)
    assert (done["error"], done["index"]["documents"]) == ("", 3)
    WriterLock.take(tmp_path / "home").release()
