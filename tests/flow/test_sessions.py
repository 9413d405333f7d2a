from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from agent.assistant import Assistant
from agent.settings import Settings, load_settings
from agent.threads.database_tables import OF_A_THREAD, SCHEMA
from agent.threads.database_threads import DatabaseThreads
from agent.threads.sessions import KEPT_TURNS, Session, Sessions, ThreadBusyError
from agent.threads.thread_places import threads_of
from agent.threads.thread_records import (
    ThreadExistsError,
    ThreadNameError,
    ThreadsUnusableError,
    UnknownThreadError,
)
from agent.threads.thread_store import ThreadStore
from agent.threads.turn_parts import Filters, Step
from evals.attacks.damage import DAMAGES, STORED_DAMAGES, TIMES, damaged_threads
from evals.chat_kills import run_kills
from graphs.contracts import Answer, Clarification
from tests.warm_processes import MAY_BE_WARM
from tools.store.errors import IndexMissingError

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
UNCLEAR = "What was net income?"
GONE = {
    "a question that is gone": (
        "DELETE FROM checkpoint_blobs WHERE channel = ? AND thread_id = ?",
        "question",
    )
}


@pytest.fixture
def home(untouched_home: Path, tmp_path: Path) -> Path:
    shutil.copytree(
        untouched_home, tmp_path / "home", ignore=shutil.ignore_patterns("sessions.sqlite*", "threads")
    )
    return tmp_path / "home"


