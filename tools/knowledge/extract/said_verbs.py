"""Whether a text says a relation: by its verb, a noun of it, or the way something went; done, denied or ahead."""

from __future__ import annotations

import re
from typing import Literal

from tools.knowledge.lexicon.relation_verbs import Status, verb_base
from tools.knowledge.lexicon.verb_forms import forms_pattern

_RISE = re.compile(
    r"\b(?:increas|rais|rose|ris(?:e|ing)|grew|grow|up\b|higher|improv|expand|better|strong|greater|more\b|gain|"
    r"record\b|accelerat|doubl|tripl|boost|added|adding|additional)",
    re.IGNORECASE,
)
_FALL = re.compile(
    r"\b(?:decreas|reduc|cut|declin|fell|fall|drop|down\b|lower|less\b|fewer|shr[aiu]nk|contract|weak|soft|slow|"
    r"decelerat|los[est]|sav(?:e|ing)|headwind)",
    re.IGNORECASE,
)
_DIRECTIONS = {
    **dict.fromkeys(("increase", "grow", "raise", "improve"), _RISE),
    **dict.fromkeys(("decrease", "reduce", "cut", "decline"), _FALL),
}
"""Verbs that say which way something went, and the words of a source that say the same."""
_SYNONYMS: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split())
    for group in (
        "acquire buy purchase",
        "launch introduce release unveil announce",
        "report record post deliver generate achieve earn",
        "lead oversee manage head run",
        "build construct develop",
        "hire appoint promote",
        "close complete",
        "partner collaborate work team",
        "sell divest",
        "repurchase redeem",
        "produce manufacture make",
        "use employ deploy adopt",
        "raise issue borrow",
    )
)
"""Verbs that stand for one another."""


def says(text: str, relation: str) -> bool:
    """Whether a text has the relation's verb, one of the same meaning, or the noun of either; for a verb that says
    which way something went, any word of that way. What is denied or yet to come in one must be so in the other."""
    base = next(filter(None, map(verb_base, relation.split())), None)
    if base is None:
        return False
    return any(_polarity(text[:at]) == _polarity_of(relation) for at in verb_places(text, base))


def says_as(text: str, base: str, status: Status) -> bool:
    """Whether a text says this of any verb, and means it so. What a model calls planned, possible or not done needs a
    word of it anywhere in the text; what it calls done must be said of the verb without one."""
    places = verb_places(text, base)
    ways = {_polarity(text[:at]) for at in places}
    if status == "not done":
        return "denied" in ways or bool(places and _NOT_DONE.search(text))
    if status == "done":
        return any(_polarity(text[:at]) == "stated" and not _SUPPOSED.search(text[:at]) for at in places)
    return "ahead" in ways or bool(places and _NOT_YET.search(text))


def verb_places(text: str, base: str) -> list[int]:
    """Where a text has the verb, one of the same meaning, a noun of either or a word of its direction."""
    if base in _DIRECTIONS:
        return [match.start() for match in _DIRECTIONS[base].finditer(text)]
    words = [(match.start(), match.group().casefold()) for match in re.finditer(r"[A-Za-z]+", text)]
    if verb_base(base) is None:
        form = forms_pattern(base)
        return [at for at, word in words if form.fullmatch(word)]
    kin = next((group for group in _SYNONYMS if base in group), {base})
    stems = tuple(verb[: max(4, len(verb) - 3)] for verb in kin)
    return [at for at, word in words if verb_base(word) in kin or word.startswith(stems)]


Polarity = Literal["stated", "denied", "ahead"]
_DENIAL = re.compile(
    r"(?:\b(?:not|never|without|neither|nor|no\s+longer)|n['\u2019]t)\s+(?:[\w'\u2019]+\s+){0,3}$",
    re.IGNORECASE,
)
_YET_TO_COME = re.compile(
    r"(?:\b(?:will|shall|would|(?-i:may)|might|could|should|going\s+to)|['\u2019]ll)\s+(?:[\w'\u2019]+\s+){0,3}$|"
    r"\b(?:plan|intend|expect|aim|hope|want|seek|agree|propos|continu)\w*\s+(?:[\w'\u2019]+\s+){0,4}to\s+(?:\w+\s+)?$|"
    r"\b(?:planned|proposed|pending|upcoming)\s+$",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(r"\b(?:if|unless|whether|provided\s+that|in\s+case)\b[^,;.]*$", re.IGNORECASE)
_NOT_YET = re.compile(
    r"\b(?:will|shall|would|(?-i:may)|might|could|should|can|if|unless|until|plan\w*|intend\w*|expect\w*|aim\w*|"
    r"hope\w*|want\w*|seek\w*|agree\w*|propos\w*|target\w*|subject\s+to|pending|upcoming|next|going\s+to|"
    r"anticipat\w*|potential\w*|contingent|conditional\w*|future)\b|['\u2019]ll\b",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(
    r"\b(?:not|never|without|neither|nor|no|declin\w*|fail\w*|cancel\w*|terminat\w*|abandon\w*|ceas\w*|"
    r"refus\w*|reject\w*|withdr[ae]w\w*|den(?:y|ied|ies))\b|n['\u2019]t\b",
    re.IGNORECASE,
)


def _polarity(before: str) -> Polarity:
    """What the words before a verb make of it: 'we did not', 'we expect the board to'."""
    return "denied" if _DENIAL.search(before) else "ahead" if _YET_TO_COME.search(before) else "stated"


def _polarity_of(relation: str) -> Polarity:
    words = relation.split()
    return "denied" if "not" in words else "ahead" if words[0] in ("will", "plans") else "stated"


def has_verb(text: str, relation: str) -> bool:
    """Whether a text has a form of a curated verb of the relation's."""
    wanted = {verb_base(word) for word in relation.split()} - {None}
    return any(verb_base(word) in wanted for word in re.findall(r"[a-z]+", text.casefold()))
