from __future__ import annotations

from typing import Any

from tools.vector.by_id import chunks_by_id
from tools.vector.chunk_index import ChunkIndex


def test_chunks_come_in_the_order_asked_for_with_their_documents_fields(
    opened: ChunkIndex, corpus: Any
) -> None:
    texts = {chunk.text: chunk for chunk in corpus.chunks}
    wanted = [texts["We opened four stores."].id, texts["Chip sales rose on data center demand."].id]
    found = chunks_by_id(opened, wanted)
    assert [(item.item_id, item.rank, item.score) for item in found] == [
        (wanted[0], 1, 1.0),
        (wanted[1], 2, 0.5),
    ]
    assert [(item.document, item.doc_type, item.company_key) for item in found] == [
        ("bolt-call.pdf", "call", "BOLT"),
        ("apex-q1.pdf", "10-Q", "APEX"),
    ]
    assert [item.source for item in chunks_by_id(opened, wanted, "vector")] == ["vector", "vector"]


def test_a_repetition_that_the_index_leaves_out_is_left_out_here(opened: ChunkIndex, corpus: Any) -> None:
    said = [chunk.id for chunk in corpus.chunks if chunk.text.lower().startswith("forward-looking")]
    found = chunks_by_id(opened, [*said, "0" * 16])
    assert 0 < len(found) < len(said)
    assert [item.rank for item in found] == list(range(1, len(found) + 1))
