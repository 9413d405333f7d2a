"""report.html in a browser: its script runs under its own policy, and documents stay data."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from evals.report.report_files import write_reports
from tests.eval_runs import context, item, results, row

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))),
    None,
)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium to open the report with")


def test_questions_are_listed_charts_drawn_and_hostile_text_is_shown_as_text(tmp_path: Path) -> None:
    bad = "</script><img src=x onerror=\"document.title='taken'\"> what rose?"
    rows = [
        row(name, scores={"context_recall": 0.5}, answer=bad, contexts=(context(bad),))
        for name in ("hybrid", "agent")
    ]
    write_reports(results(rows, [item(question=bad)]), tmp_path)
    assert BROWSER is not None
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    options += ["--window-size=1280,9000", "--virtual-time-budget=8000", "--dump-dom"]
    told = subprocess.run(
        [BROWSER, *options, (tmp_path / "report.html").as_uri()],
        capture_output=True,
        timeout=120,
        check=True,
    ).stdout.decode("utf-8")
    assert "1 of 1 questions" in told
    assert 'class="q text">&lt;/script&gt;&lt;img src=x' in told
    assert "<img" not in told and "<title>taken" not in told
    assert 'class="main-svg"' in told
