"""Losses and steps, in JAX. Nothing but `training` imports this, and only where something is trained."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from tools.recommend.batches import EVENTS, VIEWS, Batch
from tools.recommend.layers import Array
from tools.recommend.presets import Settings
from tools.recommend.tgcl4sr import predicted, projected, views

AT_ONCE = 256
"""Places whose shares of all items are held at the same time: they stay near the processor."""
KERNELS = (0.25, 1.0, 4.0)
"""Widths of the kernels of the distance between two sets, in mean squared distances."""
Weights = Mapping[str, Array]


@jax.custom_vjp
def missed(values: Array, table: Array, nexts: Array, weights: Array) -> Array:
    """Sum of the cross-entropies of (places, width) over all items, by weight; `places` a multiple of `AT_ONCE`.

    Slopes are taken where the shares are, so that no (places, items) ever lies in memory.
    """
    return _missed(values, table, nexts, weights)[0]


def _missed(values: Array, table: Array, nexts: Array, weights: Array) -> tuple[Array, tuple[Array, Array]]:
    across = table.T

    def part(slope: Array, given: tuple[Array, Array, Array]) -> tuple[Array, tuple[Array, Array]]:
        some, right, weight = given
        scores = some @ across
        highest = scores.max(axis=1, keepdims=True)
        risen = jnp.exp(scores - highest)
        total = risen.sum(axis=1, keepdims=True)
        lost = ((jnp.log(total) + highest)[:, 0] - (some * table[right]).sum(axis=1)) * weight
        share = weight[:, None] / total
        return slope + (some * share).T @ risen, (
            lost,
            (risen @ table) * share - table[right] * weight[:, None],
        )

    parts = (
        values.reshape(-1, AT_ONCE, values.shape[1]),
        nexts.reshape(-1, AT_ONCE),
        weights.reshape(-1, AT_ONCE),
    )
    slope, (lost, of_values) = jax.lax.scan(part, jnp.zeros_like(across), parts)
    of_table = slope.T.at[nexts].add(-values * weights[:, None])
    return lost.sum(), (of_values.reshape(values.shape), of_table)


def _slopes(kept: tuple[Array, Array], slope: Array) -> tuple[Array, Array, None, None]:
    return slope * kept[0], slope * kept[1], None, None


missed.defvjp(_missed, _slopes)


class _Dropping:
    """Leaves out values at random, each call others."""

    def __init__(self, key: Array, share: float) -> None:
        self._key, self._share, self._call = key, share, 0

    def __call__(self, values: Array) -> Array:
        if not self._share:
            return values
        self._call += 1
        key = jax.random.fold_in(self._key, self._call)
        kept = jax.random.bernoulli(key, 1 - self._share, values.shape)
        return jnp.where(kept, values / (1 - self._share), 0.0)


def contrast(ones: Array, others: Array, present: Array, tau: float) -> Array:
    """InfoNCE by cosine: (n, width) each, a row's own other against those of all that are present."""
    ones, others = (
        each / jnp.sqrt((each * each).sum(axis=1, keepdims=True) + 1e-9) for each in (ones, others)
    )
    alike = ones @ others.T / tau
    shares = jax.nn.log_softmax(jnp.where(present, alike, -1e9), axis=1)
    return -(jnp.diagonal(shares) * present).sum() / jnp.maximum(present.sum(), 1)


def distance(ones: Array, others: Array) -> Array:
    """Maximum mean discrepancy between two sets of (n, width), by Gaussian kernels."""
    both = jnp.concatenate((ones, others))
    squares = (both * both).sum(axis=1)
    apart = jnp.maximum(squares[:, None] + squares - 2 * both @ both.T, 0.0)
    mean = jax.lax.stop_gradient(apart.mean()) + 1e-9
    near = jnp.stack([jnp.exp(-apart / (mean * width)) for width in KERNELS]).sum(axis=0)
    n = len(ones)
    return near[:n, :n].mean() + near[n:, n:].mean() - 2 * near[:n, n:].mean()


