"""Renders the sample documents: `python -m evals.samples.render [FOLDER]` writes the four PDFs.

The same sources give the same bytes. Needs reportlab, which is among the development dependencies only; the
PDFs themselves are kept in `docs/`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
from reportlab.lib.pagesizes import LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import (
    BaseDocTemplate,
    Frame,
    HRFlowable,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

from evals.samples.sample_figures import Book, load_book
from evals.samples.sample_tables import SIZE, WIDTH, draw_table

HERE = Path(__file__).parent
SOURCES = HERE / "source"
DOCS = HERE / "docs"
_DIRECTIVE = re.compile(r"\[\[(\w+)(?: (\w+))?\]\]$")
_LINE_FEED = re.compile(r" T\*(?: -?[\d.]+ 0 Td)? ET")
Pages = Mapping[str, str]
"""Contents entry -> printed page number."""


def render_all(folder: Path) -> list[Path]:
    """Write every sample document below `folder`; returns the files, sorted."""
    written: list[Path] = []
    for source in sorted(path for path in SOURCES.iterdir() if path.is_dir()):
        book = load_book(source / "figures.yaml")
        for kind, build in (("filing", render_filing), ("call", render_call)):
            text = book.fill((source / f"{kind}.md").read_text(encoding="utf-8"))
            target = folder / str(book.company[kind])
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(build(book, text))
            written.append(target)
    return sorted(written)


def render_filing(book: Book, text: str) -> bytes:
    """A 10-Q; built twice, because the table of contents stands before the pages it counts."""
    pages: dict[str, str] = {}
    _build(book, text, dict(pages), pages)
    return _build(book, text, dict(pages), pages)


def render_call(book: Book, text: str) -> bytes:
    """A call transcript: title, participants, speaker turns."""
    styles = _styles("Helvetica", 11.0, justified=False)
    story: list[Any] = [Spacer(1, 20)]
    for block in text.split("\n\n"):
        for line in block.strip().splitlines():
            if line.startswith("# "):
                story += [Paragraph(line[2:], styles["title"]), Spacer(1, 18)]
            elif line.startswith("## "):
                big = "section" if line != "## Call participants" else "heading"
                story.append(Paragraph(line[3:], styles[big]))
            elif line.startswith("- "):
                story.append(Paragraph(line[2:], styles["line"]))
            elif line.startswith("@ "):
                story.append(Paragraph(line[2:], styles["speaker"]))
            else:
                story.append(Paragraph(_escape(line), styles["body"]))
    return _write(f"{book.company['ticker']} call", story, None, width=468.0)


def _build(book: Book, text: str, pages: Pages, found: dict[str, str]) -> bytes:
    font = str(book.style["font"])
    styles = _styles(font, 8.6 if font == "Helvetica" else 9.2, justified=bool(book.style["justified"]))
    entries: list[str] = re.findall(r"^#{1,2} (.+)$", text, re.MULTILINE)
    story: list[Any] = []
    for block in (part.strip() for part in text.split("\n\n")):
        story += _flowables(book, block, styles, pages, entries)

    def note_page(flowable: Any, page: int) -> None:
        entry = getattr(flowable, "contents_entry", None)
        if entry is not None:
            found[entry] = str(document_page(book, page))

    return _write(f"{book.company['short']} 10-Q", story, book, note_page)


def document_page(book: Book, number: int) -> int:
    """The page number printed on page `number` of the file: some filers do not count cover and contents."""
    return number - int(book.company["unnumbered_pages"])


def _flowables(
    book: Book, block: str, styles: Mapping[str, Any], pages: Pages, entries: list[str]
) -> list[Any]:
    directive = _DIRECTIVE.match(block)
    if directive:
        return _directive(book, directive.group(1), directive.group(2), styles, pages, entries)
    if block.startswith("### "):
        return [Paragraph(_escape(block[4:]), styles["heading"])]
    if block.startswith("#"):
        marks, title = block.split(" ", 1)
        if marks == "#":
            heading = Paragraph(_escape(title), styles["part"])
        else:
            number, _, name = title.partition(" | ")
            heading = _columns([[number, name]] if name else [[title]], styles["item"], [60.0, WIDTH - 60])
        heading.contents_entry = block.split(" ", 1)[1]
        return [heading, Spacer(1, 4)]
    return [Paragraph(_escape(block), styles["body"])]


def _directive(
    book: Book, name: str, argument: str | None, styles: Mapping[str, Any], pages: Pages, entries: list[str]
) -> list[Any]:
    if name == "page":
        return [PageBreak()]
    if name == "cover":
        return _cover(book, styles)
    if name == "contents":
        return _contents(book, styles, pages, entries)
    income = book.tables["income"].title
    notes = f"NOTES TO {income.split(' STATEMENTS')[0]} FINANCIAL STATEMENTS"
    centered = styles["centered_bold"]
    registrant = str(book.company["name"]).upper()
    if name == "notes":
        return [Paragraph(line, centered) for line in (registrant, notes, "(Unaudited)")]
    table = book.tables[str(argument)]
    story = [draw_table(book, table.key)]
    if table.title:
        lines = (registrant, table.title, table.note, "(Unaudited)")
        story = [Paragraph(line, centered) for line in lines] + [Spacer(1, 6)] + story
        story.append(
            Paragraph(f"See accompanying {notes.title().replace(' To ', ' to ')}.", styles["centered"])
        )
    return story


def _cover(book: Book, styles: Mapping[str, Any]) -> list[Any]:
    company = {key: _escape(str(value)) for key, value in book.company.items()}
    centered, bold, small = styles["centered"], styles["centered_bold"], styles["body"]
    act = "PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934"
    story: list[Any] = [HRFlowable(width="100%", color="black"), Spacer(1, 8)]
    story += [Paragraph(line, bold) for line in ("UNITED STATES", "SECURITIES AND EXCHANGE COMMISSION")]
    story += [Paragraph("Washington, D.C. 20549", centered), Spacer(1, 8)]
    story += [Paragraph("FORM 10-Q", styles["title"]), Spacer(1, 6), Paragraph("(Mark One)", small)]
    story += [Paragraph(f"[X] QUARTERLY REPORT {act}", bold), Paragraph(company["period_line"], centered)]
    story += [Paragraph("or", centered), Paragraph(f"[ ] TRANSITION REPORT {act}", bold)]
    story += [Paragraph(f"Commission File Number: {company['file_number']}", centered), Spacer(1, 10)]
    story += [Paragraph(company["name"], styles["title"])]
    story += [Paragraph("(Exact name of registrant as specified in its charter)", centered), Spacer(1, 8)]
    half = [WIDTH / 2, WIDTH / 2]
    story += [_columns([[company["state"], company["ein"]]], bold, half)]
    captions = [
        "(State or other jurisdiction of incorporation or organization)",
        "(I.R.S. Employer Identification No.)",
    ]
    story += [_columns([captions], centered, half), Paragraph(company["address"], bold)]
    story += [Paragraph("(Address of principal executive offices) (Zip Code)", centered)]
    story += [Paragraph(company["phone"], bold)]
    story += [Paragraph("(Registrant’s telephone number, including area code)", centered), Spacer(1, 10)]
    story += [Paragraph("Securities registered pursuant to Section 12(b) of the Act:", centered)]
    classes = [["Title of each class", "Trading Symbol(s)", "Name of each exchange on which registered"]]
    classes.append([company["security"], company["ticker"], company["exchange"]])
    story += [_columns(classes, centered, [WIDTH * 0.42, WIDTH * 0.2, WIDTH * 0.38]), Spacer(1, 10)]
    for statement in _CHECK_MARKS:
        story.append(Paragraph(statement, small))
    return [*story, Spacer(1, 8), Paragraph(company["outstanding"], centered)]


_CHECK_MARKS = (
    "Indicate by check mark whether the registrant (1) has filed all reports required to be filed by "
    "Section 13 or 15(d) of the Securities Exchange Act of 1934 during the preceding 12 months, and (2) has "
    "been subject to such filing requirements for the past 90 days. Yes [X] No [ ]",
    "Indicate by check mark whether the registrant is a large accelerated filer, an accelerated filer, a "
    "non-accelerated filer, a smaller reporting company, or an emerging growth company. Large accelerated "
    "filer [X] Accelerated filer [ ] Non-accelerated filer [ ] Smaller reporting company [ ] Emerging growth "
    "company [ ]",
    "Indicate by check mark whether the registrant is a shell company (as defined in Rule 12b-2 of the "
    "Exchange Act). Yes [ ] No [X]",
)


def _contents(book: Book, styles: Mapping[str, Any], pages: Pages, entries: list[str]) -> list[Any]:
    lines = (
        str(book.company["name"]).upper(),
        "FORM 10-Q",
        str(book.company["period_line"]),
        "TABLE OF CONTENTS",
    )
    rows: list[list[str]] = [["", "", "Page"]]
    for entry in entries:
        number, _, name = entry.partition(" | ")
        rows.append([number, name, pages.get(entry, "")] if name else ["", entry, ""])
        if entry.startswith("SIGNATURE"):
            rows[-1] = [entry.capitalize(), "", pages.get(entry, "")]
    head = [Paragraph(_escape(line), styles["centered_bold"]) for line in lines]
    return [*head, Spacer(1, 8), _columns(rows, styles["body"], [70.0, WIDTH - 110, 40.0]), Spacer(1, 14)]


def _columns(rows: list[list[str]], style: Any, widths: list[float]) -> Any:
    """Text side by side, without rules."""
    cells = [[Paragraph(_escape(cell), style) for cell in row] for row in rows]
    padding = [(f"{side}PADDING", (0, 0), (-1, -1), 0) for side in ("LEFT", "RIGHT", "TOP", "BOTTOM")]
    return Table(cells, colWidths=widths[: len(rows[0])] if len(rows[0]) > 1 else [WIDTH], style=padding)


def _write(
    title: str,
    story: list[Any],
    book: Book | None,
    after: Callable[[Any, int], None] | None = None,
    width: float = WIDTH,
) -> bytes:
    """The PDF of a story; with `book`, its running header and footer on every page but the first."""
    buffer = BytesIO()
    margin = (LETTER[0] - width) / 2
    # Not compressed: compressed bytes differ between builds of zlib, and these are compared byte for byte.
    document = BaseDocTemplate(
        buffer, pagesize=LETTER, title=title, author="", invariant=1, pageCompression=0
    )
    frame = Frame(margin, 42, width, LETTER[1] - 84, leftPadding=0, rightPadding=0, topPadding=0)

    def header(canvas: Any, _: Any) -> None:
        if book is not None and "header" in book.company and canvas.getPageNumber() > 1:
            canvas.setFont(str(book.style["font"]), SIZE - 0.5)
            canvas.drawString(margin, LETTER[1] - 30, str(book.company["header"]))

    def footer(canvas: Any, _: Any) -> None:
        if book is not None and canvas.getPageNumber() > 1:
            page = document_page(book, canvas.getPageNumber())
            if page > 0:
                canvas.setFont(str(book.style["font"]), SIZE - 0.5)
                canvas.drawCentredString(LETTER[0] / 2, 28, str(book.company["footer"]).format(page=page))
        _join_rows(canvas)

    document.addPageTemplates([PageTemplate(frames=[frame], onPage=header, onPageEnd=footer)])
    if after is not None:
        document.afterFlowable = lambda flowable: after(flowable, document.page)
    document.build(story)
    return buffer.getvalue()


def _join_rows(canvas: Any) -> None:
    """Drop the line feed that reportlab puts after every string: the cells of a row then read as one
    line, as in real filings."""
    canvas._code = [_LINE_FEED.sub(" ET", line) if isinstance(line, str) else line for line in canvas._code]


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _styles(font: str, size: float, *, justified: bool) -> dict[str, Any]:
    bold = {"Helvetica": "Helvetica-Bold", "Times-Roman": "Times-Bold"}[font]
    slanted = {"Helvetica": "Helvetica-BoldOblique", "Times-Roman": "Times-BoldItalic"}[font]
    base: dict[str, Any] = {"fontName": font, "fontSize": size, "leading": size * 1.22}
    body = {**base, "alignment": TA_JUSTIFY} if justified else base
    strong = {**base, "fontName": bold}
    centered = {"alignment": TA_CENTER, "spaceAfter": 2}
    large = {"fontSize": size + 7, "leading": size + 11}
    named: dict[str, dict[str, Any]] = {
        "body": {**body, "spaceAfter": 6},
        "line": {**base, "spaceAfter": 4},
        "centered": {**base, **centered},
        "centered_bold": {**strong, **centered},
        "title": {**strong, **large, "alignment": TA_CENTER},
        "part": {**strong, "alignment": TA_CENTER, "spaceBefore": 6, "spaceAfter": 8},
        "item": {**strong, "spaceBefore": 6, "spaceAfter": 6},
        "heading": {**strong, "spaceBefore": 6, "spaceAfter": 4, "keepWithNext": 1},
        "section": {**strong, **large, "spaceBefore": 8, "spaceAfter": 8, "keepWithNext": 1},
        "speaker": {**base, "fontName": slanted, "spaceBefore": 6, "spaceAfter": 2, "keepWithNext": 1},
    }
    return {name: ParagraphStyle(name, **options) for name, options in named.items()}


if __name__ == "__main__":
    render_all(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS)
