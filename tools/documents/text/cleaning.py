"""Text as read from files, made safe and whole: invisible characters, broken lines, sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate

from tools.documents.text.control_sequences import without_escapes

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_INVISIBLE = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x3164, 0xFFA0}
_BROKEN_WORD = re.compile("\u00ad[ \t]*\n[ \t]*")
_NEWLINES = re.compile(r"\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
MAX_LINE = 2_000
"""Characters of a line: no printed line has as many, and what reads a line may cost the square of its length."""


@lru_cache(maxsize=4096)
def _clean_character(character: str) -> str:
    if character == "\n":
        return character
    code = ord(character)
    if character in _LIGATURES:
        return _LIGATURES[character]
    if character == "\t" or code == 0x2800 or unicodedata.category(character) == "Zs":
        return " "
    if code == 0xF0B7:  # the Symbol font's bullet, which PDFs give a private code
        return "•"
    if code in _INVISIBLE or 0xFE00 <= code <= 0xFE0F or 0xE0000 <= code <= 0xE0FFF:
        return ""
    # Cc control, Cf format (zero-width, direction-changing, soft hyphen), Cs, Co, Cn have nothing to show.
    return "" if unicodedata.category(character)[0] == "C" else character


def clean(text: str) -> str:
    """`text` without characters that a reader cannot see and that could mislead a reader or a model.

    Removed: control sequences; control, format (zero-width and direction-changing), surrogate, private-use and
    unassigned
    characters, variation selectors, fillers. A word broken by a soft hyphen is made whole. Every kind of
    blank becomes one space, every kind of line end one newline, Latin ligatures their letters; a line of more
    than `MAX_LINE` characters goes on in the next one. Idempotent; printed characters stay as they are.
    """
    text = _BROKEN_WORD.sub("", _NEWLINES.sub("\n", without_escapes(text)))
    if not (text.isascii() and text.replace("\n", "").isprintable()):
        text = "".join(map(_clean_character, text))
    if len(text) <= MAX_LINE:
        return text
    return "\n".join(part for line in text.split("\n") for part in _short_lines(line))


def _short_lines(line: str) -> Iterator[str]:
    """The line cut before words, where there are any, into parts of at most `MAX_LINE` characters."""
    start = 0
    while len(line) - start > MAX_LINE:
        blank = line.rfind(" ", start + MAX_LINE // 2, start + MAX_LINE + 1)
        end = blank if blank >= 0 else start + MAX_LINE
        yield line[start:end]
        start = end + 1 if blank >= 0 else end
    yield line[start:]


def squeeze(text: str) -> str:
    """`text` on one line, with single spaces."""
    return " ".join(text.split())


_NAME_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+(?:\.\d+)?")


def name_words(name: str) -> list[str]:
    """The words of a name written together: 'NetIncomeLoss' is Net, Income, Loss."""
    return _NAME_WORD.findall(name)


def join_lines(lines: Sequence[str]) -> str:
    """Lines of one paragraph as one line.

    A hyphen at a line's end is kept (in filings and transcripts it belongs to a compound such as
    'non-GAAP'; justified text that breaks words carries a soft hyphen, which `clean` removes) and the next
    line is joined to it without a space.
    """
    return "".join(_joints(lines))


def joined_ends(lines: Sequence[str]) -> list[int]:
    """For each line the length of `join_lines` up to its end."""
    return list(accumulate(map(len, _joints(lines))))


def _joints(lines: Sequence[str]) -> Iterator[str]:
    """What each line adds to the lines before it; '' of a blank one."""
    before = ""
    for line in map(squeeze, lines):
        yield f" {line}" if before and line and not _goes_on(before, line) else line
        before = line or before


def _goes_on(before: str, line: str) -> bool:
    """Does a compound broken after its hyphen go on in this line?"""
    head = before[-2:-1]
    return before.endswith("-") and head.isascii() and head.isalpha() and line[0].isalnum()


_END = re.compile(r"[.!?][\"'”’)\]]*\s+(?=[\"'“‘(\[$•—-]*\s*[A-Z0-9])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Jr|Sr|St|Inc|Corp|Co|Ltd|Cos|No|Nos|vs|approx|Fig|Sec|Rev|Gen|Gov|Sen|Rep|Prof|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|[A-Z])|\b[A-Za-z]\.[A-Za-z]|\be\.g|\bi\.e|\bet al)\.$"
)
_MAX_ABBREVIATION = 8
"""Characters of what the two patterns around find, its full stop included."""
_STILL_OPEN = re.compile(r"(?:Inc|Corp|Co|Ltd|Jr|Sr|U\.S|a\.m|p\.m|etc|[A-Z]\.[A-Z])\.$")
_NEXT_WORD = re.compile(r"[\"'“‘(\[]*(\w{1,16})(?!\w)")
_OPENERS = frozenset(
    [
        "The",
        "We",
        "Our",
        "In",
        "It",
        "This",
        "These",
        "Those",
        "As",
        "For",
        "At",
        "On",
        "A",
        "An",
        "If",
        "While",
        "During",
        "Although",
        "However",
        "Additionally",
        "Total",
        "There",
        "To",
        "With",
        "Such",
        "Under",
        "Since",
        "After",
        "And",
        "But",
        "So",
        "You",
        "They",
        "I",
        "That",
        "Thank",
        "Thanks",
        "Before",
        "Please",
        "Other",
    ]
)


def sentences(text: str) -> list[str]:
    """`text` cut at sentence ends; joined by single spaces the parts give `squeeze(text)` back.

    Ends inside abbreviations ('Mr. Roy', 'U.S. dollar', 'Inc. and') and numbers are not cut; after one that
    may also close a sentence ('in the U.S.') a word that opens sentences decides.
    """
    text = squeeze(text)
    parts: list[str] = []
    start = 0
    for match in _END.finditer(text):
        stop = match.start() + 1
        tail = max(start, stop - _MAX_ABBREVIATION)
        if _ABBREVIATION.search(text, tail, stop):
            next_word = _NEXT_WORD.match(text, match.end())
            if not (_STILL_OPEN.search(text, tail, stop) and next_word and next_word[1] in _OPENERS):
                continue
        parts.append(text[start : match.end()].rstrip())
        start = match.end()
    if start < len(text):
        parts.append(text[start:])
    return parts
