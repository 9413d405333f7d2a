"""The names in a set of triplets, with what the triplets say of them: how often each type was read, who took part in a
call and for whom they work, which short forms the documents define."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from tools.knowledge.graph.resolution import fold_company, fold_name, person_words
from tools.knowledge.types import EntityType, Triplet

NAMED: frozenset[EntityType] = frozenset({"company", "person", "product", "location", "event", "regulation"})
SHORT_FOR = "is short for"
"""The relation of a short form to the name that a sentence gives it for."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name as a document has it."""

    name: str
    kind: EntityType
    """As it was read."""
    company: str
    """Key of the document's company."""
    document: str


@dataclass(slots=True)
class Mentions:
    """What a set of triplets says of its names."""

    counts: Counter[Mention] = field(default_factory=Counter)
    pages: dict[Mention, int] = field(default_factory=dict)
    """The first page of its document that it stands on."""
    participants: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Document id -> the names of a call's list."""
    employers: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    """(company key, an analyst's name) -> the firms that the lists of its calls give."""
    defined: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """(company key, short form, name), as printed."""


def read_mentions(triplets: Iterable[Triplet]) -> Mentions:
    """The names of these triplets."""
    found = Mentions()
    analysts: set[tuple[str, str]] = set()
    firms: list[tuple[str, str, str]] = []
    for t in triplets:
        if t.value is not None or t.relation == "reports":
            continue  # figures: nine in ten triplets name nobody but the filer
        for name, kind in ((t.head, t.head_type), (t.tail, t.tail_type)):
            if kind in NAMED:
                mention = Mention(name, kind, t.company_key, t.document_id)
                found.counts[mention] += 1
                found.pages[mention] = min(t.page, found.pages.get(mention, t.page))
        if t.relation == "took part in":
            found.participants[t.document_id].add(t.head)
        elif t.relation == "works for" and t.head_type == "person":
            firms.append((t.document_id, t.head, t.tail))
            if t.tail != t.company:
                analysts.add((t.document_id, t.head))
        elif t.relation == SHORT_FOR:
            found.defined[(t.company_key, t.head, t.tail)] += 1
    companies = {mention.document: mention.company for mention in found.counts}
    for document, person, firm in firms:
        if (document, person) in analysts and person in found.participants.get(document, ()):
            found.employers[(companies[document], person)].add(firm)
    return found


def fold(name: str, kind: EntityType) -> str:
    """As names of a type are compared."""
    if kind == "person":
        return " ".join(person_words(name)) or fold_name(name)
    folded = fold_company(name) if kind == "company" else fold_name(name)
    return f"us {folded[14:]}" if folded.startswith("united states ") else folded


def identity(name: str) -> str:
    """As a name is compared whatever its type: without legal suffix and without spaces."""
    return fold(name, "company").replace("dotcom", "").replace(" ", "")
