"""What a question says once of several figures: 'subscription and service revenue'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from graphs.contracts import Reading
from tools.calculate.measures import item_called, measure_called
from tools.calculate.questions import AskedSum, first_name
from tools.knowledge.lexicon.asked_metrics import find_asked

_JOINS = re.compile(
    r"-?\s*(?:,|&|\+|/|\b(?:and|or|plus|versus|vs\.?|against|less|minus|to|than)\b)+\s*(?:the\s+|its\s+|their\s+)?",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"(?:\w\.?)*[A-Z]{2,}\w*")
MAX_WORDS = 3
"""Of what only tells one figure from another."""


def with_shared_words(read: AskedSum, reading: Reading) -> AskedSum:
    """What was read, each figure with the words that stand with another one, or apart, for all of them. Where a figure
    may be called so, both are given, parted by a bar."""
    if read.of and read.more:
        a, b, *more = (_of(words, read.of) for words in (read.a, read.b, *read.more))
        return replace(read, a=a, b=b, more=tuple(more), of="")
    spans = [first_name(words) for words in (read.a, read.b, *read.more, *read.minus)]
    placed = sorted((reading.question.find(words), words) for words in spans if words)
    behind = {one: other for (_, one), (_, other) in pairwise(placed)}
    if read.of or len(behind) < len(placed) - 1 or any(at < 0 for at, _ in placed):
        return read

    def whole(words: str) -> str:
        own = first_name(words)
        shared = _shared(own, _behind(own, behind, reading.question), reading)
        return f"{shared}|{words}" if shared else words

    return replace(
        read,
        a=whole(read.a),
        b=whole(read.b),
        more=tuple(map(whole, read.more)),
        minus=tuple(map(whole, read.minus)),
    )


def _of(words: str, whole: str) -> str:
    """What is a figure of `whole`, where it is none by itself."""
    return f"{words} {whole}" if words and not find_asked(words) else words


def _behind(words: str, behind: dict[str, str], question: str) -> str:
    """The last of the figures that stand behind some words, parted by nothing but what joins them."""
    last = ""
    while words in behind:
        other = behind[words]
        between = question[question.find(words) + len(words) : question.find(other)]
        if not _JOINS.fullmatch(between):
            break
        words = last = other
    return last


def _shared(words: str, last: str, reading: Reading) -> str:
    """Words that are no figure by themselves with those that the last of a list ends with; '' where it has none."""
    first, _, rest = last.partition(" ")
    known = item_called(words) or measure_called(words) or find_asked(words)
    named = words in reading.entities or not _LETTERS.fullmatch(words)
    if not (words and rest and named) or known or len(words.split()) > MAX_WORDS:
        return ""
    stem, _, tail = first.partition("-")
    hanging = f"{words}-" in reading.question
    if hanging and stem and tail:  # 'short- and long-term debt'
        return f"{words}-{tail} {rest}"
    ending: Sequence[str] = [each.text for each in find_asked(last) if each.end == len(last) and each.start]
    return f"{words} {ending[0] if ending and ' ' in words else rest}"
