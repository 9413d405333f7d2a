"""Figures as a document prints them, whichever engine reads the rest: tables, tags, share counts, pairs and
series, head counts."""

from __future__ import annotations

from collections.abc import Iterator

from tools.documents.types import ParsedDocument
from tools.knowledge.extract.figure_pairs import pair_triplets
from tools.knowledge.extract.figure_series import series_triplets
from tools.knowledge.extract.head_counts import head_count_triplets
from tools.knowledge.extract.share_counts import share_triplets
from tools.knowledge.extract.table_triplets import table_triplets
from tools.knowledge.extract.tag_triplets import tag_triplets
from tools.knowledge.types import Triplet


def printed_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """Figures of tables and tags, counts of shares in labels and on covers, pairs and series, head counts."""
    yield from table_triplets(parsed)
    yield from tag_triplets(parsed)
    yield from share_triplets(parsed)
    yield from pair_triplets(parsed)
    yield from series_triplets(parsed)
    yield from head_count_triplets(parsed)
