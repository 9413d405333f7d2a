"""Text files: plain, Markdown and comma-separated."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from tools.documents import errors
from tools.documents.read.child import Limits, over
from tools.documents.read.grid_page import GridCell
from tools.documents.read.layout import holds_table
from tools.documents.read.sheet_pages import sheet_pages
from tools.documents.text.cleaning import clean, squeeze
from tools.documents.types import Page

MARKDOWN_SUFFIXES = frozenset({".md", ".markdown"})
TEXT_SUFFIXES = frozenset({".txt", ".csv"}) | MARKDOWN_SUFFIXES
PAGE_CHARACTERS = 3_000
MAX_TEXT_PAGE = 20_000
"""Characters of a text file's page, which no printed page has: what reads a page may cost the square of its lines."""
_DELIMITERS = ",;\t|"
_LINK = re.compile(r"!?\[([^\[\]\n]{0,500})\]\([^()\s]{0,2000}(?:\s\"[^\"\n]{0,200}\")?\)")
_REFERENCE = re.compile(r"!?\[([^\[\]\n]{1,500})\]\[[^\[\]\n]{0,100}\]")
_EMPHASIS = re.compile(r"(?<![\w*_])(\*{1,3}|_{1,3})(?=\S)([^*_\n]{1,1000})(?<=\S)\1(?![\w*_])")
_COMMENT = re.compile(r"<!--.{0,20000}?-->", re.DOTALL)
_TABLE = re.compile(r"<table\b.{0,200000}?</table\s*>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:br|b|i|em|strong|sup|sub|p|div|span|a|img|hr|u|small|center)\b[^<>\n]{0,500}>", re.I
)


def read_text(path: Path, limits: Limits) -> tuple[Page, ...]:
    """The pages of a file of `TEXT_SUFFIXES`. They end at form feeds or, where there is none, at the first paragraph
    end after about 3,000 characters, and at a line's end where they would be longer than any printed page; those of a
    .csv file as a sheet's do.

    Raises NotTextError for what is not UTF-8, OverLimitError for more text than `limits` allow.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise errors.NotTextError(
            path.name, f"it is not UTF-8 text (byte {error.start}).", "Convert it to UTF-8."
        ) from error
    if "\0" in text:
        raise errors.NotTextError(path.name, "it holds NUL bytes, so it is not text.", "Leave it out.")
    if len(text) > limits.characters:
        raise over(path.name, "amount of text", f"{len(text):,} characters", f"{limits.characters:,}")
    if path.suffix.lower() == ".csv":
        return _csv_pages(path.name, text)
    if path.suffix.lower() in MARKDOWN_SUFFIXES:
        text = markdown_text(text)
    pages = [part for page in _text_pages(text) for part in _short_pages(clean(page))]
    return tuple(
        Page(number, page, page if holds_table(page) else "") for number, page in enumerate(pages, 1)
    )


def markdown_text(text: str) -> str:
    """Markdown as it reads: no emphasis, links and pictures as their words, HTML tables as pipe tables. Headings and
    pipe tables stay: both are read further on."""
    text = _TABLE.sub(lambda match: _pipes(match[0]), _COMMENT.sub("", text))
    text = _TAG.sub(" ", _REFERENCE.sub(r"\1", _LINK.sub(r"\1", text)))
    for _ in range(2):
        text = _EMPHASIS.sub(r"\2", text)
    return text


class _TableParser(HTMLParser):
    """Rows of a table without tables in its cells."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[str]] = []
        self._open = False
        self._span = 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a row or a cell."""
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            span = dict(attrs).get("colspan") or "1"
            self._span = min(int(span), 50) if span.isdecimal() else 1
            self.rows = self.rows or [[]]
            self.rows[-1].append("")
            self._open = True
        elif tag == "br":
            self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        """End a cell; one that covers several columns stands over each."""
        if tag in ("td", "th") and self._open:
            self._open = False
            self.rows[-1] += [self.rows[-1][-1]] * (self._span - 1)

    def handle_data(self, data: str) -> None:
        """Words of a cell."""
        if self._open:
            self.rows[-1][-1] += data


def _pipes(table: str) -> str:
    parser = _TableParser()
    parser.feed(table)
    cells = [[squeeze(cell).replace("|", "/") for cell in row] for row in parser.rows if row]
    return "\n".join(["", *(f"| {' | '.join(row)} |" for row in cells), ""])


def _csv_pages(name: str, text: str) -> tuple[Page, ...]:
    try:
        dialect: type[csv.Dialect] = csv.Sniffer().sniff(text[:10_000], _DELIMITERS)
    except csv.Error:
        dialect = csv.excel
    try:
        rows = [
            (number, [GridCell(squeeze(clean(cell)), column) for column, cell in enumerate(row)])
            for number, row in enumerate(csv.reader(text.splitlines(), dialect), 1)
        ]
    except csv.Error as error:
        raise errors.NotTextError(
            name, f"it is no table of separated values ({error}).", "Leave it out."
        ) from error
    return tuple(sheet_pages(rows, ""))


def _text_pages(text: str) -> list[str]:
    if "\f" in text:
        return text.split("\f")
    pages, start = [], 0
    for match in re.finditer(r"\n[ \t]*\r?\n", text):
        if match.end() - start >= PAGE_CHARACTERS:
            pages.append(text[start : match.end()])
            start = match.end()
    if text[start:].strip() or not pages:
        pages.append(text[start:])
    return pages


def _short_pages(page: str) -> Iterator[str]:
    """The cleaned page cut at ends of lines into parts of at most about `MAX_TEXT_PAGE` characters."""
    start = end = 0
    for line in page.split("\n") if len(page) > MAX_TEXT_PAGE else ():
        if end - start + len(line) > MAX_TEXT_PAGE and end > start:
            yield page[start:end]
            start = end
        end += len(line) + 1
    yield page[start:]
