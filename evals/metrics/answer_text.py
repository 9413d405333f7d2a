"""The two texts that the word-by-word metrics compare, and the libraries that compare them."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

from evals.datasets.types import Item
from evals.metrics.metric_figures import plain
from evals.metrics.types import not_applicable
from evals.rows import Row, Score


class Stems:
    """A stemmer of nltk, remembered: stemming takes most of the time that comparing words does."""

    def __init__(self, stemmer: Any) -> None:
        self.stem = cache(stemmer.stem)


def compared(item: Item, row: Row) -> tuple[str, str] | Score:
    """(answer without markers, expected answer); or the score where there is nothing to compare: none without an
    expected answer or for an unanswerable question, 0 for an answer that was withheld."""
    if item.answerable is False:
        return not_applicable("the documents hold no answer")
    if not item.answer or not item.answer.strip():
        return not_applicable("no answer is expected in words")
    if row.status in ("abstained", "failed"):
        return Score(value=0, reason=f"{row.status}: nothing to compare")
    return plain(row.answer), item.answer


def library(module: str) -> Any:
    """A module of an optional library; None where it is not installed."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError:
        return None


def not_installed(name: str) -> Score:
    """No score, and what to install."""
    return not_applicable(f"{name} is not installed. Run: pip install 'hybridrag[evals]'")
