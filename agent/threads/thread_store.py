"""Chat threads on disk: one SQLite file a home, with the threads' names, their finished turns and LangGraph's
checkpoints. No pickles; every time is UTC."""

from __future__ import annotations

import json
import sqlite3
import threading
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langgraph.checkpoint.sqlite import SqliteSaver
from pydantic import TypeAdapter, ValidationError

from agent.threads.checkpoints import SealedSaver
from agent.threads.thread_file import FILE, FORMAT, format_of, identity, made, opened, text_of
from agent.threads.thread_records import (
    Begun,
    Thread,
    ThreadDamagedError,
    ThreadExistsError,
    ThreadsUnusableError,
    Turn,
    UnknownThreadError,
    checked_name,
)
from graphs.contracts import Answer

_BEGUN = TypeAdapter(Begun)
_PINNED = TypeAdapter(dict[str, str | int | None])


class ThreadStore:
    """The threads of one home. Safe to use from several threads and several processes; made at the first write."""

    def __init__(self, home: Path) -> None:
        self.path = home / FILE
        self._lock = threading.RLock()
        self._own: sqlite3.Connection | None = None
        self._saver: SealedSaver | None = None
        self._file: tuple[int, int] | None = None

    @property
    def saver(self) -> SqliteSaver:
        """LangGraph's checkpoints of these threads."""
        with self._lock, self._errors():
            self._connect()
            assert self._saver is not None
            return self._saver

    def threads(self) -> list[Thread]:
        """All of them, the one used last first."""
        return [_thread(row) for row in self._read(f"{_THREADS} GROUP BY t.id ORDER BY t.used DESC, t.name")]

    def find(self, name: str) -> Thread | None:
        """The thread of this name."""
        rows = self._read(f"{_THREADS} WHERE t.name = ? GROUP BY t.id", checked_name(name))
        return _thread(rows[0]) if rows else None

    def get(self, thread_id: str) -> Thread | None:
        """The thread of this id."""
        rows = self._read(f"{_THREADS} WHERE t.id = ? GROUP BY t.id", thread_id)
        return _thread(rows[0]) if rows else None

    def make(self, name: str | None = None) -> Thread:
        """A new thread; without a name it gets a free one, the day's date. Raises ThreadExistsError."""
        if name is not None:
            return self.keep(Thread(str(uuid.uuid4()), checked_name(name), _now(), _now(), 0))
        return self.make_like(f"{datetime.now().astimezone():%Y-%m-%d}")

    def make_like(self, stem: str) -> Thread:
        """A new thread of this name, or of the first free one that begins with it. Raises ThreadNameError."""
        number = 1
        while True:
            try:
                return self.make(stem if number == 1 else f"{stem} {number}")
            except ThreadExistsError:
                number += 1

    def keep(self, thread: Thread) -> Thread:
        """Write a thread's row. Raises ThreadExistsError."""
        row = (thread.id, thread.name, thread.created.isoformat(), thread.used.isoformat())
        with self._writing() as own:
            if own.execute("SELECT 1 FROM threads WHERE name = ?", (thread.name,)).fetchone():
                raise ThreadExistsError(thread.name)
            own.execute("INSERT INTO threads (id, name, created, used) VALUES (?, ?, ?, ?)", row)
        return thread

    def named(self, name: str) -> Thread:
        """The thread of this name. Raises UnknownThreadError."""
        found = self.find(name)
        if found is None:
            raise UnknownThreadError(name, [thread.name for thread in self.threads()])
        return found

    def rename(self, thread_id: str, name: str) -> None:
        """Raises ThreadNameError, ThreadExistsError."""
        name = checked_name(name)
        with self._writing() as own:
            if own.execute("SELECT 1 FROM threads WHERE name = ? AND id != ?", (name, thread_id)).fetchone():
                raise ThreadExistsError(name)
            own.execute("UPDATE threads SET name = ? WHERE id = ?", (name, thread_id))

    def delete(self, thread_id: str) -> None:
        """Its turns and checkpoints; nothing of them stays in the file."""
        with self._writing() as own:
            for table, key in (("threads", "id"), ("turns", "thread_id")):
                own.execute(f"DELETE FROM {table} WHERE {key} = ?", (thread_id,))
        with self._lock, self._errors():
            self.saver.delete_thread(thread_id)
            assert self._own is not None
            self._own.execute("VACUUM")
            self._own.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def pin(self, thread_id: str, filters: Mapping[str, str | int | None]) -> None:
        """Keep what is pinned in a thread."""
        with self._writing() as own:
            own.execute("UPDATE threads SET pinned = ? WHERE id = ?", (json.dumps(dict(filters)), thread_id))

    def pinned(self, thread_id: str) -> dict[str, str | int | None]:
        """What was pinned in a thread; {} where nothing was."""
        rows = self._read("SELECT pinned FROM threads WHERE id = ?", thread_id)
        if not rows or rows[0][0] is None:
            return {}
        try:
            return _PINNED.validate_json(rows[0][0])
        except ValidationError as error:
            raise self._damaged(thread_id, "what is pinned in it") from error

    def begin(self, thread_id: str, begun: Begun) -> None:
        """Note that a turn is on its way."""
        self._mark(thread_id, json.dumps(asdict(begun)))

    def drop(self, thread_id: str) -> None:
        """Forget the turn on its way."""
        self._mark(thread_id, None)

    def _mark(self, thread_id: str, begun: str | None) -> None:
        with self._writing() as own:
            row = (begun, _now().isoformat(), thread_id)
            own.execute("UPDATE threads SET begun = ?, used = ? WHERE id = ?", row)

    def begun(self, thread_id: str) -> Begun | None:
        """The turn on its way."""
        rows = self._read("SELECT begun FROM threads WHERE id = ?", thread_id)
        if not rows or rows[0][0] is None:
            return None
        try:
            return _BEGUN.validate_json(rows[0][0])
        except ValidationError as error:
            raise self._damaged(thread_id, "the question that has no answer yet") from error

    def end(self, thread_id: str, begun: Begun, answer: Answer) -> None:
        """Keep the answer of a turn, once; on disk when this returns."""
        turn = (
            thread_id,
            begun.message_id,
            begun.asked_at,
            begun.question,
            answer.model_dump_json(),
            thread_id,
        )
        with self._writing(durable=True) as own:
            own.execute(
                "INSERT OR IGNORE INTO turns (thread_id, message_id, asked_at, question, answer, number) "
                "SELECT ?, ?, ?, ?, ?, 1 + coalesce(max(number), 0) FROM turns WHERE thread_id = ?",
                turn,
            )
            row = (_now().isoformat(), thread_id)
            own.execute("UPDATE threads SET begun = NULL, used = ? WHERE id = ?", row)

    def turns(self, thread_id: str, last: int | None = None) -> list[Turn]:
        """Finished turns, oldest first; `last`: only so many of the newest."""
        rows = self._read(
            "SELECT number, asked_at, question, answer FROM turns WHERE thread_id = ? ORDER BY number DESC LIMIT ?",
            thread_id,
            -1 if last is None else last,
        )
        return [self._turn(thread_id, row) for row in reversed(rows)]

    def with_words(self, words: Iterable[str]) -> set[str]:
        """Ids of the threads in whose name, questions or answers each of these words stands, in any case."""
        found = {thread.id for thread in self.threads()}
        for word in words:
            rows = self._read(_WITH_WORD, word.casefold())
            found &= {text_of(thread) for (thread,) in rows}
        return found

    def _turn(self, thread_id: str, row: Any) -> Turn:
        number, asked, question, answer = row
        try:
            return Turn(
                number,
                datetime.fromisoformat(text_of(asked)),
                text_of(question),
                Answer.model_validate_json(answer),
            )
        except ValueError as error:
            raise self._damaged(thread_id, f"turn {number}") from error

    def _damaged(self, thread_id: str, what: str) -> ThreadDamagedError:
        thread = self.get(thread_id)
        return ThreadDamagedError(thread.name if thread else thread_id, what)

    def prune(self, thread_id: str) -> None:
        """Keep only the newest checkpoint: the turns themselves are kept apart."""
        with self._errors():
            self.saver.prune([thread_id])

    def restore(self, thread: Thread) -> None:
        """After the file was deleted under a running chat: the thread goes on, without its past."""
        if self.get(thread.id) is None:
            try:
                self.keep(thread)
            except ThreadExistsError:
                self.keep(replace(thread, name=f"{thread.name} ({thread.id[:8]})"))

    def close(self) -> None:
        """Let go of the file; what is asked later opens it again."""
        with self._lock:
            for connection in (self._own, self._saver.conn if self._saver else None):
                if connection is not None:
                    connection.close()
            self._own = self._saver = self._file = None

    def _read(self, sql: str, *values: Any) -> list[Any]:
        with self._lock, self._errors():
            if not self.path.exists():
                return []
            return self._connect().execute(sql, values).fetchall()

    @contextmanager
    def _writing(self, *, durable: bool = False) -> Iterator[sqlite3.Connection]:
        """One transaction. A kill loses nothing of it; `durable`: a power cut neither."""
        with self._lock, self._errors():
            own = self._connect()
            own.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            own.execute("BEGIN IMMEDIATE")
            try:
                yield own
            except BaseException:
                own.execute("ROLLBACK")
                raise
            own.execute("COMMIT")

    def _connect(self) -> sqlite3.Connection:
        """The connection; a new one where the file was removed or replaced meanwhile."""
        if self._own is not None and self._file != identity(self.path):
            self.close()
        if self._own is None:
            self._own = made(self.path)
            version = format_of(self._own)
            if version != FORMAT:
                self.close()
                raise ThreadsUnusableError(self.path, f"format version {version}, this program's is {FORMAT}")
            self._saver = SealedSaver(opened(self.path), self._damaged)
            self._saver.setup()
            self._file = identity(self.path)
        return self._own

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise ThreadsUnusableError(self.path, str(error)) from error


_THREADS = (
    "SELECT t.id, t.name, t.created, t.used, count(u.number) "
    "FROM threads t LEFT JOIN turns u ON u.thread_id = t.id"
)


_WITH_WORD = (
    "SELECT id FROM threads WHERE instr(folded(name), ?1) UNION SELECT thread_id FROM turns WHERE "
    "instr(folded(question), ?1) OR (json_valid(answer) AND instr(folded(json_extract(answer, '$.answer')), ?1))"
)


def _thread(row: Any) -> Thread:
    thread_id, name, created, used, turns = row
    return Thread(text_of(thread_id), text_of(name), _time(created), _time(used), turns)


def _time(text: str | bytes) -> datetime:
    """A time of the list of threads; a damaged one is the first there is."""
    try:
        return datetime.fromisoformat(text_of(text)).astimezone(UTC)
    except (ValueError, OverflowError):
        return datetime.fromtimestamp(0, UTC)


def _now() -> datetime:
    return datetime.now(UTC)
