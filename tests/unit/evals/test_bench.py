"""What the bench asks, and how it measures."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from evals import bench


def test_the_spread_of_times_is_the_median_and_the_95th_percentile() -> None:
    assert bench.spread([n / 100 for n in range(1, 101)]) == {"median": 0.505, "p95": 0.96, "max": 1.0}
    assert bench.spread([2.0]) == {"median": 2.0, "p95": 2.0, "max": 2.0}


def test_the_bench_asks_facts_and_abstractive_questions() -> None:
    asked = bench.questions()
    assert len(asked) > 100
    assert len(set(asked)) == len(asked)


def test_memory_is_summed_over_a_process_and_its_descendants_only(tmp_path: Path) -> None:
    for pid, parent, kib in ((10, 1, 100), (11, 10, 20), (12, 11, 3), (13, 1, 4000)):
        (tmp_path / str(pid)).mkdir()
        status = f"Name:\tx\nPPid:\t{parent}\nVmRSS:\t{kib} kB\n"
        (tmp_path / str(pid) / "status").write_text(status, encoding="utf-8")
    assert bench.tree_rss(10, tmp_path) == 123 * 1024


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc on this system")
def test_a_measured_command_reports_its_seconds_and_the_memory_of_its_child(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter((100.0, 107.5))
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    child = "import time; block = bytearray(60 * 2**20); time.sleep(0.6)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}], check=True)"
    figures = bench.measured([sys.executable, "-c", parent])
    assert figures["peak_mib"] > 60
    assert figures["seconds"] == 7.5


def test_a_failing_command_is_reported_with_what_it_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench.main(["--home", str(tmp_path / "none"), "--runs", "1"]) == 1
    assert "hybridrag index" in capsys.readouterr().err
