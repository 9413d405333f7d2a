"""Document, page, table and chunk: what reading a file yields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from tools.periods import Period

DocType = Literal["10-Q", "10-K", "8-K", "release", "annual", "call", "other"]
"""`release`: of earnings; `annual`: an annual report on no US form, or on Form 20-F or 40-F; `call`: its transcript."""
KINDS: Mapping[DocType, str] = {
    "release": "earnings release",
    "annual": "annual report",
    "call": "earnings call",
    "other": "document",
}
"""What readers call a type, where that is not the form's own name."""
REPORTS: frozenset[DocType] = frozenset({"10-Q", "10-K", "8-K", "release", "annual"})
"""What a company writes for its investors; it holds figures in tables."""
YEARLY: frozenset[DocType] = frozenset({"10-K", "annual"})
"""Types that report on a whole fiscal year."""
ChunkKind = Literal["prose", "table", "exchange"]


@dataclass(frozen=True, slots=True)
class ReadingCounts:
    """What reading a document found, and what it left out."""

    tables: int = 0
    statements: tuple[str, ...] = ()
    """Primary statements among them, by `Table.statement`."""
    facts: int = 0
    """Figures of tables."""
    facts_without_period: int = 0
    """Of these, kept and shown, and never used as an answer."""
    skipped: dict[str, int] = field(default_factory=dict)
    """What was left out of tables, or is no answer: the reason in words, plural -> count. Lines of noise are
    `Document.dropped`."""
    notes: tuple[str, ...] = ()
    """Whatever else a reader should know, each a clause in words."""


@dataclass(frozen=True, slots=True)
class Document:
    """One source file and what is known about it."""

    id: str
    """First 16 hex digits of the SHA-256 of the file's bytes."""
    name: str
    """File name, as shown in citations."""
    path: str
    """Path relative to the indexed folder, with forward slashes."""
    title: str
    company: str
    """Display name, e.g. 'Apple Inc.'; the title where the document is of no company that is known."""
    company_key: str
    """Ticker where one is known (upper case), else a slug of the name; the identity used by `Scope`."""
    ticker: str | None
    aliases: tuple[str, ...]
    """Other names by which the document calls its company, e.g. ('Apple', 'AAPL')."""
    doc_type: DocType
    fiscal_year: int | None
    fiscal_quarter: int | None
    """1 to 4; None for an annual report or when not known."""
    period_end: date | None
    pages: int
    sources: dict[str, str] = field(default_factory=dict)
    """Where each metadata field was read: 'flag', 'tags', 'cover', 'text', 'path'."""
    dropped: dict[str, int] = field(default_factory=dict)
    """Noise left out of the chunks, by kind (`contents`, `running_header`, `signatures`, ...), in lines."""
    reading: ReadingCounts | None = None
    """None: read by a version of the program that did not count."""
    language: str = ""
    """ISO 639-1 code of the language of its prose, e.g. 'de'; '' where there is too little prose to tell."""

    @property
    def is_of_company(self) -> bool:
        """Is its company known? Else `company` is its title, by which questions may name it."""
        named = self.ticker is not None or not self.sources.keys().isdisjoint(("company", "ticker"))
        return named or self.doc_type != "other" or self.company != self.title

    @property
    def period(self) -> Period:
        """The period the document reports on; its duration is not fixed."""
        return Period(self.period_end, None, self.fiscal_year, self.fiscal_quarter)


