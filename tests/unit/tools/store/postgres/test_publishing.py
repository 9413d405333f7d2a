"""Publishing a home and taking it back: the same content, nothing twice, old or new and never a mix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.light_index import index_light
from tests.light_ontologies import add_light
from tests.postgres_here import PostgresHere
from tests.store_stand_ins import HashEmbedder
from tools.knowledge.graph.decisions import FILE as DECISIONS
from tools.knowledge.graph.lines_on_disk import Lines
from tools.knowledge.search.line_items import company_facts
from tools.scope import Scope
from tools.store.disk.home import Home
from tools.store.disk.ontologies import ontologies_of
from tools.store.disk.removal_note import is_noted
from tools.store.disk.seal import GenerationSeal
from tools.store.errors import HomeLockedError, IndexMissingError
from tools.store.generation.opening import open_generation
from tools.store.postgres import chunk_rows, chunk_table, published, schema, taking_back
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.database import Database
from tools.store.postgres.errors import (
    DatabaseError,
    NothingPublishedError,
    OtherEmbeddingsError,
    PublishedDamagedError,
    PublishedReplacedError,
    SchemaVersionError,
    StoreBusyError,
)
from tools.store.postgres.home_contents import NewChunk
from tools.store.postgres.postings import decoded
from tools.store.postgres.published import PublishedGeneration, open_published
from tools.store.postgres.publishing import Published, publish
from tools.store.postgres.taking_back import WouldLoseError, take_back
from tools.store.runs.removal import note_removal
from tools.vector.chunk_index import IndexDamagedError
from tools.vector.index_record import Row

pytestmark = pytest.mark.usefixtures("vectors_here")
Homes = Callable[[int], Path]
TABLES = ("generations", *schema.SPANNED)


def digest_in(home: Path) -> str:
    place = Home(home)
    return GenerationSeal.load(place.generation(place.current() or 0)).digest


def written(postgres: PostgresHere, address: StoreAddress) -> list[Any]:
    """The transactions that wrote each table's rows."""
    return [
        sorted(
            postgres.run(address.secret, f"SELECT xmin::text, xmax::text, ctid::text FROM hybridrag.{table}")
        )
        for table in TABLES
    ]


def content(postgres: PostgresHere, address: StoreAddress) -> dict[str, Any]:
    """What the newest generation holds, without what differs between two ways to it."""

    def rows(query: str) -> list[Any]:
        return postgres.run(address.secret, f"{query} AND until = {schema.FOREVER}")

    names = dict(rows("SELECT number, id FROM hybridrag.chunks WHERE true"))
    entries = [
        (term, document, names[number], count, tokens)
        for term, document, data in rows(
            "SELECT term, document_id, entries FROM hybridrag.postings WHERE true"
        )
        for number, count, tokens in decoded(data).tolist()
    ]
    vectors = rows("SELECT number, document_id, embedding::text FROM hybridrag.embeddings WHERE true")
    return {
        "chunks": sorted(rows("SELECT id, content, tokens FROM hybridrag.chunks WHERE true")),
        "embeddings": sorted((names[number], *rest) for number, *rest in vectors),
        "postings": sorted(entries),
        "frequencies": sorted(rows("SELECT term, holders FROM hybridrag.frequencies WHERE true")),
        "files": sorted(rows("SELECT path, sha256 FROM hybridrag.files WHERE true")),
        "totals": postgres.run(
            address.secret,
            "SELECT chunks, tokens FROM hybridrag.generations ORDER BY number DESC LIMIT 1",
        ),
    }


def asked(opened: PublishedGeneration) -> tuple[Any, ...]:
    """What a question finds, all numbers included."""
    found = opened.vectors.candidates("plants in Ohio and revenue growth", Scope(), 50)
    numbers = (each.tolist() for each in (found.dense, found.keyword, found.coverage))
    return ([row.id for row in found.rows], *numbers)


