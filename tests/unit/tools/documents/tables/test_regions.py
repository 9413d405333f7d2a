from __future__ import annotations

import pytest

from tools.documents.tables.cells import split_line
from tools.documents.tables.regions import find_blocks, is_year_header, row_of

HEAD = "                                  2023      2022"
TABLE = f"""{HEAD}
Desks                           $ 71,204  $ 70,118
Lamps                             18,306    17,950
Total                           $ 89,510  $ 88,068"""


def test_a_row_is_a_label_with_its_figures() -> None:
    row = row_of(split_line("Desks      Level 1              $ 71,204  $ 70,118", 4))
    assert row is not None
    assert (row.index, row.label, row.texts) == (4, "Desks", ("Level 1",))
    assert [cell.value for cell in row.cells] == ["71204", "70118"]


@pytest.mark.parametrize(
    "line",
    [
        "",
        HEAD,
        "• Desks                           71,204",
        "Orla sold 71,204",  # a lone figure right behind its words
        "Desks         sold to customers outside of our stores         71,204   70,118",
        "Desks     a    b    c    d            71,204   70,118",
        "- .          71,204   70,118",
        "Period                      Total bought (1)      Price (2)      Desks left",
        "Due                         Total      1 year      1-3 years     3-5 years",
    ],
)
def test_headers_and_prose_are_no_rows(line: str) -> None:
    assert row_of(split_line(line, 0)) is None


def test_years_are_a_header_and_other_figures_are_not() -> None:
    assert is_year_header(split_line(HEAD, 0))
    assert is_year_header(split_line("Three Months Ended June 30,          2023      2022", 0))
    assert not is_year_header(split_line("Desks          2023      1,204", 0))


def test_rows_under_each_other_are_one_block_with_two_columns() -> None:
    _, [block] = find_blocks(1, TABLE)
    assert [row.label for row in block.rows] == ["Desks", "Lamps", "Total"]
    assert [row.columns for row in block.rows] == [[0, 1]] * 3
    assert (block.first_line, block.last_line) == (1, 4)


def test_prose_between_two_runs_parts_them() -> None:
    prose = "Orla sold more desks than it had planned, which the following table shows by region:"
    _, blocks = find_blocks(1, f"{TABLE}\n\n{prose}\n\n{TABLE}")
    assert len(blocks) == 2


def test_a_page_number_is_no_row() -> None:
    _, [block] = find_blocks(1, f"{TABLE}\n\n\n                                    12")
    assert len(block.rows) == 3


def test_words_with_points_between_their_letters_name_a_row() -> None:
    row = row_of(split_line("   U.S.                            16 %      9 %", 0))
    assert row is not None and row.label == "U.S."


def test_words_behind_the_figures_are_kept_as_a_remark() -> None:
    row = row_of(
        split_line("Desks       $ 71,204  $ 70,118   Selling, general and administrative expenses", 0)
    )
    assert row is not None
    assert row.remarks == ("Selling, general and administrative expenses",)


def test_a_row_of_void_marks_is_a_row() -> None:
    row = row_of(split_line("Share of sales                     *         *", 0))
    assert row is not None and [cell.kind for cell in row.cells] == ["void", "void"]


def test_a_row_right_below_the_last_is_of_its_table_even_under_a_column_of_its_own() -> None:
    _, [block] = find_blocks(1, f"{TABLE}\nChairs                   50 %")
    assert [row.label for row in block.rows] == ["Desks", "Lamps", "Total", "Chairs"]
    assert len(block.columns) == 3


def test_a_heading_that_runs_over_the_figures_does_not_end_the_rows() -> None:
    heading = "Desks and lamps of stores that were closed in the year"
    _, [block] = find_blocks(1, f"{TABLE}\n{heading}\nDesks                           $  1,204  $    118")
    assert [row.label for row in block.rows if row.is_heading] == [heading]


def test_the_number_of_a_footnote_alone_on_a_line_does_not_end_the_rows() -> None:
    _, [block] = find_blocks(
        1, f"{TABLE}\n               (2)\nChairs                             1,204     1,118"
    )
    assert [row.label for row in block.rows] == ["Desks", "Lamps", "Total", "Chairs"]


def test_a_column_of_percent_signs_without_currency_signs_is_one_of_percentages() -> None:
    _, [block] = find_blocks(
        1, "Desks        $ 71,204    21.0 %\nLamps          18,306     3.6\nTotal        $ 89,510    24.6 %"
    )
    assert [column.percent for column in block.columns] == [False, True]
