"""The vector index, built in a process of its own: `python -m tools.store.generation.vector_builder`.

Chroma's HNSW file holds stale memory of the process that writes it, in room kept for rows to come. A process
that never saw a removed document cannot write it there. One line of JSON in, one out.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import orjson

from tools.private_files import keep_others_out
from tools.store.disk.child_process import die_with, environment, free_output
from tools.store.disk.home import MANIFEST, Home, Manifest
from tools.store.disk.seal import GenerationSeal
from tools.store.errors import HomeWriteError, RecordDamagedError, StoreError, WorkerError
from tools.store.generation.generations import (
    begin_generation,
    build_knowledge,
    finish_generation,
    write_vectors,
)


@contextmanager
def vectors_being_built(home: Home, number: int, *, searched: bool = True) -> Iterator[Callable[[], None]]:
    """The vector and keyword indexes of a generation that was begun are written meanwhile; what it gives waits for
    them. Leaving it earlier ends the process. `searched`: see `generations.write_vectors`.

    Waiting raises HomeWriteError, RecordDamagedError; WorkerError if the process fails otherwise.
    """
    request = {
        "home": str(home.root.absolute()),
        "number": number,
        "parent": os.getpid(),
        "searched": searched,
    }
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "tools.store.generation.vector_builder"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment(),
        )
        assert process.stdin is not None

        def wait() -> None:
            answer, _ = process.communicate()
            if not answer:
                errors.seek(0)
                last = errors.read().decode("utf-8", "replace").strip().splitlines()[-1:]
                why = last[0] if last else f"it ended with code {process.returncode}"
                raise WorkerError(f"The vector index could not be built: {why}")
            _raise(home.root, orjson.loads(answer))

        try:
            with suppress(BrokenPipeError):  # it has ended: waiting says how
                process.stdin.write(orjson.dumps(request) + b"\n")
                process.stdin.flush()
            yield wait
        finally:
            process.kill()
            process.communicate()


def build_vectors(home: Home, number: int, *, searched: bool = True) -> None:
    """Write the vector and keyword indexes of a generation that was begun; errors as of waiting for them."""
    with vectors_being_built(home, number, searched=searched) as wait:
        wait()


def build_generation(home: Home, manifest: Manifest, *, searched: bool = True) -> GenerationSeal | None:
    """Derive a generation from the manifest's records and put it to use; None where there is nothing to
    index. `searched`: see `generations.write_vectors`.

    The caller holds the writer's lock. HomeWriteError, RecordDamagedError: the generation in use stays.
    """
    if not manifest.entries:
        home.set_current(None)
        return None
    number = begin_generation(home, manifest)
    build_vectors(home, number, searched=searched)
    build_knowledge(home, number, manifest)
    return finish_generation(home, number, manifest, searched=searched)


def _raise(home: Path, answer: dict[str, str]) -> None:
    if "refused" in answer:
        raise HomeWriteError(home, answer["refused"])
    if "damaged" in answer:
        raise RecordDamagedError(home, answer["damaged"], answer["name"], answer["why"])


def main() -> None:
    """Build what standard input asks for."""
    request = orjson.loads(sys.stdin.buffer.readline() or b"null")
    if request is None:
        return
    die_with(request["parent"])
    keep_others_out()
    replies = free_output()
    home = Home(Path(request["home"]))
    answer: dict[str, str] = {}
    try:
        data = (home.generation(request["number"]) / MANIFEST).read_bytes()
        write_vectors(home, request["number"], Manifest.load(home.root, data), searched=request["searched"])
    except RecordDamagedError as error:
        answer = {"damaged": error.folder, "name": error.name, "why": error.why}
    except HomeWriteError as error:
        answer = {"refused": error.why}
    except (StoreError, OSError) as error:
        answer = {"refused": str(error)}
    os.write(replies, orjson.dumps(answer) + b"\n")


if __name__ == "__main__":
    main()
