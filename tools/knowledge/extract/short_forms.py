"""Short forms that a document defines for what it has relations of: 'the Bureau of Quiet Waters (BQW)' as a triplet, so
that BQW and the bureau are one node, and where that is said can be shown."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from tools.documents.types import Document
from tools.knowledge.extract.cited_sentences import Passage
from tools.knowledge.extract.defined_terms import definitions
from tools.knowledge.graph.mentions import NAMED, SHORT_FOR
from tools.knowledge.graph.resolution import fold_name
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.types import EntityType, Triplet


def short_form_triplets(
    document: Document, everything: Sequence[Passage], triplets: Sequence[Triplet]
) -> Iterator[Triplet]:
    """`BQW --is short for--> Bureau of Quiet Waters`, once, where one of the two is named in these triplets of the
    document; both are then of the type that it is of."""
    kinds: dict[str, Counter[EntityType]] = defaultdict(Counter)
    for t in triplets:
        for name, kind in ((t.head, t.head_type), (t.tail, t.tail_type)):
            if kind in NAMED:
                kinds[fold_name(name)][kind] += 1
    seen: set[tuple[str, str]] = set()
    for passage in everything:
        for term, name in definitions(passage.text):
            read = kinds.get(fold_name(name)) or kinds.get(fold_name(term))
            if read is None or (term, name) in seen:
                continue
            seen.add((term, name))
            kind = min(read, key=lambda each: (-read[each], each))
            yield make_triplet(
                document,
                (term, kind),
                SHORT_FOR,
                (name, kind),
                page=passage.page,
                quote=passage.text,
                chunk_id=passage.chunk_id,
            )
