"""Learn what comes next from histories; resumable, and the same seed gives the same bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tools.private_files import make_folder
from tools.recommend.batches import Piece, batches, pieces_of
from tools.recommend.errors import DivergedError
from tools.recommend.held_out import TOP, last_ranks, ndcg, without_last
from tools.recommend.inference import GIVEN, VIEWS, WEIGHTS, Learned, load
from tools.recommend.presets import Settings, settings_of
from tools.recommend.tgcl4sr import all_views, start
from tools.recommend.titg import Neighbourhoods, neighbourhoods_of, titg_of
from tools.recommend.types import Histories
from tools.recommend.weights import WeightsError, digest_of, read, write

if TYPE_CHECKING:
    from tools.recommend.descent import Descent

STATE = "state.npz"
BEST, MEMORY = "best/", "memory/"
HELD_OUT_AT_MOST = 8_000
"""Users whose last events are asked for after an epoch, evenly spread."""
Arrays = dict[str, np.ndarray[Any, Any]]


class Told(NamedTuple):
    """What is told after each epoch."""

    epoch: int
    at_most: int
    lost: float
    """The mean of the loss over the epoch."""
    held_out: float
    """NDCG@10 on the last event of users, among all items that they had not done before."""


Progress = Callable[[Told], None]


def train(
    histories: Histories,
    model: str = "sasrec",
    preset: str = "quick",
    seed: int = 0,
    folder: Path | None = None,
    progress: Progress | None = None,
    ablation: str | None = None,
    attention: str = "edges",
) -> Learned:
    """Learn from all but the last event of each user; the last decides when to stop.

    With a folder, it goes on where one that was stopped had come to, and leaves what `inference.load` reads; what was
    trained there from the same histories in the same way is not trained again. ValueError on histories that nothing
    can be learned from and on names that are none; DivergedError; ModuleNotFoundError without the extra `recommend`.
    """
    return trained(histories, settings_of(model, preset, ablation, attention), seed, folder, progress)


def trained(
    histories: Histories,
    settings: Settings,
    seed: int = 0,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> Learned:
    """As `train`, with settings of one's own."""
    pieces = list(pieces_of(histories, settings.length))
    needed = 2 if settings.with_graph else 1  # an edge is shown to others than its own user alone
    short = len({piece.user for piece in pieces}) < needed
    if len(histories.users) < 2 or len(histories.items) < 2 or short:
        raise ValueError(
            f"Nothing to learn from {len(histories.ids)} events of {len(histories.users)} users with "
            f"{len(histories.items)} items: two users, two items, and three events of {needed} of the users are needed."
        )
    key = _key(histories, settings, seed)
    if folder is not None:
        make_folder(folder)
        if (kept := _kept(folder / WEIGHTS, key)) is not None:
            return load(folder, histories.items)
    training = _Training(histories, settings, seed, pieces)
    if folder is not None and (kept := _kept(folder / STATE, key)) is not None:
        training.go_on(*kept)
    while training.goes_on:
        told = training.epoch()
        if folder is not None:
            write(folder / STATE, {"key": key, **training.header}, training.arrays)
        if progress is not None:
            progress(told)
    given, views = training.best, training.views(training.best)
    if folder is not None:
        header = {
            "key": key,
            "items": digest_of(histories.items),
            "settings": settings.as_json(),
            **training.header,
        }
        stored = {f"{GIVEN}{name}": value for name, value in given.items()}
        write(folder / WEIGHTS, header, stored if views is None else {**stored, VIEWS: views})
        (folder / STATE).unlink()
    return Learned(settings, given, views)


