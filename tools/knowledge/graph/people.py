"""Which names are one person: within a company by the name, between companies by the name and the firm."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from tools.knowledge.graph.groups import Groups, Name
from tools.knowledge.graph.resolution import person_words, same_person

SHORTER = "a shorter form of the only such name in these documents"
SAME_FIRM = "name and firm ({firm}) are the same"


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


def _shorter_names(resolved: Mapping[tuple[str, str], str]) -> Iterator[tuple[str, str]]:
    """(folded name, folded full name) for the names of two words or more that are short for one name wherever they
    stand."""
    found: dict[str, set[str]] = defaultdict(set)
    for (_, folded), full in resolved.items():
        if " " in folded:
            found[folded].add(full)
    return ((folded, next(iter(fulls))) for folded, fulls in sorted(found.items()) if len(fulls) == 1)


def join_within(groups: Groups, company: str, resolved: Mapping[tuple[str, str], str]) -> None:
    """Join a company's people under their names of two words or more, and names that a space tells apart."""
    for folded, full in _shorter_names(resolved):
        groups.join(Name("person", folded, company), Name("person", full, company), SHORTER)


def join_between(groups: Groups, firms: Mapping[Name, Collection[Name]]) -> None:
    """Join those people of several companies' calls who work for one firm and whose names agree; `firms`: person -> the
    firms that participant lists give."""
    blocks: dict[tuple[Name, str], list[Name]] = defaultdict(list)
    for person in sorted(firms):
        words = person.folded.split()
        for root in {groups.root(firm) for firm in firms[person]}:
            blocks[(root, words[-1])].append(person)
            blocks[(root, "".join(words))].append(person)
    for (root, _), people in sorted(blocks.items()):
        for one, *others in _clusters(people):
            for other in others:
                groups.join(one, other, SAME_FIRM.format(firm=root.folded))


def _clusters(people: Sequence[Name]) -> list[list[Name]]:
    """People whose names all agree; who agrees with two that do not is with neither."""
    clusters: list[list[Name]] = []
    for person in sorted(people, key=lambda each: (-len(each.folded), each)):
        fits = [c for c in clusters if all(_agree(person.folded, other.folded) for other in c)]
        if len(fits) == 1:
            fits[0].append(person)
        elif not fits:
            clusters.append([person])
    return clusters


def _agree(one: str, other: str) -> bool:
    if one.replace(" ", "") == other.replace(" ", ""):
        return True
    first, second = one.split(), other.split()
    if min(len(first), len(second)) < 2:
        return False
    return same_person(first, second) or same_person(second, first)


def fullest(names: Iterable[str]) -> str:
    """The folded name that says most: of most words, then letters."""
    return min(names, key=lambda name: (-len(name.split()), -len(name), name))


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
