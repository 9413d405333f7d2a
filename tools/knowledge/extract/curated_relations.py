"""Relations that a model read from its own abstract: of the curated verbs, with names of at most three words, and
found in the source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from tools.documents.types import Document
from tools.knowledge.extract.grounding import (
    Dropped,
    SentenceWords,
    find_sentence,
    read_name,
    with_preposition,
)
from tools.knowledge.extract.relation_replies import ReadTriplet
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.lexicon.relation_verbs import read_relation
from tools.knowledge.types import Triplet


def grounded_triplet(document: Document, item: Any, sentences: Sequence[SentenceWords]) -> Triplet | Dropped:
    """The item as a triplet with its provenance, or the reason why it is dropped."""
    try:
        read = ReadTriplet.model_validate(item)
    except ValidationError:
        return "malformed"
    relation = read_relation(read.verb_phrase)
    if relation is None:
        return "verb"
    head, tail = (
        read_name(name, kind, document)
        for name, kind in ((read.head, read.head_type), (read.tail, read.tail_type))
    )
    if isinstance(head, str):
        return head
    if isinstance(tail, str):
        return tail
    name, swapped = relation
    if swapped:
        head, tail = tail, head
    if head.text.casefold() == tail.text.casefold():
        return "same name"
    place = find_sentence(head, tail, name, sentences, document)
    if isinstance(place, str):
        return place
    passage, quote = place
    name, swapped = with_preposition(name, tail, quote)
    if swapped:
        head, tail = tail, head
    return make_triplet(
        document,
        (head.text, head.type),
        name,
        (tail.text, tail.type),
        page=passage.page,
        quote=quote,
        chunk_id=passage.chunk_id,
    )
