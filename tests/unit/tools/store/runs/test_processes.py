"""tools.store.runs.index_run: how many processes read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.light_index import index_light
from tools.store.runs import index_run
from tools.store.runs.index_run import PROCESS_BYTES


@pytest.mark.parametrize(
    ("sizes", "processes"),
    [
        ((100, 100, 100), 1),
        ((PROCESS_BYTES - 200, 100), 1),
        ((PROCESS_BYTES, 1), 2),
        ((PROCESS_BYTES,) * 4, 3),
    ],
)
def test_small_documents_are_read_by_one_process_and_many_bytes_by_as_many_as_there_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sizes: Sequence[int], processes: int
) -> None:
    started = []

    def nothing_read(start: Any, tasks: Sequence[Any], workers: int, *more: Any) -> Iterator[Any]:
        started.append(workers)
        yield from ((position, {"failed": "not read", "seconds": 0.0}) for position in range(len(tasks)))

    monkeypatch.setattr(index_run, "run_tasks", nothing_read)
    folder = tmp_path / "in"
    folder.mkdir()
    for number, size in enumerate(sizes):
        (folder / f"{number}.txt").write_text(f"{number}" * size)
    report = index_light(tmp_path / "home", [folder], workers=3, process_bytes=PROCESS_BYTES)
    assert report.counts == {"failed": len(sizes)} and started == [processes]
