"""Verbs of relations: a model's verb phrase as the graph names it, of the curated set or any."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from tools.knowledge.lexicon.verb_forms import base_form, is_participle, participle_of, past_of, third_of
from tools.knowledge.lexicon.verbs import BASE_OF, FUTURE, HYPOTHETICAL, INTENTS, PAST_OF, PREPOSITIONS

EXTRA_PAST: dict[str, str] = {
    "employ": "employed", "own": "owned", "use": "used", "include": "included", "face": "faced",
    "affect": "affected", "depend": "depended", "target": "targeted", "oversee": "oversaw", "work": "worked",
    "benefit": "benefited", "drive": "drove", "offset": "offset", "reach": "reached", "file": "filed",
    "discuss": "discussed", "spend": "spent", "improve": "improved", "decline": "declined", "secure": "secured",
    "rely": "relied", "commit": "committed", "contribute": "contributed", "absorb": "absorbed",
    "recover": "recovered", "request": "requested", "receive": "received", "require": "required",
    "maintain": "maintained", "focus": "focused", "reaffirm": "reaffirmed", "decrease": "decreased",
}  # fmt: skip
"""Verbs that a model tells apart well enough and the dependency parse does not."""
_EXTRA_FORMS = {
    "drives": "drive", "driven": "drive", "oversees": "oversee", "overseen": "oversee", "spends": "spend",
    "reaches": "reach", "discusses": "discuss", "relies": "rely", "focuses": "focus",
}  # fmt: skip
AUXILIARY = frozenset(
    {"has", "have", "had", "is", "are", "was", "were", "be", "been", "being", "do", "does", "did"}
)
LINKS = PREPOSITIONS | {"of", "at", "as"}
_AFTER = LINKS | {"up", "out", "off", "down", "over", "through", "about", "a", "an", "the", "its"}
"""How a verb phrase may end that is not its verb."""
CURATED = tuple(sorted({*PAST_OF.values(), *EXTRA_PAST.values()}))
"""The curated verbs of the extraction prompt, in the past tense."""


@lru_cache(maxsize=4096)
def read_relation(text: str) -> tuple[str, bool] | None:
    """(relation as the graph names it, whether head and tail change places) of a model's verb phrase; None if its
    verb is not of the curated set or has swallowed its object ('reported earnings'), or if it is no more than
    possible: 'was acquired by' -> ('acquired', True)."""
    words = re.findall(r"[a-z']+", text.casefold().replace("\u2019", "'").replace("_", " "))
    at = next((i for i, word in enumerate(words) if verb_base(word) and word not in AUXILIARY), None)
    if at is None or set(words[:at]) & HYPOTHETICAL or at > 4:
        return None
    before, after = words[:at], words[at + 1 :]
    if after and after[-1] not in _AFTER and not after[-1].endswith("ly"):
        return None
    base = verb_base(words[at])
    assert base is not None
    name = _relation_name(base, before)
    preposition = next((word for word in after[:2] if word in LINKS), "")
    passive = preposition == "by" and (bool(set(before) & AUXILIARY) or not before)
    if passive or not preposition:
        return name, passive
    return f"{name} {preposition}", False


def _relation_name(base: str, before: Sequence[str]) -> str:
    """A verb with what the words before it make of it: 'acquired', 'did not acquire', 'plans to acquire'."""
    negated = bool({"not", "never"} & set(before)) or any(word.endswith("n't") for word in before)
    if set(before) & INTENTS:
        return f"plans to {base}"
    if set(before) & FUTURE:
        return f"will not {base}" if negated else f"will {base}"
    return f"did not {base}" if negated else (PAST_OF.get(base) or EXTRA_PAST[base])


def verb_base(word: str) -> str | None:
    if word in BASE_OF:
        return BASE_OF[word]
    if word in _EXTRA_FORMS:
        return _EXTRA_FORMS[word]
    for form in (word, word.removesuffix("s")):
        if form in EXTRA_PAST:
            return form
    return next((base for base, past in EXTRA_PAST.items() if past == word), None)


Status = Literal["done", "planned", "not done", "conditional"]
"""What a source makes of a relation."""
MAX_RELATION_CHARACTERS = 60
"""Of a model's verb phrase."""
BEING = frozenset({"is", "are", "was", "were", "be", "been", "being", "am", "'s", "\u2019s", "'re"})
"""Forms of 'be'."""
_LEADS = AUXILIARY | HYPOTHETICAL | FUTURE | {"to", "not", "never", "also", "then", "a", "an", "the"}
_VERBS_OF = frozenset({"consist", "dispose"})
"""Verbs outside the curated set that take 'of'; another word before it is a noun: 'subsidiary of'."""
_PARTICLES = _AFTER - LINKS - {"a", "an", "the", "its"}
_NAMES: dict[Status, tuple[str, str, str]] = {
    "done": ("{past}", "was {participle}", "is"),
    "planned": ("plans to {base}", "will be {participle}", "will be"),
    "not done": ("did not {base}", "was not {participle}", "is not"),
    "conditional": ("may {base}", "may be {participle}", "may be"),
}
"""Of a verb, of its passive, and of 'is' with a noun: 'is subsidiary of'."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A verb phrase as it was read."""

    name: str
    """As the graph names it: 'opened in', 'plans to certify', 'was not approved for'."""
    base: str
    """The verb, or the noun after 'is', by which a text is searched for it."""
    status: Status
    swapped: bool = False
    """Head and tail change places: 'was certified by'."""
    active: bool = True
    """The head does it."""


