"""What the words of a sentence name: entities of the seven types, the filer behind 'we', the speaker behind 'I'."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tools.documents.text.ordinary_words import ORDINARY
from tools.documents.types import Document
from tools.knowledge.extract.cited_sentences import Passage
from tools.knowledge.extract.sentence_parses import WE
from tools.knowledge.graph.resolution import LEGAL_FORMS, fold_company, fold_name, own_aliases
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.knowledge.lexicon.verbs import ROLE_WORDS
from tools.knowledge.types import EntityType

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

MAX_ENTITY_WORDS = 6
"""Longest entity kept, in words."""
_TYPES: dict[str, EntityType] = {
    "ORG": "company", "PERSON": "person", "GPE": "location", "LOC": "location", "FAC": "location",
    "PRODUCT": "product", "EVENT": "event", "LAW": "regulation",
}  # fmt: skip
_JUNK = re.compile(
    r"\d{4,}|%|\$|^(?:Q[1-4]|FY|GAAP|Non-GAAP|EPS|EBITDA|EBIT|FFO|NOI|AFFO|CapEx|OpEx|SG&A|R&D|M&A|ESG|IPO|CEO|CFO|"
    r"COO|SVP|EVP|IR|Q&A|LTM|TTM|ROE|ROIC|ASP|ASPs|RSUs?|VIE|LLC|OCI|YTD|MD&A|Slide|Page|Table|Note|Notes|"
    r"Company|Board|Committee|Treasury|Level|Part|Item|Exhibit|Operator|Inc|Corp|Co|Group|Segment|Total|Other|Net|"
    r"Phonetic|Indecipherable|Speech Overlap|Technical Difficulty)$|"
    r"\bAppendix\b|\bBoard of Directors\b|\bquarter\b|\bsegment\b|\b(?:Form|Item|Note|Annual Report|Proxy Statement)\b|"
    r"[^\w\s&'.\u2019/-]",
    re.IGNORECASE,
)
_DETERMINER = re.compile(
    r"^(?:the|a|an|our|their|its|this|that|these|those|his|her|my|your|all|both|each|every)\s+", re.IGNORECASE
)
_ACRONYM = re.compile(r"[A-Z]{2,5}s?")
_TITLES = frozenset({"mr", "mrs", "ms", "dr", "sir", "miss"})
_PART_OF_NAME = re.compile(r"\d[\w.-]*|[A-Z0-9][\w&.'\u2019/-]*")


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity in a sentence."""

    name: str
    type: EntityType


