from __future__ import annotations

from tools.documents.structure.noise import Line
from tools.documents.structure.place import place_tables
from tools.documents.types import Page, Table

LAYOUT = "Revenue grew.\n\nYear      2023   2022\nDesks     71     70\n\n2023 was good."


def table(first: int, last: int) -> Table:
    return Table("", "other", "", 1, first, last, "", (), ())


def test_a_table_is_one_line_in_its_place_and_its_rows_are_gone_from_the_prose() -> None:
    page = Page(1, "Revenue grew.\nYear 2023 2022\nDesks 71 70\n2023 was good.", LAYOUT)
    assert place_tables(page, [(4, table(2, 4))]) == [
        Line(1, "Revenue grew."),
        Line(1, "", 4),
        Line(1, "2023 was good."),
    ]


def test_a_line_that_could_be_either_goes_with_the_lines_around_it() -> None:
    layout = f"Desks\n{LAYOUT}"
    page = Page(1, "Desks\nRevenue grew.\nYear 2023 2022\nDesks\n71 70\n2023 was good.", layout)
    placed = place_tables(page, [(0, table(3, 5))])
    assert [line.text for line in placed] == ["Desks", "Revenue grew.", "", "2023 was good."]


def test_words_that_layout_text_glued_are_found_word_by_word() -> None:
    page = Page(1, "Revenue grew.\n2022 Year 2023\n70 Desks 71\n2023 was good.", LAYOUT)
    assert [line.table for line in place_tables(page, [(0, table(2, 4))])] == [None, 0, None]


def test_without_layout_the_tables_own_lines_are_cut_out() -> None:
    page = Page(1, "Revenue grew.\nYear 2023\nDesks 71\nIt was good.")
    assert place_tables(page, [(0, table(1, 3))]) == [
        Line(1, "Revenue grew."),
        Line(1, "", 0),
        Line(1, "It was good."),
    ]
    assert [line.table for line in place_tables(page, [])] == [None] * 4
