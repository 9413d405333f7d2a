"""What a question says once of several figures: 'subscription and service revenue'."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from graphs.contracts import Reading
from tools.calculate.measures import item_called, measure_called
from tools.calculate.questions import AskedSum, first_name
from tools.knowledge.lexicon.asked_metrics import find_asked

_LIST_GOES_ON = re.compile(
    r"-?\s*(?:(?:,|&|\+|\band\b|\bor\b|\bplus\b)\s*)+(?:(?:the|its|their)\s+)?", re.IGNORECASE
)
_LETTERS = re.compile(r"(?:\w\.?)*[A-Z]{2,}\w*")
MAX_WORDS = 3
"""Of what only tells one figure from another."""


def with_shared_words(read: AskedSum, reading: Reading) -> AskedSum:
    """What was read, the figures of a sum or a pair each with the words that stand with the last of their list; where a
    figure may be called so, both are given, parted by a bar. What several figures are of is said of each that is none
    by itself."""
    if read.of and read.more:
        a, b, *others = (_of(words, read.of) for words in (read.a, read.b, *read.more, *read.minus))
        more, minus = others[: len(read.more)], others[len(read.more) :]
        return replace(read, a=a, b=b, more=tuple(more), minus=tuple(minus), of="")
    listed = read.operation == "sum" or (read.operation in ("difference", "ratio") and not read.more)
    spans = [first_name(words) for words in (read.a, read.b, *read.more) if words]
    placed = sorted((reading.question.find(words), words) for words in spans)
    if read.of or not listed or any(at < 0 for at, _ in placed):
        return read
    behind = {one: other for (_, one), (_, other) in pairwise(placed)}

    def whole(words: str) -> str:
        own = first_name(words)
        shared = _shared(own, _last_of_list(own, behind, reading.question), reading)
        names = (words, shared) if " " in own else (shared, words)  # of two words the figure's own name first
        return "|".join(names) if shared else words

    return replace(read, a=whole(read.a), b=whole(read.b), more=tuple(map(whole, read.more)))


def _of(words: str, whole: str) -> str:
    """What is a figure of `whole`, where it is none by itself."""
    own = (each if find_asked(each) else f"{each} {whole}" for each in filter(None, words.split("|")))
    return "|".join(own)


def _last_of_list(words: str, behind: dict[str, str], question: str) -> str:
    """The last of the figures that stand behind some words, parted by nothing but what joins them."""
    last = ""
    while words in behind:
        other = behind[words]
        between = question[question.find(words) + len(words) : question.find(other)]
        if not _LIST_GOES_ON.fullmatch(between):
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
    return f"{words} {rest}"
