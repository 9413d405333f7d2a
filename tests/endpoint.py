"""A model endpoint for tests: a real HTTP server on loopback that replies as scripted and records what came.

    with serving("a reply", fault(503), lambda asked: f"You said {asked.text}") as server:
        settings = server.settings()          # Settings with its base URL; home=..., llm_timeout=... as you like
        ...
        assert len(server.chats) == 3         # POSTs of /v1/chat/completions, oldest first; server.requests: all

A script is what it answers, in order; the last one stays. Each is a text, a `Said`, a `Fault` (see `fault`, and
the named ones below), or a callable `Asked -> any of these`. Embeddings and /v1/models have their own
(`server.embeddings`, `server.models`).
"""

from __future__ import annotations

import hashlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from agent.settings import Settings

MODEL = "scripted"
KEY = "sk-scripted-0123456789"


@dataclass(frozen=True)
class Asked:
    """One request."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    """Names in lower case."""
    index: int = 0
    """How many of its kind came before."""

    @property
    def messages(self) -> list[dict[str, str]]:
        """As sent."""
        found: list[dict[str, str]] = self.body.get("messages", [])
        return found

    @property
    def text(self) -> str:
        """The last message."""
        return self.messages[-1]["content"] if self.messages else ""

    @property
    def prompt(self) -> str:
        """All messages."""
        return "\n".join(message["content"] for message in self.messages)

    @property
    def form(self) -> str:
        """Kind of response format asked for; '' for none."""
        return str((self.body.get("response_format") or {}).get("type", ""))


@dataclass(frozen=True)
class Said:
    """A chat completion."""

    text: str | None
    finish: str = "stop"
    usage: tuple[int, int] | None = (100, 10)
    """Input and output tokens; None: none reported."""
    message: dict[str, Any] = field(default_factory=dict)
    """Further fields of the message, as `refusal` or `tool_calls`."""


@dataclass(frozen=True)
class Fault:
    """Anything else that may come over a socket. See the builders below."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "application/json"),)
    hang: bool = False
    """Says nothing until the server is closed."""
    drop: str = ""
    """`before` the status line or `middle` of the body; the connection is reset."""
    length: int | None = None
    """A content length that is not the body's."""
    trickle: float = 0.0
    """Seconds between single bytes of the body."""


Script = str | Said | Fault | Callable[[Asked], "str | Said | Fault"]


def fault(status: int, message: str = "", *, code: str | None = None, **headers: str) -> Fault:
    """An error in OpenAI's shape; headers as keywords: `Retry_After="2"`."""
    body = {"error": {"message": message or f"scripted {status}", "type": "error", "code": code}}
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Fault(status, json.dumps(body).encode(), (("Content-Type", "application/json"), *named))


def raw(status: int, body: object, content_type: str = "application/json") -> Fault:
    """A body as it is: text, or an object to be written as JSON."""
    data = body if isinstance(body, str) else json.dumps(body)
    return Fault(status, data.encode(), (("Content-Type", content_type),))


HANG = Fault(hang=True)
DROPPED_BEFORE = Fault(drop="before")
DROPPED_MIDDLE = Fault(drop="middle", body=b'{"id": "x", "choices": [{"mess')
HTML = raw(200, "<html><body>Sign in</body></html>", "text/html")
HTML_AS_JSON = raw(200, "<html><body>Sign in</body></html>")
NO_CHOICE = raw(200, {"id": "x", "object": "chat.completion", "created": 1, "model": MODEL, "choices": []})
NULL_CHOICES = raw(200, {"id": "x", "object": "chat.completion", "choices": None})
ERROR_IN_200 = raw(200, {"error": {"message": "upstream is busy", "code": 502}})
NO_CONTENT = Said(None)
EMPTY_TEXT = Said("")
GARBAGE = Fault(200, b"\x00\xff\xfe\x80 not json at all")
CUT_JSON = Fault(200, b'{"id": "x", "choices": [{"message": {"role": "assistant", "con')
WRONG_LENGTH = Fault(200, b'{"id": "x"}', length=5_000)
TRICKLE = Fault(200, b" " * 1_000, trickle=0.05)
REFUSAL = Said(None, message={"refusal": "I cannot help with that."})
FILTERED = Said("The", finish="content_filter")
ALL_THOUGHT = Said("", finish="length")
TOOL_CALL = Said(
    None,
    finish="tool_calls",
    message={
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "rm_rf", "arguments": "{}"}}]
    },
)
NOT_CHAT = fault(404, "This is not a chat model and thus not supported in the v1/chat/completions endpoint.")
CONTEXT_ERRORS = {
    "openai": fault(
        400,
        "This model's maximum context length is 4096 tokens. However, your messages resulted in 9012 tokens. "
        "Please reduce the length of the messages.",
        code="context_length_exceeded",
    ),
    "vllm": raw(
        400,
        {
            "object": "error",
            "message": "This model's maximum context length is 4096 tokens. However, you requested 9012 tokens "
            "(8012 in the messages, 1000 in the completion). Please reduce the length.",
            "type": "BadRequestError",
            "code": 400,
        },
    ),
    "llama.cpp": raw(
        400,
        {
            "error": {
                "code": 400,
                "message": "request (9012 tokens) exceeds the available context size (4096 tokens), try increasing it",
                "type": "exceed_context_size_error",
                "n_prompt_tokens": 9012,
                "n_ctx": 4096,
            }
        },
    ),
    "ollama": raw(
        500, {"error": {"message": "the input length exceeds the context length", "type": "api_error"}}
    ),
}


def redirect(status: int, to: str) -> Fault:
    """To another place."""
    return Fault(status, b"", (("Location", to),))


