"""What reading found, as a record and in words."""

from __future__ import annotations

from datetime import date

from rich.console import Console

from agent.display.document_report import detail_lines, reading_record
from agent.display.render import report_lines, report_record
from agent.display.terminal import details_view
from tools.documents.types import Document, ReadingCounts
from tools.store.disk.home import Entry
from tools.store.reading.report import FileOutcome, IndexReport

COUNTS = ReadingCounts(37, ("income", "cash_flow"), 1204, 12, {"figures without a unit": 5}, ("it is short",))
FILING = Document(
    *(
        "a" * 16,
        "a.pdf",
        "in/a.pdf",
        "A",
        "Orla Inc.",
        "ORL",
        "ORL",
        (),
        "10-Q",
        2023,
        3,
        date(2023, 7, 1),
        28,
    ),
    dropped={"running_header": 30},
    reading=COUNTS,
)
FLAGS = {"company": "Orla Inc.", "doc_type": "10-Q"}
ENTRY = Entry(
    *("a" * 16, "r", "", "/in/a.pdf", "in/a.pdf", "a.pdf", "ORL", "Orla Inc.", "10-Q", 28, 9, 9),
    flags='{"company":"Orla Inc.","doc_type":"10-Q","year":null}',
)
TOLD = (
    "10-Q, Orla Inc., Q3 2023, ended July 1, 2023, 28 pages; 37 tables (income statement, cash flows); "
    "1,204 facts, 12 without a period; it is short; left out: 5 figures without a unit, 30 lines of running header; "
    "flags: --company Orla Inc. --type 10-Q"
)


def report(*outcomes: FileOutcome) -> IndexReport:
    return IndexReport(outcomes, 1, "d", True, 1, 1, 0, 1, 1.0)


def test_a_document_is_told_of_on_one_line_with_its_warnings_below() -> None:
    told, warning = detail_lines(FILING, FLAGS)
    assert told == f"aaaaaaaa in/a.pdf: {TOLD}"
    assert warning.startswith("warning: in/a.pdf: no balance sheet was found in this 10-Q")


def test_a_run_tells_of_what_it_read_and_counts_what_it_did_not() -> None:
    read = FileOutcome("in/a.pdf", "indexed", "", ENTRY, FILING)
    kept = FileOutcome("in/b.pdf", "unchanged", "", ENTRY, FILING)
    lines = report_lines(report(read, kept))
    assert lines[0] == f"indexed: in/a.pdf: {TOLD}"
    assert lines[1].startswith("warning: in/a.pdf: no balance sheet")
    assert not [line for line in lines if "b.pdf" in line]
    first, second = report_record(report(read, kept))["files"]
    assert (first["file"], first["state"], second["state"]) == ("in/a.pdf", "indexed", "unchanged")
    assert {**first, "file": "", "state": ""} == {**second, "file": "", "state": ""}
    assert (first["tables"], first["statements"], first["facts"]) == (37, ["income", "cash_flow"], 1204)
    assert first["flags"] == {"company": "Orla Inc.", "type": "10-Q"}


def test_a_document_of_an_earlier_version_says_so() -> None:
    old = Document("b" * 16, "b.txt", "b.txt", "B", "Orla", "ORL", None, (), "other", None, None, None, 1)
    assert "read by an earlier version" in detail_lines(old, {})[0]
    assert reading_record(old, {})["tables"] is None


def test_details_fit_any_width_and_lose_nothing() -> None:
    for width in (60, 200):
        console = Console(width=width)
        with console.capture() as shown:
            console.print(details_view([(FILING, FLAGS)]))
        words = " ".join(shown.get().split())
        assert "1,204" in words and "warning: in/a.pdf" in words and "37" in words, words
