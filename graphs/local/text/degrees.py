"""How much, in words: 'about two thirds', 'nearly tripled', 'slightly higher'. Each says within which bounds a ratio
lies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from tools.value_patterns import NUMBER_WORDS

_HEDGES = {
    "over": "over", "more than": "over", "at least": "over", "upwards of": "over", "above": "over",
    "under": "under", "less than": "under", "not quite": "under", "fewer than": "under", "below": "under",
    "nearly": "nearly", "almost": "nearly", "close to": "nearly",
}  # fmt: skip
_HEDGE = (
    r"(?:(?P<hedge>(?:just\s+|slightly\s+|a\s+little\s+|a\s+bit\s+|well\s+)?(?:over|under|above|below|"
    r"(?:more|less|fewer)\s+than)|at\s+least|upwards\s+of|not\s+quite|nearly|almost|close\s+to|about|around|roughly|"
    r"approximately|some)\s+)?"
)
_COUNTS = NUMBER_WORDS | {"a": 1, "an": 1, "": 1}
_WHOLES = {
    "half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10,
}  # fmt: skip
_COUNT = "two|three|four|five|six|seven|eight|nine|ten|one|an|a"
_BEHIND = (
    r"(?=\s*(?:[,.;:)]|$)|\s+(?:of\b(?!\s+(?:fiscal|calendar|the\s+(?:fiscal\s+)?year|(?:19|20)\d\d))|to|from|in|less|"
    r"more|lower|higher|smaller|larger|as|because|compared|year|over|when|while|and|but|for|with|came|was|were|"
    r"year-over-year|on\s+the\s+year|the\s+size|its\s+size)\b)"
)
_FRACTION = re.compile(
    rf"\b{_HEDGE}(?:(?P<count>{_COUNT})[\s-]+(?P<part>half|third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth|"
    rf"halve)s?{_BEHIND}|(?P<half>half)(?=\s+(?:of|its|the|that|all|as|from|to)\b|\s*[,.;:)]|$))",
    re.IGNORECASE,
)
_OUT_OF = re.compile(
    rf"\b{_HEDGE}(?P<count>one|two|three|four|five|six|seven|eight|nine)\s+(?:in|out\s+of)\s+(?:every\s+)?"
    r"(?P<whole>two|three|four|five|six|seven|eight|nine|ten)\b(?!\s+(?:years?|quarters?|months?|countries|states|stores))",
    re.IGNORECASE,
)
_NOT_HALF = re.compile(r"\b(?:first|second|latter|this|last|next|the|each|either|earlier|later)\s+$", re.I)
_FOLD = re.compile(
    rf"\b{_HEDGE}(?:(?P<word>doubl|tripl|quadrupl|halv)(?:ed|ing|es?)\b|"
    r"(?P<count>two|three|four|five|six|seven|eight|nine|ten)(?:fold|-fold|\s+times)\b)",
    re.IGNORECASE,
)
_FOLDS = {"doubl": 2, "tripl": 3, "quadrupl": 4}
_CHANGED = re.compile(
    r"(?:\bby|\b(?:(?<!made\s)(?<!make\s)(?<!makes\s)up|down|rose|fell|grew|dropped|declined|increased|decreased|shrank|cut|climbed|reduced|narrowed)|\bcut\b[^.;,]{0,40}\bin)\s+$",
    re.IGNORECASE,
)
_CHANGED_BEHIND = re.compile(r"\s+(?:less|more|lower|higher|smaller|larger)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Degree:
    """A ratio in words."""

    kind: Literal["share", "change", "fold"]
    """A part of a whole, a part by which something moved, or a multiple of what it was."""
    text: str
    start: int
    end: int
    low: Decimal
    high: Decimal
    """Bounds of the ratio, both included."""

    def holds(self, ratio: Decimal) -> bool:
        """True where these words may stand for `ratio`."""
        return self.low <= ratio <= self.high


@lru_cache(maxsize=4096)
def find_degrees(text: str) -> tuple[Degree, ...]:
    """Fractions and multiples in words, in order, without halves of a year and quarters."""
    return tuple(sorted((*_fractions(text), *_outs(text), *_folds(text)), key=lambda d: d.start))


def _fractions(text: str) -> Iterator[Degree]:
    for match in _FRACTION.finditer(text):
        before = text[: match.start()]
        if match["half"] and _NOT_HALF.search(before):
            continue
        part = "half" if match["half"] else match["part"].lower().replace("halve", "half")
        value = Decimal(_COUNTS[(match["count"] or "").lower()]) / _WHOLES[part]
        if value > 1:
            continue
        moved = _CHANGED.search(before) or _CHANGED_BEHIND.match(text, match.end())
        low, high = _bounds(
            value, match["hedge"] or "", min(Decimal("0.04"), max(Decimal("0.015"), value / 8))
        )
        yield Degree("change" if moved else "share", match.group().strip(), *match.span(), low, high)


def _outs(text: str) -> Iterator[Degree]:
    for match in _OUT_OF.finditer(text):
        value = Decimal(NUMBER_WORDS[match["count"].lower()]) / NUMBER_WORDS[match["whole"].lower()]
        if value < 1:
            low, high = _bounds(value, match["hedge"] or "", Decimal("0.04"))
            yield Degree("share", match.group().strip(), *match.span(), low, high)


def _folds(text: str) -> Iterator[Degree]:
    for match in _FOLD.finditer(text):
        hedge = match["hedge"] or ""
        if match["word"] and match["word"].lower() == "halv":
            low, high = _bounds(Decimal("0.5"), hedge, Decimal("0.06"))
            if _kind(hedge) == "nearly":
                low, high = Decimal("0.5"), Decimal("0.6")
            if _kind(hedge) == "over":
                low, high = Decimal("0.25"), Decimal("0.5")  # 'more than halved' is less than half
        else:
            times = Decimal(
                _FOLDS[match["word"].lower()] if match["word"] else _COUNTS[match["count"].lower()]
            )
            low, high = _bounds(times, hedge, times * Decimal("0.12"))
            if _kind(hedge) == "over":
                high = times + 1
        yield Degree("fold", match.group().strip(), *match.span(), low, high)


def _kind(hedge: str) -> str:
    words = " ".join(hedge.lower().split())
    return next((kind for said, kind in _HEDGES.items() if words.endswith(said)), "")


def _bounds(value: Decimal, hedge: str, spread: Decimal) -> tuple[Decimal, Decimal]:
    kind = _kind(hedge)
    just = re.search(r"\b(?:just|slightly|little|bit)\b", hedge, re.IGNORECASE)
    if kind == "over":
        return value, value + spread * (2 if just else 3)
    if kind == "under":
        return value - spread * (2 if just else 3), value
    if kind == "nearly":
        return value - spread * Decimal("1.5"), value
    return value - spread, value + spread
