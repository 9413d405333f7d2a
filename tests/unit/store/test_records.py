from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tools.documents.parse import parse_document
from tools.documents.types import ParsedDocument
from tools.knowledge.triplets import make_triplet
from tools.knowledge.types import Triplet
from tools.store.errors import RecordDamagedError
from tools.store.records import RecordKey, StoredRecord, embed_again, write_record
from tools.vector.embeddings import Vectors

TEXT = "Alder Corporation reported revenue of $12.5 million.\n\nIt opened two plants in Ohio.\n"


@pytest.fixture(scope="module")
def parsed(tmp_path_factory: pytest.TempPathFactory) -> ParsedDocument:
    folder = tmp_path_factory.mktemp("documents")
    (folder / "alder.txt").write_text(TEXT, encoding="utf-8")
    return parse_document(folder / "alder.txt", folder)


@pytest.fixture
def triplets(parsed: ParsedDocument) -> list[Triplet]:
    return [
        make_triplet(
            parsed.document,
            ("Alder", "company"),
            "opened",
            ("two plants", "product"),
            page=1,
            quote="It opened",
        )
    ]


def key(parsed: ParsedDocument, embedder: str = "model") -> RecordKey:
    sha256 = parsed.document.id + "0" * 48
    return RecordKey(sha256, "alder.txt", "{}", "structure", "code", "extractor", embedder)


def vectors(parsed: ParsedDocument, value: float = 1.0) -> Vectors:
    return np.full((len(parsed.chunks), 4), value, np.float32)


def stored(home: Path, parsed: ParsedDocument, triplets: list[Triplet]) -> StoredRecord:
    folder = write_record(
        home / "documents", key(parsed), Path("/in/alder.txt"), parsed, triplets, vectors(parsed)
    )
    return StoredRecord(home, folder, "alder.txt")


def test_a_record_gives_back_what_was_stored(
    tmp_path: Path, parsed: ParsedDocument, triplets: list[Triplet]
) -> None:
    record = stored(tmp_path, parsed, triplets)
    assert record.parsed() == parsed
    assert record.triplets() == triplets
    assert np.array_equal(record.embeddings(), vectors(parsed))
    seal = record.check()
    assert (seal.key, seal.chunks, seal.triplets) == (key(parsed), len(parsed.chunks), 1)


def test_the_same_content_is_stored_as_the_same_bytes(
    tmp_path: Path, parsed: ParsedDocument, triplets: list[Triplet]
) -> None:
    first, second = (stored(tmp_path / name, parsed, triplets).folder for name in "ab")
    assert {p.name: p.read_bytes() for p in first.iterdir()} == {
        p.name: p.read_bytes() for p in second.iterdir()
    }


def test_a_flipped_bit_in_any_file_is_noticed(
    tmp_path: Path, parsed: ParsedDocument, triplets: list[Triplet]
) -> None:
    record = stored(tmp_path, parsed, triplets)
    sealed = record.seal().sha256
    for path in sorted(record.folder.iterdir()):
        data = path.read_bytes()
        if not data:
            continue
        changed = bytearray(data)
        changed[len(data) // 2] ^= 4
        path.write_bytes(changed)
        with pytest.raises(RecordDamagedError, match=r"'alder\.txt'.*hybridrag index"):
            record.check(sealed)
        path.write_bytes(data[:-1])
        with pytest.raises(RecordDamagedError, match=r"alder\.txt"):
            record.check(sealed)
        path.write_bytes(data)
    assert record.check(sealed)


def test_a_missing_file_is_noticed(tmp_path: Path, parsed: ParsedDocument, triplets: list[Triplet]) -> None:
    record = stored(tmp_path, parsed, triplets)
    (record.folder / "chunks.jsonl").unlink()
    with pytest.raises(RecordDamagedError, match=r"chunks\.jsonl: No such file"):
        record.chunks()


def test_a_record_under_another_name_is_not_believed(
    tmp_path: Path, parsed: ParsedDocument, triplets: list[Triplet]
) -> None:
    record = stored(tmp_path, parsed, triplets)
    record.folder.rename(record.folder.with_name("0000-other"))
    with pytest.raises(RecordDamagedError, match="another record"):
        StoredRecord(tmp_path, "0000-other").check()


def test_a_damaged_record_is_replaced_as_a_whole(
    tmp_path: Path, parsed: ParsedDocument, triplets: list[Triplet]
) -> None:
    record = stored(tmp_path, parsed, triplets)
    (record.folder / "document.json").unlink()
    assert stored(tmp_path, parsed, triplets).check()
    assert [path.name for path in (tmp_path / "documents").iterdir()] == [record.folder.name]


def test_embedding_again_changes_the_vectors_and_nothing_else(
    tmp_path: Path, parsed: ParsedDocument, triplets: list[Triplet]
) -> None:
    record = stored(tmp_path, parsed, triplets)
    folder = embed_again(record, "other", lambda texts: np.zeros((len(texts), 2), np.float32))
    again = StoredRecord(tmp_path, folder)
    assert folder == key(parsed, "other").folder != record.folder.name
    assert again.embeddings().shape == (len(parsed.chunks), 2)
    assert (again.parsed(), again.triplets()) == (parsed, triplets)


def test_every_part_of_the_key_changes_the_folder(parsed: ParsedDocument) -> None:
    base = key(parsed)
    from dataclasses import fields, replace

    for field in fields(RecordKey):
        other = 2 if field.name == "format" else "f" * 64
        assert replace(base, **{field.name: other}).folder != base.folder
