"""A claim as the checks read it, and the parts of it that are labels and state nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphs.drafts.sentences import quoted
from graphs.local.check.passages import Passage


@dataclass(frozen=True, slots=True)
class Told:
    """A claim's text as checked, and the lead that it stands under."""

    text: str
    context: str

    @property
    def whole(self) -> str:
        """Context and text."""
        return f"{self.context} {self.text}".strip()


def without_labels(told: Told, passage: Passage) -> Told:
    """`told` with the passage's line items blanked out: a figure, period or 'not' inside a label states
    nothing."""
    labels = {part for item in passage.items if item.fact for part in (*item.fact.path, item.fact.metric)}
    hard = sorted({form for x in labels if _HARD.search(x) for form in (x, quoted(x))}, key=len, reverse=True)
    text, context = told.text, told.context
    for label in hard:
        blank = re.compile(re.escape(label), re.IGNORECASE)
        text, context = blank.sub(_blank, text), blank.sub(_blank, context)
    return Told(text, context) if hard else told


def _blank(match: re.Match[str]) -> str:
    return "_" * len(match.group())


_HARD = re.compile(
    r"\d|\b(?:not|non|no|without|three|six|nine|twelve|one|two|four|five)\b|quarter|month", re.IGNORECASE
)
