"""Ranks of the test events by every model and seed; each is kept when it is there, so that a stopped run goes on."""

from __future__ import annotations

import hashlib
import io
import time
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import orjson

from agent.errors import UsageError
from evals.journal import writing
from evals.recommend.interaction_data import Data
from evals.recommend.recommenders import Making, Recommender
from tools.recommend.held_out import LastRanks, last_ranks
from tools.store.disk.code_version import code_version
from tools.store.disk.home import replace_file

RANKS = "ranks.npz"
CODE = ("tools.recommend", "evals.recommend.interaction_data", "evals.recommend.recommenders")
"""On which ranks depend."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What one model with one seed made of one data set."""

    model: str
    seed: int
    ranks: LastRanks
    seconds: float
    """To make the model and to ask it; of a model whose training was stopped, of the last start."""


def rank(
    data: Data,
    models: Sequence[Recommender],
    preset: str,
    seeds: int,
    folder: Path,
    note: Callable[[str], None],
) -> list[Ranked]:
    """By model, then seed (0 to `seeds` - 1; one for a model without). What `folder` has of the same file, split,
    preset and code is taken from there. RunWriteError; UsageError for what can't be read there."""
    wanted = [(model, seed) for model in models for seed in range(seeds if model.learned else 1)]
    decided = _decided(data)
    return [_ranked(data, decided, model, preset, seed, folder, note) for model, seed in wanted]


def _ranked(
    data: Data,
    decided: dict[str, str],
    model: Recommender,
    preset: str,
    seed: int,
    folder: Path,
    note: Callable[[str], None],
) -> Ranked:
    within = folder / folder_name(data)
    called = f"{model.name}-{preset}-{seed}" if model.learned else model.name
    making = Making(data.split, preset, seed, within, lambda text: note(f"{called}: {text}"))
    place = within / called
    file, key = place / RANKS, orjson.dumps({**decided, "called": called})
    if (kept := _read(file, key)) is not None:
        return Ranked(model.name, seed, *kept)
    note(f"{called} on {data.name} ...")
    started = time.monotonic()
    with writing(folder):
        place.mkdir(parents=True, exist_ok=True)
        made = model.make(making)
    ranks = last_ranks(made, data.split.whole)
    seconds = time.monotonic() - started
    with writing(folder):
        replace_file(file, _bytes(key, ranks, seconds))
    return Ranked(model.name, seed, ranks, seconds)


def folder_name(data: Data) -> str:
    """Of letters, digits, '-' and '_', whatever the file is called."""
    return "".join(char if char.isalnum() or char in "-_" else "-" for char in data.name.replace(", ", "-"))


def _decided(data: Data) -> dict[str, str]:
    """What decides all ranks; histories by their content, which the file, the core and the permutation decide."""
    whole = data.split.whole
    histories = hashlib.sha256("\0".join((*whole.users, "", *whole.items)).encode())
    for array in (whole.starts, whole.ids, whole.times):
        histories.update(array.tobytes())
    return {"histories": histories.hexdigest(), "code": code_version(CODE, ("numpy",))}


def _bytes(key: bytes, ranks: LastRanks, seconds: float) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(
        stream,
        key=np.frombuffer(key, np.uint8),
        users=ranks.users,
        masked=ranks.masked,
        unmasked=ranks.unmasked,
        seconds=np.array(seconds),
    )
    return stream.getvalue()


def _read(file: Path, key: bytes) -> tuple[LastRanks, float] | None:
    """None where nothing is kept, or something else."""
    try:
        with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as kept:
            if kept["key"].tobytes() != key:
                return None
            return LastRanks(kept["users"], kept["masked"], kept["unmasked"]), float(kept["seconds"])
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"Can't read '{file}': {error.strerror or error}.") from error
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        return None  # damaged: computed again
