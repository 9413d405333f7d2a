"""Whether the other words of a claim are those of its evidence, and make no more of a thing than it does."""

from __future__ import annotations

import re

from graphs.drafts.words import content, is_generic, stem, verbatim
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.parsed_text import parsed
from graphs.local.check.passages import CitedEvidence, Passage

_QUALIFIER_WORDS = """
basic diluted gross net operating investing financing current noncurrent long short term product
products service services domestic foreign international adjusted organic core comprehensive deferred
accrued average ordinary preferred common cash tax income revenue sales cost expense assets liabilities
equity inventory receivable payable debt goodwill dividend research development marketing administrative
depreciation amortization interest segment margin profit loss
"""

_QUALIFIERS = frozenset(stem(word) for word in _QUALIFIER_WORDS.split())
MIN_HELD_SHARE = 0.5
"""Of a claim's content words that its passage holds."""
MAX_SHOWN_WORDS = 4
"""That a reason quotes."""

_FIGURE_PHRASING_TEXT = """
ease slightly modestly sharply significantly substantially considerably marginally strongly steadily earn made lost
losing swing swung edge narrow widen double triple halve roughly around add contribute bring brought deliver account
represent comprise equal equivalent respectively overall combined together sum difference return shareholder
stockholder went even though although despite since ran run half better worse higher lower larger smaller increase
decrease year-over-year sequentially while whereas spend spent declare buyback cent
leave left midpoint range mean imply edged inched turn turned positive negative reach outflow inflow surplus
one two three four five six seven eight nine ten half
"""
FIGURE_PHRASING = frozenset(content(_FIGURE_PHRASING_TEXT))
"""Stems of words in which a writer puts figures."""


def wording_fault(claim: ClaimText, passage: Passage) -> str:
    """Too much of the claim's wording, or a word that makes a line item another one, is not in the
    passage."""
    words = [w for w in dict.fromkeys(claim.whole.stems) if not is_generic(w)]
    words = [w for w in words if w not in passage.company_words]
    metrics = {w for m in claim.whole.metrics for w in content(m.text)}
    known = passage.words | FIGURE_PHRASING | metrics
    extra = [w for w in words if w not in known]
    if passage.structured:
        if wrong := [w for w in extra if w in _QUALIFIERS]:
            return f"'{claim.whole.as_written(wrong[0])}' is not in the cited evidence"
        moves = {stem(s.text) for s in claim.whole.directions}
        extra = [w for w in extra if w not in moves]
    alone = len(extra) == 1 and len(words) > 2
    if len(extra) > (1 - MIN_HELD_SHARE) * len(words) and not alone:
        shown = ", ".join(map(claim.whole.as_written, extra[:MAX_SHOWN_WORDS]))
        return f"the cited evidence does not say this ({shown})"
    return ""


def label_fault(claim: ClaimText, passage: Passage) -> str:
    """A 'not' that stands in a line item and that the claim drops from it."""
    for item in passage.items:
        for part in (*item.fact.path, item.fact.metric) if item.fact is not None else ():
            for sign in parsed(part).denials:
                bare = verbatim(part.replace(sign.text, " ", 1))
                if bare in claim.whole.verbatim and verbatim(part) not in claim.whole.verbatim:
                    return f"the evidence says '{sign.text}', the statement does not"
    return ""


_ADDED = (
    (
        re.compile(
            r"\brecord\b(?!\s+(?:date|keeping|holders?))|\ball[\s-]time\b|\bunprecedented\b|\bhistoric(?:ally)?\b",
            re.I,
        ),
        re.compile(
            r"\brecord\b|\ball[\s-]time\b|\bunprecedented\b|\bhistor(?:ic|y)|\bever\b|\bhighest\b|\blargest\b|\bbest\b",
            re.I,
        ),
    ),
    (
        re.compile(
            r"(?<!how)(?<!what)\bever\b(?!\s+since)(?!-)|\bin\s+(?:its|their|our)\s+history\b", re.IGNORECASE
        ),
        re.compile(r"\bever\b|\brecord\b|\bhistory\b|\ball[\s-]time\b|\bnever\b", re.IGNORECASE),
    ),
    (
        re.compile(
            r"\bfor\s+the\s+first\s+time\b|\bfirst[\s-]ever\b|\bits\s+first\s+(?=[a-z]+\b)(?!quarter|half|fiscal|\w+\s+months)",
            re.I,
        ),
        re.compile(r"\bfirst\b|\bnever\b|\bnew\b|\binaugural\b|\bbeg[au]n|\bstart", re.IGNORECASE),
    ),
)
"""(what a claim may add, what in the evidence allows it)."""
_PER = re.compile(r"\b(?:per|(?<=\d\s)a)\s+(?!share\b|cent\b|annum\b|se\b)(?:\w+\s+)?([a-z]{3,})\b")
_LONGER = re.compile(
    r"\b(?:an?|one)\s+(day|week|month|quarter|year|decade)\s+(longer|more|less|shorter|later|earlier|sooner|late|early)\b",
    re.I,
)


def qualifier_fault(claim: ClaimText, cited: CitedEvidence) -> str:
    """A word of the claim that makes more of a thing than the cited evidence does, or measures it in another unit."""
    text = claim.whole.text
    evidence = "\n".join(f"{item.text} {item.section}" for item in cited.items)
    for added, held in _ADDED:
        if (found := added.search(text)) and not held.search(evidence):
            return f"'{found.group()}' is not in the cited evidence"
    stems = frozenset(content(evidence))
    for match in _PER.finditer(text):
        last = content(match[1])[:1]
        if last and last[0] not in stems and not set(content(match.group())) & stems:
            return f"'{match.group()}' is not in the cited evidence"
    theirs = {(m[1].lower(), m[2].lower()) for m in _LONGER.finditer(evidence)}
    for match in _LONGER.finditer(text):
        unit, way = match[1].lower(), match[2].lower()
        if any(w == way for _, w in theirs) and (unit, way) not in theirs:
            return f"'{match.group()}' is not what the cited evidence says"
    return ""
