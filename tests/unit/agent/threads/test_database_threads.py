"""Chat threads in a database: who may write them, which tables are read, and locks that end with their process."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from langgraph.checkpoint.base import empty_checkpoint

from agent.threads.database_tables import OF_A_THREAD, SCHEMA, newest
from agent.threads.database_threads import DatabaseThreads
from agent.threads.thread_records import Begun, ThreadExistsError, ThreadsUnusableError
from graphs.contracts import Answer
from tests.postgres_here import PostgresHere
from tools.store.postgres.address import StoreAddress

Opened = Callable[[str], DatabaseThreads]


@pytest.fixture
def address(postgres: PostgresHere) -> str:
    """An empty database."""
    return postgres.emptied()


@pytest.fixture
def opened() -> Iterator[Opened]:
    """`opened(address)`: its threads, closed at the end."""
    stores: list[DatabaseThreads] = []

    def open_(address: str) -> DatabaseThreads:
        stores.append(DatabaseThreads(StoreAddress.of(address)))
        return stores[-1]

    yield open_
    for store in stores:
        store.close()


def role(postgres: PostgresHere, address: str, name: str, *rights: str) -> str:
    """The address for a role that has these rights alone."""
    postgres.run(address, f"DROP ROLE IF EXISTS {name}", f"CREATE ROLE {name} LOGIN", *rights)
    return address.replace("//postgres@", f"//{name}@")


def without(postgres: PostgresHere, address: str, name: str) -> None:
    postgres.run(address, f"DROP OWNED BY {name}", f"DROP ROLE {name}")


def test_a_role_that_may_not_write_is_told_what_is_missing_and_nothing_is_made(
    postgres: PostgresHere, address: str, opened: Opened
) -> None:
    store = opened(role(postgres, address, "asks"))
    assert store.threads() == []
    with pytest.raises(ThreadsUnusableError, match="may not make the schema hybridrag_threads") as refused:
        store.make("a")
    assert postgres.run(address, f"SELECT to_regnamespace('{SCHEMA}')") == [(None,)]
    granted = [each for each in str(refused.value).split("; ") if each.startswith(("GRANT", "CREATE"))]
    told = str(refused.value)
    assert "hybridrag ask" in told and "HYBRIDRAG_THREADS=home" in told and len(granted) == 2
    postgres.run(address, f"CREATE SCHEMA {SCHEMA}", *granted)  # as the message says
    assert store.make("a").name == "a"
    without(postgres, address, "asks")


def test_a_role_that_may_read_threads_lists_them_and_is_told_that_it_may_not_write(
    postgres: PostgresHere, address: str, opened: Opened
) -> None:
    opened(address).make("theirs")
    rights = (
        f"GRANT USAGE ON SCHEMA {SCHEMA} TO reads",
        f"GRANT SELECT ON ALL TABLES IN SCHEMA {SCHEMA} TO reads",
    )
    store = opened(role(postgres, address, "reads", *rights))
    assert [thread.name for thread in store.threads()] == ["theirs"]
    for write in (lambda: store.make("mine"), lambda: store.rename(store.named("theirs").id, "mine")):
        with pytest.raises(ThreadsUnusableError, match=r"permission denied for table threads.*TO reads"):
            write()
    without(postgres, address, "reads")


def test_a_role_for_which_the_database_is_read_only_is_told_so(
    postgres: PostgresHere, address: str, opened: Opened
) -> None:
    store = opened(
        role(postgres, address, "stands_by", "ALTER ROLE stands_by SET default_transaction_read_only = on")
    )
    with pytest.raises(ThreadsUnusableError, match="need a database that can be written"):
        store.make("a")
    without(postgres, address, "stands_by")


def test_a_role_is_named_as_sql_takes_it() -> None:
    for user, named in (("De%20sk", '"De sk"'), ("desk_1", "desk_1")):
        told = DatabaseThreads(StoreAddress.of(f"postgresql://{user}@h/d"))._granted()
        assert f"TO {named};" in told


@pytest.mark.parametrize("up", [True, False])
def test_a_wrong_password_and_a_server_that_is_down_are_words_without_it(
    postgres: PostgresHere, address: str, opened: Opened, up: bool
) -> None:
    where = postgres.over_tcp(address, "wrong-one") if up else "postgresql://a:wrong-one@127.0.0.1:1/f"
    with pytest.raises(ThreadsUnusableError, match="authentication failed" if up else "refused") as refused:
        opened(where).threads()
    assert "wrong-one" not in str(refused.value) and "@127.0.0.1" in str(refused.value)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (f"UPDATE {SCHEMA}.store SET version = 99", "have version 99, this program's is 1"),
        (f"INSERT INTO {SCHEMA}.checkpoint_migrations VALUES (99)", "checkpoints of version 99"),
    ],
)
def test_tables_of_a_newer_version_are_left_alone(
    postgres: PostgresHere, address: str, opened: Opened, made: str, words: str
) -> None:
    opened(address).make("old")
    postgres.run(address, made)
    store = opened(address)
    for use in (store.threads, lambda: store.make("new")):
        with pytest.raises(ThreadsUnusableError, match=f"{words}.*Install the newer version"):
            use()
    assert postgres.run(address, f"SELECT name FROM {SCHEMA}.threads") == [("old",)]


def test_tables_that_an_older_library_made_are_brought_forward(
    postgres: PostgresHere, address: str, opened: Opened
) -> None:
    opened(address).make("old")
    last = newest().checkpoints
    postgres.run(
        address,
        f"ALTER TABLE {SCHEMA}.checkpoint_writes DROP COLUMN task_path",
        f"DELETE FROM {SCHEMA}.checkpoint_migrations WHERE v = {last}",
    )
    rights = (
        f"GRANT USAGE ON SCHEMA {SCHEMA} TO late",
        f"GRANT SELECT ON ALL TABLES IN SCHEMA {SCHEMA} TO late",
    )
    late = opened(role(postgres, address, "late", *rights))
    with pytest.raises(ThreadsUnusableError, match=r"are older.*Have their owner run: hybridrag threads"):
        late.threads()
    without(postgres, address, "late")
    assert [thread.name for thread in opened(address).threads()] == ["old"]
    assert postgres.run(address, f"SELECT max(v) FROM {SCHEMA}.checkpoint_migrations") == [(last,)]
    assert postgres.run(address, f"SELECT task_path FROM {SCHEMA}.checkpoint_writes") == []


def test_tables_are_made_once_whoever_comes_at_the_same_time(address: str, opened: Opened) -> None:
    stores, failed = [opened(address) for _ in range(6)], list[Exception]()

    def make(number: int) -> None:
        try:
            stores[number].make(str(number))
        except ThreadsUnusableError as error:
            failed.append(error)

    running = [threading.Thread(target=make, args=(number,)) for number in range(6)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    assert list(map(str, failed)) == [] and len(stores[0].threads()) == 6


def test_threads_that_are_dropped_under_a_running_chat_are_said_once_and_made_anew(
    postgres: PostgresHere, address: str, opened: Opened
) -> None:
    store = opened(address)
    thread = store.make("goes on")
    postgres.run(address, f"DROP SCHEMA {SCHEMA} CASCADE")
    with pytest.raises(ThreadsUnusableError, match="does not exist"):
        store.threads()
    assert store.threads() == []
    store.restore(thread)
    assert store.threads() == [thread]


def test_a_name_that_another_process_takes_in_the_same_moment_is_taken(
    postgres: PostgresHere, address: str, opened: Opened
) -> None:
    store = opened(address)
    mine, told = store.make("mine"), list[Exception]()

    def rename() -> None:
        try:
            store.rename(mine.id, "wanted")
        except ThreadExistsError as error:
            told.append(error)

    with psycopg.connect(address) as other:
        other.execute(f"INSERT INTO {SCHEMA}.threads VALUES ('x', 'wanted', '', '')")
        renaming = threading.Thread(target=rename)
        renaming.start()
        while not postgres.run(address, "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"):
            pass
    renaming.join()
    assert [str(each) for each in told] == [
        "There is a thread 'wanted' already. Choose another name, or delete it first."
    ]


HOLDS = """
import sys
from agent.threads.database_threads import DatabaseThreads
from tools.store.postgres.address import StoreAddress
lock = DatabaseThreads(StoreAddress.of(sys.argv[1])).try_hold("t")
print(lock is not None, flush=True)
sys.stdin.read()
"""


def test_a_killed_process_frees_its_thread_and_is_named_until_then(address: str, opened: Opened) -> None:
    store = opened(address)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[4],
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == b"True\n"
        assert store.try_hold("t") is None
        assert (store.holder("t") or "").startswith(f"hybridrag {process.pid} on this server, since ")
        assert store.holder("another") is None
        process.kill()
    while (lock := store.try_hold("t")) is None:
        pass
    assert store.holder("t") is not None
    lock.release()
    assert store.holder("t") is None


def test_who_has_lost_its_thread_with_the_connection_writes_nothing_more(
    postgres: PostgresHere, address: str, opened: Opened
) -> None:
    store = opened(address)
    thread = store.make("a")
    lock = store.try_hold(thread.id)
    assert lock is not None
    store._check_held(thread.id)
    postgres.run(address, CUT)
    with pytest.raises(ThreadsUnusableError, match="the connection was lost in the middle of an answer"):
        store._check_held(thread.id)
    other = opened(address)
    taken = other.try_hold(thread.id)
    assert taken is not None and store.try_hold(thread.id) is None
    other.begin(thread.id, BEGUN)
    config: Any = {"configurable": {"thread_id": thread.id, "checkpoint_ns": ""}}
    for write in (
        lambda: store.saver.put(config, empty_checkpoint(), {}, {}),
        lambda: store.saver.put_writes(
            {"configurable": {**config["configurable"], "checkpoint_id": "1"}}, ASKED, "t"
        ),
        lambda: store.begin(thread.id, replace(BEGUN, message_id="mine")),
        lambda: store.drop(thread.id),
        lambda: store.end(thread.id, BEGUN, Answer.model_construct()),
    ):
        with pytest.raises(ThreadsUnusableError, match="another process may have gone on"):
            write()
    assert other.begun(thread.id) == BEGUN
    for table in OF_A_THREAD:
        assert postgres.run(address, f"SELECT count(*) FROM {SCHEMA}.{table}") == [(0,)]
    taken.release()
    assert store.try_hold(thread.id) is None, "whoever has lost it has not let go yet"
    lock.release()
    again = store.try_hold(thread.id)
    assert again is not None
    lock.release()  # harmless: see ThreadLock
    again.release()


def test_the_turn_of_a_thread_is_read_by_others_of_this_process_while_its_answer_ends(
    postgres: PostgresHere, address: str, opened: Opened
) -> None:
    store = opened(address)
    thread = store.make("a")
    lock = store.try_hold(thread.id)
    assert lock is not None
    store.begin(thread.id, BEGUN)
    postgres.run(address, CUT)  # as the lock's connection may end at any moment
    assert store.begun(thread.id) == BEGUN
    lock.release()


def test_a_turn_whose_number_another_process_has_just_taken_is_not_lost_in_silence(
    postgres: PostgresHere, address: str, opened: Opened
) -> None:
    store = opened(address)
    thread, told = store.make("a"), list[Exception]()
    lock = store.try_hold(thread.id)
    assert lock is not None
    store.begin(thread.id, BEGUN)

    def end() -> None:
        try:
            store.end(thread.id, BEGUN, Answer.model_construct(answer=""))
        except ThreadsUnusableError as error:
            told.append(error)

    with psycopg.connect(address) as other:
        other.execute(
            f"INSERT INTO {SCHEMA}.turns VALUES (%s, 1, 'theirs', '', '', '{{}}')".encode(), (thread.id,)
        )
        ending = threading.Thread(target=end)
        ending.start()
        while not postgres.run(address, "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"):
            pass
    ending.join()
    assert len(told) == 1 and "duplicate key" in str(told[0]) and store.begun(thread.id) == BEGUN
    lock.release()


def test_tables_that_a_newer_program_brings_forward_meanwhile_are_seen_at_the_next_turn(
    postgres: PostgresHere, address: str, opened: Opened
) -> None:
    store = opened(address)
    thread = store.make("a")
    postgres.run(address, f"UPDATE {SCHEMA}.store SET version = 99")
    lock = store.try_hold(thread.id)
    assert lock is not None
    with pytest.raises(ThreadsUnusableError, match="have version 99"):
        store.begin(thread.id, BEGUN)
    lock.release()


def test_texts_and_numbers_of_a_checkpoint_are_sealed_as_all_else_and_may_hold_what_json_cannot(
    postgres: PostgresHere, address: str, opened: Opened
) -> None:
    store = opened(address)
    lock = store.try_hold("t")
    assert lock is not None
    values = {"text": "net\0sales", "number": 4711, "list": ["a\0b"], "none": None}
    versions: Any = dict.fromkeys(values, "1")
    config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    whole: Any = {**empty_checkpoint(), "channel_values": values, "channel_versions": versions}
    kept = store.saver.put(config, whole, {}, versions)
    found = store.saver.get_tuple(kept)
    assert found is not None and found.checkpoint["channel_values"] == values
    ((plain,),) = postgres.run(address, f"SELECT checkpoint ->> 'channel_values' FROM {SCHEMA}.checkpoints")
    assert plain == "{}"
    lock.release()


ASKED = [("__interrupt__", "which?")]
BEGUN = Begun("m", "a\0b", "2026-01-01T00:00:00+00:00", "agent", None, None, None, True)
CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


def test_a_turn_is_asked_to_stop_by_whoever_sees_the_thread(address: str, opened: Opened) -> None:
    store, other = opened(address), opened(address)
    thread = store.make("a")
    assert not other.ask_to_stop(thread.id)
    store.begin(thread.id, BEGUN)
    assert other.ask_to_stop(thread.id)
    kept = store.begun(thread.id)
    assert kept is not None and kept.stop and kept.question == "a\0b"


def test_a_turn_that_ends_while_it_is_asked_to_stop_is_none(
    address: str, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = opened(address), opened(address)
    thread = store.make("a")
    store.begin(thread.id, BEGUN)
    rows = store.rows

    def read(sql: str, *values: Any) -> list[Any]:
        found = rows(sql, *values)
        other.delete(thread.id)
        return found

    monkeypatch.setattr(store, "rows", read)
    assert not store.ask_to_stop(thread.id)
