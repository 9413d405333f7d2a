"""What a text says moved from one figure to another: which figure is the new one, and the word that gives the
direction."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from graphs.drafts.figures import quantities
from graphs.local.text.period_mentions import find_mentions
from tools.values import Quantity, same_amount

_RISE = (
    r"rose|risen|ris(?:es|ing|e)|increas(?:ed?|es|ing)|grew|grown?|grows|growing|growth|gain(?:ed|s)?|"
    r"climb(?:ed|s)?|jump(?:ed|s)?|surg(?:ed|es)|soar(?:ed|s)?|expand(?:ed|s|ing)?|widen(?:ed|s|ing)?|"
    r"improv(?:ed|es|ing|ements?)|advanc(?:ed|es)|raised|raises|edged\s+up|went\s+up|(?<!made\s)(?<!make\s)(?<!makes\s)(?<!runs\s)(?<!run\s)(?<!losses\s)up|exceed(?:ed|s)?|"
    r"exceeding|ahead\s+of|above|expansion"
)
_FALL = (
    r"fell|fallen|falls|falling|declin(?:ed?|es|ing)|decreas(?:ed?|es|ing)|drop(?:ped|s|ping)?|reduc(?:ed|es|tions?)|"
    r"contract(?:ed|s)|narrow(?:ed|s|ing)|shr[aiu]nk\w*|eas(?:ed|es|ing)|slid|slipped|sank|sunk|dipped|retreated|plunged|tumbled|cut|"
    r"lowered|worsen(?:ed|s)|deteriorat(?:ed|ion)|slowed|went\s+down|came\s+down|paid\s+down|down|below|"
    r"fell\s+short\s+of|short\s+of"
)
_COMPARED = r"higher|lower|more|less|fewer|better|worse|greater|smaller|stronger|weaker|wider|narrower|larger"
_VERB = re.compile(
    rf"(?<![\w-])(?:(?P<up>{_RISE})|(?P<down>{_FALL})|(?P<than>{_COMPARED})(?=(?:\s+[a-z]+){{0,3}}\s+than\b|\s*[,(]|\s*$|\s+at\b))"
    rf"(?![\w-])",
    re.IGNORECASE,
)
_LESS = frozenset({"lower", "less", "fewer", "worse", "smaller", "weaker", "narrower"})
_TURNED = re.compile(r"improv|worse|better|deteriorat", re.IGNORECASE)
_LOSS = re.compile(r"\b(?:loss(?:es)?|lost|losing|loses|deficit)\b", re.IGNORECASE)
_EARNED = re.compile(r"\b(?:income|profits?|earn\w*|gain|gains|made|positive)\b", re.IGNORECASE)
_BASE = re.compile(
    r"\b(?:from|compare[sd]?\s+(?:with|to)|versus|vs\.?|against|than|instead\s+of|relative\s+to|above|below|"
    r"exceed(?:ed|s|ing)?|fell\s+short\s+of|after\s+(?:losing|an?\b|earning)|rather\s+than)(?=\W|$)",
    re.IGNORECASE,
)
_AGO = re.compile(
    r"\s+(?:in\s+)?(?:(?:an?|one)\s+(?:year|quarter)\s+(?:ago|earlier|before)|last\s+(?:year|quarter)|"
    r"the\s+(?:year\s+before|(?:prior|previous|year-ago|same)[\w\s-]{0,30})),\s*[$€£]?$",
    re.IGNORECASE,
)
"""'more than a year earlier, 5 million against 4 million': the figure is no base."""
_THAN_AGO = re.compile(rf"(?:\s+[a-z]+){{0,3}}\s+than{_AGO.pattern}", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\b[^;,]{0,70}$", re.IGNORECASE)
_TO = re.compile(r"^[^;]{0,90}?(?:\bto\b|\binto\b|,\s*then\b)", re.IGNORECASE)
_TURNED_INTO = re.compile(r"\b(?:turned|converted|transformed)\b[^;,]{0,60}$", re.IGNORECASE)
_DELTA = re.compile(
    rf"(?:\bby|\b(?:{_RISE}|{_FALL})|\b(?:increase|decrease|rise|decline|drop|gain|reduction|improvement|growth)\s+of)"
    r"\s*(?:about|roughly|nearly|almost|approximately|some|an\s+additional|a\s+further|more\s+than|over|around)?\s*\(?$",
    re.IGNORECASE,
)
_SIGNED = re.compile(r"[-−–(]")
_RANGE = re.compile(r"\s*(?:to|-|–|—|and)\s*[$€£]?\s*", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?]\s+(?=[A-Z“\"])|\n|;")


@dataclass(frozen=True, slots=True)
class FigureChange:
    """A figure, and the one with which a text compares it or from which it came."""

    new: Quantity
    old: Quantity
    word: str = ""
    """The word that gives the direction; '' where there is no such word."""
    up: bool = False
    """Whether that word says up; of figures' size, without sign."""
    at: int = -1
    """Where the word stands."""
    loss: bool = False
    """True where a figure is negative by words ('a loss of') and not by a sign."""
    ordered: bool = False
    """True where the wording itself says which figure came first ('from ... to')."""

    @property
    def rises(self) -> bool | None:
        """Whether the new figure is above the old one, losses below earnings; None if they are equal."""
        a, b = self.new.amount, self.old.amount
        return None if a == b else a > b


