"""Weights on disk: `.npz` with a header in JSON, written whole or not at all; no pickles."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from tools.private_files import open_private

HEADER, VERSION = "header", 2
DRAFT = "draft.npz"
"""In the folder of whatever is written, so that the next write replaces what a kill left."""
Arrays = Mapping[str, np.ndarray[Any, Any]]


class WeightsError(Exception):
    """Weights cannot be used: altered, of another version, or learned from other items; says which."""


def digest_of(items: Iterable[str]) -> str:
    """Of the items and their order."""
    return hashlib.sha256(json.dumps(list(items)).encode()).hexdigest()


def write(path: Path, header: Mapping[str, Any], arrays: Arrays) -> None:
    """Replaces what is there at once; the same content gives the same bytes. OSError."""
    text = json.dumps({"version": VERSION, **header}, sort_keys=True).encode()
    buffer = BytesIO()
    np.savez(buffer, **{HEADER: np.frombuffer(text, np.uint8)}, **arrays)  # type: ignore[arg-type]
    draft = path.with_name(DRAFT)
    try:
        with open_private(draft, "wb") as out:
            out.write(buffer.getvalue())
            out.flush()
            os.fsync(out.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def read(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """Header and arrays as `write` took them. WeightsError; FileNotFoundError."""
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        header = json.loads(arrays.pop(HEADER).tobytes())
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise WeightsError(f"Altered or not weights: {path}") from error
    found = header.get("version") if isinstance(header, dict) else None
    if found != VERSION:
        raise WeightsError(f"Weights of version {found}, this one reads {VERSION}: train again ({path})")
    return header, arrays
