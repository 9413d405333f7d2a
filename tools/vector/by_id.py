"""Chunks whose ids are known, as evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from tools.evidence import Evidence, EvidenceKind
from tools.vector.chunk_index import ChunkIndex


def chunks_by_id(
    index: ChunkIndex, ids: Sequence[str], source: Literal["vector", "graph"] = "graph"
) -> list[Evidence]:
    """The chunks of `ids` in that order, without those that the index leaves out as repetitions of others. Scores say
    nothing but the order. IndexDamagedError when the stored index is not sound."""
    kept = [row.id for row in index.rows(ids)]
    found = []
    for rank, (chunk, (text, fields)) in enumerate(zip(kept, index.texts(kept), strict=True), start=1):
        document = index.documents[str(fields["document_id"])]
        found.append(
            Evidence(
                rank=rank,
                source=source,
                text=text,
                document=document.name,
                document_id=document.id,
                page=int(fields["page"]),
                score=1 / rank,
                item_id=chunk,
                kind=cast(EvidenceKind, fields["kind"]),
                company_key=document.company_key,
                company=document.company,
                doc_type=document.doc_type,
                period=document.period,
                section=str(fields["section"]),
            )
        )
    return found