def find_changes(text: str) -> Iterator[FigureChange]:
    """What `text` says came from what, or compares with what; amounts called losses are negative."""
    start = 0
    for end in [*(m.start() for m in _SENTENCE.finditer(text)), len(text)]:
        figures = [q for q in quantities(text) if start <= q.start < end]
        gaps = [text[(figures[n - 1].end if n else start) : q.start] for n, q in enumerate(figures)]
        sentence = _Figures(text, start, end, figures, gaps)
        used: set[int] = set()
        yield from _from_to(sentence, used)
        yield from _against_base(sentence, used)
        start = end


@dataclass(frozen=True, slots=True)
class _Figures:
    """The figures of a sentence of `text`, with the words before each."""

    text: str
    start: int
    end: int
    figures: Sequence[Quantity]
    gaps: Sequence[str]

    def is_delta(self, n: int) -> bool:
        """Is a figure the size of a movement ('by 5 million') and no level?"""
        at = self.figures[n].start
        return _DELTA.search(self.text[max(self.start, at - 60) : at]) is not None

    def is_range(self, n: int) -> bool:
        """Does a figure end a range that the one before it begins?"""
        return _RANGE.fullmatch(self.gaps[n]) is not None

    def change(self, new: int, old: int, *, ordered: bool) -> FigureChange:
        """What the sentence says of two of its figures."""
        signed = [_signed(self.figures[n], self.gaps[n]) for n in (new, old)]
        return _change(self.text, self.start, self.end, *signed, ordered=ordered)


def _from_to(sentence: _Figures, used: set[int]) -> Iterator[FigureChange]:
    """'from 5 to 7', 'to 2.25 to 2.75 from 3.00 to 4.00', 'turned 5 into 7'."""
    gaps = sentence.gaps
    for n in range(len(gaps) - 1):
        if n in used or _next(sentence.figures, n) != n + 1:
            continue
        comes = _FROM.search(gaps[n]) and "rang" not in gaps[n].lower() and not sentence.is_delta(n)
        if comes and n > 1 and sentence.is_range(n - 1) and len(gaps[n]) < 30:
            used |= {n - 2, n - 1, n, n + 1}
            yield sentence.change(n - 2, n, ordered=True)
        elif (comes or _TURNED_INTO.search(gaps[n])) and _TO.search(gaps[n + 1]):
            used |= {n, n + 1}
            yield sentence.change(n + 1, n, ordered=True)


