from __future__ import annotations

import queue
from pathlib import Path
from typing import Any

import pytest

from tools.model.cache import Source
from tools.model.types import ModelDownError
from tools.store.reading.broker_threads import BrokerThreads, TaskSource
from tools.store.reading.model_broker import ModelBroker, Models
from tools.store.reading.worker_pipe import error_from_json

ORLA = TaskSource(Source("a" * 16, "/in/orla.txt", "orla.txt"))
KESTREL = TaskSource(Source("b" * 16, "/in/kestrel.txt", "kestrel.txt"), ("c" * 16,))


class Broker(ModelBroker):
    """Answers with what it was asked for."""

    def answer(self, source: Source, donors: Any, question: dict[str, Any]) -> dict[str, Any]:
        if "break" in question:
            raise RuntimeError
        return {"of": source.path, "donors": list(donors), **question}


def ask(threads: BrokerThreads, position: int, **question: Any) -> dict[str, Any]:
    answers: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threads.serve(position, question, answers.put)
    return answers.get(timeout=60)


def test_a_question_is_put_for_its_tasks_document(tmp_path: Path) -> None:
    threads = BrokerThreads(Broker(tmp_path, Models(at_once=2)), [ORLA, KESTREL])
    assert ask(threads, 1, n=3) == {"of": "kestrel.txt", "donors": ["c" * 16], "n": 3}
    threads.stop()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_question_whose_asking_failed_has_an_answer_all_the_same(tmp_path: Path) -> None:
    threads = BrokerThreads(Broker(tmp_path, Models(at_once=1)), [ORLA])
    assert isinstance(error_from_json(ask(threads, 0, **{"break": True})["error"]), ModelDownError)
    for thread in threads._threads:
        thread.join(60)


def test_a_closed_broker_refuses_only_documents_without_replies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Broker, "closed", "it is gone")
    (tmp_path / f"{ORLA.source.document_id}.jsonl").write_text("")
    threads = BrokerThreads(Broker(tmp_path, Models()), [ORLA, KESTREL])
    assert (threads.refusal(0), threads.refusal(1)) == ("", "it is gone")
    threads.stop()