def test_there_and_back_the_digest_and_the_records_are_the_same(
    home: Homes, address: StoreAddress, tmp_path: Path
) -> None:
    (home(0) / DECISIONS).write_text(
        "different company: Alder Corporation != Birch Corporation\n", encoding="utf-8"
    )
    done = publish(home(0), address)
    back = take_back(address, tmp_path / "back")
    assert done.digest == digest_in(home(0)) == back.digest == back.published == digest_in(tmp_path / "back")
    for folder in ("documents", DECISIONS):
        source = home(0) / folder
        files = sorted(path.relative_to(home(0)) for path in [source, *source.rglob("*")] if path.is_file())
        assert files
        for file in files:
            assert (tmp_path / "back" / file).read_bytes() == (home(0) / file).read_bytes()
    with open_published(address, HashEmbedder()) as opened:
        assert opened.digest == done.digest
        opened.vectors.verify(None)
        assert {entry.name for entry in opened.entries} == {f"call-{n}.txt" for n in range(3)}
        key = opened.entries[0].document_id
        assert (
            opened.record(key).original()
            == (tmp_path / "back" / "documents" / opened.entries[0].record / "original").read_bytes()
        )
        assert opened.pages(key) and opened.chunks(key)


def test_copying_again_what_is_unchanged_writes_nothing(
    home: Homes, address: StoreAddress, postgres: PostgresHere, tmp_path: Path
) -> None:
    first = publish(home(0), address)
    before = written(postgres, address)
    assert publish(home(0), address) == Published(first.generation, first.digest, changed=False)
    assert written(postgres, address) == before
    take_back(address, tmp_path / "back")
    again = take_back(address, tmp_path / "back")
    assert (again.records, again.digest) == (0, first.digest)


def test_only_what_is_new_travels_and_the_result_is_that_of_a_new_database(
    home: Homes, address: StoreAddress, postgres: PostgresHere
) -> None:
    publish(home(0), address)
    first = content(postgres, address)
    changed = publish(home(1), address)
    kept = {row[0] for row in first["chunks"]} & {row[0] for row in content(postgres, address)["chunks"]}
    assert kept and changed.chunks < len(content(postgres, address)["chunks"])
    since = postgres.run(
        address.secret,
        f"SELECT DISTINCT since FROM hybridrag.chunks WHERE id IN ({','.join(map(repr, kept))})",
    )
    assert since == [(1,)]
    fresh = StoreAddress.of(postgres.address())
    publish(home(1), fresh)
    assert content(postgres, address) == content(postgres, fresh)
    with open_published(address, HashEmbedder()) as one, open_published(fresh, HashEmbedder()) as other:
        assert asked(one) == asked(other)
    publish(home(0), address)
    assert content(postgres, address) == first, "what was gone came back, and what had come went"


def test_a_reader_keeps_its_generation_until_the_second_one_after_it(
    home: Homes, address: StoreAddress
) -> None:
    publish(home(0), address)
    with open_published(address, HashEmbedder()) as old:
        before, answers = old.vectors.digest(), asked(old)
        texts = [old.vectors.texts([chunk]) for chunk in answers[0]]
        assert old.is_current()
        publish(home(1), address)
        assert not old.is_current()
        assert (old.vectors.digest(), asked(old)) == (before, answers)
        assert [old.vectors.texts([chunk]) for chunk in answers[0]] == texts
        assert {entry.name for entry in old.entries} == {f"call-{n}.txt" for n in range(3)}
        with open_published(address, HashEmbedder()) as new:
            assert len(new.entries) == 4
            assert new.vectors.digest() != before
        publish(home(0), address)
        with pytest.raises(PublishedReplacedError, match="Ask the question again"):
            old.vectors.count()
        with pytest.raises(PublishedReplacedError):
            len(old.graph)


def test_what_no_reader_may_ask_for_any_more_is_deleted(
    home: Homes, address: StoreAddress, postgres: PostgresHere
) -> None:
    for revision in (0, 1, 0, 1):
        publish(home(revision), address)
    assert postgres.run(address.secret, "SELECT number FROM hybridrag.generations ORDER BY 1") == [(3,), (4,)]
    for table in schema.SPANNED:
        ((oldest,),) = postgres.run(address.secret, f"SELECT min(until) FROM hybridrag.{table}")
        assert oldest > 3


