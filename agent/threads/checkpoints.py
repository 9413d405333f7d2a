"""LangGraph's checkpoints of chat threads, in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.sqlite import SqliteSaver

from agent.threads.checkpoint_seal import DAMAGES, needed, sealing
from agent.threads.thread_records import ThreadDamagedError


class SealedSaver(SqliteSaver):
    """LangGraph's checkpointer, with pruning, with the types of our state alone, and with a seal that tells damage
    before a step works with it."""

    def __init__(
        self, connection: sqlite3.Connection, damaged: Callable[[str, str], ThreadDamagedError]
    ) -> None:
        """`damaged`: the error about a thread, by its id, and what of it is damaged."""
        super().__init__(connection, serde=sealing())
        self._damaged = damaged

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """See `SqliteSaver.get_tuple`. Raises ThreadDamagedError."""
        try:
            return super().get_tuple(config)
        except DAMAGES as error:
            thread_id = str(config["configurable"]["thread_id"])
            raise self._damaged(thread_id, "its conversation") from error

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """See `needed`."""
        if kept := needed(writes):
            super().put_writes(config, kept, task_id, task_path)

    def prune(self, thread_ids: Any, *, strategy: str = "keep_latest") -> None:
        """See `BaseCheckpointSaver.prune`; no graph of ours uses delta channels."""
        for thread_id in thread_ids:
            if strategy == "delete":
                self.delete_thread(thread_id)
                continue
            with self.cursor() as cursor:
                for table in ("checkpoints", "writes"):
                    cursor.execute(
                        f"DELETE FROM {table} WHERE thread_id = ?1 AND checkpoint_id < "
                        "(SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = ?1)",
                        (thread_id,),
                    )
