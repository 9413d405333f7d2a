"""Roles: which title a question asks for, who holds it in the company itself, and said once a person."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from tools.knowledge.resolution import LEGAL_FORMS, fold_company, fold_name
from tools.knowledge.stopwords import STOP_WORDS

ROLES = {
    "cfo": "chief financial officer", "ceo": "chief executive officer", "coo": "chief operating officer",
    "cto": "chief technology officer", "cio": "chief information officer", "cmo": "chief marketing officer",
    "cao": "chief accounting officer", "evp": "executive vice president", "svp": "senior vice president",
    "vp": "vice president", "ir": "investor relations", "chairman": "chairman", "chairwoman": "chairwoman",
    "chair": "chair", "president": "president", "treasurer": "treasurer", "controller": "controller",
    "director": "director", "analyst": "analyst", "analysts": "analyst", "secretary": "secretary",
    "head of investor relations": "investor relations", "investor relations": "investor relations",
    "finance chief": "chief financial officer", "chief financial officer": "chief financial officer",
    "chief executive officer": "chief executive officer", "chief executive": "chief executive officer",
    "chief operating officer": "chief operating officer",
    "chief technology officer": "chief technology officer",
    "general counsel": "general counsel", "vice president": "vice president",
}  # fmt: skip
"""Role as asked -> words of it in a participant list."""
_SAME_WORD = {
    "finance": "financial",
    "chairwoman": "chair",
    "chairman": "chair",
    "chairperson": "chair",
    "operations": "operating",
    "svp": "senior vice president",
    "evp": "executive vice president",
}
OWN = 0.95
"""A title of the company itself, the participant list's before one that is said in remarks."""
SUBSIDIARY = 0.15
"""Off a title that somebody holds in a part of the company."""
_ABBREVIATIONS = frozenset(name for name in ROLES if len(name) <= 3)
_PARTS = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+|\s*&\s*")
_AT = re.compile(r"\b(?:of|for|at)\s+(?:the\s+)?([A-Z][^:;]*):[^:]*$")
"""'members of our team at Aflac Japan: Charles Lake, ...'."""
_UNIT = re.compile(r"\b(?:of|for|at)\s+(?:the\s+)?([A-Z].*)$")


@dataclass(frozen=True, slots=True)
class RoleHeld:
    """A title that a person holds."""

    row: int
    """Position of its triplet in the graph."""
    person: int
    """Position of the person's entity."""
    title: str
    fit: float
    """How well the title is the one asked for."""
    score: float
    """`fit`, and how good the source is."""


def role_words(question: str) -> set[str]:
    """Words of the role that the question asks for, canonical; empty when it names none."""
    text = " ".join(re.findall(r"[a-z]+", question.lower()))
    for name in sorted(ROLES, key=len, reverse=True):
        if re.search(rf"\b{name}\b", text):
            return title_words(ROLES[name])
    return set()


def title_words(title: str) -> set[str]:
    """The words of a title, abbreviations spelled out."""
    words = re.findall(r"[a-z]+", title.lower())
    return {
        part
        for word in words
        for part in ROLES.get(_SAME_WORD.get(word, word), _SAME_WORD.get(word, word)).split()
    }


def role_fit(asked: set[str], title: str, question: str, names: Collection[str], before: str = "") -> float:
    """Fit of a title one part of which holds all asked words, else 0; a deputy's or a subsidiary's ranks
    below the plain one. `names` are the folded names of the company itself, `before` is what was said before
    the person's name."""
    parts = [title_words(part) for part in _PARTS.split(title)]
    held = next((part for part in parts if asked <= part), set())
    if not held:
        return 0.0
    said = set(re.findall(r"[a-z]+", question.lower())) & _ABBREVIATIONS
    score = OWN if not said or said & set(re.findall(r"[a-z]+", title.lower())) else OWN - 0.002
    unit = _UNIT.search(title) or _AT.search(before)
    if unit and fold_company(unit[1]) not in {fold_company(name) for name in names}:
        own = {word for name in names for word in fold_company(name).split()} | LEGAL_FORMS | STOP_WORDS
        elsewhere = set(fold_name(unit[1]).split()) - own - set(fold_name(question).split())
        score -= SUBSIDIARY if elsewhere else 0.0
    return score - (0.1 if asked == {"president"} and "vice" in held else 0.0)


def once_a_person(roles: Iterable[RoleHeld]) -> dict[int, float]:
    """Row -> score, one title a person: the one that says most of those from the best source. Who holds the
    role in a subsidiary does not hold it in the company where a remark leaves the subsidiary out."""
    people: dict[int, list[RoleHeld]] = defaultdict(list)
    for held in roles:
        people[held.person].append(held)
    scored: dict[int, float] = {}
    for titles in people.values():
        sure = min(held.fit for held in titles)
        best = max(titles, key=lambda held: (held.score, len(title_words(held.title)), -held.row))
        scored[best.row] = min(best.score, sure)
    return scored