def test_what_was_removed_leaves_the_database_with_the_second_copy_of_an_unchanged_folder(
    home: Homes, address: StoreAddress, postgres: PostgresHere
) -> None:
    def holding(word: str) -> list[str]:
        texts = dict.fromkeys(TABLES, f"to_jsonb(each)::text ILIKE '%{word}%'")
        texts["files"] += f" OR encode(data, 'escape') ILIKE '%{word}%'"
        return [
            table
            for table, holds in texts.items()
            if postgres.run(address.secret, f"SELECT 1 FROM hybridrag.{table} each WHERE {holds}")
        ]

    publish(home(1), address)
    removed = publish(home(0), address)
    assert {"files", "chunks", "postings", "frequencies"} <= set(holding("dogwood"))
    with open_published(address, HashEmbedder()) as before:
        answers = asked(before)
        swept = publish(home(0), address)
        assert swept == Published(removed.generation + 1, removed.digest, changed=True)
        assert holding("dogwood") == []
        assert not before.is_current() and asked(before) == answers
    with open_published(address, HashEmbedder()) as opened:
        opened.vectors.verify(None)
        assert asked(opened) == answers
    at_rest = written(postgres, address)
    assert not publish(home(0), address).changed
    assert written(postgres, address) == at_rest


def test_a_generation_of_the_same_number_in_tables_made_anew_is_another_one(
    home: Homes, address: StoreAddress, postgres: PostgresHere
) -> None:
    publish(home(0), address)
    with open_published(address, HashEmbedder()) as old:
        assert old.vectors.count() and old.is_current()
        postgres.run(address.secret, "DROP SCHEMA hybridrag CASCADE")
        assert publish(home(1), address).generation == old.number
        assert not old.is_current()
        with pytest.raises(PublishedReplacedError):
            old.vectors.count()
        with pytest.raises(PublishedReplacedError):
            len(old.graph)


