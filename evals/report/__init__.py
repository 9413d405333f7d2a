"""report.html to look at, report.md for a pull request."""

from __future__ import annotations

from pathlib import Path

from evals.results import Results

HTML = "report.html"
MARKDOWN = "report.md"


def write_reports(results: Results, folder: Path) -> None:
    """Replace both reports in `folder`, each as a whole. OSError."""
    from evals.report.html import page  # they reach evals.compare, which prints values as the reports do
    from evals.report.markdown import text
    from tools.store.disk.home import replace_file

    replace_file(folder / HTML, page(results).encode("utf-8"))
    replace_file(folder / MARKDOWN, text(results).encode("utf-8"))
