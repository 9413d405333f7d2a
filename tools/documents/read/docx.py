"""Word documents: headings, paragraphs, lists, tables and footnotes, as a reader sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docx import Document as open_docx
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import qn

from tools.documents.read.grid_page import GridCell, grid_lines
from tools.documents.read.text_files import MAX_TEXT_PAGE, PAGE_CHARACTERS
from tools.documents.text.cleaning import clean, squeeze
from tools.documents.types import Page

BREAK = "\f"
_UNSEEN = frozenset(
    qn(name)
    for name in (
        *(
            "w:del",
            "w:moveFrom",
            "w:pPr",
            "w:rPr",
            "w:instrText",
            "w:delText",
            "w:sdtPr",
            "w:tblPr",
            "w:tcPr",
        ),
        *("w:commentReference", "w:footnoteReference", "w:endnoteReference", "w:txbxContent", "w:fldData"),
    )
)
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_MARKS = {
    qn("w:tab"): " ",
    qn("w:cr"): "\n",
    qn("w:noBreakHyphen"): "-",
    qn("w:lastRenderedPageBreak"): BREAK,
}


def read_docx(path: Path) -> Iterator[Page]:
    """The pages, as far as the file marks their breaks; else pages of about `PAGE_CHARACTERS`.

    Headings stand as Markdown ('## Travel'), list items after '•' or their number, a footnote at the end of the page
    that refers to it. Headers, footers, comments and deleted text are left out.
    """
    document: Any = open_docx(str(path))
    title = squeeze(clean(document.core_properties.title or ""))
    maker = _Reader(document)
    for number, (text, layout) in enumerate(maker.pages(), 1):
        yield Page(number, text, layout, title=title if number == 1 else "")


class _Reader:
    """Collects lines until a page is full."""

    def __init__(self, document: Any) -> None:
        self._body = document.element.body
        self._levels = _outline_levels(document)
        self._numbering = _Numbering(document)
        self._footnotes = _footnotes(document)
        self._text: list[str] = []
        self._layout: list[str] = []
        self._notes: list[str] = []
        self._has_table = False
        self._marked = next(self._body.iter(qn("w:lastRenderedPageBreak")), None) is not None

    def pages(self) -> Iterator[tuple[str, str]]:
        """(text, layout) of each page."""
        for block in _blocks(self._body):
            if block.tag == qn("w:tbl"):
                self._add_table(block)
            else:
                yield from self._add_paragraph(block)
                for inner in _boxed(block):
                    yield from self._add_paragraph(inner)
            if sum(map(len, self._text)) >= (MAX_TEXT_PAGE if self._marked else PAGE_CHARACTERS):
                yield from self._close()
        yield from self._close()

    def _add_paragraph(self, paragraph: Any) -> Iterator[tuple[str, str]]:
        properties = paragraph.find(qn("w:pPr"))
        if properties is not None and _is_on(properties.find(qn("w:pageBreakBefore"))):
            yield from self._close()
        lead = self._lead(properties)
        self._notes += [
            self._footnotes[key]
            for mark in paragraph.iter(qn("w:footnoteReference"))
            if (key := mark.get(qn("w:id"))) in self._footnotes
        ]
        for n, part in enumerate(_words(paragraph).split(BREAK)):
            if n:
                yield from self._close()
            lines = [squeeze(line) for line in clean(part).split("\n")]
            if lead.startswith("#"):
                lines = [" ".join(lines)]
            if any(lines):
                self._add([*lines, ""], lead)
                lead = ""

    def _lead(self, properties: Any) -> str:
        """What stands before a paragraph's first word: '## ' of a heading, '• ' or '2. ' of a list item."""
        if properties is None:
            return ""
        style = properties.find(qn("w:pStyle"))
        level = self._levels.get(style.get(qn("w:val"))) if style is not None else None
        if (own := properties.find(qn("w:outlineLvl"))) is not None:
            level = int(own.get(qn("w:val"))) + 1
        if level is not None and level <= 6:
            return f"{'#' * level} "
        numbered = properties.find(qn("w:numPr"))
        if numbered is not None:
            return self._numbering.mark(numbered)
        return "• " if style is not None and style.get(qn("w:val"), "").startswith("List") else ""

    def _add_table(self, table: Any) -> None:
        rows = [list(_table_row(row)) for row in _blocks(table, qn("w:tr"))]
        lines = grid_lines(_with_labels(rows))
        self._text += [*lines.text, ""]
        self._layout += [*lines.layout, ""]
        self._has_table = True

    def _add(self, lines: list[str], lead: str = "") -> None:
        lines = [f"{lead}{lines[0]}", *lines[1:]]
        self._text += lines
        self._layout += lines

    def _close(self) -> Iterator[tuple[str, str]]:
        if not any(self._text):
            return
        for note in dict.fromkeys(self._notes):
            self._add([note, ""])
        yield "\n".join(self._text), "\n".join(self._layout) if self._has_table else ""
        self._text, self._layout, self._notes, self._has_table = [], [], [], False


