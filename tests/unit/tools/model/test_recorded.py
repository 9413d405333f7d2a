"""A model's replies kept and given again, request by request."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tools.model.fence import fence
from tools.model.recorded import MissingReplyError, Recorded, recorded_calls, replies_used
from tools.model.turn import current_turn, turn
from tools.model.types import (
    ContextTooSmallError,
    MalformedReplyError,
    Message,
    ModelDownError,
    ModelError,
    RefusedReplyError,
    Reply,
)

HELLO = (Message("system", "Be brief."), Message("user", fence("Hello\nthere")))
REFRESH = "run the refresh command."


class Model:
    """Answers by a function of how often it was asked before."""

    id, context = "small-model", 4096

    def __init__(self, say: Callable[[int], Reply | ModelError]) -> None:
        self.say, self.asked = say, 0
        self.lock = threading.Lock()

    def complete(
        self,
        messages: tuple[Message, ...],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        with self.lock:
            number, self.asked = self.asked, self.asked + 1
        said = self.say(number)
        if isinstance(said, ModelError):
            raise said
        current_turn().spend(said.input_tokens, said.output_tokens)
        return said


def numbered() -> Model:
    return Model(lambda number: Reply(f"reply {number}", "length", 50, 7))


def test_a_request_is_asked_once_and_replayed_without_the_model_at_the_same_cost(tmp_path: Path) -> None:
    model = numbered()
    with turn("generate") as live:
        first = Recorded(tmp_path, model, REFRESH).complete(HELLO, max_tokens=9)
    replaying = Recorded(tmp_path, None, REFRESH)
    with turn("generate") as replayed:
        again = replaying.complete(HELLO, max_tokens=9)
    assert again == first == Reply("reply 0", "length", 50, 7)
    assert (replayed.calls, replayed.input_tokens, replayed.output_tokens) == (1, 50, 7)
    assert (live.calls, live.input_tokens, live.output_tokens) == (1, 50, 7)
    assert (replaying.id, replaying.context) == ("small-model", 4096)


@pytest.mark.parametrize(
    ("messages", "more"),
    [
        ((*HELLO, Message("user", "And?")), {}),
        (HELLO, {"schema": {"type": "object"}}),
        (HELLO, {"max_tokens": 9}),
    ],
)
def test_messages_form_and_limit_make_another_request(
    tmp_path: Path, messages: tuple[Message, ...], more: dict[str, Any]
) -> None:
    model = numbered()
    recorded = Recorded(tmp_path, model, REFRESH)
    recorded.complete(HELLO)
    recorded.complete(messages, **more)
    assert model.asked == 2


def test_another_model_finds_what_the_first_one_said(tmp_path: Path) -> None:
    Recorded(tmp_path, numbered(), REFRESH).complete(HELLO)
    other = Model(lambda number: Reply("other"))
    other.id = "other-model"
    assert Recorded(tmp_path, other, REFRESH).complete(HELLO).text == "reply 0"
    assert other.asked == 0


def test_a_request_that_is_not_there_names_the_step_and_the_command(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path, None, REFRESH)
    with turn("check"), pytest.raises(MissingReplyError, match=r"step 'check'.*run the refresh command"):
        recorded.complete(HELLO)
    assert recorded.missing == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "error", [RefusedReplyError("no"), MalformedReplyError("tools"), ContextTooSmallError("long", 2048)]
)
def test_a_models_refusal_is_replayed_as_it_was(tmp_path: Path, error: ModelError) -> None:
    with pytest.raises(type(error)):
        Recorded(tmp_path, Model(lambda number: error), REFRESH).complete(HELLO)
    with pytest.raises(type(error), match=str(error)) as caught:
        Recorded(tmp_path, None, REFRESH).complete(HELLO)
    assert getattr(caught.value, "limit", None) == getattr(error, "limit", None)


def test_an_endpoint_that_was_down_is_asked_again(tmp_path: Path) -> None:
    model = Model(lambda number: Reply("back") if number else ModelDownError("gone"))
    recorded = Recorded(tmp_path, model, REFRESH)
    with pytest.raises(ModelDownError):
        recorded.complete(HELLO)
    assert recorded.complete(HELLO).text == "back"


def test_of_two_replies_that_come_at_once_the_first_is_everybodys(tmp_path: Path) -> None:
    both = threading.Barrier(2, timeout=30)

    def say(number: int) -> Reply:
        both.wait()
        return Reply(f"reply {number}")

    recorded = Recorded(tmp_path, Model(say), REFRESH)
    with ThreadPoolExecutor(2) as pool:
        texts = {reply.text for reply in pool.map(lambda _: recorded.complete(HELLO), range(2))}
    assert texts == {Recorded(tmp_path, None, REFRESH).complete(HELLO).text}


def test_each_question_lists_the_replies_it_used_and_each_line_its_request(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path, numbered(), REFRESH)
    with replies_used() as first, turn("route"):
        recorded.complete(HELLO, schema={"title": "Choice", "type": "object"})
        recorded.complete(HELLO)
    with replies_used() as second, turn("generate"):
        recorded.complete(HELLO)
    assert len(first) == 2 and second == first[1:]
    calls = recorded_calls(tmp_path)
    assert set(calls) == set(first)
    call = calls[first[0]]
    assert (call.model, call.step, call.form, call.messages) == ("small-model", "route", "Choice", HELLO)
