"""A claim as the checks read it, and the claims derived from it: in the evidence's words, without its labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from graphs.drafts.sentences import quoted
from graphs.local.check.arithmetic import Equation, find_equations
from graphs.local.check.parsed_text import ParsedText, parsed
from graphs.local.check.passages import Passage
from tools.evidence import Evidence


@dataclass(frozen=True)
class ClaimText:
    """A claim's text as checked, and the lead that it stands under; what they say is read once for all checks."""

    text: str
    context: str = ""

    @cached_property
    def said(self) -> ParsedText:
        """The text alone."""
        return parsed(self.text)

    @cached_property
    def lead(self) -> ParsedText:
        """The context alone."""
        return parsed(self.context)

    @cached_property
    def whole(self) -> ParsedText:
        """Context and text."""
        return parsed(f"{self.context} {self.text}".strip())

    @cached_property
    def equations(self) -> tuple[Equation, ...]:
        """Calculations that the text shows."""
        return tuple(find_equations(self.text))


def without_labels(claim: ClaimText, passage: Passage) -> ClaimText:
    """The claim with the passage's line items blanked out: a figure, period or 'not' inside a label states
    nothing."""
    labels = {part for item in passage.items if item.fact for part in (*item.fact.path, item.fact.metric)}
    hard = sorted({form for x in labels if _HARD.search(x) for form in (x, quoted(x))}, key=len, reverse=True)
    text, context = claim.text, claim.context
    for label in hard:
        blank = re.compile(re.escape(label), re.IGNORECASE)
        text, context = blank.sub(_blank, text), blank.sub(_blank, context)
    return ClaimText(text, context) if hard else claim


def _blank(match: re.Match[str]) -> str:
    return "_" * len(match.group())


_HARD = re.compile(
    r"\d|\b(?:not|non|no|without|three|six|nine|twelve|one|two|four|five)\b|quarter|month", re.IGNORECASE
)

_SHORT = (
    (re.compile(r"\b(?:U\.S\.A?\.?|US|USA)(?=[\s,;.]|['’]s|$)(?!\s?\$)"), ("United States",)),
    (re.compile(r"\b(?:U\.K\.|UK)(?=[\s,;.]|['’]s|$)"), ("United Kingdom",)),
    (
        re.compile(r"\bcapex\b|\bcapital\s+(?:spending|expenditure|outlays?)\b", re.IGNORECASE),
        ("capital expenditures",),
    ),
    (
        re.compile(
            r"\b(?:buy-?backs?|b(?:ought|uys?|uying)\s+back|repurchas(?:es?|ed|ing))\b", re.IGNORECASE
        ),
        ("repurchases", "buyback", "buying back", "bought back", "buy back"),
    ),
)
_INITIALS = re.compile(r"\b[A-Z]{2,5}\d?\b")


def spelled_out(claim: ClaimText, cited: Sequence[Evidence]) -> ClaimText:
    """The claim with short forms, and other names of one thing, in the form that the evidence has."""
    return ClaimText(_spelled_out(claim.text, cited), _spelled_out(claim.context, cited))


def _spelled_out(text: str, cited: Sequence[Evidence]) -> str:
    for short, forms in _SHORT:
        if short.search(text):
            held = [
                form for form in forms if any(_holds_word(item, form.removesuffix("s")) for item in cited)
            ]
            text = short.sub(held[0], text) if held else text
    for match in _INITIALS.finditer(text):
        if long := _long_form(match.group(), cited):
            text = re.sub(rf"\b{match.group()}\b", long, text)
    return text


def _long_form(initials: str, cited: Sequence[Evidence]) -> str:
    """'Funds from operations' for 'FFO' where the evidence has the words alone; else ''."""
    words = r"\s+".join(letter if letter.isdigit() else rf"{letter}[a-z]+" for letter in initials)
    for item in cited:
        if initials in item.text:
            return ""
    found = (re.search(rf"\b{words}\b", item.text, re.IGNORECASE) for item in cited)
    return next((match.group() for match in found if match), "")


def _holds_word(item: Evidence, words: str) -> bool:
    return words.lower() in f"{item.text} {item.section}".lower()
