"""The chat client: what it asks for, what it gives up asking for, what it counts and what it says of failures."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from agent.endpoint.limits import Pace
from agent.endpoint.models import EndpointChat, chat_model
from agent.settings import Settings, SettingsError
from tests.endpoint import (
    ALL_THOUGHT,
    CONTEXT_ERRORS,
    FILTERED,
    KEY,
    NOT_CHAT,
    REFUSAL,
    TOOL_CALL,
    Asked,
    Fault,
    Said,
    Script,
    Server,
    fault,
    raw,
    serving,
)
from tools.model.tokens import estimate_messages
from tools.model.turn import turn
from tools.model.types import (
    ContextTooSmallError,
    MalformedReplyError,
    Message,
    ModelDownError,
    ModelError,
    RefusedReplyError,
)

HELLO = (Message("system", "You are brief."), Message("user", "Hello"))
SCHEMA = {"title": "Out", "type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
QUICK = Pace(sleep=lambda seconds: None)


class Open:
    """Opens a server with a client; closes all at the test's end."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack

    def __call__(self, *script: Script, **settings: object) -> tuple[Server, EndpointChat]:
        server = self._stack.enter_context(serving(*script))
        model = self._stack.enter_context(closing(chat_model(server.settings(**settings), QUICK)))
        return server, model


@pytest.fixture
def opened() -> Iterator[Open]:
    with ExitStack() as stack:
        yield Open(stack)


def test_a_request_is_plain_deterministic_and_carries_the_key(opened: Open) -> None:
    server, model = opened("Hi.", llm_max_tokens=77)
    reply = model.complete(HELLO)
    assert (reply.text, reply.finish, reply.requests) == ("Hi.", "stop", 1)
    asked = server.chats[0]
    assert asked.body["messages"] == [
        {"role": "system", "content": "You are brief."},
        {"role": "user", "content": "Hello"},
    ]
    assert asked.body["temperature"] == 0
    assert asked.body["max_tokens"] == 77
    assert not asked.body.get("stream")
    assert asked.form == ""
    assert asked.headers["authorization"] == f"Bearer {KEY}"


def test_without_a_key_of_its_own_an_endpoint_gets_none(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai")
    server, model = opened("Hi.", llm_api_key=None)
    model.complete(HELLO)
    assert model.context is None
    assert all("sk-of-openai" not in str(asked.headers) for asked in server.requests)


def test_usage_goes_to_the_turn_retried_replies_included(opened: Open) -> None:
    _, model = opened(Said("", usage=(50, 2)), Said("Hi.", usage=(50, 7)))
    with turn("step") as spent:
        reply = model.complete(HELLO)
    assert (reply.input_tokens, reply.output_tokens, reply.requests) == (100, 9, 2)
    assert (spent.calls, spent.input_tokens, spent.output_tokens) == (1, 100, 9)


def test_an_endpoint_that_counts_nothing_is_estimated(opened: Open) -> None:
    _, model = opened(Said("Hello to you.", usage=None))
    with turn("step") as spent:
        reply = model.complete(HELLO)
    assert reply.input_tokens == spent.input_tokens == estimate_messages(HELLO) > 5
    assert reply.output_tokens == spent.output_tokens >= 3


@pytest.mark.parametrize(
    ("refuses", "forms"),
    [
        ((), ["json_schema", "json_schema"]),
        (("json_schema",), ["json_schema", "json_object", "json_object"]),
        (("json_schema", "json_object"), ["json_schema", "json_object", "", ""]),
    ],
)
@pytest.mark.parametrize(
    "words",
    [
        "'response_format' of type 'json_schema' is not supported with this model",
        "Invalid schema for response_format 'Out'",
        "Failed to parse grammar",
        "This response_format type is unavailable now",
    ],
)
def test_what_the_endpoint_refuses_is_asked_once_and_not_again(
    opened: Open, refuses: tuple[str, ...], forms: list[str], words: str
) -> None:
    server, model = opened(lambda asked: fault(400, words) if asked.form in refuses else '{"a": "b"}')
    for _ in range(2):
        assert model.complete(HELLO, schema=SCHEMA).text == '{"a": "b"}'
    assert [asked.form for asked in server.chats] == forms


def test_the_schema_is_sent_strictly_and_named(opened: Open) -> None:
    server, model = opened("{}")
    model.complete(HELLO, schema=SCHEMA)
    assert server.chats[0].body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "Out", "schema": SCHEMA, "strict": True},
    }


