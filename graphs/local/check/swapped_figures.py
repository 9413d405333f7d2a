"""Two figures that a claim gives to each other's subject, or compares the wrong way round."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import combinations, pairwise

from graphs.drafts.figures import quantities
from graphs.drafts.words import content, stem
from graphs.local.check.computed_figures import delta_way, is_change, spans_of
from graphs.local.check.figure_changes import Pair, borne_out, find_pairs, gainsaid
from graphs.local.check.figure_match import is_labelled
from graphs.local.check.passages import Figure, Passage, passages
from graphs.local.text.period_mentions import find_mentions
from graphs.local.text.polarity import directions
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.values import Quantity, same_amount

_NEAR = 70
_WORD = re.compile(r"[A-Za-z]+(?:['’&][A-Za-z]+)*")
_EMPTY_TEXT = """
the a an of in to and or was were is are by for on at with as from its it their our we that this which
while million billion thousand usd about roughly approximately percent
"""
_EMPTY = frozenset(_EMPTY_TEXT.split())


def equal(a: Quantity, b: Quantity) -> bool:
    """Is one the other's amount, sign aside? A bare number takes the other's unit."""
    unit = a.unit if not b.unit else b.unit
    one, other = (
        Quantity(abs(q.value), unit if {a.unit, b.unit} <= {unit, ""} else q.unit, q.scale, "", 0, 0)
        for q in (a, b)
    )
    return same_amount(one, other)


def passage_pairs(passage: Passage) -> tuple[Pair, ...]:
    """What a passage of running text compares; of figures with periods nothing is read from words."""
    return (
        ()
        if passage.structured
        else (*find_pairs(passage.text), *_dated_pairs(passage.text), *_prior_pairs(passage.text))
    )


@lru_cache(maxsize=4096)
def _dated_pairs(text: str) -> tuple[Pair, ...]:
    """'14.0 % in the second quarter of 2024 and 13.0 % in the second quarter of 2023': the later is the new one."""
    figures, told = quantities(text), [m for m in find_mentions(text) if m.year]
    found: list[Pair] = []
    for one, other in pairwise(figures):
        if one.unit != other.unit or re.search(r"[.;]\s", text[one.end : other.start]):
            continue
        first = [m for m in told if one.end <= m.start < other.start]
        second = [m for m in told if other.end <= m.start <= other.end + 60]
        if len(first) != 1 or not second or "and" not in text[first[0].end : other.start]:
            continue
        a, b = first[0].year or 0, second[0].year or 0
        if a != b and first[0].quarter == second[0].quarter:
            found.append(Pair(one, other) if a > b else Pair(other, one))
    return tuple(found)


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


@lru_cache(maxsize=4096)
def _prior_pairs(text: str) -> tuple[Pair, ...]:
    """'a retention of $150 million; it was $100 million before': the later figure told is the earlier one."""
    figures = quantities(text)
    found: list[Pair] = []
    for n, old in enumerate(figures):
        ahead = text[figures[n - 1].end : old.start] if n else ""
        if not (_PRIOR_BEHIND.match(text[old.end : old.end + 50]) or _PRIOR_AHEAD.search(ahead)):
            continue
        before = [q for q in figures[:n] if q.unit == old.unit]
        if before and len(re.findall(r"[.!?]\s", text[before[-1].end : old.start])) < 2:
            found.append(Pair(before[-1], old))
    return tuple(found)


def pair_fault(text: str, passage: Passage) -> str:
    """Why a comparison of the claim gainsays its own figures, or turns round the passage's; '' if it does not."""
    ours, theirs = find_pairs(text), passage_pairs(passage)
    for pair in ours:
        if gainsaid(pair):
            return f"'{pair.moved}' is not what {pair.old.text} and {pair.new.text} show"
        if _is_turned(pair, theirs, text) or (
            passage.structured and _is_backdated(pair, passage.figures, text)
        ):
            return f"{pair.old.text} and {pair.new.text} stand in each other's place"
    return ""


