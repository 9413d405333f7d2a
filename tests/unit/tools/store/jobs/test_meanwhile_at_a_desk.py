"""What happens at a desk between two steps of one who submits, works or publishes: nothing is doubled, lost or kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.kills import write_documents
from tests import desk_here
from tests.desk_here import RECIPE, indexed, opened, served, submitted
from tests.light_index import index_light
from tests.postgres_here import PostgresHere
from tools.model.cache import Journal, Source, journals
from tools.store.disk.home import Home
from tools.store.errors import HomeWriteError
from tools.store.jobs import desk_worker
from tools.store.jobs.change_table import take_out, wished
from tools.store.jobs.job_table import Ending, taken, try_again
from tools.store.jobs.queue_status import NobodyWorksError, queue_status
from tools.store.jobs.submitting import Submission
from tools.store.jobs.worker_cache import WorkerCache
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.errors import TooLargeFileError

Documents = Callable[[int], Path]
UPLOADS = "SELECT count(*) FROM hybridrag.uploads"


def planned(address: StoreAddress, paths: list[Path], **more: Any) -> Submission:
    """A run that has looked at the files and at what is published."""
    run = Submission(opened(address), paths, RECIPE, poll=desk_here.POLL, **more)
    run.plan()
    return run


def test_a_file_that_was_read_and_changed_between_looking_and_submitting_is_held_once(
    documents: Documents, address: StoreAddress, tmp_path: Path
) -> None:
    folder = documents(0)
    submitted(address, [folder])
    documents(1)
    late = planned(address, [folder])
    served(address, tmp_path / "worker")
    late.submit()
    served(address, tmp_path / "worker")
    report = late.wait()
    assert report.documents == 4
    assert report.digest == index_light(tmp_path / "folder", [folder]).digest


def removed_meanwhile(address: StoreAddress, name: str, tmp_path: Path) -> None:
    """A document is taken out, and the generation that held it goes, too."""
    with opened(address).writing() as connection:
        take_out(connection, [each for each in wished(connection).manifest.entries if each.name == name])
    served(address, tmp_path / "worker")


@pytest.mark.parametrize("copied", [False, True])
def test_what_was_removed_while_a_run_hashed_its_files_is_read_again_or_told(
    documents: Documents, address: StoreAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, copied: bool
) -> None:
    from tools.store.jobs import submitting

    folder, other = documents(0), tmp_path / "other"
    other.mkdir()
    copy = other / "copy.txt"
    copy.write_bytes((folder / "call-0.txt").read_bytes())
    indexed(address, [folder], tmp_path / "worker")
    make_plan = submitting.make_plan

    def slowly(*given: Any) -> Any:
        plan = make_plan(*given)
        removed_meanwhile(address, "call-0.txt", tmp_path)
        return plan

    monkeypatch.setattr(submitting, "make_plan", slowly)
    report = indexed(address, [other] if copied else [folder, other], tmp_path / "worker")
    states = {Path(each.file).name: (each.state, each.reason) for each in report.outcomes}
    if copied:
        assert states["copy.txt"][0] == "failed" and "it was removed meanwhile" in states["copy.txt"][1]
        assert report.documents == 2
    else:
        assert states["call-0.txt"][0] == "indexed" and report.documents == 3


@pytest.mark.parametrize(
    "lose",
    [
        "DELETE FROM hybridrag.files WHERE path LIKE 'documents/{}-%'",
        "UPDATE hybridrag.files SET data = 'torn' WHERE path LIKE 'documents/{}-%/chunks.jsonl'",
    ],
)
def test_a_change_whose_record_the_database_has_lost_is_named_and_holds_no_publishing_up(
    documents: Documents, address: StoreAddress, postgres: PostgresHere, tmp_path: Path, lose: str
) -> None:
    folder = documents(0)
    submitted(address, [folder])
    with desk_here.worker(address, tmp_path / "worker", publish_after=3_600.0) as one:
        one.begin()
        while queue_status(opened(address)).waiting:
            one._turn()
    (lost,) = postgres.run(
        address.secret, "SELECT document_id, source FROM hybridrag.jobs WHERE file LIKE '%call-1.txt'"
    )
    postgres.run(address.secret, lose.format(lost[0]))
    lines = served(address, tmp_path / "another")
    assert any(line.startswith(f"passed over: {lost[1]} (") and "Index it again" in line for line in lines)
    status = queue_status(opened(address))
    assert status.unpublished == 0 and [each.file for each in status.failed] == [lost[1]]
    assert indexed(address, [folder], tmp_path / "another").counts == {"unchanged": 2, "indexed": 1}


def test_who_submits_while_too_much_waits_is_told_that_nobody_works(
    documents: Documents, address: StoreAddress
) -> None:
    folder = documents(0)
    with planned(address, [folder], max_waiting=1) as run, pytest.raises(NobodyWorksError):
        run.submit()


def test_the_bytes_of_files_that_were_replaced_or_removed_while_they_waited_go(
    documents: Documents, address: StoreAddress, postgres: PostgresHere, tmp_path: Path
) -> None:
    folder = documents(0)
    submitted(address, [folder])
    write_documents(folder, 1)
    submitted(address, [folder / "call-1.txt"])
    assert postgres.run(address.secret, UPLOADS) == [(3,)]
    removed = index_light(tmp_path / "folder", [folder / "call-0.txt"]).outcomes[0].entry
    assert removed is not None
    with opened(address).writing() as connection:
        take_out(connection, [removed])
    assert postgres.run(address.secret, UPLOADS) == [(2,)]


def test_a_try_that_ends_badly_leaves_a_job_alone_that_was_ended_meanwhile(
    documents: Documents, address: StoreAddress, postgres: PostgresHere
) -> None:
    database = opened(address)
    submitted(address, [documents(0) / "call-0.txt"])
    with taken(database, "one") as held:
        assert held is not None
        postgres.run(address.secret, "UPDATE hybridrag.jobs SET state = 'failed', reason = 'removed'")
        assert not try_again(*held, "ended by SIGKILL")
    assert postgres.run(address.secret, "SELECT state, tries, reason FROM hybridrag.jobs") == [
        ("failed", 0, "removed")
    ]


def test_a_record_too_large_for_the_database_is_named_while_its_document_is_held(
    documents: Documents, address: StoreAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[int] = []
    end_job = desk_worker.end_job

    def refused(*given: Any) -> None:
        raise TooLargeFileError("vectors", 512 << 20)

    def ended(connection: Any, job: Any, state: str, ending: Ending) -> bool:
        held.append(len(queue_status(opened(address)).running))
        return end_job(connection, job, state, ending)

    monkeypatch.setattr(desk_worker, "write_submitted", refused)
    monkeypatch.setattr(desk_worker, "end_job", ended)
    run = submitted(address, [documents(0) / "call-0.txt"])
    served(address, tmp_path / "worker")
    (outcome,) = run.wait().outcomes
    assert outcome.state == "failed" and "larger than 512 MiB" in outcome.reason
    assert held == [1, 1]


def test_of_documents_that_are_to_be_read_yet_a_worker_keeps_what_was_paid_for(
    documents: Documents, address: StoreAddress, postgres: PostgresHere, tmp_path: Path
) -> None:
    folder = documents(0)
    indexed(address, [folder], tmp_path / "worker")
    documents(1)
    submitted(address, [folder])
    waiting = {
        id_
        for (id_,) in postgres.run(
            address.secret, "SELECT document_id FROM hybridrag.jobs WHERE state = 'waiting'"
        )
    }
    cache = Home(tmp_path / "worker").cache
    for id_ in (*waiting, "f" * 16):
        Journal(cache, Source(id_, "/a.txt", "a.txt")).put("asked", {"replied": "what the document says"})
    with desk_here.worker(address, tmp_path / "worker") as one:
        one._follow()
    assert {source.document_id for source in journals(cache)} == waiting and len(waiting) == 2


def test_a_worker_whose_folder_can_not_be_tidied_up_leaves_the_list_and_lets_go_of_it(
    address: StoreAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(cache: WorkerCache) -> None:
        raise HomeWriteError(cache.home.root, "no space left on device")

    with desk_here.worker(address, tmp_path / "worker") as one:
        one.begin()
        with monkeypatch.context() as patch:
            patch.setattr(WorkerCache, "clear", refused)
            with pytest.raises(HomeWriteError):
                one.close()
        assert queue_status(opened(address)).workers == ()
        WorkerCache(tmp_path / "worker", address).close()


def test_who_has_no_turn_at_publishing_does_not_say_that_it_publishes(
    documents: Documents, address: StoreAddress, tmp_path: Path
) -> None:
    from tools.store.postgres.publishing import LOCK

    database = opened(address)
    with desk_here.worker(address, tmp_path / "worker", publish_after=3_600.0) as one:
        one.begin()
        submitted(address, [documents(0) / "call-0.txt"])
        assert one._turn()
        lock = database.try_lock(LOCK)
        assert lock is not None and not one._publish()
        assert "publishing" not in queue_status(database).workers[0].doing
        lock.release()
