"""BLEU: word sequences shared with the expected answer."""

from __future__ import annotations

from functools import cache
from typing import Any

from evals.datasets.types import Item
from evals.metrics.answer_text import compared, library, not_installed
from evals.metrics.types import Metric
from evals.rows import Row, Score


def score(item: Item, row: Row) -> Score:
    """Sentence BLEU, 0 to 1 (Papineni et al. 2002, by sacrebleu): n-grams up to 4, fewer for an answer that has
    fewer words, exponential smoothing."""
    texts = compared(item, row)
    if isinstance(texts, Score):
        return texts
    scorer = _scorer()
    if scorer is None:
        return not_installed("sacrebleu")
    answer, expected = texts
    got = scorer.sentence_score(answer, [expected])
    value = min(1.0, got.score / 100)  # an equal text comes out as 100.00000000000004
    return Score(value=value, reason=f"{got.sys_len} words against {got.ref_len}, brevity {got.bp:.2f}")


@cache
def _scorer() -> Any:
    module = library("sacrebleu.metrics")
    return module and module.BLEU(effective_order=True)


BLEU = Metric("bleu", "BLEU", "answer", score)
