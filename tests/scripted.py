"""Replies by prompt, for the steps of the model engine: behind `tests.endpoint`'s server, or in its place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from tests.endpoint import Asked, Fault, Said
from tools.model.turn import current_turn
from tools.model.types import Message, ModelError, Reply

STEPS = {
    "You rewrite the last question": "condense",
    "You plan how a question": "plan",
    "You answer a question": "answer",
    "You correct an answer": "revise",
    "You check sentences": "verdicts",
    "You judge how much": "rerank",
    "A question asks of which": "companies",
    "From what you know": "closed_book",
}
Told = str | dict[str, Any] | Reply | ModelError | Said | Fault
Script = dict[str, Told | list[Told] | Callable[[str], Told]]


def prompt_of(system: str) -> str:
    """The prompt that a system message is of."""
    return next(step for start, step in STEPS.items() if system.startswith(start))


class Replies:
    """A script: by prompt a reply, several in turn (the last one stays), or a function of the request's last
    message. Also a script of `tests.endpoint.serving`."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.steps: list[str] = []

    def told(self, system: str, text: str) -> Told:
        """The next reply; dictionaries as JSON."""
        name = prompt_of(system)
        self.steps.append(name)
        said = self.script[name]
        if isinstance(said, list):
            said = said[min(self.steps.count(name), len(said)) - 1]
        if callable(said):
            said = said(text)
        return json.dumps(said) if isinstance(said, dict) else said

    def __call__(self, asked: Asked) -> str | Said | Fault:
        told = self.told(asked.messages[0]["content"], asked.text)
        assert isinstance(told, str | Said | Fault)
        return told


class Scripted:
    """A `ChatModel` over a script, without a client: for the steps one by one."""

    id = "scripted"

    def __init__(self, script: Script, context: int | None = None) -> None:
        self.replies, self.context = Replies(script), context
        self.asked: list[tuple[Message, ...]] = []

    @property
    def steps(self) -> list[str]:
        """The prompts asked, in order."""
        return self.replies.steps

    def complete(
        self,
        messages: tuple[Message, ...],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        self.asked.append(messages)
        said = self.replies.told(messages[0].text, messages[-1].text)
        if isinstance(said, ModelError):
            raise said
        assert isinstance(said, str | Reply)
        reply = said if isinstance(said, Reply) else Reply(said, "stop", 100, 10)
        current_turn().spend(reply.input_tokens, reply.output_tokens)
        return reply


def numbered(text: str) -> list[tuple[int, str]]:
    """The numbered sentences of a request, in order."""
    tail = re.split(r"\nSentences:\n", text)[-1]
    return [(int(n), line) for n, line in re.findall(r"^(\d+)\. (.+)$", tail, re.MULTILINE)]


def planned(text: str) -> dict[str, Any]:
    """A plan by a model that asks the graph the question itself, of the companies that were read from it; nothing where
    there are none, or a second time."""
    asked = re.findall(r"^Question: (.+)$", text, re.MULTILINE)
    found = re.search(r"^Read by rules, perhaps wrongly: .*?\bcompanies: ([^;\n]+)", text, re.MULTILINE)
    again = "This was looked up already" in text
    companies = found[1].split(", ") if found else []
    lookups = [{"tool": "kg_search", "query": asked[0], "companies": companies}]
    return {**ROUTE, "lookups": lookups if companies and not again else []}


def all_supported(text: str) -> Told:
    """Verdicts of a judge that finds everything supported."""
    return {
        "verdicts": [
            {"sentence": n, "reason": "it says so", "verdict": "supported"} for n, _ in numbered(text)
        ]
    }


def none_supported(text: str) -> Told:
    """Verdicts of a judge that finds nothing supported."""
    return {
        "verdicts": [
            {"sentence": n, "reason": "not there", "verdict": "not_supported"} for n, _ in numbered(text)
        ]
    }


ROUTE: dict[str, Any] = {
    "kind": "extractive",
    "reason": "asks for a figure",
    "confidence": 0.9,
    "form": "figure",
}


def script(answer: Told | list[Told], **more: Any) -> Script:
    """A model that looks the question up as it stands, answers so, and finds everything supported, unless told
    otherwise."""
    common: Script = {"plan": planned, "verdicts": all_supported, "revise": "NOT_IN_EVIDENCE"}
    return {**common, "answer": answer, **more}
