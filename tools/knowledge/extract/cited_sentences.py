"""Sentences of a document's prose with what is needed to cite them: page, chunk, speaker."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tools.documents.text.cleaning import sentences, squeeze
from tools.documents.types import Chunk, ParsedDocument

MAX_SENTENCE_CHARACTERS = 480
"""Longer ones are lists or broken tables, not statements."""
_CONTINUED = re.compile(r"^\[.*?continued\]\s*")
_INLINE_SPEAKER = re.compile(r"^([A-Z][\w.'\u2019-]*(?: [A-Z(][\w.'\u2019()-]*){0,4}): ")
_BOILERPLATE = re.compile(
    r"forward-looking|safe harbor|actual results (?:could|may|might)|risk factors|we undertake no|press "
    "release|"
    r"please (?:refer|see|go ahead)|turn (?:the call|it) (?:back )?over|next question|operator instructions|"
    r"thank(?:s| you)\b.{0,40}$|good (?:morning|afternoon|evening)|10-[KQ]\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence."""

    text: str
    page: int
    chunk_id: str
    speaker: str
    """'' in filings and for unnamed speakers."""
    asked: bool
    """True for the asker's words of an exchange: a question states no fact of the company."""
    section: str = ""
    """Heading of the part of the document that it stands in."""


def passages(parsed: ParsedDocument) -> Iterator[Passage]:
    """Prose sentences in document order, without boilerplate, very long and very short ones."""
    for passage in all_passages(parsed):
        if 20 <= len(passage.text) <= MAX_SENTENCE_CHARACTERS and not _BOILERPLATE.search(passage.text):
            yield passage


def all_passages(parsed: ParsedDocument) -> Iterator[Passage]:
    """Every sentence outside tables, in document order."""
    pages = {page.number: squeeze(page.text) for page in parsed.pages}
    names = {person.name for person in parsed.participants}
    for chunk in parsed.chunks:
        if chunk.kind == "table":
            continue
        for speaker, text in _turns(chunk, names):
            for sentence in sentences(text):
                asked = chunk.kind == "exchange" and speaker == chunk.speaker
                yield Passage(
                    sentence, _page(sentence, chunk, pages), chunk.id, speaker, asked, chunk.section
                )


def _turns(chunk: Chunk, names: set[str]) -> Iterator[tuple[str, str]]:
    """(speaker, text) of each turn in a chunk; a line 'Name: ...' opens one."""
    speaker = chunk.speaker
    lines: list[str] = []
    for line in _CONTINUED.sub("", chunk.text).split("\n"):
        match = _INLINE_SPEAKER.match(line) if chunk.kind == "exchange" else None
        if match and (match[1] in names or match[1] in {"Operator", chunk.speaker}):
            if lines:
                yield speaker, " ".join(lines)
            speaker, lines = match[1], [line[match.end() :]]
        else:
            lines.append(line)
    if lines:
        yield speaker, " ".join(lines)


def _page(sentence: str, chunk: Chunk, pages: dict[int, str]) -> int:
    """The page of the chunk on which the sentence begins."""
    if len(chunk.pages) > 1:
        for length in (48, 24):
            for number in chunk.pages:
                if sentence[:length] in pages.get(number, ""):
                    return number
    return chunk.pages[0]
