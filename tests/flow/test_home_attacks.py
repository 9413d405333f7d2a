"""The home under attack: kills and refused writes at write points, other users, signals."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.threads.folder_threads import FolderThreads
from evals.attacks.faults import Commands, Fault
from evals.attacks.home import REMOVED, drafts, killed_removals, refused_writes, signalled, traces
from evals.kills import write_documents
from tests.light_index import index_light
from tests.store_stand_ins import HashEmbedder
from tools.private_files import loose
from tools.store.disk.home import Home
from tools.store.errors import HomeWriteError
from tools.store.generation.generations import begin_generation
from tools.store.generation.opening import open_generation
from tools.store.generation.vector_builder import vectors_being_built
from tools.store.runs.removal import remove


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home of three documents, made under a umask that lets everybody read and write."""
    folder = tmp_path_factory.mktemp("three")
    before = os.umask(0)
    try:
        index_light(folder / "home", [write_documents(folder / "in", 0)], apart=True)
        store = FolderThreads(folder / "home")
        store.make("a thread")
        store.close()  # its files come and go with it
    finally:
        os.umask(before)
    return folder / "home"


@pytest.fixture
def home(indexed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(indexed, tmp_path / "home"))


@pytest.fixture(scope="module")
def commands() -> Iterator[Commands]:
    with Commands("tests.light_commands") as opened:
        yield opened


def test_what_is_written_is_its_owners_alone_whatever_the_umask(indexed: Path) -> None:
    assert list(loose(indexed)) == []
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (indexed, *indexed.rglob("*"))}
    assert modes == {0o700, 0o600}


def test_doctor_names_what_is_open_to_others_and_mends_it_when_asked(home: Path, hybridrag: Any) -> None:
    (home / "manifest.json").chmod(0o644)
    home.chmod(0o755)
    named = hybridrag("doctor", "--home", home).out
    assert "warning privacy: others may look into" in named
    assert str(home / "manifest.json") in named and "doctor --mend" in named
    assert len(list(loose(home))) == 2
    assert "ok      privacy: closed to others" in hybridrag("doctor", "--mend", "--home", home).out
    assert list(loose(home)) == []


def test_a_removal_killed_at_a_write_point_is_finished_when_given_again(
    commands: Commands, indexed: Path, tmp_path: Path
) -> None:
    """At some points; at all of them: the attack of this name."""
    assert killed_removals(commands, indexed, tmp_path, (4, 9, 14, 30, 45)) == []


@pytest.mark.usefixtures("cold")  # what a builder of vectors leaves of removed text
def test_a_removal_that_was_killed_is_finished_by_the_next_run_too(
    commands: Commands, home: Path, tmp_path: Path
) -> None:
    commands.run(home, "remove", REMOVED, fault="kill", at=12)
    assert (home / "removal.json").exists()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "other.txt").write_text("Dogwood opened a plant.", encoding="utf-8")
    index_light(home, [tmp_path / "in"], apart=True)
    assert traces(home) == [] and drafts(home) == []


@pytest.mark.parametrize("fault", ["ENOSPC", "EIO"])
def test_a_removal_whose_writes_are_refused_says_so_and_loses_nothing(
    commands: Commands, indexed: Path, tmp_path: Path, fault: Fault
) -> None:
    assert refused_writes(commands, indexed, tmp_path, fault, ("remove", REMOVED), (2, 7, 14)) == []


@pytest.mark.usefixtures("vectors_here")
def test_a_disk_that_fails_after_readers_were_switched_leaves_them_their_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, documents = tmp_path / "home", write_documents(tmp_path / "in", 0)

    def failing(folder: Path) -> None:
        if folder == home and (home / "CURRENT").exists():
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as failed:
        failed.setattr("tools.store.disk.home.sync_folder", failing)
        with pytest.raises(HomeWriteError, match="Input/output error"):
            index_light(home, [documents])
    with open_generation(home, HashEmbedder()) as generation:
        assert generation.number == 1 and len(generation.documents) == 3


def test_drafts_that_a_kill_left_are_swept_by_the_next_removal(home: Path) -> None:
    for name in (".manifest.json.4711", ".CURRENT.4711", ".removal.json.4711"):
        (home / name).write_text("Birch Corporation", encoding="utf-8")
    remove(home, "call-2.txt")
    assert drafts(home) == []


@pytest.mark.usefixtures("vectors_here")
def test_two_contents_of_one_file_that_a_killed_run_left_are_removed_together(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = write_documents(tmp_path / "in", 0)
    home = tmp_path / "own"
    index_light(home, [documents])
    write_documents(documents, 1)
    with monkeypatch.context() as killed:
        killed.setattr(Home, "set_manifest", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            index_light(home, [documents])
    assert len({entry.document_id for entry in remove(home, REMOVED).removed}) == 2


@pytest.mark.usefixtures("cold")
def test_a_builder_of_vectors_ends_with_the_run_that_is_interrupted(home: Path) -> None:
    place = Home(home)
    number = begin_generation(place, place.manifest())
    with pytest.raises(KeyboardInterrupt), vectors_being_built(place, number):
        raise KeyboardInterrupt
    assert not (place.generation(number) / "vectors.json").exists()


def test_sigterm_and_sighup_end_index_with_a_word_and_their_own_codes(tmp_path: Path) -> None:
    assert signalled(tmp_path, ("start",)) == []