def test_chunks_that_are_written_a_few_at_a_time_are_the_same_index(
    home: Homes, address: StoreAddress, postgres: PostgresHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(home(0), address)
    publish(home(1), address)
    at_once = content(postgres, address)
    postgres.run(address.secret, "DROP SCHEMA hybridrag CASCADE")
    monkeypatch.setattr(chunk_rows, "CHUNKS_AT_ONCE", 1)
    publish(home(0), address)
    second = publish(home(1), address)
    assert content(postgres, address) == at_once
    indexes = f"SELECT count(*) FROM pg_indexes WHERE indexname = '{schema.HNSW}'"
    assert postgres.run(address.secret, indexes) == [(1,)]
    with open_published(address, HashEmbedder()) as opened:
        opened.vectors.verify(None)
        assert opened.digest == second.digest


def test_a_document_that_has_only_lost_a_chunk_has_other_postings(address: StoreAddress) -> None:
    one, other = (
        NewChunk(
            Row(name, "d", name, "e"), name, {}, np.ones(2, np.float32), Counter({"revenue": 1, name: 1})
        )
        for name in ("north", "south")
    )
    with Database(address).writing() as connection:
        schema.bring_forward(connection, address)
        assert chunk_rows.write_chunks(connection, 1, [[one, other]], print) == (2, 0)
    with Database(address).writing() as connection:
        assert chunk_rows.write_chunks(connection, 2, [[one]], print) == (0, 1)
        query = f"SELECT term, holders FROM hybridrag.{{}} WHERE until = {schema.FOREVER} ORDER BY term"
        for table in ("postings", "frequencies"):
            rows = connection.execute(query.format(table).encode()).fetchall()
            assert rows == [("north", 1), ("revenue", 1)], table


def test_a_chunk_of_other_terms_is_another_one() -> None:
    row, vector = Row("1", "d", "sales rose", "e"), np.ones(2, np.float32)
    one, same, other = (
        NewChunk(row, "Sales rose", {}, vector, Counter(terms))
        for terms in ({"sale": 1, "rose": 1}, {"rose": 1, "sale": 1}, {"sales": 1, "rose": 1})
    )
    assert one.content == same.content != other.content


def test_the_index_of_vectors_is_made_without_memory_that_a_container_lacks(address: StoreAddress) -> None:
    with Database(address).writing() as connection:
        schema.bring_forward(connection, address)
        connection.execute("SET max_parallel_maintenance_workers = 2")
        assert schema.begin_vectors(connection, 16)
        schema.index_vectors(connection, 1_000, 16)
        assert connection.execute("SHOW max_parallel_maintenance_workers").fetchone() == ("0",)
        assert connection.execute("SHOW maintenance_work_mem").fetchone() == ("512MB",)


def test_the_index_of_many_vectors_is_built_in_as_much_memory_as_it_needs_and_not_without_bound(
    address: StoreAddress,
) -> None:
    with Database(address).writing() as connection:
        schema.bring_forward(connection, address)
        assert schema.begin_vectors(connection, 384)
        for vectors, memory in ((1_000_000, "2227MB"), (50_000_000, "4GB")):
            with connection.transaction(force_rollback=True):
                schema.index_vectors(connection, vectors, 384)
                assert connection.execute("SHOW maintenance_work_mem").fetchone() == (memory,)


def test_an_index_of_another_format_is_told_apart_from_tables_of_another_version(
    home: Homes, address: StoreAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(home(0), address)
    monkeypatch.setattr(published, "FORMAT", 2)
    with pytest.raises(SchemaVersionError, match=r"has an index of format 1; this program's is 2"):
        open_published(address, HashEmbedder())


def test_a_connection_lost_in_the_middle_leaves_the_generation_before(
    home: Homes, address: StoreAddress, postgres: PostgresHere
) -> None:
    first = publish(home(0), address)
    before = content(postgres, address)

    def lose(step: str) -> None:
        if "new chunks" in step:
            postgres.run(
                address.secret,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name LIKE 'hybridrag%' AND datname = current_database()",
            )

    with pytest.raises(DatabaseError, match="What was published before is kept"):
        publish(home(1), address, lose)
    assert content(postgres, address) == before
    with open_published(address, HashEmbedder()) as opened:
        assert opened.digest == first.digest
        opened.vectors.verify(None)
    assert publish(home(1), address).changed


def test_no_transaction_waits_while_the_folder_is_checked_and_errors_come_before(
    home: Homes, address: StoreAddress, postgres: PostgresHere
) -> None:
    query = (
        "SELECT application_name FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL "
        "AND pid <> pg_backend_pid()"
    )
    busy = dict[str, int]()
    publish(home(0), address, lambda step: busy.update({step: len(postgres.run(address.secret, query))}))
    assert busy.pop("checking the folder") == 0
    assert set(busy.values()) == {1}
    steps = list[str]()
    with pytest.raises(DatabaseError):
        publish(home(0), StoreAddress.of("postgresql://desk@127.0.0.1:1/filings"), steps.append)
    assert steps == []


def test_a_reader_meanwhile_sees_the_generation_before_and_a_second_publisher_is_told_who_is_at_work(
    home: Homes, address: StoreAddress, postgres: PostgresHere
) -> None:
    first = publish(home(0), address)
    postgres.run(address.secret, "DROP ROLE IF EXISTS stranger", "CREATE ROLE stranger LOGIN")
    stranger = StoreAddress.of(address.secret.replace("postgres@", "stranger@"))
    seen = []

    def look(step: str) -> None:
        with open_published(address, HashEmbedder()) as opened:
            opened.vectors.verify(None)
            seen.append(opened.digest)
        if step != "checking the folder":
            with pytest.raises(StoreBusyError, match=r"written by hybridrag \d+ on this server, since"):
                publish(home(0), address)
            with pytest.raises(StoreBusyError, match="written by another process"):
                publish(home(0), stranger)
        with pytest.raises(HomeLockedError):
            publish(home(1), address)

    second = publish(home(1), address, look)
    assert len(seen) > 2 and set(seen) == {first.digest}
    with open_published(address, HashEmbedder()) as opened:
        assert opened.digest == second.digest != first.digest


def test_an_idle_connection_that_the_server_has_closed_is_replaced(
    home: Homes, address: StoreAddress, postgres: PostgresHere
) -> None:
    publish(home(0), address)
    with open_published(address, HashEmbedder()) as opened:
        count = opened.vectors.count()
        ended = postgres.run(
            address.secret,
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE application_name LIKE 'hybridrag%' AND datname = current_database()",
        )
        assert ended
        assert opened.vectors.count() == count


def test_a_role_that_only_reads_can_ask_and_not_publish(
    home: Homes, address: StoreAddress, postgres: PostgresHere
) -> None:
    done = publish(home(0), address)
    postgres.run(
        address.secret,
        "DROP ROLE IF EXISTS reader",
        "CREATE ROLE reader LOGIN",
        "GRANT USAGE ON SCHEMA hybridrag TO reader",
        "GRANT SELECT ON ALL TABLES IN SCHEMA hybridrag TO reader",
    )
    reader = StoreAddress.of(address.secret.replace("postgres@", "reader@"))
    try:
        with open_published(reader, HashEmbedder()) as opened:
            opened.vectors.verify(None)
            assert opened.digest == done.digest
        with pytest.raises(DatabaseError, match="permission denied"):
            publish(home(1), reader)
    finally:
        postgres.run(address.secret, "DROP OWNED BY reader", "DROP ROLE reader")


def test_a_folder_with_documents_of_its_own_keeps_them_unless_told(
    home: Homes, address: StoreAddress
) -> None:
    publish(home(0), address)
    before = digest_in(home(1))
    with pytest.raises(
        WouldLoseError, match=r"does not: call-3\.txt, call-1\.txt in another version\. .*--prune"
    ):
        take_back(address, home(1))
    assert digest_in(home(1)) == before
    assert take_back(address, home(1), prune=True).digest == digest_in(home(0)) == digest_in(home(1))
    names = {path.name for path in (home(1) / "documents").iterdir()}
    assert names == {path.name for path in (home(0) / "documents").iterdir()}


def test_decisions_and_ontologies_that_only_the_folder_has_are_kept_unless_told(
    home: Homes, address: StoreAddress
) -> None:
    decisions = home(0) / DECISIONS
    known = "same company: Alder Corporation = Alder\n"
    decisions.write_text(known, encoding="utf-8")
    publish(home(0), address)
    own = "different company: Alder Corporation != Birch Corporation"
    decisions.write_text(f"# mine\n{known}{own}\n", encoding="utf-8")
    add_light(home(0), "plants", "plants", "revenue")
    for words in (f"the decision '{own}', the ontology 'plants'", "the ontology 'plants'"):
        with pytest.raises(WouldLoseError, match=rf"does not: {words}\. .*--prune"):
            take_back(address, home(0))
        assert len(ontologies_of(Home(home(0)))) == 1
        decisions.write_text("", encoding="utf-8")  # what the database has besides is no loss
    take_back(address, home(0), prune=True)
    assert decisions.read_text(encoding="utf-8") == known
    assert ontologies_of(Home(home(0))) == []


def test_what_is_taken_back_is_not_removed_by_a_note_from_before(home: Homes, address: StoreAddress) -> None:
    publish(home(0), address)
    note_removal(Home(home(0)), Home(home(0)).manifest().entries[:1])
    take_back(address, home(0))
    assert not is_noted(Home(home(0)))


def test_postings_that_are_not_as_many_as_was_written_are_damage(
    home: Homes, address: StoreAddress, postgres: PostgresHere
) -> None:
    publish(home(0), address)
    with open_published(address, HashEmbedder()) as opened:
        assert asked(opened)
    postgres.run(address.secret, "UPDATE hybridrag.postings SET holders = holders + 1")
    raises = pytest.raises(IndexDamagedError, match="not as many as was written")
    with open_published(address, HashEmbedder()) as opened, raises:  # who has read them keeps what was sound
        asked(opened)


@pytest.mark.parametrize("wide_from", [1, 4])
def test_a_question_finds_the_same_whatever_a_reader_keeps_of_others(
    home: Homes, address: StoreAddress, monkeypatch: pytest.MonkeyPatch, wide_from: int
) -> None:
    """At 1 all documents together are many, at 4 each of the three is."""
    monkeypatch.setattr(chunk_table, "WIDE", wide_from)
    publish(home(0), address)

    def found(opened: PublishedGeneration, question: str, scope: Scope) -> tuple[Any, ...]:
        each = opened.vectors.candidates(question, scope, 50)
        return ([row.id for row in each.rows], each.keyword.tolist(), each.coverage.tolist())

    wide, narrow = Scope(), Scope(documents=(Home(home(0)).manifest().entries[0].document_id,))
    questions = [
        (text, scope) for text in ("plants", "plants in Ohio", "revenue growth") for scope in (wide, narrow)
    ]
    alone = []
    for each in questions:
        with open_published(address, HashEmbedder()) as opened:
            alone.append(found(opened, *each))
    monkeypatch.setattr(chunk_table, "TERMS_KEPT", 1)
    with open_published(address, HashEmbedder()) as opened:
        assert [found(opened, *each) for each in questions] == alone
        assert [found(opened, *each) for each in reversed(questions)] == alone[::-1]


def test_postings_that_name_a_chunk_that_is_not_there_are_damage(
    home: Homes, address: StoreAddress, postgres: PostgresHere
) -> None:
    publish(home(0), address)
    beyond = r"'\xfeffffff'::bytea || substr(entries, 5)"
    postgres.run(address.secret, f"UPDATE hybridrag.postings SET entries = {beyond}")
    raises = pytest.raises(IndexDamagedError, match="a chunk that is not there")
    with open_published(address, HashEmbedder()) as opened, raises:
        asked(opened)


def test_line_items_are_read_as_they_were_published(home: Homes, address: StoreAddress) -> None:
    publish(home(0), address)
    with open_published(address, HashEmbedder()) as opened:
        assert opened.graph.companies
        assert all(
            isinstance(company_facts(opened.graph, key).items, Lines) for key in opened.graph.companies
        )


def test_tables_in_use_are_not_waited_for_without_end(
    address: StoreAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "LOCK_SECONDS", 1)
    with monkeypatch.context() as older, Database(address).writing() as connection:
        older.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:2])
        schema.bring_forward(connection, address)
    with Database(address).writing() as reading:
        reading.execute("SELECT FROM hybridrag.jobs")
        with pytest.raises(DatabaseError, match="lock timeout"), Database(address).writing() as connection:
            schema.bring_forward(connection, address)
    with Database(address).writing() as connection:
        schema.bring_forward(connection, address)
        assert connection.execute("SHOW lock_timeout").fetchone() == ("0",)


