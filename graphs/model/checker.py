"""Faithfulness in the paper's two steps (Sarmah et al. 2024, 4.3), with the local check as a second opinion.

(a) Question and answer -> statements; (b) statements and evidence -> a verdict with a reason each. F = |V| / |S|. A
statement is supported if the model says so and its sentence passes the local check of numbers, units, periods,
names and directions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from graphs.contracts import Draft, Reading, Statement, Verdict
from graphs.drafts.claims import Claim
from graphs.drafts.draft_guard import DraftGuard
from graphs.drafts.words import content, is_generic
from graphs.model.model_call import prompt, with_local_fallback
from graphs.model.replies import unlinked
from graphs.protocols import FaithfulnessChecker
from tools.documents.text.cleaning import clean, squeeze
from tools.evidence import Evidence, format_evidence
from tools.model.fence import RULE, defused, fence
from tools.model.structured import ask_structured
from tools.model.types import ChatModel

MAX_SENTENCES = 24
"""Sentences that the model is asked about; the local check alone judges the rest."""
MAX_STATEMENTS_OF_SENTENCE = 3
"""Statements of a sentence."""
MIN_OWN_WORDS_SHARE = 0.5
"""Least share of a statement's words that are its sentence's own."""
MAX_REASON_CHARS = 240
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class StatementReply(BaseModel):
    """A statement that the model reads out of a sentence."""

    sentence: int
    text: str


class StatementsReply(BaseModel):
    """Step (a)."""

    statements: list[StatementReply]


class VerdictReply(BaseModel):
    """What the model finds of one statement; the reason comes first, so that the verdict follows from it."""

    statement: int
    reason: str = ""
    supported: bool


class VerdictsReply(BaseModel):
    """Step (b)."""

    verdicts: list[VerdictReply]


@dataclass(frozen=True, slots=True)
class _Part:
    """A statement with the sentence it stems from."""

    text: str
    claim: Claim


class ModelChecker:
    """A `FaithfulnessChecker` of two calls. A draft of the local engine's words is checked by its own checker."""

    def __init__(self, model: ChatModel, local: FaithfulnessChecker, guard: DraftGuard) -> None:
        """`local` checks the local engine's words, `guard` the model's beside the model's own verdict."""
        self._model, self._local, self._guard = model, local, guard

    def check(self, reading: Reading, draft: Draft, evidence: Sequence[Evidence]) -> Verdict:
        """See `graphs.protocols.FaithfulnessChecker`; a score of None where the draft states nothing."""
        claims = self._guard.claims(draft.text)
        if not claims or draft.engine == "local":
            return self._local.check(reading, draft, evidence)
        by_rank = {item.rank: item for item in evidence}
        if not any(rank in by_rank for claim in claims for rank in claim.markers):
            return self._guard.check(reading, draft, evidence)
        return with_local_fallback(
            "check",
            lambda: self._checked(reading, claims, by_rank),
            lambda: self._guard.check(reading, draft, evidence),
        )

    def _checked(self, reading: Reading, claims: Sequence[Claim], by_rank: Mapping[int, Evidence]) -> Verdict:
        parts = self._parts(reading, claims)
        said = self._verdicts(parts, by_rank) if parts else {}
        statements: list[Statement] = []
        for claim in claims:
            judged = [(part, said[n]) for n, part in enumerate(parts) if part.claim is claim and n in said]
            if not judged:
                statements.append(self._guard.judge(claim, by_rank))
                continue
            figures = self._guard.judge(claim, by_rank, wording=False)
            statements += [_statement(part, reply, figures) for part, reply in judged]
        held = sum(statement.supported for statement in statements)
        return Verdict(statements=tuple(statements), score=held / len(statements))

    def _parts(self, reading: Reading, claims: Sequence[Claim]) -> list[_Part]:
        """Step (a), without what the model has made up, repeated or written too much of."""
        asked = claims[:MAX_SENTENCES]
        numbered = "\n".join(f"{n}. {sentence(claim)}" for n, claim in enumerate(asked, start=1))
        messages = prompt(
            "statements", data_rule=RULE, question=defused(squeeze(reading.question)), answer=fence(numbered)
        )
        reply = ask_structured(self._model, messages, StatementsReply)
        parts: list[_Part] = []
        for item in reply.statements:
            text = squeeze(unlinked(clean(item.text)))
            if not 1 <= item.sentence <= len(asked) or not text:
                continue
            claim = asked[item.sentence - 1]
            own = [part.text for part in parts if part.claim is claim]
            if (
                len(own) < MAX_STATEMENTS_OF_SENTENCE
                and text not in own
                and is_of(text, claim, reading.question, claims)
            ):
                parts.append(_Part(text, claim))
        return parts

    def _verdicts(self, parts: Sequence[_Part], by_rank: Mapping[int, Evidence]) -> dict[int, VerdictReply]:
        """Step (b): the model's verdict by position in `parts`, against all that the draft cites."""
        cited = sorted({rank for part in parts for rank in part.claim.markers if rank in by_rank})
        numbered = "\n".join(f"{n}. {part.text}" for n, part in enumerate(parts, start=1))
        messages = prompt(
            "verdicts",
            data_rule=RULE,
            evidence=fence(format_evidence([by_rank[rank] for rank in cited])),
            statements=fence(numbered),
        )
        reply = ask_structured(self._model, messages, VerdictsReply)
        found: dict[int, VerdictReply] = {}
        for item in reply.verdicts:
            n = item.statement - 1
            if 0 <= n < len(parts) and (n not in found or not item.supported):  # said twice: the stricter one
                found[n] = item
        return found


def _statement(part: _Part, reply: VerdictReply, figures: Statement) -> Statement:
    supported = reply.supported and figures.supported
    judged = squeeze(unlinked(clean(reply.reason)))[:MAX_REASON_CHARS] or "the model finds it not supported"
    reason = "" if supported else figures.reason or judged
    ranks = figures.evidence if supported else ()
    return Statement(
        text=part.text, supported=supported, evidence=ranks, reason=reason, claim=part.claim.text
    )


def sentence(claim: Claim) -> str:
    """A claim as the model reads it: what it stands under, and a row's cells with their columns."""
    text = claim.text
    if claim.kind == "row":
        text = "; ".join(f"{header}: {cell}" if header else cell for header, cell in claim.cells)
    return f"{claim.context} {text}".strip()


def is_of(text: str, claim: Claim, question: str, claims: Sequence[Claim]) -> bool:
    """Is a statement made of its sentence? Half of its words are the sentence's, the rest the question's or the
    answer's (names put for 'it'), and every figure is one that the sentence or the question states."""
    own = sentence(claim)
    if not set(_NUMBER.findall(text)) <= set(_NUMBER.findall(f"{own} {question}")):
        return False
    words = [word for word in dict.fromkeys(content(text)) if not is_generic(word)]
    theirs = frozenset(content(own))
    if not words:
        return bool(set(_NUMBER.findall(text)) & set(_NUMBER.findall(own)))
    around = (
        theirs
        | frozenset(content(question))
        | {word for other in claims for word in content(sentence(other))}
    )
    strange = [word for word in words if word not in around]
    return (
        sum(word in theirs for word in words) >= MIN_OWN_WORDS_SHARE * len(words)
        and len(strange) <= len(words) // 5
    )