def _blocks(parent: Any, *tags: str) -> Iterator[Any]:
    """Paragraphs and tables (or what `tags` name), also where content controls or insertions enclose them."""
    wanted = tags or (qn("w:p"), qn("w:tbl"))
    for child in parent:
        if child.tag in wanted:
            yield child
        elif child.tag in (qn("w:sdt"), qn("w:sdtContent"), qn("w:ins"), qn("w:moveTo"), qn("w:customXml")):
            yield from _blocks(child, *wanted)


def _words(element: Any) -> str:
    """The text of a paragraph or table cell, `BREAK` for a page's end."""
    found: list[str] = []
    for child in element:
        if child.tag in _UNSEEN or child.tag == _FALLBACK:
            continue
        if child.tag == qn("w:t"):
            found.append(child.text or "")
        elif child.tag == qn("w:br"):
            found.append(BREAK if child.get(qn("w:type")) == "page" else "\n")
        elif child.tag in _MARKS:
            found.append(_MARKS[child.tag])
        elif child.tag == qn("w:p"):
            found.append(f"{_words(child)}\n")
        else:
            found.append(_words(child))
    return "".join(found)


def _boxed(paragraph: Any) -> Iterator[Any]:
    """Paragraphs of the text boxes that are anchored in a paragraph."""
    for box in paragraph.iter(qn("w:txbxContent")):
        if not any(above.tag == _FALLBACK for above in box.iterancestors()):
            yield from _blocks(box, qn("w:p"))


def _table_row(row: Any) -> Iterator[GridCell]:
    column = 0
    for cell in _blocks(row, qn("w:tc")):
        properties = cell.find(qn("w:tcPr"))
        grid_span = properties.find(qn("w:gridSpan")) if properties is not None else None
        merge = properties.find(qn("w:vMerge")) if properties is not None else None
        span = max(1, int(grid_span.get(qn("w:val")))) if grid_span is not None else 1
        goes_on = merge is not None and merge.get(qn("w:val")) != "restart"
        yield GridCell(_words(cell).replace(BREAK, " "), column, span, repeated=goes_on)
        column += span


def _with_labels(rows: list[list[GridCell]]) -> list[list[GridCell]]:
    """Rows with the label of a cell that covers several rows before the figures of each."""
    above: dict[int, str] = {}
    filled: list[list[GridCell]] = []
    for row in rows:
        holds_figures = any(any(map(str.isdigit, cell.text)) for cell in row if not cell.repeated)
        filled.append(
            [
                GridCell(
                    above.get(cell.column, "") if holds_figures else "", cell.column, cell.span, repeated=True
                )
                if cell.repeated
                else cell
                for cell in row
            ]
        )
        above |= {cell.column: cell.text for cell in row if not cell.repeated}
    return filled


def _is_on(flag: Any) -> bool:
    return flag is not None and flag.get(qn("w:val")) not in ("0", "false", "off")


def _outline_levels(document: Any) -> dict[str, int]:
    """Style -> level of the headings that it makes, 1 for a title; a style may have it from the one it is based on."""
    levels: dict[str, int] = {}
    for style in document.styles:
        base, seen = style, 0
        while base is not None and seen < 20:
            outline = base.element.find(f"{qn('w:pPr')}/{qn('w:outlineLvl')}")
            if base.name == "Title" or outline is not None:
                levels[style.style_id] = 1 if outline is None else int(outline.get(qn("w:val"))) + 1
                break
            base, seen = getattr(base, "base_style", None), seen + 1
    return levels


class _Numbering:
    """Numbers of list items, counted as they come."""

    def __init__(self, document: Any) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._bullets: set[tuple[str, str]] = set()
        try:
            root = document.part.part_related_by(RELATIONSHIP_TYPE.NUMBERING).element
        except KeyError:
            return
        lists = {one.get(qn("w:abstractNumId")): one for one in root.iter(qn("w:abstractNum"))}
        for number in root.iter(qn("w:num")):
            abstract = number.find(qn("w:abstractNumId"))
            for level in lists.get(abstract.get(qn("w:val")), ()) if abstract is not None else ():
                form = level.find(qn("w:numFmt"))
                if form is not None and form.get(qn("w:val")) in ("bullet", "none"):
                    self._bullets.add((number.get(qn("w:numId")), level.get(qn("w:ilvl"))))

    def mark(self, numbered: Any) -> str:
        """'• ' or the item's number; '' where the paragraph is taken out of its style's list."""
        parts = (numbered.find(qn("w:numId")), numbered.find(qn("w:ilvl")))
        number, level = (part.get(qn("w:val")) if part is not None else "0" for part in parts)
        if number == "0":
            return ""
        if (number, level) in self._bullets:
            return "• "
        self._counts[number, level] += 1
        for deeper in [key for key in self._counts if key[0] == number and int(key[1]) > int(level)]:
            del self._counts[deeper]
        return f"{self._counts[number, level]}. "


def _footnotes(document: Any) -> dict[str, str]:
    """Id -> text of the footnotes; separators, which are none, have a type."""
    try:
        part = document.part.part_related_by(RELATIONSHIP_TYPE.FOOTNOTES)
    except KeyError:
        return {}
    return {
        note.get(qn("w:id")): squeeze(clean(_words(note).replace(BREAK, " ")))
        for note in parse_xml(part.blob).iter(qn("w:footnote"))
        if note.get(qn("w:type")) is None
    }
