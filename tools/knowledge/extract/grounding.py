"""What a model read, held against the source: names that stand there, verbs of the curated set, the sentence
that says it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from tools.documents.types import Document
from tools.knowledge.extract.cited_sentences import Passage
from tools.knowledge.graph.resolution import (
    LEGAL_FORMS,
    fold_company,
    fold_name,
    own_aliases,
    person_words,
    same_person,
)
from tools.knowledge.lexicon.verbs import BASE_OF, FUTURE, HYPOTHETICAL, INTENTS, PAST_OF, PREPOSITIONS
from tools.knowledge.types import EntityType
from tools.values import find_quantities

MAX_NAME_WORDS = 3
"""Entities have under four words (Sarmah et al. 2024, 4.1); legal forms and articles do not count."""
Dropped = Literal["long name", "figure", "pronoun", "verb", "same name", "ungrounded", "asked", "unsaid"]
"""Why a relation is not kept."""

EXTRA_PAST: dict[str, str] = {
    "employ": "employed", "own": "owned", "use": "used", "include": "included", "face": "faced",
    "affect": "affected", "depend": "depended", "target": "targeted", "oversee": "oversaw", "work": "worked",
    "benefit": "benefited", "drive": "drove", "offset": "offset", "reach": "reached", "file": "filed",
    "discuss": "discussed", "spend": "spent", "improve": "improved", "decline": "declined", "secure": "secured",
    "rely": "relied", "commit": "committed", "contribute": "contributed", "absorb": "absorbed",
    "recover": "recovered", "request": "requested", "receive": "received", "require": "required",
    "maintain": "maintained", "focus": "focused", "reaffirm": "reaffirmed", "decrease": "decreased",
}  # fmt: skip
"""Verbs that a model tells apart well enough and the dependency parse does not."""
_EXTRA_FORMS = {
    "drives": "drive", "driven": "drive", "oversees": "oversee", "overseen": "oversee", "spends": "spend",
    "reaches": "reach", "discusses": "discuss", "relies": "rely", "focuses": "focus",
}  # fmt: skip
_FILER_NAMES = frozenset({"we", "us", "our", "ours", "the company", "company", "our company", "registrant"})
_FILER = re.compile(r"\b(?:we|us|our|ours|the company|registrant)\b", re.IGNORECASE)
_PRONOUN = re.compile(
    r"(?:i|me|my|you|your|he|him|his|she|her|it|its|they|them|their|this|that|these|those|who|which|none|n/?a|"
    r"management|customers?|investors?|shareholders|stockholders|people|others?|everyone|someone)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|a|an|our|their|its|this|that|these|those)\s+", re.IGNORECASE)
_EDGES = re.compile(r"^[\s\"'\u201c\u2018(\[*_-]+|[\s\"'\u201d\u2019)\],;:*_-]+$")
_RISE = re.compile(
    r"\b(?:increas|rais|rose|ris(?:e|ing)|grew|grow|up\b|higher|improv|expand|better|strong|greater|more\b|gain|"
    r"record\b|accelerat|doubl|tripl|boost|added|adding|additional)",
    re.IGNORECASE,
)
_FALL = re.compile(
    r"\b(?:decreas|reduc|cut|declin|fell|fall|drop|down\b|lower|less\b|fewer|shr[aiu]nk|contract|weak|soft|slow|"
    r"decelerat|los[est]|sav(?:e|ing)|headwind)",
    re.IGNORECASE,
)
_DIRECTIONS = {
    **dict.fromkeys(("increase", "grow", "raise", "improve"), _RISE),
    **dict.fromkeys(("decrease", "reduce", "cut", "decline"), _FALL),
}
"""Verbs that say which way something went, and the words of a source that say the same."""
_SYNONYMS: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split())
    for group in (
        "acquire buy purchase",
        "launch introduce release unveil announce",
        "report record post deliver generate achieve earn",
        "lead oversee manage head run",
        "build construct develop",
        "hire appoint promote",
        "close complete",
        "partner collaborate work team",
        "sell divest",
        "repurchase redeem",
        "produce manufacture make",
        "use employ deploy adopt",
        "raise issue borrow",
    )
)
"""Verbs that stand for one another."""
_AUXILIARY = frozenset(
    {"has", "have", "had", "is", "are", "was", "were", "be", "been", "being", "do", "does", "did"}
)


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


_LINKS = PREPOSITIONS | {"of", "at", "as"}
_AFTER = _LINKS | {"up", "out", "off", "down", "over", "through", "about", "a", "an", "the", "its"}
"""How a verb phrase may end that is not its verb."""


CURATED = tuple(sorted({*PAST_OF.values(), *EXTRA_PAST.values()}))
"""The curated verbs of the extraction prompt, in the past tense."""


@lru_cache(maxsize=4096)
def read_relation(text: str) -> tuple[str, bool] | None:
    """(relation as the graph names it, whether head and tail change places) of a model's verb phrase; None if its
    verb is not of the curated set or has swallowed its object ('reported earnings'), or if it is no more than
    possible: 'was acquired by' -> ('acquired', True)."""
    words = re.findall(r"[a-z']+", text.casefold().replace("\u2019", "'").replace("_", " "))
    at = next((i for i, word in enumerate(words) if _verb_base(word) and word not in _AUXILIARY), None)
    if at is None or set(words[:at]) & HYPOTHETICAL or at > 4:
        return None
    before, after = words[:at], words[at + 1 :]
    if after and after[-1] not in _AFTER and not after[-1].endswith("ly"):
        return None
    base = _verb_base(words[at])
    assert base is not None
    name = _relation_name(base, before)
    preposition = next((word for word in after[:2] if word in _LINKS), "")
    passive = preposition == "by" and (bool(set(before) & _AUXILIARY) or not before)
    if passive or not preposition:
        return name, passive
    return f"{name} {preposition}", False


def _relation_name(base: str, before: Sequence[str]) -> str:
    """A verb with what the words before it make of it: 'acquired', 'did not acquire', 'plans to acquire'."""
    negated = bool({"not", "never"} & set(before)) or any(word.endswith("n't") for word in before)
    if set(before) & INTENTS:
        return f"plans to {base}"
    if set(before) & FUTURE:
        return f"will not {base}" if negated else f"will {base}"
    return f"did not {base}" if negated else (PAST_OF.get(base) or EXTRA_PAST[base])


def _verb_base(word: str) -> str | None:
    if word in BASE_OF:
        return BASE_OF[word]
    if word in _EXTRA_FORMS:
        return _EXTRA_FORMS[word]
    for form in (word, word.removesuffix("s")):
        if form in EXTRA_PAST:
            return form
    return next((base for base, past in EXTRA_PAST.items() if past == word), None)


def read_name(text: str, kind: EntityType, document: Document) -> Name | Dropped:
    """A name without article, quotes and closing punctuation; the filer's own names and 'we' are its name."""
    name = _ARTICLE.sub("", _EDGES.sub("", " ".join(text.split())))
    name = name if re.search(r"\b[A-Z]\.[A-Z]\.$|\b(?:Inc|Corp|Co|Ltd)\.$", name) else name.rstrip(". ")
    folded = fold_name(text)
    own = {fold_company(alias) for alias in own_aliases(document)}
    if folded in _FILER_NAMES or (kind == "company" and fold_company(name) in own):
        return Name(document.company, "company")
    if not any(c.isalpha() for c in name) or _PRONOUN.fullmatch(name):
        return "pronoun"
    words = [word for word in fold_name(name).split() if kind != "company" or word not in LEGAL_FORMS]
    if len(words) > MAX_NAME_WORDS or len(name) > 60:
        return "long name"
    if "%" in name or "$" in name or (kind == "metric" and find_quantities(name)):
        return "figure"
    return Name(name, kind)


