"""Parts of a company that a question names and what was computed leaves out: 'Rest of World' in a sum of the whole."""

from __future__ import annotations

import re
from collections.abc import Collection, Container

from tools.calculate.measures import item_called
from tools.documents.metadata.company_names import name_tokens
from tools.documents.text.ordinary_words import FUNCTION_WORDS, ORDINARY
from tools.knowledge.lexicon.asked_metrics import find_asked
from tools.knowledge.lexicon.metric_names import fold_label
from tools.knowledge.lexicon.word_forms import words_of
from tools.period_words import MONTHS

MAX_WORDS = 6
"""Of a name."""

_WITHOUT = re.compile(
    r"\b(?:excluding|except(?:\s+for)?|not\s+counting|setting\s+aside|stripping(?:\s+out)?"
    r"|(?:leav|stripp?)(?:e|ing)?\s+out|(?:leav|tak|sett?|stripp?)(?:e|ing)?\b"
    r"(?=\s+(?:(?!(?:after|when|what|in|it|to|for|by|did)\b)[\w'’&-]+\s+){1,5}(?:out|aside)\b))\s+(?:out\s+(?:of\s+)?)?"
    r"((?:[\w'’&-]+\s+){0,7}?[\w'’&-]+)(?=\s+(?:out|aside|and|was|were|did|is|of\s+(?:it|that))\b|[,.;:?)]|$)",
    re.IGNORECASE,
)

_BEHIND = re.compile(r"\b(?:on|from|in)\s+(?:(?:the|its|their)\s+)?((?:[a-z][\w&-]*\s?){1,3})", re.IGNORECASE)
"""Words that something is on, from or in."""


def names_left_out(said: str, phrases: Container[str], covered: frozenset[str]) -> tuple[str, ...]:
    """Names in a question, with capitals, that are labels or headings of the company's tables and have words that are
    not `covered`, the longest first; no ordinary word where the question begins. `phrases` are folded by
    `fold_label`."""
    tokens = name_tokens(said)
    found: list[str] = []
    taken: set[int] = set()
    for size in range(min(MAX_WORDS, len(tokens)), 0, -1):
        for start in range(len(tokens) - size + 1):
            ends = tokens[start], tokens[start + size - 1]
            if taken & {*range(start, start + size)} or (
                start == 0 and size == 1 and ends[0].word in ORDINARY
            ):
                continue
            if not all(each.raw[:1].isupper() and each.word not in MONTHS for each in ends):
                continue
            name = said[ends[0].start : ends[1].end]
            if fold_label(name) in phrases:
                taken |= {*range(start, start + size)}
                if words_of(name) - covered - FUNCTION_WORDS:
                    found.append(name)
    return tuple(found)


def set_aside(said: str, phrases: Container[str], covered: frozenset[str]) -> tuple[str, ...]:
    """What a question leaves out of a figure ('excluding the gain on sale') and is not `covered`: what was computed
    holds it still. It need not be one of `phrases`: what is left out is often said in other words."""
    found = [match[1].strip() for match in _WITHOUT.finditer(said)]
    return tuple(name for name in found if words_of(name) - covered - FUNCTION_WORDS)


def words_beside(said: str, phrases: Collection[str], covered: frozenset[str]) -> tuple[str, ...]:
    """Words right before a line item, with which its name begins, or that it is said to be on, from or in, which are a
    label or a heading of the company's tables, or begin one, and are not `covered`: 'services' of 'services gross
    margin', 'licences' of 'gross margin on licences'. They may be part of a name, too."""
    found = list[str]()
    for mention in find_asked(said):
        own = mention.text.split()
        rests = [" ".join(own[:n]) for n in range(1, len(own)) if item_called(" ".join(own[n:]))]
        found += [*rests, *said[: mention.start].split()[-1:]]
    behind = [match[1].split() for match in _BEHIND.finditer(said)]
    found += [" ".join(words[:size]) for words in behind for size in range(len(words), 0, -1)]
    folded = {name: fold_label(name) for name in found if words_of(name) - covered - FUNCTION_WORDS}
    return tuple(
        name
        for name, own in folded.items()
        if own in phrases
        or (name.split()[0].lower() not in ORDINARY and any(each.startswith(f"{own} ") for each in phrases))
    )
