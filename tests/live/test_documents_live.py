"""All real filings and calls are read: names, dates, fiscal positions, chunks."""

from __future__ import annotations

from collections import Counter
from datetime import date
from functools import lru_cache
from pathlib import Path

import pytest

from tools.documents.read.parse import find_documents, parse_document
from tools.documents.types import ParsedDocument

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
FILINGS = DATA / "sec-10q" / "docs"
CALLS = DATA / "earnings-calls" / "docs"
pytestmark = pytest.mark.skipif(not FILINGS.is_dir(), reason="../shared/data with real documents is missing")

# From cover page and balance sheet of each filing, read by eye: company, period end, fiscal year and quarter.
COVERS = {
    "2022 Q3 AAPL.pdf": ("Apple Inc.", date(2022, 6, 25), 2022, 3),
    "2023 Q1 AAPL.pdf": ("Apple Inc.", date(2022, 12, 31), 2023, 1),
    "2023 Q3 AMZN.pdf": ("Amazon.com, Inc.", date(2023, 9, 30), 2023, 3),
    "2022 Q3 INTC.pdf": ("Intel Corporation", date(2022, 10, 1), 2022, 3),
    "2023 Q1 MSFT.pdf": ("Microsoft Corporation", date(2022, 12, 31), 2023, 2),
    "2023 Q3 NVDA.pdf": ("NVIDIA Corporation", date(2023, 10, 29), 2024, 3),
}
SHORT_FILING = "2023 Q3 AAPL.pdf"


@lru_cache(maxsize=16)
def parse(path: Path, root: Path) -> ParsedDocument:
    return parse_document(path, root)


@pytest.mark.parametrize("name", sorted(COVERS))
def test_a_filing_is_what_its_cover_says(name: str) -> None:
    document = parse(FILINGS / name, FILINGS).document
    company, end, year, quarter = COVERS[name]
    assert (document.company, document.period_end) == (company, end)
    assert (document.fiscal_year, document.fiscal_quarter) == (year, quarter)
    assert document.ticker == document.company_key == name.split()[-1].removesuffix(".pdf")
    assert (document.doc_type, document.sources["period_end"]) == ("10-Q", "cover")


@pytest.mark.parametrize("name", sorted(COVERS))
def test_a_filings_chunks_are_whole_and_in_order(name: str) -> None:
    parsed = parse(FILINGS / name, FILINGS)
    assert all(len(c.text) <= 1_200 for c in parsed.chunks if c.kind == "prose")
    assert len({c.id for c in parsed.chunks}) == len(parsed.chunks)
    firsts = [c.pages[0] for c in parsed.chunks]
    assert firsts == sorted(firsts)
    assert all(c.embed_text.startswith(parsed.document.company) for c in parsed.chunks)
    assert {"contents", "cover", "exhibits", "signatures", "running_header"} <= set(parsed.document.dropped)
    kinds = Counter(c.kind for c in parsed.chunks)
    assert kinds["table"] >= 20
    assert kinds["prose"] >= 50


def test_every_table_found_is_in_a_chunk_once() -> None:
    parsed = parse(FILINGS / SHORT_FILING, FILINGS)
    shown = "\n".join(c.text for c in parsed.chunks if c.kind == "table")
    for table in parsed.tables:
        assert shown.count(table.markdown.split("\n", 2)[2]) == 1, table.title


def test_the_words_of_a_filing_are_in_its_chunks_unless_dropped_as_noise() -> None:
    parsed = parse(FILINGS / SHORT_FILING, FILINGS)
    words = Counter(w for page in parsed.pages[3:24] for w in page.text.split() if w.isalpha() and len(w) > 3)
    kept = Counter(w for c in parsed.chunks for w in f"{c.text} {c.section}".replace("|", " ").split())
    missing = sum((words - kept).values())
    assert missing / sum(words.values()) < 0.05


def test_sections_of_a_filing_are_parts_and_items() -> None:
    sections = {c.section.split(" > ")[0] for c in parse(FILINGS / SHORT_FILING, FILINGS).chunks}
    assert {
        "Part I, Item 1 - Financial Statements",
        "Part I, Item 2 - MD&A",
        "Part I, Item 4 - Controls and Procedures",
        "Part II, Item 1A - Risk Factors",
    } <= sections


def test_calls_are_read_with_names_participants_and_exchanges() -> None:
    files, skipped = find_documents([CALLS])
    assert (len(files), skipped) == (50, [])
    nameless = []
    for path, root in files[::4]:
        parsed = parse_document(path, root)
        document = parsed.document
        ticker = path.parts[-4]
        assert (document.doc_type, document.ticker, document.company_key) == ("call", ticker, ticker)
        assert (document.fiscal_year, document.fiscal_quarter) == (2021, 2)
        assert sum(p.is_analyst for p in parsed.participants) >= 3
        assert sum(not p.is_analyst for p in parsed.participants) >= 2
        exchanges = [c for c in parsed.chunks if c.kind == "exchange"]
        assert {c.speaker for c in exchanges} <= {p.name for p in parsed.participants}
        assert len({c.speaker for c in exchanges}) >= 3
        assert all(len(c.text) <= 3_000 for c in exchanges)
        nameless += [ticker] if document.company == ticker else []
    assert set(nameless) <= {"FIS"}  # which calls itself by its ticker


def test_fiscal_labels_of_calls_never_become_dates() -> None:
    """A call states its quarter's end in words or has none: AAR's fiscal Q2 2021 ended in 2020."""
    calls = {ticker: CALLS / ticker / "2021" / "ECT" / "ECT-Q2-2021.pdf" for ticker in ("AIR", "NX")}
    ends = {ticker: parse(path, CALLS).document.period_end for ticker, path in calls.items()}
    assert ends == {"AIR": None, "NX": date(2021, 4, 30)}
