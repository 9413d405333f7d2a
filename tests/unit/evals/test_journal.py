"""The folder of a run while it is written."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agent.errors import UsageError
from evals.journal import Journal, RunWriteError
from evals.results import JOURNAL, RunConfig
from evals.rows import Row

CONFIG = RunConfig(
    dataset="invented",
    data_hash="d1",
    pipelines=("agent",),
    settings={"top_k": 8},
    indexes={"structure": "i1"},
    code="c1",
)


def row(number: int, pipeline: str = "agent", answer: str = "Revenue was 3.2 million USD [1].") -> Row:
    return Row(
        pipeline=pipeline, id=f"q{number}", question="What was revenue?", status="answered", answer=answer
    )


def begin(folder: Path, config: RunConfig = CONFIG) -> dict[tuple[str, str], Row]:
    with Journal(folder) as journal:
        journal.begin(config, "2024-05-01T10:00:00+00:00")
        return dict(journal.rows)


def write(folder: Path, *rows: Row) -> None:
    with Journal(folder) as journal:
        journal.begin(CONFIG, "2024-05-01T10:00:00+00:00")
        for each in rows:
            journal.add(each)


def test_rows_come_back_as_they_were_written(tmp_path: Path) -> None:
    write(tmp_path, row(1), row(2))
    assert begin(tmp_path) == {("agent", "q1"): row(1), ("agent", "q2"): row(2)}


def test_a_line_that_a_kill_cut_short_is_taken_out_and_the_next_row_is_whole(tmp_path: Path) -> None:
    write(tmp_path, row(1), row(2))
    path = tmp_path / JOURNAL
    path.write_bytes(path.read_bytes()[:-25])
    assert begin(tmp_path) == {("agent", "q1"): row(1)}
    write(tmp_path, row(3))
    assert begin(tmp_path) == {("agent", "q1"): row(1), ("agent", "q3"): row(3)}


def test_a_damaged_line_costs_its_own_row_alone(tmp_path: Path) -> None:
    write(tmp_path, row(1), row(2), row(3))
    lines = (tmp_path / JOURNAL).read_bytes().split(b"\n")
    lines[1] = b"\x00" * 40
    (tmp_path / JOURNAL).write_bytes(b"\n".join(lines))
    assert begin(tmp_path) == {("agent", "q1"): row(1), ("agent", "q3"): row(3)}


def test_a_row_asked_again_replaces_the_one_before(tmp_path: Path) -> None:
    write(tmp_path, row(1))
    write(tmp_path, row(1, answer="Revenue was 4 million USD [1]."))
    assert [each.answer for each in begin(tmp_path).values()] == ["Revenue was 4 million USD [1]."]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"seed": 3}, r"seed \(0, now 3\)"),
        ({"limit": 5}, r"limit \(none, now 5\)"),
        ({"data_hash": "d2"}, "the data set's content"),
        ({"code": "c2"}, "the program's code"),
        ({"settings": {"top_k": 4}}, r"HYBRIDRAG_TOP_K \(8, now 4\)"),
        ({"indexes": {"structure": "i2"}}, "the 'structure' index"),
    ],
)
def test_another_configuration_is_refused_and_named(
    tmp_path: Path, change: dict[str, object], told: str
) -> None:
    begin(tmp_path)
    with pytest.raises(UsageError, match=told):
        begin(tmp_path, CONFIG.model_copy(update=change))


def test_more_pipelines_may_join_a_run_and_those_before_stay(tmp_path: Path) -> None:
    begin(tmp_path)
    with Journal(tmp_path) as journal:
        begun = journal.begin(CONFIG.model_copy(update={"pipelines": ("graph",)}), "later")
    assert begun.config.pipelines == ("agent", "graph")
    assert begun.created == "2024-05-01T10:00:00+00:00"


def test_two_runs_do_not_write_one_folder(tmp_path: Path) -> None:
    with Journal(tmp_path), pytest.raises(UsageError, match="Another run writes"):
        Journal(tmp_path)
    Journal(tmp_path).close()


def test_a_configuration_of_another_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"format": 1, "colour": "blue"}', encoding="utf-8")
    with pytest.raises(UsageError, match="written by another version"):
        begin(tmp_path)


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """As on a full disk: a file can't grow beyond `size` bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_told_and_loses_no_finished_row(tmp_path: Path) -> None:
    written = 0
    refused = pytest.raises(RunWriteError, match=r"Cannot write to .* run the same command")
    with files_of_at_most(4000), refused, Journal(tmp_path) as journal:
        journal.begin(CONFIG, "now")
        for number in range(1000):
            journal.add(row(number))
            written += 1
    assert written > 3
    assert list(begin(tmp_path).values()) == [row(number) for number in range(written)]


def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("here", encoding="utf-8")
    with pytest.raises(RunWriteError, match="Cannot write to"):
        Journal(tmp_path / "out")