class NamedThings:
    """The mentions of one sentence, by the position of their words. `small`: words that the document writes with a
    small letter, too; a title of these alone is a name only beside a part of a company ('our Pet Care segment')."""

    def __init__(self, doc: Doc, document: Document, passage: Passage, small: Collection[str]) -> None:
        self._doc, self._document, self._passage, self._small = doc, document, passage, small
        self._plain: set[str] = set()

    def at(self, token: Token, *, titled: bool = False) -> Mention | None:
        """What a word names or is a word of; 'we' is the filer, 'I' the speaker, other pronouns nothing. `titled`:
        plain words with capitals count."""
        if token.i in self._spans:
            mention = self._spans[token.i]
            return mention if mention is None or titled or mention.name not in self._plain else None
        word = token.lower_
        if word in WE:
            own = word not in {"company", "registrant"} or any(
                c.lower_ in {"the", "our"} for c in token.children
            )
            return Mention(self._document.company, "company") if own else None
        if word in {"i", "me", "my"} and token.tag_.startswith("PRP"):
            return Mention(self._passage.speaker, "person") if self._passage.speaker else None
        return None

    @cached_property
    def _spans(self) -> dict[int, Mention | None]:
        """Position of each word of a name -> the mention; None for what looks like a name and is none."""
        found: dict[int, Mention | None] = {}
        for span, kind in self._candidates():
            mention = self._mention(span, kind)
            if span.text.lower().removeprefix("the ") in ("company", "registrant"):
                continue  # the filer
            for token in span:
                found[token.i] = mention
        return found

    def _candidates(self) -> list[tuple[Span, EntityType | None]]:
        """Entities that the model finds, and further runs of capitals, each word in one of them."""
        known = [each for each in self._doc.ents if each.label_ not in _TYPES or not _is_listed(each)]
        taken = {token.i for each in known for token in each}
        found: list[tuple[Span, EntityType | None]] = []
        for each in (each for each in known if each.label_ in _TYPES):
            end, kind = each.end, _TYPES[each.label_]
            while end < len(self._doc) and end not in taken and self._is_proper(self._doc[end], begun=True):
                taken.add(end)
                end += 1
            found.append(
                (self._doc[each.start : end], "product" if kind == "company" and end > each.end else kind)
            )
        start: int | None = None
        for token in (*self._doc, None):
            inside = (
                token is not None and token.i not in taken and self._is_proper(token, begun=start is not None)
            )
            if inside and start is None and token is not None:
                start = token.i
            elif not inside and start is not None:
                end = token.i if token is not None else len(self._doc)
                found.append((self._doc[start:end], None))
                start = None
        return found

    def _is_proper(self, token: Token, *, begun: bool) -> bool:
        if (
            not _PART_OF_NAME.fullmatch(token.text)
            or token.lower_ in WE
            or token.tag_.startswith(("PRP", "DT", "MD"))
        ):
            return False
        if token.text[0].isdigit():
            return begun
        return token.tag_ in ("NNP", "NNPS") or (
            token.i > 0 and token.tag_[:2] in ("NN", "JJ", "VB") and not token.is_sent_start
        )

    def _mention(self, span: Span, kind: EntityType | None) -> Mention | None:
        name = _entity_name(span.text)
        if not _is_name(name) or set(name.lower().split()) <= ROLE_WORDS | WE | {"and", "of"}:
            return None
        if fold_company(name) in self._own:
            return Mention(self._document.company, "company")
        folded = fold_name(name).split()
        if folded[-1] in ROLE_WORDS or set(folded) <= _TITLES:
            return None
        if len(folded) > 1 and folded[-1] in LEGAL_FORMS:
            return Mention(name, "company")
        if kind == "person":
            return Mention(name, kind) if len(folded) > 1 else None
        if kind in (None, "company"):
            if find_metrics(name) or (_ACRONYM.fullmatch(name) and not self._has_article(span)):
                return None
            if all(word in self._small or word in ORDINARY for word in folded):
                self._plain.add(name)
        return Mention(name, kind or "product")

    def _has_article(self, span: Span) -> bool:
        """Whether 'the' stands before it or in it: 'the IRS' is somebody, 'HQLA' is an abbreviation."""
        return span[0].lower_ == "the" or (span.start > 0 and self._doc[span.start - 1].lower_ == "the")

    @cached_property
    def _own(self) -> frozenset[str]:
        return frozenset(map(fold_company, own_aliases(self._document)))


def _is_listed(entity: Span) -> bool:
    """Whether the model took a list for one name."""
    _, comma, rest = entity.text.partition(",")
    return bool(comma) and not set(fold_name(rest).split()) <= LEGAL_FORMS


def _entity_name(text: str) -> str:
    """A name without determiner, possessive and closing punctuation; 'U.S.' keeps its own."""
    name = _DETERMINER.sub("", text.strip())
    name = re.sub(r"['\u2019]s$|[,;:]+$", "", name).strip()
    return name if re.search(r"\b[A-Z]\.[A-Z]\.$", name) else name.rstrip(". ")


def _is_name(name: str) -> bool:
    words = name.split()
    if not words or len(words) > MAX_ENTITY_WORDS or len(name) < 2 or _JUNK.search(name):
        return False
    return name[0].isupper() or (name[0].isdigit() and any(c.isupper() for c in name))
