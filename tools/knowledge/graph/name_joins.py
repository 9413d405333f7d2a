"""What speaks for two names of companies, products, events or laws being one: filers' names, spelling, short forms that
a sentence defines, firms of analysts. Each with its reason."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from tools.documents.text.ordinary_words import ORDINARY, PLACES
from tools.documents.types import Document
from tools.knowledge.graph.groups import Groups, Name
from tools.knowledge.graph.mentions import NAMED, Mention, Mentions, fold, identity
from tools.knowledge.graph.resolution import fold_company, fold_name, is_given_name, own_aliases
from tools.knowledge.graph.spelling import merge_similar

FILER = "the name of a company whose documents are read"
BEGINS_FILER = "begins the name of that company alone"
SPELT_ALIKE = "spelt alike"
DEFINED = "a sentence says that one is short for the other"
FIRM = "firms of analysts, one name a longer form of the other"
OF_COUNTRY = "the same with the country before it"
OF_MAKER = "the same with its maker's name before it"
MAX_ABBREVIATION = 4
"""Letters up to which 'URI' and 'Uri' are two names."""
MIN_TITLED = 2
"""Longer names that end with a name from which on it is a title."""
_SMALL = frozenset({"of", "and", "the", "for"})


def filer_names(documents: Iterable[Document]) -> dict[str, str]:
    """Folded names, tickers and aliases of the filers -> company key; names two filers share are left out."""
    found: dict[str, set[str]] = defaultdict(set)
    for document in documents:
        for name in own_aliases(document):
            for folded in (fold_company(name), fold_name(name)):
                if folded:
                    found[folded].add(document.company_key)
    return {name: next(iter(keys)) for name, keys in found.items() if len(keys) == 1}


def made_by(mentions: Iterable[Mention], filers: Mapping[str, str]) -> dict[str, str]:
    """Identity of a filer's thing called with the filer's name before it -> that without: 'Orla Vela' -> 'Vela',
    where its documents say both and the shorter is no ordinary word, place or given name."""
    names: dict[str, set[str]] = defaultdict(set)
    for mention in mentions:
        names[mention.company].add(fold_name(mention.name))
    return {
        longer.replace(" ", ""): longer.partition(" ")[2].replace(" ", "")
        for company, own in names.items()
        for longer in own
        if filers.get(longer.partition(" ")[0]) == company
        and longer.partition(" ")[2] in own
        and not _is_common(longer.partition(" ")[2])
    }


def is_plain(folded: str) -> bool:
    """Whether a name has ordinary words and numbers only: a title that others give to other things."""
    return all(
        word in ORDINARY or word.isdigit() or len(word) == 1 or word in _SMALL for word in folded.split()
    )


class NameJoins:
    """Joins the names of all types but people's in `groups`."""

    def __init__(
        self,
        groups: Groups,
        names: Mapping[Name, Counter[str]],
        mentions: Mentions,
        filers: Mapping[str, str],
    ) -> None:
        """`names`: each with how often it is printed in which form; `filers`: see `filer_names`."""
        self._groups, self._names, self._filers = groups, names, filers
        self._by_folded: dict[tuple[str, str], list[Name]] = defaultdict(list)
        for name in sorted(names):
            if name.kind != "person":
                self._by_folded[(name.kind, name.folded)].append(name)
        self._defined: dict[tuple[str, str], set[str]] = defaultdict(set)
        for company, term, full in sorted(mentions.defined):
            self._defined[(company, fold_name(term))].add(identity(full))
        self._firms = {fold(f, "company") for firms in mentions.employers.values() for f in firms}
        self._definitions = sorted(mentions.defined)
        self._employers = mentions.employers

    def join_all(self) -> None:
        """Whatever speaks for two names being one, the surest first."""
        self._join_filers()
        self._join_definitions()
        self._join_same_names()
        self._join_spellings()
        self._join_firms()
        self._join_beginnings()
        self._join_prefixed()
        self._join_firms_in_short()

    def _join_filers(self) -> None:
        for (kind, folded), names in self._by_folded.items():
            key = self._filers.get(folded) if kind == "company" else None
            for name in names if key else ():
                if not self._is_other(name, key or ""):
                    self._groups.join(filer(key or ""), name, FILER)

    def _is_other(self, name: Name, key: str) -> bool:
        """Whether the company's documents define the name for something that is no name of the filer."""
        meant = self._defined.get((name.company, name.folded), set())
        return bool(meant) and not any(
            identity(own) in meant for own, of in self._filers.items() if of == key
        )

    def _join_definitions(self) -> None:
        for company, term, name in self._definitions:
            for kind in sorted(NAMED - {"person"}):
                one, other = (Name(kind, fold(each, kind), company) for each in (term, name))
                if one in self._names and other in self._names:
                    self._groups.join(other, one, DEFINED)

    def _join_same_names(self) -> None:
        """Names that are written alike, in the documents of several companies: titles stay each company's own, a short
        form stays with what its documents define it for."""
        titles = self._titles()
        for (kind, folded), names in self._by_folded.items():
            if len(names) < 2 or folded in titles or self._is_own(kind, folded, titles):
                continue
            for alike in self._alike(folded, names):
                for one, other in pairwise(alike):
                    self._groups.join(one, other)

    def _is_own(self, kind: str, folded: str, titles: Collection[str]) -> bool:
        """Whether a company's name for it is its own: of ordinary words alone; of what parses take for laws, contracts
        among them, such as have a figure or end with a title."""
        if kind != "regulation":
            return is_plain(folded)
        words = folded.split()
        ends = {" ".join(words[start:]) for start in range(1, len(words))}
        titled = any(end in titles and (kind, end) in self._by_folded for end in ends)
        return titled or (is_plain(folded) and any(map(str.isdigit, folded)))

    def _titles(self) -> set[str]:
        """Names that longer ones end with, as many courts and agreements do: who says so means his own."""
        longer: Counter[str] = Counter()
        for folded in {folded for _, folded in self._by_folded}:
            words = folded.split()
            longer.update(" ".join(words[start:]) for start in range(1, len(words)))
        return {
            name
            for name, count in longer.items()
            if count >= MIN_TITLED and name not in self._firms and name not in self._filers
        }

    def _alike(self, folded: str, names: Sequence[Name]) -> list[list[Name]]:
        """These equal names, by what they mean: what one company's documents define is not what another's mean, but for
        abbreviations that are defined in one way only."""
        own = self._filers.get(folded)
        meanings = {name: tuple(sorted(self._meaning(name))) for name in names}
        known = {meaning for meaning in meanings.values() if meaning}
        found: dict[object, list[Name]] = defaultdict(list)
        for name, meaning in meanings.items():
            capital = len(folded) > MAX_ABBREVIATION or self._names[name].most_common(1)[0][0].isupper()
            inherits = len(known) == 1 and not own and self._names[name].most_common(1)[0][0].isupper()
            found[(meaning or (next(iter(known)) if inherits else ()), capital)].append(name)
        return list(found.values())

    def _meaning(self, name: Name) -> set[str]:
        """Identities of what the company's documents define a name for, itself excluded."""
        return self._defined.get((name.company, name.folded), set()) - {name.folded.replace(" ", "")}

    def _join_spellings(self) -> None:
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for (kind, folded), names in self._by_folded.items():
            counts[kind][folded] = sum(self._names[name].total() for name in names)
        for kind, counted in counts.items():
            for folded, stands in merge_similar(counted).items():
                self._join_across(kind, folded, stands, SPELT_ALIKE)

    def _join_across(self, kind: str, one: str, other: str, reason: str) -> None:
        """Join two folded names within each company's documents, and between them where they are no plain titles."""
        first, second = self._by_folded[(kind, one)], self._by_folded[(kind, other)]
        for name in first:
            own = [each for each in second if each.company == name.company]
            for each in own or (() if is_plain(one) else second[:1]):
                self._groups.join(each, name, reason)

    def _join_firms(self) -> None:
        for short, long in _longer_firms(self._firms):
            self._join_across("company", long, short, FIRM)

    def _join_beginnings(self) -> None:
        """In others' documents a company may be called by the first words of its name, unless they have another company
        whose name begins with them too."""
        heads: dict[str, set[str]] = defaultdict(set)
        for full, key in self._filers.items():
            words = full.split()
            for length in range(1, len(words)):
                heads[" ".join(words[:length])].add(key)
        begin: dict[tuple[str, str], list[Name]] = defaultdict(list)
        for kind, folded in self._by_folded:
            if kind == "company":
                for name in self._by_folded[(kind, folded)]:
                    begin[(name.company, folded.partition(" ")[0])].append(name)
        for head, keys in heads.items():
            if len(keys) > 1 or head in self._filers or _is_common(head):
                continue
            key = next(iter(keys))
            for name in self._by_folded.get(("company", head), ()):
                others = (
                    other
                    for other in begin[(name.company, head.partition(" ")[0])]
                    if other.folded.startswith(f"{head} ") and self._groups.filer(other) != key
                )
                if name.company != key and not any(others):
                    self._groups.join(filer(key), name, BEGINS_FILER)

    def _join_firms_in_short(self) -> None:
        """On a call a firm of its analysts may be called by its first word."""
        heads: dict[tuple[str, str], set[Name]] = defaultdict(set)
        for (company, _), firms in self._employers.items():
            for firm in (fold(each, "company") for each in firms):
                heads[(company, firm.partition(" ")[0])].add(Name("company", firm, company))
        for (company, head), names in sorted(heads.items()):
            short = Name("company", head, company)
            if short in self._names and not _is_common(head) and len({*map(self._groups.root, names)}) == 1:
                self._groups.join(min(names), short, FIRM)

    def _join_prefixed(self) -> None:
        for name in sorted(self._names):
            if name.kind == "person":
                continue
            head, _, rest = name.folded.partition(" ")
            bare = Name(name.kind, rest, name.company)
            if bare not in self._names:
                continue
            if head == "us" and " " in rest:
                self._groups.join(name, bare, OF_COUNTRY)
            elif self._filers.get(head) == name.company and not is_plain(rest):
                self._groups.join(name, bare, OF_MAKER)


