"""How names are compared: folded forms of companies, people and other things, and who a short name may be."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from tools.documents.metadata.company_names import LEGAL_SUFFIXES
from tools.documents.text.ordinary_words import FIRST_NAMES
from tools.documents.types import Document

if TYPE_CHECKING:
    from nicknames import NickNamer

LEGAL_FORMS = LEGAL_SUFFIXES | {"holdings", "holding", "group", "the", "kk", "trust", "private", "pvt"}
"""Words by which no two entities differ: a company's legal suffixes, and what often stands beside them."""
_TITLES = frozenset({"mr", "mrs", "ms", "miss", "dr", "sir", "prof"})
_GENERATIONS = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "cfa", "md"})
_NAME_WORD = re.compile(r"[^\W_]+(?:[&'][^\W_]+)*")


@lru_cache(maxsize=65536)
def fold_name(name: str) -> str:
    """Case, accents, punctuation and possessives removed: \"L'Oréal's\" -> 'l'oreal'."""
    plain = unicodedata.normalize("NFKD", name.replace("\u2019", "'"))
    plain = "".join(c for c in plain if not unicodedata.combining(c)).casefold().replace("u.s.", "us")
    plain = plain.replace(".com", "dotcom").replace(".", "" if re.search(r"\b\w\.\w\.", plain) else " ")
    return " ".join(re.sub(r"'s?$", "", word) for word in _NAME_WORD.findall(plain)).strip()


@lru_cache(maxsize=65536)
def fold_company(name: str) -> str:
    """`fold_name` without legal suffixes and a leading 'the': 'Apple Inc.' -> 'apple'; never empty for a
    name."""
    words = fold_name(name).removesuffix("dotcom").split()
    words = [w.removesuffix("dotcom") for w in words]
    kept = list(words)
    while len(kept) > 1 and (kept[-1] in LEGAL_FORMS or (kept[-1] == "and" and len(kept) < len(words))):
        kept.pop()
    if len(kept) > 1 and kept[0] == "the":
        kept = kept[1:]
    return " ".join(kept)


def own_aliases(document: Document) -> list[str]:
    """Names that mean the document's company and nothing narrower: its name, key, ticker, single words and parts of
    its name. 'Aflac' is Aflac; 'Aflac International' is a subsidiary."""
    whole = set(fold_company(document.company).split())
    names = [document.company, document.company_key]
    if document.ticker:
        names.append(document.ticker)
    for alias in document.aliases:
        words = fold_company(alias).split()
        if len(words) == 1 or (words and set(words) <= whole):
            names.append(alias)
    return list(dict.fromkeys(names))


def person_words(name: str) -> list[str]:
    """The words of a person's name without titles, generations and the words of who says his own: 'Mr. Tim Cook Jr.'
    and "I'm Tim Cook" -> ['tim', 'cook']."""
    words = fold_name(name).split()
    return [w for w in (words[1:] if words[:1] == ["i'm"] else words) if w not in _TITLES | _GENERATIONS]


def same_person(short: Sequence[str], full: Sequence[str]) -> bool:
    """True if `short` (words of a name) may be a shorter form of `full`: a first or last name, some of its words, or
    first and last with a shortened or familiar first name ('dan amos' for 'daniel paul amos')."""
    if not short or len(full) < 2:
        return False
    if len(short) == 1:
        return short[0] in {full[0], full[-1]} or (len(short[0]) > 2 and full[0].startswith(short[0]))
    if short[-1] != full[-1]:
        return False
    return set(short) <= set(full) or (_same_first(short[0], full[0]) and _same_middles(short, full))


def _same_first(one: str, other: str) -> bool:
    shorter = min(len(one), len(other))
    if one == other or (shorter == 1 and one[0] == other[0]) or (shorter > 2 and one[:3] == other[:3]):
        return True
    forms, others = _formal_names(one), _formal_names(other)
    return not forms.isdisjoint(others)


def _same_middles(short: Sequence[str], full: Sequence[str]) -> bool:
    """'james j burke' is not 'james r burke'."""
    return all(
        any((one[0] == other[0] and 1 in (len(one), len(other))) or one == other for other in full[1:-1])
        for one in short[1:-1]
    )


@lru_cache(maxsize=65536)
def _formal_names(first: str) -> frozenset[str]:
    """The name itself and those that it is a familiar form of: 'bob' -> 'bob', 'robert', 'bert'."""
    return frozenset({first, *_nick_namer().canonicals_of(first)})


@cache
def _nick_namer() -> NickNamer:
    from nicknames import NickNamer  # 20 ms, and only while a graph is built

    return NickNamer()


@lru_cache(maxsize=65536)
def is_given_name(word: str) -> bool:
    """Whether people are called so, lower case."""
    names = _nick_namer()
    return word in FIRST_NAMES or bool(names.canonicals_of(word) or names.nicknames_of(word))
