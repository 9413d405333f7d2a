"""Content hashes: the ids of documents and chunks."""

from __future__ import annotations

import hashlib
from pathlib import Path


def document_id(path: Path) -> str:
    """First 16 hex digits of the SHA-256 of the file's bytes; OSError if it cannot be read."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def chunk_id(document: str, pages: tuple[int, ...], kind: str, text: str, copy: int = 0) -> str:
    """First 16 hex digits of a SHA-256 over these; `copy` counts earlier chunks of the document alike in all
    of them."""
    parts = (document, ",".join(map(str, pages)), kind, text, *([str(copy)] if copy else []))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
