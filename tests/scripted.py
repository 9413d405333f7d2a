"""A chat model that replies from a script, for tests of what is built on one: the steps, not the client."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tools.model.turn import current_turn
from tools.model.types import Message, ModelError, Reply

Said = str | dict[str, Any] | Reply | ModelError
Script = dict[str, Said | list[Said] | Callable[[str], Said]]
STEPS = {
    "You rewrite the last question": "condense",
    "You decide how a question": "route",
    "You answer a question": "answer",
    "You correct an answer": "revise",
    "You take an answer apart": "statements",
    "You check statements": "verdicts",
    "You judge how much": "rerank",
}


class Scripted:
    """A `ChatModel`. The script has, by prompt, a reply, several in turn (the last one stays), or a function of
    the request's last message."""

    id = "scripted"

    def __init__(self, script: Script, context: int | None = None) -> None:
        self.script, self.context = script, context
        self.asked: list[tuple[str, tuple[Message, ...]]] = []

    @property
    def steps(self) -> list[str]:
        """The prompts asked, in order."""
        return [name for name, _ in self.asked]

    def complete(
        self,
        messages: tuple[Message, ...],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        name = next(step for start, step in STEPS.items() if messages[0].text.startswith(start))
        self.asked.append((name, messages))
        said = self.script[name]
        if isinstance(said, list):
            said = said[min(self.steps.count(name), len(said)) - 1]
        if callable(said):
            said = said(messages[-1].text)
        if isinstance(said, ModelError):
            raise said
        reply = said if isinstance(said, Reply) else Reply(said if isinstance(said, str) else json.dumps(said))
        reply = Reply(reply.text, reply.finish, reply.input_tokens or 100, reply.output_tokens or 10, 1)
        current_turn().spend(reply.input_tokens, reply.output_tokens)
        return reply
