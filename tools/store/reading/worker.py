"""The reading process: one document at a time, from file to stored record.

Run as `python -m tools.store.reading.worker` by `pool`: JSON lines on standard input and output. It dies with its
parent. An error nobody foresaw ends it; the parent then names the document and starts another.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tools.documents.errors import DocumentError
from tools.documents.read.child import Limits
from tools.documents.read.parse import parse_document
from tools.documents.types import Page, ParsedDocument
from tools.knowledge.types import TripletExtractor
from tools.model.types import ModelError
from tools.model_files import ModelFileError
from tools.store.disk.child_process import die_with, free_output
from tools.store.disk.records import RecordKey, StoredRecord, embed_again, write_record
from tools.store.errors import RecordDamagedError
from tools.store.reading.allowance import Allowance
from tools.store.reading.flags import overrides_from_json
from tools.store.reading.worker_pipe import MAX_TEXTS_A_REQUEST, PipedChat, PipedEmbedder, WorkerPipe
from tools.vector.document_vectors import embed_document, texts_to_embed, vectors_by_text
from tools.vector.embeddings import Embedder, Vectors

TEXTS_BETWEEN_WORDS = 32
"""Texts embedded on this machine before the process says where it is."""
UNREADABLE = "{}: it cannot be read: {}."
CHANGED = "{}: it changed while it was being read. Index it again."


def describe_factory(factory: Callable[..., Any]) -> dict[str, Any]:
    """A class, function or `partial` of one with plain keyword arguments, as JSON; ValueError if it is
    another thing.

    The process that reads documents imports it by name: it must stand at the top level of a module.
    """
    made: Any = factory.func if isinstance(factory, partial) else factory
    arguments: dict[str, Any] = {}
    if isinstance(factory, partial):
        if factory.args:
            raise ValueError("a factory's arguments must be given by keyword")
        arguments = dict(factory.keywords)
    description = {"target": f"{made.__module__}:{made.__qualname__}", "arguments": arguments}
    if _target(description) is not made:
        raise ValueError(f"{made!r} cannot be imported by its name")
    return description


def _made(description: Mapping[str, Any], **more: Any) -> Any:
    return _target(description)(**description["arguments"], **more)


def _target(description: Mapping[str, Any]) -> Any:
    module, _, name = description["target"].partition(":")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def main() -> None:
    """Serve until standard input ends."""
    pipe = WorkerPipe(sys.stdin.fileno(), free_output())
    tasks = pipe.tasks()
    start = next(tasks, None)
    if start is None:
        return
    die_with(start["parent"])
    try:
        worker = _Worker(start, pipe)
        worker.warm()
        worker.allowance.limit_memory()
    except ModelFileError as error:
        pipe.send(unfit=str(error))
        return
    pipe.send(ready=True)
    for task in tasks:
        started = time.monotonic()
        pipe.send(**worker.do(task), seconds=round(time.monotonic() - started, 3))


class _Worker:
    def __init__(self, start: Mapping[str, Any], pipe: WorkerPipe) -> None:
        self._pipe = pipe
        self.home = Path(start["home"])
        self.splitter = start["splitter"]
        self.limits = Limits(**start["limits"])
        self.allowance = Allowance(self.limits)
        self.local = "asked" not in start["embedder"]
        self.embedder: Embedder = (
            _made(start["embedder"]) if self.local else PipedEmbedder(pipe, start["embedder"]["asked"])
        )
        asking = {"chat": PipedChat(pipe, start["chat"]), **start["asking"]} if start["chat"] else {}
        self.extractor: TripletExtractor = _made(start["extractor"], **asking)

    def warm(self) -> None:
        """Load the model now, so that a missing one is not blamed on a document."""
        if self.local:
            self.embedder.embed_query("ready")

    def do(self, task: Mapping[str, Any]) -> dict[str, Any]:
        """{'record': folder, 'tally': counts}, {'failed': reason} for this document, {'incomplete': reason} where a
        model's endpoint failed, {'refused': reason} when the home can't be written.
        """
        try:
            if "again" in task:
                self.allowance.open(None)
                record = StoredRecord(self.home, task["again"])
                return {"record": embed_again(record, self.embedder.id, self._vectors)}
            return self._read(task)
        except DocumentError as error:
            return {"failed": str(error)}
        except RecordDamagedError as error:
            return {"damaged": str(error)}
        except ModelError as error:
            return {"incomplete": str(error)}
        except OSError as error:
            # Of the source file `parse_document` speaks itself; what is left is the home.
            return {"refused": error.strerror or str(error)}

    def _read(self, task: Mapping[str, Any]) -> dict[str, Any]:
        key, file = RecordKey(**task["key"]), Path(task["file"])
        try:
            self.allowance.open(file)
            parsed = parse_document(
                file,
                Path(task["root"]),
                overrides=overrides_from_json(key.overrides),
                limits=self.limits,
                splitter=self.splitter,
                on_page=self._page_read,
            )
        except OSError as error:
            return {"failed": UNREADABLE.format(file.name, error.strerror or error)}
        if parsed.document.id != key.document_id:
            return {"failed": CHANGED.format(file.name)}
        if "dry" in task:
            return self._only_ask(parsed, task["donors"], key.code)
        self._pipe.send(at=("facts", 0, 0))
        triplets = self.extractor.extract(parsed)
        known = self._known_vectors(task["donors"], key.code)
        vectors = embed_document(parsed.chunks, parsed.document, partial(self._embed, known=known))
        source = Path(task["source"])
        try:
            original = None if source.is_relative_to(self.home.resolve()) else file.read_bytes()
        except OSError as error:
            return {"failed": UNREADABLE.format(file.name, error.strerror or error)}
        if original is not None and hashlib.sha256(original).hexdigest() != key.sha256:
            return {"failed": CHANGED.format(file.name)}
        return {
            "record": write_record(self.home / "documents", key, source, parsed, triplets, vectors, original),
            "tally": dict(getattr(self.extractor, "tally", {})),
        }

    def _page_read(self, page: Page, total: int) -> None:
        self.allowance.read(page)
        self._pipe.send(at=("pages", page.number, total))

    def _only_ask(self, parsed: ParsedDocument, donors: Sequence[str], code: str) -> dict[str, Any]:
        """Put the questions that reading the document would put, for a broker that counts them."""
        from tools.knowledge.extract.model_extractor import ModelExtractor

        if isinstance(self.extractor, ModelExtractor):
            self.extractor.ask(parsed)
        if not self.local:
            known = self._known_vectors(donors, code)
            self._embed(texts_to_embed(parsed.chunks, parsed.document), known)
        return {"dry": True}

    def _embed(self, texts: Sequence[str], known: dict[str, Vectors]) -> Vectors:
        """A vector depends on its text alone: texts that an earlier record of the document holds are not
        embedded.
        """
        missing = list(dict.fromkeys(text for text in texts if text not in known))
        size = TEXTS_BETWEEN_WORDS if self.local else MAX_TEXTS_A_REQUEST
        for first in range(0, len(missing), size):
            self._pipe.send(at=("passages", first, len(missing)))
            some = missing[first : first + size]
            known |= dict(zip(some, self._vectors(some), strict=True))
        if not texts:
            return np.zeros((0, self.embedder.dimension), np.float32)
        return np.stack([known[text] for text in texts])

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        self.allowance.embed(len(texts))
        return self.embedder.embed(texts)

    def _known_vectors(self, donors: Sequence[str], code: str) -> dict[str, Vectors]:
        known: dict[str, Vectors] = {}
        for folder in donors:
            record = StoredRecord(self.home, folder)
            try:
                seal = record.seal()
                if seal.key.embedder == self.embedder.id:
                    chunks, vectors = record.chunks(), record.embeddings()
                    same = seal.key.code == code
                    known |= vectors_by_text(chunks, record.document(), vectors, same_passages=same)
            except RecordDamagedError:
                continue
        return known


if __name__ == "__main__":
    main()
