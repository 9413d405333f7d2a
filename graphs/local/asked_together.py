"""Several figures asked for at once: one lookup each, with the words that qualify them all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from tools.documents.catalog import CompanyMention
from tools.knowledge.asking import find_asked
from tools.knowledge.lexicon import MetricMention

_WORDS = r"\b(?:and|or|plus|vs\.?|versus|as\s+well\s+as|compared\s+to|(?:compared\s+)?with|against|than)\b"
_JOINT = re.compile(rf"[,;&]|{_WORDS}", re.IGNORECASE)
_JOINED = re.compile(rf"[;&]|{_WORDS}|^\s*,\s*(?:\w+[ -]){{0,2}}$", re.IGNORECASE)
"""A comma joins what stands close by: 'of inventories at year end, how much was raw materials' asks for one figure."""
_PURE = re.compile(rf"(?:\s|[,;&]|{_WORDS}|\b(?:also|its|the|their|both|total)\b)*", re.IGNORECASE)


class Lookup(TypedDict):
    """What is looked up for one part of a comparison."""

    metrics: tuple[str, ...]
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """One of several figures that a question asks for."""

    metrics: tuple[str, ...]
    """As asked."""
    question: str
    """The question with this figure alone, and what qualifies it: 'AWS revenue and operating income' asks for the
    operating income of AWS."""
    companies: frozenset[str]
    """Keys of the companies named with it; empty where none is."""


@dataclass(frozen=True, slots=True)
class Lookups:
    """The figures that a question asks for."""

    asked: tuple[Asked, ...]

    def of(self, company: str) -> Lookup:
        """What is asked of one company: its own figures where each is named with a company of its own."""
        bound = all(each.companies for each in self.asked)
        own = [each for each in self.asked if not bound or company in each.companies] or list(self.asked)
        return Lookup(
            metrics=tuple(dict.fromkeys(m for each in own for m in each.metrics)),
            questions=tuple(dict.fromkeys(each.question for each in own)),
        )


def lookups_of(question: str, companies: Sequence[CompanyMention]) -> Lookups:
    """`question` taken apart, one lookup for each figure of an enumeration; the whole of it where it is none.

    Figures that only 'and' or a comma stands between share what is said before the first and after the last.
    """
    taken = [(m.start, m.end) for m in companies]
    mentions = [m for m in find_asked(question) if not any(s < m.end and m.start < e for s, e in taken)]
    items = _items(question, mentions)
    if len(items) < 2:
        return Lookups((Asked(tuple(m.text for m in mentions), question, frozenset()),))
    found: list[Asked] = []
    for start, group, end in _groups(question, items):
        named = frozenset(m.key for m in companies if start <= m.start and m.end <= end)
        head, tail = question[start : group[0][0].start], question[group[-1][-1].end : end]
        for item in group:
            middle = question[item[0].start : item[-1].end]
            found.append(Asked(tuple(m.text for m in item), " ".join(f"{head}{middle}{tail}".split()), named))
    return Lookups(tuple(found))


Item = list[MetricMention]


def _items(question: str, mentions: Sequence[MetricMention]) -> list[Item]:
    """Mentions with something that joins them in between; those without are one figure ('R&D share of revenue')."""
    items: list[Item] = []
    for mention in mentions:
        if items and not _JOINED.search(question[items[-1][-1].end : mention.start]):
            items[-1].append(mention)
        else:
            items.append([mention])
    return items


def _groups(question: str, items: Sequence[Item]) -> list[tuple[int, list[Item], int]]:
    """Items that share their qualifiers, with the stretch of the question that is theirs."""
    groups: list[tuple[int, list[Item], int]] = [(0, [items[0]], len(question))]
    for item in items[1:]:
        start, own, _ = groups[-1]
        before = own[-1][-1].end
        gap = question[before : item[0].start]
        if _PURE.fullmatch(gap):
            own.append(item)
            continue
        joint = list(_JOINT.finditer(gap))[-1]
        groups[-1] = (start, own, before + joint.start())
        groups.append((before + joint.end(), [item], len(question)))
    return groups
