"""Both reports of a run, written into its folder."""

from __future__ import annotations

from pathlib import Path

from evals.report.html import page
from evals.report.markdown import text
from evals.results import Results
from tools.store.disk.home import replace_file

HTML = "report.html"
MARKDOWN = "report.md"


def write_reports(results: Results, folder: Path) -> None:
    """Replace both reports in `folder`, each as a whole. OSError."""
    replace_file(folder / HTML, page(results).encode("utf-8"))
    replace_file(folder / MARKDOWN, text(results).encode("utf-8"))
