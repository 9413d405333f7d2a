"""results.csv."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from evals.datasets.types import Item
from evals.rows import Row, Score
from evals.sheet import SHEET, inert, write_sheet


@pytest.mark.parametrize("text", ["=1+1", "+44", "-3", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_cell_that_a_spreadsheet_would_run_is_text(text: str) -> None:
    assert inert(text) == f"'{text}"


def test_other_text_stays_as_it_is() -> None:
    assert inert("Revenue = 3") == "Revenue = 3"
    assert inert("") == ""


def test_a_line_a_row_with_numbers_as_numbers_and_no_score_empty(tmp_path: Path) -> None:
    rows = [
        Row(
            pipeline="agent",
            id="-q1",
            question='=HYPERLINK("x")',
            status="answered",
            answer="line one\nline, two \ud800",
            seconds={"total": 0.5},
            scores={
                "change": Score(value=-0.25, reason=""),
                "context_recall": Score(value=None, reason="no gold"),
            },
        ),
        Row(pipeline="agent", id="q2", question="Why?", status="failed", error="OSError: gone"),
    ]
    write_sheet(tmp_path, [Item(id="-q1", question="x", kind="table")], rows)
    raw = (tmp_path / SHEET).read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    with (tmp_path / SHEET).open(encoding="utf-8-sig", newline="") as file:
        first, second = list(csv.DictReader(file))
    assert (first["id"], first["question"], first["kind"]) == ("'-q1", '\'=HYPERLINK("x")', "table")
    assert (first["change"], first["context_recall"], first["seconds"]) == ("-0.25", "", "0.5")
    assert first["answer"] == "line one\nline, two \\ud800"
    assert (second["status"], second["error"], second["change"]) == ("failed", "OSError: gone", "")
