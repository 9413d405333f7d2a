"""What a citation is held against: expected pages, gold sentences, or expected documents."""

from __future__ import annotations

from typing import Literal

from evals.datasets.types import Item, Place
from evals.metrics.gold import gold_sentences, held_by_context
from evals.rows import Row
from graphs.contracts import Citation

Standard = Literal["pages", "sentences", "documents"]


def standard(item: Item) -> Standard | None:
    """Pages where the question's places or alternates name any; else its gold sentences; else whole documents; None
    where nothing is known."""
    known = (*item.places, *item.alternates)
    if any(place.page is not None for place in known):
        return "pages"
    if gold_sentences(item):
        return "sentences"
    return "documents" if known else None


def fits(citation: Citation, place: Place) -> bool:
    """Does a citation name this place? A place without a page is its whole document."""
    return place.names(citation.document) and place.page in (None, citation.page)


def cited_gold(item: Item, row: Row, citation: Citation) -> frozenset[int]:
    """Indices of the gold sentences in the cited context."""
    held = held_by_context(item, row)
    return held[citation.marker - 1] if 0 < citation.marker <= len(held) else frozenset()


def is_right(item: Item, row: Row, citation: Citation) -> bool:
    """Does a citation point at what answers the question?"""
    if standard(item) == "sentences":
        return bool(cited_gold(item, row, citation))
    return any(fits(citation, place) for place in (*item.places, *item.alternates))