def test_models_that_refuse_a_temperature_or_the_old_token_limit_are_asked_without(opened: Open) -> None:
    def strict(asked: Asked) -> str | Fault:
        if "max_tokens" in asked.body:
            return fault(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        if "temperature" in asked.body:
            return fault(400, "Unsupported value: 'temperature' does not support 0 with this model.")
        return "Hi."

    server, model = opened(strict)
    assert model.complete(HELLO, max_tokens=9).text == "Hi."
    assert model.complete(HELLO, max_tokens=9).text == "Hi."
    assert len(server.chats) == 4
    assert server.chats[-1].body["max_completion_tokens"] == 9


@pytest.mark.parametrize("vendor", CONTEXT_ERRORS)
def test_a_prompt_beyond_the_context_is_told_apart_and_its_limit_read(opened: Open, vendor: str) -> None:
    server, model = opened(CONTEXT_ERRORS[vendor])
    with pytest.raises(ContextTooSmallError) as caught:
        model.complete(HELLO)
    assert len(server.chats) == 1
    assert not caught.value.down
    assert caught.value.limit == (None if vendor == "ollama" else 4096)
    assert model.context == caught.value.limit


@pytest.mark.parametrize(
    ("words", "limit"),
    [
        ("prompt is too long: 210000 tokens > 200000 maximum", 200_000),
        ("max_tokens is too large: 1024. This model's maximum context length is 1,536 tokens", 1536),
        ("The decoder prompt (length 9000) is longer than the maximum model length of 4096.", 4096),
        ("Prompt contains 40000 tokens, too large for model with 32768 maximum context length", 32_768),
        ("Please reduce the length of the messages or completion.", None),
    ],
)
def test_other_words_for_too_long(opened: Open, words: str, limit: int | None) -> None:
    _, model = opened(fault(400, words))
    with pytest.raises(ContextTooSmallError) as caught:
        model.complete(HELLO)
    assert caught.value.limit == limit


@pytest.mark.parametrize(
    ("reply", "error", "words"),
    [
        (REFUSAL, RefusedReplyError, "declined: I cannot help"),
        (FILTERED, RefusedReplyError, "content filter"),
        (fault(400, "blocked", code="content_filter"), RefusedReplyError, "blocked"),
        (TOOL_CALL, MalformedReplyError, "called a tool"),
        (ALL_THOUGHT, MalformedReplyError, "HYBRIDRAG_LLM_MAX_TOKENS"),
    ],
)
def test_replies_that_another_request_would_not_mend(
    opened: Open, reply: Said | Fault, error: type[ModelError], words: str
) -> None:
    server, model = opened(reply)
    with pytest.raises(error, match=words) as caught:
        model.complete(HELLO)
    assert len(server.chats) == 1
    assert not caught.value.down


def test_a_reply_cut_at_the_limit_says_so(opened: Open) -> None:
    _, model = opened(Said("Net revenue was", finish="length"))
    assert model.complete(HELLO).finish == "length"


@pytest.mark.parametrize(
    "error",
    [
        fault(404, "The model `scripted` does not exist.", code="model_not_found"),
        raw(404, {"object": "error", "message": "The model `scripted` does not exist.", "code": 404}),
        raw(404, {"error": {"message": "model 'scripted' not found, try pulling it first"}}),
        fault(400, "Invalid model name passed in model=scripted"),
    ],
)
def test_an_unknown_model_is_answered_with_those_on_offer(opened: Open, error: Fault) -> None:
    server, model = opened(error)
    server.models = [{"id": "llama-3"}, {"id": "qwen-2"}]
    with pytest.raises(ModelDownError, match=r"has no model 'scripted'. On offer: llama-3, qwen-2"):
        model.complete(HELLO)
    assert len(server.chats) == 1


def test_a_wrong_path_is_told_from_an_unknown_model(opened: Open) -> None:
    server, model = opened(fault(404, "Not Found"))
    server.models = fault(404)
    with pytest.raises(ModelDownError, match=r"404.*usually end in /v1"):
        model.complete(HELLO)


@pytest.mark.parametrize(
    "error",
    [
        NOT_CHAT,
        raw(400, {"error": {"message": '"all-minilm" does not support chat', "type": "api_error"}}),
        raw(501, {"error": {"code": 501, "message": "This server does not support chat/completions."}}),
        raw(
            400,
            {"object": "error", "message": "The model does not support Chat Completions API", "code": 400},
        ),
    ],
)
def test_a_model_that_does_not_chat_is_named(opened: Open, error: Fault) -> None:
    server, model = opened(error)
    with pytest.raises(ModelDownError, match="'scripted' is not a chat model"):
        model.complete(HELLO)
    assert len(server.chats) == 1


def test_a_key_that_the_endpoint_repeats_is_not_shown(opened: Open) -> None:
    _, model = opened(fault(401, f"Incorrect API key provided: {KEY}.\nSee \x1b[31mhttps://example.com"))
    with pytest.raises(ModelDownError) as caught:
        model.complete(HELLO)
    assert KEY not in str(caught.value)
    assert "[key]" in str(caught.value)
    assert "\x1b" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is None, "the client's own exception holds the request and its headers"


def test_lone_surrogates_do_not_stop_a_request(opened: Open) -> None:
    server, model = opened("Hi.")
    model.complete((Message("user", "broken \ud800 text"),))
    assert server.chats[0].text == "broken ? text"


@pytest.mark.parametrize(
    ("models", "others", "context"),
    [
        ([{"id": "scripted", "max_model_len": 4096}], {}, 4096),  # vLLM
        ([{"id": "/a/file.gguf", "meta": {"n_ctx": 8192, "n_ctx_train": 32768}}], {}, 8192),  # llama.cpp
        (
            [{"id": "/a/file.gguf", "meta": {"n_ctx_train": 32768}}],
            {"/props": {"default_generation_settings": {"n_ctx": 2048}}},
            2048,
        ),
        (
            [{"id": "scripted"}, {"id": "b"}],
            {"/api/ps": {"models": [{"name": "scripted", "context_length": 4096}]}},
            4096,
        ),
        (
            [{"id": "scripted"}, {"id": "b"}],
            {
                "/api/show": {
                    "parameters": "stop  x\nnum_ctx    16384",
                    "model_info": {"llama.context_length": 131072},
                }
            },
            16384,
        ),
        ([{"id": "scripted", "context_length": "many"}], {}, None),
        ([{"id": "b", "max_model_len": 4096}, {"id": "c", "max_model_len": 512}], {}, None),
    ],
)
def test_the_context_is_what_the_server_serves(
    opened: Open, models: list[dict[str, object]], others: dict[str, object], context: int | None
) -> None:
    server, model = opened("Hi.")
    server.models, server.others = models, others
    assert model.context == context
    known = len(server.requests)
    assert model.context == context
    assert len(server.requests) == known, "asked once"


def test_a_context_that_is_set_asks_nobody(opened: Open) -> None:
    server, model = opened("Hi.", llm_context=2048)
    assert model.context == 2048
    assert server.requests == []


def test_no_more_requests_at_once_than_allowed(opened: Open) -> None:
    running, most, lock = 0, 0, threading.Lock()

    def slow(asked: Asked) -> str:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.05)
        with lock:
            running -= 1
        return "Hi."

    server, model = opened(slow, llm_concurrency=2)
    threads = [threading.Thread(target=model.complete, args=(HELLO,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.chats) == 8
    assert most == 2


def test_without_an_endpoint_there_is_no_model() -> None:
    with pytest.raises(SettingsError, match="HYBRIDRAG_LLM_BASE_URL"):
        chat_model(Settings(_env_file=None))
