"""Models behind OpenAI-compatible endpoints, by langchain-openai.

    chat_model(settings, pace=Pace()) -> EndpointChat          (a tools.model.types.ChatModel; close() when done)
    endpoint_embeddings(settings, pace=Pace()) -> EndpointEmbeddings   (a tools.vector.embeddings.Embedder)

Both raise SettingsError where no endpoint is set, and send nothing before they are first asked. Safe to share
between threads. One `complete` makes at most three requests; its usage and deadline are those of `current_turn()`.
"""

from __future__ import annotations

import json
import warnings
import weakref
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agent.endpoint.calling import Caller
from agent.endpoint.dialect import Dialect, Form
from agent.endpoint.faults import BadRequestError, PassingError
from agent.endpoint.limits import Pace, Shares, limits_of
from agent.endpoint.serving import Served, explain_missing
from agent.endpoint_address import NO_KEY, Endpoint
from agent.settings import Settings, SettingsError
from tools.documents.text.control_sequences import without_sequences_in_json
from tools.model.tokens import estimate_messages, estimate_tokens, learn
from tools.model.turn import current_turn
from tools.model.types import (
    ContextTooSmallError,
    MalformedReplyError,
    Message,
    RefusedReplyError,
    Reply,
)

MAX_REPLY_CHARS = 2_000_000
"""Of a reply: several times what the longest that may be asked for has."""
MAX_TEMPLATE_TOKENS = 1_000
"""What a server's template may add to the messages of a request."""

if TYPE_CHECKING:
    from httpx2 import Client
    from langchain_core.messages import AIMessage
    from langchain_openai import ChatOpenAI

    from agent.endpoint.embedding import EndpointEmbeddings


def chat_model(settings: Settings, pace: Pace | None = None, shares: Shares | None = None) -> EndpointChat:
    """The settings' chat model; `shares` as of `limits_of`. SettingsError without an endpoint."""
    endpoint = settings.chat_endpoint
    if endpoint is None:
        raise SettingsError(
            "No model endpoint is set. Set HYBRIDRAG_LLM_BASE_URL and HYBRIDRAG_LLM_MODEL, or a key."
        )
    return EndpointChat(endpoint, settings, pace or Pace(), shares)


