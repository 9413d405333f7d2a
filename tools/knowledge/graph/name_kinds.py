"""One type a name: parses call 'Cash App' a person here and a product there; the documents together know better."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from tools.documents.metadata.company_names import LEGAL_SUFFIXES
from tools.documents.text.ordinary_words import FIRST_NAMES, ORDINARY, PLACES
from tools.knowledge.graph.mentions import Mention, Mentions, fold, identity
from tools.knowledge.graph.resolution import fold_name, is_given_name, person_words
from tools.knowledge.types import EntityType

_ORDER: tuple[EntityType, ...] = ("regulation", "event", "company", "product", "person")
"""Of two types read equally often and of names that end alike: what is read on purpose before what is left over."""
_MIXED: frozenset[EntityType] = frozenset(_ORDER)
"""Types that parses mix up; places stay what they were read as."""


class NameKinds:
    """Name -> its type, by what the documents together say of it."""

    def __init__(self, mentions: Mentions, filers: Iterable[str], same: Mapping[str, str]) -> None:
        """`filers`: names of the companies whose documents are read. `same`: identity of a thing called with its
        maker's name before it -> that without: nobody calls a company so."""
        self._companies = {identity(name) for name in filers}
        self._companies |= {identity(firm) for firms in mentions.employers.values() for firm in firms}
        self._parts: dict[str, dict[str, set[str]]] = {
            document: _first_and_last(names) for document, names in mentions.participants.items()
        }
        self._people = {
            (document, fold(name, "person"))
            for document, names in mentions.participants.items()
            for name in names
        }
        self._made = set(same.values())
        self._same = {**same, **_defined_identities(mentions)}
        self._last_names = {
            document: {person_words(name)[-1:][0] for name in names if person_words(name)}
            for document, names in mentions.participants.items()
        }
        legal = [mention for mention in mentions.counts if _is_legal(mention.name)]
        self._legal = {self._identity(mention.name) for mention in legal}
        self._legal_here = {(mention.company, self._identity(mention.name)) for mention in legal}
        self._counts: dict[str, Counter[EntityType]] = defaultdict(Counter)
        named: dict[str, set[str]] = defaultdict(set)
        for mention, count in mentions.counts.items():
            if mention.kind in _MIXED and not self._is_participant(mention):
                name = self._identity(mention.name)
                self._counts[name][self._read_as(mention)] += count
                named[name].add(fold_name(mention.name))
        self._endings = _by_last_word(named, self._counts)
        self._voted = {name: self._vote(name, counts) for name, counts in self._counts.items()}

    def kind(self, mention: Mention) -> EntityType:
        """The type of a mention."""
        if mention.kind not in _MIXED:
            legal = (mention.company, self._identity(mention.name)) in self._legal_here
            return "company" if legal and mention.kind == "location" else mention.kind
        if self._is_participant(mention):
            return "person"
        return self._voted.get(self._identity(mention.name), mention.kind)

    def _identity(self, name: str) -> str:
        plain = identity(name)
        return self._same.get(plain, plain)

    def _is_participant(self, mention: Mention) -> bool:
        """Whether it names somebody of the call: in full, by a first or last name that one of them alone has, or by
        another given name before the last name."""
        folded = fold(mention.name, "person")
        if (mention.document, folded) in self._people:
            return True
        if identity(mention.name) in self._companies:
            return False
        *before, last = folded.split() or [""]
        known = self._parts.get(mention.document, {})
        if before:
            return is_given_name(before[0]) and last in self._last_names.get(mention.document, ())
        return len(known.get(last, ())) == 1

    def _read_as(self, mention: Mention) -> EntityType:
        """The type it was read as; what has an ordinary word, a place, a company or a figure in it and no given name
        before it is no person."""
        if mention.kind != "person":
            return mention.kind
        words = person_words(mention.name)
        if len(words) != len(fold_name(mention.name).split()):
            return "person"  # a title
        long = [word for word in words if len(word) > 1]
        plain = any(word in ORDINARY or word in PLACES or identity(word) in self._companies for word in long)
        shouted = any(len(word) > 1 and word.isupper() and "." not in word for word in mention.name.split())
        odd = plain or shouted or any(c.isdigit() for c in mention.name)
        called = words[:1] and is_given_name(words[0]) and words[0] not in PLACES - FIRST_NAMES
        return "product" if odd and not called else "person"

    def _vote(self, name: str, counts: Counter[EntityType]) -> EntityType:
        if name in self._companies or name in self._legal:
            return "company"
        if name in self._made:
            return "product"
        endings = self._endings.get(name, Counter())
        total = sum(endings.values()) or 1
        return min(_ORDER, key=lambda kind: (-counts[kind] - endings[kind] / total / 2, _ORDER.index(kind)))


def _is_legal(name: str) -> bool:
    words = fold_name(name).split()
    return len(words) > 1 and words[-1] in LEGAL_SUFFIXES


def _first_and_last(names: Iterable[str]) -> dict[str, set[str]]:
    """First and last names of people -> the people."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in names:
        words = person_words(name)
        for word in {words[0], words[-1]} if len(words) > 1 else ():
            found[word].add(name)
    return found


def _defined_identities(mentions: Mentions) -> dict[str, str]:
    """Identity of a short form -> that of the only name it is defined for."""
    found: dict[str, set[str]] = defaultdict(set)
    for _, term, name in mentions.defined:
        found[identity(term)].add(identity(name))
    return {term: next(iter(names)) for term, names in found.items() if len(names) == 1 and term not in names}


def _by_last_word(
    named: Mapping[str, set[str]], counts: Mapping[str, Counter[EntityType]]
) -> dict[str, Counter[EntityType]]:
    """Identity -> how often other names with the same last word are of each type: most that end in 'act' are laws."""
    of_word: dict[str, Counter[EntityType]] = defaultdict(Counter)
    last: dict[str, str] = {}
    for name, counted in counts.items():
        words = min(named[name], key=lambda each: (-len(each), each)).split()
        last[name] = words[-1]
        if len(words) > 1:
            of_word[words[-1]].update(counted.keys())
    return {name: of_word[word] for name, word in last.items()}
