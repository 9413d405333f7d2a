"""hybridrag eval run: what it leaves behind, going on after a stop, and what it refuses."""

from __future__ import annotations

import csv
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.journal import Journal
from evals.results import Results
from evals.rows import Row
from tests.conftest import Command, Ran

PIPELINES = "agent,graph"
Run = Callable[..., Ran]


@pytest.fixture
def run(hybridrag: Command, sample_home: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A short run over the sample index, written to 'out', without the cross-encoder, which takes most of the time."""
    monkeypatch.setenv("HYBRIDRAG_ENGINE", "local")
    monkeypatch.setenv("HYBRIDRAG_RERANK", "off")

    def go(*words: str | Path, out: str = "out") -> Ran:
        usual = ("--pipelines", PIPELINES, "--limit", "4", "--workers", "1")
        return hybridrag(
            *("eval", "run", "--dataset", "sample", "--home", sample_home, "--out", out, *usual, *words)
        )

    return go


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs that have ended, by their pipelines."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture
def finished(run: Run, runs: Path) -> Callable[..., None]:
    """Puts a run that has ended into a folder; the tests of this file share one of each kind."""

    def put(pipelines: str, out: str = "out") -> None:
        if not (runs / pipelines / "results.json").exists():
            assert run("--pipelines", pipelines, out=str(runs / pipelines)).code == 0
        shutil.copytree(runs / pipelines, out)

    return put


def timeless(row: Row) -> dict[str, Any]:
    """A row without what a clock decides."""
    scores = {name: score.value for name, score in row.scores.items() if name != "seconds"}
    return {**row.model_dump(exclude={"seconds", "scores"}), "scores": scores}


@pytest.mark.usefixtures("cold")
def test_a_run_leaves_rows_results_a_sheet_and_reports(run: Run) -> None:
    ran = run()
    assert ran.code == 0, ran.err
    results = Results.load(Path("out"))
    assert results.pipelines == ("agent", "graph")
    assert len(results.items) == 4
    assert [row.id for row in results.rows_of("agent")] == [item.id for item in results.items]
    assert results.summaries["agent"]["seconds"].scored == 4
    assert results.versions["langgraph"]
    assert results.config.settings["engine"] == "local"
    assert "context precision" in ran.out.lower()
    with Path("out/results.csv").open(encoding="utf-8-sig", newline="") as file:
        assert len(list(csv.DictReader(file))) == 8
    assert Path("out/report.html").stat().st_size > 1000
    assert Path("out/report.md").stat().st_size > 100


@pytest.mark.usefixtures("asked_here")
def test_json_prints_one_object_and_nothing_else(run: Run) -> None:
    [record] = run("--json", "--pipelines", "graph").objects
    assert record["questions"] == 4
    assert record["failed"] == {"graph": 0}
    assert set(record["summaries"]) == {"graph"}


@pytest.mark.usefixtures("asked_here")
def test_a_run_that_is_complete_is_reported_again_without_asking(
    run: Run, finished: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    finished("graph")
    before = Results.load(Path("out"))
    Path("out/report.html").unlink()

    def never(*args: object) -> None:
        raise AssertionError("asked again")

    monkeypatch.setattr("evals.run.ask_all", never)
    assert run("--pipelines", "graph").code == 0
    assert Results.load(Path("out")) == before
    assert Path("out/report.html").exists()


@pytest.mark.usefixtures("asked_here")
def test_more_pipelines_are_asked_without_asking_the_first_again(
    run: Run, finished: Callable[..., None]
) -> None:
    finished("graph")
    journal = Path("out/rows.jsonl").read_bytes()
    assert run("--pipelines", "vector").code == 0
    assert Path("out/rows.jsonl").read_bytes().startswith(journal)
    assert Results.load(Path("out")).pipelines == ("graph", "vector")


@pytest.mark.usefixtures("asked_here")
def test_a_run_cut_short_ends_with_the_rows_of_an_undisturbed_one(
    run: Run, finished: Callable[..., None]
) -> None:
    finished(PIPELINES, "whole")
    finished(PIPELINES, "cut")
    path = Path("cut/rows.jsonl")
    kept = path.read_bytes().splitlines(keepends=True)[:3]
    path.write_bytes(b"".join(kept) + b'{"pipeline": "gra')
    Path("cut/results.json").unlink()
    ran = run(out="cut")
    assert "3 rows are there already" in ran.err
    assert path.read_bytes().startswith(b"".join(kept))
    whole, cut = Results.load(Path("whole")), Results.load(Path("cut"))
    assert list(map(timeless, cut.rows)) == list(map(timeless, whole.rows))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_stopped_goes_on(run: Run, sample_home: Path, how: signal.Signals) -> None:
    words = ("--dataset", "sample", "--home", str(sample_home), "--out", "out", "--pipelines", PIPELINES)
    process = subprocess.Popen(
        [sys.executable, "-m", "agent.cli.main", "eval", "run", *words, "--limit", "9", "--workers", "1"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a suite in the background ignores SIGINT, and its children would, too
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    journal = Path("out/rows.jsonl")
    until = time.monotonic() + 200
    while not (journal.exists() and journal.read_bytes().count(b"\n") >= 2):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)
    process.send_signal(how)
    _, err = process.communicate(timeout=60)
    assert process.returncode == (130 if how is signal.SIGINT else -signal.SIGKILL)
    assert how is signal.SIGKILL or "run the command again to go on" in err
    assert "Traceback" not in err
    whole_lines = [line for line in journal.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    assert not Path("out/results.json").exists()
    assert run("--limit", "9").code == 0
    assert journal.read_bytes().startswith(b"".join(whole_lines))
    assert len(Results.load(Path("out")).rows) == 18


@pytest.mark.usefixtures("asked_here")
def test_another_configuration_is_refused_and_fresh_replaces_it(
    run: Run, finished: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    finished("graph")
    refused = run("--pipelines", "graph", "--limit", "3")
    assert refused.code == 2
    assert "limit (4, now 3)" in refused.err
    assert "--fresh" in refused.err
    monkeypatch.setenv("HYBRIDRAG_TOP_K", "3")
    assert "HYBRIDRAG_TOP_K (8, now 3)" in run("--pipelines", "graph").err
    assert run("--pipelines", "graph", "--limit", "3", "--fresh").code == 0
    assert len(Results.load(Path("out")).rows) == 3


def test_a_folder_in_which_another_run_writes_is_refused(run: Run) -> None:
    with Journal(Path("out")):
        refused = run()
    assert refused.code == 2
    assert "Another run writes to 'out'" in refused.err


def test_a_folder_that_cannot_be_written_is_our_failure_told_plainly(run: Run) -> None:
    Path("out").write_text("a file", encoding="utf-8")
    ran = run()
    assert ran.code == 1
    assert "Cannot write to 'out'" in ran.err


def test_a_full_disk_is_told_and_the_run_goes_on_when_there_is_room(run: Run) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (12_000, hard))  # no file grows beyond, as on a full disk
    try:
        ran = run("--pipelines", "graph", "--limit", "8")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert ran.code == 1
    assert "Cannot write to 'out'" in ran.err
    assert not Path("out/results.json").exists()
    kept = Path("out/rows.jsonl").read_bytes().splitlines(keepends=True)
    whole = b"".join(line for line in kept if line.endswith(b"\n"))
    assert whole
    assert run("--pipelines", "graph", "--limit", "8").code == 0
    assert Path("out/rows.jsonl").read_bytes().startswith(whole)
    assert len(Results.load(Path("out")).rows) == 8


def test_an_index_that_lacks_documents_of_the_set_is_refused(
    run: Run, hybridrag: Command, home_copy: Callable[[str], Path]
) -> None:
    home = home_copy("less")
    assert hybridrag("remove", "10Q-Q3-2024.pdf", "--home", home).code == 0
    refused = run("--home", home)
    assert refused.code == 2
    assert "1 of 4 documents of 'sample' are not in the index" in refused.err
    assert "10Q-Q3-2024.pdf" in refused.err


@pytest.mark.usefixtures("asked_here", "vectors_here")
def test_an_index_of_its_own_is_built_once_for_the_runs_beside_each_other(
    hybridrag: Command, tmp_path: Path, samples: Path
) -> None:
    data = tmp_path / "mine"
    (data / "docs").mkdir(parents=True)
    text = "Brindle Works, Inc. reported revenue of $41.5 million for the quarter ended June 30, 2024.\n"
    (data / "docs" / "brindle.txt").write_text(text * 3, encoding="utf-8")
    line = {"id": "b1", "question": "What revenue did Brindle Works report?", "gold": [text.strip()]}
    (data / "questions.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    words = ("eval", "run", "--dataset", "jsonl", "--path", data, "--workers", "1")
    first = hybridrag(*words, "--out", "runs/a", "--pipelines", "vector@paper,vector")
    assert first.code == 0, first.err
    results = Results.load(Path("runs/a"))
    assert set(results.config.indexes) == {"structure", "recursive"}
    homes = {path.name.rsplit("-", 1)[1] for path in Path("runs/.index").iterdir()}
    assert homes == {"structure", "recursive"}
    assert results.summaries["vector@paper"]["context_recall"].mean == 1.0
    second = hybridrag(*words, "--out", "runs/b", "--pipelines", "vector")
    assert "indexed:" not in second.err
    assert Results.load(Path("runs/b")).config.indexes["structure"] == results.config.indexes["structure"]


@pytest.mark.usefixtures("asked_here")
def test_a_question_that_fails_is_a_row_that_counts_against_its_pipeline(
    hybridrag: Command, sample_home: Path, samples: Path, tmp_path: Path
) -> None:
    data = tmp_path / "mine"
    data.mkdir()
    (data / "docs").symlink_to(samples, target_is_directory=True)
    items = [
        {"id": "good", "question": "What was Calderith's revenue?", "company": "CDTH", "answerable": True},
        {
            "id": "bad",
            "question": "What was Nemoria's revenue?",
            "company": "Nemoria Glass",
            "answerable": True,
        },
    ]
    (data / "questions.jsonl").write_text("\n".join(map(json.dumps, items)), encoding="utf-8")
    words = ("eval", "run", "--dataset", "jsonl", "--path", data, "--home", sample_home, "--workers", "1")
    ran = hybridrag(*words, "--out", "out", "--pipelines", "graph")
    assert ran.code == 0, ran.err
    results = Results.load(Path("out"))
    failed = [row for row in results.rows if row.status == "failed"]
    assert [row.id for row in failed] == ["bad"]
    assert "UnknownCompanyError" in failed[0].error
    assert "Nemoria Glass" in failed[0].error
    assert results.summaries["graph"]["answer_rate"].scored == 2
    assert failed[0].scores["answer_rate"].value == 0
    assert "1 of 2 questions failed" in ran.err
    again = hybridrag(*words, "--out", "out", "--pipelines", "graph", "--retry-failed")
    assert again.code == 0
    assert Path("out/rows.jsonl").read_bytes().count(b"\n") == 3
    assert len(Results.load(Path("out")).rows) == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--dataset", "nonesuch"), "nonesuch"),
        (("--dataset", "sec-10q", "--path", "nowhere"), "nowhere"),
        (("--pipelines", "agent,oracle"), "'oracle' is not a pipeline"),
        (("--pipelines", "agent,agent"), "named twice"),
        (("--pipelines", ","), "Name at least one pipeline"),
    ],
)
def test_what_cannot_be_run_is_refused_before_anything_is_written(
    hybridrag: Command, words: tuple[str, ...], told: str
) -> None:
    usual = ("--dataset", "sample") if "--dataset" not in words else ()
    refused = hybridrag("eval", "run", "--out", "out", *usual, *words)
    assert refused.code == 2
    assert told in refused.err
    assert not Path("out").exists()


@pytest.mark.parametrize("words", [("report", "out"), ("compare", "out", "out")])
def test_results_that_cannot_be_read_are_refused(hybridrag: Command, words: tuple[str, ...]) -> None:
    assert "No results at 'out'" in hybridrag("eval", *words).err
    Path("out").mkdir()
    Path("out/rows.jsonl").touch()
    assert "has not ended" in hybridrag("eval", *words).err
    for text, told in (
        ('{"format": 99}', "format 99"),
        ("[]", "not a file of results"),
        ('{"format": 1, "cr', "not whole"),
        ('{"format": 1}', "written by another version"),
    ):
        Path("out/results.json").write_text(text, encoding="utf-8")
        refused = hybridrag("eval", *words)
        assert refused.code == 2
        assert told in refused.err


@pytest.mark.usefixtures("asked_here")
def test_report_and_compare_read_what_a_run_left(finished: Callable[..., None], hybridrag: Command) -> None:
    finished("graph", "a")
    finished("graph", "b")
    Path("a/report.md").unlink()
    assert hybridrag("eval", "report", "a").code == 0
    assert Path("a/report.md").exists()
    compared = hybridrag("eval", "compare", "a", "b", "--json")
    assert compared.code == 0, compared.err
    assert len(compared.objects) == 1
