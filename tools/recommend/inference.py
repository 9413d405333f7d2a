"""What was learned, asked with NumPy alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from tools.recommend.layers import unchanged
from tools.recommend.presets import Settings
from tools.recommend.sequences import packed
from tools.recommend.tgcl4sr import predicted
from tools.recommend.types import Past, Scores
from tools.recommend.weights import WeightsError, digest_of, read

WEIGHTS = "weights.npz"
MANY = 32
"""Pasts from which products gain by several threads; of one user's they wait for one another most of the time."""
VIEWS = "views"
"""(items, width), computed with all edges when training ended: an answer needs no graph."""
GIVEN = "given/"


class Learned:
    """Scores of the items that may come next; users need not be those learned from."""

    def __init__(self, settings: Settings, given: Mapping[str, np.ndarray[Any, Any]], views: Any) -> None:
        self._settings, self._given, self._views = settings, given, views

    @property
    def name(self) -> str:
        return self._settings.model

    @property
    def items(self) -> int:
        """How many there are."""
        return len(self._given["items"])

    def states(self, pasts: Sequence[Past]) -> Scores:
        """(pasts, width): what each past says about what is next."""
        settings = self._settings
        length = min(settings.length, max(len(past) for past in pasts))
        rows = packed(pasts, settings.interval_scale, settings.interval_highest, length)
        both = None if self._views is None else (self._views, self._views)
        found = predicted(self._given, settings, rows.items, rows.gaps, rows.owners, both, unchanged)
        states: Scores = found.reshape(-1, found.shape[-1])[rows.ends]
        return states

    def scores(self, pasts: Sequence[Past]) -> Scores:
        """One row a past, one column an item: the higher, the likelier next. ValueError on an empty past."""
        if not all(len(past) for past in pasts):
            raise ValueError("Nothing says what comes next to somebody who did nothing yet.")
        if not pasts:
            return np.zeros((0, self.items), np.float32)
        with _blas().limit(limits=1, user_api="blas") if len(pasts) < MANY else nullcontext():
            return np.asarray(self.states(pasts) @ self._given["items"].T, np.float32)


@cache
def _blas() -> ThreadpoolController:
    """Of what NumPy multiplies with."""
    return ThreadpoolController()


def load(folder: Path, items: Sequence[str]) -> Learned:
    """What `training.train` left there. WeightsError: of other items, another version, altered; FileNotFoundError."""
    header, arrays = read(folder / WEIGHTS)
    if header.get("items") != digest_of(items):
        raise WeightsError(
            f"Learned from other items than these {len(items)}: train again ({folder / WEIGHTS})"
        )
    try:
        settings = Settings.from_json(header["settings"])
        given = {name.removeprefix(GIVEN): value for name, value in arrays.items() if name.startswith(GIVEN)}
        return Learned(settings, given, arrays[VIEWS] if settings.with_graph else None)
    except (KeyError, TypeError, ValueError) as error:
        raise WeightsError(f"Weights of another version: train again ({folder / WEIGHTS})") from error
