"""Terms that a document gives its names: 'Kestrel Pumps LLC ("Kestrel")' makes Kestrel that company."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from tools.knowledge.graph.resolution import fold_company, fold_name

_WORD = r"[A-Z0-9][\w&.'\u2019-]*"
_DEFINED = re.compile(
    rf"(?P<name>{_WORD}(?:,?\s+(?:{_WORD}|of|and|the|for|&))*?),?\s*"
    r"\((?P<terms>[^()]{0,60}?[\"\u201c][^()\"\u201d]{2,60}[\"\u201d][^()]{0,60})\)"
)
_TERM = re.compile(r"[\"\u201c]([^\"\u201d]{2,60})[\"\u201d]")


def defined_terms(sentences: Iterable[str]) -> Mapping[str, str]:
    """Folded term -> the name it stands for; terms that the sentences give to two names are left out."""
    found: dict[str, set[str]] = defaultdict(set)
    for sentence in sentences:
        for match in _DEFINED.finditer(sentence) if "(" in sentence else ():
            for term in _TERM.findall(match["terms"]):
                if term_key(term) != term_key(match["name"]):
                    found[term_key(term)].add(match["name"])
    return {
        term: min(names, key=lambda name: (len(name), name))
        for term, names in found.items()
        if term and len({fold_company(name) for name in names}) == 1
    }


def term_key(text: str) -> str:
    """As terms are compared: folded, without 'the'."""
    return fold_name(text.strip(" ,.;")).removeprefix("the ")
