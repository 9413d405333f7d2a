from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
from pathlib import Path

import orjson
import pytest

from tools.store.disk.lock import FileLock, WriterLock, indexing_under_way
from tools.store.errors import HomeLockedError

HOLD = """
import sys, time
from pathlib import Path
from tools.store.disk.lock import WriterLock
lock = WriterLock.take(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(60)
"""


def hold(home: Path) -> subprocess.Popen[bytes]:
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(home)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert process.stdout.readline() == b"held\n"
    return process


def end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()


def test_a_second_writer_is_refused_at_once_and_told_who_the_first_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, asked = hold(tmp_path), []

    def flock(descriptor: int, operation: int) -> None:
        asked.append(operation)
        fcntl_flock(descriptor, operation)

    fcntl_flock = fcntl.flock
    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(HomeLockedError, match=rf"process {first.pid} on .* since "):
        WriterLock.take(tmp_path)
    assert asked == [fcntl.LOCK_EX | fcntl.LOCK_NB], "asked for once, and not waited for"
    end(first)


def test_a_killed_writer_leaves_the_lock_to_the_next(tmp_path: Path) -> None:
    end(hold(tmp_path))
    with WriterLock.take(tmp_path):
        assert (tmp_path / "lock").read_bytes()
    assert not (tmp_path / "lock").read_bytes()


def test_a_second_writer_in_the_same_process_is_refused(tmp_path: Path) -> None:
    with WriterLock.take(tmp_path), pytest.raises(HomeLockedError):
        WriterLock.take(tmp_path)


def test_a_forked_child_does_not_keep_the_lock(tmp_path: Path) -> None:
    lock = WriterLock.take(tmp_path)
    child = os.fork()
    if child == 0:
        time.sleep(30)
        os._exit(0)
    try:
        lock.release()
        time.sleep(0.05)
        WriterLock.take(tmp_path).release()
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)


def test_a_lock_nobody_refers_to_any_more_is_free(tmp_path: Path) -> None:
    lock = WriterLock.take(tmp_path)
    del lock
    WriterLock.take(tmp_path).release()


def test_readers_share_what_a_writer_may_not_have(tmp_path: Path) -> None:
    path = tmp_path / "in-use"
    path.touch()
    first, second = FileLock.try_take(path, shared=True), FileLock.try_take(path, shared=True)
    assert first is not None
    assert second is not None
    assert FileLock.try_take(path, shared=False) is None
    first.release()
    second.release()
    writer = FileLock.try_take(path, shared=False)
    assert writer is not None
    writer.release()


def test_a_home_that_cannot_be_made_is_refused_with_the_reason(tmp_path: Path) -> None:
    from tools.store.errors import HomeWriteError

    (tmp_path / "file").touch()
    with pytest.raises(HomeWriteError, match="Not a directory"):
        WriterLock.take(tmp_path / "file" / "home")


def test_a_run_at_work_says_how_many_documents_can_be_asked(tmp_path: Path) -> None:
    assert indexing_under_way(tmp_path) is None
    with WriterLock.take(tmp_path) as lock:
        assert indexing_under_way(tmp_path) is None
        lock.tell(2, 6)
        assert indexing_under_way(tmp_path) == (2, 6)
        stored = (tmp_path / "lock").read_bytes()
    assert indexing_under_way(tmp_path) is None
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    gone = orjson.loads(stored) | {"pid": ended.pid}
    (tmp_path / "lock").write_bytes(orjson.dumps(gone))
    assert indexing_under_way(tmp_path) is None  # it was killed and could not wipe its name
    (tmp_path / "lock").write_bytes(orjson.dumps(orjson.loads(stored) | {"host": "elsewhere"}))
    assert indexing_under_way(tmp_path) is None
