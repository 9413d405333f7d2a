"""How LangGraph's checkpoints of chat threads are written: our types alone, each value with a seal that tells damage
before a step works with it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langgraph.checkpoint.base import WRITES_IDX_MAP
from langgraph.checkpoint.serde.base import CipherProtocol
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from graphs.state import STORED

SEAL = "sha256"
SEAL_BYTES = hashlib.sha256().digest_size
DAMAGES = (ValueError, TypeError, LookupError, NotImplementedError, RecursionError)
"""What reading a checkpoint raises that is not what was written."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A value that is to be written with a seal whatever its type."""

    value: Any


def sealing() -> EncryptedSerializer:
    """Writes and reads values with seals; no pickles, and no types but those of our state."""
    return EncryptedSerializer(_Seal(), _OurTypes(allowed_msgpack_modules=list(STORED)))


def needed(writes: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Of what a step has written only what can't be done again: questions asked back, replies, errors. The result of a
    step is in the checkpoint that follows at once; a kill in between repeats that one step."""
    return [write for write in writes if write[0] in WRITES_IDX_MAP]


class _OurTypes(JsonPlusSerializer):
    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        return super().dumps_typed(obj.value if isinstance(obj, Whole) else obj)


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
