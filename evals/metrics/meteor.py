"""METEOR: words shared with the expected answer, in its order."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from evals.datasets.types import Item
from evals.metrics.answer_text import Stems, compared, library, not_installed
from evals.metrics.types import Metric
from evals.rows import Row, Score

_WORD = re.compile(r"\w+(?:[.,'’]\w+)*")


class _NoSynonyms:
    """WordNet without entries."""

    def synsets(self, word: str) -> tuple[()]:
        return ()


def score(item: Item, row: Row) -> Score:
    """METEOR of nltk (Lavie and Agarwal 2007) without its third stage: words match exactly or by stem. Synonyms need
    WordNet's data, which no package brings; nothing is downloaded, and scores are lower than with them."""
    texts = compared(item, row)
    if isinstance(texts, Score):
        return texts
    scoring = _scoring()
    if scoring is None:
        return not_installed("nltk")
    meteor, stems = scoring
    answer, expected = (_WORD.findall(text) for text in texts)
    value = meteor(expected, answer, stemmer=stems, wordnet=_NoSynonyms())
    return Score(value=float(value), reason="exact and stem matches, no synonyms")


@cache
def _scoring() -> Any:
    module, porter = library("nltk.translate.meteor_score"), library("nltk.stem.porter")
    return module and porter and (module.single_meteor_score, Stems(porter.PorterStemmer()))


METEOR = Metric("meteor", "METEOR", "answer", score)
