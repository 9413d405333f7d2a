"""Words that a writer may not add: 'record', 'ever', another unit of measure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.drafts.words import content
from tools.evidence import Evidence

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
"""(what a claim may add, what in the evidence bears it out)."""
_PER = re.compile(r"\b(?:per|(?<=\d\s)a)\s+(?!share\b|cent\b|annum\b|se\b)(?:\w+\s+)?([a-z]{3,})\b")
_LONGER = re.compile(
    r"\b(?:an?|one)\s+(day|week|month|quarter|year|decade)\s+(longer|more|less|shorter|later|earlier|sooner|late|early)\b",
    re.I,
)


def qualifier_fault(text: str, cited: Sequence[Evidence]) -> str:
    """A word of the claim that makes more of a thing than the cited evidence does, or measures it in another unit."""
    evidence = "\n".join(f"{item.text} {item.section}" for item in cited)
    for added, borne in _ADDED:
        if (found := added.search(text)) and not borne.search(evidence):
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
