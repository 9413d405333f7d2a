"""What documents speak of often and no concept names: where an ontology of one's own would help."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tools.ontology.lemmas import Word, is_noun, is_verb, words_of
from tools.ontology.names import ConceptNames
from tools.period_words import MONTH_NAME
from tools.vector.keywords import STOP_WORDS

_MONTH = re.compile(MONTH_NAME, re.IGNORECASE)
MAX_TERM_WORDS = 3
MIN_LETTERS = 3
"""Of a word of a term; shorter ones are units and abbreviations."""
MIN_DOCUMENTS = 2


@dataclass(frozen=True, slots=True)
class Term:
    """A run of nouns."""

    text: str
    """As it stands first."""
    chunks: int
    documents: int


def uncovered(texts: Iterable[tuple[str, str]], names: ConceptNames) -> tuple[list[Term], float]:
    """The terms that no concept bears as a name, those first that stand in many chunks and few documents (TF-IDF: what
    every document says is no term of one); and what share of all terms, counted once a chunk, one bears.
    `texts`: (document, chunk's text)."""
    spelt: dict[tuple[str, ...], str] = {}
    chunks: Counter[tuple[str, ...]] = Counter()
    documents: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for document, text in texts:
        for key, spelling in dict(_terms(text)).items():
            spelt.setdefault(key, spelling)
            chunks[key] += 1
            documents[key].add(document)
    named = sum(count for key, count in chunks.items() if names.bears(key))
    free = [key for key in chunks if len(documents[key]) >= MIN_DOCUMENTS and not names.bears(key)]
    known = len(set().union(*documents.values()))
    weight = {key: chunks[key] * math.log((known + 1) / len(documents[key])) for key in free}
    order = sorted(free, key=lambda key: (-weight[key], key))
    terms = [Term(spelt[key], chunks[key], len(documents[key])) for key in order]
    return terms, named / max(1, chunks.total())


def _terms(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Whole runs of nouns of at most MAX_TERM_WORDS, but no month, and no word alone that is a verb, too: (lemmas,
    spelling)."""
    run: list[Word] = []
    for word in words_of(text):
        if run and text[run[-1].end : word.start] != " ":
            yield from _term(text, run)
            run = []
        if len(word.lemma) >= MIN_LETTERS and word.lemma not in STOP_WORDS and is_noun(word.lemma):
            run.append(word)
        elif run:
            yield from _term(text, run)
            run = []
    yield from _term(text, run)


def _term(text: str, run: list[Word]) -> Iterator[tuple[tuple[str, ...], str]]:
    lemmas = [word.lemma for word in run]
    term = len(run) > 1 or (lemmas and not is_verb(lemmas[0]) and not _MONTH.fullmatch(lemmas[0]))
    if term and len(run) <= MAX_TERM_WORDS:
        yield tuple(lemmas), text[run[0].start : run[-1].end].lower()
