"""A web page as printed pages: blocks and tables from its elements, figures with the tags of inline XBRL.

What is not shown (scripts, hidden elements, the header of inline XBRL) gives no text. Nothing outside the file is
read: no style sheet, no entity, no DTD.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html.entities import html5
from typing import Any

from lxml import etree

from tools.documents.read.html_source import parse
from tools.documents.read.html_style import style_of
from tools.documents.read.html_tables import Cell, PrintedLine, Words, print_table
from tools.documents.read.text_files import MAX_TEXT_PAGE, PAGE_CHARACTERS
from tools.documents.read.xbrl import Contexts, attribute, read_contexts, read_value, tag_name
from tools.documents.text.cleaning import clean
from tools.documents.types import Page, Tag

_BLOCKS = re.compile(
    r"address|article|aside|blockquote|body|br|caption|center|d[dlt]|details|dialog|div|fieldset|figcaption|figure|footer"
    r"|form|h[1-6]|header|hr|html|legend|li|main|nav|[ou]l|p|pre|section|summary|t(?:able|body|d|foot|h|head|r)"
).fullmatch
_UNSEEN = re.compile(
    r"head|iframe|ix:header|ix:hidden|math|noscript|object|script|select|style|svg|template|textarea"
).fullmatch
_FIGURES = frozenset(("ix:nonfraction", "ix:fraction"))
_MAX_NAMED = 200
"""Characters of a fact about the filer."""
_PROSE = 80
"""Characters from which a line is a paragraph, set apart by blank lines."""


def read_html(content: bytes) -> Iterator[Page]:
    """The pages of a web page, cut at its page-break marks and, where those are missing, at block ends after about
    3,000 characters. `layout` is filled on pages with a table of figures. Raises what `parse` raises."""
    root = parse(content)
    contexts = read_contexts(root.iter())
    writer = _Writer()
    _walk(root, writer)
    writer.close()
    for number, lines in enumerate(writer.pages(), 1):
        tags = [tag for at, line in enumerate(lines) for tag in _tags(at, line.marks, line.layout, contexts)]
        layout = "\n".join(line.layout for line in lines) if any(line.is_row for line in lines) else ""
        named: tuple[tuple[str, str], ...] = ()
        if number == 1:
            named = tuple(writer.named)
            tags += _tags(-1, writer.hidden, "", contexts)
        yield Page(number, "\n".join(line.text for line in lines), layout, tuple(tags), named)


def _tags(at: int, marks: Sequence[tuple[int, int, Any]], layout: str, contexts: Contexts) -> Iterator[Tag]:
    for start, end, element in marks:
        stated = read_value(element, contexts)
        if stated is not None:
            printed = layout[start:end] or " ".join("".join(element.itertext()).split())
            yield Tag(
                at, start, end, stated.concept, stated.period, stated.value, stated.unit, stated.scale, printed,
                stated.dimensions,
            )  # fmt: skip


def _walk(root: Any, writer: _Writer) -> None:
    """Tell `writer` of every element, text and break in order. No recursion: a page may be nested at will."""
    stack = [(root, iter(root))]
    writer.start(root)
    writer.text(root.text)
    while stack:
        element, children = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            writer.end(element)
            if stack:
                writer.text(element.tail)
        elif isinstance(child, etree._Entity):
            writer.text(html5.get(f"{child.name};", ""))
            writer.text(child.tail)
        elif not isinstance(child.tag, str) or _is_unseen(child):
            writer.unseen(child)
            writer.text(child.tail)
        else:
            stack.append((child, iter(child)))
            writer.start(child)
            writer.text(child.text)


def _is_unseen(element: Any) -> bool:
    return (
        _UNSEEN(tag_name(element.tag)) is not None
        or element.get("hidden") is not None
        or style_of(element).hidden
    )


class _Writer:
    """Collects lines: words of the block that is open, cells of the table that is open."""

    def __init__(self) -> None:
        self.named: list[tuple[str, str]] = []
        """(concept, text) of the tags that are no figures."""
        self.hidden: list[tuple[int, int, Any]] = []
        """Tagged figures that are printed nowhere."""
        self._lines: list[PrintedLine | None] = []
        self._words = Words()
        self._rows: list[list[Cell]] | None = None
        self._in_cell = False
        self._tables: list[bool] = []
        self._open: list[tuple[Any, Words, int]] = []
        self._break = False

    def text(self, text: str | None) -> None:
        if text:
            self._words.add(clean(text))

    def unseen(self, element: Any) -> None:
        """A hidden element: its facts count, its words do not."""
        if isinstance(element.tag, str):
            for part in element.iter():
                self._name(part)
                if tag_name(part.tag) in _FIGURES:
                    self.hidden.append((0, 0, part))

    def _name(self, element: Any) -> None:
        if tag_name(element.tag) == "ix:nonnumeric":
            concept = attribute(element, "name")
            if concept.startswith("dei:"):
                text = " ".join(clean("".join(element.itertext())).split())
                self.named += [(concept, text)] if len(text) <= _MAX_NAMED else []

    def start(self, element: Any) -> None:
        name = tag_name(element.tag)
        if name in _FIGURES:
            self._open.append((element, self._words, self._words.at))
        elif name.startswith("ix:"):
            self._name(element)
        if not _BLOCKS(name) and "style" not in element.attrib:
            return
        style = style_of(element)
        if style.break_before:
            self._page_break()
        if not _BLOCKS(name) or (style.inline and name != "table"):
            return
        if name == "table":
            self._start_table(element)
        elif name == "tr" and self._rows is not None:
            self._leave_cell()
            if not self._rows:
                self._flush()  # what stands before the first row: its caption
            self._rows.append([])
        elif name in ("td", "th") and self._rows is not None:
            self._leave_cell()
            if not self._rows:
                self._rows.append([])
            self._words = Words()
            cell = Cell(
                self._words, _span(element, "colspan"), _span(element, "rowspan"), indent=style.indent
            )
            self._rows[-1].append(cell)
            self._in_cell = True
        else:
            if self._in_cell and self._rows and not self._words.at:
                self._rows[-1][-1].indent += style.indent
            self._flush()

    def end(self, element: Any) -> None:
        name = tag_name(element.tag)
        if name in _FIGURES:
            begun, words, start = self._open.pop()
            if words is self._words:
                words.marks.append((start, words.at, begun))
        if not _BLOCKS(name) and "style" not in element.attrib:
            return
        style = style_of(element)
        if name == "table":
            self._end_table()
        elif name in ("td", "th", "tr") and self._rows is not None:
            self._leave_cell()
        elif _BLOCKS(name) and not style.inline:
            self._flush()
        if style.break_after:
            self._page_break()

    def _start_table(self, element: Any) -> None:
        self._flush()
        framed = self._rows is not None or any(
            tag_name(inner.tag) == "table" for inner in element.iterdescendants()
        )
        self._tables.append(not framed)
        if not framed:
            self._rows = []

    def _end_table(self) -> None:
        if not self._tables.pop() or self._rows is None:
            self._flush()
            return
        self._leave_cell()
        rows, self._rows = self._rows, None
        self._flush()
        lines = print_table(rows)
        if lines:
            blank = [PrintedLine("", "")] if any(line.is_row for line in lines) else []
            self._lines += [*blank, *lines, *blank]
        if self._break:
            self._page_break()

    def _leave_cell(self) -> None:
        if self._in_cell:
            self._words.close()
            self._words = Words()
            self._in_cell = False

    def _flush(self) -> None:
        """End a block. In a cell it is a pause; between the cells of a table, words wait for the table's end."""
        if self._rows is not None and (self._in_cell or self._rows):
            self._words.pause()
            return
        words = self._words.close()
        self._words = Words()
        if words.text:
            line = PrintedLine(words.text, words.text, tuple(words.marks))
            apart = [PrintedLine("", "")] if len(words.text) >= _PROSE else []
            self._lines += [*apart, line, *apart]

    def _page_break(self) -> None:
        """A new page, after the table that is open."""
        self._break = self._rows is not None
        if not self._break:
            self._flush()
            self._lines.append(None)

    def close(self) -> None:
        self._rows = None
        self._flush()

    def pages(self) -> Iterator[list[PrintedLine]]:
        """The lines of each page that holds any, single blank lines between blocks."""
        waiting: list[PrintedLine] = []
        marked = None in self._lines
        for line in [*self._lines, None]:
            if line is not None:
                waiting.append(line)
                continue
            long = not marked or sum(len(x.text) for x in waiting) > MAX_TEXT_PAGE
            yield from _split(waiting, PAGE_CHARACTERS if long else None)
            waiting = []


def _split(lines: Sequence[PrintedLine], limit: int | None) -> Iterator[list[PrintedLine]]:
    """Lines as pages: without a limit as one; else cut at the first blank line after so many characters, or after
    half as many more at any line that is no row of a table."""
    page: list[PrintedLine] = []
    length = 0
    for line in lines:
        if limit is not None and (
            (not line.text and length >= limit)
            or (not line.is_row and 2 * length >= 3 * limit)
            or length >= MAX_TEXT_PAGE
        ):
            yield _trimmed(page)
            page, length = [], 0
        if line.text or (page and page[-1].text):
            page.append(line)
            length += len(line.text)
    if _trimmed(page):
        yield page


def _trimmed(page: list[PrintedLine]) -> list[PrintedLine]:
    while page and not page[-1].text:
        page.pop()
    return page


def _span(element: Any, name: str) -> int:
    text = (element.get(name) or "").strip()
    return int(text) if re.fullmatch(r"\d{1,6}", text) else 1