def loss(given: Weights, batch: Batch, key: Array, settings: Settings) -> Array:
    """The mean of what is lost at a place, the contrasts and the distance of items to their views."""
    drop = _Dropping(key, settings.dropout)
    if batch.edges is None:
        return _next_missed(given, settings, batch, None, drop)
    tables = projected(given)
    # mapped: it is compiled once, not for each view
    seen = jax.lax.map(lambda edges: views(given, settings, tables, *edges), batch.edges)
    lost = _next_missed(given, settings, batch, (seen[0], seen[1]), drop)
    means, present = _pooled(seen, batch)
    if settings.ablation != "sgcl":
        lost += settings.contrast * contrast(means[0], means[1], present, settings.tau)
    for mean, copy in zip(means, means[VIEWS:], strict=False):
        lost += settings.contrast / VIEWS * contrast(mean, copy, present, settings.tau)
    ids = batch.items.ravel()[batch.compared]
    for each in seen[:VIEWS]:
        lost += settings.likeness * distance(given["items"][ids], each[ids])
    return lost


def _pooled(seen: Array, batch: Batch) -> tuple[Array, Array]:
    """(views, items, width) -> means over each history's items (views, slots, width), and which slots have one."""
    owners, slots = batch.owners.ravel(), len(batch.nexts) // EVENTS
    onto = jnp.where(owners >= 0, owners, slots)
    summed = (
        jnp.zeros((slots + 1, len(seen), seen.shape[2]))
        .at[onto]
        .add(jnp.moveaxis(seen, 0, 1)[batch.items.ravel()])
    )
    count = jnp.zeros(slots + 1).at[onto].add(1.0)[:slots]
    return jnp.moveaxis(summed[:slots] / jnp.maximum(count, 1.0)[:, None, None], 1, 0), count > 0


def _next_missed(
    given: Weights, settings: Settings, batch: Batch, both: tuple[Array, Array] | None, drop: _Dropping
) -> Array:
    values = predicted(given, settings, batch.items, batch.gaps, batch.owners, both, drop)
    values = values.reshape(-1, values.shape[-1])[batch.filled]
    return missed(values, given["items"], batch.nexts, batch.weights) / jnp.maximum(batch.weights.sum(), 1)


class Descent:
    """Weights, what Adam remembers of them, and their running average."""

    def __init__(self, settings: Settings, given: Weights) -> None:
        self._settings = settings
        self.given: dict[str, Array] = {name: jnp.asarray(value) for name, value in given.items()}
        self._state = (_adam(settings).init(self.given), self.given, jnp.zeros(()))

    def step(self, batch: Batch, seed: int, number: int) -> Array:
        """One step down; what was lost before it. The same numbers drop the same values."""
        key = jax.random.fold_in(jax.random.key(seed, impl="rbg"), number)
        self.given, self._state, lost = _moved(self._settings, self.given, self._state, batch, key)
        return lost

    @property
    def averaged(self) -> dict[str, Array]:
        """The weights that are asked: single steps cancel out in them (Polyak and Juditsky 1992)."""
        found: dict[str, Array] = self._state[1]
        return found

    def remembered(self) -> list[np.ndarray[Any, Any]]:
        """What `remember` takes."""
        return [np.asarray(each) for each in jax.tree.leaves(self._state)]

    def remember(self, given: Weights, state: list[np.ndarray[Any, Any]]) -> None:
        """Go on from there."""
        self.given = {name: jnp.asarray(value) for name, value in given.items()}
        self._state = jax.tree.unflatten(
            jax.tree.structure(self._state), [jnp.asarray(each) for each in state]
        )


def _adam(settings: Settings) -> Any:
    rate = optax.linear_schedule(settings.rate / settings.rising, settings.rate, settings.rising)
    return optax.adamw(rate, b2=0.98, weight_decay=settings.decay)


@partial(jax.jit, static_argnums=0)
def _moved(
    settings: Settings, given: Weights, state: Any, batch: Batch, key: Array
) -> tuple[dict[str, Array], Any, Array]:
    lost, slopes = jax.value_and_grad(loss)(given, batch, key, settings)
    adam, averaged, steps = state
    updates, adam = _adam(settings).update(slopes, adam, given)
    given = dict(optax.apply_updates(given, updates))
    # little is kept of what was before anything was learnt
    kept = jnp.minimum(settings.averaged, (1 + steps) / (10 + steps))
    averaged = jax.tree.map(lambda before, now: kept * before + (1 - kept) * now, averaged, given)
    return given, (adam, averaged, steps + 1), lost
