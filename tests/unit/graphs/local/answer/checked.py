"""Drafts of the local engine that its own checker finds nothing wrong with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphs.contracts import Draft, Reading
from graphs.drafts.words import content
from graphs.local.answer.answerer import LocalAnswerer
from graphs.local.answer.line_ranking import LineRanker
from graphs.local.check.checker import LocalChecker
from tools.evidence import AnswerLine, Evidence
from tools.vector.embeddings import Vectors


class ByWords:
    """Scores a text by the question's words that it holds."""

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        asked = set(content(question))
        return [5.0 * len(asked & set(content(text))) for text in texts]


class Flat:
    """Embeds every text alike."""

    id, dimension = "flat", 384

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.tile(self.embed_query(""), (len(texts), 1))

    def embed_query(self, text: str) -> Vectors:
        return np.full(384, 384**-0.5, np.float32)


def ranked_by_words(asked: Reading, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The evidence with its lines, as if a learned fit had found all likely that share words with the question."""

    def likely(line: AnswerLine) -> AnswerLine:
        shares = bool(set(content(asked.question)) & set(content(line.text)))
        # nothing is known of what kind of answer a flat embedding asks for
        return line.model_copy(update={"shown": line.shown and shares, "likely": shares, "of_figure": True})

    found = LineRanker(ByWords(), Flat()).rank(asked, evidence)
    marked = [item.model_copy(update={"lines": tuple(map(likely, item.lines))}) for item in found]
    return sorted(marked, key=lambda item: item.rank)


def checked_draft(asked: Reading, evidence: Sequence[Evidence]) -> Draft:
    """The draft from what is `ranked_by_words`, after it has passed the checker."""
    given = ranked_by_words(asked, evidence)
    made = LocalAnswerer().draft(asked, given)
    if made.abstained is None:
        verdict = LocalChecker().check(asked, made, given)
        assert verdict.score == 1, [s for s in verdict.statements if not s.supported]
    return made