class EndpointChat:
    """A chat model behind an endpoint; a `ChatModel`."""

    def __init__(
        self, endpoint: Endpoint, settings: Settings, pace: Pace, shares: Shares | None = None
    ) -> None:
        self.endpoint = endpoint
        self._timeout = settings.llm_timeout
        self._max_tokens = settings.llm_max_tokens
        self._context = settings.llm_context
        self._limits = limits_of(endpoint.origin, settings.llm_concurrency, settings.llm_rpm, pace, shares)
        self._caller = Caller(endpoint, self._limits, pace, settings.llm_timeout)
        self._dialect = Dialect(openai=endpoint.is_openai)

    @property
    def id(self) -> str:
        """The model's name at the endpoint."""
        return self.endpoint.model

    @property
    def context(self) -> int | None:
        """Tokens of prompt and reply together: as set, as an error said, or as the server says; else None."""
        return self._context or self._served_context

    def complete(
        self,
        messages: tuple[Message, ...],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """One logical call, and one more for each thing that the endpoint turns out not to take (a JSON schema,
        say), which is then remembered. Raises ModelError."""
        limit = max_tokens or self._max_tokens
        while True:
            asked = self._dialect.request(schema, limit)
            try:
                return self._once(messages, asked.body)
            except BadRequestError as error:
                if not self._dialect.step_down(asked, str(error)):
                    raise
            except ContextTooSmallError as error:
                self._context = self._context or error.limit
                raise

    @property
    def form(self) -> Form:
        """What is asked of the endpoint for structured replies, as far as is known by now."""
        return self._dialect.form

    @property
    def served(self) -> Served:
        """What the endpoint says about itself."""
        return Served(self.endpoint, self._http)

    def close(self) -> None:
        """Let go of the connections; idempotent."""
        if "_http" in self.__dict__:
            self._http.close()

    def _once(self, messages: tuple[Message, ...], body: dict[str, Any]) -> Reply:
        usage = _Usage(self.endpoint, _most_tokens(messages, body), self._dialect.limit_of(body))

        def request(timeout: float) -> tuple[str, str]:
            return usage.read(self._ask(messages, body, timeout))

        try:
            (text, finish), requests = self._caller.call(request)
        except BadRequestError as error:
            raise explain_missing(error, self.endpoint, self._http) from error
        finally:
            turn = current_turn()
            turn.calls += usage.replied
            turn.input_tokens += usage.input
            turn.output_tokens += usage.output
        if usage.input and requests == 1:
            learn(self.id, messages, usage.input)
        reply = Reply(
            text,
            finish,
            usage.input or estimate_messages(messages, self.id),
            usage.output or estimate_tokens(text, self.id),
            requests,
        )
        turn.input_tokens += reply.input_tokens - usage.input  # what was not reported, estimated
        turn.output_tokens += reply.output_tokens - usage.output
        return reply

    def _ask(self, messages: tuple[Message, ...], body: dict[str, Any], timeout: float) -> AIMessage:
        turns = [(message.role, _sound(message.text)) for message in messages]
        return self._client.invoke(turns, timeout=timeout, extra_body=body)

    @cached_property
    def _http(self) -> Client:
        from agent.endpoint.bounded_client import BoundedClient

        client = BoundedClient(self.endpoint)
        weakref.finalize(self, client.close)
        return client

    @cached_property
    def _client(self) -> ChatOpenAI:
        from langchain_openai import ChatOpenAI
        from pydantic import SecretStr

        from agent.endpoint.bounded_client import unused_async_client

        warnings.filterwarnings(  # what it advises (function calling) is not used here; the dialect steps down
            "ignore", message=r"(?s)(This model does not support OpenAI's structured|Invalid schema)"
        )
        return ChatOpenAI(
            model=self.endpoint.model,
            base_url=self.endpoint.base_url,
            api_key=self.endpoint.key or SecretStr(NO_KEY),
            max_retries=0,
            disable_streaming=True,
            use_responses_api=False,
            cache=False,
            tags=["nostream"],
            http_client=self._http,
            http_async_client=unused_async_client(),
        )

    @cached_property
    def _served_context(self) -> int | None:
        return self.served.context()


class _Usage:
    """Tokens of one logical call, retried replies included: they are paid for too.

    A figure that what was sent or received can't come to is none: it is estimated like one that was not reported.
    """

    def __init__(self, endpoint: Endpoint, most_input: int, max_tokens: int) -> None:
        self._endpoint, self._most_input, self._max_tokens = endpoint, most_input, max_tokens
        self.input = 0
        self.output = 0
        self.replied = False

    def read(self, message: AIMessage) -> tuple[str, str]:
        """(text, finish reason). PassingError for a reply without text; RefusedReplyError, MalformedReplyError."""
        self.replied = True
        text = str(message.text)
        if len(text) > MAX_REPLY_CHARS:
            raise MalformedReplyError(f"The reply has {len(text):,} characters; none that long was asked for")
        spent = message.usage_metadata
        if spent is not None:
            most_output = max(self._max_tokens, len(text.encode("utf-8", "replace")))  # thoughts are not sent
            self.input += _within(spent["input_tokens"], self._most_input)
            self.output += _within(spent["output_tokens"], most_output)
        text = self._endpoint.without_key(without_sequences_in_json(text))  # it may repeat what it was sent
        finish = str(message.response_metadata.get("finish_reason") or "stop")
        refusal = message.additional_kwargs.get("refusal")
        if refusal:
            raise RefusedReplyError(f"The model declined: {self._endpoint.scrub(_sound(str(refusal)))}")
        if finish == "content_filter":
            raise RefusedReplyError("The endpoint's content filter stopped the reply")
        if text.strip():
            return text, finish
        if finish == "length":
            raise MalformedReplyError(
                "The reply's tokens were spent before its text began (HYBRIDRAG_LLM_MAX_TOKENS)"
            )
        if message.tool_calls or message.invalid_tool_calls:
            raise MalformedReplyError("The model called a tool instead of replying; it was offered none")
        raise PassingError("The reply was empty")


def _most_tokens(messages: tuple[Message, ...], body: dict[str, Any]) -> int:
    """What a request's tokens can come to: one a byte, and what a server's template adds."""
    sent = [message.text for message in messages]
    return MAX_TEMPLATE_TOKENS + len(json.dumps([sent, body], ensure_ascii=False).encode("utf-8", "replace"))


def _within(tokens: int, most: int) -> int:
    return tokens if 0 < tokens <= most else 0


def _sound(text: str) -> str:
    """Without lone surrogates, which no request can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def endpoint_embeddings(
    settings: Settings, pace: Pace | None = None, shares: Shares | None = None
) -> EndpointEmbeddings:
    """The settings' embedding model; `shares` as of `limits_of`. SettingsError without one."""
    from agent.endpoint.embedding import EndpointEmbeddings

    endpoint = settings.embed_endpoint
    if endpoint is None:
        raise SettingsError("No embedding model is set: HYBRIDRAG_EMBED_MODEL.")
    return EndpointEmbeddings(endpoint, settings, pace or Pace(), shares)
