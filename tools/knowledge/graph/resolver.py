"""Entity resolution: which names are one node. Deterministic, and blind to the order of documents."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product

from tools.documents.types import Document
from tools.knowledge.graph.decisions import Decision, Named
from tools.knowledge.graph.groups import Groups, Merge, Name
from tools.knowledge.graph.mentions import NAMED, Mention, Mentions, fold, read_mentions
from tools.knowledge.graph.name_joins import NameJoins, filer, filer_names, made_by
from tools.knowledge.graph.name_kinds import NameKinds
from tools.knowledge.graph.people import fullest, join_between, join_within, resolve_people
from tools.knowledge.graph.resolution import fold_company
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.knowledge.types import EntityType, Triplet

DECIDED = "decided by the user"


class Resolver:
    """Names -> entity keys for one set of triplets.

    Built from all triplets at once, so that a key depends on the set and not on its order. `key` answers
    for the names it was built from; an unseen name gets the key its folded form would have.
    """

    def __init__(
        self,
        triplets: Iterable[Triplet],
        documents: Mapping[str, Document],
        decisions: Sequence[Decision] = (),
    ) -> None:
        """`decisions` go before all evidence."""
        mentions = read_mentions(triplets)
        self._filers = filer_names(documents.values())
        self._kinds = NameKinds(mentions, self._filers, made_by(mentions.counts, self._filers))
        self._short = self._resolve_people(mentions.counts)
        self._names: dict[Name, Counter[str]] = defaultdict(Counter)
        self._places: dict[Name, tuple[str, int]] = {}
        for mention, count in mentions.counts.items():
            name = self._name(mention)
            self._names[name][mention.name] += count
            place = mention.document, mentions.pages[mention]
            self._places[name] = min(place, self._places.get(name, place))
        self.groups = self._decide(decisions, documents.values())
        NameJoins(self.groups, self._names, mentions, self._filers).join_all()
        for company, resolved in sorted(self._short.items()):
            join_within(self.groups, company, resolved)
        join_between(self.groups, _firms_of_people(mentions))
        self._keys = self._keyed()
        self.retyped: dict[tuple[Name, EntityType], tuple[str, int]] = {}
        """(name, another type that it was read as) -> document id and page where it was."""
        for mention, page in mentions.pages.items():
            name = self._name(mention)
            if mention.kind != name.kind:
                place = mention.document, page
                self.retyped[name, mention.kind] = min(place, self.retyped.get((name, mention.kind), place))

    def key(
        self, name: str, kind: EntityType, company_key: str, document_id: str, path: tuple[str, ...] = ()
    ) -> str:
        """Identity of an entity named in a document of a company; `path` is the headings of a metric's
        row."""
        if kind == "metric":
            return f"metric:{company_key}:{canonical_metric(name, path)}"
        if kind not in NAMED:
            return f"{kind}:{name.casefold()}"
        found = self._name(Mention(name, kind, company_key, document_id))
        known = self._keys.get(found)
        if known is None and found.kind == "company" and found.folded in self._filers:
            known = f"company:{self._filers[found.folded]}"
        return known or _key(found)

    def merges(self) -> list[Merge]:
        """Names taken for one entity though they are written in different ways, or are people of different companies'
        documents."""
        return [
            each
            for each in self.groups.merges
            if each.reason and (each.one.folded != each.other.folded or each.one.kind == "person")
        ]

    def key_of(self, name: Name) -> str:
        """Key of the entity that a merged name is."""
        return self._keys.get(name) or (f"company:{name.folded}" if not name.company else _key(name))

    def printed(self, name: Name) -> str:
        """The form in which a name stands most often."""
        forms = self._names.get(name, Counter())
        return min(forms, key=lambda form: (-forms[form], len(form), form), default=name.folded)

    def place(self, name: Name) -> tuple[str, int]:
        """Id of a document that has the name, and its first page there; ('', 0) for one that none has."""
        return self._places.get(name, ("", 0))

    def _name(self, mention: Mention) -> Name:
        kind = self._kinds.kind(mention)
        folded = fold(mention.name, kind)
        if kind == "person" and " " not in folded:
            folded = self._short.get(mention.company, {}).get((mention.document, folded), folded)
        return Name(kind, folded, mention.company)

    def _resolve_people(self, mentions: Iterable[Mention]) -> dict[str, dict[tuple[str, str], str]]:
        people: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for mention in mentions:
            if self._kinds.kind(mention) == "person":
                people[mention.company][mention.document].add(mention.name)
        return {company: resolve_people(names) for company, names in people.items()}

    def _decide(self, decisions: Sequence[Decision], documents: Iterable[Document]) -> Groups:
        """Groups of the user's making."""
        companies: dict[str, set[str]] = defaultdict(set)
        for document in documents:
            for own in (document.company, document.company_key, document.ticker or document.company_key):
                companies[fold_company(own)].add(document.company_key)
        apart: list[tuple[Name, Name]] = []
        together: list[tuple[Name, Name]] = []
        for decision in sorted(decisions, key=str):  # a chain of them gives the same in any order of lines
            one, other = (
                self._meant(each, decision.kind, companies) for each in (decision.one, decision.other)
            )
            if decision.same:
                together += pairwise([*one, *other]) if one and other else []
            else:
                apart += product(one, other)
        keys = {key for keys in companies.values() for key in keys}
        groups = Groups(apart, {filer(key): key for key in keys})
        for pair in together:
            groups.join(*pair, DECIDED)
        return groups

    def _meant(self, named: Named, kind: EntityType, companies: Mapping[str, set[str]]) -> list[Name]:
        """The names that a decision is about."""
        folded = fold(named.name, kind)
        own = companies.get(fold_company(named.company), set())
        found = [
            name
            for name in self._names
            if (name.kind, name.folded) == (kind, folded) and (not named.company or name.company in own)
        ]
        if kind == "company" and folded in self._filers and not named.company:
            found.append(filer(self._filers[folded]))
        return sorted(found)

    def _keyed(self) -> dict[Name, str]:
        """Name -> key of its group. Groups of one name, titles that companies share, also carry the company's key."""
        keys: dict[Name, str] = {}
        wanted: dict[tuple[str, str], list[list[Name]]] = defaultdict(list)
        for root, members in self.groups.members(self._names).items():
            if company := self.groups.filer(root):
                keys.update((name, f"company:{company}") for name in members)
            else:
                wanted[self._wanted(members)].append(members)
        filers = set(keys.values())
        for (start, folded), groups in wanted.items():
            for members in groups:
                key = f"{start}{folded}"
                if len(groups) > 1 or key in filers:  # no two groups have the name in one company's documents
                    key += f"@{min(name.company for name in members if name.folded == folded)}"
                keys.update((name, key) for name in members)
        return keys

    def _wanted(self, members: Sequence[Name]) -> tuple[str, str]:
        """How the group's key begins, and the name that it ends with."""
        if members[0].kind == "person":
            company = min(name.company for name in members)
            return f"person:{company}:", fullest(name.folded for name in members)
        counts: Counter[str] = Counter()
        for name in members:
            counts[name.folded] += self._names[name].total()
        return f"{members[0].kind}:", min(counts, key=lambda n: (-counts[n], -len(n), n))


def _key(name: Name) -> str:
    return f"person:{name.company}:{name.folded}" if name.kind == "person" else f"{name.kind}:{name.folded}"


def _firms_of_people(mentions: Mentions) -> dict[Name, list[Name]]:
    """Analysts of participant lists -> their firms; a first name alone is nobody."""
    return {
        Name("person", fold(person, "person"), company): [
            Name("company", fold(firm, "company"), company) for firm in sorted(firms)
        ]
        for (company, person), firms in sorted(mentions.employers.items())
        if " " in fold(person, "person")
    }
