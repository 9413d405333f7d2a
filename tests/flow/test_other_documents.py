"""Documents that are neither filings nor calls: found, quoted, and cited by title, page or cell."""

from __future__ import annotations

from pathlib import Path

from openpyxl import Workbook

from agent.assistant import Assistant
from agent.display.render import document_row, plain_answer

HANDBOOK = """# Staff Handbook

## Travel

Staff may claim **45 pence a mile** for journeys in their own car. Flights need approval by a director.

## Holidays

Full-time staff have 27 days of paid leave a year and bank holidays.
"""
LEAFLET = """Merkblatt zur Kündigung des Mietvertrags

Der Mieter kann den Vertrag mit einer Frist von drei Monaten zum Monatsende kündigen. Die Kündigung muss schriftlich
erfolgen und von allen Mietern unterschrieben sein.
"""


def test_a_handbook_is_quoted_by_title_and_a_sheet_is_cited_by_cell(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "hb.md").write_text(HANDBOOK, encoding="utf-8")
    (docs / "blatt.txt").write_text(LEAFLET, encoding="utf-8")
    book = Workbook()
    sheet = book.active
    sheet.title = "Margins"
    for row in (
        ["Harlow Tools Ltd - margins"],
        [None, "Year ended 31 December"],
        ["", 2023, 2022],
        ["Operating margin", 0.125, 0.118],
        ["Gross margin", 0.41, 0.4],
    ):
        sheet.append(row)
    sheet.merge_cells("B2:C2")
    for cell in (*sheet[4][1:], *sheet[5][1:]):
        cell.number_format = "0.0%"
    book.save(docs / "figures.xlsx")
    with Assistant.open(tmp_path / "home") as assistant:
        assistant.index([docs])
        quoted = assistant.ask("What does the handbook say about travel?")
        figure = assistant.ask("What was the operating margin of Harlow Tools in 2023?")
        rows = {d.name: document_row(d) for d in assistant.current().generation.documents.values()}
    assert "Flights need approval by a director." in quoted.answer
    assert "Staff Handbook" in quoted.answer
    assert [(c.document, c.place) for c in quoted.citations] == [("hb.md", "")]
    assert "12.5" in figure.answer
    assert [c.place for c in figure.citations] == ["Sheet 'Margins', B4"]
    assert "figures.xlsx, Sheet 'Margins', B4" in plain_answer(figure)
    assert rows["hb.md"][1] == ""
    assert '"Staff Handbook"' in rows["hb.md"][-1]
    assert "German" in rows["blatt.txt"][-1]
