"""Chat threads as they are kept: names, finished turns and LangGraph's checkpoints, in SQL that SQLite and PostgreSQL
both read. No pickles; every time is UTC."""

from __future__ import annotations

import json
import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any, ClassVar, Protocol

from langgraph.checkpoint.base import BaseCheckpointSaver
from pydantic import TypeAdapter, ValidationError

from agent.threads.thread_file import text_of
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

ALL = 2**62
"""More turns than any thread has."""
_BEGUN = TypeAdapter(Begun)
_PINNED = TypeAdapter(dict[str, str | int | None])


class Statements(Protocol):
    """Where statements of a transaction are run; their values stand for `?`."""

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """A cursor, as SQLite's and psycopg's are."""


class ThreadLock(Protocol):
    """The right to answer on a thread."""

    def release(self) -> None:
        """Let others have it; harmless when repeated."""


class ThreadStore(ABC):
    """The threads of one home or one database. Safe to use from several threads and several processes; made at the
    first write. Whatever reads or writes raises ThreadsUnusableError where it can't."""

    place: str
    """What a message may call it."""
    failures: ClassVar[tuple[type[Exception], ...]] = ()
    """What `saver` raises besides where it can't read or write."""

    @property
    @abstractmethod
    def saver(self) -> BaseCheckpointSaver[str]:
        """LangGraph's checkpoints of these threads."""

    @abstractmethod
    def try_hold(self, thread_id: str) -> ThreadLock | None:
        """The right to answer on a thread, which ends with the process at the latest; None where another has it."""

    @abstractmethod
    def holder(self, thread_id: str) -> str | None:
        """Who answers on a thread, '' where that can't be told; None for nobody."""

    @abstractmethod
    def delete(self, thread_id: str) -> None:
        """A thread that is held: its turns and checkpoints."""

    @abstractmethod
    def unusable(self, why: str) -> ThreadsUnusableError:
        """The error about these threads."""

    @abstractmethod
    def close(self) -> None:
        """Let go of what is open; what is asked later opens it again."""

    @abstractmethod
    def rows(self, sql: str, *values: Any) -> list[Any]:
        """Rows; none where nothing was ever written."""

    @abstractmethod
    def writing(self, *, durable: bool = False) -> AbstractContextManager[Statements]:
        """One transaction. A kill loses nothing of it; `durable`: a power cut neither."""

    @abstractmethod
    def _threads_with(self, folded: str) -> set[str]:
        """Ids of the threads in whose questions or answers this stands, case taken away."""

    def threads(self) -> list[Thread]:
        """All of them, the one used last first."""
        return [_thread(row) for row in self.rows(f"{_THREADS} GROUP BY t.id ORDER BY t.used DESC, t.name")]

    def find(self, name: str) -> Thread | None:
        """The thread of this name."""
        rows = self.rows(f"{_THREADS} WHERE t.name = ? GROUP BY t.id", checked_name(name))
        return _thread(rows[0]) if rows else None

    def get(self, thread_id: str) -> Thread | None:
        """The thread of this id."""
        rows = self.rows(f"{_THREADS} WHERE t.id = ? GROUP BY t.id", thread_id)
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
        insert = "INSERT INTO threads (id, name, created, used) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        with self.writing() as own:
            kept = own.execute(insert, row).rowcount
        if not kept:
            raise ThreadExistsError(thread.name)
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
        with self.writing() as own:
            if own.execute("SELECT 1 FROM threads WHERE name = ? AND id != ?", (name, thread_id)).fetchone():
                raise ThreadExistsError(name)
            own.execute("UPDATE threads SET name = ? WHERE id = ?", (name, thread_id))

    def pin(self, thread_id: str, filters: Mapping[str, str | int | None]) -> None:
        """Keep what is pinned in a thread."""
        with self.writing() as own:
            own.execute("UPDATE threads SET pinned = ? WHERE id = ?", (json.dumps(dict(filters)), thread_id))

    def pinned(self, thread_id: str) -> dict[str, str | int | None]:
        """What was pinned in a thread; {} where nothing was."""
        rows = self.rows("SELECT pinned FROM threads WHERE id = ?", thread_id)
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

    def ask_to_stop(self, thread_id: str) -> bool:
        """Have the turn on its way end after the step in hand, wherever it is answered; whether there is one."""
        written = self._begun_text(thread_id)
        if written is None:
            return False
        asked = replace(self._begun_of(thread_id, written), stop=True)
        values = (json.dumps(asdict(asked)), thread_id, written)
        with self.writing() as own:  # unless it has ended meanwhile
            return bool(
                own.execute("UPDATE threads SET begun = ? WHERE id = ? AND begun = ?", values).rowcount
            )

    def _mark(self, thread_id: str, begun: str | None) -> None:
        with self.writing() as own:
            row = (begun, _now().isoformat(), thread_id)
            own.execute("UPDATE threads SET begun = ?, used = ? WHERE id = ?", row)

    def begun(self, thread_id: str) -> Begun | None:
        """The turn on its way."""
        written = self._begun_text(thread_id)
        return None if written is None else self._begun_of(thread_id, written)

    def _begun_text(self, thread_id: str) -> str | None:
        rows = self.rows("SELECT begun FROM threads WHERE id = ?", thread_id)
        written: str | None = rows[0][0] if rows else None
        return written

    def _begun_of(self, thread_id: str, written: str) -> Begun:
        try:
            return _BEGUN.validate_json(written)
        except ValidationError as error:
            raise self._damaged(thread_id, "the question that has no answer yet") from error

    def end(self, thread_id: str, begun: Begun, answer: Answer) -> None:
        """Keep the answer of a turn, once; on disk when this returns."""
        question = begun.question.replace("\0", "")  # which PostgreSQL can't keep
        turn = (thread_id, begun.message_id, begun.asked_at, question, answer.model_dump_json(), thread_id)
        with self.writing(durable=True) as own:
            own.execute(_END, turn)
            self._make_findable(own, thread_id, begun.message_id, f"{question}\n{answer.answer}")
            row = (_now().isoformat(), thread_id)
            own.execute("UPDATE threads SET begun = NULL, used = ? WHERE id = ?", row)

    @abstractmethod
    def _make_findable(self, own: Statements, thread_id: str, message_id: str, words: str) -> None:
        """Write what `_threads_with` needs of a turn besides the turn."""

    def turns(self, thread_id: str, last: int | None = None) -> list[Turn]:
        """Finished turns, oldest first; `last`: only so many of the newest."""
        rows = self.rows(
            "SELECT number, asked_at, question, answer FROM turns WHERE thread_id = ? ORDER BY number DESC LIMIT ?",
            thread_id,
            ALL if last is None else last,
        )
        return [self._turn(thread_id, row) for row in reversed(rows)]

    def with_words(self, words: Iterable[str]) -> set[str]:
        """Ids of the threads in whose name, questions or answers each of these words stands, in any case."""
        names = {thread.id: thread.name.casefold() for thread in self.threads()}
        found = set(names)
        for word in map(_folded, words):
            found &= {thread for thread, name in names.items() if word in name} | self._threads_with(word)
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
        try:
            self.saver.prune([thread_id])
        except self.failures as error:
            raise self.unusable(str(error)) from error

    def restore(self, thread: Thread) -> None:
        """After the file was deleted under a running chat: the thread goes on, without its past."""
        if self.get(thread.id) is None:
            try:
                self.keep(thread)
            except ThreadExistsError:
                self.keep(replace(thread, name=f"{thread.name} ({thread.id[:8]})"))


_THREADS = (
    "SELECT t.id, t.name, t.created, t.used, count(u.number) "
    "FROM threads t LEFT JOIN turns u ON u.thread_id = t.id"
)
_END = (
    "INSERT INTO turns (thread_id, message_id, asked_at, question, answer, number) "
    "SELECT ?, ?, ?, ?, ?, 1 + coalesce(max(number), 0) FROM turns WHERE thread_id = ? "
    "ON CONFLICT (thread_id, message_id) DO NOTHING"  # one of another turn's number is an error
)


def _folded(word: str) -> str:
    """A word without case, and without what no text in SQL can hold."""
    return word.replace("\0", "").encode(errors="replace").decode().casefold()


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