@pytest.fixture(params=["home", "postgresql"])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings of an index that has no threads yet, in a folder and in a database; the environment says the same."""
    if request.param == "home":
        monkeypatch.setenv("HYBRIDRAG_HOME", str(request.getfixturevalue("home")))
    else:
        address = request.getfixturevalue("sample_store")
        request.getfixturevalue("postgres").run(address, "DROP SCHEMA IF EXISTS hybridrag_threads CASCADE")
        monkeypatch.setenv("HYBRIDRAG_STORE", address)
        monkeypatch.setenv("HYBRIDRAG_HOME", str(request.getfixturevalue("tmp_path") / "none"))
    return load_settings()


@pytest.fixture
def home_sessions(home: Path) -> Iterator[Sessions]:
    """Of a folder alone."""
    with Assistant.open(home) as assistant, Sessions(assistant) as opened:
        yield opened


@pytest.fixture
def sessions(place: Settings) -> Iterator[Sessions]:
    with Assistant.open() as assistant, Sessions(assistant) as opened:
        yield opened


def rows(sessions: Sessions, sql: str, *values: Any) -> list[Any]:
    """What another program reads of the threads just now."""
    with closing(threads_of(sessions.assistant.settings)) as store:
        return store.rows(sql, *values)


def change(sessions: Sessions, sql: str, *values: Any) -> int:
    """What another program does to the threads: how many rows it changes."""
    with closing(threads_of(sessions.assistant.settings)) as store, store.writing() as database:
        return int(database.execute(sql, values).rowcount)


def answered(session: Session, question: str, filters: Filters | None = None) -> Answer:
    *steps, last = session.ask(question, filters)
    assert all(isinstance(step, Step) for step in steps)
    assert isinstance(last, Answer)
    return last


def test_a_thread_is_left_and_resumed_with_its_conversation(place: Settings) -> None:
    with Assistant.open() as assistant, Sessions(assistant) as sessions:
        assert "1,284.6" in answered(sessions.open("q2 review"), REVENUE).answer
    with Assistant.open() as assistant, Sessions(assistant) as sessions:
        session = sessions.open("q2 review")
        follow_up = answered(session, "And net income?")
        assert "200.4" in follow_up.answer and "Calderith" in follow_up.standalone_question
        assert [(turn.number, turn.question) for turn in session.turns()] == [
            *((1, REVENUE), (2, "And net income?")),
        ]
        assert session.last() is not None and session.turns()[-1].answer == follow_up
        (thread,) = sessions.threads()
        assert (thread.name, thread.turns) == ("q2 review", 2)
        assert thread.created < thread.used


def test_no_draft_is_among_what_a_turn_shows(sessions: Sessions) -> None:
    steps = [event for event in sessions.open().ask(REVENUE) if isinstance(event, Step)]
    assert [step.name for step in steps] == [
        *("condense", "plan", "retrieve", "merge", "generate", "check", "answer"),
    ]
    assert not any("draft" in step.fields for step in steps)


def test_pinned_filters_are_strict(sessions: Sessions) -> None:
    answer = answered(sessions.open(), UNCLEAR, Filters(company="HRWM", year=2024, quarter=3))
    assert {item.company_key for item in answer.evidence} == {"HRWM"}


def test_a_pinned_document_and_type_hold_for_a_turn_that_is_cut_off(sessions: Sessions) -> None:
    session = sessions.open("one document")
    turn = session.ask("What was total revenue?", Filters(doc_type="10-Q", document="10Q-Q2-2024.pdf"))
    next(turn)
    turn.close()
    answer = list(session.resume())[-1]
    assert isinstance(answer, Answer) and {item.document for item in answer.evidence} == {"10Q-Q2-2024.pdf"}


def test_a_turn_begun_before_there_were_filters_for_documents_goes_on(sessions: Sessions) -> None:
    session = sessions.open("old")
    turn = session.ask(REVENUE)
    next(turn)
    turn.close()
    ((begun,),) = rows(sessions, "SELECT begun FROM threads")
    older = {k: v for k, v in json.loads(begun).items() if k not in ("doc_type", "document", "stop")}
    change(sessions, "UPDATE threads SET begun = ?", json.dumps(older))
    answer = list(session.resume())[-1]
    assert isinstance(answer, Answer) and "1,284.6" in answer.answer


def test_an_answer_is_kept_before_it_is_handed_out(sessions: Sessions) -> None:
    session = sessions.open("kept")
    for event in session.ask(REVENUE):
        assert rows(sessions, "SELECT count(*) FROM turns") == [(1 if isinstance(event, Answer) else 0,)]


def test_threads_are_named_renamed_and_deleted_without_a_trace(sessions: Sessions) -> None:
    session = sessions.open("../../etc/passwd")  # a name is no path
    answered(session, REVENUE)
    other = sessions.open()
    assert {thread.name for thread in sessions.threads()} == {"../../etc/passwd", other.thread.name}
    sessions.rename("../../etc/passwd", "calls")
    assert session.thread.name == "calls"
    with pytest.raises(ThreadExistsError, match="'calls' already"):
        sessions.rename(other.thread.name, "calls")
    with pytest.raises(UnknownThreadError, match=r"No thread 'nothing'\. Threads: .*'calls'"):
        sessions.delete("nothing")
    sessions.delete("calls")
    assert [thread.name for thread in sessions.threads()] == [other.thread.name]
    if sessions.assistant.settings.store is None:
        for file in sessions.assistant.home.glob("sessions.sqlite*"):
            assert b"Calderith" not in file.read_bytes()
        assert list((sessions.assistant.home / "threads").iterdir()) == []
    else:
        for table in OF_A_THREAD:
            assert rows(sessions, f"SELECT count(*) FROM {table}") == [(0,)]


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 101, "bell\a"])
def test_a_name_that_cannot_be_shown_is_refused(sessions: Sessions, name: str) -> None:
    with pytest.raises(ThreadNameError):
        sessions.open(name)
    assert sessions.threads() == []


def test_new_threads_get_free_names(sessions: Sessions) -> None:
    names = [sessions.open().thread.name for _ in range(3)]
    assert names == [names[0], f"{names[0]} 2", f"{names[0]} 3"]


def test_a_stopped_turn_leaves_the_session_usable(sessions: Sessions) -> None:
    session = sessions.open()
    turn = session.ask(REVENUE)
    for event in turn:
        if isinstance(event, Step) and event.name == "retrieve":
            break
    turn.close()
    assert session.unfinished() == REVENUE
    session.drop()
    assert session.unfinished() is None and session.turns() == []
    assert (
        "200.4"
        in answered(session, "What was Calderith's net income in that quarter, ended March 30, 2024?").answer
    )


@pytest.mark.parametrize("last", ["", "condense", "retrieve", "generate", "answer"])
def test_an_unfinished_turn_goes_on_where_it_was(sessions: Sessions, last: str) -> None:
    session = sessions.open("cut")
    turn, before = session.ask(REVENUE), []
    for event in turn:
        assert isinstance(event, Step)
        before.append(event.name)
        if event.name == last or not last:
            break
    turn.close()
    with Assistant.open() as assistant, Sessions(assistant) as reopened:
        again = reopened.open("cut")
        assert again.unfinished() == REVENUE
        *steps, answer = again.resume()
        assert isinstance(answer, Answer) and "1,284.6" in answer.answer
        after = [step.name for step in steps if isinstance(step, Step)]
        whole = ["condense", "plan", "retrieve", "merge", "generate", "check", "answer"]
        assert before + after == whole
        assert again.unfinished() is None and [turn.question for turn in again.turns()] == [REVENUE]


@pytest.mark.parametrize(
    ("older", "first"),
    [
        (
            {"next": ("retrieve",)},
            ["condense", "plan"],
        ),  # a step that both have, before it there were no plans
        ({"next": (), "tasks": ()}, ["condense", "plan"]),  # a step that this version does not have
        ({"next": (), "values": {}}, ["retrieve", "merge"]),  # of this version, as a kill may leave it
    ],
)
def test_a_turn_that_an_older_version_began_is_begun_again(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch, older: dict[str, Any], first: list[str]
) -> None:
    session = sessions.open("old")
    turn = session.ask(REVENUE)
    while not (isinstance(event := next(turn), Step) and event.name == "plan"):
        pass
    turn.close()
    graph = sessions.graph("agent")
    whole = type(graph).get_state

    def read(self: Any, config: Any) -> Any:
        state = whole(self, config)
        without_plans = {name: value for name, value in state.values.items() if not name.startswith("plan")}
        values = state.values if "values" in older else without_plans
        return state._replace(**(older | {"values": values}))

    monkeypatch.setattr(type(graph), "get_state", read)
    *steps, answer = session.resume()
    assert [step.name for step in steps if isinstance(step, Step)][:2] == first
    assert isinstance(answer, Answer) and "1,284.6" in answer.answer


def test_processes_killed_in_the_middle_of_answers_lose_no_acknowledged_turn(place: Settings) -> None:
    tally = run_kills(None if place.store else place.home, kills=3, seed=3)
    assert tally.kills == 3 and tally.lost == 0 and tally.most_repeated <= 1


def test_a_question_asked_back_waits_across_processes(place: Settings) -> None:
    with Assistant.open() as assistant, Sessions(assistant) as sessions:
        asked = list(sessions.open("which").ask(UNCLEAR))[-1]
        assert isinstance(asked, Clarification) and len(asked.options) == 2
    with Assistant.open() as assistant, Sessions(assistant) as sessions:
        session = sessions.open("which")
        assert session.pending() == asked and session.unfinished() is None
        answer = list(session.reply(asked.options[0]))[-1]
        assert isinstance(answer, Answer) and answer.status == "answered"
        assert session.pending() is None and session.turns()[-1].question == UNCLEAR


def test_a_stop_that_came_too_late_does_not_end_what_is_gone_on_with(sessions: Sessions) -> None:
    session = sessions.open("late")
    asked = list(session.ask(UNCLEAR))[-1]
    assert isinstance(asked, Clarification) and sessions.store.ask_to_stop(session.thread.id)
    assert isinstance(list(session.reply(asked.options[0]))[-1], Answer)
    turn = session.ask(REVENUE)
    next(turn)
    turn.close()
    assert sessions.store.ask_to_stop(session.thread.id) and not session.stop_elsewhere()
    assert isinstance(list(session.resume())[-1], Answer)


def test_words_that_no_text_can_hold_are_looked_for_without_what_it_cannot(sessions: Sessions) -> None:
    thread = sessions.open("net sales").thread
    assert sessions.store.with_words(["sal\0es"]) == {thread.id}
    assert sessions.store.with_words(["\ud800"]) == set()


def test_a_question_asked_back_can_be_left_unanswered(sessions: Sessions) -> None:
    session = sessions.open()
    assert isinstance(list(session.ask(UNCLEAR))[-1], Clarification)
    assert "1,284.6" in answered(session, REVENUE).answer
    assert session.pending() is None
    assert isinstance(list(session.ask(UNCLEAR, clarify=False))[-1], Answer)


def test_another_turn_on_the_same_thread_waits_or_is_refused(place: Settings) -> None:
    hurried = Assistant(place.model_copy(update={"deadline": 0.1}))
    with Assistant.open() as assistant, Sessions(assistant) as sessions, Sessions(hurried) as others:
        turn = sessions.open("shared").ask(REVENUE)
        next(turn)
        session = others.open("shared")
        assert session.unfinished() is None  # it is being answered
        with pytest.raises(ThreadBusyError, match="answering on the thread 'shared'") as busy:
            list(session.ask(REVENUE))
        assert (f"(hybridrag {os.getpid()} on this server, since " in str(busy.value)) == (
            place.store is not None
        )
        with pytest.raises(ThreadBusyError):
            others.delete("shared")
        assert isinstance(list(turn)[-1], Answer)
    hurried.close()


def test_a_thread_that_another_process_makes_meanwhile_is_opened(
    place: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Assistant.open() as assistant, Sessions(assistant) as sessions:
        made = sessions.open("shared").thread
        find, looks = ThreadStore.find, iter([None])
        monkeypatch.setattr(ThreadStore, "find", lambda store, name: next(looks, find(store, name)))
        assert sessions.open("shared").thread == made


ASKING = f"""{MAY_BE_WARM}
import sys
from agent.assistant import Assistant
from agent.threads.sessions import Sessions
with Assistant.open() as assistant, Sessions(assistant) as sessions:
    session = sessions.open("shared")
    for _ in range(3):
        list(session.ask(sys.argv[1]))
