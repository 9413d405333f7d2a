"""A model endpoint that means harm: whatever bytes a form gives come over a real socket on loopback, as slowly as it
likes."""

from __future__ import annotations

import json
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any

MODEL = "hostile"
KEY = "sk-hostile-0123456789abcdefghij"
DRIP_SECONDS = 0.05
DEEP = 200_000


@dataclass(frozen=True, slots=True)
class Asked:
    """A request."""

    path: str
    body: dict[str, Any]
    number: int
    """From 0, over all paths."""


Reply = Callable[[Asked], Iterable[bytes]]
"""The bytes that a request is answered with, as they are sent."""


def whole(status: int, body: bytes, *headers: str) -> list[bytes]:
    """A reply of a server that keeps to the protocol."""
    head = [
        f"HTTP/1.1 {status} Said",
        "Connection: close",  # one request a connection: a client that kept it would ask a closed one now and then
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        *headers,
    ]
    return ["\r\n".join([*head, "", ""]).encode("latin-1") + body]


def completion(text: str, usage: Any = None, **message: Any) -> bytes:
    """The body of a chat completion."""
    said = {"role": "assistant", "content": text, **message}
    choice = {"index": 0, "message": said, "finish_reason": "stop"}
    made = {"id": "x", "object": "chat.completion", "created": 1, "model": MODEL, "choices": [choice]}
    return json.dumps({**made, "usage": usage} if usage is not None else made).encode()


def vectors(asked: Asked) -> bytes:
    """The body of a sound reply to a request for embeddings."""
    given = asked.body.get("input", "")
    texts = [given] if isinstance(given, str) else given
    rows = [
        {"object": "embedding", "index": at, "embedding": [1.0 + at % 3, 1.0, 0.5]}
        for at in range(len(texts))
    ]
    return json.dumps({"object": "list", "model": MODEL, "data": rows}).encode()


def dripped(start: bytes, drop: bytes) -> Iterator[bytes]:
    """A beginning, and then a little more, again and again."""
    yield start
    while True:
        time.sleep(DRIP_SECONDS)
        yield drop


def nested(depth: int = DEEP) -> bytes:
    """JSON lists in one another."""
    return b"[" * depth + b"]" * depth


@cache
def bomb(mebibytes: int) -> bytes:
    """So many MiB of blanks, packed to a thousandth; made in little memory."""
    packer = zlib.compressobj(9, wbits=zlib.MAX_WBITS | 16)
    parts = [packer.compress(b" " * 2**20) for _ in range(mebibytes)]
    return b"".join([*parts, packer.flush()])


class HostileEndpoint:
    """Listens; what `hostile` yields."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.asked: list[Asked] = []
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.endpoint = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        """With /v1."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def environment(self, **more: str) -> dict[str, str]:
        """Settings that name this endpoint, as variables."""
        named = {"LLM_BASE_URL": self.base_url, "LLM_MODEL": MODEL, "LLM_API_KEY": KEY, **more}
        return {f"HYBRIDRAG_{name}": value for name, value in named.items()}

    def record(self, path: str, body: bytes) -> Asked:
        """Thread-safe."""
        with self._lock:
            asked = Asked(path, json.loads(body) if body else {}, len(self.asked))
            self.asked.append(asked)
        return asked

    def start(self) -> None:
        """Listen."""
        self._thread.start()

    def stop(self) -> None:
        """Let go of the port; connections that are under way end with their clients."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def hostile(reply: Reply) -> Iterator[HostileEndpoint]:
    """An endpoint for the time of a `with`."""
    endpoint = HostileEndpoint(reply)
    endpoint.start()
    try:
        yield endpoint
    finally:
        endpoint.stop()


class _Server(ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
    block_on_close = False
    endpoint: HostileEndpoint

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what is hoped for."""


class _Handler(StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        """One request a connection."""
        path = self.rfile.readline().split()[1].decode()
        length = 0
        while (line := self.rfile.readline()).strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        asked = self.server.endpoint.record(path, self.rfile.read(length))
        for part in self.server.endpoint.reply(asked):
            self.wfile.write(part)
