from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from tools.model.cache import Source
from tools.model.turn import current_turn
from tools.model.types import Message, ModelDownError, ModelError, Reply
from tools.store.errors import StoreError
from tools.store.reading.model_broker import MAX_FAILURES_IN_A_ROW, ModelBroker, Models
from tools.store.reading.worker_pipe import error_from_json

ALDER = Source("a" * 16, "/in/alder.txt", "alder.txt")


class Model:
    """Answers, or fails, and counts."""

    id = "m"
    context = None

    def __init__(self, error: ModelError | None = None, cost: int = 100) -> None:
        self.error = error
        self.cost = cost
        self.calls = 0
        self.under_way = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()

    def complete(
        self,
        messages: tuple[Message, ...],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        self.calls += 1
        self.under_way.set()
        self.go_on.wait(5)
        if self.error is not None:
            raise self.error
        return Reply(f"reply to {messages[-1].text}", "stop", self.cost - 10, 10)


def question(text: str, max_tokens: int = 20) -> dict[str, Any]:
    return {"ask": 1, "chat": [{"role": "user", "text": text}], "schema": None, "max_tokens": max_tokens}


def test_a_question_is_asked_once_and_answered_from_the_journal_after(tmp_path: Path) -> None:
    model = Model()
    broker = ModelBroker(tmp_path, Models(chat=model))
    first = broker.answer(ALDER, (), question("one"))
    assert first["reply"]["text"] == "reply to one"
    assert broker.answer(ALDER, (), question("one")) == first
    assert ModelBroker(tmp_path, Models(chat=model)).answer(ALDER, (), question("one")) == first
    assert (model.calls, broker.spent.calls, broker.spent.cached, broker.spent.tokens) == (1, 1, 1, 100)


def test_the_budget_is_never_overdrawn_and_kept_replies_stay_free(tmp_path: Path) -> None:
    model = Model()
    broker = ModelBroker(tmp_path, Models(chat=model, max_tokens=350))
    answers = [broker.answer(ALDER, (), question(f"question {n}", 60)) for n in range(6)]
    assert [("reply" in answer) for answer in answers] == [True, True, True, False, False, False]
    assert broker.spent.tokens == 300
    assert broker.answer(ALDER, (), question("question 0", 60)) == answers[0]
    told = error_from_json(answers[-1]["error"])
    assert told.down
    assert "300 are spent" in str(told)
    assert broker.closed == str(told)


def test_a_call_waits_for_room_that_one_under_way_may_leave(tmp_path: Path) -> None:
    model = Model(cost=50)
    model.go_on.clear()
    broker = ModelBroker(tmp_path, Models(chat=model, max_tokens=400))
    answers: list[dict[str, Any]] = []
    ask = lambda text: answers.append(broker.answer(ALDER, (), question(text, 300)))  # noqa: E731
    first, second = (threading.Thread(target=ask, args=(text,)) for text in ("one", "two"))
    first.start()
    assert model.under_way.wait(5)
    second.start()
    second.join(0.2)
    assert second.is_alive()
    assert model.calls == 1
    model.go_on.set()
    first.join(5)
    second.join(5)
    assert ["reply" in answer for answer in answers] == [True, True]


def test_an_endpoint_that_fails_again_and_again_is_left_alone(tmp_path: Path) -> None:
    model = Model(ModelDownError("it is gone"))
    broker = ModelBroker(tmp_path, Models(chat=model))
    for n in range(MAX_FAILURES_IN_A_ROW + 5):
        answer = broker.answer(ALDER, (), question(f"question {n}"))
        assert str(error_from_json(answer["error"])) == "it is gone"
    assert model.calls == MAX_FAILURES_IN_A_ROW
    assert broker.closed == "it is gone"


def test_failures_with_successes_between_them_are_no_death(tmp_path: Path) -> None:
    model = Model()
    broker = ModelBroker(tmp_path, Models(chat=model))
    for n in range(12):
        model.error = ModelDownError("busy") if n % 3 else None
        broker.answer(ALDER, (), question(f"question {n}"))
    assert model.calls == 12
    assert not broker.closed


def test_a_reply_that_comes_after_the_run_is_not_written(tmp_path: Path) -> None:
    model = Model()
    model.go_on.clear()
    broker = ModelBroker(tmp_path, Models(chat=model))
    late = threading.Thread(target=broker.answer, args=(ALDER, (), question("one")))
    late.start()
    assert model.under_way.wait(5)
    broker.stop()
    model.go_on.set()
    late.join(5)
    assert list(tmp_path.iterdir()) == []


def test_what_the_disk_refuses_to_keep_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way", encoding="utf-8")
    broker = ModelBroker(tmp_path / "cache", Models(chat=Model()))
    answer = broker.answer(ALDER, (), question("one"))
    assert "could not be kept" in answer["error"]["message"]
    assert isinstance(broker.broken, OSError)


def test_spending_is_reported_with_its_cost(tmp_path: Path) -> None:
    seen: list[tuple[int, float | None]] = []
    broker = ModelBroker(
        tmp_path,
        Models(chat=Model(), prices=(1.0, 2.0)),
        lambda spent: seen.append((spent.calls, spent.cost)),
    )
    broker.answer(ALDER, (), question("one"))
    assert seen == [(1, pytest.approx(0.00011))]


def test_what_was_paid_for_counts_though_the_database_could_not_be_asked_for_another_request(
    tmp_path: Path,
) -> None:
    class Away(Model):
        def complete(self, *asked: Any, **more: Any) -> Reply:
            current_turn().input_tokens += 30
            raise StoreError("the server is starting")

    broker = ModelBroker(tmp_path, Models(chat=Away(), max_tokens=400))
    told = error_from_json(broker.answer(ALDER, (), question("one"))["error"])
    assert isinstance(told, ModelDownError) and "the server is starting" in str(told)
    assert broker.spent.tokens == broker._budget.used == 30 and not broker.closed
