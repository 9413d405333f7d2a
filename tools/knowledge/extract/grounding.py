"""What a model read, held against the source: names that stand there, and the sentence that says it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from tools.documents.types import Document
from tools.knowledge.extract.cited_sentences import Passage
from tools.knowledge.extract.said_verbs import has_verb, says, verb_places
from tools.knowledge.graph.resolution import (
    LEGAL_FORMS,
    fold_company,
    fold_name,
    own_aliases,
    person_words,
    same_person,
)
from tools.knowledge.lexicon.relation_verbs import LINKS
from tools.knowledge.types import EntityType
from tools.values import find_quantities

MAX_NAME_WORDS = 3
"""Entities have under four words (Sarmah et al. 2024, 4.1); legal forms and articles do not count."""
MAX_NAME_CHARACTERS = 120
"""Of a name that is held to no number of words."""
Dropped = Literal[
    "malformed",
    "long name",
    "figure",
    "pronoun",
    "verb",
    "same name",
    "ungrounded",
    "asked",
    "unsaid",
    "misquoted",
]
"""Why a relation is not kept."""

_FILER_NAMES = frozenset({"we", "us", "our", "ours", "the company", "company", "our company", "registrant"})
_FILER = re.compile(r"\b(?:we|us|our|ours|the company|registrant)\b", re.IGNORECASE)
_PRONOUN = re.compile(
    r"(?:i|me|my|you|your|he|him|his|she|her|it|its|they|them|their|this|that|these|those|who|which|none|n/?a|"
    r"management|customers?|investors?|shareholders|stockholders|people|others?|everyone|someone)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|a|an|our|their|its|this|that|these|those)\s+", re.IGNORECASE)
_EDGES = re.compile(r"^[\s\"'\u201c\u2018(\[*_-]+|[\s\"'\u201d\u2019)\],;:*_-]+$")


@dataclass(frozen=True, slots=True)
class Name:
    """An entity as the model named it, cleaned."""

    text: str
    type: EntityType


@dataclass(slots=True)
class SentenceWords:
    """A sentence folded once for many comparisons."""

    passage: Passage
    folded: str = field(init=False)

    def __post_init__(self) -> None:
        self.folded = _with_blanks(fold_name(self.passage.text))


def read_name(text: str, kind: EntityType, document: Document, *, any_length: bool = False) -> Name | Dropped:
    """A name without article, quotes and closing punctuation; the filer's own names and 'we' are its name.
    `any_length`: held to no number of words, and may hold a figure ('5% notes due 2030') unless it is a metric."""
    name = _ARTICLE.sub("", _EDGES.sub("", " ".join(text.split())))
    name = name if re.search(r"\b[A-Z]\.[A-Z]\.$|\b(?:Inc|Corp|Co|Ltd)\.$", name) else name.rstrip(". ")
    folded = fold_name(text)
    own = {fold_company(alias) for alias in own_aliases(document)}
    if folded in _FILER_NAMES or (kind == "company" and fold_company(name) in own):
        return Name(document.company, "company")
    if not any(c.isalpha() for c in name) or _PRONOUN.fullmatch(name):
        return "pronoun"
    why = _unfit(name, kind) if any_length else _unfit_short(name, kind)
    return why or Name(name, kind)


def _unfit(name: str, kind: EntityType) -> Dropped | None:
    """Why a name of any length is none."""
    if len(name) > MAX_NAME_CHARACTERS:
        return "long name"
    figures = find_quantities(name)
    rest = name[: figures[0].start] + name[figures[-1].end :] if figures else name
    return "figure" if figures and (kind == "metric" or not re.search(r"[^\W\d_]", rest)) else None


def _unfit_short(name: str, kind: EntityType) -> Dropped | None:
    """Why a name of the paper's length is none."""
    words = [word for word in fold_name(name).split() if kind != "company" or word not in LEGAL_FORMS]
    if len(words) > MAX_NAME_WORDS or len(name) > 60:
        return "long name"
    return "figure" if "%" in name or "$" in name or (kind == "metric" and find_quantities(name)) else None


