"""ROUGE-1: words shared with the expected answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from evals.datasets.types import Item
from evals.metrics.answer_text import Stems, compared, library, not_installed
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


@dataclass(frozen=True, slots=True)
class _Words:
    """rouge-score's own tokenizer, with remembered stems."""

    split: Any
    stems: Stems

    def tokenize(self, text: str) -> list[str]:
        found: list[str] = self.split(text, self.stems)
        return found


@cache
def _scorer() -> Any:
    scoring, words = library("rouge_score.rouge_scorer"), library("rouge_score.tokenize")
    porter = library("nltk.stem.porter")
    if not (scoring and words and porter):
        return None
    return scoring.RougeScorer(["rouge1"], tokenizer=_Words(words.tokenize, Stems(porter.PorterStemmer())))


ROUGE_1 = Metric("rouge_1", "ROUGE-1", "answer", score)