def find_sentence(
    head: Name, tail: Name, relation: str, sentences: Sequence[SentenceWords], document: Document
) -> tuple[Passage, str] | Dropped:
    """The sentence that holds both names and says what the relation says, and the words to quote; else two sentences
    that follow each other. A question of an asker says nothing of the company."""
    heads = [_holds(head, sentence, document) for sentence in sentences]
    tails = [_holds(tail, sentence, document) for sentence in sentences]
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


def with_preposition(relation: str, tail: Name, quote: str) -> tuple[str, bool]:
    """(the relation with the preposition that stands before the tail in the quoted words, whether the tail is who
    acts): 'opened' and '... opened plants in Ohio' -> 'opened in'; in '... was acquired by Birch', Birch acquired."""
    if relation.split()[-1] in _LINKS:
        return relation, False
    links = "|".join(sorted(_LINKS))
    found = re.search(
        rf"\b(?P<verb>[a-z]+)\W+(?:[\w$%.,'’-]+\W+){{0,4}}?(?P<link>{links})\s+"
        rf"(?:(?:the|a|an|our|its|their)\s+)?{re.escape(tail.text)}\b",
        quote,
        re.IGNORECASE,
    )
    while found is not None and not _has_verb(found["verb"], relation):
        found = found.re.search(quote, found.start() + 1)
    if found is None:
        return relation, False
    link = found["link"].lower()
    if link == "by":
        return relation, bool(re.search(r"\b(?:is|are|was|were|been|being)\s+$", quote[: found.start()]))
    return f"{relation} {link}", False


