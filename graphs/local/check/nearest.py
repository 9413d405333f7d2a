"""The sentence or table line of a claim's evidence that comes nearest to it."""

from __future__ import annotations

from graphs.drafts.sentences import split
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.parsed_text import ParsedText, parsed
from graphs.local.check.passages import CitedEvidence, is_prose
from tools.evidence import Evidence


def nearest_line(claim: ClaimText, cited: CitedEvidence) -> str:
    """The line that prints most of the claim's figures and words, the shorter one of equals; '' without evidence."""
    words, printed = claim.whole.words, _printed(claim.whole)

    def shared(line: str) -> tuple[int, int]:
        said = parsed(line)
        return len(words & said.words) + FIGURE_WORDS * len(printed & _printed(said)), -len(line)

    return max((line for item in cited.items for line in _lines(item)), key=shared, default="")


FIGURE_WORDS = 2
"""Words that a figure in common counts for."""


def _printed(said: ParsedText) -> frozenset[str]:
    """The digits of a text's figures, whatever their scale."""
    return frozenset(f"{abs(q.value):f}".replace(".", "").strip("0") for q in said.quantities) - {""}


def _lines(item: Evidence) -> list[str]:
    if is_prose(item):
        return [s.text for s in split(item)] or [item.text]
    if item.fact is not None:
        return [item.text]
    return [line for line in item.text.split("\n") if line.strip(" |-:")]
