"""Records written as JSON lines come back as they were, byte for byte and value for value."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest

from tools.documents import serial
from tools.documents.types import Chunk, Document, Page, Participant, ReadingCounts, Table, TableFact
from tools.periods import Period

DOCUMENT = Document(
    id="0" * 16,
    name="a.pdf",
    path="x/a.pdf",
    title="A",
    company="Aurora, Inc.",
    company_key="AUR",
    ticker="AUR",
    aliases=("Aurora", "AUR"),
    doc_type="10-Q",
    fiscal_year=2024,
    fiscal_quarter=2,
    period_end=date(2024, 3, 30),
    pages=3,
    sources={"ticker": "cover", "company": "cover"},
    dropped={"contents": 4},
    reading=ReadingCounts(2, ("income",), 9, 1, {"figures without a unit": 3}, ("it is short",)),
)
FACT = TableFact(
    "Net sales", ("Revenue",), Period(date(2024, 3, 30), 3, 2024, 2), "-1.5", "USD", 6, "(1.5)", 1, 0, 1
)
TABLE = Table("T", "income", "in millions", 1, 2, 9, "| a |", ("Net sales: 1",), (FACT, FACT))
CHUNK = Chunk("1" * 16, "0" * 16, "Text — “x”", "ctx\nText", (1, 2), "Part I", "prose", "Ann")


def test_a_document_of_an_earlier_version_comes_back_without_counts() -> None:
    line = json.loads(serial.dump_record(DOCUMENT))
    del line["reading"]
    assert serial.load_document(json.dumps(line).encode()) == replace(DOCUMENT, reading=None)


def test_every_record_comes_back_equal() -> None:
    assert serial.load_document(serial.dump_record(DOCUMENT)) == DOCUMENT
    assert serial.load_page(serial.dump_record(Page(1, "a", "b"))) == Page(1, "a", "b")
    named = Page(1, "a", named=(("dei:TradingSymbol", "AUR"),))
    assert serial.load_page(serial.dump_record(named)) == named
    assert serial.load_table(serial.dump_record(TABLE)) == TABLE
    assert serial.load_chunk(serial.dump_record(CHUNK)) == CHUNK
    person = Participant("Ann", "Analyst", "Bank", 1, True)
    assert serial.load_participant(serial.dump_record(person)) == person


def test_a_record_is_one_line_with_sorted_keys() -> None:
    line = serial.dump_record(DOCUMENT)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    keys = list(json.loads(line))
    assert keys == sorted(keys)
    assert list(json.loads(line)["sources"]) == ["company", "ticker"]


def test_a_line_that_is_no_record_is_refused() -> None:
    with pytest.raises(ValueError):
        serial.load_page(b"[1, 2]")
    with pytest.raises(TypeError):
        serial.load_page(b'{"number": 1}')