def test_after_a_kill_the_next_copy_takes_the_pruned_records_out(
    home: Homes, address: StoreAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(home(0), address)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(taking_back, "delete_others", killed)
        take_back(address, home(1), prune=True)
    (home(1) / "documents" / ".DS_Store").write_bytes(b"x")
    take_back(address, home(1))
    names = {path.name for path in (home(1) / "documents").iterdir()}
    assert names == {path.name for path in (home(0) / "documents").iterdir()}


def test_ontologies_go_along_and_come_back(home: Homes, address: StoreAddress, tmp_path: Path) -> None:
    add_light(home(0), "plants", "plants", "revenue")
    done = publish(home(0), address)
    with open_published(address, HashEmbedder()) as there, open_generation(home(0), HashEmbedder()) as here:
        assert there.concepts is not None and here.concepts is not None
        assert there.concepts.mentions == here.concepts.mentions != {}
        assert [each.label for each in there.concepts.concepts] == ["plants", "revenue"]
    back = take_back(address, tmp_path / "back")
    assert back.digest == done.digest
    assert ontologies_of(Home(tmp_path / "back")) == ontologies_of(Home(home(0)))
    publish(home(1), address)  # has none
    take_back(address, tmp_path / "back", prune=True)
    assert ontologies_of(Home(tmp_path / "back")) == []


def test_two_embedding_models_do_not_share_a_database(
    home: Homes, address: StoreAddress, postgres: PostgresHere, tmp_path: Path
) -> None:
    publish(home(0), address)
    before = written(postgres, address)
    other = tmp_path / "other"
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Sales rose.", encoding="utf-8")
    index_light(other, [tmp_path / "in"], embedder_factory=_Other)
    with pytest.raises(OtherEmbeddingsError, match="'hash-16', not with 'other-16'"):
        publish(other, address)
    with pytest.raises(OtherEmbeddingsError, match="Set the model back"):
        open_published(address, HashEmbedder("other"))
    assert written(postgres, address) == before


class _Other(HashEmbedder):
    def __init__(self) -> None:
        super().__init__("other")


def test_a_home_without_an_index_publishes_nothing(tmp_path: Path, address: StoreAddress) -> None:
    with pytest.raises(IndexMissingError):
        publish(tmp_path / "none", address)
    for opening in (
        lambda: open_published(address, HashEmbedder()),
        lambda: take_back(address, tmp_path / "x"),
    ):
        with pytest.raises(NothingPublishedError, match="store copy FOLDER"):
            opening()
    assert not (tmp_path / "x").exists() and not (tmp_path / "none").exists()


def test_older_tables_are_brought_forward_by_publishing_and_newer_ones_are_refused(
    home: Homes, address: StoreAddress, postgres: PostgresHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = publish(home(0), address)
    now = len(schema.MIGRATIONS)
    more = "ALTER TABLE hybridrag.generations ADD COLUMN note text"
    with monkeypatch.context() as newer:
        newer.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, more))
        with open_published(address, HashEmbedder()) as opened:  # questions need nothing of what is new
            opened.vectors.verify(None)
        newer.setattr(schema, "OLDEST_READABLE", now + 1)
        with pytest.raises(
            SchemaVersionError, match=rf"version {now}; this program's is {now + 1}.*store copy"
        ):
            open_published(address, HashEmbedder())
        assert publish(home(0), address) == Published(1, first.digest, changed=False)
        with open_published(address, HashEmbedder()) as opened:
            opened.vectors.verify(None)
    for refused in (lambda: publish(home(1), address), lambda: open_published(address, HashEmbedder())):
        with pytest.raises(
            SchemaVersionError, match=rf"version {now + 1}; this program's is {now}.*newer version"
        ):
            refused()
    assert postgres.run(address.secret, "SELECT version, current FROM hybridrag.store") == [(now + 1, 1)]