def find_sentence(
    head: Name, tail: Name, relation: str, sentences: Sequence[SentenceWords], document: Document
) -> tuple[Passage, str] | Dropped:
    """The sentence that holds both names and says what the relation says, and the words to quote; else two sentences
    that follow each other. A question of an asker says nothing of the company."""
    heads = [holds(head, sentence, document) for sentence in sentences]
    tails = [holds(tail, sentence, document) for sentence in sentences]
    both = [s.passage for s, one, other in zip(sentences, heads, tails, strict=True) if one and other]
    said = [passage for passage in both if not passage.asked]
    best = next((passage for passage in said if says(passage.text, relation)), None)
    if best is not None:
        return best, best.text
    if said:
        return "unsaid"
    quotes = _pair_quotes(sentences, heads, tails)
    if quotes:
        return next(((first, quote) for first, quote in quotes if says(quote, relation)), "unsaid")
    return "asked" if both else "ungrounded"


def _pair_quotes(
    sentences: Sequence[SentenceWords], heads: Sequence[bool], tails: Sequence[bool]
) -> list[tuple[Passage, str]]:
    """(first sentence, both quoted) of two that follow each other in one chunk, one with the head and the other with
    the tail."""
    pairs = [
        (sentences[at].passage, sentences[at + 1].passage)
        for at in range(len(sentences) - 1)
        if (heads[at] and tails[at + 1]) or (tails[at] and heads[at + 1])
    ]
    return [
        (first, f"{first.text} {second.text}")
        for first, second in pairs
        if first.chunk_id == second.chunk_id and not first.asked and not second.asked
    ]


def with_preposition(relation: str, tail: Name, quote: str, base: str = "") -> tuple[str, bool]:
    """(the relation with the preposition that stands before the tail in the quoted words, whether the tail is who
    acts): 'opened' and '... opened plants in Ohio' -> 'opened in'; in '... was acquired by Birch', Birch acquired.
    `base`: the relation's verb, where it is not of the curated set."""
    if relation.split()[-1] in LINKS:
        return relation, False
    links = "|".join(sorted(LINKS))
    found = re.search(
        rf"\b(?P<verb>[a-z]+)\W+(?:[\w$%.,'’-]+\W+){{0,4}}?(?P<link>{links})\s+"
        rf"(?:(?:the|a|an|our|its|their)\s+)?{re.escape(tail.text)}\b",
        quote,
        re.IGNORECASE,
    )
    while found is not None and not (
        verb_places(found["verb"], base) if base else has_verb(found["verb"], relation)
    ):
        found = found.re.search(quote, found.start() + 1)
    if found is None:
        return relation, False
    link = found["link"].lower()
    if link == "by":
        return relation, bool(re.search(r"\b(?:is|are|was|were|been|being)\s+$", quote[: found.start()]))
    return f"{relation} {link}", False


def holds(name: Name, sentence: SentenceWords, document: Document) -> bool:
    """Whether the name stands in the sentence, by whatever of its forms, 'we' and the speaker's own included."""
    passage = sentence.passage
    if name.type == "person":
        words = person_words(name.text)
        speaker = person_words(passage.speaker)
        if words and speaker and (words == speaker or same_person(words, speaker)):
            return True
        return _phrase(" ".join(words), sentence.folded) or (
            len(words) > 1 and _phrase(words[-1], sentence.folded) and name.text.split()[-1] in passage.text
        )
    if name.type == "company" and name.text == document.company:
        if not passage.asked and _FILER.search(passage.text):
            return True
        return any(_phrase(fold_company(alias), sentence.folded) for alias in own_aliases(document))
    folded = fold_company(name.text) if name.type == "company" else fold_name(name.text)
    return _phrase(folded, sentence.folded)


def _phrase(folded: str, padded: str) -> bool:
    """Whether the words stand in the sentence, a plural more or less."""
    if not folded:
        return False
    singular = folded.removesuffix("s")
    return any(f" {form} " in padded for form in (folded, singular, f"{singular}s", f"{singular}es"))


def _with_blanks(folded: str) -> str:
    return f" {folded} "
