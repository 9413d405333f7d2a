"""Capitalised words of a text that may name a company, a person, a product or a place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphs.drafts.words import STOP, content, is_generic, stem
from graphs.local.text.period_mentions import Mention
from tools.documents.text.ordinary_words import ACRONYMS, FIRST_NAMES, ORDINARY

_MONTHS_AND_CODES = """
january february march april may june july august september october november december usd eur gbp jpy
"""
_MONTHS = frozenset(_MONTHS_AND_CODES.split())
_NAME = re.compile(r"(?<![\w.])(?:(?:[A-Z]['’](?=[A-Z]))?[A-Z][a-z]*[A-Z]?[\w&]*(?:['’]s)?|[a-z]+[A-Z]\w*)")
_PERIOD_CODE = re.compile(r"Q[1-4]|FY\d*|[HQ]\d")
_GERUND_OBJECT = re.compile(r"\s+(?:the|an?|its|of|in|more)\s")


@dataclass(frozen=True, slots=True)
class NamedWord:
    """A capitalised word."""

    text: str
    """As written, without a possessive 's."""
    stem: str
    opening: bool
    """True where any word is capitalised, as at the start of a sentence."""


def find_names(text: str, periods: Sequence[Mention]) -> tuple[NamedWord, ...]:
    """Words of `text` that may name something; none of its `periods` does."""
    return tuple(
        name
        for match in _NAME.finditer(text)
        if not any(m.start <= match.start() < m.end for m in periods)
        for name in _name_at(text, match)
    )


def _name_at(text: str, match: re.Match[str]) -> Iterator[NamedWord]:
    word = re.sub(r"['’]s$", "", match.group())
    lower = word.lower()
    if lower in STOP or lower in ACRONYMS or lower in _MONTHS:
        return
    if len(word) < 2 or _PERIOD_CODE.fullmatch(word):
        return
    opening = _is_opening(text[: match.start()].rstrip())
    if opening and _is_ordinary(word, match.group(), text[match.end() :]):
        return
    for stemmed in content(word)[:1]:
        if not (is_generic(stemmed) and lower in ORDINARY):
            yield NamedWord(word, stemmed, opening and lower not in FIRST_NAMES)


def _is_opening(before: str) -> bool:
    """Does any word take a capital behind this?"""
    return not before or before[-1] in '.!?:;|“"(•-' or before.endswith("—")


def _is_ordinary(word: str, written: str, after: str) -> bool:
    """Does a word at the start of a sentence name nothing?"""
    lower = word.lower()
    if lower in ORDINARY and lower not in FIRST_NAMES and word == written:
        return True
    if after[:1] == "-" and word.istitle() and len(word) < 5:
        return True  # 'Pre-tax', 'Year-end'
    if lower.endswith("ing") and _GERUND_OBJECT.match(after):
        return True
    return is_generic(stem(lower))
