"""What the evidence denies, anywhere in the cited text, and a claim states as true."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from graphs.drafts.words import content, is_generic
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.parsed_text import ParsedText, parsed
from graphs.local.check.passages import CitedEvidence
from graphs.local.text.polarity import Sign

_DENIES = re.compile(
    r"\b(?:not|no|never|none|neither|nor|nothing|nobody|without|cannot|fail\w*|rul(?:ed|es|ing)\s+out|refus\w*|reject\w*|"
    r"den(?:y|ied|ies)|declin(?:ed|es|ing)\s+to|stop\w*|halt\w*|suspend\w*|paus\w*|cancel\w*|drop\w*|abandon\w*|end(?:s|ed|ing)?|"
    r"g[ai]ve\w*\s+up|unlikely|unable|lack\w*|avoid\w*|free\s+of|absen\w+|instead|rather|before|until|only|unless|miss\w*|"
    r"against|dismiss\w*|doubt\w*|oppos\w*|withdr\w+|exclud\w*|un[a-z]{4,}|stay\w*|remain\w*|less|few(?:er)?)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words by which a claim denies too, or says the same in another way."""
_NO = re.compile(r"^no\b[,.;:!–—]|^not\s+(?:at\s+all|really|now)\b|^none\b[,.;]|,\s+no[.!]$", re.IGNORECASE)
_CLAUSE = re.compile(r"[;,:]\s+|\s+(?:and|but|while|whereas|although|though|which|who)\s+", re.IGNORECASE)
_DIGIT = re.compile(r"\d")


MIN_DENIED_WORDS = 4
"""Around a denial that a claim shares, to be about what is denied."""


def denial_fault(claim: ClaimText, cited: CitedEvidence) -> str:
    """A denial of the cited text that the claim drops, or a 'no' to what it says; '' if there is none."""
    texts = [(parsed(s.text), s.asked) for s in cited.sentences]
    plain = [said.words for said, _ in texts if not said.denials]
    clauses = _clauses(claim.whole.text)
    for said, asked in texts:
        for sign in () if asked else said.denials:
            denied = _dropped(sign, clauses) or _unmeant(said, clauses)
            if denied and not any(denied <= words for words in plain):
                return f"the evidence says '{sign.text}', the statement does not"
    return _answered_no(claim, cited)


def _clauses(text: str) -> list[tuple[tuple[str, ...], bool]]:
    """(content stems, denies) of the clauses of a claim."""
    parts = [part for part in _CLAUSE.split(text) if part.strip()]
    return [(content(part), bool(_DENIES.search(part))) for part in parts]


def _dropped(sign: Sign, clauses: Sequence[tuple[tuple[str, ...], bool]]) -> frozenset[str]:
    """The words denied that one clause of the claim has without a denial; empty if none does."""
    scope = [w for w in sign.after[:3] if not _DIGIT.match(w)]
    subject = [w for w in sign.before[:2] if not _DIGIT.match(w) and not is_generic(w)]
    needed = scope[:2] if len(scope) > 1 else [*scope, *subject[:1]]
    around = {w for w in (*scope[:3], *sign.before[:4]) if not _DIGIT.match(w)}
    for words, denies in clauses:
        if denies:
            continue
        if len(needed) > 1 and not all(map(is_generic, needed)) and _are_near(needed, words):
            return frozenset(needed)
        near = around & set(words)
        if set(scope[:3]) & near and len(near) >= max(MIN_DENIED_WORDS, 0.6 * len(around)):
            return frozenset(near)
    return frozenset()


def _are_near(needed: Sequence[str], words: Sequence[str]) -> bool:
    """Do two words stand next to each other, or with one between?"""
    at = [[n for n, word in enumerate(words) if word == one] for one in needed]
    return any(abs(a - b) <= 2 for a in at[0] for b in at[-1])


_MEANT = frozenset(content("intend plan expect"))


def _unmeant(said: ParsedText, clauses: Sequence[tuple[tuple[str, ...], bool]]) -> frozenset[str]:
    """An intention denied ('we do not plan to') that a clause about the same thing states."""
    for sign in said.denials:
        if meant := _MEANT & set(sign.after[:1]):
            words = {w for w in said.stems if not is_generic(w)} - _MEANT
            for theirs, denies in clauses:
                if not denies and meant <= set(theirs) and words & set(theirs):
                    return frozenset(meant)
    return frozenset()


def _answered_no(claim: ClaimText, cited: CitedEvidence) -> str:
    """A claim that states as true what somebody asked and somebody else answered with 'no'."""
    if _DENIES.search(claim.whole.text):
        return ""
    words = {w for w in claim.whole.stems if not is_generic(w)}
    for question, answer in pairwise(cited.sentences):
        if question.asked and not answer.asked and question.text.endswith("?") and _NO.search(answer.text):
            asked = {w for w in content(question.text) if not is_generic(w)}
            if len(asked & words) >= max(2, min(3, len(asked) // 2)):
                return "the cited answer to this is no"
    return ""
