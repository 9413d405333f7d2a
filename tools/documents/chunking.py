"""Documents to chunks."""

from __future__ import annotations

from collections.abc import Sequence

from tools.documents.ids import chunk_id
from tools.documents.types import Chunk, Document, Page, Participant, Table


def recursive_chunks(
    document: Document, pages: Sequence[Page], size: int = 1024, overlap: int = 0
) -> tuple[Chunk, ...]:
    """The paper's plain splitter."""
    chunks = []
    for page in pages:
        for start in range(0, len(page.text), size):
            text = page.text[start : start + size].strip()
            if text:
                identity = chunk_id(document.id, (page.number,), "prose", text, start)
                chunks.append(Chunk(identity, document.id, text, text, (page.number,), "", "prose"))
    return tuple(chunks)


def chunk(
    document: Document, pages: Sequence[Page], tables: Sequence[Table]
) -> tuple[tuple[Chunk, ...], tuple[Participant, ...], dict[str, int]]:
    """First version: plain pieces."""
    return recursive_chunks(document, pages), (), {}