@lru_cache(maxsize=4096)
def any_relation(text: str, status: Status = "done") -> Relation | None:
    """A model's verb phrase with any verb; one of the curated set is named as ever, another one by its base and the
    rules of spelling. None for 'is' alone, no verb at all or a phrase that is too long. What the words themselves say
    of the status ('may acquire') counts where the model says 'done'."""
    words = re.findall(r"[a-z']+(?:-[a-z]+)*", text.casefold().replace("\u2019", "'").replace("_", " "))
    if not words or len(text) > MAX_RELATION_CHARACTERS:
        return None
    at = next((i for i, word in enumerate(words) if not _leads(words, i)), len(words))
    before, after = words[:at], words[at + 1 :]
    status = _status_of(before) if status == "done" else status
    active, passive, being = _NAMES[status]
    if at == len(words):
        held = "have" in map(base_form, before)
        return Relation(_conjugated(active, "have"), "have", status) if held else None
    is_verb = verb_base(words[at]) is not None or is_participle(words[at])
    if not is_verb and (set(before) & BEING or (after[-1:] == ["of"] and words[at] not in _VERBS_OF)):
        return Relation(" ".join([being, *words[at:]]), words[at], status, active=False)
    base = verb_base(words[at]) or base_form(words[at])
    particle = [word for word in after[:1] if word in _PARTICLES]
    link = [word for word in after[-1:] if word in LINKS]
    done_to = bool(set(before) & BEING) and not words[at].endswith("ing")
    if "by" in after and (done_to or not before):
        return Relation(" ".join([_conjugated(active, base), *particle]), base, status, swapped=True)
    form = passive if done_to else active
    return Relation(" ".join([_conjugated(form, base), *particle, *link]), base, status, active=not done_to)


Form = Literal["active", "passive", "being", "having"]
_HAVING: dict[Status, str] = {
    "done": "has",
    "planned": "will have",
    "not done": "does not have",
    "conditional": "may have",
}


def relation_of(
    words: str, form: Form, status: Status, way: Sequence[str] = (), *, present: bool = False, said: str = ""
) -> Relation:
    """A predicate as the graph names it: its base with a particle ('spin off'), for 'being' what somebody is ('owner
    of'), for 'having' nothing; then the nouns and prepositions that lead on: 'into', 'agreement', 'with'. `present`:
    what goes on, 'operates'. `said`: the verb's own form, where it is known."""
    base, _, particle = words.partition(" ")
    if form == "having":
        return Relation(" ".join((_HAVING[status], *way)), "have", status)
    active, passive, being = _NAMES[status]
    if form == "being":
        return Relation(" ".join((being, words, *way)), base, status, active=False)
    if present and status == "done":
        active, passive = "{third}", "is {participle}"
    name = _conjugated(active if form == "active" else passive, base)
    if said and status == "done":
        name = said if form == "active" else f"{'is' if present else 'was'} {said}"
    return Relation(" ".join(filter(None, (name, particle, *way))), base, status, active=form == "active")


def _leads(words: Sequence[str], at: int) -> bool:
    """Whether a word stands before the verb and is none."""
    word = words[at]
    intends = word in INTENTS and "to" in words[at + 1 : at + 2]
    return word in _LEADS or intends or word.endswith(("ly", "n't"))


def _status_of(before: Sequence[str]) -> Status:
    words = set(before)
    if words & {"not", "never"} or any(word.endswith("n't") for word in before):
        return "not done"
    return "planned" if words & (INTENTS | FUTURE) else "conditional" if words & HYPOTHETICAL else "done"


def _conjugated(form: str, base: str) -> str:
    past = PAST_OF.get(base) or EXTRA_PAST.get(base) or past_of(base)
    return form.format(
        base=base,
        past=past,
        third=third_of(base),
        participle=participle_of(base) if past == past_of(base) else past,
    )
