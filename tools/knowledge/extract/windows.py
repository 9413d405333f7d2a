"""A document's prose as one text of which the page of every character is known, and its cut into windows
(Sarmah et al. 2024, 4.1: 2024 characters with an overlap of 204)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.documents.types import ParsedDocument
from tools.knowledge.extract.cited_sentences import Passage, all_passages

MAX_CHARACTERS = 2024
MAX_OVERLAP = 204
MIN_CHARACTERS = MAX_CHARACTERS * 3 // 4
"""A window ends at a sentence's end where one lies beyond this many characters."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """Sentences in document order, joined; a line for each chunk and each turn, which its speaker's name opens."""

    text: str
    passages: tuple[Passage, ...]
    starts: tuple[int, ...]
    """Offset of each passage in `text`, the name before it included."""

    def between(self, start: int, end: int) -> tuple[Passage, ...]:
        """Sentences that lie, whole or in part, in `text[start:end]`."""
        return self.passages[self._at(start) : self._at(end - 1) + 1]

    def _at(self, offset: int) -> int:
        return max(0, bisect_right(self.starts, offset) - 1)


@dataclass(frozen=True, slots=True)
class Window:
    """A piece of a source text as the model reads it."""

    start: int
    end: int
    text: str
    """`source.text[start:end]` without blanks around it."""
    passages: tuple[Passage, ...]
    """The sentences it holds, whole or in part; never cut themselves."""


def source_text(parsed: ParsedDocument) -> SourceText:
    """The prose of a document."""
    return _source(tuple(all_passages(parsed)))


def joined(some: Sequence[Passage]) -> str:
    """The text of these sentences as a window has it."""
    return _source(tuple(some)).text


def _source(kept: tuple[Passage, ...]) -> SourceText:
    parts: list[str] = []
    starts: list[int] = []
    length, before = 0, ("", "")
    for passage in kept:
        place = (passage.chunk_id, passage.speaker)
        name = f"{passage.speaker}: " if passage.speaker and passage.speaker != before[1] else ""
        gap = "" if not parts else " " if place == before else "\n"
        starts.append(length + len(gap))
        parts.append(f"{gap}{name}{passage.text}")
        length += len(parts[-1])
        before = place
    return SourceText("".join(parts), kept, tuple(starts))


def windows(source: SourceText) -> Iterator[Window]:
    """Windows of at most 2024 characters that cover the text; each begins in the last 204 of the one before."""
    text, start = source.text, 0
    while start < len(text):
        end = _end(source, start)
        yield Window(start, end, text[start:end].strip(), source.between(start, end))
        if end == len(text):
            return
        start = _next_start(source, end)


def _end(source: SourceText, start: int) -> int:
    end = start + MAX_CHARACTERS
    if end >= len(source.text):
        return len(source.text)
    opening = source.starts[bisect_right(source.starts, end) - 1]
    if opening > start + MIN_CHARACTERS:
        return opening
    blank = source.text.rfind(" ", start + MIN_CHARACTERS, end)
    return end if blank < 0 else blank + 1


def _next_start(source: SourceText, end: int) -> int:
    """The first sentence that begins in the overlap, else the first word."""
    least = end - MAX_OVERLAP
    index = bisect_right(source.starts, least - 1)
    if index < len(source.starts) and source.starts[index] < end:
        return source.starts[index]
    blank = source.text.find(" ", least, end - 1)
    return least if blank < 0 else blank + 1
