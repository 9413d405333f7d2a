from __future__ import annotations

from tools.documents.text.grid import Placed, lay_out_cells, lay_out_rows


def test_the_first_column_is_set_to_the_left_and_the_others_to_the_right() -> None:
    assert lay_out_rows([["Desks", "5", "14"], [], ["Oak", "1,000", "2"]]) == [
        "Desks        5    14", "", "Oak      1,000     2"
    ]  # fmt: skip


def test_a_cell_over_two_columns_stands_over_their_middle_and_its_start_is_told() -> None:
    rows = [[Placed("Year", 1, 2)], [Placed("Desks", 0, 0), Placed("1,000", 1, 1), Placed("2,000", 2, 2)]]
    assert lay_out_cells(rows) == [
        ("              Year", (14,)),
        ("Desks    1,000    2,000", (0, 9, 18)),
    ]


def test_columns_grow_to_hold_a_long_cell_over_them() -> None:
    row = [Placed("a", 0, 0), Placed("1", 1, 1), Placed("2", 2, 2)]
    (heading, starts), (line, _) = lay_out_cells([[Placed("Years ended in June", 1, 2)], row])
    assert starts == (5,) and 0 <= len(line) - len(heading) <= 1


def test_a_cell_alone_at_the_left_widens_no_column() -> None:
    rows = [[Placed("A long heading of the rows below", 0, 0)], [Placed("a", 0, 0), Placed("1", 1, 1)]]
    assert [line for line, _ in lay_out_cells(rows)] == ["A long heading of the rows below", "a    1"]


def test_words_beyond_the_first_column_are_set_to_the_left() -> None:
    rows = [[Placed("a", 0, 0), Placed("oak", 1, 1, True)], [Placed("b", 0, 0), Placed("beech", 1, 1, True)]]
    assert [line for line, _ in lay_out_cells(rows)] == ["a    oak", "b    beech"]


def test_cells_that_would_overlap_stay_apart() -> None:
    ((line, _),) = lay_out_cells([[Placed("wide label", 0, 0), Placed("5", 0, 0)]])
    assert line == "wide label  5"
