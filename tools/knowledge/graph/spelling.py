"""Names that differ as spellings do."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

MIN_SIMILARITY = 93.0
"""Least similarity (rapidfuzz ratio, 0 to 100) at which two names of one type are taken for one."""
MIN_SPELT_LETTERS = 6
"""Shorter names are compared to the letter, but for spaces."""
_DIGITS = re.compile(r"\d+")


def merge_similar(counts: Mapping[str, int]) -> dict[str, str]:
    """Folded name -> the name that stands for its group; names that differ in a number are never one.

    Compared within blocks of a first three letters, so that thousands of names stay cheap; groups are the
    connected components, and the most frequent (then longest, then first) name stands for one.
    """
    parent = {name: name for name in counts}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    blocks: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in sorted(counts):
        numbers = _DIGITS.findall(name)
        blocks[("", name.replace(" ", ""))].append(name)
        if len(name) >= MIN_SPELT_LETTERS:
            blocks[(name[:3], *numbers)].append(name)
    for names in blocks.values():
        for index, one in enumerate(names):
            for other in names[index + 1 :]:
                if abs(len(one) - len(other)) <= 2 and _typo(one, other):
                    parent[root(other)] = root(one)
    groups: dict[str, list[str]] = defaultdict(list)
    for name in counts:
        groups[root(name)].append(name)
    merged: dict[str, str] = {}
    for members in groups.values():
        best = min(members, key=lambda n: (-counts[n], -len(n), n))
        merged.update((name, best) for name in members if name != best)
    return merged


def _typo(one: str, other: str) -> bool:
    """True if the two differ as spellings do: in a space, or in one letter of one word, left out, another or out of
    turn; 'fifth' and 'sixth', 'northwestern' and 'northeastern' are two letters apart, and two words."""
    if one.replace(" ", "") == other.replace(" ", ""):
        return _DIGITS.findall(one) == _DIGITS.findall(other)
    if fuzz.ratio(one, other) < MIN_SIMILARITY:
        return False
    first, second = one.split(), other.split()
    if len(first) != len(second):
        return False
    changed = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    return len(changed) == 1 and min(map(len, changed[0])) >= 4 and OSA.distance(*changed[0]) == 1