def filer(key: str) -> Name:
    """The name that stands for a filer itself."""
    return Name("company", key, "")


def _longer_firms(firms: Collection[str]) -> Iterator[tuple[str, str]]:
    """(short, long) of firms' folded names: 'bmo' and 'bmo capital markets', 'baird' and 'robert w baird', 'kbw' and
    'keefe bruyette woods'."""
    near: dict[str, set[str]] = defaultdict(set)
    for firm in firms:
        words = firm.split()
        initials = "".join(word[0] for word in words if word not in _SMALL)
        for key in (f"{words[0]} ", f" {words[-1]}", *([initials] if len(words) > 2 else ())):
            near[key].add(firm)
    for short in sorted(firms):
        words = short.split()
        begins = near[f"{words[0]} "] if len(words) > 1 or not _is_common(short) else set()
        named = {firm for firm in near[f" {words[-1]}"] if firm.endswith(f" {short}")}
        longer = {firm for firm in begins if firm.startswith(f"{short} ")} | near.get(short, set())
        longer |= {firm for firm in named if all(map(_is_first, firm.removesuffix(f" {short}").split()))}
        yield from ((short, long) for long in sorted(longer))


def _is_first(word: str) -> bool:
    """Whether it may stand before a surname: a given name or initials."""
    return len(word) <= 2 or is_given_name(word)


def _is_common(folded: str) -> bool:
    """Whether no name is told by these words: ordinary ones, places, given names."""
    return all(word in ORDINARY or word in PLACES or is_given_name(word) for word in folded.split())
