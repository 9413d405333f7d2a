"""Whether the names that a claim has are those of its evidence, and whether a person whom it names said it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from graphs.drafts.sentences import Sentence
from graphs.drafts.words import content, is_generic
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.figure_match import is_form
from graphs.local.check.passages import CitedEvidence, Passage

_INITIALS = re.compile(r"(?<![\w.])[A-Z](?:\.[A-Z])+(?![\w])")
"""'F.N.B' of a company's name."""
_PLACES = frozenset({"U.S", "U.K", "U.S.A", "U.N", "E.U", "D.C", "P.M", "A.M"})


def name_fault(claim: ClaimText, passage: Passage, everything: frozenset[str]) -> str:
    """A company, person, product or place that the passage and its source do not name. `everything`: stems of all that
    is cited, one of which a word with the capital of a sentence's start may be."""
    sources = (f"{i.company} {i.document} {i.section}" for i in passage.items)
    known = (passage.text, passage.lead, *sources)
    for match in _INITIALS.finditer(claim.whole.text):
        if match.group() not in _PLACES and not any(match.group() in text for text in known):
            return f"'{match.group()}' is not named in the cited evidence"
    words = passage.words | frozenset(content(passage.lead))
    for name in claim.whole.names:
        if name.stem in words or any(is_form(name.stem, word) for word in words):
            continue
        if name.opening and (name.stem in everything or is_generic(name.stem)):
            continue
        return f"'{name.text}' is not named in the cited evidence"
    return ""


def attribution_fault(claim: ClaimText, passage: Passage) -> str:
    """Around a quotation, a person named before it must be who says it."""
    if not passage.speakers:
        return ""
    known = passage.company_words | {word for name in passage.speakers for word in content(name)}
    for name in claim.said.names:
        if name.stem not in known and name.stem not in passage.said.words:
            return f"'{name.text}' is not who says this"
    return ""


def speaker_fault(claim: ClaimText, cited: CitedEvidence) -> str:
    """Why a person whom the claim names did not say this, but somebody else of the cited call; '' if that
    is not so."""
    named = {s.speaker for s in cited.sentences if set(content(s.speaker)[-1:]) & claim.whole.words}
    if not named:
        return ""
    rest = claim.whole.words - {word for speaker in named for word in content(speaker)}
    said = [(s.speaker, frozenset(content(s.text))) for s in _answered_apart(cited, named)]
    own = max((len(rest & words) for speaker, words in said if speaker in named), default=0)
    for speaker, words in said:
        mentions_them = any(set(content(name)) & words for name in named)
        if speaker not in named and len(rest & words) > own and not mentions_them:
            return f"'{min(named)}' is not who says this"
    return ""


def _answered_apart(cited: CitedEvidence, named: set[str]) -> Iterator[Sentence]:
    """The sentences cited, without questions that one of `named` answers: what is asked, the answer is about."""
    answered = [a for a, b in pairwise(cited.sentences) if a.asked and b.speaker in named]
    return (s for s in cited.sentences if s not in answered)