def says(text: str, relation: str) -> bool:
    """Whether a text has the relation's verb, one of the same meaning, or the noun of either; for a verb that says
    which way something went, any word of that way. What is denied or yet to come in one must be so in the other."""
    base = next(filter(None, map(_verb_base, relation.split())), None)
    if base is None:
        return False
    if base in _DIRECTIONS:
        found = [match.start() for match in _DIRECTIONS[base].finditer(text)]
    else:
        kin = next((group for group in _SYNONYMS if base in group), {base})
        stems = tuple(verb[: max(4, len(verb) - 3)] for verb in kin)
        words = [(match.start(), match.group().casefold()) for match in re.finditer(r"[A-Za-z]+", text)]
        found = [at for at, word in words if _verb_base(word) in kin or word.startswith(stems)]
    return any(_polarity(text[:at]) == _polarity_of(relation) for at in found)


Polarity = Literal["stated", "denied", "ahead"]
_DENIAL = re.compile(
    r"(?:\b(?:not|never|without|neither|nor|no\s+longer)|n['\u2019]t)\s+(?:[\w'\u2019]+\s+){0,3}$",
    re.IGNORECASE,
)
_YET_TO_COME = re.compile(
    r"(?:\b(?:will|shall|would|may|might|could|should|going\s+to)|['\u2019]ll)\s+(?:[\w'\u2019]+\s+){0,3}$|"
    r"\b(?:plan|intend|expect|aim|hope|want|seek|agree|propos|continu)\w*\s+(?:[\w'\u2019]+\s+){0,4}to\s+(?:\w+\s+)?$|"
    r"\b(?:planned|proposed|pending|upcoming)\s+$",
    re.IGNORECASE,
)


def _polarity(before: str) -> Polarity:
    """What the words before a verb make of it: 'we did not', 'we expect the board to'."""
    return "denied" if _DENIAL.search(before) else "ahead" if _YET_TO_COME.search(before) else "stated"


def _polarity_of(relation: str) -> Polarity:
    words = relation.split()
    return "denied" if "not" in words else "ahead" if words[0] in ("will", "plans") else "stated"


def _has_verb(text: str, relation: str) -> bool:
    wanted = {_verb_base(word) for word in relation.split()} - {None}
    return any(_verb_base(word) in wanted for word in re.findall(r"[a-z]+", text.casefold()))


def _holds(name: Name, sentence: SentenceWords, document: Document) -> bool:
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
