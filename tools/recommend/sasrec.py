"""The encoder of a sequence: SASRec's, with how far back an event lies as a bias of the attention.

Loss and what is asked are others than in the paper of SASRec: every place predicts among all items.
"""

from __future__ import annotations

import numpy as np

from tools.recommend.layers import Array, Dropped, Given, block, earlier, normed
from tools.recommend.presets import Settings

START = 0.02
"""Of a weight before it is learnt, the standard deviation."""


def start_linear(name: str, size: tuple[int, int], draw: np.random.Generator) -> dict[str, Array]:
    """Small weights, no bias."""
    weight = draw.normal(0, START, size).astype(np.float32)
    return {f"{name}.weight": weight, f"{name}.bias": np.zeros(size[1], np.float32)}


def start_normed(name: str, width: int) -> dict[str, Array]:
    """Nothing but normalised."""
    return {f"{name}.scale": np.ones(width, np.float32), f"{name}.shift": np.zeros(width, np.float32)}


def start_attention(
    name: str, size: tuple[int, int], settings: Settings, draw: np.random.Generator
) -> dict[str, Array]:
    """(in, out) with nothing said about how far back."""
    read, width = size
    return {
        **start_linear(f"{name}.in", (read, 3 * width), draw),
        **start_linear(f"{name}.out", (width, width), draw),
        f"{name}.back": np.zeros((settings.length, settings.heads), np.float32),
    }


def start_encoder(settings: Settings, items: int, draw: np.random.Generator) -> dict[str, Array]:
    """Weights before anything is learnt."""
    width = settings.width
    given = {
        "items": draw.normal(0, START, (items, width)).astype(np.float32),
        **start_normed("start", width),
    }
    if settings.with_intervals:
        given["intervals"] = np.zeros((settings.interval_highest + 1, width), np.float32)
    for k in range(settings.blocks):
        given |= start_attention(f"block{k}.attention", (width, width), settings, draw)
        given |= start_linear(f"block{k}.wide", (width, 4 * width), draw)
        given |= start_linear(f"block{k}.narrow", (4 * width, width), draw)
        given |= start_normed(f"block{k}.first", width) | start_normed(f"block{k}.second", width)
    return given


def encoded(
    given: Given, settings: Settings, items: Array, gaps: Array, owners: Array, drop: Dropped
) -> Array:
    """All (rows, length) -> (rows, length, width): what was done up to each place."""
    values = given["items"][items]
    if settings.with_intervals:
        values = values + given["intervals"][gaps]
    values, seen = drop(normed(given, "start", values)), earlier(owners)
    for k in range(settings.blocks):
        values = block(given, f"block{k}", values, seen, settings.heads, drop)
    return values
