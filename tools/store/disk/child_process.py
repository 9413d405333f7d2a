"""Processes of our own: started and ended, fed by lines, given no secrets; they die with their parent."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from typing import Any

import orjson

_PR_SET_PDEATHSIG = 1
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_SECRET = re.compile(r"^HYBRIDRAG_|API_?KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)


def environment() -> dict[str, str]:
    """Of a child: it finds the modules that this process finds, keeps to one thread, and knows no secret: it
    reads files that anyone may have written."""
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)  # noqa: PTH109
    inherited = {name: value for name, value in os.environ.items() if not _SECRET.search(name)}
    return {**inherited, **ONE_THREAD, "PYTHONPATH": path, "TOKENIZERS_PARALLELISM": "false"}


class ChildProcess:
    """A module of ours run as a process: JSON lines to its input, whole lines from its output. Lines may be sent
    from several threads, one receives."""

    def __init__(self, module: str) -> None:
        """Start `python -m module`; OSError if the system refuses."""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `end`
        self._process = subprocess.Popen(
            [sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=environment(),
        )
        self._received = b""
        self._sending = threading.Lock()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """False once it has ended."""
        return self._process.poll() is None

    def send(self, message: Mapping[str, Any]) -> None:
        """One line to it. BrokenPipeError if it has ended, ValueError after `end`."""
        assert self._process.stdin is not None
        with self._sending:
            self._process.stdin.write(orjson.dumps(message) + b"\n")
            self._process.stdin.flush()

    def take_line(self) -> bytes | None:
        """The next line that was received whole, without its end; None if there is none yet."""
        line, end, rest = self._received.partition(b"\n")
        if not end:
            return None
        self._received = rest
        return line

    def receive(self, seconds: float) -> bool:
        """Wait for what it says next, whole lines or not; False if it says nothing for so long. EOFError if it
        has ended."""
        assert self._process.stdout is not None
        if not select.select([self._process.stdout], [], [], seconds)[0]:
            return False
        data = os.read(self._process.stdout.fileno(), 1 << 16)
        if not data:
            raise EOFError
        self._received += data
        return True

    def how_it_ended(self) -> tuple[str, int, str]:
        """Waits for its end: the signal that ended it ('' if none did), its exit code, the last line of its errors
        ('' if it wrote none)."""
        code = self._process.wait()
        if code < 0:
            return signal.Signals(-code).name, code, ""
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return "", code, lines[-1] if lines else ""

    def kill(self) -> None:
        """Stop it now."""
        self._process.kill()

    def end(self) -> None:
        """Kill it, if it still runs, and close its pipes."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            with contextlib.suppress(BrokenPipeError):  # what it would not read any more
                if stream is not None:
                    stream.close()


def die_with(parent: int) -> None:
    """End with the process `parent`, however it ends: by the kernel's signal on Linux, by looking
    elsewhere.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    if os.getppid() != parent:  # it ended before the request above
        os._exit(1)
    threading.Thread(target=watch, daemon=True).start()


def free_output() -> int:
    """A descriptor for replies on standard output; what a library prints goes to standard error from now
    on.
    """
    replies = os.dup(1)
    os.dup2(2, 1)
    return replies
