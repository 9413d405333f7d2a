"""Terms that a document gives its names: 'Kestrel Pumps LLC ("Kestrel")' makes Kestrel that company."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from tools.knowledge.graph.resolution import fold_company, fold_name

_WORD = r"[A-Z0-9][\w&.'\u2019-]*"
_DEFINED = re.compile(
    rf"(?P<name>{_WORD}(?:,?\s+(?:{_WORD}|of|and|the|for|&)){{0,12}}?),?\s*"
    r"\((?P<terms>[^()]{0,60}?[\"\u201c][^()\"\u201d]{2,60}[\"\u201d][^()]{0,60})\)"
)
_SMALL = frozenset({"of", "and", "the", "for"})
"""Words that initials leave out."""
_TERM = re.compile(r"[\"\u201c](?:the )?([^\"\u201d]{2,60})[\"\u201d]")


def defined_terms(sentences: Iterable[str]) -> Mapping[str, str]:
    """Folded term -> the name before it that it opens or abbreviates, which tells where that name begins; other terms,
    and such as stand for two names, are left out."""
    found: dict[str, set[str]] = defaultdict(set)
    for sentence in sentences:
        for match in _DEFINED.finditer(sentence) if "(" in sentence else ():
            for term in _TERM.findall(match["terms"]):
                if name := _shortened(term_key(term), match["name"].split()):
                    found[term_key(term)].add(name)
    return {
        term: min(names, key=lambda name: (len(name), name))
        for term, names in found.items()
        if len({fold_company(name) for name in names}) == 1
    }


def _shortened(term: str, words: Sequence[str]) -> str:
    """The end of these words that the term is short for: its beginning, or its initials; '' for none."""
    for start in range(len(words) - 1, -1, -1):
        name = " ".join(words[start:])
        folded = fold_name(name).split()
        initials = "".join(word[0] for word in folded if word not in _SMALL)
        if len(folded) > 1 and (" ".join(folded).startswith(f"{term} ") or initials == term):
            return name
    return ""


def term_key(text: str) -> str:
    """As terms are compared: folded, without 'the'."""
    return fold_name(text.strip(" ,.;")).removeprefix("the ")
