"""Markdown and comma-separated files."""

from __future__ import annotations

from pathlib import Path

from tools.documents.read.page_reader import read_pages
from tools.documents.read.text_files import markdown_text


def test_markdown_is_read_as_its_words() -> None:
    assert markdown_text("Pay **45 pence** a [mile](http://x.example) and _no_ more ![map](m.png).") == (
        "Pay 45 pence a mile and no more map."
    )


def test_names_with_underscores_and_products_keep_their_marks() -> None:
    assert markdown_text("set max_file_size to 2 * 3 * 4") == "set max_file_size to 2 * 3 * 4"


def test_an_html_table_in_markdown_becomes_rows_of_cells() -> None:
    table = (
        "<table><tr><th></th><th colspan=2>2023</th></tr><tr><td>Sales</td><td>1</td><td>2</td></tr></table>"
    )
    assert markdown_text(table).split("\n") == ["", "|  | 2023 | 2023 |", "| Sales | 1 | 2 |", ""]


def test_cells_of_separated_values_have_addresses(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Region;2023\nEurope;512\nTotal;1.704\n", encoding="utf-8")
    (page,) = read_pages(path)
    assert page.text.split("\n") == ["Region 2023", "Europe 512", "Total 1.704"]
    assert (page.rows, [column.name for column in page.columns]) == ((1, 2, 3), ["A", "B"])
