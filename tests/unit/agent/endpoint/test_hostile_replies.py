"""Replies that mean harm are errors in words; no figure of theirs is believed and nothing of the key is told."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from agent.endpoint.limits import Limits, Pace
from agent.endpoint.models import MAX_TEMPLATE_TOKENS, EndpointChat, chat_model, endpoint_embeddings
from agent.settings import Settings
from evals.attacks import endpoint_forms as forms
from evals.attacks.endpoint import faults_at
from evals.attacks.hostile_endpoint import KEY, MODEL, HostileEndpoint, Reply, completion, hostile, whole
from tools.model.turn import turn
from tools.model.types import DeadlineError, Message, ModelError, RefusedReplyError

HELLO = (Message("user", "Hello"),)
QUICK = Pace(sleep=lambda seconds: None)


@contextmanager
def opened(reply: Reply) -> Iterator[tuple[HostileEndpoint, EndpointChat]]:
    with hostile(reply) as endpoint:
        settings = Settings(_env_file=None, llm_base_url=endpoint.base_url, llm_model=MODEL, llm_api_key=KEY)
        with closing(chat_model(settings, QUICK)) as model:
            yield endpoint, model


@pytest.mark.parametrize("what", [*forms.DEEP, "a text of 20 MB"])
def test_what_no_reader_of_json_can_hold_is_no_reply(what: str) -> None:
    with opened(forms.FAULTS[what]) as (_, model):
        if what == "lists within lists for words":
            assert model.complete(HELLO).text.startswith("[[")
        else:
            with pytest.raises(ModelError):
                model.complete(HELLO)


@pytest.mark.parametrize("what", [*forms.VECTORS, *forms.DEEP])
def test_vectors_that_are_none_are_an_error_in_words(what: str) -> None:
    reply = partial(_vectors, what=what) if what in forms.VECTORS else forms.DEEP[what]
    with hostile(reply) as endpoint:
        settings = Settings(
            _env_file=None, engine="local", embed_base_url=endpoint.base_url, embed_model=MODEL
        )
        with closing(endpoint_embeddings(settings, QUICK)) as embedder, pytest.raises(ModelError):
            embedder.embed(["one", "two"])


def _vectors(asked: Any, what: str) -> Any:
    return forms.embedded(asked, forms.VECTORS[what])


def test_usage_that_cannot_be_is_estimated() -> None:
    usage: Any
    for usage in ((10**12, 10**12), (2**70, 2**70), (-5, -5), (MAX_TEMPLATE_TOKENS * 2, 1025)):
        told = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
        body = completion("Hello to you.", told)
        with opened(lambda _, body=body: whole(200, body)) as (_, model), turn("step") as spent:
            reply = model.complete(HELLO)
            assert 0 < reply.input_tokens == spent.input_tokens < 100
            assert 0 < reply.output_tokens == spent.output_tokens < 100


def test_thoughts_that_are_paid_for_and_not_sent_are_counted() -> None:
    told = {"prompt_tokens": 70, "completion_tokens": 900, "total_tokens": 970}
    with opened(lambda _: whole(200, completion("Hello.", told))) as (_, model):
        reply = model.complete(HELLO)
    assert (reply.input_tokens, reply.output_tokens) == (70, 900)


@pytest.mark.parametrize("after", ["120", "3600", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_wait_too_long_for_one_question_is_not_the_next_ones(after: str) -> None:
    with opened(lambda _: whole(429, b"{}", f"Retry-After: {after}")) as (endpoint, model):
        with turn("first", deadline=_in(60)), pytest.raises(DeadlineError):
            model.complete(HELLO)
        endpoint.reply = lambda _: whole(200, completion("Hello to you."))
        with turn("second", deadline=_in(60)):
            assert model.complete(HELLO).text == "Hello to you."
        assert len(endpoint.asked) == 2


def test_a_wait_that_one_caller_takes_holds_the_others_for_as_long_as_any_wait_of_ours() -> None:
    slept: list[float] = []
    pace = Pace(sleep=slept.append, jitter=0)
    with (
        patch.object(Limits, "hold") as hold,
        hostile(lambda _: whole(429, b"{}", "Retry-After: 50")) as endpoint,
    ):
        settings = Settings(_env_file=None, llm_base_url=endpoint.base_url, llm_model=MODEL)
        with closing(chat_model(settings, pace)) as model, pytest.raises(ModelError):
            model.complete(HELLO)
    assert slept == [50, 50]
    assert [call.args for call in hold.call_args_list] == [(pace.most,), (pace.most,)]


def _in(seconds: float) -> float:
    return time.monotonic() + seconds


def test_a_refusal_tells_nothing_of_the_key() -> None:
    with (
        opened(lambda _: whole(200, completion("", refusal=f"no \x1b[31m{KEY[4:20]}"))) as (_, model),
        pytest.raises(RefusedReplyError) as caught,
    ):
        model.complete(HELLO)
    assert str(caught.value) == "The model declined: no [key]"


def test_a_reply_tells_nothing_of_the_key_however_it_is_written() -> None:
    escaped = "".join(f"\\u{ord(each):04x}" for each in KEY)
    text = f'{{"a": "{KEY[:9]} {escaped} \\u001b[31mred"}}'
    with opened(lambda _: whole(200, completion(text))) as (_, model):
        assert model.complete(HELLO).text == '{"a": "[key] [key] red"}'


AT_ONCE = ("401", "404", "501", "other words", "verdicts of nothing", "lists within lists for words")
"""Faults that are not asked for again, so that they take no time."""


@pytest.mark.parametrize("step", ["plan", "answer", "verdicts"])
def test_a_fault_at_any_step_leaves_an_answer(step: str, three_calls: Path) -> None:
    assert faults_at(step, {what: forms.FAULTS[what] for what in AT_ONCE}, three_calls / "home") == []
