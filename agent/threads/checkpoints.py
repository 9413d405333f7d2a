"""LangGraph's checkpoints of chat threads, in SQLite, each with a seal: damage is told before a step works with it."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import WRITES_IDX_MAP, CheckpointTuple
from langgraph.checkpoint.serde.base import CipherProtocol
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from agent.threads.thread_records import ThreadDamagedError
from graphs.state import STORED

SEAL = "sha256"
SEAL_BYTES = hashlib.sha256().digest_size


class SealedSaver(SqliteSaver):
    """LangGraph's checkpointer, with pruning, with the types of our state alone, and with a seal that tells damage
    before a step works with it."""

    def __init__(
        self, connection: sqlite3.Connection, damaged: Callable[[str, str], ThreadDamagedError]
    ) -> None:
        """`damaged`: the error about a thread, by its id, and what of it is damaged."""
        serde = EncryptedSerializer(_Seal(), JsonPlusSerializer(allowed_msgpack_modules=list(STORED)))
        super().__init__(connection, serde=serde)
        self._damaged = damaged

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """See `SqliteSaver.get_tuple`. Raises ThreadDamagedError."""
        try:
            return super().get_tuple(config)
        except (ValueError, TypeError, LookupError, NotImplementedError, RecursionError) as error:
            thread_id = str(config["configurable"]["thread_id"])
            raise self._damaged(thread_id, "its conversation") from error

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Only what can't be done again: questions asked back, replies, errors. The result of a step is in the
        checkpoint that follows at once; a kill in between repeats that one step."""
        needed = [write for write in writes if write[0] in WRITES_IDX_MAP]
        if needed:
            super().put_writes(config, needed, task_id, task_path)

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


class _Seal(CipherProtocol):
    """The place that LangGraph has for encryption, used for a hash in front of what is kept. What was kept before there
    were seals is read without one."""

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        return SEAL, hashlib.sha256(plaintext).digest() + plaintext

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        seal, kept = ciphertext[:SEAL_BYTES], ciphertext[SEAL_BYTES:]
        if ciphername != SEAL or hashlib.sha256(kept).digest() != seal:
            raise ValueError("a checkpoint is not what was written")
        return kept
