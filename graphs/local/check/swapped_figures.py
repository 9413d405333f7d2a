"""Two figures that a claim gives to each other's subject, or compares the wrong way round."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from itertools import combinations

from graphs.drafts.words import content, stem
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.computed_figures import delta_way
from graphs.local.check.figure_changes import FigureChange, moves_as_said
from graphs.local.check.figure_match import same_size
from graphs.local.check.parsed_text import ParsedText
from graphs.local.check.passages import Passage, whole
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.values import Quantity

_WORD = re.compile(r"[A-Za-z]+(?:['’&][A-Za-z]+)*")
_FILLER_TEXT = """
the a an of in to and or was were is are by for on at with as from its it their our we that this which
while million billion thousand usd about roughly approximately percent
"""
_FILLERS = frozenset(_FILLER_TEXT.split())


_JUDGES = re.compile(r"improv|worse|better|deteriorat", re.IGNORECASE)


def swapped_change_fault(claim: ClaimText, passage: Passage, *, worded: bool = False) -> str:
    """Why a comparison of the claim contradicts its own figures, or turns round the passage's; '' if it does not.

    `worded`: only where a word says which way it went, or which figure came first, and none how good that is.
    """
    for change in claim.said.changes:
        if worded and (not (change.word or change.ordered) or _JUDGES.match(change.word)):
            continue
        if len({change.new.unit, change.old.unit} - {""}) > 1:
            continue  # 'increased 46 percent to 391 million from 268 million'
        if moves_as_said(change) is False:
            return f"'{change.word}' is not what {change.old.text} and {change.new.text} show"
        if _is_turned(claim, passage, change) or _is_backdated(claim, passage, change):
            return f"{change.old.text} and {change.new.text} stand in each other's place"
    return ""


def _is_turned(claim: ClaimText, passage: Passage, change: FigureChange) -> bool:
    """Does the passage compare the two figures the other way round only?"""
    theirs = passage.changes
    straight = any(same_size(change.new, c.new) and same_size(change.old, c.old) for c in theirs)
    turned = any(same_size(change.new, c.old) and same_size(change.old, c.new) for c in theirs)
    return not straight and turned and _has_order(claim, change)


def _has_order(claim: ClaimText, change: FigureChange) -> bool:
    """Does the claim say which figure came first, and not by naming the period of each?"""
    if change.ordered or change.word:
        return True
    return len([m for m in claim.said.periods if m.year or m.quarter or m.day]) < 2


def _is_backdated(claim: ClaimText, passage: Passage, change: FigureChange) -> bool:
    """Is the new figure the earlier one of its line item in the facts or tables cited?"""
    if not passage.structured or not _has_order(claim, change):
        return False
    dated = [(f, f.end) for f in passage.figures if f.end]
    new = [(f, end) for f, end in dated if same_size(change.new, f.quantity)]
    old = [(f, end) for f, end in dated if same_size(change.old, f.quantity)]
    later = [a > b for f, a in new for g, b in old if a and b and a != b and f.label == g.label]
    return bool(later) and not any(later)


_OUT_OF = re.compile(r"\s+(?:out\s+)?of\s+(?:(?!and\b)[A-Za-z'’.-]+\s+){0,3}")
MAX_CONTEXT_WORDS = 8
"""On each side of a figure."""
MIN_SWAPPED_LIKENESS = 0.7
"""By how much more the words around two figures must be like those of each other's in the passage."""


def swapped_figure_fault(claim: ClaimText, passage: Passage) -> str:
    """Why two figures of a claim belong to each other's words in the passage; '' if each has its own."""
    theirs = _labels(passage) if passage.structured else _contexts(passage.said)
    found = [(ours, [c for c in theirs if same_size(ours[0], c[0])]) for ours in _contexts(claim.said)]
    single = [(ours, hits[0]) for ours, hits in found if len(hits) == 1]
    for (one, one_theirs), (other, other_theirs) in combinations(single, 2):
        if not _are_peers(claim, one[0], other[0]) or _is_compared(claim, passage, one[0], other[0]):
            continue
        straight = _likeness(one[1], one_theirs[1]) + _likeness(other[1], other_theirs[1])
        crossed = _likeness(one[1], other_theirs[1]) + _likeness(other[1], one_theirs[1])
        if crossed > straight + MIN_SWAPPED_LIKENESS:
            return f"{one[0].text} and {other[0].text} stand in each other's place"
    return ""


def _are_peers(claim: ClaimText, one: Quantity, other: Quantity) -> bool:
    """Could either stand in the other's place: no part and whole, no level and the size of its movement?"""
    if one.unit != other.unit or same_size(one, other):
        return False
    between = claim.text[one.end : other.start]
    if not one.unit and abs(one.amount) < abs(other.amount) and _OUT_OF.fullmatch(between):
        return False  # '64 of 287 aircraft'
    return bool(delta_way(claim.text, one)) == bool(delta_way(claim.text, other))


def _is_compared(claim: ClaimText, passage: Passage, one: Quantity, other: Quantity) -> bool:
    """Does the claim compare the two, in an order that it states or that the passage has?"""
    return any(
        {change.new.start, change.old.start} == {one.start, other.start}
        and (
            change.word
            or change.ordered
            or any(same_size(change.new, c.new) and same_size(change.old, c.old) for c in passage.changes)
        )
        for change in claim.said.changes
    )


_Context = tuple[Quantity, dict[str, float]]


def _labels(passage: Passage) -> list[_Context]:
    """Figures of facts and tables with the words of their line items, each once."""
    found: dict[tuple[str, str, int], _Context] = {}
    several = len({item.company_key for item in passage.items}) > 1
    labelled = [(f, f.label) for f in passage.figures]
    if several:
        labelled = [(f, f"{f.label} {item.company}") for item in passage.items for f in whole(item).figures]
    for f, label in labelled:
        words = dict.fromkeys(_words(label), 1.0)
        found[(f.label, str(abs(f.quantity.amount)), len(words))] = (f.quantity, words)
    return list(found.values())


def _contexts(said: ParsedText) -> list[_Context]:
    """Figures with the words around them up to the next figure or sentence, weighted by nearness."""
    text, figures = said.text, said.quantities
    found: list[_Context] = []
    for n, quantity in enumerate(figures):
        start = figures[n - 1].end if n else 0
        end = figures[n + 1].start if n + 1 < len(figures) else len(text)
        before = re.split(r"[.;]\s", text[start : quantity.start])[-1]
        after = re.split(r"[.;,]\s|\bof which\b|\b(?:and|but|while|whereas)\b", text[quantity.end : end])[0]
        weights: dict[str, float] = {}
        for words in (_words(before)[::-1], _words(after)):
            for k, word in enumerate(words[:MAX_CONTEXT_WORDS]):
                weights[word] = max(weights.get(word, 0.0), 1 / math.sqrt(1 + k))
        found.append((quantity, weights))
    return found


@lru_cache(maxsize=8192)
def _words(text: str) -> tuple[str, ...]:
    """Stems of a text, its metrics by their canonical names."""
    for mention in reversed(find_metrics(text)):
        text = f"{text[: mention.start]}{mention.canonical}{text[mention.end :]}"
    words = [w.lower() for w in _WORD.findall(text) if w.lower() not in _FILLERS]
    return tuple((content(w) or (stem(w),))[0] for w in words)


def _likeness(one: dict[str, float], other: dict[str, float]) -> float:
    return sum(math.sqrt(weight * other[word]) for word, weight in one.items() if word in other)
