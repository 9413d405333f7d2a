"""What a text says moved from one figure to another: pairs of figures, which is the new one, and the word that tells
the direction."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tools.values import Quantity, find_quantities, same_amount

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
class Pair:
    """A figure, and the one with which a text compares it or from which it came."""

    new: Quantity
    old: Quantity
    moved: str = ""
    """The word that tells the direction; '' where none is said."""
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


@lru_cache(maxsize=4096)
def find_pairs(text: str) -> tuple[Pair, ...]:
    """Pairs of `text`; amounts told as losses are negative."""
    found: list[Pair] = []
    start = 0
    for end in [*(m.start() for m in _SENTENCE.finditer(text)), len(text)]:
        found += _in_sentence(text, start, end)
        start = end
    return tuple(found)


def _in_sentence(text: str, start: int, end: int) -> Iterator[Pair]:
    figures = [q for q in find_quantities(text) if start <= q.start < end]
    gaps = [text[(figures[n - 1].end if n else start) : q.start] for n, q in enumerate(figures)]
    signed = [_signed(q, gap) for q, gap in zip(figures, gaps, strict=True)]
    used: set[int] = set()
    for n in range(len(figures) - 1):
        later = _next(figures, n)
        if later is None or n in used:
            continue
        delta = _DELTA.search(text[max(start, figures[n].start - 60) : figures[n].start])
        comes = _FROM.search(gaps[n]) and "rang" not in gaps[n].lower() and not delta
        turned = _TURNED_INTO.search(gaps[n])
        if comes and n > 1 and later == n + 1 and _RANGE.fullmatch(gaps[n - 1]) and len(gaps[n]) < 30:
            used |= {n - 2, n - 1, n, later}  # 'to 2.25 to 2.75 from 3.00 to 4.00'
            yield _told(text, start, end, signed[n - 2], signed[n], ordered=True)
            continue
        if (comes or turned) and later == n + 1 and _TO.search(gaps[later]):
            used |= {n, later}
            yield _told(text, start, end, signed[later], signed[n], ordered=True)
    for n, quantity in enumerate(figures):
        if n in used or not (cue := _cue(gaps[n])):
            continue
        if cue.lower() == "from" and n + 1 < len(figures) and _TO.search(gaps[n + 1]) and n + 1 in used:
            continue
        before = [
            k
            for k in range(n)
            if k not in used
            and _unit(figures[k]) == _unit(quantity)
            and not _DELTA.search(text[max(start, figures[k].start - 60) : figures[k].start])
            and not re.match(rf"\s*(?:{_COMPARED})\b", text[figures[k].end : figures[k].end + 12], re.I)
        ]
        if before:
            alike = [k for k in before if figures[k].unit == quantity.unit]
            new = (alike or before)[-1]
            used.add(new)
            while new - 1 in before and _RANGE.fullmatch(gaps[new]):
                new -= 1  # a range is compared by its lower end
            used |= {n, *_parallel(figures, new, n)}
            yield _told(text, start, end, signed[new], signed[n], ordered=cue.lower() == "from")


def _parallel(figures: Sequence[Quantity], new: int, old: int) -> list[int]:
    """The figures that follow each of a pair ('59 million, or 0.31 a share, compared with 92 million, or 0.50')."""
    return [k for k in range(new + 1, old) if figures[k].unit != figures[old].unit]


def _next(figures: Sequence[Quantity], n: int) -> int | None:
    return next((k for k in range(n + 1, len(figures)) if _unit(figures[k]) == _unit(figures[n])), None)


def _unit(quantity: Quantity) -> str:
    return "USD" if quantity.unit == "USD/share" else quantity.unit  # 'a share' is said once


def _cue(gap: str) -> str:
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
    """A figure told as a loss is negative; 'income (loss)' says neither."""
    near = re.sub(r"\((?:loss|deficit)[^)]*\)", " ", gap[-60:], flags=re.IGNORECASE)
    return replace(quantity, value=-quantity.value) if _LOSS.search(near) and quantity.value > 0 else quantity


def _told(text: str, start: int, end: int, new: Quantity, old: Quantity, *, ordered: bool) -> Pair:
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
        return Pair(new, old, loss=loss, ordered=ordered)
    word = sign.group()
    up = sign["up"] is not None or (sign["than"] is not None and sign["than"].lower() not in _LESS)
    return Pair(new, old, word, up, sign.start(), loss, ordered)


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


def gainsaid(pair: Pair) -> bool:
    """Does the word of a pair say the opposite of its figures?"""
    return borne_out(pair) is False


def borne_out(pair: Pair) -> bool | None:
    """Do a pair's figures move as its word says? None without a word, or where their printed digits do not tell:
    '$4.0 billion, up from $4.0 billion' may be so."""
    if not pair.moved or same_amount(pair.new, pair.old):
        return None
    new, old = pair.new.amount, pair.old.amount
    if pair.loss and new < 0 and old < 0 and not _TURNED.search(pair.moved):
        return pair.up == (abs(new) > abs(old))  # a loss that rises is a greater loss
    return pair.up == (new > old)