class _Training:
    """Epochs, the best weights so far, and how long there were none better."""

    def __init__(self, histories: Histories, settings: Settings, seed: int, pieces: list[Piece]) -> None:
        from tools.recommend.descent import Descent

        self._histories, self._settings, self._seed, self._pieces = histories, settings, seed, pieces
        self._around: Neighbourhoods | None = (
            neighbourhoods_of(titg_of(without_last(histories, 1))) if settings.with_graph else None
        )
        given = start(settings, len(histories.items), len(histories.users), np.random.default_rng(seed))
        self._descent: Descent = Descent(settings, given)
        self._epochs, self._best_epoch, self._best_value = 0, 0, -1.0
        self.best: Arrays = given

    @property
    def goes_on(self) -> bool:
        """Whether another epoch may help."""
        waited = self._epochs - max(self._best_epoch, self._settings.first_epochs)
        return self._epochs < self._settings.epochs and waited < self._settings.patience

    @property
    def header(self) -> dict[str, Any]:
        """What `go_on` takes, with `arrays`."""
        return {"epochs": self._epochs, "best_epoch": self._best_epoch, "held_out": self._best_value}

    @property
    def arrays(self) -> Arrays:
        """As `header`."""
        now = {f"{GIVEN}{name}": np.asarray(value) for name, value in self._descent.given.items()}
        memory = {f"{MEMORY}{k:04}": value for k, value in enumerate(self._descent.remembered())}
        return {**now, **{f"{BEST}{name}": value for name, value in self.best.items()}, **memory}

    def go_on(self, header: dict[str, Any], arrays: Arrays) -> None:
        """From what a stopped training left."""
        self._epochs, self._best_epoch = header["epochs"], header["best_epoch"]
        self._best_value = header["held_out"]
        self.best = _under(BEST, arrays)
        memory = _under(MEMORY, arrays)
        self._descent.remember(_under(GIVEN, arrays), [memory[name] for name in sorted(memory)])

    def epoch(self) -> Told:
        """Every piece once."""
        around = self._around if self._epochs >= self._settings.first_epochs else None
        draw = np.random.default_rng((self._seed, self._epochs))
        lost = [
            self._descent.step(batch, self._seed, self._epochs * len(self._pieces) + number)
            for number, batch in enumerate(batches(self._pieces, self._settings, around, draw))
        ]
        self._epochs += 1
        mean = float(np.mean([float(each) for each in lost]))
        if not np.isfinite(mean):
            raise DivergedError(
                f"The training of {self._settings.model} with seed {self._seed} diverged in epoch {self._epochs}: its "
                "loss is no number. Choose another seed, or another model."
            )
        given = {name: np.asarray(value) for name, value in self._descent.averaged.items()}
        views = None if around is None else self.views(given)
        ranks = last_ranks(Learned(self._settings, given, views), self._histories, HELD_OUT_AT_MOST).masked
        value = float(ndcg(ranks, TOP).mean())
        if value > self._best_value:
            self._best_epoch, self._best_value, self.best = self._epochs, value, given
        return Told(self._epochs, self._settings.epochs, mean, value)

    def views(self, given: Arrays) -> np.ndarray[Any, Any] | None:
        """(items, width), None without a graph."""
        return None if self._around is None else all_views(given, self._settings, self._around)


def _key(histories: Histories, settings: Settings, seed: int) -> str:
    """The same for a training that would give the same weights: by the same code from the same histories."""
    words = json.dumps([digest_of(histories.items), settings.as_json(), seed], sort_keys=True)
    content = hashlib.sha256(words.encode())
    for file in sorted(Path(__file__).parent.glob("*.py")):
        content.update(f"{file.name}\n".encode() + file.read_bytes())
    for part in (histories.starts, histories.ids, histories.times):
        content.update(np.ascontiguousarray(part).tobytes())
    return content.hexdigest()


def _kept(path: Path, key: str) -> tuple[dict[str, Any], Arrays] | None:
    """What an equal training left there; what another one left is written over."""
    try:
        header, arrays = read(path)
    except (FileNotFoundError, WeightsError):
        return None
    return (header, arrays) if header.get("key") == key else None


def _under(name: str, arrays: Arrays) -> Arrays:
    return {each.removeprefix(name): value for each, value in arrays.items() if each.startswith(name)}
