"""What the server remembers, in one SQLite file of the home: LangGraph's checkpoints, and the server's own rows, which
say which threads, runs and assistants there are. No pickles.

LangGraph's development server holds those rows in memory. They are read when it starts, and whatever has changed is
written before an answer leaves: what a client was told survives a kill. A run that a kill cut off is taken up at the
next start, where its last finished step left it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiosqlite
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph_runtime_inmem.database import GLOBAL_RETRY_COUNTER, GLOBAL_STORE
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent.engines import embedder_of
from agent.home_shelf import HomeShelf
from agent.settings import load_settings
from agent.threads.server_file import BUSY_SECONDS, FILE, errors
from graphs.state import STORED
from tools.private_files import make_file, make_folder
from tools.store.disk.lock import FileLock
from tools.store.errors import StoreError

LOCK = "server.lock"
KINDS: Mapping[str, tuple[str, ...]] = {
    "assistants": ("assistant_id",),
    "assistant_versions": ("assistant_id", "version"),
    "threads": ("thread_id",),
    "runs": ("run_id",),
    "crons": ("cron_id",),
}
"""Kinds of the server's rows, and the fields that tell one from another."""
UNFINISHED = ("pending", "running")
_SCHEMA = """
CREATE TABLE IF NOT EXISTS server_rows (
    kind TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, row BLOB NOT NULL, starts INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, id)
)
"""
Key = tuple[str, str]


class OurTypesAlone(JsonPlusSerializer):
    """Reads back the types of our state, messages and plain values. A list that is closed: the server's wrapper of a
    checkpointer can't be copied, as it would be for a longer one."""

    def __init__(self) -> None:
        super().__init__(allowed_msgpack_modules=list(STORED))

    def with_msgpack_allowlist(self, extra_allowlist: Any) -> OurTypesAlone:
        """Itself."""
        return self


class ServerSaver(AsyncSqliteSaver):
    """LangGraph's checkpointer, with what the server asks of one besides, and with the types of our state alone."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        super().__init__(connection, serde=OurTypesAlone())
        self.deleted: set[str] = set()
        """Threads whose checkpoints go at the next write."""

    async def adelete_thread(self, thread_id: str) -> None:
        """At the next write. The server takes a thread off its list by a place that it looked up before it comes here:
        were it to wait here, it might take off another thread."""
        self.deleted.add(thread_id)

    async def adelete_for_runs(self, run_ids: Iterable[str]) -> None:
        """Drop what these runs wrote."""
        await self.setup()
        for run in run_ids:
            made = "SELECT checkpoint_id FROM checkpoints WHERE json_extract(metadata, '$.run_id') = ?"
            await self._delete(f"checkpoint_id IN ({made})", str(run), tables=("writes", "checkpoints"))

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """See `BaseCheckpointSaver.aprune`; no graph of ours uses delta channels."""
        await self.setup()
        for thread in map(str, thread_ids):
            if strategy == "delete":
                self.deleted.add(thread)
                continue
            newest = "SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = ?1"
            await self._delete(f"thread_id = ?1 AND checkpoint_id < ({newest})", thread)

    async def _delete(
        self, condition: str, value: str, tables: Sequence[str] = ("checkpoints", "writes")
    ) -> None:
        async with self.lock:
            for table in tables:
                await self.conn.execute(f"DELETE FROM {table} WHERE {condition}", (value,))
            await self.conn.commit()


class ServerRows:
    """The server's rows, kept beside its checkpoints."""

    def __init__(self, saver: ServerSaver) -> None:
        self.saver = saver
        self._written: dict[Key, object] = {}
        """What of each row tells that it has changed, as it is on disk."""

    async def load(self, home: Path, *, goes_on: bool) -> None:
        """Give the server what it knew. `goes_on`: whether it takes up runs that were cut off; a second server of one
        home must not, for they may be the first one's."""
        connection = self.saver.conn
        await self.saver.setup()
        await connection.execute(_SCHEMA)
        await connection.commit()
        async with connection.execute("SELECT kind, id, type, row, starts FROM server_rows") as found:
            rows = [each async for each in found]
        cut_off: list[dict[str, Any]] = []
        for kind, key, kind_of_bytes, data, starts in rows:
            row = self.saver.serde.loads_typed((kind_of_bytes, data))
            if kind == "runs" and row["status"] in UNFINISHED:
                if not goes_on:
                    continue
                GLOBAL_RETRY_COUNTER._counters[row["run_id"]] = starts
                cut_off.append(row)
            GLOBAL_STORE[kind].append(row)
            self._written[kind, key] = _state(row)
        busy = {run["thread_id"] for run in cut_off}
        for thread in GLOBAL_STORE["threads"]:
            if thread["status"] == "busy" and thread["thread_id"] not in busy:
                thread["status"] = "idle"
        if cut_off:
            number = await asyncio.to_thread(_generation, home)
            for run in cut_off:
                await self._go_on(run, number)
            ids = [(str(run["run_id"]),) for run in cut_off]
            await connection.executemany(
                "UPDATE server_rows SET starts = starts + 1 WHERE kind = 'runs' AND id = ?", ids
            )
            await connection.commit()

    async def _go_on(self, run: dict[str, Any], generation: int | None) -> None:
        """Let a run that was cut off be done: from its newest checkpoint, unless that reads from an index that is no
        more; else once more from its input, as though it had not begun."""
        run["status"] = "pending"
        where: Any = {"configurable": {"thread_id": str(run["thread_id"]), "checkpoint_ns": ""}}
        newest = await self.saver.aget_tuple(where)
        if newest is None or newest.metadata.get("run_id") != str(run["run_id"]):
            return
        if newest.checkpoint["channel_values"].get("generation") == generation is not None:
            run["kwargs"].update(input=None, command=None)
            for name in ("checkpoint_id", "checkpoint_ns", "checkpoint_map"):
                run["kwargs"]["config"]["configurable"].pop(name, None)
        else:
            await self.saver.adelete_for_runs([str(run["run_id"])])

    async def write(self) -> None:
        """Keep whatever has changed; on disk when this returns, as are the checkpoints that were being written."""
        async with self.saver.lock:
            now = {(kind, key): row for kind, key, row in _lasting()}
            changed = {key: row for key, row in now.items() if self._written.get(key) != _state(row)}
            gone = self._written.keys() - now.keys()
            deleted = [(thread,) for thread in self.saver.deleted]
            if not changed and not gone and not deleted:
                return
            states = {key: _state(row) for key, row in changed.items()}
            values = [(*key, *self.saver.serde.dumps_typed(_plain(row))) for key, row in changed.items()]
            connection = self.saver.conn
            await connection.executemany(
                "INSERT INTO server_rows (kind, id, type, row) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (kind, id) DO UPDATE SET type = excluded.type, row = excluded.row",
                values,
            )
            await connection.executemany("DELETE FROM server_rows WHERE kind = ? AND id = ?", list(gone))
            for table in ("checkpoints", "writes"):
                await connection.executemany(f"DELETE FROM {table} WHERE thread_id = ?", deleted)
            await connection.commit()
            if gone or deleted:
                await connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # nor in SQLite's log
            self.saver.deleted -= {thread for (thread,) in deleted}
            self._written.update(states)
            for key in gone:
                del self._written[key]


