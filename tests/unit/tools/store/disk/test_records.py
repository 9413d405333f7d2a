from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from tests.light_index import index_light
from tests.store_stand_ins import HashEmbedder
from tools.documents.read.parse import parse_document
from tools.documents.types import ParsedDocument
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.types import Triplet
from tools.scope import Scope
from tools.store.disk.home import Home, delete_tree
from tools.store.disk.records import RecordKey, StoredRecord, embed_again, write_record
from tools.store.errors import RecordDamagedError
from tools.vector.document_vectors import embed_document, texts_to_embed
from tools.vector.embeddings import Vectors
from tools.vector.index import VectorIndex
from tools.vector.passages import passages_of

TEXT = "Alder Corporation reported revenue of $12.5 million.\n\nIt opened two plants in Ohio.\n"
CALL = """ORLA Q2 2024 Earnings Call Transcript
Call participants
Marta Lindqvist--Chief Executive Officer
Ana Reyes--Harbor Bank -- Analyst
Prepared Remarks
Marta Lindqvist
Orders grew in spring.
Questions and Answers
Operator
Ana Reyes is next.
Ana Reyes
How are inventories?
Marta Lindqvist
They came down by two weeks.
"""


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
        home / "documents", key(parsed), Path("/in/alder.txt"), parsed, triplets, vectors(parsed), None
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


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("calls")
    (folder / "call.txt").write_text(CALL, encoding="utf-8")
    return folder / "call.txt"


def test_an_index_gets_a_vector_of_each_chunk_and_each_passage_of_its_records(
    tmp_path: Path, call: Path
) -> None:
    (call.parent / "alder.txt").write_text(TEXT, encoding="utf-8")
    home = indexed(tmp_path / "home", call.parent)
    embedder = HashEmbedder()
    generation = home.generation(home.current() or 0)
    index = VectorIndex.open(generation, embedder)
    whole, said = dict[str, Vectors](), dict[str, list[str]]()
    for entry in home.manifest().entries:
        record = StoredRecord(home.root, entry.record)
        vectors = embed_document(record.chunks(), record.document(), embedder.embed)
        assert np.array_equal(record.embeddings(), vectors)
        for chunk, vector in zip(record.chunks(), vectors, strict=False):
            whole[chunk.id] = vector
            said[chunk.id] = [passage.text for passage in passages_of(chunk, record.document())]
    found = index.candidates("plants", Scope(), 50)
    ids = [row.id for row in index.record.rows]
    assert {row.id for row in found.rows} == set(ids) == set(whole)
    assert np.allclose(found.vectors, [whole[row.id] for row in found.rows])
    passages = [text for chunk in ids for text in said[chunk]]
    assert len(passages) == 3
    assert index.passages is not None
    assert np.array_equal(index.passages.vectors, embedder.embed(passages))
    index.close()


def test_embedding_a_call_again_embeds_its_passages_too(tmp_path: Path, call: Path) -> None:
    parsed = parse_document(call, call.parent)
    texts = texts_to_embed(parsed.chunks, parsed.document)
    rows = len(parsed.chunks) + 3
    old = np.ones((rows, 4), np.float32)
    folder = write_record(tmp_path / "documents", key(parsed), call, parsed, [], old, None)
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> Vectors:
        asked.extend(texts)
        return np.ones((len(texts), 2), np.float32)

    again = StoredRecord(tmp_path, embed_again(StoredRecord(tmp_path, folder), "other", embed))
    assert asked == texts
    assert again.embeddings().shape == (rows, 2)


@pytest.mark.parametrize("code", ["same", "another"])
def test_vectors_of_an_earlier_record_are_used_by_text_and_those_of_a_call_only_if_the_code_is_the_same(
    tmp_path: Path, call: Path, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its vectors are marked here, so that what is taken over shows."""
    home = indexed(tmp_path / "home", call)
    (entry,) = home.manifest().entries
    record = StoredRecord(home.root, entry.record)
    parsed, old = record.parsed(), record.seal().key
    marked = np.roll(record.embeddings(), 1, axis=1)
    former = replace(old, overrides="{}", code=old.code if code == "same" else "f" * 16)
    write_record(home.documents, former, call, parsed, [], marked, None)
    delete_tree(record.folder)
    again = StoredRecord(home.root, indexed(home.root, call).manifest().entries[0].record).embeddings()
    chunks = len(parsed.chunks)
    fresh = embed_document(parsed.chunks, parsed.document, HashEmbedder().embed)
    assert np.array_equal(again[chunks:], (marked if code == "same" else fresh)[chunks:])


def indexed(home: Path, documents: Path) -> Home:
    index_light(home, [documents])
    return Home(home)


def test_every_part_of_the_key_changes_the_folder(parsed: ParsedDocument) -> None:
    base = key(parsed)
    for field in fields(RecordKey):
        other = 2 if field.name == "format" else "f" * 64
        assert replace(base, **{field.name: other}).folder != base.folder