@dataclass(frozen=True, slots=True)
class Tag:
    """A figure that the filer itself has tagged (inline XBRL), with the meaning that the tag gives it."""

    line: int
    """0-based line of the page; -1 for a figure that is printed nowhere, which is listed with the first page."""
    start: int
    """Character range [start, end) of the printed figure in that line of `Page.layout` (of `Page.text` where there is
    no layout)."""
    end: int
    concept: str
    """Qualified name, e.g. 'us-gaap:Assets'."""
    period: Period
    value: str
    """Plain decimal, sign included, in units of `unit` x 10**`scale`."""
    unit: str
    scale: int
    printed: str
    dimensions: tuple[tuple[str, str], ...] = ()
    """(axis, member) by qualified name, e.g. ('us-gaap:StatementBusinessSegmentsAxis', 'aapl:AmericasSegmentMember');
    empty for a figure of the whole company."""


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """Where a column of a sheet stands on a page."""

    start: int
    """Character range [start, end) in the lines of `Page.layout`."""
    end: int
    name: str
    """'B'."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a file."""

    number: int
    """1-based."""
    text: str
    """Reading order, as plain text."""
    layout: str = ""
    """The same lines, one to one, with columns kept apart by spaces; empty where the page holds no table."""
    tags: tuple[Tag, ...] = ()
    """In the order of the page; of inline XBRL alone."""
    named: tuple[tuple[str, str], ...] = ()
    """(concept, text) of what the filer has tagged of itself ('dei:TradingSymbol', 'AAPL'), of the whole file and on
    its first page alone."""
    label: str = ""
    """How a citation calls the page, where its number would say little: "Sheet 'Revenue'"."""
    rows: tuple[int, ...] = ()
    """Of a sheet: the row by which the file knows each line, 0 for a line that is none."""
    columns: tuple[SheetColumn, ...] = ()
    """Of a sheet, from the left. A line's cell is what stands in its range; a line that runs past the first column with
    one cell alone is that cell."""
    title: str = ""
    """Of the file, as its properties give it; on the first page alone."""
    left_out: tuple[tuple[str, int], ...] = ()
    """(what, how often) of the file's parts that became no page; on the first page alone."""


@dataclass(frozen=True, slots=True)
class TableFact:
    """One figure of a table, with its meaning."""

    metric: str
    """Row label as printed, without footnote marks."""
    path: tuple[str, ...]
    """Row headings above it and column qualifiers other than the period, outermost first."""
    period: Period
    value: str
    """Plain decimal, sign included, in units of `unit` x 10**`scale`."""
    unit: str
    scale: int
    printed: str
    page: int
    row: int
    """0-based row within the table."""
    column: int
    concept: str = ""
    """Name of the tag's concept, where the filer tagged the figure: 'us-gaap:Assets'."""
    line: int = -1
    """0-based line of the page on which it is printed."""
    start: int = -1
    """Where its cell begins on that line of `Page.layout`."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table, parsed."""

    title: str
    statement: str
    """See `Fact.statement`."""
    note: str
    """The unit note, e.g. 'in millions, except per share amounts'."""
    page: int
    first_line: int
    """Index range [first_line, last_line) in the lines of the page's `layout`, for the chunker to cut it out."""
    last_line: int
    markdown: str
    """As shown to a reader: a header row of column periods, one row a line item."""
    lines: tuple[str, ...]
    """As embedded: one readable line a row, 'Net sales, three months ended July 1, 2023: 81,797 million USD; ...'."""
    facts: tuple[TableFact, ...]
    caption: str = ""
    """The sentence that introduces it below its title, if there is one."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document, the unit of vector retrieval."""

    id: str
    """First 16 hex digits of a SHA-256 over document id, pages, kind and text."""
    document_id: str
    text: str
    """As shown and quoted."""
    embed_text: str
    """As embedded and keyword-indexed: a context line (company, period, section) and the text or a table's lines."""
    pages: tuple[int, ...]
    section: str
    kind: ChunkKind
    speaker: str = ""
    """Of a call: who speaks (the asker, in an exchange)."""


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """All that reading one file yields; immutable, the truth everything else is derived from."""

    document: Document
    pages: tuple[Page, ...]
    tables: tuple[Table, ...]
    chunks: tuple[Chunk, ...]
    participants: tuple[Participant, ...] = ()


@dataclass(frozen=True, slots=True)
class Participant:
    """A person on a call, as its participant list gives them."""

    name: str
    role: str
    firm: str
    """The analyst's firm, or the company itself for its executives."""
    page: int
    is_analyst: bool
