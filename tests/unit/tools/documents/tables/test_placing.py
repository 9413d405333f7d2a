from __future__ import annotations

from tools.documents.tables.cells import split_line
from tools.documents.tables.placing import assign_columns, drop_stray
from tools.documents.tables.regions import row_of
from tools.documents.tables.table_parts import Row


def rows(*lines: str) -> list[Row]:
    found = [row_of(split_line(line, k)) for k, line in enumerate(lines)]
    assert all(found)
    return [row for row in found if row is not None]


def test_figures_under_each_other_share_a_column() -> None:
    columns, kept = assign_columns(
        rows(
            "Desks             71,204      70,118",
            "Lamps                 18       7,950",
            "Stools                        88,068",
        )
    )
    assert len(columns) == 2
    assert [row.columns for row in kept] == [[0, 1], [0, 1], [1]]


def test_footnote_numbers_before_the_figures_are_taken_out() -> None:
    table = rows(
        "Desks        2      71,204      70,118",
        "Lamps               18,306      17,950",
        "Total               89,510      88,068",
    )
    drop_stray(table)
    assert [cell.text for cell in table[0].cells] == ["71,204", "70,118"]


def test_single_digits_in_every_row_are_figures() -> None:
    table = rows("Desks        2      71,204", "Lamps        3      18,306", "Total        5      89,510")
    drop_stray(table)
    assert [row.cells[0].text for row in table] == ["2", "3", "5"]


def test_a_digit_between_the_figures_is_one() -> None:
    table = rows(
        "Desks        71,204       2      70,118",
        "Lamps        18,306              17,950",
        "Total        89,510              88,068",
    )
    drop_stray(table)
    assert [cell.text for cell in table[0].cells] == ["71,204", "2", "70,118"]


def test_one_dash_in_a_column_of_its_own_is_no_figure() -> None:
    lines = [f"Desk {letter}             71,204      70,118" for letter in "pqrst"]
    lines[2] += "        —"
    table = rows(*lines)
    drop_stray(table)
    assert len(table[2].cells) == 2
    few = rows(*lines[1:4])
    drop_stray(few)
    assert len(few[1].cells) == 3
