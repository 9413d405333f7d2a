from __future__ import annotations

import pytest

from tools.documents.structure.noise import Line
from tools.documents.structure.sections import read_blocks

PROSE = "The company sold more desks in the quarter than it had planned to sell before the holidays."


def sections(*lines: str, **options: int) -> list[str]:
    return [block.section for block in read_blocks([Line(1, line) for line in lines], **options)]


def test_part_item_note_and_heading_stand_in_the_sections_name() -> None:
    lines = ("PART I", "Item 2. Properties", PROSE, "Note 3 – Leases", PROSE, "Office Leases", PROSE)
    assert sections(*lines) == [
        "Part I, Item 2 - Properties",
        "Part I, Item 2 - Properties > Note 3 – Leases",
        "Part I, Item 2 - Properties > Note 3 – Leases > Office Leases",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Office Leases were renewed,",  # closed like a part of a sentence
        "• Office Leases",
        "Office Leases $ 5",
        "Office Leases 71,204 70,118",
        "Three Months Ended July 1, 2023",
        "71,204 Office Leases",
        "of the",
        "office leases and other leases that were renewed before",  # sentence case, too long
    ],
)
def test_what_is_no_title_is_no_heading(line: str) -> None:
    assert sections(PROSE, line, PROSE) == [""]


def test_a_heading_stands_between_finished_text_and_text_that_begins_anew() -> None:
    assert sections(PROSE, "Office Leases", PROSE) == ["", "Office Leases"]
    assert sections(PROSE[:-1], "Office Leases", PROSE) == [""]
    assert sections(PROSE, "Office Leases", PROSE.lower()) == [""]


def test_a_line_full_of_figures_that_breaks_in_mid_sentence_is_no_row() -> None:
    broken = (
        "• Desks brought $1.9 billion, down $762 million from Q1 2022. Volume fell 32% in Q1 2023, driven by lower",
        "demand of schools. Prices rose 5%.",
    )
    (block,) = read_blocks([Line(1, line) for line in broken])
    assert [text for text, _, _ in block.pieces][1:] == [
        "Volume fell 32% in Q1 2023, driven by lower demand of schools.",
        "Prices rose 5%.",
    ]
    rows = read_blocks([Line(1, "Desks and chairs 12,000 11,000"), Line(1, "of them in Spain 7,000 6,000")])
    assert [text for text, _, _ in rows[0].pieces] == [
        "Desks and chairs 12,000 11,000",
        "of them in Spain 7,000 6,000",
    ]


def test_cover_pages_have_no_headings() -> None:
    assert sections(PROSE, "Office Leases", PROSE, cover_pages=1) == [""]
