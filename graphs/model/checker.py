"""Faithfulness of a model's draft: hard facts by code, everything else by the model as judge.

A statement is a sentence, list item or row of the draft, or a head that states something. Code holds its figures,
units, periods, companies, names, directions and quotations against what it cites: a fault vetoes. About figures with
the words of their labels alone nobody else is asked; all other statements go to the judge in one call, with what the
check objects to. F = |V| / |S| (Sarmah et al. 2024, 4.3).
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator

from graphs.contracts import Draft, Reading, Statement, Verdict
from graphs.drafts.claims import Claim, cited_markers
from graphs.drafts.draft_guard import DraftGuard, Finding
from graphs.drafts.links import unlinked
from graphs.model.model_call import prompt, with_local_fallback
from graphs.protocols import FaithfulnessChecker
from tools.documents.text.cleaning import clean, squeeze
from tools.evidence import Evidence, format_evidence
from tools.model.fence import RULE, defused, fence
from tools.model.structured import ask_structured
from tools.model.types import ChatModel

MAX_JUDGED = 30
"""Sentences that the judge is asked about, those first that code objects to; the rest is decided by code alone."""
MAX_REASON_CHARS = 240


def _verdict(value: object) -> object:
    if isinstance(value, bool):
        return "supported" if value else "not_supported"
    return value.strip().lower().replace(" ", "_").replace("-", "_") if isinstance(value, str) else value


class VerdictReply(BaseModel):
    """What the model finds of one sentence; the reason comes first, so that the verdict follows from it."""

    sentence: int
    reason: str = ""
    verdict: Annotated[Literal["supported", "not_supported", "cannot_tell"], BeforeValidator(_verdict)]


class VerdictsReply(BaseModel):
    """Of all sentences."""

    verdicts: list[VerdictReply]


def cited_claims(guard: DraftGuard, text: str, by_rank: Container[int]) -> list[Claim]:
    """The claims of a draft; one that cites nothing is held against all that the draft cites."""
    around = tuple(rank for rank in cited_markers(text) if rank in by_rank)
    return [claim if claim.markers else replace(claim, markers=around) for claim in guard.claims(text)]


class ModelChecker:
    """A `FaithfulnessChecker` of at most one call. A draft of the local engine is checked by its own checker."""

    def __init__(self, model: ChatModel, local: FaithfulnessChecker, guard: DraftGuard) -> None:
        """`local` checks the local engine's words, `guard` the hard facts of the model's."""
        self._model, self._local, self._guard = model, local, guard

    def check(
        self, reading: Reading, draft: Draft, evidence: Sequence[Evidence], before: Verdict | None = None
    ) -> Verdict:
        """See `graphs.protocols.FaithfulnessChecker`; a score of None where the draft states nothing."""
        if draft.engine == "local":
            return self._local.check(reading, draft, evidence)
        by_rank = {item.rank: item for item in evidence}
        claims = cited_claims(self._guard, draft.text, by_rank)
        known = {(each.text, each.cited): each for each in (before.statements if before else ())}
        statements: list[Statement | None] = []
        asked: dict[int, tuple[Claim, Finding]] = {}
        for at, claim in enumerate(claims):
            held = known.get((claim.text, claim.markers))
            finding = (
                Finding()
                if held
                else self._guard.find(claim, by_rank, question=reading.question, beside=claims)
            )
            if held is None and not finding.is_open:
                held = _statement(claim, finding, finding.fault)
            elif held is None:
                asked[at] = claim, finding
            statements.append(held)
        if asked:
            judged = with_local_fallback(
                "check", lambda: self._judged(reading, asked, by_rank), lambda: _undecided(asked)
            )
            statements = [judged.get(at, each) for at, each in enumerate(statements)]
        found = [each for each in statements if each is not None]
        score = sum(each.supported for each in found) / len(found) if found else None
        return Verdict(statements=tuple(found), score=score)

    def _judged(
        self, reading: Reading, asked: dict[int, tuple[Claim, Finding]], by_rank: dict[int, Evidence]
    ) -> dict[int, Statement]:
        """The judge's verdict on each sentence, by its place in the draft."""
        places = sorted(asked, key=lambda at: not asked[at][1].doubt)[:MAX_JUDGED]
        cited = sorted({rank for at in places for rank in asked[at][0].markers})
        lines = "\n".join(
            f"{n}. {sentence(claim)} {''.join(f'[{rank}]' for rank in claim.markers)}"
            + (f" (The check objects: {finding.doubt}.)" if finding.doubt else "")
            for n, (claim, finding) in enumerate((asked[at] for at in places), start=1)
        )
        messages = prompt(
            "verdicts",
            data_rule=RULE,
            question=defused(squeeze(reading.question)),
            evidence=fence(format_evidence([by_rank[rank] for rank in cited if rank in by_rank])),
            statements=fence(lines),
        )
        said: dict[int, VerdictReply] = {}
        for item in ask_structured(self._model, messages, VerdictsReply).verdicts:
            n = item.sentence
            if n not in said or item.verdict != "supported":  # said twice: the stricter one
                said[n] = item
        verdicts = {
            at: _statement(*asked[at], _objection(said.get(n))) for n, at in enumerate(places, start=1)
        }
        return _undecided(asked) | verdicts


def _objection(reply: VerdictReply | None) -> str:
    if reply is None:
        return "the model gave no verdict on it"
    if reply.verdict == "supported":
        return ""
    return squeeze(unlinked(clean(reply.reason)))[:MAX_REASON_CHARS] or "the model finds it not supported"


def _undecided(asked: dict[int, tuple[Claim, Finding]]) -> dict[int, Statement]:
    """Without a judge, what code objects to stands."""
    return {at: _statement(claim, finding, finding.doubt) for at, (claim, finding) in asked.items()}


def _statement(claim: Claim, finding: Finding, fault: str) -> Statement:
    return Statement(
        text=claim.text,
        supported=not fault,
        evidence=() if fault else finding.evidence,
        reason=fault,
        nearest=finding.nearest if fault else "",
        cited=claim.markers,
    )


def sentence(claim: Claim) -> str:
    """A claim as the model reads it: what it stands under, and a row's cells with their columns."""
    text = claim.text
    if claim.kind == "row":
        text = "; ".join(f"{header}: {cell}" if header else cell for header, cell in claim.cells)
    return f"{claim.context} {text}".strip()
