"""The sentence or table line of a claim's evidence that comes nearest to it."""

from __future__ import annotations

from graphs.drafts.sentences import split
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.parsed_text import parsed
from graphs.local.check.passages import CitedEvidence, is_prose
from tools.evidence import Evidence


def nearest_line(claim: ClaimText, cited: CitedEvidence) -> str:
    """The line that has most of the claim's words and amounts, the shorter one of equals; '' without evidence."""
    wanted = claim.whole.marks
    lines = [line for item in cited.items for line in _lines(item)]
    return max(lines, key=lambda line: (len(wanted & parsed(line).marks), -len(line)), default="")


def _lines(item: Evidence) -> list[str]:
    if is_prose(item):
        return [s.text for s in split(item)] or [item.text]
    if item.fact is not None:
        return [item.text]
    return [line for line in item.text.split("\n") if line.strip(" |-:")]
