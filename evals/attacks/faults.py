"""Commands run in a process whose writes into a home are counted, refused by the system, or the last it does.

`python -m evals.attacks.faults`: JSON lines in ({"argv", "home", "fault", "at"}), one out for each ({"code", "out",
"writes"}). Each command runs in a fork, so that nothing of one is left in the next and modules are loaded once.
"""

from __future__ import annotations

import errno
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import orjson

Fault = Literal["", "kill", "EIO", "ENOSPC"]
CALLS = ("open", "mkdir", "rename", "replace", "unlink", "rmdir", "chmod", "fsync", "pwrite", "ftruncate")
"""Of `os`; with a file's own `write` all by which the command itself changes a home."""
ALLOCATING = frozenset({"open", "mkdir", "pwrite", "write"})
"""What a full disk refuses."""
KILLED = -signal.SIGKILL


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    """What it said on both outputs."""
    writes: int
    """Write points that it came to."""


class Commands:
    """A process that runs commands; a context manager."""

    def __init__(self, module: str = "evals.attacks.faults") -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def run(self, home: Path, *argv: object, fault: Fault = "", at: int = 0) -> Ran:
        """`hybridrag ARGV --home HOME`, with the fault at its write point `at`, counted from 1."""
        assert self._process.stdin is not None and self._process.stdout is not None
        command = [*map(str, argv), "--home", str(home)]
        request = {"argv": command, "home": str(home), "fault": fault, "at": at}
        self._process.stdin.write(orjson.dumps(request) + b"\n")
        self._process.stdin.flush()
        return Ran(**orjson.loads(self._process.stdout.readline()))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()


class _Faults:
    """Write points of this process, counted from 1. A full disk stays full; the other faults come once."""

    def __init__(self, home: Path, fault: Fault, at: int, counted: Path) -> None:
        self._home, self._fault, self._at = str(home.resolve()), fault, at
        self._counted = counted.open("ab", buffering=0)
        self._count = 0

    def install(self) -> None:
        from tools import private_files

        for name in CALLS:
            setattr(os, name, self._watched(name, getattr(os, name)))
        private_files.open = self._open  # type: ignore[attr-defined]

    def meet(self, call: str) -> None:
        """One write point."""
        if (self._fault == "ENOSPC" and call not in ALLOCATING) or (
            self._fault == "kill" and call == "fsync"
        ):
            return  # a kill there is one at the next point
        self._count += 1
        self._counted.write(b".")
        if self._count == self._at and self._fault == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if (self._count == self._at and self._fault == "EIO") or (
            0 < self._at <= self._count and self._fault == "ENOSPC"
        ):
            number = getattr(errno, self._fault)
            raise OSError(number, os.strerror(number))

    def _watched(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def watched(target: Any, *args: Any, **named: Any) -> Any:
            if self._is_of_home(name, target, args, named):
                self.meet(name)
            return call(target, *args, **named)

        return watched

    def _is_of_home(self, name: str, target: Any, args: tuple[Any, ...], named: dict[str, Any]) -> bool:
        if name == "open" and not args[0] & (os.O_CREAT | os.O_WRONLY | os.O_RDWR):
            return False
        if isinstance(target, int) or named.get("dir_fd") is not None:
            return True
        return Path(os.path.realpath(target)).is_relative_to(self._home)

    def _open(self, path: Any, mode: str, opener: Any) -> Any:
        faults = self

        class Raw(io.FileIO):
            def write(self, data: Any, /) -> int:
                faults.meet("write")
                return super().write(data)

        return io.BufferedWriter(Raw(path, mode, opener=opener))


def _run(request: dict[str, Any], folder: Path) -> int:
    """In the fork: the command, its words in `folder`/out and a point a write in `folder`/writes."""
    out = os.open(folder / "out", os.O_CREAT | os.O_WRONLY)
    for standard in (1, 2):
        os.dup2(out, standard)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
    _Faults(Path(request["home"]), request["fault"], request["at"], folder / "writes").install()
    from agent.cli.main import main as hybridrag

    try:
        return hybridrag(request["argv"])
    except SystemExit as error:
        return int(error.code or 0)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def _forked(request: dict[str, Any]) -> Ran:
    folder = Path(tempfile.mkdtemp())
    try:
        child = os.fork()
        if child == 0:
            code = 70
            try:
                code = _run(request, folder)
            finally:
                if sys.exc_info()[0] is not None:
                    traceback.print_exc()
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        counted = folder / "writes"
        writes = counted.stat().st_size if counted.exists() else 0
        return Ran(code, (folder / "out").read_text(encoding="utf-8", errors="replace"), writes)
    finally:
        shutil.rmtree(folder)


def main() -> None:
    """Serve until standard input ends."""
    import tools.knowledge.graph.knowledge_graph
    import tools.store.generation.vector_builder
    import tools.store.runs.index_run
    import tools.store.runs.removal  # noqa: F401 - loaded once for all forks

    for line in sys.stdin.buffer:
        ran = _forked(orjson.loads(line))
        reply = {"code": ran.code, "out": ran.out, "writes": ran.writes}
        sys.stdout.buffer.write(orjson.dumps(reply) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
