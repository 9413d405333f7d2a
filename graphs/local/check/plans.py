"""Plans stated as done: what the evidence says will be, and a claim says has been."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.drafts.figures import quantities
from graphs.drafts.words import content, is_generic
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.parsed_text import ParsedText, parsed
from graphs.local.check.passages import CitedEvidence, is_prose
from tools.values import same_amount

_AHEAD = re.compile(
    r"\b(?:will|shall|would|should|could|may|might|plan(?:s|ned|ning)?|intend(?:s|ed)?|intention|expect(?:s|ed|ations?)?|"
    r"anticipat\w+|aim(?:s|ed)?|guid(?:e|es|ed|ance|ing)|outlook|forecast(?:s|ed)?|target(?:s|ed)?|agreed|agreement|"
    r"propos\w+|going\s+to|(?:is|are)\s+(?:about\s+)?to|next|ahead|upcoming|subject\s+to|scheduled|see|sees|between|"
    r"project(?:s|ed|ion)|range|hope[sd]?|look(?:s|ing)?\s+to|seek(?:s|ing)?|want(?:s|ed)?|prepar\w+|decided|decision|"
    r"ambition|goal|pending|announced|set\s+to|yet|once|when|if)\b|['’]ll\b",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\b(?:will|plan(?:s|ning)?\s+to|intend(?:s)?\s+to|expect(?:s)?\s+(?:to|the|that|\w+\s+to)|anticipat(?:e|es)|aim(?:s)?\s+to|"
    r"guide(?:s)?\s+to|agreed\s+to|going\s+to|(?:is|are)\s+(?:about\s+)?to\s+be|propose[sd]?\s+to|subject\s+to|hope(?:s)?\s+to|"
    r"should)\b|['’]ll\b",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:has|have|had)\s+(?:\w+ly\s+|already\s+|since\s+)?(?P<perfect>[a-z]+(?:ed|en)|sold|built|made|paid|bought|left|"
    r"begun|become|cut|put|set|spent|held|won|met)\b|"
    r"\b(?P<finished>complet(?:ed|ion\s+of)|finali[sz]ed|finished|concluded|closed)\b|"
    r"\b(?P<stated>reported|posted|recorded|generated|delivered|earned|achieved|booked|spent|paid|repurchased|invested)\b",
    re.IGNORECASE,
)
_FINISHED = re.compile(
    r"\b(?:complet\w+|finali[sz]\w+|finish\w+|conclud\w+|clos(?:ed|ing|e))\b", re.IGNORECASE
)
_CLAUSE = re.compile(
    r";\s+|,\s+(?=(?:although|with|which)\b)|,?\s+(?:and|but|while|whereas)\s+", re.IGNORECASE
)
MIN_PLAN_SHARE = 0.5
"""Of a clause's words that a sentence about a plan has, from which it counts as what the clause is about."""


def plan_fault(claim: ClaimText, cited: CitedEvidence) -> str:
    """What the claim states as done where the cited text only speaks of what is to come; '' if nothing."""
    said = [parsed(s.text) for s in cited.sentences if not s.asked]
    if not said or not all(map(is_prose, cited.items)):
        return ""
    for clause in _CLAUSE.split(claim.whole.text):
        done = _DONE.search(clause)
        if done is None or _AHEAD.search(clause):
            continue
        planned = _of_planned_figure(clause, said) if done["stated"] else _of_plan(clause, done, said)
        if planned:
            return f"'{done.group()}' where the evidence speaks of what is to come"
    return ""


def _of_planned_figure(clause: str, said: Sequence[ParsedText]) -> bool:
    """Does every sentence that holds a figure of the clause speak of what is to come?"""
    figures = [q for q in quantities(clause) if q.unit]
    holders = [s for s in said if any(same_amount(q, other) for q in figures for other in s.quantities)]
    return bool(holders) and all(_FUTURE.search(s.text) for s in holders)


def _of_plan(clause: str, done: re.Match[str], said: Sequence[ParsedText]) -> bool:
    """Does the sentence nearest to a clause only plan what the clause says is `done`?"""
    words = {w for w in content(clause) if not is_generic(w)} - set(content(done.group()))
    best = max(said, key=lambda s: len(words & s.words))
    if len(words & best.words) < max(2, MIN_PLAN_SHARE * len(words)) or not _FUTURE.search(best.text):
        return False
    unfinished = _FINISHED.search(done.group()) and not _finished(best.text)
    return bool(unfinished) or _planned(done["perfect"] or "", best.text)


def _finished(sentence: str) -> bool:
    """Is an end said that is not only expected?"""
    return any(
        not _FUTURE.search(sentence[max(0, m.start() - 40) : m.start()]) for m in _FINISHED.finditer(sentence)
    )


def _planned(word: str, sentence: str) -> bool:
    """Does the sentence use the verb of a perfect tense behind a word of the future?"""
    stems = set(content(word))
    for match in re.finditer(r"[A-Za-z]+", sentence):
        if stems & set(content(match.group())):
            return bool(_FUTURE.search(re.split(r"[,;]|\b(?:and|but)\b", sentence[: match.start()])[-1]))
    return False