"""


def test_two_processes_on_one_thread_take_turns(place: Settings) -> None:
    questions = [REVENUE, "Who is the chief financial officer of Harrowmere?"]
    command = [sys.executable, "-W", "error", "-c", ASKING]
    running = [subprocess.Popen([*command, question]) for question in questions]
    assert [process.wait(timeout=120) for process in running] == [0, 0]
    with Assistant.open() as assistant, Sessions(assistant) as sessions:
        turns = sessions.open("shared").turns()
        assert [turn.number for turn in turns] == list(range(1, 7))
        for question, told in zip(questions, ("1,284.6", "Farrow-Bates"), strict=True):
            mine = [turn for turn in turns if turn.question == question]
            assert len(mine) == 3 and all(told in turn.answer.answer for turn in mine)


def test_many_chats_at_once_do_not_mix(sessions: Sessions) -> None:
    asked = {
        "Calderith": ("What was Calderith's net income in the quarter ended March 30, 2024?", "200.4"),
        "Harrowmere": ("Who is the chief financial officer of Harrowmere?", "Farrow-Bates"),
    }
    wrong: list[str] = []

    def chat(company: str, number: int) -> None:
        session = sessions.open(f"{company} {number}")
        question, told = asked[company]
        for text in (question, question):
            answer = answered(session, text)
            others = {item.company_key for item in answer.evidence}
            if told not in answer.answer or len(others) != 1 or len(session.turns()) > 2:
                wrong.append(f"{company} {number}: {answer.answer}")

    chats = [threading.Thread(target=chat, args=(company, n)) for n in range(10) for company in asked]
    for thread in chats:
        thread.start()
    for thread in chats:
        thread.join()
    assert wrong == [] and sorted(t.turns for t in sessions.threads()) == [2] * 20


def test_a_long_thread_carries_little_along(sessions: Sessions) -> None:
    session = sessions.open("long")
    for _ in range(KEPT_TURNS + 3):
        answered(session, REVENUE)
    assert len(session.turns()) == KEPT_TURNS + 3
    state = sessions.graph("agent").get_state({"configurable": {"thread_id": session.thread.id}})
    assert len(state.values["messages"]) <= 2 * (KEPT_TURNS + 1)
    assert rows(sessions, "SELECT count(*) FROM checkpoints") == [(1,)]
    if sessions.assistant.settings.store is not None:
        ((values,),) = rows(sessions, "SELECT count(*) FROM checkpoint_blobs")
        assert values <= len(state.values) + 5  # of that one alone, and of channels between steps


def test_an_index_that_is_deleted_meanwhile_is_said_and_the_chat_goes_on(
    home_sessions: Sessions, home: Path, untouched_home: Path
) -> None:
    sessions = home_sessions
    session = sessions.open("goes on")
    answered(session, REVENUE)
    shutil.rmtree(home)
    with pytest.raises(IndexMissingError, match="hybridrag index PATH"):
        list(session.ask(REVENUE))
    shutil.copytree(untouched_home, home, ignore=shutil.ignore_patterns("sessions.sqlite*", "threads"))
    answered(session, REVENUE)
    assert [thread.name for thread in sessions.threads()] == ["goes on"]
    assert len(session.turns()) == 1  # the others went with the folder


def test_a_damaged_file_of_threads_is_named(home_sessions: Sessions, home: Path) -> None:
    (home / "sessions.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(ThreadsUnusableError, match=r"sessions\.sqlite.*not a database"):
        home_sessions.open("any")


def test_a_damaged_thread_is_named_the_others_go_on_and_it_can_be_deleted(place: Settings) -> None:
    kinds = (
        "an answer that is no JSON",
        "a begun turn of lists within lists",
        "a thread of no time",
        *(
            (*STORED_DAMAGES, *GONE)
            if place.store
            else ("a checkpoint of bytes", "a checkpoint with other bytes")
        ),
    )
    damages = {**DAMAGES, **TIMES, **STORED_DAMAGES, **GONE}
    assert damaged_threads(place.home, REVENUE, {kind: damages[kind] for kind in kinds}, place) == []


def test_a_conversation_kept_before_there_were_seals_is_read(home_sessions: Sessions, home: Path) -> None:
    session = home_sessions.open("old")
    answered(session, REVENUE)
    with sqlite3.connect(home / "sessions.sqlite") as database:
        changed = database.execute(
            "UPDATE checkpoints SET type = 'msgpack', checkpoint = substr(checkpoint, 33)"
        ).rowcount
    database.close()
    assert changed == 1
    assert "200.4" in answered(session, "And net income?").answer


def test_a_file_of_another_version_is_left_alone(home_sessions: Sessions, home: Path) -> None:
    later = sqlite3.connect(home / "sessions.sqlite")
    later.execute("PRAGMA user_version = 99")
    later.close()
    with pytest.raises(ThreadsUnusableError, match="format version 99"):
        home_sessions.open("any")


def test_looking_at_threads_makes_nothing(sessions: Sessions) -> None:
    assert sessions.threads() == [] and sessions.store.with_words(["x"]) == set()
    with closing(threads_of(sessions.assistant.settings)) as store:
        if isinstance(store, DatabaseThreads):
            with store._database.reading() as connection:
                assert connection.execute(f"SELECT to_regnamespace('{SCHEMA}')").fetchone() == (None,)
        else:
            assert not (sessions.assistant.home / "sessions.sqlite").exists()


def test_what_a_checkpoint_brings_back_is_of_known_types(
    sessions: Sessions, caplog: pytest.LogCaptureFixture
) -> None:
    session = sessions.open()
    compared = "Compare Calderith's and Harrowmere's net income in the most recent quarter."
    for question in (
        REVENUE,
        compared,
        "Why did Calderith's gross margin change?",
        "Summarise Calderith's Q2 2024.",
    ):
        list(session.ask(question))
        turn = session.ask(question)
        for event in turn:
            if isinstance(event, Step) and event.name == "merge":
                break
        turn.close()
        assert isinstance(list(session.resume())[-1], Answer)
    assert [record.message for record in caplog.records if "deseriali" in record.message] == []
