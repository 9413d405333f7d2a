"""The instrument tells right, wrong, unread and missing rows apart; its own data is whole."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from evals.filing_rows import Row, judge, read_rows
from tools.knowledge.types import Triplet
from tools.periods import Period

DATA = Path(__file__).parents[3] / "evals" / "data"
ROW = Row("a.pdf", 7, "Sales", "income", "Net sales", "", Decimal("71"), 6, "USD", date(2022, 12, 31), 12)
FACT = Triplet(
    id="1", head="Net sales", head_type="metric", relation="was", tail="71 million USD", tail_type="value",
    document_id="d", document="a.pdf", page=7, chunk_id="", company_key="A", company="A", doc_type="10-K",
    period=Period(date(2022, 12, 31), 12), quote="", value="71", unit="USD", scale=6,
)  # fmt: skip


@pytest.mark.parametrize(
    ("fact", "outcome"),
    [
        (FACT, "right"),
        (replace(FACT, period=Period(date(2023, 1, 1), 12)), "right"),
        (replace(FACT, scale=3), "wrong"),
        (replace(FACT, value="-71"), "wrong"),
        (replace(FACT, unit="EUR"), "wrong"),
        (replace(FACT, period=Period(date(2022, 12, 31), 0)), "wrong"),
        (replace(FACT, period=Period(date(2021, 12, 31), 12)), "wrong"),
        (replace(FACT, unit="?"), "unread"),
        (replace(FACT, period=Period()), "unread"),
        (replace(FACT, page=8), "missing"),
        (replace(FACT, head="Cost of sales"), "missing"),
        (replace(FACT, value="72"), "missing"),
    ],
)
def test_a_row_is_right_only_with_its_amount_unit_and_period(fact: Triplet, outcome: str) -> None:
    assert judge(ROW, [fact])[0] == outcome


def test_a_right_figure_counts_whatever_else_bears_its_name() -> None:
    assert judge(ROW, [replace(FACT, scale=3), FACT])[0] == "right"


@pytest.mark.parametrize("name, rows", [("tune", 40), ("notes", 30), ("held", 40), ("held_2", 40)])
def test_each_file_has_as_many_rows_of_each_of_five_filings(name: str, rows: int) -> None:
    counts = Counter(row.file for row in read_rows(DATA / f"filing_rows_{name}.jsonl"))
    assert sorted(counts.values()) == [rows] * 5


def test_no_filing_is_tuned_on_and_kept_aside() -> None:
    def filings(*names: str) -> set[str]:
        return {row.file for name in names for row in read_rows(DATA / f"filing_rows_{name}.jsonl")}

    assert not filings("tune", "notes") & filings("held", "held_2")
