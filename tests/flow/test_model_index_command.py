from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.assistant import Assistant
from agent.endpoint.limits import Limits
from evals.kills import write_documents
from tests import endpoint
from tests.endpoint import Asked, Said, Server, fault, serving
from tests.reading_model import reading

pytestmark = pytest.mark.usefixtures("vectors_here")
Command = Callable[..., Any]


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    return write_documents(tmp_path / "in", 0)


def use(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYBRIDRAG_LLM_BASE_URL", server.base_url)
    monkeypatch.setenv("HYBRIDRAG_LLM_MODEL", endpoint.MODEL)
    monkeypatch.setenv("HYBRIDRAG_LLM_API_KEY", endpoint.KEY)
    monkeypatch.setenv("HYBRIDRAG_WORKERS", "1")  # each loads the models


def test_index_says_what_it_asked_kept_and_dropped(
    hybridrag: Command, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (documents / "empty.md").write_text(
        "# Nothing\n\nNothing was said here by anyone at all today.\n", encoding="utf-8"
    )
    with serving(reading) as server:
        use(server, monkeypatch)
        monkeypatch.setenv("HYBRIDRAG_PRICE_INPUT", "1")
        monkeypatch.setenv("HYBRIDRAG_PRICE_OUTPUT", "2")
        dry = hybridrag("index", documents, "--home", tmp_path / "home", "--dry-run")
        assert (dry.code, server.requests, (tmp_path / "home").exists()) == (0, [], False)
        ran = hybridrag("index", documents, "--home", tmp_path / "home")
        again = hybridrag("index", documents, "--home", tmp_path / "home", "--json")
    assert "A run would read 4 files (0 unchanged); prose is read by 'scripted'." in dry.out
    assert "About 4 model calls; " in dry.out
    assert " USD. Nothing was changed." in dry.out
    assert ran.code == 0
    assert f"No triplet at all from: {documents / 'empty.md'}" in ran.out
    assert " triplets kept; 8 dropped triplets (4 malformed, 4 misquoted)" in ran.out
    assert f"'scripted' yielded no relation that could be kept from: {documents / 'empty.md'}" in ran.out
    assert "4 model calls; " in ran.out
    assert " calls, " in ran.err
    (told,) = again.objects
    assert told["usage"] == {
        "calls": 0,
        "cached_calls": 0,
        "input_tokens": 0,
        "output_tokens": 0,
        "cost": 0.0,
    }
    assert (told["extractor"], told["incomplete"], told["stopped"]) == ("scripted", [], None)
    assert endpoint.KEY not in ran.out + ran.err + again.out + again.err + dry.out + dry.err


def test_an_incomplete_document_is_exit_code_one_with_the_command_that_goes_on(
    hybridrag: Command, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(reading) as server:
        use(server, monkeypatch)
        stopped = hybridrag("index", documents, "--home", tmp_path / "home", "--max-tokens", "3,600")
        told = hybridrag("index", documents, "--home", tmp_path / "home", "--max-tokens", "10", "--json")
    assert stopped.code == told.code == 1
    assert f"run again: hybridrag index {documents} --home {tmp_path / 'home'}" in stopped.out
    assert told.objects[0]["incomplete"]
    assert {file["state"] for file in told.objects[0]["files"]} >= {"incomplete"}


@pytest.mark.parametrize("words", [("--max-tokens", "0"), ("--max-tokens", "many"), ("--extractor", "spacy")])
def test_a_wrong_flag_is_the_users_mistake(
    hybridrag: Command, documents: Path, words: tuple[str, str]
) -> None:
    assert hybridrag("index", documents, *words).code == 2


def test_the_model_extractor_without_an_endpoint_is_the_users_mistake(
    hybridrag: Command, documents: Path
) -> None:
    ran = hybridrag("index", documents, "--extractor", "model")
    assert ran.code == 2
    assert "HYBRIDRAG_LLM_BASE_URL" in ran.err


def test_the_local_extractor_asks_nothing_whatever_the_engine(
    hybridrag: Command, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(reading) as server:
        use(server, monkeypatch)
        dry = hybridrag("index", documents, "--home", tmp_path / "home", "--extractor", "local", "--dry-run")
        ran = hybridrag("index", documents, "--home", tmp_path / "home", "--extractor", "local")
        assert server.requests == []
    assert (dry.code, ran.code) == (0, 0)
    assert "the local rules: no model call" in dry.out
    assert not (tmp_path / "home" / "cache").exists()


def test_a_home_that_cannot_keep_replies_ends_the_run_before_one_is_used(
    hybridrag: Command, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "cache").write_text("in the way", encoding="utf-8")
    with serving(reading) as server:
        use(server, monkeypatch)
        ran = hybridrag("index", documents, "--home", tmp_path / "home")
    assert ran.code == 2
    assert "Cannot write to" in ran.err


def test_two_workers_share_one_limit(documents: Path, tmp_path: Path) -> None:
    under_way, most = 0, 0
    guard, together = threading.Lock(), threading.Event()

    def reply(asked: Asked) -> Said:
        nonlocal under_way, most
        with guard:
            under_way += 1
            most = max(most, under_way)
        if most == 2:
            together.set()
        together.wait(30)  # processes of a busy machine start far apart
        time.sleep(0.3)  # for a third to come
        with guard:
            under_way -= 1
        return reading(asked)

    with serving(reply) as server:
        settings = server.settings(home=tmp_path / "home", llm_concurrency=2, workers=3)
        report = Assistant(settings).index([documents])
    assert report.counts == {"indexed": 3}
    assert most == 2


def test_a_rate_limited_endpoint_is_waited_for_by_all(
    documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold, held = Limits.hold, list[float]()

    def watched(limits: Limits, seconds: float) -> None:
        held.append(seconds)
        hold(limits, seconds)

    def reply(asked: Asked) -> Said | endpoint.Fault:
        return fault(429, Retry_After="1") if asked.index == 0 else reading(asked)

    monkeypatch.setattr(Limits, "hold", watched)

    with serving(reply) as server:
        report = Assistant(server.settings(home=tmp_path / "home", llm_concurrency=1)).index([documents])
    assert report.counts == {"indexed": 3}
    assert len(server.chats) == 4
    assert held == [1.0]