def test_a_chunk_that_was_changed_in_the_database_is_never_returned(
    home: Homes, address: StoreAddress, postgres: PostgresHere
) -> None:
    publish(home(0), address)
    with open_published(address, HashEmbedder()) as opened:
        ((chunk,),) = postgres.run(address.secret, "SELECT id FROM hybridrag.chunks ORDER BY id LIMIT 1")
        assert opened.vectors.texts([chunk])
        postgres.run(address.secret, f"UPDATE hybridrag.chunks SET text = text || '!' WHERE id = '{chunk}'")
        with pytest.raises(IndexDamagedError, match=f"the text of chunk {chunk} is not what was written"):
            opened.vectors.texts([chunk])
        with pytest.raises(IndexDamagedError, match="is not what was written"):
            opened.vectors.verify(None)


def test_a_file_that_was_changed_in_the_database_is_damage(
    home: Homes, address: StoreAddress, postgres: PostgresHere
) -> None:
    publish(home(0), address)
    with open_published(address, HashEmbedder()) as opened:
        postgres.run(
            address.secret,
            "UPDATE hybridrag.files SET data = set_byte(data, 9, 46) WHERE path = 'generation/knowledge/lookups.tsv'",
        )
        with pytest.raises(
            PublishedDamagedError, match=r"generation 1\) is damaged: knowledge/lookups.tsv has changed"
        ):
            _ = opened.graph


