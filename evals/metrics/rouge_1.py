"""ROUGE-1: words shared with the expected answer."""

from __future__ import annotations

from functools import cache
from typing import Any

from evals.datasets.types import Item
from evals.metrics.answer_text import compared, library, not_installed
from evals.metrics.types import Metric
from evals.rows import Row, Score


def score(item: Item, row: Row) -> Score:
    """F1 over Porter stems of single words (Lin 2004, by rouge-score)."""
    texts = compared(item, row)
    if isinstance(texts, Score):
        return texts
    scorer = _scorer()
    if scorer is None:
        return not_installed("rouge-score")
    answer, expected = texts
    got = scorer.score(expected, answer)["rouge1"]
    return Score(value=got.fmeasure, reason=f"precision {got.precision:.2f}, recall {got.recall:.2f}")


@cache
def _scorer() -> Any:
    module = library("rouge_score.rouge_scorer")
    return module and module.RougeScorer(["rouge1"], use_stemmer=True)


ROUGE_1 = Metric("rouge_1", "ROUGE-1", "answer", score)
