"""Replies of a model, kept on disk before they are used, so that no run pays for one twice.

    <folder>/<document id>.jsonl    one journal a document: a header, then a line a reply

One file a document, so that what is known of a document from its replies goes when it goes. A line is seen to the
disk before its reply is used. A torn last line (a kill) and a damaged one are passed over: they are asked for again.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from tools.private_files import make_folder, open_private

SUFFIX = ".jsonl"


def reply_key(model: str, messages: Iterable[tuple[str, str]], schema: Any, max_tokens: int | None) -> str:
    """SHA-256 of all that a reply depends on; `messages` are (role, text), which hold the prompt word by word."""
    asked = [model, [list(message) for message in messages], schema, max_tokens]
    return hashlib.sha256(orjson.dumps(asked, option=orjson.OPT_SORT_KEYS)).hexdigest()


@dataclass(frozen=True, slots=True)
class Source:
    """Whose replies a journal holds."""

    document_id: str
    source: str
    """Absolute path of the document's file."""
    path: str
    """As `Document.path`."""

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]


class Journal:
    """The replies for one document. Safe to use from several threads; one process writes (the home's lock)."""

    def __init__(self, folder: Path, source: Source, donors: Iterable[str] = ()) -> None:
        """`donors`: ids of documents whose journals are looked into as well, a file's former content say."""
        self._source = source
        self._path = folder / f"{source.document_id}{SUFFIX}"
        self._lock = threading.Lock()
        self._replies = {
            key: reply for donor in donors for key, reply in _replies(folder / f"{donor}{SUFFIX}")
        }
        self._given = set(self._replies)
        data = _bytes(self._path)
        self._replies.update(_read(data))
        self._given -= {key for key, _ in _read(data)}
        self._open_line = bool(data) and not data.endswith(b"\n")
        self._has_header = _header(data) is not None

    def get(self, key: str) -> dict[str, Any] | None:
        """The reply to what has this key; one that a donor gave is this document's from now on. OSError."""
        with self._lock:
            reply = self._replies.get(key)
            if reply is not None and key in self._given:
                self._append(key, reply)
                self._given.discard(key)
            return reply

    def peek(self, key: str) -> dict[str, Any] | None:
        """As `get`, without writing."""
        return self._replies.get(key)

    def put(self, key: str, reply: dict[str, Any]) -> None:
        """Keep a reply: on the disk when this returns. OSError when refused."""
        with self._lock:
            self._append(key, reply)
            self._replies[key] = reply

    def _append(self, key: str, reply: dict[str, Any]) -> None:
        lines = b"\n" if self._open_line else b""
        if not self._has_header:
            header = {
                "document": self._source.document_id,
                "source": self._source.source,
                "path": self._source.path,
            }
            lines += orjson.dumps(header) + b"\n"
        body = orjson.dumps(reply, option=orjson.OPT_SORT_KEYS)
        sound = _sum(key, body)
        lines += orjson.dumps({"key": key, "sum": sound, "reply": orjson.Fragment(body)}) + b"\n"
        new = not self._path.exists()
        make_folder(self._path.parent)
        self._open_line = True  # until the whole line is seen to the disk
        with open_private(self._path, "ab") as file:
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())
        if new:
            _sync_folder(self._path.parent)
        self._open_line, self._has_header = False, True


def journals(folder: Path) -> list[Source]:
    """All journals; of one whose header was lost the id alone is known. OSError."""
    found = []
    for path in sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else ():
        found.append(_header(_bytes(path)) or Source(path.name.removesuffix(SUFFIX), "", ""))
    return found


def forget(folder: Path, document_ids: Iterable[str]) -> None:
    """Delete these documents' journals. OSError."""
    if folder.is_dir():
        for document_id in document_ids:
            (folder / f"{document_id}{SUFFIX}").unlink(missing_ok=True)
        _sync_folder(folder)


def replies(folder: Path) -> Iterator[dict[str, Any]]:
    """Every sound reply of every journal."""
    for path in sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else ():
        yield from (reply for _, reply in _replies(path))


def replies_by_key(folder: Path, document_id: str) -> dict[str, dict[str, Any]]:
    """The sound replies of one journal; of two with one key the later. Empty where there is no journal. OSError."""
    return dict(_replies(folder / f"{document_id}{SUFFIX}"))


def _replies(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    return _read(_bytes(path))


def _read(data: bytes) -> Iterator[tuple[str, dict[str, Any]]]:
    for line in data.split(b"\n"):
        item = _object(line)
        key, reply = item.get("key"), item.get("reply")
        if isinstance(key, str) and isinstance(reply, dict):
            body = orjson.dumps(reply, option=orjson.OPT_SORT_KEYS)
            if item.get("sum") == _sum(key, body):
                yield key, reply


def _header(data: bytes) -> Source | None:
    for line in data.split(b"\n"):
        item = _object(line)
        if isinstance(item.get("document"), str):
            return Source(item["document"], str(item.get("source", "")), str(item.get("path", "")))
    return None


def _object(line: bytes) -> dict[str, Any]:
    try:
        item = orjson.loads(line)
    except ValueError:
        return {}
    return item if isinstance(item, dict) else {}


def _sum(key: str, body: bytes) -> str:
    return hashlib.sha256(key.encode() + body).hexdigest()[:16]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
