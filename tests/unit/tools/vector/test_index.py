"""tools.vector.index: content in, the same content out, within scope, or a named refusal."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools.periods import PeriodFilter
from tools.scope import Scope
from tools.vector.chunk_index import ChunkIndex, EmbedderMismatchError, IndexDamagedError
from tools.vector.index import ROWS, VectorIndex
from tools.vector.index_record import IndexRecord, Row
from tools.vector.passages import passages_of
from tools.vector.vector_search import vector_search

maybe = st.none()
filters = st.builds(
    PeriodFilter,
    end=maybe | st.sampled_from([date(2023, 3, 31), date(2023, 6, 30), date(2023, 7, 29), date(2022, 1, 1)]),
    months=maybe | st.sampled_from([0, 3, 6]),
    fiscal_year=maybe | st.sampled_from([2022, 2023]),
    fiscal_quarter=maybe | st.integers(1, 4),
    calendar_year=maybe | st.sampled_from([2022, 2023]),
    calendar_quarter=maybe | st.integers(1, 4),
)
scopes = st.builds(
    Scope,
    companies=st.lists(st.sampled_from(["APEX", "BOLT", "NONE", ""]), max_size=2).map(tuple),
    periods=st.lists(filters, max_size=2).map(tuple),
    doc_types=st.lists(st.sampled_from(["10-Q", "10-K", "call"]), max_size=2).map(tuple),
    documents=st.lists(st.sampled_from(["0fca62acd9a34acb", "8a8542a5b3e1472f", "none"]), max_size=2).map(
        tuple
    ),
)


def digest_of(corpus: Any, folder: Path, embedder: Any) -> str:
    corpus.build(folder)
    index = VectorIndex.open(folder, embedder)
    digest = index.digest()
    index.close()
    return digest


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(scope=scopes)
def test_a_query_sees_exactly_the_chunks_whose_document_the_scope_admits(
    scope: Scope, opened: ChunkIndex, corpus: Any
) -> None:
    admitted = {
        document.id
        for document in corpus.documents.values()
        if scope.admits(document.company_key, document.period, document.doc_type, document.id)
    }
    expected = {row.id for row in opened.rows(corpus.ids()) if row.document_id in admitted}
    found = opened.candidates("chip inventory stores risks", scope, pool=50)
    assert {row.id for row in found.rows} == expected


def test_a_home_is_opened_and_searched_within_a_company_without_chroma(
    corpus: Any, embedder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.build(tmp_path)
    monkeypatch.setattr("tools.vector.chroma._client", None)
    with closing(VectorIndex.open(tmp_path, embedder)) as index:
        index.verify()
        found = index.candidates("chip inventory", Scope(companies=("APEX",)), pool=5)
        assert index.texts([row.id for row in found.rows])


def test_words_find_what_meaning_ranks_too_low(opened: ChunkIndex) -> None:
    found = opened.candidates("registers", Scope(), pool=1)
    texts = [text for text, _ in opened.texts([row.id for row in found.rows])]
    assert "Chip cards failed at our registers." in texts
    best = int(np.argmax(found.keyword))
    assert found.keyword[best] > 0
    assert found.coverage[best] == pytest.approx(1)


def test_a_chunk_keeps_its_first_page_section_and_periods(opened: ChunkIndex, corpus: Any) -> None:
    (row,) = [row for row in opened.rows(corpus.ids()) if opened.texts([row.id])[0][0] == "Inventory rose."]
    _, metadata = opened.texts([row.id])[0]
    assert metadata == {
        "document_id": row.document_id,
        "company_key": "APEX",
        "doc_type": "10-Q",
        "period_end": "2023-06-30",
        "fiscal_year": 2023,
        "fiscal_quarter": 2,
        "year": 2023,
        "quarter": 2,
        "page": 2,
        "kind": "prose",
        "section": "Item 2",
        "speaker": "",
    }


def test_a_text_repeated_within_company_type_and_period_is_stored_once_and_counted(
    opened: ChunkIndex, corpus: Any
) -> None:
    assert opened.duplicates == 1  # the boilerplate in capitals; other periods and companies keep theirs
    assert opened.count() == len(corpus.chunks) - 1
    pages = [
        fields["page"]
        for text, fields in opened.texts([row.id for row in opened.rows(corpus.ids())])
        if "risks" in text
    ]
    assert pages == [3, 3, 3]


def test_the_same_content_in_another_order_has_the_same_digest(
    corpus: Any, embedder: Any, tmp_path: Path
) -> None:
    first = digest_of(corpus, tmp_path / "one", embedder)
    corpus.chunks.reverse()
    corpus.documents = dict(reversed(corpus.documents.items()))
    assert digest_of(corpus, tmp_path / "two", embedder) == first


@pytest.mark.parametrize("name", ["apex-q1.pdf", "apex-q2.pdf", "bolt-q2.pdf", "bolt-call.pdf"])
def test_leaving_a_document_out_leaves_no_trace(
    name: str, corpus: Any, embedder: Any, tmp_path: Path
) -> None:
    everything = digest_of(corpus, tmp_path / "all", embedder)
    rest = corpus.without(name)
    assert digest_of(rest, tmp_path / "rest", embedder) != everything
    index = VectorIndex.open(tmp_path / "rest", embedder)
    assert name not in {document.name for document in index.documents.values()}
    assert index.count() == len(rest.chunks) - (name != "apex-q1.pdf")
    index.close()


@pytest.mark.parametrize(
    "change",
    [
        lambda chunk: replace(chunk, text=chunk.text + "!"),
        lambda chunk: replace(chunk, embed_text=chunk.embed_text + " more"),
        lambda chunk: replace(chunk, section="Item 9"),
        lambda chunk: replace(chunk, pages=(7,)),
    ],
)
def test_any_change_of_a_chunk_changes_the_digest(
    change: Callable[[Any], Any], corpus: Any, embedder: Any, tmp_path: Path
) -> None:
    before = digest_of(corpus, tmp_path / "one", embedder)
    corpus.chunks[0] = change(corpus.chunks[0])
    assert digest_of(corpus, tmp_path / "two", embedder) != before


@pytest.mark.parametrize("way", ["compared one by one", "by Chroma's graph", "written by an earlier version"])
def test_the_nearest_are_the_same_whichever_way_they_are_found(
    way: str, corpus: Any, embedder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.build(tmp_path)
    if way == "written by an earlier version":
        record = IndexRecord.load(tmp_path / "vectors.json")
        files = {name: sha for name, sha in record.files.items() if name != ROWS}
        replace(record, files=files).save(tmp_path / "vectors.json")
        (tmp_path / ROWS).unlink()
    monkeypatch.setattr("tools.vector.index.MAX_COMPARED", 0 if way == "by Chroma's graph" else 100)
    index = VectorIndex.open(tmp_path, embedder)
    vectors = dict(zip(corpus.ids(), embedder.embed([c.embed_text for c in corpus.chunks]), strict=True))
    query = embedder.embed_query("weak phone demand")
    for scope in (Scope(), Scope(companies=("APEX",))):
        rows = [row for row in index.record.rows if scope.admits(*told(index, row))]
        nearness = sorted(float(vectors[row.id] @ query) for row in rows)[-3:]
        found = index.candidates("weak phone demand", scope, pool=3)
        assert sorted(found.dense.tolist())[-3:] == pytest.approx(nearness)
        for row, vector in zip(found.rows, found.vectors, strict=True):
            assert np.array_equal(vector, vectors[row.id])
    index.verify(sample=None)
    index.verify()
    index.close()


@pytest.mark.parametrize(
    ("harm", "sample", "said"),
    [
        ("nothing", 5, "No data left"),
        ("one too few", 5, "differ in number"),
        ("another order", None, "has two vectors"),
    ],
)
def test_vectors_in_one_file_that_are_not_chromas_are_damage(
    harm: str, sample: int | None, said: str, corpus: Any, embedder: Any, tmp_path: Path
) -> None:
    corpus.build(tmp_path)
    rows = np.load(tmp_path / ROWS)
    np.save(tmp_path / ROWS, rows[1:] if harm == "one too few" else rows[::-1])
    if harm == "nothing":
        (tmp_path / ROWS).write_bytes(b"")
    with (
        pytest.raises(IndexDamagedError, match=said),
        closing(VectorIndex.open(tmp_path, embedder, checked=True)) as index,
    ):
        index.verify(sample)


def told(index: VectorIndex, row: Row) -> tuple[str, Any, str, str]:
    document = index.documents[row.document_id]
    return document.company_key, document.period, document.doc_type, document.id


def test_an_index_of_nothing_opens_and_finds_nothing(make: Any, embedder: Any, tmp_path: Path) -> None:
    make({}).build(tmp_path)
    index = VectorIndex.open(tmp_path, embedder)
    index.verify()
    index.verify(sample=None)
    assert index.count() == 0
    assert index.candidates("chips", Scope(), 20).rows == ()
    index.close()


def test_an_index_of_one_chunk_finds_it(make: Any, document: Any, embedder: Any, tmp_path: Path) -> None:
    make({"only": (document("only.pdf", "ONLY"), ["Sales rose."])}).build(tmp_path)
    index = VectorIndex.open(tmp_path, embedder)
    index.verify()
    assert len(index.candidates("sales", Scope(), 20).rows) == 1
    index.close()


def test_a_sound_index_passes_its_checks(opened: ChunkIndex) -> None:
    opened.verify()
    opened.verify(sample=1_000)
    opened.verify(sample=None)


def test_the_digest_is_of_the_content_and_the_same_wherever_it_is_kept(
    opened: ChunkIndex, in_folder: VectorIndex
) -> None:
    assert opened.digest() == in_folder.digest() == in_folder.record.digest


def test_a_changed_or_missing_file_is_refused_by_name(corpus: Any, embedder: Any, tmp_path: Path) -> None:
    corpus.build(tmp_path)
    files = [path for path in sorted(tmp_path.rglob("*")) if path.is_file() and path.name != "chroma.sqlite3"]
    names = {path.relative_to(tmp_path).as_posix() for path in files}
    assert {"passages/rows.json", "passages/vectors.npy", "keywords/ids.json", "vectors.json"} <= names
    assert {"data_level0.bin", "header.bin"} <= {path.name for path in files}
    for path in files:
        sound = path.read_bytes()
        for damage in (sound[: len(sound) // 2], bytes([sound[0] ^ 1]) + sound[1:] if sound else b"x", None):
            path.unlink() if damage is None else path.write_bytes(damage)
            if damage != sound:
                with pytest.raises(IndexDamagedError, match=path.name):
                    VectorIndex.open(tmp_path, embedder)
            path.write_bytes(sound)
    VectorIndex.open(tmp_path, embedder).verify(sample=None)


@pytest.mark.parametrize("damage", ["header", "empty", "gone"])
def test_a_damaged_database_is_refused_by_the_first_query(
    damage: str, corpus: Any, embedder: Any, tmp_path: Path
) -> None:
    corpus.build(tmp_path)
    database = tmp_path / "vectors" / "chroma.sqlite3"
    if damage == "gone":
        database.unlink()
    else:
        database.write_bytes(b"" if damage == "empty" else b"x" * 100 + database.read_bytes()[100:])
    index = VectorIndex.open(tmp_path, embedder)
    with pytest.raises(IndexDamagedError, match="damaged"):
        index.verify()
    with pytest.raises(IndexDamagedError, match="damaged"):
        index.candidates("chips", Scope(), 20)


def test_a_text_changed_behind_our_back_is_never_returned(corpus: Any, embedder: Any, tmp_path: Path) -> None:
    corpus.build(tmp_path)
    with closing(sqlite3.connect(tmp_path / "vectors" / "chroma.sqlite3")) as database, database:
        changed = database.execute(
            "UPDATE embedding_metadata SET string_value = replace(string_value, 'rose', 'fell') "
            "WHERE key = 'chroma:document'"
        )
        assert changed.rowcount
    index = VectorIndex.open(tmp_path, embedder)
    wrong = [row.id for row in index.record.rows if row.document_id in index.documents]
    with pytest.raises(IndexDamagedError, match="is not what was written"):
        index.texts(wrong)
    with pytest.raises(IndexDamagedError, match="is not what was written"):
        index.verify(sample=None)
    index.close()


def test_an_index_made_with_another_embedder_is_refused(in_folder: VectorIndex, embedder: Any) -> None:
    embedder.id = "other-model"
    with pytest.raises(EmbedderMismatchError, match=r"'words-64', than 'other-model'"):
        VectorIndex.open(in_folder.folder, embedder)


def test_an_index_of_another_format_is_refused(corpus: Any, embedder: Any, tmp_path: Path) -> None:
    corpus.build(tmp_path)
    record = VectorIndex.open(tmp_path, embedder).record
    replace(record, format=99).save(tmp_path / "vectors.json")
    with pytest.raises(EmbedderMismatchError, match="format 99"):
        VectorIndex.open(tmp_path, embedder)


def test_no_index_at_all_is_refused(tmp_path: Path, embedder: Any) -> None:
    with pytest.raises(IndexDamagedError, match=r"vectors\.json"):
        VectorIndex.open(tmp_path, embedder)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda vectors: vectors[:-1], "embeddings of shape"),
        (lambda vectors: vectors * 2, "not of length 1"),
        (lambda vectors: vectors * np.nan, "not of length 1"),
    ],
)
def test_embeddings_that_do_not_fit_the_chunks_are_refused(
    spoil: Callable[[Any], Any], message: str, corpus: Any, embedder: Any, tmp_path: Path
) -> None:
    vectors = spoil(embedder.embed([chunk.embed_text for chunk in corpus.chunks]))
    with pytest.raises(ValueError, match=message):
        VectorIndex.build(tmp_path, corpus.chunks, corpus.documents, vectors, embedder.id)


def test_an_index_without_calls_has_no_passages(corpus: Any, embedder: Any, tmp_path: Path) -> None:
    corpus.without("bolt-call.pdf").build(tmp_path)
    assert not (tmp_path / "passages").exists()
    index = VectorIndex.open(tmp_path, embedder)
    assert index.passages is None
    index.verify(sample=None)
    index.close()


def test_an_index_made_before_there_were_passages_opens_and_answers_spoken_questions_plainly(
    corpus: Any, embedder: Any, tmp_path: Path
) -> None:
    vectors = embedder.embed([chunk.embed_text for chunk in corpus.chunks])
    VectorIndex.build(tmp_path, corpus.chunks, corpus.documents, vectors, embedder.id)
    index = VectorIndex.open(tmp_path, embedder)
    index.verify(sample=None)
    assert index.passages is None
    asked = "Tom, did chip cards fail?"
    plain = vector_search(index, asked, floor=0)
    assert vector_search(index, asked, floor=0, spoken=True) == plain != []
    index.close()


def test_passages_of_a_repeated_chunk_are_kept_once(
    document: Any, call: Any, embedder: Any, tmp_path: Path
) -> None:
    said = ("Ana Reyes", "And stores?", "Tom Birch", "We opened four.")
    end = date(2024, 6, 29)
    one, other = (
        call(document(f"{name}.pdf", "ORLA", "call", end, 2024, 2), remarks, said)
        for name, remarks in (("first", "Sales rose."), ("second", "Costs fell."))
    )
    corpus = one + other
    corpus.build(tmp_path)
    index = VectorIndex.open(tmp_path, embedder)
    assert index.duplicates == 1
    assert index.passages is not None
    kept = [chunk for row in index.record.rows for chunk in corpus.chunks if chunk.id == row.id]
    texts = [
        passage.text for chunk in kept for passage in passages_of(chunk, corpus.documents[chunk.document_id])
    ]
    assert sorted(texts) == ["And stores?", "Costs fell.", "Sales rose.", "We opened four."]
    assert np.array_equal(index.passages.vectors, embedder.embed(texts))
    assert len(index.passages.chunks) == 4
    index.verify(sample=None)
    index.close()


def test_the_digest_covers_the_vectors_of_passages(corpus: Any, embedder: Any, tmp_path: Path) -> None:
    before = digest_of(corpus, tmp_path / "one", embedder)
    vectors = embedder.embed([chunk.embed_text for chunk in corpus.chunks])
    said = embedder.embed(corpus.said())
    for name, passages in (("turned", said[::-1]), ("none", None)):
        VectorIndex.build(tmp_path / name, corpus.chunks, corpus.documents, vectors, embedder.id, passages)
        index = VectorIndex.open(tmp_path / name, embedder)
        assert index.digest() == index.record.digest != before
        index.close()


def test_a_folder_of_passages_that_is_gone_is_refused(corpus: Any, embedder: Any, tmp_path: Path) -> None:
    corpus.build(tmp_path)
    shutil.rmtree(tmp_path / "passages")
    with pytest.raises(IndexDamagedError, match="passages"):
        VectorIndex.open(tmp_path, embedder)


def test_vectors_of_passages_that_do_not_fit_them_are_refused(
    corpus: Any, embedder: Any, tmp_path: Path
) -> None:
    vectors = embedder.embed([chunk.embed_text for chunk in corpus.chunks])
    with pytest.raises(ValueError, match="2 passages, but embeddings of shape"):
        VectorIndex.build(
            tmp_path, corpus.chunks, corpus.documents, vectors, embedder.id, embedder.embed(["one"])
        )


def test_a_new_reader_sees_what_another_process_wrote_while_an_older_one_is_open(
    in_folder: VectorIndex, embedder: Any
) -> None:
    assert in_folder.count() > 0
    code = (
        "import sys, chromadb\n"
        "client = chromadb.PersistentClient(sys.argv[1])\n"
        "client.get_collection('chunks').delete(ids=[sys.argv[2]])\n"
    )
    gone = in_folder.record.rows[0].id
    subprocess.run([sys.executable, "-c", code, str(in_folder.folder / "vectors"), gone], check=True)
    fresh = VectorIndex.open(in_folder.folder, embedder)
    with pytest.raises(IndexDamagedError, match="differ in number"):
        fresh.verify()
    in_folder.close()
    assert fresh.count() == len(fresh.record.rows) - 1  # closing the older reader leaves the new one open
    fresh.close()


def test_threads_share_one_index_and_get_the_same_answers(opened: ChunkIndex) -> None:
    def ask(_: int) -> list[str]:
        return [row.id for row in opened.candidates("chip sales", Scope(companies=("APEX",)), 3).rows]

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(ask, range(40)))
    assert all(answer == answers[0] for answer in answers)


def test_a_closed_index_can_be_closed_again_and_asked_again(opened: ChunkIndex) -> None:
    before = opened.candidates("chips", Scope(), 5).rows
    opened.close()
    opened.close()
    assert opened.candidates("chips", Scope(), 5).rows == before


def test_a_scope_that_comes_back_from_a_checkpoint_with_lists_admits_the_same(opened: ChunkIndex) -> None:
    listed: Any = ["APEX"]
    admitted = opened.admitted(Scope(companies=("APEX",))).tolist()
    assert opened.admitted(Scope(companies=listed)).tolist() == admitted and 0 < sum(admitted) < len(admitted)
