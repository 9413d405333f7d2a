"""report.md, as a pull request shows it; both files are written together."""

from __future__ import annotations

from pathlib import Path

from evals.report.markdown import text
from evals.report.report_files import write_reports
from tests.eval_runs import item, results, row


def test_the_tables_hold_the_summaries_numbers() -> None:
    values = {"hybrid": 0.25, "agent": 0.75}
    rows = [row(name, n, {"context_recall": value}) for name, value in values.items() for n in (1, 2)]
    made = text(results(rows))
    assert (
        "| Context recall | 0.250 (0.250\u20130.250)<br><sub>2 scored</sub> | **0.750** (0.750\u20130.750)"
        in made
    )
    assert "+0.500 on hybrid (+0.500 to +0.500); better on 2 questions" in made


def test_the_ten_worst_of_the_agent_are_listed_failures_first() -> None:
    rows = [row("agent", n, {"context_precision": n / 20}) for n in range(1, 16)]
    rows[12] = row(
        "agent", 13, {"context_precision": 0.0}, status="failed", error="ModelTimeout: gone", answer=""
    )
    made = text(results(rows))
    listed = [line for line in made.splitlines() if line.startswith("- **0") and "`q" in line]
    assert [line.split("`")[1] for line in listed] == ["q13", *(f"q{n}" for n in range(1, 10))]
    assert "failed: ModelTimeout: gone" in made


def test_text_of_documents_makes_no_mark_up_link_or_mention() -> None:
    bad = "<img src=x> | [go](http://example.org) @someone **bold**\n# Title"
    made = text(
        results([row("agent", 1, {"context_recall": 0.0}, answer=bad)], [item(1, question=bad)], notes=(bad,))
    )
    assert "<img" not in made and "http://" not in made and "@someone" not in made and "\n# Title" not in made
    assert r"\[go\](" in made


def test_every_row_of_a_table_has_its_heads_columns() -> None:
    rows = [row(name, n, {"context_recall": 0.5}) for name in ("vector|x", "agent") for n in (1, 2)]
    tables = [line for line in text(results(rows)).splitlines() if line.startswith("|")]
    assert tables and {line.replace("\\|", "").count("|") for line in tables} == {4}


def test_no_rows_and_failed_rows_are_told() -> None:
    assert "nothing to compare" in text(results([], []))
    assert "| failed | 1 |" in text(
        results([row("agent", status="failed", error="E: x", answer="", contexts=())])
    )


def test_both_files_are_written_and_replaced(tmp_path: Path) -> None:
    made = results([row("agent", scores={"context_recall": 0.5})])
    (tmp_path / "report.html").write_text("old", encoding="utf-8")
    write_reports(made, tmp_path)
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert (tmp_path / "report.md").read_text(encoding="utf-8") == text(made)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "report.md"]
