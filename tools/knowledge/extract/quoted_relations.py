"""Relations that a model read in one pass: each is kept if the words it quotes stand in the text and state it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from tools.documents.types import Document
from tools.knowledge.extract.cited_sentences import Passage
from tools.knowledge.extract.defined_terms import term_key
from tools.knowledge.extract.grounding import Dropped, Name, SentenceWords, holds, read_name, with_preposition
from tools.knowledge.extract.quotes import Quotes, folded_words
from tools.knowledge.extract.relation_replies import QuotedTriplet
from tools.knowledge.extract.said_verbs import says_as
from tools.knowledge.graph.resolution import fold_company, own_aliases
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.lexicon.relation_verbs import Relation, any_relation
from tools.knowledge.types import EntityType, Triplet

MAX_SENTENCES_BACK = 2
"""Sentences before the quotation in which a name may stand that the quotation refers to."""
_REFERS_BACK = re.compile(
    r"\b(?:it|its|they|their|them|he|his|him|she|her|this|that|these|those|which|who|the|both|such)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class QuotedRelation:
    """A relation that its text states."""

    head: Name
    relation: str
    tail: Name
    passage: Passage
    """The sentence in which the quotation begins."""
    quote: str
    """The sentences that the quotation stands in, as printed: a span alone may hide a condition."""
    date: str = ""
    amount: str = ""
    left_out: tuple[str, ...] = ()
    """What of date and amount was given and does not stand in the sentences."""


class QuotedReader:
    """Reads a model's items against one window of a document."""

    def __init__(self, document: Document, passages: Sequence[Passage], terms: Mapping[str, str]) -> None:
        """`terms`: see `defined_terms`."""
        self._document = document
        self._passages = passages
        self._sentences = [SentenceWords(passage) for passage in passages]
        self._quotes = Quotes(passages)
        self._terms = terms

    def read(self, item: Any) -> QuotedRelation | Dropped:
        """The item as a relation, or the reason why it is dropped. A date or an amount that the sentences do not hold
        is left out."""
        try:
            asked = QuotedTriplet.model_validate(item)
        except ValidationError:
            return "malformed"
        relation = any_relation(asked.relation, asked.status)
        if relation is None:
            return "verb"
        head, tail = self._name(asked.head, asked.head_type), self._name(asked.tail, asked.tail_type)
        if isinstance(head, str):
            return head
        if isinstance(tail, str):
            return tail
        if relation.swapped:
            head, tail = tail, head
        if fold_company(head.text) == fold_company(tail.text):
            return "same name"
        found = self._place(asked.quote, head, tail, relation)
        if isinstance(found, str):
            return found
        words = folded_words(found.quote)
        given = {"date": asked.date.strip(), "amount": asked.amount.strip()}
        kept = {what: text if folded_words(text) in words else "" for what, text in given.items()}
        gone = tuple(what for what in given if given[what] != kept[what])
        return replace(found, date=kept["date"], amount=kept["amount"], left_out=gone)

    def _name(self, text: str, kind: EntityType) -> Name | Dropped:
        """The name that a text stands for: the filer, what the document defines it to be, or itself."""
        name = read_name(text, kind, self._document, any_length=True)
        if isinstance(name, str) or name.text == self._document.company:
            return name
        defined = self._terms.get(term_key(name.text))
        return name if defined is None else read_name(defined, kind, self._document, any_length=True)

    def _place(self, quote: str, head: Name, tail: Name, relation: Relation) -> QuotedRelation | Dropped:
        """The first place of the quotation that holds both names and says the relation."""
        why: Dropped = "misquoted"
        for first, last in self._quotes.find(quote):
            found = self._stated(first, last, head, tail, relation)
            if not isinstance(found, str):
                return found
            why = found
        return why

    def _stated(
        self, first: int, last: int, head: Name, tail: Name, relation: Relation
    ) -> QuotedRelation | Dropped:
        if any(passage.asked for passage in self._passages[first : last + 1]):
            return "asked"
        begin = self._opening(first, last, head, tail)
        if begin is None:
            return "ungrounded"
        said = " ".join(passage.text for passage in self._passages[first : last + 1])
        if not says_as(said, relation.base, relation.status):
            return "unsaid"
        name = relation.name
        if relation.active:
            name, swapped = with_preposition(name, tail, said, relation.base)
            head, tail = (tail, head) if swapped else (head, tail)
        quote = " ".join(passage.text for passage in self._passages[begin : last + 1])
        return QuotedRelation(head, name, tail, self._passages[begin], quote)

    def _opening(self, first: int, last: int, head: Name, tail: Name) -> int | None:
        """The sentence from which on the text holds both names: the quotation's first, or one shortly before it in
        the same chunk to which the quotation refers ('it', 'the plant'); None if one of them stands in neither."""
        missing = [name for name in (head, tail) if not self._holds(name, first, last)]
        if not missing:
            return first
        said = " ".join(passage.text for passage in self._passages[first : last + 1])
        if len(missing) == 2 or not _REFERS_BACK.search(said):
            return None
        for at in range(first - 1, max(-1, first - 1 - MAX_SENTENCES_BACK), -1):
            passage = self._passages[at]
            if passage.chunk_id != self._passages[first].chunk_id or passage.asked:
                return None
            if self._holds(missing[0], at, at):
                return at
        return None

    def _holds(self, name: Name, first: int, last: int) -> bool:
        forms = [name.text, *(term for term, meant in self._terms.items() if meant == name.text)]
        return any(
            holds(Name(form, name.type), sentence, self._document)
            for sentence in self._sentences[first : last + 1]
            for form in forms
        )


def quoted_triplets(document: Document, relations: Iterable[QuotedRelation]) -> Iterator[Triplet]:
    """Relations of one document as triplets. Names that differ by case or legal form alone are written as the most
    frequent of them, and are of the type that the model took them for most often; the filer's own is the filer."""
    kept = list(relations)
    texts: dict[str, Counter[str]] = defaultdict(Counter)
    types: dict[str, Counter[EntityType]] = defaultdict(Counter)
    for name in (name for relation in kept for name in (relation.head, relation.tail)):
        texts[fold_company(name.text)][name.text] += 1
        types[fold_company(name.text)][name.type] += 1
    own = {fold_company(alias) for alias in own_aliases(document)}

    def settled(name: Name) -> tuple[str, EntityType]:
        folded = fold_company(name.text)
        kind = types[folded].most_common(1)[0][0]
        own_name = kind == "company" and folded in own
        return document.company if own_name else texts[folded].most_common(1)[0][0], kind

    for each in kept:
        yield make_triplet(
            document,
            settled(each.head),
            each.relation,
            settled(each.tail),
            page=each.passage.page,
            quote=each.quote,
            chunk_id=each.passage.chunk_id,
            date=each.date,
            amount=each.amount,
        )