@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM hybridrag.embeddings WHERE number = 1",
        "DELETE FROM hybridrag.chunks WHERE number = 1",
        "UPDATE hybridrag.postings SET entries = 'xyz'",
    ],
)
def test_rows_that_are_gone_or_no_postings_are_damage_in_words(
    harm: str, home: Homes, address: StoreAddress, postgres: PostgresHere
) -> None:
    publish(home(0), address)
    with open_published(address, HashEmbedder()) as opened:
        index = opened.vectors
        postgres.run(address.secret, harm)
        with pytest.raises(IndexDamagedError, match="is damaged: "):
            index.candidates("plants in Ohio revenue growth", Scope(), 50)
    if "DELETE" in harm:
        with open_published(address, HashEmbedder()) as opened, pytest.raises(PublishedDamagedError):
            opened.vectors.count()


def test_the_nearest_by_the_index_are_those_of_a_look_at_everything(
    home: Homes, address: StoreAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(home(1), address)
    with open_published(address, HashEmbedder()) as opened:
        keys = tuple(sorted(opened.periods))[:2]
        for scope in (Scope(), Scope(companies=keys)):
            exact = opened.vectors.candidates("plants in Ohio", scope, 5)
            with monkeypatch.context() as indexed:
                indexed.setattr(chunk_table, "EXACT_ROWS", -1)
                found = opened.vectors.candidates("plants in Ohio", scope, 5)
            assert [row.id for row in found.rows] == [row.id for row in exact.rows]
            assert np.array_equal(found.dense, exact.dense)
