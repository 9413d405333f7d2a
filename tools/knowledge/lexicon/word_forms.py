"""Words of labels and questions in the form in which they are compared."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tools.knowledge.lexicon.metric_names import tokenize
from tools.knowledge.lexicon.verbs import BASE_OF

_ADJECTIVES = frozenset({"consolidated", "reported", "unearned", "deferred"})
"""Participles that are adjectives of accounting, whatever the verb does."""


def base_word(word: str) -> str:
    """A past form as its verb: 'declared' -> 'declare', 'sold' -> 'sell'; other words as they are."""
    if word in _ADJECTIVES or word.endswith("ing"):
        return word
    return BASE_OF.get(word, word)


def compared_words(words: Sequence[str]) -> list[str]:
    """Folded words with past forms reduced and 'non current' joined, which is no kind of 'current'."""
    found: list[str] = []
    for word in words:
        if word == "current" and found and found[-1] == "non":
            found[-1] = "noncurrent"
        else:
            found.append(base_word(word))
    return found


def words_of(text: str) -> frozenset[str]:
    """The words of a printed label or heading, to compare with a question's."""
    return frozenset(compared_words([token.word for token in tokenize(text)]))


kept_words_of = lru_cache(maxsize=65536)(words_of)
"""The same, told once of what is printed again and again."""
