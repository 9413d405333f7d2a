"""Chat models as an extractor asks them: once more where no text came, and whole where a reply was cut off."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from tools.model.types import ChatModel, MalformedReplyError, Message, Reply

MAX_ENDS_TRIED = 40
"""Places at which a reply that was cut off is tried to end."""


class OnceMore:
    """A `ChatModel` that asks again when what came is no text at all (a tool call, say)."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat
        self.id = chat.id
        self.context = chat.context

    def complete(
        self,
        messages: tuple[Message, ...],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """See `ChatModel.complete`."""
        try:
            return self._chat.complete(messages, schema=schema, max_tokens=max_tokens)
        except MalformedReplyError:
            return self._chat.complete(messages, schema=schema, max_tokens=max_tokens)


class WholeItems:
    """A `ChatModel` whose reply, where the token limit cut it off, ends after its last whole item."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat
        self.id = chat.id
        self.context = chat.context
        self.cut = False
        """Whether the last reply was cut off and holds an item all the same."""

    def complete(
        self,
        messages: tuple[Message, ...],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """See `ChatModel.complete`."""
        reply = self._chat.complete(messages, schema=schema, max_tokens=max_tokens)
        whole = whole_items(reply.text) if reply.finish == "length" else ""
        self.cut = bool(whole)
        return replace(reply, text=whole) if whole else reply


def whole_items(text: str) -> str:
    """The JSON object with a list that `text` is the beginning of, without the item at which it breaks off; '' for
    no whole item."""
    start, at = text.find("{"), len(text)
    for _ in range(MAX_ENDS_TRIED):
        at = text.rfind("}", 0, at)
        if at <= start:
            return ""
        whole = f"{text[start : at + 1]}]}}"
        try:
            json.loads(whole)
        except ValueError:
            continue
        return whole
    return ""
