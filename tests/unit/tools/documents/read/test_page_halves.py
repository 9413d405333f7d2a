"""tools.documents.read.page_halves: two tables side by side are read one after the other, one table is never cut."""

from __future__ import annotations

from tools.documents.read.page_halves import Piece, find_halves
from tools.documents.read.pdf import Word, set_words


def row(label: str, *figures: str, left: float = 40) -> list[Piece]:
    """A label at `left` and its figures, 60 points apart."""
    named = [Piece(label, left, left + 80, False)] if label else []
    return [
        *named,
        *(Piece(f, left + 130 + 60 * k, left + 160 + 60 * k, True) for k, f in enumerate(figures)),
    ]


NAMES = ("Loans", "Deposits", "Bonds", "Cards", "Homes", "Cars")
LEFT = [row(name, "12", "15") for name in NAMES]
RIGHT = [row(name, "31", "36", left=295) for name in ("Asia", "Europe", "Africa", "Oceania")]


def test_rows_beside_none_of_the_other_half_tell_two_tables() -> None:
    lines = [LEFT[0], *[a + b for a, b in zip(LEFT[1:3], RIGHT[:2], strict=True)], *LEFT[3:], *RIGHT[2:]]
    band = find_halves(lines)
    assert band is not None and (band.first, band.last) == (0, len(lines) - 1) and 200 < band.middle < 295


def test_a_line_over_the_whole_width_ends_what_stands_side_by_side() -> None:
    title = [Piece("Two tables of which each has rows of its own, and a title", 40, 520, False)]
    band = find_halves([title, *LEFT, *RIGHT])
    assert band is not None and band.first == 1


def test_one_table_whose_columns_of_words_repeat_is_no_pair() -> None:
    places = [row("Other assets", "31", "36", left=295) for _ in NAMES]
    assert find_halves([*[a + b for a, b in zip(LEFT, places, strict=True)], *places]) is None


def test_one_table_whose_rows_go_on_is_no_pair() -> None:
    wide = [row(name, "31", "36", left=295) for name in ("One", "Two", "Three", "Four", "Five", "Six")]
    assert find_halves([a + b for a, b in zip(LEFT, wide, strict=True)]) is None


def test_a_table_of_figures_alone_on_the_right_is_no_pair() -> None:
    assert find_halves([row(name, "1", "2", "3", "4", "5") for name in NAMES]) is None
    assert find_halves([]) is None


def test_the_left_half_of_a_page_is_set_before_the_right_one() -> None:
    lines = [LEFT[0], *[a + b for a, b in zip(LEFT[1:3], RIGHT[:2], strict=True)], *LEFT[3:], *RIGHT[2:]]
    words = [
        Word(piece.text, piece.left, piece.right, 700.0 - 12 * number, 10.0)
        for number, line in enumerate(lines)
        for piece in line
    ]
    text, layout = set_words(words)
    labels = [line.split()[0] for line in text.split("\n") if line]
    assert labels == [*NAMES, "Asia", "Europe", "Africa", "Oceania"]
    assert len(text.split("\n")) == len(layout.split("\n"))
    assert next(line for line in layout.split("\n") if "Asia" in line).startswith("Asia")


def text(left: float) -> list[list[Piece]]:
    """Running text of half a page."""
    lines = ("The firm sold more", "of its desks than in", "the year before and", "it bought no lamps")
    return [[Piece(line, left, left + 200, False)] for line in 2 * lines]


def test_text_beside_a_table_is_no_part_of_its_rows() -> None:
    band = find_halves([a + b for a, b in zip(text(40), [*RIGHT, *([[]] * 4)], strict=True)])
    assert band is not None and (band.first, band.last) == (0, 7)


def test_text_in_two_columns_is_read_one_column_after_the_other() -> None:
    assert find_halves([a + b for a, b in zip(text(40), text(275), strict=True)]) is not None


def test_short_labels_beside_a_table_are_no_text() -> None:
    labels = [[Piece(name, 40, 90, False)] for name in NAMES]
    assert find_halves([a + b for a, b in zip(labels, [*RIGHT, [], []], strict=True)]) is None


def test_tables_below_each_other_may_repeat_their_labels() -> None:
    places = [row(name, "31", "36", left=295) for name in ("Asia", "Europe", "Asia", "Europe", "Africa")]
    assert find_halves([*LEFT, *places]) is not None
