from __future__ import annotations

import pytest

from tools.documents.tables.unit_notes import NOTE, currency_of, note_text, scale_of


@pytest.mark.parametrize(
    ("text", "note", "scale", "currency"),
    [
        ("(In millions, except per share amounts)", "In millions, except per share amounts", 6, ""),
        (
            "$ and shares in millions, except per share amounts",
            "$ and shares in millions, except per share amounts",
            6,
            "USD",
        ),
        (
            "Millions, Except Per Share Amounts, for the Years Ended May 31,",
            "Millions, Except Per Share Amounts",
            6,
            "",
        ),
        ("2023 £m", "£m", 6, "GBP"),
        ("£’000", "£’000", 3, "GBP"),
        ("(in € thousands)", "in € thousands", 3, "EUR"),
        ("(000's)", "000's", 3, ""),
    ],
)
def test_a_note_says_its_scale_and_currency(text: str, note: str, scale: int, currency: str) -> None:
    match = NOTE.search(text)
    assert match is not None
    assert (note_text(match), scale_of(note), currency_of(note)) == (note, scale, currency)


@pytest.mark.parametrize(
    "text", ["$5 million in cash", "$ 1,234", "Millions of people ride it", "in the thousands of years"]
)
def test_amounts_and_prose_are_no_notes(text: str) -> None:
    assert NOTE.search(text) is None
