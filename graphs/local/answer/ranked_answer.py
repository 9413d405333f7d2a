"""An answer of the lines that a learned fit says answer: figures stated, sentences quoted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graphs.contracts import Draft, Reading
from graphs.drafts.figures import is_from_text
from graphs.drafts.sentences import Sentence, split
from graphs.local.answer import fact_sentences
from graphs.local.answer.quotations import quotations, relation_sentence
from tools.evidence import AnswerLine, Evidence


class _Found(NamedTuple):
    line: AnswerLine
    item: Evidence


def ranked_answer(reading: Reading, evidence: Sequence[Evidence]) -> Draft | None:
    """The lines to be shown, the best one first; None where the evidence was not ranked, or it is not likely that one
    of them answers."""
    found = _found(reading, evidence)
    if not found:
        return None
    quotes = quotations([_sentence(each) for each in found if _is_quoted(each)])
    stated = [_stated(each.item) for each in found if not _is_quoted(each)]
    said = [*quotes, *stated] if _is_quoted(found[0]) else [*stated, *quotes]
    return Draft(text="\n".join(f"- {line}" for line in said) if len(said) > 1 else said[0])


def _found(reading: Reading, evidence: Sequence[Evidence]) -> list[_Found]:
    """Lines to be shown, and of every company asked about its best one."""
    found = [_Found(line, item) for item in evidence for line in item.lines if line.likely]
    found.sort(key=lambda each: (-each.line.share, each.item.rank))
    own = [next((f for f in found if f.item.company_key == key), None) for key in reading.companies]
    best = own if len(own) > 1 else []
    return [each for each in found if each.line.shown or each in best]


def _is_quoted(found: _Found) -> bool:
    return found.item.kind in ("prose", "exchange")


def _stated(item: Evidence) -> str:
    if item.fact is None:
        return f"{relation_sentence(item)} [{item.rank}]."
    return fact_sentences.quoted_sentence(item) if is_from_text(item.fact) else fact_sentences.sentence(item)


def _sentence(found: _Found) -> Sentence:
    return next(each for each in split(found.item) if each.text == found.line.text)
