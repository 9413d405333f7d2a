"""What ragas needs of a model, answered by the project's own client, and each reply kept on disk.

ragas brings steps, prompts and formulas; how an endpoint is reached (key, redirects, limits, the one retry layer) is
`agent.endpoint.models`'. Text of documents stands in ragas' prompts as data: a reply is read as JSON of one form,
nothing else.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, create_model, model_validator

from tools.model.cache import Journal
from tools.model.structured import ask_structured, strict_schema
from tools.model.tokens import estimate_messages
from tools.model.types import ChatModel, Message

Out = TypeVar("Out", bound=BaseModel)

MAX_TOKENS = 4096
"""Of a reply: verdicts repeat each statement, ragas' default of 1,024 cuts them off."""
LEAST_TOKENS = 256
FREE_TOKENS = 64
"""Tokens of a context left free: the prompt's own are an estimate."""
_VERDICTS = ("verdict", "attributed", "noncommittal")
"""ragas' names for what is 0 or 1."""


def key_of(*parts: Any) -> str:
    """SHA-256 of all that a reply or a score depends on."""
    return hashlib.sha256(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)).hexdigest()


class Asker:
    """Asks the judge for one score; the n-th time that it puts one prompt is told apart from the first."""

    def __init__(self, model: ChatModel, kept: Journal, scope: Sequence[str]) -> None:
        """`scope`: what a reply depends on besides prompt and form: metric, version, endpoint, model."""
        self._model, self._kept, self._scope = model, kept, scope
        self._asked: dict[str, int] = {}
        self._lock = threading.Lock()
        self.empty = False
        """Whether the last list that the model was free to leave empty was."""

    def ask(self, prompt: str, out: type[Out]) -> Out:
        """A reply of the form `out`: kept, or asked for and kept before it is used. ModelError, OSError."""
        schema = strict_schema(out)
        with self._lock:
            turn = self._asked[prompt] = self._asked.get(prompt, 0) + 1
        key = key_of("reply", *self._scope, prompt, schema, turn)
        kept = self._kept.get(key)
        if kept is None:
            found = ask_structured(
                self._model, (Message("user", prompt),), checked(out), max_tokens=self._room(prompt)
            )
            kept = found.model_dump(mode="json")
            self._kept.put(key, kept)
        reply = out.model_validate(kept)
        self.empty = any(value == [] for value in kept.values())
        return reply

    def _room(self, prompt: str) -> int:
        context = self._model.context
        if context is None:
            return MAX_TOKENS
        spent = estimate_messages((Message("user", prompt),), self._model.id)
        return max(LEAST_TOKENS, min(MAX_TOKENS, context - spent - FREE_TOKENS))


def checked(out: type[Out]) -> type[Out]:
    """`out`, but a verdict is 0 or 1 and a list of verdicts is not empty; what is not is asked for again."""

    def sound(self: BaseModel) -> BaseModel:
        for value in dict(self).values():
            if isinstance(value, list) and not value and _holds_verdicts(type(self)):
                raise ValueError("there is no verdict")
            for each in value if isinstance(value, list) else ():
                _check(each)
        _check(self)
        return self

    validators: dict[str, Any] = {"sound": model_validator(mode="after")(sound)}
    made: type[Out] = create_model(out.__name__, __base__=out, __validators__=validators)
    return made


def _holds_verdicts(out: type[BaseModel]) -> bool:
    return any(name in str(out.model_json_schema().get("$defs", {})) for name in _VERDICTS)


def _check(value: object) -> None:
    for name in _VERDICTS:
        found = getattr(value, name, 0)
        if found not in (0, 1):
            raise ValueError(f"{name} is {found}, not 0 or 1")