def _against_base(sentence: _Figures, used: set[int]) -> Iterator[FigureChange]:
    """'7, compared with 5', 'up from 5', 'more than 5'."""
    figures, gaps = sentence.figures, sentence.gaps
    for n in range(len(figures)):
        base = "" if n in used else _base_word(gaps[n])
        is_start = base.lower() == "from" and n + 1 in used and _TO.search(gaps[n + 1])
        if not base or is_start:
            continue
        before = [k for k in range(n) if k not in used and _may_be_new(sentence, k, n)]
        if before:
            alike = [k for k in before if figures[k].unit == figures[n].unit]
            new = (alike or before)[-1]
            used.add(new)
            while new - 1 in before and sentence.is_range(new):
                new -= 1  # a range is compared by its lower end
            used |= {n, *_parallel(figures, new, n)}
            yield sentence.change(new, n, ordered=base.lower() == "from")


def _may_be_new(sentence: _Figures, new: int, old: int) -> bool:
    """Is a figure a level, in the unit of the one that it would be compared with?"""
    figure = sentence.figures[new]
    behind = sentence.text[figure.end : figure.end + 12]
    return (
        _unit(figure) == _unit(sentence.figures[old])
        and not sentence.is_delta(new)
        and not re.match(rf"\s*(?:{_COMPARED})\b", behind, re.IGNORECASE)
    )


def _parallel(figures: Sequence[Quantity], new: int, old: int) -> list[int]:
    """The figures that follow each of a pair ('59 million, or 0.31 a share, compared with 92 million, or 0.50')."""
    return [k for k in range(new + 1, old) if figures[k].unit != figures[old].unit]


def _next(figures: Sequence[Quantity], n: int) -> int | None:
    return next((k for k in range(n + 1, len(figures)) if _unit(figures[k]) == _unit(figures[n])), None)


def _unit(quantity: Quantity) -> str:
    return "USD" if quantity.unit == "USD/share" else quantity.unit  # 'a share' is said once


def _base_word(gap: str) -> str:
    """The word before a figure that makes it the base of a comparison."""
    found = [m for m in _BASE.finditer(gap) if len(gap) - m.end() <= 80]
    if not found:
        return ""
    last = found[-1]
    if last.group().lower() in ("above", "below") and re.search(r",|\band\b", gap[last.end() :]):
        return ""
    if last.group().lower() == "than":
        if _AGO.match(gap, last.end()):
            return ""
        lead = gap[: last.start()].rstrip().rsplit(" ", 1)[-1].lower()
        if lead in ("more", "less", "fewer") and not gap[last.end() :].strip(" $€£"):
            return ""  # 'more than 5 million'
        if not re.fullmatch(_COMPARED, lead):
            return ""
    return last.group()


def _signed(quantity: Quantity, gap: str) -> Quantity:
    """A figure called a loss is negative; 'income (loss)' says neither."""
    near = re.sub(r"\((?:loss|deficit)[^)]*\)", " ", gap[-60:], flags=re.IGNORECASE)
    return replace(quantity, value=-quantity.value) if _LOSS.search(near) and quantity.value > 0 else quantity


def _change(text: str, start: int, end: int, new: Quantity, old: Quantity, *, ordered: bool) -> FigureChange:
    """Two figures with the word that gives their direction; behind a loss the other is one too."""
    first, last = sorted((new, old), key=lambda q: q.start)
    if (
        first.value < 0 < last.value
        and not _SIGNED.search(first.text)
        and not _EARNED.search(text, first.end, last.start)
    ):
        turned = replace(last, value=-last.value)  # 'a loss of 26 million, from 52 million'
        new, old = (new, turned) if new is first else (turned, old)
    loss = any(q.value < 0 and not _SIGNED.search(q.text) for q in (new, old))
    sign = _governing(text, start, end, first, last)
    if sign is None:
        return FigureChange(new, old, loss=loss, ordered=ordered)
    word = sign.group()
    up = sign["up"] is not None or (sign["than"] is not None and sign["than"].lower() not in _LESS)
    return FigureChange(new, old, word, up, sign.start(), loss, ordered)


