"""What reading found and left out is counted once, and what is amiss has a name."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from tools.documents.read.reading_counts import count_reading, warnings_of
from tools.documents.types import Document, ReadingCounts, Table, TableFact
from tools.periods import Period

DAY = Period(date(2024, 3, 30), 3)
FILING = Document("a" * 16, "a.pdf", "a.pdf", "A", "Orla", "ORL", None, (), "10-Q", 2024, 2, DAY.end, 9)


def table(statement: str, *facts: TableFact) -> Table:
    return Table("T", statement, "", 1, 0, 1, "", (), facts)


def fact(metric: str = "Net sales", period: Period = DAY, unit: str = "USD") -> TableFact:
    return TableFact(metric, (), period, "1", unit, 6, "1", 1, 0, 0)


def test_tables_statements_facts_and_what_was_left_out_are_counted() -> None:
    tables = [
        table("balance", fact(), fact(period=Period())),
        table("income", fact(unit="?"), fact(metric="2024")),
        table("other", fact()),
    ]
    counts = count_reading(FILING, tables, {"tables without a unit": 3, "nothing of it": 0}).reading
    assert counts == ReadingCounts(
        tables=3,
        statements=("income", "balance"),
        facts=5,
        facts_without_period=1,
        skipped={"figures without a name": 1, "figures without a unit": 1, "tables without a unit": 3},
    )


@pytest.mark.parametrize(
    ("changes", "statements", "told"),
    [
        ({}, ("income", "balance"), ""),
        ({}, ("balance", "cash_flow"), "no income statement was found in this 10-Q"),
        ({"doc_type": "10-K"}, (), "no income statement and no balance sheet was found in this 10-K"),
        ({"doc_type": "call"}, (), ""),
        ({"doc_type": "other"}, (), ""),
    ],
)
def test_a_filing_without_its_statements_is_a_warning_with_a_hint(
    changes: dict[str, Any], statements: tuple[str, ...], told: str
) -> None:
    found = warnings_of(replace(FILING, reading=ReadingCounts(statements=statements), **changes))
    assert [line.partition(":")[0] for line in found] == ([told] if told else [])
    assert all("--type other" in line for line in found)


def test_a_document_of_an_earlier_version_is_not_warned_of() -> None:
    assert warnings_of(FILING) == ()


def test_a_document_without_a_table_has_a_word_unless_it_is_a_call() -> None:
    found = [count_reading(replace(FILING, doc_type=kind), []).reading for kind in ("10-Q", "other", "call")]
    assert [bool(each and each.notes) for each in found] == [True, True, False]


def test_a_document_in_another_language_and_what_its_file_hides_are_told() -> None:
    counts = count_reading(replace(FILING, language="de"), [], {"hidden sheets": 2}).reading
    assert counts is not None
    assert any("German" in note for note in counts.notes)
    assert counts.skipped == {"hidden sheets": 2}