def _is_turned(pair: Pair, theirs: Sequence[Pair], text: str) -> bool:
    straight = any(equal(pair.new, p.new) and equal(pair.old, p.old) for p in theirs)
    turned = any(equal(pair.new, p.old) and equal(pair.old, p.new) for p in theirs)
    if straight or not turned:
        return False
    told = [m for m in find_mentions(text) if m.year or m.quarter or m.day]
    return pair.ordered or bool(pair.moved) or len(told) < 2


def _is_backdated(pair: Pair, figures: Sequence[Figure], text: str) -> bool:
    """Is the new figure of an ordered pair the earlier one of its line item?"""
    told = [m for m in find_mentions(text) if m.year or m.quarter or m.day]
    if not (pair.ordered or pair.moved) and len(told) > 1:
        return False
    found = [
        a.end > b.end
        for a in figures
        for b in figures
        if a.end and b.end and a.end != b.end and a.label == b.label
        if equal(pair.new, a.quantity) and equal(pair.old, b.quantity)
    ]
    return bool(found) and not any(found)


def movements(text: str, passage: Passage) -> tuple[frozenset[int], str]:
    """(where the claim's words of direction stand that figures bear out, the fault of one that they gainsay)."""
    held = [p for p in find_pairs(text) if borne_out(p)]
    borne = {s.start for p in held for s in directions(text) if p.at <= s.start < p.at + len(p.moved)}
    borne |= {p.at for p in held}
    theirs = passage_pairs(passage)
    told = quantities(text)
    own = [f for f in passage.figures if any(equal(q, f.quantity) for q in told)]
    dated = [(a.quantity, b.quantity) for a, b in spans_of(passage.figures) if a in own or b in own]
    dated += [(a.quantity, b.quantity) for a, b in spans_of(passage.figures) if is_labelled(text, a.label)]
    rest = [f for f in passage.figures if not f.label and f not in own]
    dated += [(a.quantity, b.quantity) for a in own if not a.label for b in rest]
    dated += [(p.new, p.old) for p in (*find_pairs(text), *theirs)]
    deltas: dict[tuple[Decimal, str], set[str]] = {}
    for q in () if passage.structured else quantities(passage.text):
        if way := delta_way(passage.text, q):
            deltas.setdefault((abs(q.amount), q.unit), set()).add(way)
    for quantity in told:
        way = delta_way(text, quantity)
        known = deltas.get((abs(quantity.amount), quantity.unit))
        if way and known and way not in known:
            return (
                frozenset(),
                f"{quantity.text} is a movement {min(known)}, not {way}, in the cited evidence",
            )
        changes = way and any(is_change(quantity, new, old, way) for new, old in dated)
        rates = way and passage.structured
        if changes or (rates and any(_is_movement(quantity, way, f, passage) for f in passage.figures)):
            near = [
                (abs(s.start - quantity.start), s.start)
                for s in directions(text)
                if s.up == (way == "up") and -50 <= s.start - quantity.start <= len(quantity.text) + 25
            ]
            borne |= {min(near)[1]} if near else set()
    for sign in directions(text):
        ahead = [q for q in told if 0 <= q.start - sign.start <= _NEAR]
        for pair in theirs:
            hit = [q for q in ahead if equal(q, pair.new)]
            moved = any(delta_way(text, q) for q in hit)
            if not hit or moved or pair.rises is None or (pair.new.value < 0) != (pair.old.value < 0):
                continue
            between = text[sign.start : hit[0].start]
            if re.search(r"\bto\b(?:\s+\w+){0,2}\s*[$€£]?$", between.rstrip("$€£ ") + " "):
                bigger = abs(pair.new.amount) > abs(pair.old.amount)
                if sign.up != bigger:
                    return frozenset(), f"'{sign.text}' is not what the cited figures show"
                borne.add(sign.start)
        if any(sign.start <= at < sign.start + len(sign.text) for at in borne):
            borne.add(sign.start)
    return frozenset(borne), ""


