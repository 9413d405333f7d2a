"""Entity resolution: which names are one node. Deterministic, and blind to the order of documents."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from rapidfuzz import fuzz

from tools.documents.metadata.company_names import LEGAL_SUFFIXES
from tools.documents.types import Document
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.knowledge.types import EntityType, Triplet

MIN_SIMILARITY = 93.0
"""Least similarity (rapidfuzz ratio, 0 to 100) at which two names of one type are taken for one."""
FUZZY_TYPES: frozenset[EntityType] = frozenset({"company", "product", "location", "event", "regulation"})

LEGAL_FORMS = LEGAL_SUFFIXES | {"holdings", "holding", "group", "the", "kk", "trust"}
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
    while len(kept) > 1 and kept[-1] in LEGAL_FORMS:
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
    """The words of a person's name without titles and generations: 'Mr. Tim Cook Jr.' -> ['tim', 'cook']."""
    return [w for w in fold_name(name).split() if w not in _TITLES and w not in _GENERATIONS]


def same_person(short: Sequence[str], full: Sequence[str]) -> bool:
    """True if `short` (words of a name) may be a shorter form of `full`: a first or last name, some of its words, or
    first and last with a shortened first name ('dan amos' for 'daniel paul amos')."""
    if not short or len(full) < 2:
        return False
    if len(short) == 1:
        return short[0] in {full[0], full[-1]} or (len(short[0]) > 2 and full[0].startswith(short[0]))
    if short[-1] != full[-1]:
        return False
    if set(short) <= set(full):
        return True
    one, other = short[0], full[0]
    shorter = min(len(one), len(other))
    return one == other or (shorter in {1} and one[0] == other[0]) or (shorter > 2 and one[:3] == other[:3])


class Resolver:
    """Names -> entity keys for one set of triplets.

    Built from all triplets at once, so that a key depends on the set and not on its order. `key` answers
    for the names it was built from; an unseen name gets the key its folded form would have.
    """

    def __init__(self, triplets: Iterable[Triplet], documents: Mapping[str, Document]) -> None:
        self._companies = _company_names(documents.values())
        counts: dict[EntityType, Counter[str]] = defaultdict(Counter)
        people: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for triplet in triplets:
            for name, kind in ((triplet.head, triplet.head_type), (triplet.tail, triplet.tail_type)):
                if kind == "person":
                    people[triplet.company_key][triplet.document_id].add(name)
                elif kind in FUZZY_TYPES:
                    counts[kind][_fold(name, kind)] += 1
        self._merged = {kind: merge_similar(names) for kind, names in counts.items()}
        self._people = {company: resolve_people(names) for company, names in people.items()}

    def key(
        self, name: str, kind: EntityType, company_key: str, document_id: str, path: tuple[str, ...] = ()
    ) -> str:
        """Identity of an entity named in a document of a company; `path` is the headings of a metric's
        row."""
        if kind == "person":
            folded = " ".join(person_words(name)) or fold_name(name)
            folded = self._people.get(company_key, {}).get((document_id, folded), folded)
            return f"person:{company_key}:{folded}"
        if kind == "metric":
            return f"metric:{company_key}:{canonical_metric(name, path)}"
        if kind in {"value", "period"}:
            return f"{kind}:{name.casefold()}"
        folded = _fold(name, kind)
        if kind == "company":
            known = self._companies.get(folded) or self._companies.get(fold_name(name))
            if known:
                return f"company:{known}"
        return f"{kind}:{self._merged.get(kind, {}).get(folded, folded)}"


def _fold(name: str, kind: EntityType) -> str:
    return fold_company(name) if kind == "company" else fold_name(name)


def _company_names(documents: Iterable[Document]) -> dict[str, str]:
    """Folded names, tickers and aliases of the filers -> company key; names two filers share are left out."""
    found: dict[str, set[str]] = defaultdict(set)
    for document in documents:
        for name in own_aliases(document):
            for folded in (fold_company(name), fold_name(name)):
                if folded:
                    found[folded].add(document.company_key)
    return {name: next(iter(keys)) for name, keys in found.items() if len(keys) == 1}


def merge_similar(counts: Mapping[str, int]) -> dict[str, str]:
    """Folded name -> the name that stands for its group; names that differ in a digit are never one.

    Compared within blocks of a first three letters, so that thousands of names stay cheap; groups are the
    connected components, and the most frequent (then longest, then first) name stands for one.
    """
    parent = {name: name for name in counts}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    blocks: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name in sorted(counts):
        if len(name) >= 6:
            blocks[(name[:3], "".join(c for c in name if c.isdigit()))].append(name)
    for names in blocks.values():
        for index, one in enumerate(names):
            for other in names[index + 1 :]:
                if (
                    abs(len(one) - len(other)) <= 2
                    and fuzz.ratio(one, other) >= MIN_SIMILARITY
                    and _typo(one, other)
                ):
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
    """True if the two differ as spellings do: same number of words, or a space or plural more or less."""
    if one.replace(" ", "") == other.replace(" ", ""):
        return True
    first, second = one.split(), other.split()
    if len(first) != len(second):
        return False
    changed = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    return len(changed) == 1 and min(len(changed[0][0]), len(changed[0][1])) >= 4


def resolve_people(names_by_document: Mapping[str, set[str]]) -> dict[tuple[str, str], str]:
    """(document id, folded name) -> folded full name, within one company.

    A short name becomes a full one of its own document if exactly one fits; a name of two words or more
    may also take a full name of the company's other documents.
    """
    resolved: dict[tuple[str, str], str] = {}
    everywhere = {" ".join(person_words(n)) for names in names_by_document.values() for n in names}
    for document, names in names_by_document.items():
        here = {" ".join(person_words(name)) for name in names}
        for folded in here:
            short = folded.split()
            full = _fullest(short, here) or (_fullest(short, everywhere) if len(short) > 1 else None)
            if full and full != folded:
                resolved[(document, folded)] = full
    return resolved


def _fullest(short: Sequence[str], names: Iterable[str]) -> str | None:
    """The only full name that `short` fits, else None."""
    fits = {name for name in names if _longer(name.split(), short) and same_person(short, name.split())}
    if len(fits) > 1:
        longest = max(sorted(fits), key=len).split()
        if all(f.split() == longest or same_person(f.split(), longest) for f in fits):
            return " ".join(longest)
        return None
    return next(iter(fits), None)


def _longer(full: Sequence[str], short: Sequence[str]) -> bool:
    return len(full) > 1 and (len(full), len(" ".join(full))) > (len(short), len(" ".join(short)))
