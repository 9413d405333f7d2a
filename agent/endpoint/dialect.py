"""What an endpoint turns out to take: JSON schema, JSON mode, the name of the token limit, a temperature."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

Form = Literal["json_schema", "json_object", "none"]
_NEXT: dict[Form, Form] = {"json_schema": "json_object", "json_object": "none"}
_FORMAT = re.compile(
    r"response_?format|json_?\s?schema|json_object|grammar|structured output|guided", re.IGNORECASE
)
_UNKNOWN = re.compile(
    r"unsupported|not supported|unrecognized|unexpected|unknown|extra|not permitted", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request's optional part, and what was assumed for it."""

    body: dict[str, Any]
    form: Form
    tokens: str
    temperature: bool


class Dialect:
    """Begins with the most that an endpoint may take, steps down when it is refused, and remembers."""

    def __init__(self, *, openai: bool) -> None:
        """`openai`: OpenAI's own endpoint, which has renamed the token limit; others know the old name."""
        self.form: Form = "json_schema"
        self._tokens = "max_completion_tokens" if openai else "max_tokens"
        self._temperature = True

    def request(self, schema: dict[str, Any] | None, max_tokens: int) -> Asked:
        """Body fields beside model and messages."""
        form: Form = self.form if schema is not None else "none"
        tokens, temperature = self._tokens, self._temperature
        body: dict[str, Any] = {tokens: max_tokens}
        if temperature:
            body["temperature"] = 0
        if form == "json_schema":
            assert schema is not None
            named = {"name": str(schema.get("title", "reply")), "schema": schema, "strict": True}
            body["response_format"] = {"type": form, "json_schema": named}
        elif form == "json_object":
            body["response_format"] = {"type": form}
        return Asked(body, form, tokens, temperature)

    @staticmethod
    def limit_of(body: dict[str, Any]) -> int:
        """Tokens that a reply to a request with these fields may have."""
        return int(body.get("max_tokens") or body["max_completion_tokens"])

    def step_down(self, asked: Asked, error: str) -> bool:
        """Whether a 400 with the text `error` is about something that need not be asked for: then it is not again.

        Each thing is given up once, so a caller may loop.
        """
        if asked.form != "none" and _FORMAT.search(error):
            self.form = _NEXT[asked.form]
            return True
        if not _UNKNOWN.search(error):
            return False
        if asked.temperature and "temperature" in error:
            self._temperature = False
            return True
        other = "max_completion_tokens" if asked.tokens == "max_tokens" else "max_tokens"
        if asked.tokens in error and other in error and not self._swapped:
            self._tokens, self._swapped = other, True
            return True
        return False

    _swapped = False
