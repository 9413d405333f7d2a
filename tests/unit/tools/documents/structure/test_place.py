from __future__ import annotations

from tools.documents.structure.noise import Line
from tools.documents.structure.place import place_tables
from tools.documents.types import Page, Table

TEXT = "Revenue grew.\n\nYear 2023 2022\nDesks 71 70\n\n2023 was good."
LAYOUT = "Revenue grew.\n\nYear      2023   2022\nDesks     71     70\n\n2023 was good."


def table(first: int, last: int) -> Table:
    return Table("", "other", "", 1, first, last, "", (), ())


def test_a_table_is_one_line_in_its_place_and_its_rows_are_gone_from_the_prose() -> None:
    assert place_tables(Page(1, TEXT, LAYOUT), [(4, table(2, 4))]) == [
        Line(1, "Revenue grew."),
        Line(1, ""),
        Line(1, "", 4),
        Line(1, ""),
        Line(1, "2023 was good."),
    ]


def test_tables_keep_the_order_of_the_page_and_share_no_line() -> None:
    placed = place_tables(Page(1, TEXT, LAYOUT), [(1, table(3, 6)), (0, table(2, 4))])
    assert [(line.text, line.table) for line in placed] == [
        ("Revenue grew.", None),
        ("", None),
        ("", 0),
        ("", 1),
    ]


def test_a_page_without_tables_is_its_lines() -> None:
    assert [line.table for line in place_tables(Page(1, TEXT), [])] == [None] * 6
