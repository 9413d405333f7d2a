"""TGCL4SR: views of the items from a graph of who went on to what when (Zhang et al., AAAI 2024).

Items are embedded once more as views: at the first depth a TiTConv gathers what is known of an item's edges, at the
second the mean of its neighbours is taken, as GraphSAGE does. A layer is computed for all items at once, with edges
drawn once a batch and view.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tools.recommend.layers import (
    FAR_BELOW,
    SMALL,
    Array,
    Dropped,
    Given,
    earlier,
    linear,
    normed,
    rectified,
    self_attention,
)
from tools.recommend.presets import Settings
from tools.recommend.sampling import Edges, everyone
from tools.recommend.sasrec import encoded, start_attention, start_encoder, start_linear, start_normed
from tools.recommend.titg import Neighbourhoods

FASTEST = 1000.0
"""Of the cosines that tell a time, the highest frequency before they are learnt, for times between 0 and 1."""


class Projected(NamedTuple):
    """What an edge needs of the item at either end: computed once an item, not once an edge."""

    own: Array
    """(items, width)"""
    queries: Array
    """(items, width)"""
    keys_values: Array
    """(items, 2 * width)"""


def start(settings: Settings, items: int, users: int, draw: np.random.Generator) -> dict[str, Array]:
    """Weights before anything is learnt."""
    given = start_encoder(settings, items, draw)
    if not settings.with_graph:
        return given
    width, edge = settings.width, settings.edge_width
    frequencies = np.geomspace(1.0, FASTEST, edge)
    return {
        **given,
        "users": draw.normal(0, 1, (users, edge)).astype(np.float32),
        "time.frequency": frequencies.astype(np.float32),
        "time.phase": np.zeros(edge, np.float32),
        **start_linear("time.pair", (2 * edge, 2 * edge), draw),
        **start_normed("conv.start", width),
        **start_linear("conv.query", (width, width), draw),
        **start_linear("conv.query_time", (edge, width), draw),
        **start_linear("conv.query_user", (edge, width), draw),
        **start_linear("conv.item", (width, 2 * width), draw),
        **start_linear("conv.pair", (2 * edge, 2 * width), draw),
        **start_linear("conv.user", (edge, 2 * width), draw),
        **start_linear("conv.wide", (2 * width, width), draw),
        **start_linear("conv.narrow", (width, width), draw),
        **start_linear("sage", (2 * width, width), draw),
        **start_normed("view", width),
        **start_attention("fused", (3 * width, width), settings, draw),
        "fused.out.weight": np.zeros(
            (width, width), np.float32
        ),  # what is predicted starts as the encoder says
    }


def views(given: Given, settings: Settings, tables: Projected, first: Edges, second: Edges) -> Array:
    """Edges of all items at both depths -> (items, width)."""
    inner = convolved(given, settings, tables, first)
    return normed(given, "view", gathered(given, inner, inner, second))


def all_views(given: Given, settings: Settings, around: Neighbourhoods) -> Array:
    """The same with all edges of every item; NumPy."""
    tables = projected(given)
    inner, outer = (np.empty_like(given["items"]) for _ in range(2))
    for some, edges in everyone(around):
        of_some = Projected(tables.own[some], tables.queries[some], tables.keys_values)
        inner[some] = convolved(given, settings, of_some, edges)
    for some, edges in everyone(around):
        outer[some] = gathered(given, inner[some], inner, edges)
    return normed(given, "view", outer)


def told(given: Given, times: Array) -> Array:
    """phi(t) = cos(w t + b), along a new last axis."""
    xp = times.__array_namespace__()
    return xp.cos(times[..., None] * given["time.frequency"] + given["time.phase"])


def projected(given: Given) -> Projected:
    """Of all items; a query is asked at phi(0), whatever the edge."""
    own = normed(given, "conv.start", given["items"])
    xp = own.__array_namespace__()
    now = xp.cos(given["time.phase"])[None]
    query = linear(given, "conv.query", own) + linear(given, "conv.query_time", now)
    return Projected(own, query, linear(given, "conv.item", own))


def convolved(given: Given, settings: Settings, tables: Projected, edges: Edges) -> Array:
    """TiTConv of n items, with their edges -> (n, width). The key and value of an edge are sums of its item's, its
    times' and its user's shares: what follows from [h_j, time, user] by one product, split."""
    xp = tables.own.__array_namespace__()
    of_items = tables.keys_values[edges.neighbours]
    if settings.ablation == "titconv":
        message = mean_of(of_items[..., : settings.width], edges.present)
    else:
        users = given["users"][edges.of_users]
        times = told(given, edges.times).reshape(*edges.present.shape, -1)
        pair = rectified(linear(given, "time.pair", times))
        query = tables.queries[:, None] + linear(given, "conv.query_user", users)
        both = of_items + linear(given, "conv.pair", pair) + linear(given, "conv.user", users)
        key, value = both[..., : settings.width], both[..., settings.width :]
        message = _summed(query, key, value, edges.present, settings)
    inner = rectified(linear(given, "conv.wide", xp.concat((tables.own, message), axis=-1)))
    return linear(given, "conv.narrow", inner)


def gathered(given: Given, own: Array, inner: Array, edges: Edges) -> Array:
    """GraphSAGE: an item beside the mean of its neighbours."""
    xp = own.__array_namespace__()
    around = mean_of(inner[edges.neighbours], edges.present)
    return linear(given, "sage", xp.concat((own, around), axis=-1))


def mean_of(values: Array, present: Array) -> Array:
    """(n, edges, width) -> (n, width); 0 where no edge is present."""
    return (values * present[..., None]).sum(axis=1) / _counted(present, values)


def predicted(
    given: Given,
    settings: Settings,
    items: Array,
    gaps: Array,
    owners: Array,
    both: tuple[Array, Array] | None,
    drop: Dropped,
) -> Array:
    """All (rows, length) -> (rows, length, width): the product with an item's embedding says how likely it is next.

    With both views of the items, what was done is attended once more, as the views and the encoder say together.
    """
    values = encoded(given, settings, items, gaps, owners, drop)
    if both is None:
        return values
    xp = values.__array_namespace__()
    joined = drop(xp.concat((both[0][items], both[1][items], values), axis=-1))
    return values + self_attention(given, "fused", joined, earlier(owners), settings.heads, drop)


def _counted(present: Array, like: Array) -> Array:
    """(n, edges) -> (n, 1): how many are present, at least 1."""
    xp = present.__array_namespace__()
    return xp.maximum(present.sum(axis=1), 1).astype(like.dtype)[:, None]


def _summed(query: Array, key: Array, value: Array, present: Array, settings: Settings) -> Array:
    """(n, edges, width) each -> (n, width). Where each edge is attended alone, its weight is 1, and the sum is that of
    as many edges as are drawn in training."""
    xp = query.__array_namespace__()
    if settings.attention == "single":
        weights = present * (settings.neighbours / _counted(present, query))
        return (weights[..., None] * value).sum(axis=1)
    n, count, width = value.shape
    heads = np.kron(np.eye(settings.heads), np.ones((width // settings.heads, 1))).astype(np.float32)
    scores = ((query * key).reshape(-1, width) @ heads).reshape(n, count, -1) / (
        width / settings.heads
    ) ** 0.5
    scores = xp.where(present[..., None], scores, FAR_BELOW)
    risen = xp.exp(scores - scores.max(axis=1, keepdims=True)) * present[..., None]
    weights = risen / (risen.sum(axis=1, keepdims=True) + SMALL)
    return ((weights.reshape(-1, settings.heads) @ heads.T).reshape(value.shape) * value).sum(axis=1)
