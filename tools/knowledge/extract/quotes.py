"""Where words that a model quoted stand in what it read, word for word."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from tools.knowledge.extract.cited_sentences import Passage
from tools.model.fence import defused

MAX_QUOTE_CHARACTERS = 600
"""A longer quotation is no span that states one thing."""
_SINGLE = str.maketrans(dict.fromkeys("‘’‚‛′`´", "'"))
_DOUBLE = str.maketrans(dict.fromkeys("“”„‟″«»", '"'))
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−", "-"))
_ENDS = " \"'.,;:-\u2026"
_APART = "\n"
"""Between chunks, which no quotation crosses."""


def folded_words(text: str) -> str:
    """Blanks, quotes, dashes and capitals folded; nothing else."""
    plain = defused(text).translate(_SINGLE).translate(_DOUBLE).translate(_DASHES)
    return " ".join(re.sub(r"''", '"', plain).split()).casefold()


class Quotes:
    """The sentences of a window as one text."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        parts: list[str] = []
        self._starts: list[int] = []
        length, before = 0, ("", "")
        for passage in passages:
            place = (passage.chunk_id, passage.speaker)
            gap = "" if not parts else " " if passage.chunk_id == before[0] else _APART
            name = f"{folded_words(passage.speaker)}: " if passage.speaker and place != before else ""
            self._starts.append(length + len(gap))
            parts.append(f"{gap}{name}{folded_words(passage.text)}")
            length += len(parts[-1])
            before = place
        self._text = "".join(parts)

    def find(self, quote: str) -> Iterator[tuple[int, int]]:
        """(first, last) sentence of every place where the quotation stands; nothing for an empty or too long one."""
        words = folded_words(quote).strip(_ENDS)
        if not words or len(words) > MAX_QUOTE_CHARACTERS:
            return
        for match in re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", self._text):
            yield self._at(match.start()), self._at(match.end() - 1)

    def _at(self, offset: int) -> int:
        return max(0, bisect_right(self._starts, offset) - 1)
