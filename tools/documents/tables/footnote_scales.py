"""Scales that the footnotes of a table give the columns and rows that carry their marks: '(a) In thousands.'"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tools.documents.tables.cells import Line
from tools.documents.tables.table_parts import Block
from tools.documents.tables.unit_notes import SCALE_WORD

_FOOTNOTE = re.compile(
    r"(?P<mark>\([a-z\d]\))\s+(?P<note>(?:shown |stated )?in (?:thousands|millions|billions))\b", re.I
)
_MARK = re.compile(r"\([a-z\d]\)")
MAX_BELOW = 30
"""Lines below a table that may hold its footnotes."""


def take_footnotes(blocks: Sequence[Block], lines: Sequence[Line]) -> None:
    """Put the scale of a footnote into the heads and labels that carry its mark and state no scale themselves."""
    ends = [*(block.first_line for block in blocks[1:]), len(lines)]
    for block, end in zip(blocks, ends, strict=False):
        below = lines[block.last_line : min(end, block.last_line + MAX_BELOW)]
        found = [match for line in below if (match := _FOOTNOTE.match(line.text))]
        scales = {match["mark"]: f"({match['note']})" for match in found}
        if not scales:
            continue
        for column in block.columns:
            column.texts += _scales_of(" ".join(column.texts), scales)
        for row in block.rows:
            row.raw_label = " ".join((row.raw_label, *_scales_of(row.raw_label, scales)))


def _scales_of(text: str, scales: dict[str, str]) -> list[str]:
    if SCALE_WORD.search(text):
        return []
    return list(dict.fromkeys(scales[mark] for mark in _MARK.findall(text) if mark in scales))
