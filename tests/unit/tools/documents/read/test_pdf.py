"""Words with places become lines: one text, one layout, the same lines."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import pytest

from tools.documents.read.pdf import Word, read_words, set_words


def word(text: str, left: float, base: float, size: float = 10.0) -> Word:
    return Word(text, left, left + 5.0 * len(text), base, size)


def layout(*words: Word) -> list[str]:
    text, laid = set_words(words)
    assert [" ".join(line.split()) for line in laid.split("\n")] == text.split("\n")
    return laid.split("\n")


def test_words_of_one_baseline_are_one_line_in_the_order_of_the_page() -> None:
    assert layout(word("sales", 18, 700), word("Net", 0, 700)) == ["Net sales"]


def test_a_wide_gap_parts_columns_and_figures_keep_their_right_edge() -> None:
    rows = layout(word("Desks", 0, 700), word("1,200", 275, 700), word("Lamps", 0, 688), word("7", 295, 688))
    assert {len(row) for row in rows} == {60}
    assert rows[1].split() == ["Lamps", "7"]


def test_a_footnote_mark_stays_with_the_word_that_it_is_raised_beside() -> None:
    row = layout(word("Sales", 0, 700), word("(a)", 26, 704, 5.0), word("71", 300, 700), *_filler())
    assert row[0].split() == ["Sales", "(a)", "71"]


def test_small_print_below_a_large_name_is_a_line_of_its_own() -> None:
    name = Word("Harrowmere", 0, 108, 700, 21.5), Word("Company", 114, 200, 700, 21.5)
    below = Word("(Exact", 50, 69, 688.5, 7.1), Word("name)", 71, 88, 688.5, 7.1)
    assert [row.split() for row in layout(*name, *below, *_filler())][:2] == [
        ["Harrowmere", "Company"],
        ["(Exact", "name)"],
    ]


def test_a_label_and_figures_set_a_little_lower_are_one_row() -> None:
    row = layout(word("Sales", 0, 700), word("71", 300, 695))
    assert len(row) == 1


def test_lines_apart_stay_apart() -> None:
    assert layout(word("One", 0, 700), word("Two", 0, 690)) == ["One", "Two"]


def test_white_space_between_paragraphs_is_a_blank_line() -> None:
    assert layout(word("One", 0, 700), word("Two", 0, 680)) == ["One", "", "Two"]


def test_a_currency_sign_goes_with_the_figure_behind_it() -> None:
    row = layout(
        word("Sales", 0, 700), word("16,517", 200, 700), word("$", 233, 700), word("20,779", 260, 700)
    )
    assert "16,517  $" in row[0]


def test_a_word_that_a_soft_hyphen_breaks_is_whole_on_its_first_line() -> None:
    rows = layout(word("depre\u00ad", 0, 700), word("ciation", 0, 690), word("rose", 45, 690))
    assert [row.split() for row in rows] == [["depreciation"], ["rose"]]


def _filler() -> list[Word]:
    return [word("text", 0, 680 - 12 * k) for k in range(4)]


def test_a_line_end_that_pdfium_guesses_between_touching_letters_does_not_part_a_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    printed = [("D", 10.0), ("\r", 0.0), ("\n", 0.0), ("u", 15.0), ("\r", 0.0), ("\n", 0.0), ("e", 20.0)]

    def origin(_: object, k: int, x: ctypes.c_double, y: ctypes.c_double) -> None:
        x.value, y.value = printed[k][1], 100.0

    def loose_box(_: object, k: int, box: Any) -> None:
        box.left, box.right, box.bottom, box.top = printed[k][1], printed[k][1] + 5, 98.0, 108.0

    monkeypatch.setattr(
        "tools.documents.read.pdf.pdfium",
        SimpleNamespace(
            FS_RECTF=SimpleNamespace,
            FPDFText_CountChars=lambda _: len(printed),
            FPDFText_GetUnicode=lambda _, k: ord(printed[k][0]),
            FPDFText_IsGenerated=lambda _, k: int(printed[k][0] in "\r\n"),
            FPDFText_GetLooseCharBox=loose_box,
            FPDFText_GetCharOrigin=origin,
        ),
    )
    page = SimpleNamespace(
        get_mediabox=lambda: (0.0, 0.0, 600.0, 800.0),
        get_rotation=lambda: 0,
        get_textpage=lambda: SimpleNamespace(raw=None, close=lambda: None),
    )
    assert [word.text for word in read_words(page)] == ["Due"]


def test_a_letter_in_brackets_behind_the_room_of_a_percent_sign_marks_the_figure_and_does_not_move_it() -> (
    None
):
    rows = layout(
        word("Reserves", 0, 700), word("71", 300, 700), word("(b)", 322, 704, 5.0), word("64", 400, 700),
        word("Loans", 0, 688), word("70", 300, 688), word("63", 400, 688), *_filler(),
    )  # fmt: skip
    assert rows[0].split() == ["Reserves", "71", "(b)", "64"]
    assert rows[0].index("71") == rows[1].index("70") and rows[0].index("64") == rows[1].index("63")


def test_small_figures_level_with_larger_ones_are_of_their_row() -> None:
    filler = [word("text", 0, 680 - 12 * k, 10.2) for k in range(4)]
    row = layout(
        word("Shares", 0, 700, 8.15), word("34", 300, 700, 8.17), word("50", 400, 700, 8.15), *filler
    )
    assert row[0].split() == ["Shares", "34", "50"]


def test_a_label_in_narrow_letters_does_not_push_its_figures_out_of_their_columns() -> None:
    narrow = Word("Loans that may be bought back (b)", 0, 140, 700, 10.0)
    figures = [word("1,332", 165, 700), word("1,413", 205, 700), word("8", 185, 688), word("9", 225, 688)]
    rows = layout(narrow, *figures, word("Houses", 0, 688), *_filler())
    assert {rows[0].index("1,332") + 5, rows[1].index("8") + 1} == {rows[0].index("1,332") + 5}
    assert rows[0].index("1,413") + 5 == rows[1].index("9") + 1
