"""Words of a claim that the evidence does not have: what shares none with it is said by nobody."""

from __future__ import annotations

from graphs.drafts.claims import Claim
from graphs.drafts.words import content, is_generic
from graphs.local.check.claim_text import ClaimText, spelled_out
from graphs.local.check.clause_checks import clauses
from graphs.local.check.degree_checks import degree_fault, multiple_fault
from graphs.local.check.parsed_text import parsed
from graphs.local.check.passages import CitedEvidence, pool, whole
from graphs.local.check.wording_checks import FIGURE_PHRASING

MIN_EVIDENCE_SHARE = 0.25
"""Of a sentence's words that the cited evidence has: a paraphrase shares more, an invention less."""
NOT_SAID = "the cited evidence does not say this"
_FORM_WORDS = frozenset(
    content(
        "overview summary detail key main highlight answer conclusion item metric measure description category note"
        " source page unit driver factor reason cause breakdown segment table list background finding trend growth"
        " difference comparison comment remark follow following topic happen yes"
    )
)
"""Stems of words that name a part of an answer and say nothing about its matter."""


def meaning(claim: Claim, said: ClaimText, cited: CitedEvidence) -> frozenset[str]:
    """Stems of a claim, its context and its columns that are neither generic nor the company's name."""
    headers = content(" ".join(header for header, _ in claim.cells))
    found = {*said.whole.stems, *headers} - cited.company_words
    return frozenset(w for w in found if not is_generic(w) and not w[0].isdigit())


def strange_fault(claim: ClaimText, cited: CitedEvidence, meant: frozenset[str], least: int = 2) -> str:
    """Words beside metrics and directions of which the evidence has next to none, `least` or more."""
    words = meant - FIGURE_PHRASING - _named(claim)
    held = len(words & cited.words)
    if len(words) - held < least or held >= MIN_EVIDENCE_SHARE * len(words):
        return ""
    return NOT_SAID


def _named(claim: ClaimText) -> frozenset[str]:
    """Stems of a claim's metrics and directions, which are held against the evidence by what they mean."""
    named = [*(m.text for m in claim.whole.metrics), *(sign.text for sign in claim.whole.directions)]
    return frozenset(word for text in named for word in content(text))


def unheard_fault(claim: Claim, cited: CitedEvidence, has_figure: bool) -> str:
    """A claim without a figure of the evidence, of whose words beside metrics and directions it has not one."""
    if has_figure:
        return ""
    if _is_unheard(claim.text, claim, cited):
        return NOT_SAID
    said, passage = ClaimText(claim.text), pool(list(map(whole, cited.items)))
    return degree_fault(said, passage) or multiple_fault(said, passage)


def clause_fault(claim: Claim, cited: CitedEvidence) -> str:
    """A clause, or a cell, without a figure that is unheard of."""
    parts = [cell for _, cell in claim.cells] if claim.kind == "row" else clauses(claim.text)
    strange = any(not parsed(each).quantities and _is_unheard(each, claim, cited) for each in parts)
    return NOT_SAID if strange else ""


def _is_unheard(text: str, claim: Claim, cited: CitedEvidence) -> bool:
    bare = Claim(text, claim.markers, claim.kind)
    said = spelled_out(ClaimText(text), cited.items)
    words = meaning(bare, said, cited) - FIGURE_PHRASING - _FORM_WORDS - _named(ClaimText(claim.text))
    return bool(words) and words.isdisjoint(cited.words)


def strange_label(claim: ClaimText, cited: CitedEvidence, question: str) -> str:
    """A word of a head that is none of the question, the evidence or the form of answers."""
    text = claim.text
    for mention in claim.said.periods:
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    heard = {name for item in cited.items for name in parsed(item.text).metric_names}
    same = {word for m in claim.said.metrics if m.canonical in heard for word in content(m.text)}
    known = cited.words | frozenset(content(question)) | _FORM_WORDS | same
    strange = (word for word in content(text) if word not in known and not is_generic(word))
    return next((f"'{parsed(text).as_written(word)}' is not in the evidence" for word in strange), "")
