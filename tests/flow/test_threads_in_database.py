"""Chats over a database that goes away in the middle of an answer, and for roles that may not write."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agent.assistant import Assistant
from agent.settings import Settings
from agent.threads.sessions import Session, Sessions
from agent.threads.thread_records import Begun, ThreadsUnusableError
from agent.threads.turn_parts import Event, Step
from graphs.contracts import Answer
from tests.conftest import Command
from tests.postgres_here import PostgresHere
from tests.web_page import serving_page

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"


def name_of(address: str) -> str:
    return address.split("/")[3].split("?")[0]


def cut(postgres: PostgresHere, address: str) -> None:
    """Every connection, as a restart does."""
    postgres.run(
        postgres.system,
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name_of(address)}'",
    )


@contextmanager
def away(postgres: PostgresHere, address: str) -> Iterator[None]:
    """Nobody gets in, as where the server is down."""
    postgres.run(postgres.system, f'ALTER DATABASE "{name_of(address)}" ALLOW_CONNECTIONS false')
    try:
        cut(postgres, address)
        yield
    finally:
        postgres.run(postgres.system, f'ALTER DATABASE "{name_of(address)}" ALLOW_CONNECTIONS true')


@pytest.fixture
def sessions(sample_store: str, postgres: PostgresHere, tmp_path: Path) -> Iterator[Sessions]:
    postgres.run(sample_store, "DROP SCHEMA IF EXISTS hybridrag_threads CASCADE")
    settings = Settings(_env_file=None, store=sample_store, home=tmp_path / "none")
    with Assistant(settings) as assistant, Sessions(assistant) as opened:
        yield opened


@pytest.mark.parametrize("last", ["condense", "plan", "retrieve", "merge", "generate", "check", "answer"])
def test_a_database_that_restarts_in_the_middle_of_an_answer_leaves_a_question_to_go_on_with(
    sessions: Sessions, sample_store: str, postgres: PostgresHere, last: str
) -> None:
    session = sessions.open("cut")
    with pytest.raises(ThreadsUnusableError, match="lost in the middle of an answer"):
        for event in session.ask(REVENUE):
            if isinstance(event, Step) and event.name == last:
                cut(postgres, sample_store)
    assert session.turns() == [] and session.unfinished() == REVENUE
    answer = list(session.resume())[-1]
    assert isinstance(answer, Answer) and "1,284.6" in answer.answer and answer.status == "answered"
    assert [turn.question for turn in session.turns()] == [REVENUE]


def test_a_database_that_stays_away_is_said_and_the_question_waits_for_it(
    sessions: Sessions, sample_store: str, postgres: PostgresHere
) -> None:
    session = sessions.open("away")
    events = session.ask(REVENUE)
    while not (isinstance(event := next(events), Step) and event.name == "plan"):
        pass
    with away(postgres, sample_store):
        with pytest.raises(ThreadsUnusableError, match="HYBRIDRAG_THREADS=home"):
            list(events)
        with pytest.raises(ThreadsUnusableError, match="not currently accepting connections"):
            session.unfinished()
    assert session.unfinished() == REVENUE
    assert isinstance(list(session.resume())[-1], Answer)


def test_the_page_says_why_an_answer_has_ended_and_goes_on_with_it(
    sessions: Sessions, sample_store: str, postgres: PostgresHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, cuts = Session._run, [True]

    def cut_once(session: Session, begun: Begun, given: object) -> Generator[Event, None, None]:
        for event in run(session, begun, given):
            if isinstance(event, Step) and event.name == "retrieve" and cuts:
                cut(postgres, sample_store)
                cuts.clear()
            yield event

    monkeypatch.setattr(Session, "_run", cut_once)
    settings = sessions.assistant.settings
    with serving_page(settings.home, settings=settings) as served:
        thread = served.thread(REVENUE)
        last = served.ask(thread, REVENUE)[-1]
        assert (
            last["kind"] == "error" and last["mistake"] and "lost in the middle of an answer" in last["text"]
        )
        assert served.client.get(f"/api/threads/{thread}").json()["unfinished"] == REVENUE
        assert served.lines(f"/api/threads/{thread}/resume")[-1]["kind"] == "answer"
    assert [path.name for path in settings.home.iterdir()] == ["web.lock"]


def test_a_role_that_only_reads_the_index_asks_and_is_told_what_a_chat_needs(
    sessions: Sessions,
    sample_store: str,
    postgres: PostgresHere,
    hybridrag: Command,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    rights = (
        "GRANT USAGE ON SCHEMA hybridrag TO asks_only",
        "GRANT SELECT ON ALL TABLES IN SCHEMA hybridrag TO asks_only",
    )
    postgres.run(sample_store, "CREATE ROLE asks_only LOGIN", *rights)
    monkeypatch.setenv("HYBRIDRAG_STORE", sample_store.replace("//postgres@", "//asks_only@"))
    asked = hybridrag("ask", REVENUE)
    assert asked.code == 0 and "1,284.6" in asked.out, asked.err
    listed = hybridrag("threads")
    assert listed.code == 0 and "No threads yet" in listed.err
    assert "ok      threads: 0 at postgresql://asks_only@" in hybridrag("doctor").out
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{REVENUE}\n"))
    refused = hybridrag("chat")
    assert refused.code == 2 and "permission denied for database" in refused.err
    for words in ("CREATE SCHEMA", "GRANT USAGE", "TO asks_only", "hybridrag ask", "HYBRIDRAG_THREADS=home"):
        assert words in refused.err
    monkeypatch.setenv("HYBRIDRAG_THREADS", "home")
    monkeypatch.setenv("HYBRIDRAG_HOME", str(tmp_path / "own"))
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{REVENUE}\n"))
    answered = hybridrag("chat")
    assert answered.code == 0 and "1,284.6" in answered.out, answered.err


def test_a_server_whose_page_can_keep_no_threads_says_so_and_does_not_begin(
    postgres: PostgresHere, tmp_path: Path
) -> None:
    address = postgres.over_tcp(postgres.emptied(), "wrong-one")
    settings = {"HYBRIDRAG_STORE": address, "HYBRIDRAG_STUDIO_PAGE": "true", "HYBRIDRAG_HOME": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-m", "agent.server.start"],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2 and "password authentication failed" in ran.stderr
    assert "wrong-one" not in ran.stderr + ran.stdout and "Traceback" not in ran.stderr
