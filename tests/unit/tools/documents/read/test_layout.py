from __future__ import annotations

from tools.documents.read.layout import holds_table


def test_three_lines_of_figures_are_a_table_and_two_are_not() -> None:
    rows = ["Products 71,204 70,118", "Services 18,306 17,950", "Total 89,510 88,068"]
    assert holds_table("\n".join(rows))
    assert not holds_table("\n".join(rows[:2]))


def test_one_row_is_enough_under_a_period_or_a_unit() -> None:
    assert holds_table("Three Months Ended July 1, 2023\nProducts 71,204 70,118")
    assert holds_table("(in millions)\nProducts 71,204 70,118")


def test_five_figures_on_lines_of_their_own_are_cells() -> None:
    assert holds_table("71,204\n70,118\n18,306\n17,950\n$89,510")
    assert not holds_table("71,204\n70,118\n18,306\n17,950\nnone")


def test_sentences_with_figures_are_prose() -> None:
    assert not holds_table("Orla sold 71,204 desks and 18,306 lamps in the quarter.\n" * 4)
