"""Requests to a chat model, its replies and its failures; `agent.endpoint.models` has the client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a request."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What the endpoint answered to one logical call."""

    text: str
    finish: str = "stop"
    """The endpoint's finish reason; `length` when the reply was cut at the token limit."""
    input_tokens: int = 0
    """As the endpoint counts them; estimated (see `tools.model.tokens`) where it does not say."""
    output_tokens: int = 0
    requests: int = 1
    """HTTP requests it took, retries included."""


class ChatModel(Protocol):
    """A chat model behind an endpoint, or a stand-in that is asked through another process."""

    @property
    def id(self) -> str:
        """The model's name as the endpoint knows it."""
        ...

    @property
    def context(self) -> int | None:
        """Tokens that prompt and reply may have together; None when nobody said."""
        ...

    def complete(
        self,
        messages: tuple[Message, ...],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """One logical call: at most three requests. `schema`: a JSON schema that the reply should obey, as far as
        the endpoint can be made to (schema, JSON mode, or a plain reply that the caller parses).

        Raises ModelError.
        """
        ...


class ModelError(Exception):
    """The model gave no usable reply; the message says why, in words for the user, without keys."""

    down = False
    """Whether asking again within the same question is pointless (endpoint unreachable, key refused, model unknown)."""


class ModelDownError(ModelError):
    """Nothing more can come from this endpoint for now: unreachable, 401/403, unknown model, retries exhausted."""

    down = True


class ContextTooSmallError(ModelError):
    """The prompt does not fit the model's context."""

    def __init__(self, message: str, limit: int | None = None) -> None:
        """`limit`: the context in tokens, where the endpoint names it."""
        super().__init__(message)
        self.limit = limit


class DeadlineError(ModelError):
    """The question's time is spent."""

    down = True


class MalformedReplyError(ModelError):
    """A reply that is not what was asked for, after its repair round too."""


class RefusedReplyError(ModelError):
    """The model declined, or the endpoint's filter did."""


class BudgetSpentError(ModelError):
    """The run's token budget does not allow this call."""

    down = True