def _governing(text: str, start: int, end: int, first: Quantity, last: Quantity) -> re.Match[str] | None:
    """Between the figures, else the last before them, else a noun behind them ('a 75 million reduction')."""
    between = list(_VERB.finditer(text, first.end, last.start))
    if between:
        return between[-1]
    before = [
        m
        for m in _VERB.finditer(text, max(start, first.start - 80), first.start)
        if not m["than"] or _THAN_AGO.match(text, m.end(), first.start)
    ]
    if before and ";" not in text[before[-1].end() : first.start]:
        return before[-1]
    tail = text[last.end : min(end, last.end + 70)]
    noun = re.match(
        r"[^,;.]{0,40},\s+(?:or\s+|representing\s+|which\s+is\s+)?an?\s+(?:[\w$.,%-]+\s+){0,3}?"
        r"(?:increase|decrease|rise|decline|drop|gain|reduction|improvement|deterioration)\b",
        tail,
    )
    if noun is None:
        return None
    for match in _NOUN.finditer(text, last.end, last.end + noun.end()):
        return match
    return None


_NOUN = re.compile(
    r"\b(?:(?P<up>increase|rise|gain|improvement)|(?P<down>decrease|decline|drop|reduction|deterioration))\b(?P<than>)?",
    re.IGNORECASE,
)


def moves_as_said(change: FigureChange) -> bool | None:
    """Do the figures move as their word says? None without a word, or where their printed digits are too coarse:
    '$4.0 billion, up from $4.0 billion' may be so."""
    if not change.word or same_amount(change.new, change.old):
        return None
    new, old = change.new.amount, change.old.amount
    if change.loss and new < 0 and old < 0 and not _TURNED.search(change.word):
        return change.up == (abs(new) > abs(old))  # a loss that rises is a greater loss
    return change.up == (new > old)


def find_dated_changes(text: str) -> Iterator[FigureChange]:
    """'14.0 % in the second quarter of 2024 and 13.0 % in the second quarter of 2023': the later is the new one."""
    periods = [m for m in find_mentions(text) if m.year]
    for one, other in pairwise(quantities(text)):
        if one.unit != other.unit or re.search(r"[.;]\s", text[one.end : other.start]):
            continue
        first = [m for m in periods if one.end <= m.start < other.start]
        second = [m for m in periods if other.end <= m.start <= other.end + 60]
        if len(first) != 1 or not second or "and" not in text[first[0].end : other.start]:
            continue
        a, b = first[0].year or 0, second[0].year or 0
        if a != b and first[0].quarter == second[0].quarter:
            yield FigureChange(one, other) if a > b else FigureChange(other, one)


_PRIOR = (
    r"(?:(?:an?|one)\s+(?:year|quarter)\s+(?:ago|earlier|before)|last\s+year|the\s+year\s+before|"
    r"in\s+the\s+(?:same|prior|previous|year-ago)(?:[\s-]year)?\s+(?:quarter|period|year))"
)
_PRIOR_BEHIND = re.compile(
    rf"^\s*(?:(?:per|a|each|of)\s+[\w-]+\s+)?(?:before|previously|{_PRIOR})\b", re.IGNORECASE
)
_PRIOR_AHEAD = re.compile(
    rf"(?:^|[.;,(]\s+){_PRIOR},?\s+(?:\w+\s+){{1,4}}(?:was|were|is|at|to|had)?\s*[$€£]?$", re.I
)


def find_prior_changes(text: str) -> Iterator[FigureChange]:
    """'a retention of $150 million; it was $100 million before': the figure that stands later is the earlier one."""
    figures = quantities(text)
    for n, old in enumerate(figures):
        ahead = text[figures[n - 1].end : old.start] if n else ""
        if not (_PRIOR_BEHIND.match(text[old.end : old.end + 50]) or _PRIOR_AHEAD.search(ahead)):
            continue
        before = [q for q in figures[:n] if q.unit == old.unit]
        if before and len(re.findall(r"[.!?]\s", text[before[-1].end : old.start])) < 2:
            yield FigureChange(before[-1], old)
