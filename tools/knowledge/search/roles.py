"""Roles: which title a question asks for, who holds it in the company itself, and said once a person."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from tools.knowledge.graph.resolution import LEGAL_FORMS, fold_company, fold_name

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
    "principal": "chief",  # as SEC forms call the officers who sign
    "finance": "financial",
    "chairwoman": "chair",
    "chairman": "chair",
    "chairperson": "chair",
    "operations": "operating",
    "svp": "senior vice president",
    "evp": "executive vice president",
}
_CHIEF = re.compile(r"\bchief (?:\w+ ){1,3}?officer\b")
LISTED_BONUS = 0.03
"""On top for a title in a list of officers: it is theirs, whatever a sentence says of whom."""
MAX_TITLE_GAP = 0.05
"""How far below the best title another one is that is held by the same right: a vice president is no president."""
COMPANY_TITLE_SCORE = 0.92
"""A title of the company itself."""
ASKED_PART_BONUS = 0.07
"""On top for a title in the part of the company that the question names."""
UNASKED_PART_PENALTY = 0.15
"""Off a title in a part that it does not name."""
DEPUTY_PENALTY = 0.25
"""Off a vice president, where a president is asked for."""
_DEPUTIES = frozenset({"vice", "deputy", "assistant", "associate", "former", "emeritus"})
_DIRECTOR = frozenset({"director"})
SPELLED_OUT_PENALTY = 0.02
"""Off a title that spells out what the question abbreviates: the question's own word reads better."""
_OF_THE_BOARD = frozenset(
    "director directors independent lead presiding outside non executive chair board member of the".split()  # noqa: SIM905
)
"""Of a director's title: a managing director, or one of investor relations, sits on no board."""
_NO_PART_WORDS = frozenset({"the", "of", "and", "our"}) | LEGAL_FORMS | _OF_THE_BOARD
_ABBREVIATIONS = frozenset(name for name in ROLES if len(name) <= 3)
_TITLE_PARTS = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+|\s*&\s*")
_CHIEF_OF_SEVERAL = re.compile(
    r"\bchief\s+(?P<of>[a-z]+(?:,\s+(?:and\s+|&\s+)?[a-z]+|\s+(?:and|&)\s+(?!chief\b|president\b)[a-z]+)+)\s+officer\b",
    re.IGNORECASE,
)
"""'Chief Accounting, Risk, and Compliance Officer'."""
_PART_BEFORE_NAME = re.compile(r"\b(?:of|for|at)\s+(?:the\s+)?([A-Z][^:;]*):[^:]*$")
"""'members of our team at Aflac Japan: Charles Lake, ...'."""
_PART_IN_TITLE = re.compile(r"\b(?:of|for|at)\s+(?:the\s+)?([A-Z](?:(?!\s(?:and|&)\s|,|\().)*)")
"""Up to the next title: 'Chairman of the Board of Directors and Chief Executive Officer'."""


@dataclass(frozen=True, slots=True)
class RoleHeld:
    """A title that a person holds."""

    row: int
    """Position of its triplet in the graph."""
    person: int
    """Position of the person's entity."""
    title: str
    score: float
    """How well the title is the one asked for; 0 for another one."""
    part: bool
    """True if it is held in a part of the company that was not asked about."""
    of_asked_part: bool = False
    """True if it is held in a part that was asked about."""
    listed: bool = False
    """True if a list of officers says so: who signed a report, who took part in a call."""
    day: str = ""
    """Last day of the document's period, as in ISO 8601; a quarter's or year's without one by its label."""


def role_words(question: str) -> set[str]:
    """Words of the role that the question asks for, canonical; empty when it names none."""
    text = " ".join(re.findall(r"[a-z]+", question.lower()))
    if chief := _CHIEF.search(text):
        return title_words(chief[0])
    for name in sorted(ROLES, key=len, reverse=True):
        if re.search(rf"\b{name}s?\b", text):
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


def role_held(
    asked: set[str],
    title: str,
    question: str,
    names: Collection[str],
    *,
    before: str = "",
    row: int = 0,
    person: int = 0,
) -> RoleHeld:
    """How a title fits, one part of which must hold all asked words; a deputy's ranks below the plain one.

    `names` are the folded names of the company itself, `before` is what was said before the person's name,
    which may place a whole list of people in a part of the company.
    """
    unit = _PART_IN_TITLE.search(title) or _PART_BEFORE_NAME.search(before)
    own = {word for name in names for word in fold_company(name).split()} | _NO_PART_WORDS
    words = set(fold_name(unit[1]).split()) - own if unit else set()
    there = bool(words & set(fold_name(question).split()))
    part = bool(words) and not there
    spelled = _CHIEF_OF_SEVERAL.sub(_each_chief, title)
    parts = [each for each in map(title_words, _TITLE_PARTS.split(spelled)) if asked <= each]
    if asked == _DIRECTOR:
        parts = [each for each in parts if each <= _OF_THE_BOARD]
    held = next(iter(parts), set())
    if not held:
        return RoleHeld(row, person, title, 0.0, part, there)
    said = set(re.findall(r"[a-z]+", question.lower())) & _ABBREVIATIONS
    score = COMPANY_TITLE_SCORE + (ASKED_PART_BONUS if there else 0.0)
    if said and not said & set(re.findall(r"[a-z]+", title.lower())):
        score -= SPELLED_OUT_PENALTY
    deputies = _DEPUTIES - {"vice"} if "chief" in asked else _DEPUTIES
    score -= DEPUTY_PENALTY if deputies & held - asked - set(fold_name(question).split()) else 0.0
    return RoleHeld(row, person, title, score, part, there)


def _each_chief(found: re.Match[str]) -> str:
    return ", ".join(f"Chief {each} Officer" for each in re.findall(r"\b(?!and\b)[A-Za-z]+", found["of"]))


def latest(roles: Sequence[RoleHeld]) -> list[RoleHeld]:
    """Who holds the role now: what the newest list that names the company's own officers for it says, where it names no
    less than half of what another one does: of a board of twelve a quarterly report is signed by one. All of `roles`
    where no list does, or the question asks about a part of the company."""
    held = [each for each in roles if each.score > 0 and each.listed and not each.part]
    best = max((each.score for each in held), default=0.0)
    held = [each for each in held if each.score >= best - MAX_TITLE_GAP]
    if not held or any(each.of_asked_part and each.score > 0 for each in roles):
        return list(roles)
    lists = Counter(each.day for each in held)
    fullest = max(lists.values())
    newest = max(day for day, count in lists.items() if 2 * count >= fullest)
    parts = [each for each in roles if each.listed and each.part]
    return [each for each in (*held, *parts) if each.day == newest]


def once_a_person(roles: Iterable[RoleHeld]) -> dict[int, float]:
    """Row -> score, one title a person: the best, and of those the one that says most. Who is anywhere placed
    in a part of the company holds the role there, also where a remark leaves the part out."""
    people: dict[int, list[RoleHeld]] = defaultdict(list)
    for held in roles:
        people[held.person].append(held)
    scored: dict[int, float] = {}
    for titles in people.values():
        best = max(titles, key=lambda held: (held.score, len(title_words(held.title)), -held.row))
        if best.score > 0:
            scored[best.row] = best.score - (
                UNASKED_PART_PENALTY if any(held.part for held in titles) else 0.0
            )
    return scored
