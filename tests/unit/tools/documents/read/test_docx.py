"""Word documents as a reader sees them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docx import Document as new_docx
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls

from tools.documents.read.page_reader import read_pages


def lines_of(document: Any, folder: Path) -> list[list[str]]:
    """The lines with words of each page."""
    document.save(folder / "a.docx")
    return [[line for line in page.text.split("\n") if line] for page in read_pages(folder / "a.docx")]


def test_headings_lists_and_paragraphs_keep_their_order_and_rank(tmp_path: Path) -> None:
    document = new_docx()
    document.add_paragraph("Staff Handbook", style="Title")
    document.add_heading("Travel", 2)
    document.add_paragraph("Fly only when needed.")
    document.add_paragraph("Ask first", style="List Bullet")
    assert lines_of(document, tmp_path) == [
        ["# Staff Handbook", "## Travel", "Fly only when needed.", "• Ask first"]
    ]


def test_a_page_ends_where_the_file_says(tmp_path: Path) -> None:
    document = new_docx()
    document.add_paragraph("First.")
    document.add_page_break()
    document.add_paragraph("Second.")
    document.add_paragraph("Third.").paragraph_format.page_break_before = True
    run = document.add_paragraph("It begins here").add_run()
    run._r.append(OxmlElement("w:lastRenderedPageBreak"))
    run.add_text("and ends there.")
    assert lines_of(document, tmp_path) == [
        ["First."],
        ["Second."],
        ["Third.", "It begins here"],
        ["and ends there."],
    ]


def test_a_long_document_without_breaks_has_pages_all_the_same(tmp_path: Path) -> None:
    document = new_docx()
    for _ in range(8):
        document.add_paragraph("A sentence that is of no great length at all. " * 20)
    assert [len(lines) for lines in lines_of(document, tmp_path)] == [4, 4]


def test_a_table_keeps_its_columns_in_the_layout(tmp_path: Path) -> None:
    document = new_docx()
    document.add_paragraph("Income statement")
    table = document.add_table(rows=3, cols=3)
    for row, texts in zip(
        table.rows,
        [("", "Year ended", ""), ("Revenue", "1,704.6", "1,606.3"), ("Costs", "(9.1)", "8")],
        strict=True,
    ):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    document.save(tmp_path / "a.docx")
    (page,) = read_pages(tmp_path / "a.docx")
    text, layout = page.text.split("\n"), page.layout.split("\n")
    assert len(text) == len(layout)
    assert text[2:5] == ["Year ended", "Revenue 1,704.6 1,606.3", "Costs (9.1) 8"]
    assert layout[2].count("Year ended") == 2
    assert layout[3].index("1,704.6") + len("1,704.6") == layout[4].index("(9.1)") + len("(9.1)")


def test_inserted_text_is_read_and_deleted_text_is_not(tmp_path: Path) -> None:
    document = new_docx()
    paragraph = document.add_paragraph("The rate is ")
    for tag, text, element in (("del", "40", "delText"), ("ins", "45", "t")):
        paragraph._p.append(
            parse_xml(
                f'<w:{tag} {nsdecls("w")} w:id="1" w:author="a"><w:r><w:{element}>{text}</w:{element}></w:r></w:{tag}>'
            )
        )
    document.sections[0].header.paragraphs[0].text = "Running header"
    assert lines_of(document, tmp_path) == [["The rate is 45"]]


def test_text_boxes_are_read_once(tmp_path: Path) -> None:
    document = new_docx()
    box = "<w:txbxContent><w:p><w:r><w:t>Call 0800 for help</w:t></w:r></w:p></w:txbxContent>"
    document.add_paragraph("Leaflet").add_run()._r.append(
        parse_xml(
            f'<mc:AlternateContent {nsdecls("w")} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
            f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
        )
    )
    assert lines_of(document, tmp_path) == [["Leaflet", "Call 0800 for help"]]


def test_numbered_items_are_counted(tmp_path: Path) -> None:
    document = new_docx()
    for text in ("Fill", "Boil"):
        paragraph = document.add_paragraph(text)
        properties = paragraph._p.get_or_add_pPr()
        properties.append(
            parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="0"/><w:numId w:val="999"/></w:numPr>')
        )
    assert lines_of(document, tmp_path) == [["1. Fill", "2. Boil"]]


def test_the_numbers_of_a_sublist_begin_anew_under_each_item(tmp_path: Path) -> None:
    document = new_docx()
    for level in (0, 1, 1, 0, 1):
        paragraph = document.add_paragraph("Item")
        properties = paragraph._p.get_or_add_pPr()
        properties.append(
            parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level}"/><w:numId w:val="999"/></w:numPr>')
        )
    (lines,) = lines_of(document, tmp_path)
    assert [line.split()[0] for line in lines] == ["1.", "1.", "2.", "2.", "1."]
