"""Workers of a database: what they publish is what a folder's index holds; nothing is lost, nothing done twice."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests import desk_here
from tests.desk_here import indexed, opened, served, submitted
from tests.light_index import index_light
from tests.postgres_here import PostgresHere
from tests.store_stand_ins import HOLD, HashEmbedder, TitleExtractor
from tools.model.cache import Journal, Source
from tools.store.disk.home import Home
from tools.store.errors import HomeWriteError
from tools.store.generation.generations import is_current
from tools.store.jobs import desk_worker, job_table
from tools.store.jobs.queue_status import NobodyWorksError, queue_status
from tools.store.jobs.submitting import Submission
from tools.store.jobs.taking_out import take_out_published
from tools.store.jobs.worker_cache import NoCacheError, WorkerCache
from tools.store.postgres import schema
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.database import Database
from tools.store.postgres.errors import (
    DatabaseError,
    NothingPublishedError,
    OtherEmbeddingsError,
    SchemaVersionError,
)
from tools.store.postgres.published import open_published
from tools.store.postgres.publishing import publish
from tools.store.postgres.taking_back import take_back
from tools.store.reading.recipe import Recipe

Documents = Callable[[int], Path]
SECONDS = 60
"""After which a test gives up waiting."""


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


def test_what_workers_publish_is_what_a_folder_s_index_holds(
    documents: Documents, address: StoreAddress, tmp_path: Path
) -> None:
    for revision in (0, 1):
        folder = documents(revision)
        expected = index_light(tmp_path / "folder", [folder])
        report = indexed(address, [folder], tmp_path / "worker")
        assert report.digest == expected.digest and report.counts == expected.counts
        assert [(o.file, o.state, o.reason) for o in report.outcomes] == [
            (o.file, o.state, o.reason) for o in expected.outcomes
        ]
        assert [o.document for o in report.outcomes] == [o.document for o in expected.outcomes]
        assert (report.documents, report.chunks, report.triplets) == (
            expected.documents, expected.chunks, expected.triplets,
        )  # fmt: skip
    back = take_back(address, tmp_path / "back")
    assert back.digest == back.published == expected.digest
    again_so = publish(tmp_path / "back", address)
    assert (again_so.files, again_so.chunks) == (0, 0), "the same, by whomever it is derived"
    assert not queue_status(opened(address)).waiting_bytes
    derived = Home(tmp_path / "worker").generation(Home(tmp_path / "worker").current() or 0)
    assert (derived / "keywords").is_dir() and not (derived / "vectors").exists(), "nobody searches there"
    place = Home(tmp_path / "worker")
    assert is_current(place, place.manifest(), searched=False) and not is_current(place, place.manifest())
    again = submitted(address, [folder])
    assert again.wait().counts == {"unchanged": 4}, "without a worker: there is nothing to do"


def test_a_killed_worker_s_document_is_read_by_another_and_nothing_is_done_twice(
    documents: Documents, address: StoreAddress, postgres: PostgresHere, tmp_path: Path
) -> None:
    folder = documents(1)
    queue = opened(address)
    run = submitted(address, [folder])
    with desk_here.start(address, tmp_path / "1", **{HOLD: "call-1.txt"}) as killed:
        until(lambda: "call-1.txt" in [Path(each.file).name for each in queue_status(queue).running])
        with desk_here.start(address, tmp_path / "2") as other:
            assert killed.stdout is not None and other.stdout is not None
            until(lambda: queue_status(queue).waiting == 0)
            (held,) = (each for each in queue_status(queue).running if each.file.endswith("call-1.txt"))
            killed.send_signal(signal.SIGKILL)
            report = run.wait()
            assert held.worker == killed.stdout.readline().strip()
            other.send_signal(signal.SIGKILL)
            lines = [*killed.stdout, *other.stdout]
    assert report.digest == index_light(tmp_path / "folder", [folder]).digest
    read = [Path(line.split(": ")[1].strip()).name for line in lines if line.startswith("indexed")]
    assert sorted(read) == sorted(path.name for path in folder.iterdir())
    rows = postgres.run(
        address.secret, "SELECT state, claims, tries FROM hybridrag.jobs WHERE file NOT LIKE '%call-1%'"
    )
    assert set(rows) == {("done", 0, 0)}
    assert queue_status(queue).unpublished == 0


def test_a_worker_that_is_asked_to_end_gives_its_document_back(
    documents: Documents, address: StoreAddress, postgres: PostgresHere, tmp_path: Path
) -> None:
    queue = opened(address)
    submitted(address, [documents(0) / "call-1.txt"])
    with desk_here.start(address, tmp_path / "1", **{HOLD: "call-1.txt"}) as ended:
        until(lambda: queue_status(queue).running)
        ended.send_signal(signal.SIGINT)
    assert postgres.run(address.secret, "SELECT state, claims, tries FROM hybridrag.jobs") == [
        ("waiting", 0, 0)
    ]
    assert queue_status(queue).workers == ()
    assert not (tmp_path / "1" / "incoming").exists()


@pytest.mark.parametrize("committed", [True, False])
def test_a_worker_that_is_asked_to_end_while_it_takes_a_document_leaves_no_claim(
    documents: Documents,
    address: StoreAddress,
    postgres: PostgresHere,
    tmp_path: Path,
    committed: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    submitted(address, [documents(0) / "call-1.txt"])
    postgres.run(address.secret, "UPDATE hybridrag.jobs SET claims = 1, worker = 'a lost one'")
    writing = Database.writing
    asked: list[Database] = []

    @contextmanager
    def interrupted(self: Database) -> Iterator[Any]:
        with writing(self) as connection:
            yield connection
            claimed = connection.execute("SELECT FROM hybridrag.jobs WHERE claims = 2").fetchone()
            if claimed is not None and not asked and not committed:
                asked.append(self)
                raise KeyboardInterrupt
        if claimed is not None and not asked:
            asked.append(self)
            raise KeyboardInterrupt

    with (
        pytest.raises(KeyboardInterrupt),
        desk_here.worker(address, tmp_path / "worker") as one,
    ):
        one.begin()
        monkeypatch.setattr(Database, "writing", interrupted)
        one.run(once=True)
    assert asked
    assert postgres.run(address.secret, "SELECT state, claims FROM hybridrag.jobs") == [("waiting", 1)]


def test_a_document_that_ends_its_reading_is_tried_three_times_then_named_and_holds_nobody_up(
    documents: Documents, address: StoreAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_table, "RETRY_SECONDS", 0)
    folder = documents(0)
    (folder / "a-poison.txt").write_text("Alder Corporation\n\nKILL ME", encoding="utf-8")
    (folder / "b-broken.pdf").write_bytes(b"%PDF-1.7 no more")
    run = submitted(address, [folder])
    lines = served(address, tmp_path / "worker")
    report = run.wait()
    tried = [line for line in lines if "a-poison" in line]
    assert [line.split(":")[0] for line in tried] == ["to be tried again", "to be tried again", "failed"]
    assert report.counts == {"indexed": 3, "failed": 2} and report.documents == 3
    told = {Path(each.file).name: (each.reason, each.tries) for each in queue_status(opened(address)).failed}
    assert "ended by SIGKILL" in told["a-poison.txt"][0] and "tried 3 times" in told["a-poison.txt"][0]
    assert told["b-broken.pdf"][1] == 0, "what is wrong with a file is so at every try"
    assert {Path(o.file).name for o in report.outcomes if o.state == "failed"} == set(told)


def test_workers_that_are_lost_over_a_document_are_counted_apart_from_its_tries(
    documents: Documents, address: StoreAddress, postgres: PostgresHere, tmp_path: Path
) -> None:
    run = submitted(address, [documents(0)])
    lost = f"UPDATE hybridrag.jobs SET claims = {job_table.MAX_LOST} WHERE file LIKE '%call-1%'"
    once = "UPDATE hybridrag.jobs SET claims = 1 WHERE file LIKE '%call-0%'"
    postgres.run(address.secret, lost, once)
    served(address, tmp_path / "worker")
    (failed,) = (o for o in run.wait().outcomes if o.state == "failed")
    assert failed.file.endswith("call-1.txt") and "10 workers were lost" in failed.reason


def test_a_small_run_goes_before_a_large_one(
    documents: Documents, address: StoreAddress, tmp_path: Path
) -> None:
    large = documents(1)
    single = tmp_path / "single.txt"
    single.write_text("Elm Corporation\n\nSales rose.", encoding="utf-8")
    runs = [submitted(address, [large]), submitted(address, [single])]
    lines = served(address, tmp_path / "worker")
    assert lines[0] == f"indexed: {single}"
    assert [run.wait().counts for run in runs] == [{"indexed": 4}, {"indexed": 1}]


def test_submitting_waits_while_too_much_waits(
    documents: Documents, address: StoreAddress, tmp_path: Path
) -> None:
    queue = opened(address)
    done: list[int] = []
    folder = documents(0)
    submitting = threading.Thread(target=lambda: done.append(len(indexed_slowly(address, folder).outcomes)))
    submitting.start()
    until(lambda: _waiting(queue) == 1)
    time.sleep(0.3)  # a second one would have come meanwhile
    assert _waiting(queue) == 1 and not done
    with desk_here.worker(address, tmp_path / "worker") as one, desk_here.vectors_in_this_process():
        one.begin()
        until(lambda: one._turn() is False and not submitting.is_alive())
    assert done == [3]


def indexed_slowly(address: StoreAddress, folder: Path) -> object:
    return submitted(address, [folder], max_waiting=1).wait()


def _waiting(queue: Database) -> int:
    try:
        return queue_status(queue).waiting
    except DatabaseError:
        return 0


def test_what_was_submitted_again_is_not_read_as_it_was_before(
    documents: Documents, address: StoreAddress, tmp_path: Path
) -> None:
    folder = documents(0)
    first, same = (submitted(address, [folder]) for _ in range(2))
    assert queue_status(opened(address)).waiting == 3, "what waits already is waited for by both"
    documents(1)
    later = submitted(address, [folder])
    served(address, tmp_path / "worker")
    for run in (first, same):
        outcomes = {Path(o.file).name: (o.state, o.reason) for o in run.wait().outcomes}
        assert outcomes["call-1.txt"] == ("skipped", "it was submitted again with other content")
        assert outcomes["call-0.txt"][0] == "indexed"
    assert later.wait().digest == index_light(tmp_path / "folder", [folder]).digest


def test_what_is_gone_from_the_folder_is_taken_out_where_that_is_wished(
    documents: Documents, address: StoreAddress, tmp_path: Path
) -> None:
    folder = documents(0)
    indexed(address, [folder], tmp_path / "worker")
    (folder / "call-0.txt").unlink()
    assert submitted(address, [folder]).wait().counts == {"unchanged": 2, "gone": 1}
    pruned = indexed(address, [folder], tmp_path / "worker", prune=True)
    assert pruned.counts == {"unchanged": 2, "removed": 1}
    assert pruned.digest == index_light(tmp_path / "folder", [folder]).digest


def test_a_removed_document_leaves_the_database_and_the_folders_of_workers(
    documents: Documents, address: StoreAddress, postgres: PostgresHere, tmp_path: Path
) -> None:
    folder = documents(0)
    indexed(address, [folder], tmp_path / "worker")
    with desk_here.worker(address, tmp_path / "other") as other, desk_here.vectors_in_this_process():
        other.begin()
        assert not other._turn()
        for place in ("worker", "other"):
            for (id_,) in postgres.run(address.secret, "SELECT document_id FROM hybridrag.jobs"):
                journal = Journal(Home(tmp_path / place).cache, Source(id_, "/a.txt", "a.txt"))
                journal.put("asked", {"replied": "what the document says"})
        for name in ("call-0.txt", "call-1.txt", "call-2.txt"):
            gone: list[object] = []
            removing = threading.Thread(
                target=lambda name=name, gone=gone: gone.append(  # type: ignore[misc]
                    take_out_published(opened(address), name, on_nobody=lambda nobody: None, poll=0.02)
                )
            )
            removing.start()
            until(lambda: other._turn() is False and not removing.is_alive())  # noqa: B023
            assert len(gone) == 1
    with pytest.raises(NothingPublishedError):
        open_published(address, HashEmbedder())
    with desk_here.worker(address, tmp_path / "worker") as first:
        first.begin()
        first._turn()
    for place in ("worker", "other"):
        assert not list((tmp_path / place / "documents").iterdir())
        assert not list((tmp_path / place / "cache").iterdir())
        assert not [*(tmp_path / place).rglob("*.jsonl")], place
    again = indexed(address, [folder], tmp_path / "worker")
    assert again.counts == {"indexed": 3}
    assert again.digest == index_light(tmp_path / "folder", [folder]).digest
    take_out = threading.Thread(
        target=lambda: take_out_published(
            opened(address), "call-0.txt", on_nobody=lambda nobody: None, poll=0.02
        )
    )
    take_out.start()
    until(lambda: queue_status(opened(address)).unpublished)
    served(address, tmp_path / "worker")
    take_out.join()
    ended = f"SELECT count(*) FROM hybridrag.chunks WHERE until < {schema.FOREVER}"
    assert postgres.run(address.secret, ended) != [(0,)], "questions that are on their way end with it"
    postgres.run(address.secret, "UPDATE hybridrag.generations SET published = now() - interval '2 hours'")
    served(address, tmp_path / "worker")
    assert postgres.run(address.secret, ended) == [(0,)]


def test_readers_see_the_old_or_the_new_index_and_no_error(
    documents: Documents, address: StoreAddress, tmp_path: Path
) -> None:
    folder = documents(0)
    known = {indexed(address, [folder], tmp_path / "worker").digest}
    documents(1)
    known.add(index_light(tmp_path / "folder", [folder]).digest)
    seen: set[str] = set()
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            with open_published(address, HashEmbedder()) as reader:
                seen.add(reader.digest)
                reader.vectors.verify(None)
                assert len(reader.graph) == reader.seal.triplets

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    indexed(address, [folder], tmp_path / "worker")
    until(lambda: known <= seen)
    assert all(reader.is_alive() for reader in readers), "an error ends one"
    done.set()
    for reader in readers:
        reader.join()
    assert seen == known


def test_a_database_that_is_away_for_a_while_is_waited_for(
    documents: Documents, address: StoreAddress, postgres: PostgresHere, tmp_path: Path
) -> None:
    folder = documents(0)
    lines: list[str] = []
    cut = threading.Event()

    def say(line: str) -> None:
        lines.append(line)
        if not cut.is_set():
            cut.set()
            postgres.run(
                address.secret,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                "AND datname = current_database()",
            )

    run = submitted(address, [folder])
    hold = job_table.hold_for_long

    def cut_off(connection: object) -> None:
        hold(connection)  # type: ignore[arg-type]
        say("cut off")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(job_table, "hold_for_long", cut_off)
        with desk_here.worker(address, tmp_path / "worker", on_line=lines.append) as one:
            one.begin()
            with desk_here.vectors_in_this_process():
                one.run(once=True)
    assert any("can't be used" in line and "Trying again in 1 s" in line for line in lines)
    assert run.wait().counts == {"indexed": 3}


def test_a_full_disk_of_the_database_is_waited_for_and_nothing_is_read_again(
    documents: Documents, address: StoreAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    run = submitted(address, [documents(0) / "call-0.txt"])
    written = desk_worker.write_submitted
    full = [psycopg.errors.DiskFull("could not extend file")]

    def refused(*given: Any) -> None:
        if full:
            raise full.pop()
        written(*given)

    monkeypatch.setattr(desk_worker, "write_submitted", refused)
    lines = served(address, tmp_path / "worker")
    assert "could not extend file" in lines[0] and "Trying again" in lines[0]
    (outcome,) = run.wait().outcomes
    assert (outcome.state, outcome.seconds) == ("indexed", 0), "what was read is in the worker's folder"


def test_a_worker_whose_own_disk_refuses_ends_with_words_and_gives_its_document_back(
    documents: Documents, address: StoreAddress, postgres: PostgresHere, tmp_path: Path
) -> None:
    submitted(address, [documents(0) / "call-0.txt"])
    with desk_here.worker(address, tmp_path / "worker") as one:
        one.begin()
        (tmp_path / "worker" / "incoming").write_bytes(b"no folder")
        with pytest.raises(HomeWriteError, match="Cannot write"):
            one.run(once=True)
    assert postgres.run(address.secret, "SELECT state, claims, tries FROM hybridrag.jobs") == [
        ("waiting", 0, 0)
    ]


def test_a_copy_elsewhere_and_a_content_that_another_file_has_already_are_told_apart(
    documents: Documents, address: StoreAddress, tmp_path: Path
) -> None:
    folder, other = documents(0), tmp_path / "other"
    other.mkdir()
    (other / "copy.txt").write_bytes((folder / "call-0.txt").read_bytes())
    for paths in ([folder], [other]):
        assert (
            indexed(address, paths, tmp_path / "worker").digest
            == index_light(tmp_path / "home", paths).digest
        )
    (folder / "call-0.txt").write_bytes(
        (folder / "call-1.txt").read_bytes()
    )  # its own content lives on in the copy
    (folder / "call-2.txt").write_bytes((folder / "call-1.txt").read_bytes())  # and this one's nowhere
    for paths in ([folder], [folder, other]):
        report, expected = indexed(address, paths, tmp_path / "worker"), index_light(tmp_path / "home", paths)
        assert (report.digest, report.documents, report.counts) == (
            expected.digest, expected.documents, expected.counts,
        )  # fmt: skip


def test_who_submits_where_nobody_works_is_told(documents: Documents, address: StoreAddress) -> None:
    with Submission(opened(address), [documents(0)], desk_here.RECIPE) as run:
        run.plan()
        assert run.submit() == 3
        with pytest.raises(NobodyWorksError, match="No worker is at work on"):
            run.wait()


def test_between_two_generations_there_is_time_to_answer(
    documents: Documents, address: StoreAddress, postgres: PostgresHere, tmp_path: Path
) -> None:
    folder = documents(0)
    indexed(address, [folder], tmp_path / "worker")
    documents(1)
    submitted(address, [folder])
    with (
        desk_here.worker(address, tmp_path / "worker", between=3_600.0) as one,
        desk_here.vectors_in_this_process(),
    ):
        one.begin()
        assert [one._turn() for _ in range(3)] == [True, True, False]
        assert queue_status(opened(address)).unpublished == 3
        postgres.run(
            address.secret, "UPDATE hybridrag.generations SET published = now() - interval '2 hours'"
        )
        assert one._turn()
    assert queue_status(opened(address)).unpublished == 0


def test_tables_of_the_first_version_are_brought_forward_and_newer_ones_refused(
    documents: Documents, address: StoreAddress, postgres: PostgresHere, tmp_path: Path
) -> None:
    folder = documents(0)
    index_light(tmp_path / "folder", [folder])
    with pytest.MonkeyPatch.context() as older:
        older.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
        publish(tmp_path / "folder", address)
    assert postgres.run(address.secret, "SELECT version FROM hybridrag.store") == [(1,)]
    documents(1)
    report = indexed(address, [folder], tmp_path / "worker")
    assert report.counts == {"unchanged": 2, "replaced": 1, "indexed": 1}
    assert report.digest == index_light(tmp_path / "folder", [folder]).digest
    postgres.run(address.secret, "UPDATE hybridrag.store SET version = 99")
    with pytest.raises(SchemaVersionError, match="newer version"):
        submitted(address, [folder])
    with pytest.raises(SchemaVersionError, match="newer version"):
        queue_status(opened(address))
    with pytest.raises(SchemaVersionError), desk_here.worker(address, tmp_path / "worker") as one:
        one.begin()


def test_a_worker_with_another_embedding_model_is_refused(
    documents: Documents, address: StoreAddress, tmp_path: Path
) -> None:
    indexed(address, [documents(0)], tmp_path / "worker")
    other = Recipe(_other_embedder, TitleExtractor)
    with (
        pytest.raises(OtherEmbeddingsError, match="'hash-16', not with 'other-16'"),
        desk_here.worker(address, tmp_path / "other", recipe=other) as one,
    ):
        one.begin()


def _other_embedder() -> HashEmbedder:
    return HashEmbedder("other")


def test_a_worker_takes_no_folder_that_is_something_else(
    documents: Documents, address: StoreAddress, tmp_path: Path
) -> None:
    index_light(tmp_path / "home", [documents(0)])
    with pytest.raises(NoCacheError, match="it holds other things"):
        WorkerCache(tmp_path / "home", address)
    WorkerCache(tmp_path / "worker", address).close()
    with pytest.raises(NoCacheError, match="of another database"):
        WorkerCache(tmp_path / "worker", StoreAddress.of("postgresql://elsewhere/filings"))
    first = WorkerCache.below(tmp_path / "home", address)
    assert not (tmp_path / "home" / "workers").stat().st_mode & 0o077, "its owner's alone"
    second = WorkerCache.below(tmp_path / "home", address)
    assert (first.home.root.name, second.home.root.name) == ("1", "2")
    first.close()
    second.close()


def test_a_record_that_a_worker_s_folder_has_lost_is_fetched_again(
    documents: Documents, address: StoreAddress, tmp_path: Path
) -> None:
    folder = documents(0)
    indexed(address, [folder], tmp_path / "worker")
    for path in (tmp_path / "worker" / "documents").glob("*/chunks.jsonl"):
        path.write_bytes(b"torn")
    documents(1)
    assert (
        indexed(address, [folder], tmp_path / "worker").digest
        == index_light(tmp_path / "folder", [folder]).digest
    )
