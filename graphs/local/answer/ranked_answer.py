"""An answer of the lines that a learned fit says answer: the figure stated, or the sentences quoted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graphs.contracts import Draft
from graphs.drafts.figures import is_from_text
from graphs.drafts.sentences import Sentence, split
from graphs.local.answer import fact_sentences
from graphs.local.answer.quotations import quotations, relation_sentence
from tools.evidence import AnswerLine, Evidence

MIN_CHANCE = 0.5
"""Probability that the best line answers, from which it is shown."""
MIN_SHARE_OF_BEST = 0.25
"""Further lines count at least this much of what the best one does."""
MAX_QUOTES = 3


class _Found(NamedTuple):
    line: AnswerLine
    item: Evidence


def ranked_answer(evidence: Sequence[Evidence]) -> Draft | None:
    """The best line, and of sentences those that come near it; None where the evidence was not ranked, or no line
    is likely to answer."""
    found = [_Found(line, item) for item in evidence for line in item.lines]
    if not found:
        return None
    found.sort(key=lambda each: (-each.line.share, each.item.rank))
    best = found[0]
    if best.line.chance < MIN_CHANCE:
        return None
    if best.item.fact is not None:
        state = fact_sentences.quoted_sentence if is_from_text(best.item.fact) else fact_sentences.sentence
        return Draft(text=state(best.item))
    if best.item.kind == "relation":
        return Draft(text=f"{relation_sentence(best.item)} [{best.item.rank}].")
    near = [each for each in found if each.line.share >= MIN_SHARE_OF_BEST * best.line.share]
    sentences = [each for each in near if each.item.kind in ("prose", "exchange")][:MAX_QUOTES]
    said = quotations([_sentence(each) for each in sentences])
    return Draft(text="\n".join(f"- {line}" for line in said) if len(said) > 1 else said[0])


def _sentence(found: _Found) -> Sentence:
    return next(each for each in split(found.item) if each.text == found.line.text)
