"""A reading process's side of the pipe: tasks come in, replies go out, and in between it may ask its parent and say
where it is.

    in   {"task": ...} | {"answer": number, ...}
    out  {"ask": number, ...} | {"at": [stage, done, total]} | a reply to the task

A model's key never reaches this process: `PipedChat` and `PipedEmbedder` stand in for the clients that the parent
holds.
"""

from __future__ import annotations

import base64
import os
import queue
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import asdict
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np
import orjson

from tools.model import types
from tools.model.types import Message, ModelError, Reply
from tools.vector.embeddings import Vectors

MAX_TEXTS_A_REQUEST = 64
"""Texts embedded by one request."""
_ERRORS: dict[str, type[ModelError]] = {
    name: kind
    for name, kind in vars(types).items()
    if isinstance(kind, type) and issubclass(kind, ModelError)
}


def error_to_json(error: ModelError) -> dict[str, Any]:
    """A model's failure as JSON."""
    kind = next(kind.__name__ for kind in type(error).__mro__ if kind.__name__ in _ERRORS)
    return {"kind": kind, "message": str(error), "limit": getattr(error, "limit", None)}


def error_from_json(fields: dict[str, Any]) -> ModelError:
    """The inverse of `error_to_json`."""
    kind = _ERRORS[fields["kind"]]
    if kind is types.ContextTooSmallError:
        return types.ContextTooSmallError(fields["message"], fields["limit"])
    return kind(fields["message"])


class WorkerPipe:
    """Both directions. `tasks` is for the main thread, `ask` for any."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        """Descriptors of the two ends."""
        self._incoming = incoming
        self._outgoing = outgoing
        self._lock = threading.Lock()
        self._numbers = count(1)
        self._waiting: dict[int, Future[dict[str, Any]]] = {}
        self._tasks: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def tasks(self) -> Iterator[dict[str, Any]]:
        """What is to be done, until the parent closes the pipe."""
        while (task := self._tasks.get()) is not None:
            yield task

    def send(self, **fields: Any) -> None:
        """One line to the parent, whole."""
        data = memoryview(orjson.dumps(fields) + b"\n")
        with self._lock:
            while data:
                data = data[os.write(self._outgoing, data) :]

    def ask(self, **question: Any) -> dict[str, Any]:
        """The parent's answer. Raises the ModelError that it reports."""
        future: Future[dict[str, Any]] = Future()
        number = next(self._numbers)
        self._waiting[number] = future
        self.send(ask=number, **question)
        answer = future.result()
        if "error" in answer:
            raise error_from_json(answer["error"])
        return answer

    def _listen(self) -> None:
        for line in self._lines():
            message = orjson.loads(line)
            if "answer" in message:
                self._waiting.pop(message["answer"]).set_result(message)
            else:
                self._tasks.put(message)
        self._tasks.put(None)

    def _lines(self) -> Iterator[bytes]:
        """Read past Python's buffers, whose lock would abort an interpreter that ends while this thread waits."""
        rest = b""
        while data := os.read(self._incoming, 1 << 16):
            *lines, rest = (rest + data).split(b"\n")
            yield from lines


class PipedChat:
    """A `ChatModel` that the parent asks."""

    context: int | None = None
    """Not known here: a prompt that is too long is found out by asking."""

    def __init__(self, pipe: WorkerPipe, id: str) -> None:
        self._pipe = pipe
        self.id = id

    def complete(
        self,
        messages: tuple[Message, ...],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """See `ChatModel.complete`."""
        turns = [asdict(message) for message in messages]
        answer = self._pipe.ask(chat=turns, schema=schema, max_tokens=max_tokens)
        return Reply(**answer["reply"])


class PipedEmbedder:
    """An `Embedder` that the parent asks."""

    def __init__(self, pipe: WorkerPipe, id: str) -> None:
        self._pipe = pipe
        self.id = id

    @cached_property
    def dimension(self) -> int:
        """See `Embedder.dimension`. Raises ModelError."""
        return len(self.embed_query("dimension"))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`. Raises ModelError."""
        rows: list[Vectors] = []
        for start in range(0, len(texts), MAX_TEXTS_A_REQUEST):
            answer = self._pipe.ask(embed=list(texts[start : start + MAX_TEXTS_A_REQUEST]))
            rows += [vector_from_text(data) for data in answer["vectors"]]
        return np.stack(rows) if rows else np.zeros((0, self.dimension), np.float32)

    def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`: while indexing, a text like the others."""
        found: Vectors = self.embed([text])[0]
        return found


def vector_to_text(vector: Vectors) -> str:
    """A vector as base64 of little-endian float32."""
    return base64.b64encode(np.ascontiguousarray(vector, dtype="<f4").tobytes()).decode("ascii")


def vector_from_text(text: str) -> Vectors:
    """The inverse of `vector_to_text`."""
    return np.frombuffer(base64.b64decode(text), dtype="<f4").astype(np.float32)
