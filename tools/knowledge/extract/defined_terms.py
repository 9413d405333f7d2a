"""Terms that a document gives its names: 'Kestrel Pumps LLC ("Kestrel")' makes Kestrel that company, 'the Bureau of
Quiet Waters (BQW)' and 'Kestrel Pumps LLC, or Kestrel,' likewise."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tools.knowledge.graph.resolution import fold_company, fold_name

_WORD = r"[A-Z0-9][\w&.'\u2019-]*"
_DEFINED = re.compile(
    rf"(?P<name>{_WORD}(?:,?\s+(?:{_WORD}|of|and|the|for|&)){{0,12}}?),?\s*"
    r"\((?P<terms>[^()]{0,60}?[\"\u201c][^()\"\u201d]{2,60}[\"\u201d][^()]{0,60})\)"
)
_ABBREVIATED = re.compile(
    rf"(?P<name>{_WORD}(?:\s+(?:{_WORD}|of|and|the|for|&)){{1,9}}?)\s*\((?P<term>[A-Z][A-Za-z&.]{{1,6}})\)"
)
_CALLED = re.compile(
    rf"(?P<name>{_WORD}(?:,?\s+(?:{_WORD}|of|and|the|for|&)){{1,9}}?), or (?P<term>{_WORD}(?:\s+{_WORD}){{0,3}}),"
)
_SMALL = frozenset({"of", "and", "the", "for"})
"""Words that initials leave out."""
_TERM = re.compile(r"[\"\u201c](?:the )?([^\"\u201d]{2,60})[\"\u201d]")


def definitions(sentence: str) -> Iterator[tuple[str, str]]:
    """(term as printed, the name before it that it opens or abbreviates); the name begins where the term tells."""
    found: list[tuple[str, str]] = []
    if "(" in sentence:
        for match in _DEFINED.finditer(sentence):
            found += ((term, match["name"]) for term in _TERM.findall(match["terms"]))
        found += ((match["term"], match["name"]) for match in _ABBREVIATED.finditer(sentence))
    if ", or " in sentence:
        found += ((match["term"], match["name"]) for match in _CALLED.finditer(sentence))
    for term, before in found:
        if name := _shortened(term_key(term), before.split()):
            yield term.strip(" ,.;"), re.sub(r"['\u2019]s$", "", name)


def defined_terms(sentences: Iterable[str]) -> Mapping[str, str]:
    """Folded term -> the name that it is short for; such as stand for two names are left out."""
    found: dict[str, set[str]] = defaultdict(set)
    for sentence in sentences:
        for term, name in definitions(sentence):
            found[term_key(term)].add(name)
    return {
        term: min(names, key=lambda name: (len(name), name))
        for term, names in found.items()
        if len({fold_company(name) for name in names}) == 1
    }


def _shortened(term: str, words: Sequence[str]) -> str:
    """The end of these words that the term is short for: its beginning, its first word and others of it in order, or
    its initials; '' for none."""
    short = term.split()
    for start in range(len(words) - 1, -1, -1):
        name = " ".join(words[start:])
        folded = fold_name(name).split()
        initials = "".join(word[0] for word in folded if word not in _SMALL)
        begins = folded[: len(short)] == short or (
            len(short) > 1 and folded[:1] == short[:1] and _within(short, folded)
        )
        if len(folded) > len(short) and (begins or initials == term.replace(".", "")):
            return name
    return ""


def _within(short: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the short one's words stand among these in their order."""
    left = iter(words)
    return all(word in left for word in short)


def term_key(text: str) -> str:
    """As terms are compared: folded, without 'the'."""
    return fold_name(text.strip(" ,.;")).removeprefix("the ")
