"""The first documents can be asked while the rest is read, and a kill in between costs nothing of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evals.kills import write_documents
from tests.light_index import index_light
from tests.store_stand_ins import HOLD, HashEmbedder
from tests.warm_processes import MAY_BE_WARM
from tools.documents.metadata.document_metadata import Overrides
from tools.store.disk.home import Home, Manifest
from tools.store.disk.lock import indexing_under_way
from tools.store.errors import IndexNotReadyError
from tools.store.generation.generations import begin_generation
from tools.store.generation.opening import open_generation
from tools.store.reading.report import Progress
from tools.store.runs import meanwhile

RUN = f"""{MAY_BE_WARM}
import sys
from pathlib import Path
from tests.light_index import index_light
index_light(Path(sys.argv[1]), [Path(sys.argv[2])], apart=True, workers=int(sys.argv[3]), publish_after=0)
"""
HELD = "call-3.txt"


def started(home: Path, folder: Path, workers: int) -> subprocess.Popen[bytes]:
    """A run that reads all but one document and waits in that."""
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(home), str(folder), str(workers)],
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": path, HOLD: HELD},
    )


def wait_for(ready: int, home: Path) -> None:
    for _ in range(600):
        if (indexing_under_way(home) or (-1, 0))[0] >= ready:
            return
        time.sleep(0.1)
    raise AssertionError(f"never {ready} documents: {indexing_under_way(home)}")


def test_a_run_killed_after_its_first_documents_could_be_asked_goes_on_from_them(tmp_path: Path) -> None:
    folder, home = write_documents(tmp_path / "in", 1), tmp_path / "home"
    usual = index_light(tmp_path / "undisturbed", [folder]).digest
    run = started(home, folder, workers=2)
    try:
        wait_for(0, home)
        if Home(home).current() is None:
            with pytest.raises(IndexNotReadyError, match="4 are being read"):
                open_generation(home, HashEmbedder())
        wait_for(2, home)
        with open_generation(home, HashEmbedder()) as generation:
            assert 2 <= len(generation.documents) <= 3
            assert HELD not in {document.name for document in generation.documents.values()}
            assert len(generation.graph) >= 2
        assert indexing_under_way(home) == (2, 4)
    finally:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    assert indexing_under_way(home) is None
    with open_generation(home, HashEmbedder()) as generation:
        assert len(generation.documents) == 2
    report = index_light(home, [folder])
    assert report.counts == {"unchanged": 2, "indexed": 2}
    assert (report.digest, len(Home(home).numbers())) == (usual, 1)
    assert index_light(home, [folder]).changed is False


def test_publishing_meanwhile_changes_nothing_of_the_end(tmp_path: Path) -> None:
    folder, home = write_documents(tmp_path / "in", 0), tmp_path / "home"
    index_light(home, [folder], overrides=Overrides(company="Alder"))
    write_documents(folder, 1)
    seen: list[Progress] = []
    held: dict[int, int] = {}

    def on_progress(at: Progress) -> None:
        seen.append(at)
        if at.published is not None:
            with open_generation(home, HashEmbedder()) as generation:
                held[at.published[0]] = len(generation.documents)

    report = index_light(home, [folder], forget_flags=True, publish_after=0, on_progress=on_progress)
    assert [at.published for at in seen if at.published] == [(1, 4), (2, 4)]
    assert set(held.values()) <= {3, 4} and len(held) == 2  # what waits is there as it was before
    assert report.changed and len(Home(home).numbers()) == 1
    assert report.digest == index_light(tmp_path / "fresh", [folder]).digest


def test_a_run_that_ends_while_it_publishes_leaves_the_old_index_and_is_made_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, home = write_documents(tmp_path / "in", 0), tmp_path / "home"
    before = index_light(home, [folder]).digest
    write_documents(folder, 1)

    def stop(home: Home, manifest: Manifest) -> None:
        begin_generation(home, manifest)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(meanwhile, "build_generation", stop)
        with pytest.raises(KeyboardInterrupt):
            index_light(home, [folder], publish_after=0)
    with open_generation(home, HashEmbedder()) as generation:
        assert (generation.digest, len(generation.documents)) == (before, 3)
    report = index_light(home, [folder], publish_after=0)
    assert report.digest == index_light(tmp_path / "fresh", [folder]).digest
    assert (len(Home(home).numbers()), len(list(Home(home).documents.iterdir()))) == (1, 4)
