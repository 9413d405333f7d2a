"""Passages of calls: what one person says in one go, short enough for one vector, to rank exchanges by."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from tools.documents.text.cleaning import sentences
from tools.documents.types import Chunk, Document
from tools.vector.embeddings import Vectors
from tools.vector.keywords import KeywordIndex

Role = Literal["remarks", "answer", "question"]
ROLES: tuple[Role, ...] = get_args(Role)
TARGET_CHARS = 700
MAX_CHARS = 1_000
"""Characters of a passage, and of a turn that is left whole; measured beside 350, 500 and 1,000."""
FOLDER = "passages"
CALLED_BY = 3
"""Letters of a first name by which a question calls somebody: 'Tom' is Thomas, too."""
_VECTORS, _ROWS, _WORDS = "vectors.npy", "rows.json", "keywords"
_TURN = re.compile(r"(?P<speaker>[^:\n]{1,60}): ")
_CONTINUED = re.compile(r"\[[^\]\n]*, continued\]")


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of one turn of a call."""

    text: str
    speaker: str
    role: Role
    """Whether it is of the prepared remarks, of an answer or of an analyst's question."""
    opens: bool
    """Whether somebody begins to speak with it."""


def passages_of(chunk: Chunk, document: Document) -> tuple[Passage, ...]:
    """The passages of a chunk of a call, in order; none of other documents, plain pieces and the operator."""
    if document.doc_type != "call" or not chunk.section:
        return ()
    if chunk.kind != "exchange":
        role: Role = "answer" if chunk.section.startswith("Questions and Answers") else "remarks"
        return tuple(_turn(chunk.text, chunk.speaker, role)) if chunk.speaker != "Operator" else ()
    found: list[Passage] = []
    speaker = chunk.speaker
    for line in chunk.text.split("\n"):
        if _CONTINUED.fullmatch(line):
            continue
        if turn := _TURN.match(line):
            speaker, line = turn["speaker"], line[turn.end() :]
        if speaker != "Operator":
            found += _turn(line, speaker, "question" if speaker == chunk.speaker else "answer")
    return tuple(found)


def _turn(text: str, speaker: str, role: Role) -> list[Passage]:
    return [Passage(piece, speaker, role, opens=at == 0) for at, piece in enumerate(_pieces(text))]


def _pieces(text: str) -> list[str]:
    """Whole sentences in pieces of about equal length, near TARGET_CHARS."""
    count = max(1, round(len(text) / TARGET_CHARS)) if len(text) > MAX_CHARS else 1
    share = len(text) / count * 1.05
    pieces = [""]
    for sentence in sentences(text):
        if pieces[-1] and len(pieces[-1]) + len(sentence) > share and len(pieces) < count:
            pieces.append("")
        pieces[-1] = f"{pieces[-1]} {sentence}".lstrip()
    return [piece for piece in pieces if piece]


def _continuing(
    chunks: Sequence[Chunk], found: Sequence[tuple[Passage, ...]], places: Mapping[int, int]
) -> Iterator[tuple[int, int]]:
    """(number of a chunk, place of the next one) where an answer too long for one chunk goes on in the next."""
    for number, (before, chunk) in enumerate(pairwise(chunks)):
        same = (before.document_id, before.section) == (chunk.document_id, chunk.section)
        goes_on = same and found[number + 1] and found[number + 1][0].role == "answer"
        if goes_on and _CONTINUED.match(chunk.text) and number + 1 in places:
            yield number, places[number + 1]


class PassageIndex:
    """The passages of an index, as arrays of one entry a passage."""

    def __init__(self, table: dict[str, list[Any]], keywords: KeywordIndex, vectors: Vectors) -> None:
        """`table`: `_ROWS` as read. KeyError or ValueError if it does not fit the rest."""
        if {len(column) for column in table.values()} != {len(vectors)} or len(keywords.ids) != len(vectors):
            raise ValueError("passages, their vectors and their words differ in number")
        self.chunks = np.array(table["chunks"], dtype=np.int64)
        """Position of its chunk among the index's rows; rises."""
        self.roles = np.array(table["roles"], dtype=np.int64)
        """Position of its role in `ROLES`."""
        self.opens = np.array(table["opens"], dtype=bool)
        self.continued: dict[int, int] = {
            before: at for at, before in zip(table["chunks"], table["follows"], strict=True) if before >= 0
        }
        """The chunk that goes on with the answer in which another one ends; both by position."""
        self.begun = self.continued.keys() - self.continued.values()
        """The chunks with which answers begin that others go on with."""
        self.speakers: list[str] = table["speakers"]
        self.called = np.array([speaker[:CALLED_BY] for speaker in self.speakers], dtype=f"<U{CALLED_BY}")
        """How the speaker's first name begins."""
        self.keywords = keywords
        self.vectors = vectors

    @classmethod
    def build(
        cls,
        folder: Path,
        chunks: Sequence[Chunk],
        documents: Mapping[str, Document],
        kept: Sequence[int],
        vectors: Vectors,
        unheard: Collection[str] = (),
    ) -> None:
        """Write `folder`, unless there are no passages: those of the chunks at the positions `kept`, in that order.

        `chunks` in reading order; `vectors`: (passages of all of them but those of documents `unheard`, dimension),
        rows of length 1. ValueError if their number is another.
        """
        found = [
            () if chunk.document_id in unheard else passages_of(chunk, documents[chunk.document_id])
            for chunk in chunks
        ]
        starts = np.cumsum([0, *map(len, found)])
        if starts[-1] != len(vectors):
            raise ValueError(f"{starts[-1]} passages, but embeddings of shape {vectors.shape}")
        rows = [(at, number, passage) for at, number in enumerate(kept) for passage in found[number]]
        if not rows:
            return
        places = {number: at for at, number in enumerate(kept)}
        follows = {at: places.get(before, -1) for before, at in _continuing(chunks, found, places)}
        folder.mkdir()
        taken = np.concatenate([np.arange(starts[number], starts[number + 1]) for number in kept])
        np.save(folder / _VECTORS, np.ascontiguousarray(vectors[taken], dtype="<f4"), allow_pickle=False)
        table = {
            "chunks": [at for at, _, _ in rows],
            "roles": [ROLES.index(passage.role) for _, _, passage in rows],
            "opens": [passage.opens for _, _, passage in rows],
            "follows": [follows.get(at, -1) for at, _, _ in rows],
            "speakers": [passage.speaker for _, _, passage in rows],
        }
        (folder / _ROWS).write_text(json.dumps(table), encoding="utf-8")
        ids = [str(number) for number in range(len(rows))]
        KeywordIndex.build(ids, [passage.text for _, _, passage in rows]).save(folder / _WORDS)

    @classmethod
    def load(cls, folder: Path) -> PassageIndex:
        """Read what `build` wrote; OSError, ValueError or KeyError when it is missing or damaged."""
        table = json.loads((folder / _ROWS).read_text(encoding="utf-8"))
        vectors: Vectors = np.asarray(np.load(folder / _VECTORS, mmap_mode="r", allow_pickle=False))
        return cls(table, KeywordIndex.load(folder / _WORDS), vectors)