def _lasting() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(kind, id, row) of all that outlives a request: not the run and the thread of a call without a thread, nor the
    assistants that the server makes of the graphs."""
    passing = {run["thread_id"] for run in GLOBAL_STORE["runs"] if run["kwargs"].get("temporary")}
    own = {
        each["assistant_id"]
        for each in GLOBAL_STORE["assistants"]
        if each["metadata"].get("created_by") == "system"
    }
    for kind, fields in KINDS.items():
        for row in GLOBAL_STORE[kind]:
            if row.get("thread_id") not in passing and not (
                kind.startswith("assistant") and row["assistant_id"] in own
            ):
                yield kind, " ".join(str(row[field]) for field in fields), row


def _state(row: Mapping[str, Any]) -> object:
    """What differs once the server has changed a row."""
    return row.get("updated_at"), row.get("status")


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row without what the worker of a run hangs on it: functions of this process."""
    if "kwargs" not in row:
        return row
    config = row["kwargs"]["config"]
    given = {
        name: value for name, value in config["configurable"].items() if not name.startswith("__pregel_")
    }
    return {**row, "kwargs": {**row["kwargs"], "config": {**config, "configurable": given}}}


def _generation(home: Path) -> int | None:
    """The number of the index in use, made anew first where the kill has damaged it; None where it can't be used."""
    settings = load_settings()
    shelf = HomeShelf(home, embedder_of(settings), store=settings.store_address, tolerate_missing=True)
    try:
        return shelf.current().number
    except StoreError:
        return None
    finally:
        shelf.close()


class Acknowledged:
    """ASGI middleware: what an answer tells is on disk before it leaves."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def told(message: Message) -> None:
            if _kept is not None:
                await _kept.write()
            await send(message)

        await self.app(scope, receive, told if scope["type"] in ("http", "websocket") else send)


_kept: ServerRows | None = None
"""Of this process: the server has one set of rows."""


@asynccontextmanager
async def checkpointer() -> AsyncIterator[ServerSaver]:
    """What langgraph.json's `checkpointer.path` names. The server enters it once it has emptied its rows, and before it
    begins to work."""
    global _kept
    home = load_settings().home
    path, lock = await asyncio.to_thread(_prepared, home)
    async with aiosqlite.connect(path, timeout=BUSY_SECONDS) as connection:
        saver = ServerSaver(connection)
        rows = ServerRows(saver)
        with errors(path):
            await connection.execute("PRAGMA secure_delete = ON")  # a deleted thread leaves no bytes
            await rows.load(home, goes_on=lock is not None)
        _kept = rows
        try:
            yield saver
            await rows.write()
        finally:
            _kept = None
            if lock is not None:
                lock.release()


def _prepared(home: Path) -> tuple[Path, FileLock | None]:
    """The file, for its owner alone, and the lock of the one server that takes up what was cut off."""
    make_folder(home)
    path = home / FILE
    make_file(path)
    return path, FileLock.try_take(home / LOCK, shared=False)
