"""Layers, the same for arrays of NumPy and of JAX: what was trained with one is asked with the other.

Weights are arrays by name; a layer's are those whose names begin with its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

Array = Any
"""Of NumPy or JAX."""
Given = Mapping[str, Array]
Dropped = Callable[[Array], Array]
"""Leaves out a part of the values while learning."""
SMALL, FAR_BELOW = 1e-6, -1e9


def linear(given: Given, name: str, values: Array) -> Array:
    """(..., in) -> (..., out). As one matrix: JAX's slopes of a product with more axes take four times as long."""
    flat = values.reshape(-1, values.shape[-1]) @ given[f"{name}.weight"] + given[f"{name}.bias"]
    return flat.reshape(*values.shape[:-1], -1)


def normed(given: Given, name: str, values: Array) -> Array:
    """Layer normalisation over the last axis."""
    xp = values.__array_namespace__()
    centred = values - values.mean(axis=-1, keepdims=True)
    spread = xp.sqrt((centred * centred).mean(axis=-1, keepdims=True) + SMALL)
    return centred / spread * given[f"{name}.scale"] + given[f"{name}.shift"]


def softmax(values: Array) -> Array:
    """Over the last axis."""
    xp = values.__array_namespace__()
    risen = xp.exp(values - values.max(axis=-1, keepdims=True))
    return risen / risen.sum(axis=-1, keepdims=True)


def rectified(values: Array) -> Array:
    """max(x, 0)."""
    return values * (values > 0)


def gelu(values: Array) -> Array:
    """As the tanh approximation: NumPy has no erf."""
    xp = values.__array_namespace__()
    return (
        0.5 * values * (1 + xp.tanh(math.sqrt(2 / math.pi) * (values + 0.044715 * values * values * values)))
    )


def earlier(owners: Array) -> Array:
    """(rows, length) -> (rows, length, length): which places each may look at, its owner's and none after it."""
    xp = owners.__array_namespace__()
    place = xp.arange(owners.shape[1])
    return (owners[:, :, None] == owners[:, None, :]) & (place[:, None] >= place)


def self_attention(given: Given, name: str, values: Array, seen: Array, heads: int, drop: Dropped) -> Array:
    """(rows, length, in) -> (rows, length, out); how far back a place lies counts by itself, for each head."""
    xp = values.__array_namespace__()
    rows, length, _ = values.shape
    query, key, value = (
        xp.moveaxis(each.reshape(rows, length, heads, -1), 2, 1)
        for each in xp.split(linear(given, f"{name}.in", values), 3, axis=-1)
    )
    place = xp.arange(length)
    back = xp.maximum(place[:, None] - place, 0)
    scores = query @ xp.moveaxis(key, 3, 2) / math.sqrt(key.shape[-1])
    scores = scores + xp.moveaxis(given[f"{name}.back"][back], 2, 0)
    weights = drop(softmax(xp.where(seen[:, None], scores, FAR_BELOW)))
    mixed = xp.moveaxis(weights @ value, 1, 2).reshape(rows, length, -1)
    return linear(given, f"{name}.out", mixed)


def block(given: Given, name: str, values: Array, seen: Array, heads: int, drop: Dropped) -> Array:
    """One block of a Transformer, normalised after each half."""
    attended = self_attention(given, f"{name}.attention", values, seen, heads, drop)
    values = normed(given, f"{name}.first", values + drop(attended))
    inner = gelu(linear(given, f"{name}.wide", values))
    return normed(given, f"{name}.second", values + drop(linear(given, f"{name}.narrow", inner)))


def unchanged(values: Array) -> Array:
    """What `Dropped` is where nothing is learnt."""
    return values
