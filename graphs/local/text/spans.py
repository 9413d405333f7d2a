"""Stretches of a text as (start, end), the end left out."""

from __future__ import annotations

from collections.abc import Sequence

Span = tuple[int, int]


def overlaps(span: Span, others: Sequence[Span]) -> bool:
    """Does `span` share a character with any of the others?"""
    return any(start < span[1] and span[0] < end for start, end in others)
