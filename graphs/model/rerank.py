"""Passages put in the order of their help to the question, and those that are no help left out."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from graphs.contracts import Reading
from graphs.model.model_call import prompt, with_local_fallback
from tools.documents.text.cleaning import squeeze
from tools.evidence import Evidence, format_evidence
from tools.model.fence import RULE, defused, fence
from tools.model.structured import ask_structured
from tools.model.turn import current_turn
from tools.model.types import ChatModel

SHOWN = 900
"""Characters of a passage that are shown."""


class PassageScore(BaseModel):
    """One passage's help: 0 (something else) to 3 (holds the answer)."""

    passage: int
    score: float


class RerankReply(BaseModel):
    """The model's scores."""

    scores: list[PassageScore]


class ModelReranker:
    """A `Reranker` in one call; a passage that the model does not score stays, in its place among equals."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    def rerank(self, reading: Reading, evidence: Sequence[Evidence]) -> list[Evidence]:
        """The passages by score; those of score 0 go, unless nothing would be left."""
        kept = list(evidence)
        if len(kept) < 2 or reading.out_of_scope:
            return kept
        return with_local_fallback("merge", lambda: self._scored(reading, kept), lambda: kept)

    def _scored(self, reading: Reading, evidence: list[Evidence]) -> list[Evidence]:
        numbered = [
            item.model_copy(update={"rank": n, "text": item.text[:SHOWN]})
            for n, item in enumerate(evidence, start=1)
        ]
        messages = prompt(
            "rerank",
            data_rule=RULE,
            question=defused(squeeze(reading.question)),
            passages=fence(format_evidence(numbered)),
        )
        reply = ask_structured(self._model, messages, RerankReply)
        scores = {
            s.passage: min(max(s.score, 0.0), 3.0) for s in reply.scores if 1 <= s.passage <= len(evidence)
        }
        order = sorted(range(len(evidence)), key=lambda n: -scores.get(n + 1, 1.0))
        helpful = [evidence[n] for n in order if scores.get(n + 1, 1.0) > 0]
        left_out = len(evidence) - len(helpful)
        if not helpful:
            return evidence
        if left_out:
            current_turn().note(f"merge: {left_out} of {len(evidence)} passages left out as no help")
        return helpful