class Server:
    """What `serving` yields."""

    def __init__(self, *script: Script) -> None:
        self.script: list[Script] = list(script) or ["ok"]
        self.requests: list[Asked] = []
        self.models: list[dict[str, Any]] | Fault = [{"id": MODEL, "object": "model"}, {"id": "another"}]
        self.embeddings: Callable[[list[str]], list[list[float]]] | Fault = embed
        self.others: dict[str, object] = {}
        """Path -> JSON object, for /props, /api/show and the like."""
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._http = _HTTP(("127.0.0.1", 0), _Handler)
        self._http.scripted = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        """With /v1."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def chats(self) -> list[Asked]:
        """Requests for a chat completion."""
        return [asked for asked in self.requests if asked.path == "/v1/chat/completions"]

    def settings(self, **more: Any) -> Settings:
        """That name this server and nothing of the environment's files."""
        named = {"llm_base_url": self.base_url, "llm_model": MODEL, "llm_api_key": KEY}
        return Settings(_env_file=None, **{**named, **more})

    def next(self, asked: Asked) -> str | Said | Fault:
        """The scripted reply to the `index`th chat request."""
        step = self.script[min(asked.index, len(self.script) - 1)]
        return step(asked) if callable(step) else step

    def record(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> Asked:
        """Thread-safe."""
        with self._lock:
            asked = Asked(path, body, headers, sum(1 for known in self.requests if known.path == path))
            self.requests.append(asked)
        return asked

    def start(self) -> None:
        """Listen."""
        self._thread.start()

    def stop(self) -> None:
        """Let go of hanging requests, then close."""
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@contextmanager
def serving(*script: Script) -> Iterator[Server]:
    """A server for the time of a `with`."""
    server = Server(*script)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def embed(texts: list[str]) -> list[list[float]]:
    """Eight numbers of a text's hash."""
    return [[byte / 255 + 0.01 for byte in hashlib.sha256(text.encode()).digest()[:8]] for text in texts]


class _HTTP(ThreadingHTTPServer):
    daemon_threads = True
    scripted: Server

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # headers and body are two writes: 40 ms a reply otherwise
    server: _HTTP

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        """Models on offer, or what else a server says about itself."""
        script = self.server.scripted
        script.record(self.path, {}, self._named())
        if self.path == "/v1/models":
            models = script.models
            self._send(models if isinstance(models, Fault) else raw(200, {"object": "list", "data": models}))
        else:
            self._other()

    def do_POST(self) -> None:
        """Chat completions and embeddings."""
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        script = self.server.scripted
        asked = script.record(self.path, json.loads(data or b"{}"), self._named())
        if self.path == "/v1/chat/completions":
            reply = script.next(asked)
            said = Said(reply) if isinstance(reply, str) else reply
            self._send(said if isinstance(said, Fault) else _completion(said, asked))
        elif self.path == "/v1/embeddings":
            self._send(script.embeddings if isinstance(script.embeddings, Fault) else self._vectors(asked))
        else:
            self._other()

    def _named(self) -> dict[str, str]:
        return {name.lower(): value for name, value in self.headers.items()}

    def _other(self) -> None:
        found = self.server.scripted.others.get(self.path)
        self._send(fault(404, "Not Found") if found is None else raw(200, found))

    def _vectors(self, asked: Asked) -> Fault:
        given = asked.body["input"]
        rows = self.server.scripted.embeddings([given] if isinstance(given, str) else given)  # type: ignore[operator]
        data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return raw(200, {"object": "list", "model": asked.body["model"], "data": data, "usage": usage})

    def _send(self, reply: Fault) -> None:
        if reply.hang:
            self.server.scripted.closing.wait(30)
        if reply.hang or reply.drop == "before":
            self._reset()
            return
        self.send_response(reply.status)
        for name, value in reply.headers:
            self.send_header(name, value)
        length = len(reply.body) * 3 if reply.drop else len(reply.body)
        self.send_header("Content-Length", str(reply.length or length))
        self.end_headers()
        if reply.trickle:
            for byte in reply.body:
                if self.server.scripted.closing.wait(reply.trickle):
                    break
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
        else:
            self.wfile.write(reply.body)
        self.wfile.flush()
        if reply.drop:
            self._reset()
        elif reply.length:
            self.close_connection = True

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.rfile.close()
        self.connection.close()


def _completion(said: Said, asked: Asked) -> Fault:
    message = {"role": "assistant", "content": said.text, **said.message}
    head = {"id": "chatcmpl-1", "created": 1, "model": asked.body.get("model", MODEL)}
    usage = None
    if said.usage is not None:
        spent_in, spent_out = said.usage
        usage = {
            "prompt_tokens": spent_in,
            "completion_tokens": spent_out,
            "total_tokens": spent_in + spent_out,
        }
    if asked.body.get("stream"):
        return _events(message, said.finish, head, usage)
    choices = [{"index": 0, "message": message, "finish_reason": said.finish}]
    body = {**head, "object": "chat.completion", "choices": choices}
    return raw(200, body if usage is None else {**body, "usage": usage})


def _events(
    message: dict[str, Any], finish: str, head: dict[str, Any], usage: dict[str, int] | None
) -> Fault:
    kind = {**head, "object": "chat.completion.chunk"}
    text = message["content"] or ""
    parts = [text[at : at + 20] for at in range(0, len(text), 20)]
    deltas: list[dict[str, Any]] = [
        {"role": "assistant", "content": ""},
        *({"content": part} for part in parts),
    ]
    chunks = [{**kind, "choices": [{"index": 0, "delta": d, "finish_reason": None}]} for d in deltas]
    chunks.append({**kind, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    if usage is not None:
        chunks.append({**kind, "choices": [], "usage": usage})
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return raw(200, "".join(lines) + "data: [DONE]\n\n", "text/event-stream")
