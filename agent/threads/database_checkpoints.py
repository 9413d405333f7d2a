"""LangGraph's checkpoints of chat threads, in PostgreSQL: each statement in a transaction of its own, on whatever
connection is free."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, cast

import psycopg
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.postgres import PostgresSaver
from psycopg.rows import DictRow, dict_row

from agent.threads.checkpoint_seal import DAMAGES, Whole, needed, sealing
from agent.threads.thread_records import ThreadDamagedError

_OLDER = (
    "thread_id = %(thread)s AND checkpoint_id < "
    "(SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = %(thread)s)"
)
_UNUSED = (
    "DELETE FROM checkpoint_blobs b WHERE thread_id = %(thread)s AND NOT EXISTS (SELECT FROM checkpoints c "
    "WHERE c.thread_id = b.thread_id AND c.checkpoint_ns = b.checkpoint_ns "
    "AND c.checkpoint -> 'channel_versions' ->> b.channel = b.version)"
)
Transaction = Callable[[], AbstractContextManager["psycopg.Connection[Any]"]]


class DatabaseSaver(PostgresSaver):
    """LangGraph's checkpointer, with the types of our state alone and with seals; it writes only what the holder of a
    thread says."""

    def __init__(
        self,
        transaction: Transaction,
        check_held: Callable[[str], None],
        damaged: Callable[[str, str], ThreadDamagedError],
    ) -> None:
        """`check_held` raises where a thread, by its id, is not this process's to write; `damaged` is the error about
        a thread and what of it is damaged."""
        super().__init__(cast(Any, None), serde=sealing())  # `_cursor` knows where to find a connection
        self._transaction, self._check_held, self._damaged = transaction, check_held, damaged

    @contextmanager
    def _cursor(self, *, pipeline: bool = False) -> Iterator[psycopg.Cursor[DictRow]]:
        with (
            self._transaction() as connection,
            connection.cursor(binary=True, row_factory=dict_row) as cursor,
        ):
            yield cursor

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """See `PostgresSaver.get_tuple`. Raises ThreadDamagedError."""
        try:
            found = super().get_tuple(config)
            if found is not None:
                _check_whole(found.checkpoint)
            return found
        except DAMAGES as error:
            thread_id = str(config["configurable"]["thread_id"])
            raise self._damaged(thread_id, "its conversation") from error

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """See `PostgresSaver.put`; texts and numbers get a seal, too, and may hold what PostgreSQL's JSON can't."""
        self._check_held(str(config["configurable"]["thread_id"]))
        values = {name: Whole(value) for name, value in checkpoint["channel_values"].items()}
        whole = cast(Checkpoint, {**checkpoint, "channel_values": values})
        return super().put(config, whole, metadata, new_versions)

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """See `needed`."""
        if kept := needed(writes):
            self._check_held(str(config["configurable"]["thread_id"]))
            super().put_writes(config, kept, task_id, task_path)

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """See `PostgresSaver.prune`, which needs a connection outside of transactions; no graph of ours uses delta
        channels or graphs within graphs that remember."""
        assert strategy == "keep_latest"
        for thread_id in thread_ids:
            with self._cursor(pipeline=True) as cursor:
                for table in ("checkpoints", "checkpoint_writes"):
                    cursor.execute(f"DELETE FROM {table} WHERE {_OLDER}".encode(), {"thread": thread_id})
                cursor.execute(_UNUSED.encode(), {"thread": thread_id})


def _check_whole(checkpoint: Mapping[str, Any]) -> None:
    """LookupError where a value that the checkpoint names is not there; LangGraph's own between steps come and go."""
    missing = checkpoint["channel_versions"].keys() - checkpoint["channel_values"].keys()
    if lost := sorted(name for name in missing if not name.startswith(("__", "branch:"))):
        raise LookupError(", ".join(lost))
