"""Notes that say in what a table's figures are printed: '(in millions, except per share data)', '£m', 'US$ 000'."""

from __future__ import annotations

import re

from tools.value_patterns import CURRENCY_SIGNS, CURRENCY_WORDS

_SCALE = r"(?:millions|thousands|billions|thous(?=\.))"
NOTE = re.compile(
    rf"\((?P<note>[^()]*\b(?:in|dollars|shares)\s+(?:[^\s()]+\s+)?{_SCALE}\b[^()]*(?:\([^()]*\)[^()]*)?)\)"
    rf"|\((?P<short>(?:U?S?\$ ?|dollars )?(?:{_SCALE}|000['’]?s)\b[^()]*)\)"
    rf"|(?P<bare>(?<!\w)(?:dollars|amounts|\$|US\$|USD)\s+(?:and \w+ )?in {_SCALE}\b[^.()]*)"
    rf"|^(?P<line>(?:in )?{_SCALE}(?: of \w+(?: \w+)?)?(?:, except [^.()]*?)?)(?=, for\b|$|:)"
    r"|\(?(?P<mark>(?:in )?(?:US|C|A)?[$£€¥]\s?(?:millions?|thousands?|billions?|mn?|bn|k|['’‘]?000s?))"
    r"(?![\w,.]\d?)\)?",
    re.IGNORECASE,
)
SCALE_WORD = re.compile(
    r"\b(?P<word>thousands?|thous(?=\.)|millions?|billions?|000['’]?s)\b|(?<=[$£€¥])\s?['’‘]?(?P<mark>mn?|bn|k|000s?)\b",
    re.IGNORECASE,
)
_SCALES = {"t": 3, "k": 3, "0": 3, "m": 6, "b": 9}
"""By first letter."""


def note_text(match: re.Match[str]) -> str:
    """What a match of `NOTE` says, without its brackets."""
    return next(match[name] for name in ("note", "short", "bare", "line", "mark") if match[name])


def scale_of(text: str) -> int | None:
    """The power of ten that a note or label names first: 6 of 'in millions' and of '£m'; None without one."""
    match = SCALE_WORD.search(text)
    return None if match is None else _SCALES[(match["word"] or match["mark"])[0].lower()]


def currency_of(note: str) -> str:
    """ISO code of the money that a note names by sign or word; '' without one."""
    for sign in sorted(CURRENCY_SIGNS, key=len, reverse=True):
        if sign in note:
            return CURRENCY_SIGNS[sign]
    words = note.lower()
    return next((code for name, code in CURRENCY_WORDS.items() if re.search(rf"\b{name}s?\b", words)), "")
