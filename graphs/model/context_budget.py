"""Evidence cut to a model's context: the best of each source stays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from tools.evidence import Evidence, format_evidence
from tools.model.tokens import estimate_tokens

MARGIN = 1.1
"""Estimates of tokens are off by some per cent."""


def fitting(evidence: Sequence[Evidence], tokens: int, model_id: str) -> list[Evidence]:
    """Pieces in prompt order that together take at most about `tokens`.

    The sources take turns, each with its best first: the last of the merged order are the graph's, not the worst.
    A piece that alone is too long is passed over.
    """
    vector = [item for item in evidence if item.source == "vector"]
    graph = [item for item in evidence if item.source == "graph"]
    kept: list[Evidence] = []
    left = tokens / MARGIN
    for item in (item for pair in zip_longest(vector, graph) for item in pair if item is not None):
        cost = estimate_tokens(format_evidence([item]), model_id) + 1
        if cost <= left:
            kept.append(item)
            left -= cost
    return sorted(kept, key=lambda item: item.rank)
