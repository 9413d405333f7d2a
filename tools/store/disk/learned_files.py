"""What was learned from a home's histories: which level orders what comes next, why, and its weights."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from tools.private_files import FOLDER_MODE
from tools.recommend.inference import load
from tools.recommend.types import Histories, NextItem
from tools.recommend.weights import WeightsError
from tools.store.disk.history_files import FORMAT, LEARNED, StoredEvents, seal_record, sealed_record
from tools.store.disk.home import Home, delete_tree, sync_folder, sync_tree, write_file, writing
from tools.store.disk.seal import damage, hash_files
from tools.store.errors import LearnedDamagedError

ITEMS = "items.json"
"""The items whose places are a model's ids."""
LEVELS = ("rules", "transitions", "sasrec", "tgcl4sr")
TRAINED = ("sasrec", "tgcl4sr")
"""Those that have weights."""


@dataclass(frozen=True, slots=True)
class Learned:
    """The outcome of `recommend train`."""

    level: str = "rules"
    model: str = "auto"
    """As it was asked for, with `preset` and `seed`: to learn again after a user was forgotten."""
    preset: str = "quick"
    seed: int = 0
    why: tuple[str, ...] = ()
    """How each level was measured, in words."""
    trained: float = 0.0
    """Unix seconds; 0 before it ever was."""
    users: int = 0
    events: int = 0
    """That there were then."""
    norm: tuple[float, float] = (0.0, 0.0)
    """Of transitions (see `tools.recommend.transitions.best_norm`)."""
    share: float = 0.0
    """Of transitions, in a level with weights (see `tools.recommend.mixed.best_share`)."""
    folder: str = ""
    """Of the weights; '' for a level without."""
    sha256: tuple[tuple[str, str], ...] = ()
    """Of its files."""
    format: int = FORMAT


def learned_of(home: Home) -> Learned | None:
    """None before the first `recommend train`. LearnedDamagedError, HomeReadError."""
    try:
        fields = sealed_record(home, LEARNED)
        if fields is None:
            return None
        pairs = tuple((str(name), str(digest)) for name, digest in fields["sha256"])
        found = Learned(
            **{**fields, "sha256": pairs, "why": tuple(fields["why"]), "norm": tuple(fields["norm"])}
        )
    except ValueError as error:
        raise LearnedDamagedError(home.root, str(error)) from error
    except (KeyError, TypeError) as error:
        raise LearnedDamagedError(home.root, f"its record is of another version ({error})") from error
    if found.level not in LEVELS:
        raise LearnedDamagedError(home.root, f"it is by '{found.level}', which this version does not know")
    return found


def trained_of(
    home: Home, histories: Histories
) -> tuple[Learned | None, tuple[NextItem, tuple[str, ...]] | None]:
    """What was learned, and for a level with weights its model and the items that it knows; those of the new record
    where a writer replaces it meanwhile. `histories`: all there are. LearnedDamagedError, HomeReadError."""
    learned = learned_of(home)
    while learned is not None and learned.level in TRAINED:
        try:
            return learned, _model(home, learned, histories)
        except LearnedDamagedError:
            before, learned = learned, learned_of(home)
            if learned == before:
                raise
    return learned, None


def _model(home: Home, learned: Learned, histories: Histories) -> tuple[NextItem, tuple[str, ...]]:
    folder = home.histories / learned.folder
    try:
        if why := damage(folder, dict(learned.sha256)):
            raise ValueError(why)
        items = tuple(orjson.loads((folder / ITEMS).read_bytes()))
        model = load(folder, items)
    except (OSError, ValueError, WeightsError) as error:
        raise LearnedDamagedError(home.root, str(error)) from error
    if not set(items) & set(histories.items):  # the folder of another home, say
        raise LearnedDamagedError(home.root, "it is of other items")
    return model, items


def training_folder(home: Home, stored: StoredEvents, model: str, preset: str, seed: int) -> Path:
    """Where a training that was cut off goes on: of the same events, model, preset and seed. Others' are gone at the
    next command that writes histories (see `history_files.sweep`). HomeWriteError."""
    folder = home.histories / f"{stored.training}{model}-{preset}-{seed}"
    with writing(home.root):
        folder.mkdir(FOLDER_MODE, exist_ok=True)
    return folder


def store_learned(
    home: Home, learned: dict[str, Any], training: Path | None, items: tuple[str, ...]
) -> Learned:
    """Replace what was learned; `training`: the folder of the weights, of these items. The caller holds the histories.
    HomeWriteError."""
    folder, sha256 = "", tuple[tuple[str, str], ...]()
    with writing(home.root):
        if training is not None:
            (training / ITEMS).unlink(missing_ok=True)
            write_file(training / ITEMS, orjson.dumps(items))
            sha256 = tuple(hash_files(training).items())
            folder = f"learned-{hashlib.sha256(orjson.dumps(sha256)).hexdigest()[:16]}"
            if damage(home.histories / folder, dict(sha256)):
                delete_tree(home.histories / folder)
                shutil.copytree(training, home.histories / folder)
                sync_tree(home.histories / folder)
                sync_folder(home.histories)
    record = Learned(**learned, folder=folder, sha256=sha256)
    seal_record(home, LEARNED, asdict(record))
    if training is not None:  # not before: a kill must not cost the training
        with writing(home.root):
            delete_tree(training)
    return record


def drop_learned(home: Home) -> None:
    """Forget what was learned; its weights go at the next sweep. The caller holds the histories. HomeWriteError."""
    with writing(home.root):
        (home.histories / LEARNED).unlink(missing_ok=True)
        sync_folder(home.histories)
