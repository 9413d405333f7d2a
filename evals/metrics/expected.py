"""What is known of a question's right answer."""

from __future__ import annotations

from evals.datasets.types import Item


def is_answerable(item: Item) -> bool | None:
    """`Item.answerable`; where the set does not say, True if it holds an answer, a passage or a figure, else None."""
    if item.answerable is not None:
        return item.answerable
    return True if item.answer or item.gold or item.numbers else None
