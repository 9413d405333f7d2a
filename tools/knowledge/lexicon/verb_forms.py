"""Forms of any English verb: irregular ones by name, the others by the rules of spelling."""

from __future__ import annotations

import re
from functools import lru_cache

_IRREGULAR = """
be was been; become became become; begin began begun; bind bound bound; bring brought brought; choose chose chosen;
come came come; deal dealt dealt; do did done; draw drew drawn; fall fell fallen; fight fought fought; find found found;
freeze froze frozen; get got gotten; give gave given; go went gone; have has had; hit hit hit; hold held held;
keep kept kept; know knew known; lay laid laid; leave left left; lend lent lent; let let let; make made made;
mean meant meant; meet met met; put put put; quit quit quit; rise rose risen; run ran run; say said said; see saw seen;
seek sought sought; send sent sent; set set set; show showed shown; split split split; stand stood stood;
strike struck struck; take took taken; teach taught taught; tell told told; undergo underwent undergone;
undertake undertook undertaken; withdraw withdrew withdrawn; write wrote written
"""
_ROWS = [row.split() for row in _IRREGULAR.split(";")]
_PAST = {base: (past, participle) for base, past, participle in _ROWS}
_BASES = {form: row[0] for row in _ROWS for form in row}
MAX_PREFIX_LETTERS = 5
"""A longer verb is told by its first letters, so that its noun says it, too: 'certify', 'certification'."""


def past_of(verb: str) -> str:
    """'certify' -> 'certified'; 'have' -> 'has', which no company had alone; a past form as it is."""
    return _PAST[verb][0] if verb in _PAST else _regular(verb)


def third_of(verb: str) -> str:
    """'certify' -> 'certifies', 'have' -> 'has'."""
    if verb in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[verb]
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|sh|ch|x|z)$", verb) else "s")


def participle_of(verb: str) -> str:
    """'take' -> 'taken'."""
    return _PAST[verb][1] if verb in _PAST else _regular(verb)


def is_participle(word: str) -> bool:
    """Whether a word after 'is' may be a verb: 'based', 'held', 'building'."""
    return word.endswith(("ed", "ing")) or word in _BASES


def _regular(verb: str) -> str:
    if verb.endswith("ed"):
        return verb
    if verb.endswith("e"):
        return verb + "d"
    return verb[:-1] + "ied" if re.search(r"[^aeiou]y$", verb) else verb + "ed"


@lru_cache(maxsize=4096)
def base_form(word: str) -> str:
    """A likely base: 'held' -> 'hold', 'certifies' -> 'certify', 'located' -> 'locate'; a base as it is."""
    if word in _BASES:
        return _BASES[word]
    if len(word) > 4 and word.endswith(("ies", "ied")):
        return word[:-3] + "y"
    if re.search(r"(?:ss|sh|ch|x|zz)es$", word):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    stem = re.sub(r"(?:ed|ing)$", "", word)
    if stem == word or len(stem) < 3:
        return word
    if re.search(r"([bdgmnprt])\1$", stem):
        return stem[:-1]
    return stem + "e" if re.search(r"(?:[cvuz]|at|[^aeiou][bpgt]l|[rld]g|[aeiou][sr])$", stem) else stem


@lru_cache(maxsize=4096)
def forms_pattern(base: str) -> re.Pattern[str]:
    """What matches a word that is a form of the verb."""
    own = [form for form, of in _BASES.items() if of == base]
    if len(base) > MAX_PREFIX_LETTERS:
        return re.compile("|".join([*own, f"{base[: max(MAX_PREFIX_LETTERS, len(base) - 2)]}[a-z]*"]))
    stem = base.removesuffix("e")
    ends = "ed|ing|er|ers|es|e|s|" if stem == base else "e|es|ed|ing|er|ers"
    last = re.escape(base[-1])
    doubled = f"{base}{last}(?:ed|ing|er|ers)"
    return re.compile(
        "|".join([*own, f"{stem}(?:{ends})", doubled, rf"{re.sub('y$', 'i', base)}(?:ed|es|er)"])
    )
