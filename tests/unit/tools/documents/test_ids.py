from __future__ import annotations

from pathlib import Path

from tools.documents.ids import chunk_id, document_id


def test_a_document_is_known_by_its_bytes_and_not_by_its_name(tmp_path: Path) -> None:
    for name, data in (("a.txt", b"Orla grew."), ("b.txt", b"Orla grew."), ("c.txt", b"Orla shrank.")):
        (tmp_path / name).write_bytes(data)
    same, copy, other = (document_id(tmp_path / name) for name in ("a.txt", "b.txt", "c.txt"))
    assert same == copy != other
    assert len(same) == 16


def test_chunks_differ_by_each_part_of_their_identity_and_equal_ones_by_their_count() -> None:
    first = chunk_id("d", (1, 2), "prose", "Orla grew.")
    others = {
        chunk_id("e", (1, 2), "prose", "Orla grew."),
        chunk_id("d", (1, 3), "prose", "Orla grew."),
        chunk_id("d", (1, 2), "table", "Orla grew."),
        chunk_id("d", (1, 2), "prose", "Orla shrank."),
        chunk_id("d", (1, 2), "prose", "Orla grew.", 1),
    }
    assert len(others) == 5 and first not in others
    assert chunk_id("d", (1, 2), "prose", "Orla grew.", 0) == first
