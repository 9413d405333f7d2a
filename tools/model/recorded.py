"""A model's replies kept as they come and given again by request: what was asked once needs no network.

    <folder>/replies.jsonl    a line a logical call: its request, its reply, its step (a journal of `tools.model.cache`)

The key of a request is a hash of its messages, form and limit, not of the model's name, so that a recording is
replayed under any name. Fences need no care: their codes are hashes of what they hold.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tools.model.cache import Journal, Source, replies_by_key, reply_key
from tools.model.tokens import learn
from tools.model.turn import current_turn
from tools.model.types import (
    ChatModel,
    ContextTooSmallError,
    MalformedReplyError,
    Message,
    ModelError,
    RefusedReplyError,
    Reply,
)

NAME = "replies"
"""Of the journal in a folder of replies."""
_ABOUT = "about"
"""Key of the line that says which model replied."""
_SAID = (RefusedReplyError, MalformedReplyError, ContextTooSmallError)
"""Failures that are the model's word on a request, kept as replies are; others may pass and are asked again."""
_used: ContextVar[list[str] | None] = ContextVar("replies_used", default=None)


class MissingReplyError(ModelError):
    """A request whose reply was never recorded, where no model may be asked."""


@dataclass(frozen=True, slots=True)
class Call:
    """A logical call as it was recorded."""

    model: str
    step: str
    """`Turn.step` of whoever asked first."""
    messages: tuple[Message, ...]
    form: str
    """Title of the JSON schema that was asked for; '' for prose."""
    max_tokens: int | None
    text: str
    """Of the reply; '' where `error` is set."""
    finish: str
    input_tokens: int
    output_tokens: int
    error: str = ""
    """Name of the failure that the call ended with."""
    error_text: str = ""
    limit: int | None = None
    """Of a context that was too small."""


@contextmanager
def replies_used() -> Iterator[list[str]]:
    """The keys of the replies, recorded or replayed, that are used inside, in order."""
    used: list[str] = []
    token = _used.set(used)
    try:
        yield used
    finally:
        _used.reset(token)


def recorded_calls(folder: Path) -> dict[str, Call]:
    """Everything recorded in a folder, by key; empty where nothing is. OSError."""
    found = replies_by_key(folder, NAME)
    found.pop(_ABOUT, None)
    return {key: _call(kept) for key, kept in found.items()}


class Recorded:
    """A `ChatModel` that asks another once for each request and keeps the reply; without another it gives what is
    kept and nothing else. Threads may share it; one process records into a folder."""

    def __init__(self, folder: Path, model: ChatModel | None, refresh: str) -> None:
        """`refresh`: the command that records what is missing, for the error that says so. OSError."""
        self._folder, self._model, self._refresh = folder, model, refresh
        self._journal = Journal(folder, Source(NAME, "", ""))
        self._lock = threading.Lock()
        self._limit: int | None = None
        self.missing = 0
        """Requests that found no reply."""

    @property
    def id(self) -> str:
        """The model's name; replaying, the recorded one's."""
        return self._model.id if self._model else str((self._journal.peek(_ABOUT) or {}).get("id", NAME))

    @property
    def context(self) -> int | None:
        """The model's; replaying, what was known of it then. What is left out of a prompt depends on it."""
        if self._model is not None:
            return self._model.context
        return (self._journal.peek(_ABOUT) or {}).get("context") or self._limit

    def complete(
        self,
        messages: tuple[Message, ...],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """See `ChatModel`. MissingReplyError where nothing is kept and nobody may be asked; OSError where a reply
        can't be kept."""
        key = reply_key("", [(message.role, message.text) for message in messages], schema, max_tokens)
        kept = self._journal.peek(key)
        if kept is None:
            kept = self._keep(key, self._ask(messages, schema, max_tokens))
            call = _call(kept)
        else:
            call = _call(kept)
            if call.input_tokens or call.output_tokens:
                current_turn().spend(call.input_tokens, call.output_tokens)
                learn(self.id, messages, call.input_tokens)
        used = _used.get()
        if used is not None:
            used.append(key)
        if call.error:
            self._limit = self._limit or call.limit
            raise _failure(call)
        return Reply(call.text, call.finish, call.input_tokens, call.output_tokens)

    def _ask(
        self, messages: tuple[Message, ...], schema: dict[str, Any] | None, max_tokens: int | None
    ) -> Call:
        step = current_turn().step
        if self._model is None:
            with self._lock:
                self.missing += 1
            raise MissingReplyError(
                f"'{self._folder}' holds no reply to this request of step '{step}'. Record it: {self._refresh}"
            )
        with self._lock:
            if (
                self._journal.peek(_ABOUT) is None
            ):  # before the first reply, which may say that the context is smaller
                self._journal.put(_ABOUT, {"id": self._model.id, "context": self._model.context})
        asked = (self._model.id, step, messages, str((schema or {}).get("title", "")), max_tokens)
        before = current_turn().input_tokens, current_turn().output_tokens
        try:
            reply = self._model.complete(messages, schema=schema, max_tokens=max_tokens)
        except _SAID as error:
            spent = current_turn().input_tokens - before[0], current_turn().output_tokens - before[1]
            limit = error.limit if isinstance(error, ContextTooSmallError) else None
            kind = next(kind for kind in _SAID if isinstance(error, kind))
            return Call(*asked, "", "", *spent, kind.__name__, str(error), limit)
        return Call(*asked, reply.text, reply.finish, reply.input_tokens, reply.output_tokens)

    def _keep(self, key: str, call: Call) -> dict[str, Any]:
        """The reply as it is kept: of two that came at once the first, so that a replay gives the same to both."""
        with self._lock:
            kept = self._journal.peek(key)
            if kept is None:
                kept = asdict(call)
                self._journal.put(key, kept)
            return kept


def _call(kept: dict[str, Any]) -> Call:
    messages = tuple(Message(message["role"], message["text"]) for message in kept["messages"])
    return Call(**{**kept, "messages": messages})


def _failure(call: Call) -> ModelError:
    kind = next(kind for kind in _SAID if kind.__name__ == call.error)
    if kind is ContextTooSmallError:
        return ContextTooSmallError(call.error_text, call.limit)
    return kind(call.error_text)