def _is_movement(quantity: Quantity, way: str, figure: Figure, passage: Passage) -> bool:
    """Is a figure itself a movement, of which its sign tells the direction: a rate of growth, or a cash flow?"""
    flows = any(item.fact and item.fact.statement == "cash_flow" for item in passage.items)
    if not equal(quantity, figure.quantity) or not (flows or figure.quantity.unit == "percent"):
        return False
    return (figure.quantity.value > 0) == (way == "up")


_PART_OF = re.compile(r"\s+(?:out\s+)?of\s+(?:(?!and\b)[A-Za-z'’.-]+\s+){0,3}")


def role_fault(text: str, passage: Passage) -> str:
    """Why two figures of a claim belong to each other's words in the passage; '' if each has its own."""
    ours = _contexts(text)
    theirs = _labels(passage) if passage.structured else _contexts(passage.text)
    known = passage_pairs(passage)
    paired = [
        (p.new, p.old)
        for p in find_pairs(text)
        if p.moved or p.ordered or any(equal(p.new, x.new) and equal(p.old, x.old) for x in known)
    ]
    found = [(a, [b for b in theirs if equal(a[0], b[0])]) for a in ours]
    single = [(a, hits[0]) for a, hits in found if len(hits) == 1]
    for (a, x), (b, y) in combinations(single, 2):
        if a[0].unit != b[0].unit or equal(a[0], b[0]):
            continue
        if any({q.start for q in pair} == {a[0].start, b[0].start} for pair in paired):
            continue
        if (
            not a[0].unit
            and _PART_OF.fullmatch(text[a[0].end : b[0].start])
            and abs(a[0].amount) < abs(b[0].amount)
        ):
            continue  # '64 of 287 aircraft'
        if bool(delta_way(text, a[0])) != bool(delta_way(text, b[0])):
            continue  # a level and the size of its movement
        straight = _likeness(a[1], x[1]) + _likeness(b[1], y[1])
        crossed = _likeness(a[1], y[1]) + _likeness(b[1], x[1])
        if crossed > straight + 0.7:
            return f"{a[0].text} and {b[0].text} stand in each other's place"
    return ""


_Context = tuple[Quantity, dict[str, float]]


def _labels(passage: Passage) -> list[_Context]:
    """Figures of facts and tables with the words of their line items, each once."""
    found: dict[tuple[str, str, int], _Context] = {}
    several = len({item.company_key for item in passage.items}) > 1
    told = [(f, f.label) for f in passage.figures]
    if several:
        told = [
            (f, f"{f.label} {item.company}")
            for item in passage.items
            for f in passages(item, frozenset())[0].figures
        ]
    for f, label in told:
        words = dict.fromkeys(_words(label), 1.0)
        found[(f.label, str(abs(f.quantity.amount)), len(words))] = (f.quantity, words)
    return list(found.values())


def _contexts(text: str) -> list[_Context]:
    """Figures with the words around them up to the next figure or sentence, weighted by nearness."""
    figures = quantities(text)
    found: list[_Context] = []
    for n, quantity in enumerate(figures):
        start = figures[n - 1].end if n else 0
        end = figures[n + 1].start if n + 1 < len(figures) else len(text)
        before = re.split(r"[.;]\s", text[start : quantity.start])[-1]
        after = re.split(r"[.;,]\s|\bof which\b|\b(?:and|but|while|whereas)\b", text[quantity.end : end])[0]
        weights: dict[str, float] = {}
        for words in (_words(before)[::-1], _words(after)):
            words = words[:8]
            for k, word in enumerate(words):
                weights[word] = max(weights.get(word, 0.0), 1 / math.sqrt(1 + k))
        found.append((quantity, weights))
    return found


def _words(text: str) -> list[str]:
    for mention in reversed(find_metrics(text)):
        text = f"{text[: mention.start]}{mention.canonical}{text[mention.end :]}"
    words = [w.lower() for w in _WORD.findall(text) if w.lower() not in _EMPTY]
    return [(content(w) or (stem(w),))[0] for w in words]


def _likeness(one: dict[str, float], other: dict[str, float]) -> float:
    return sum(math.sqrt(weight * other[word]) for word, weight in one.items() if word in other)
