"""Words of a claim for which its evidence has the opposite: bought and sold, above and below, every and no."""

from __future__ import annotations

import re

from graphs.drafts.words import stem
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.passages import Passage

_OPPOSITES = tuple(
    (frozenset(map(stem, one.split())), frozenset(map(stem, other.split())))
    for one, other in (
        ("won win wins winning", "lost lose loses losing"),
        (
            "sell sold selling divest divested",
            "buy bought buying acquire acquired acquisition purchase purchased",
        ),
        ("inside", "outside"),
        ("opened opening open", "closed closing close shut"),
        ("hired hire hiring", "laid layoffs fired"),
        ("domestic", "foreign"),
        ("minority", "majority"),
        ("largest biggest highest", "smallest lowest least"),
        ("best", "worst"),
        ("minimum least", "maximum most"),
        ("tighten tightened tightening", "loosen loosened loosening relaxed"),
        ("unsecured", "secured"),
        ("asset assets", "liability liabilities"),
    )
)
_WITH = re.compile(r"\bwith\s+([a-z]{4,})\b", re.IGNORECASE)
_TWICE_DENIED = re.compile(r"\bnot\s+without\b|\bnever\s+without\b", re.IGNORECASE)
_EVERY = re.compile(
    r"\b(?:every|all|each|most|some|many|much|half|several)\s+(?:of\s+)?(?:(?:the|its|our|their|other)\s+){0,2}([a-z]{4,})\b",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b(?:(?P<over>above|over|more\s+than|at\s+least|exceed(?:s|ed|ing)?)|below|under|less\s+than|fewer\s+than|at\s+most)\s+"
    r"(?:[A-Za-z.'’-]+\s+){0,6}?[$€£]?(?P<n>\d+(?:[.,]\d+)*)",
    re.IGNORECASE,
)
_OUT_OF = re.compile(
    r"(?<![\d.,$€£])(\d[\d,]*)\s+(?:out\s+)?of\s+(?:the|its|our|their)\s+(\d[\d,]*)(?![\d.,]*\s*(?:%|percent))"
)
_HALF = re.compile(r"\b(first|second)\s+half\b", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z]+")


def opposite_fault(claim: ClaimText, passage: Passage) -> str:
    """A word of the claim for which the passage has only its opposite; '' if there is none."""
    for check in (_word_fault, _without_fault, _every_fault, _bound_fault, _count_fault, _half_fault):
        if fault := check(claim.text, passage.text):
            return fault
    return ""


_IS_OPPOSITE = "is the opposite of what the cited evidence says"


def _word_fault(claim: str, passage: str) -> str:
    ours, theirs = (frozenset(stem(w.lower()) for w in _PLAIN.findall(t)) for t in (claim, passage))
    for pair in _OPPOSITES:
        for mine, other in (pair, pair[::-1]):
            said = mine & ours
            if said and not mine & theirs and other & theirs and not other & ours:
                written = next(w for w in _PLAIN.findall(claim) if stem(w.lower()) == min(said))
                return f"'{written}' {_IS_OPPOSITE}"
    return ""


def _without_fault(claim: str, passage: str) -> str:
    """'with' for 'without', and 'not without'."""
    for match in _WITH.finditer(claim):
        leads = {m.lower() for m in re.findall(rf"\b(\w+)\s+{match[1]}\b", passage, re.IGNORECASE)}
        if "without" in leads and not leads & {"with", "have", "has", "of"}:
            return f"'{match.group()}' {_IS_OPPOSITE}"
    if _TWICE_DENIED.search(claim) and not _TWICE_DENIED.search(passage):
        return f"'{_TWICE_DENIED.findall(claim)[0]}' is not in the cited evidence"
    return ""


def _every_fault(claim: str, passage: str) -> str:
    """'every plant' for 'no plant'."""
    for match in _EVERY.finditer(claim):
        if re.search(rf"\bno\s+(?:other\s+|single\s+)?{match[1]}\b", passage, re.IGNORECASE):
            return f"'{match.group()}' {_IS_OPPOSITE}"
    return ""


def _bound_fault(claim: str, passage: str) -> str:
    """'above 5' for 'below 5'."""
    bounds = {(m["over"] is not None, m["n"]) for m in _BOUND.finditer(passage)}
    for match in _BOUND.finditer(claim):
        over = match["over"] is not None
        if (not over, match["n"]) in bounds and (over, match["n"]) not in bounds:
            return f"'{match.group()}' {_IS_OPPOSITE}"
    return ""


def _count_fault(claim: str, _passage: str) -> str:
    """'12 of the 10'."""
    for match in _OUT_OF.finditer(claim):
        if int(match[1].replace(",", "")) > int(match[2].replace(",", "")):
            return f"'{match.group()}' is impossible"
    return ""


def _half_fault(claim: str, passage: str) -> str:
    """'the second half' for the first one."""
    half_said = re.search(r"\bfirst\s+six\s+months\b", passage, re.IGNORECASE) and not _HALF.search(passage)
    if half_said and re.search(r"\bsecond\s+half\b", claim, re.IGNORECASE):
        return "'second half' is not what the cited evidence says"
    halves = {m.lower() for m in _HALF.findall(passage)}
    for half in _HALF.findall(claim):
        if halves and half.lower() not in halves:
            return f"'{half} half' is not what the cited evidence says"
    return ""
