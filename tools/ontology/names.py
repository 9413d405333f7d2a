"""Where names of concepts stand in a text: by lemma, abbreviations and names of individuals to the letter."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from tools.ontology.lemmas import Word, is_noun, words_of
from tools.ontology.types import Concept
from tools.vector.keywords import STOP_WORDS

MIN_ABBREVIATION = 3
"""Letters of one; shorter ones are ordinary words and states of the union in capitals."""
MAX_NAME_WORDS = 12
"""Longer labels are sentences, which no text repeats."""
_HYPHENS = "-\u2010\u2011"
"""The last, which does not break, is what filings have in HTML."""
_JOINED = re.compile(rf"[{_HYPHENS}\s'’]*")
"""What may stand between two words of one name: a comma, a bar or a full stop ends it."""
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A name of one or more concepts in a text."""

    start: int
    end: int
    """Characters of the text."""
    concepts: tuple[int, ...]
    """Places of the concepts that bear it."""
    words: int
    modifies: bool
    """Whether it only tells which kind of the next noun is meant: 'lease' in 'lease liabilities'."""


class ConceptNames:
    """The names of concepts, to be found in texts."""

    def __init__(self, concepts: Sequence[Concept]) -> None:
        """Properties are no terms of a text: their labels are verbs ('has', 'is based on'), and not looked for. Nor are
        labels that were made of an IRI, and names of individuals of one word ('Way', a suffix of streets)."""
        self._bearers: dict[Key, dict[int, set[str]]] = defaultdict(dict)
        """By lemmas: concept -> its spellings that must stand to the letter; none where any will do."""
        self._most: dict[str, int] = {}
        """First lemma -> words of the longest name that begins so."""
        for at, concept in enumerate(concepts):
            if concept.kind == "property" or concept.unlabelled:
                continue
            individual = concept.kind == "individual"
            for text in (_without_gloss(concept.label), *concept.synonyms):
                self._add(text, at, exact=individual, least=2 if individual else 1)
            for text in concept.abbreviations:
                if len(text) >= MIN_ABBREVIATION and text.isupper() and " " not in text:
                    self._add(text, at, exact=True)

    def _add(self, text: str, at: int, *, exact: bool, least: int = 1) -> None:
        words = [*islice(words_of(text), MAX_NAME_WORDS + 1)]
        if not least <= len(words) <= MAX_NAME_WORDS:
            return
        key = tuple(word.lemma for word in words)
        spellings = self._bearers[key].get(at)
        if not exact:
            self._bearers[key][at] = set()
        elif spellings is None:
            self._bearers[key][at] = {_spelt(text, words)}
        elif spellings:
            spellings.add(_spelt(text, words))
        self._most[key[0]] = max(len(key), self._most.get(key[0], 0))

    def bears(self, lemmas: Key) -> bool:
        """Whether some concept bears this name, however it must be spelt."""
        return lemmas in self._bearers

    def find(self, text: str) -> list[Found]:
        """The names in a text, in order; of names that overlap the first, and the longest that begins there."""
        words, at, names = [*words_of(text)], 0, list[Found]()
        while at < len(words):
            found = self._longest(text, words, at) if words[at].lemma in self._most else None
            names += [found] if found is not None else []
            at += found.words if found is not None else 1
        return names

    def _longest(self, text: str, words: Sequence[Word], at: int) -> Found | None:
        for count in range(min(self._most[words[at].lemma], len(words) - at), 0, -1):
            run = words[at : at + count]
            bearers = self._bearers.get(tuple(word.lemma for word in run))
            if bearers is None or not _is_one_name(text, run):
                continue
            spelt = _spelt(text, run)
            meant = tuple(each for each, spellings in bearers.items() if not spellings or spelt in spellings)
            if meant:
                following = words[at + count] if at + count < len(words) else None
                modifies = _modifies(text, run[-1], following)
                return Found(run[0].start, run[-1].end, meant, count, modifies)
        return None


def _spelt(text: str, run: Sequence[Word]) -> str:
    """Words as they stand in a text, whatever blanks are between them: without the full stop of 'Orla Inc.', which may
    be a sentence's."""
    return " ".join(text[run[0].start : run[-1].end].split())


def _modifies(text: str, last: Word, following: Word | None) -> bool:
    """Whether a noun follows at once; a plural modifies none."""
    if following is None or last.lemma != text[last.start : last.end].lower():
        return False
    beside = text[last.end : following.start].isspace()
    return beside and following.lemma not in STOP_WORDS and is_noun(following.lemma)


def _is_one_name(text: str, run: Sequence[Word]) -> bool:
    """Whether nothing parts the words, and they are no part of a hyphenated one: 'share' in 'share-based'."""
    parted = any(not _JOINED.fullmatch(text, one.end, other.start) for one, other in pairwise(run))
    start, end = run[0].start, run[-1].end
    begins = start > 1 and text[start - 1] in _HYPHENS and text[start - 2].isalnum()
    goes_on = text[end : end + 1] in tuple(_HYPHENS) and text[end + 1 : end + 2].isalnum()
    return not (parted or begins or goes_on)


def _without_gloss(label: str) -> str:
    """'bond (instrument)' -> 'bond'."""
    head, _, rest = label.partition(" (")
    return head if head and rest.endswith(")") else label
