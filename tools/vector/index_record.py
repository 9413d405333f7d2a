"""`vectors.json`: what an index holds, and hashes that show whether it still does."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from tools.documents.types import Chunk, Document
from tools.periods import Period
from tools.vector.chroma import Metadata
from tools.vector.embeddings import Vectors

FORMAT = 1


@dataclass(frozen=True, slots=True)
class IndexedDocument:
    """What retrieval needs to know of a document."""

    id: str
    name: str
    company: str
    company_key: str
    doc_type: str
    period_end: date | None
    fiscal_year: int | None
    fiscal_quarter: int | None

    @property
    def period(self) -> Period:
        """As `Document.period`."""
        return Period(self.period_end, None, self.fiscal_year, self.fiscal_quarter)


@dataclass(frozen=True, slots=True)
class Row:
    """One stored chunk."""

    id: str
    document_id: str
    folded: str
    """Hash of the text without differences of case and white space."""
    exact: str
    """Hash of the text."""


@dataclass(frozen=True, slots=True)
class IndexRecord:
    """The table of contents of an index, sorted by id throughout."""

    embedder: str
    dimension: int
    duplicates: int
    documents: tuple[IndexedDocument, ...]
    rows: tuple[Row, ...]
    files: dict[str, str]
    """SHA-256 of every file that no reader changes, by its path in the index's folder."""
    digest: str
    """As `digest` makes it of the content written."""
    format: int = FORMAT

    def save(self, path: Path) -> None:
        """Write one line of JSON under a line with its SHA-256."""
        body = json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"), default=date.isoformat)
        path.write_text(f"{text_hash(body)}\n{body}\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> IndexRecord:
        """Read what `save` wrote; OSError when missing, ValueError when damaged or of another format."""
        seal, _, body = path.read_text(encoding="utf-8").removesuffix("\n").partition("\n")
        if text_hash(body) != seal:
            raise ValueError(f"{path.name} is not what was written")
        fields: dict[str, Any] = orjson.loads(body)
        if fields["format"] != FORMAT:
            raise FormatError(f"format {fields['format']}, not {FORMAT}")
        return cls(
            **fields
            | {
                "documents": tuple(_document(item) for item in fields["documents"]),
                "rows": tuple(
                    Row(row["id"], row["document_id"], row["folded"], row["exact"]) for row in fields["rows"]
                ),
            }
        )


class FormatError(ValueError):
    """The index was written by another version of this program."""


def _document(fields: dict[str, Any]) -> IndexedDocument:
    end = fields["period_end"]
    return IndexedDocument(**fields | {"period_end": None if end is None else date.fromisoformat(end)})


def describe(document: Document) -> IndexedDocument:
    """The part of a document that the index keeps."""
    return IndexedDocument(
        id=document.id,
        name=document.name,
        company=document.company,
        company_key=document.company_key,
        doc_type=document.doc_type,
        period_end=document.period_end,
        fiscal_year=document.fiscal_year,
        fiscal_quarter=document.fiscal_quarter,
    )


def row_of(chunk: Chunk) -> Row:
    """What the index keeps of a chunk."""
    return Row(chunk.id, chunk.document_id, text_hash(fold(chunk.text)), text_hash(chunk.text))


def metadata(chunk: Chunk, document: Document) -> Metadata:
    """What Chroma keeps beside a chunk; a field that is not known is left out, since Chroma has no null."""
    end = document.period_end
    known: dict[str, str | int | None] = {
        "document_id": document.id,
        "company_key": document.company_key,
        "doc_type": document.doc_type,
        "period_end": None if end is None else end.isoformat(),
        "fiscal_year": document.fiscal_year,
        "fiscal_quarter": document.fiscal_quarter,
        "year": None if end is None else end.year,
        "quarter": None if end is None else (end.month - 1) // 3 + 1,
        "page": min(chunk.pages, default=1),
        "kind": chunk.kind,
        "section": chunk.section,
        "speaker": chunk.speaker,
    }
    return {key: value for key, value in known.items() if value is not None}


def keep_first(chunks: Sequence[Chunk], documents: Mapping[str, Document]) -> list[int]:
    """Positions of the chunks to store, by id: of those that say the same (folded) in documents of the same
    company, type and period, only the one that stands first by path and page."""
    first: dict[tuple[object, ...], int] = {}

    def place(number: int) -> tuple[str, int, str]:
        chunk = chunks[number]
        return documents[chunk.document_id].path, min(chunk.pages, default=1), chunk.id

    for number in sorted(range(len(chunks)), key=place):
        twins = twins_of(documents[chunks[number].document_id])
        first.setdefault((*twins, fold(chunks[number].text)), number)
    return sorted(first.values(), key=lambda number: chunks[number].id)


def twins_of(document: Document) -> tuple[object, ...]:
    """What documents share of which one may repeat another's chunks."""
    return document.company_key, document.doc_type, document.period


def fold(text: str) -> str:
    """The text without differences of case and white space."""
    return " ".join(text.casefold().split())


def text_hash(text: str) -> str:
    """First 32 hex digits of the SHA-256 of the text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def file_hash(path: Path) -> str:
    """SHA-256 of the file's bytes, in hex; OSError if it cannot be read."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest(
    embedder: str,
    documents: Iterable[IndexedDocument],
    keyword_files: Mapping[str, str],
    content: Iterable[tuple[str, str, Metadata, Vectors]],
) -> str:
    """SHA-256 over id, text, metadata and vector of each chunk, the documents, embedder and BM25's files."""
    total = hashlib.sha256()
    head = [embedder, [asdict(item) for item in documents], sorted(keyword_files.items())]
    total.update(json.dumps(head, sort_keys=True, default=date.isoformat).encode())
    for chunk, text, fields, vector in content:
        total.update(json.dumps([chunk, text, fields], sort_keys=True).encode())
        total.update(np.ascontiguousarray(vector, dtype="<f4").tobytes())
    return total.hexdigest()
