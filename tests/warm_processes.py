"""Processes of ours that begin with their modules loaded: forked from one that loaded them once.

`warm_processes()`: reading processes, builders of vectors and asking processes that are started meanwhile are forked
from `python -m tests.warm_processes`. They are processes of their own all the same, children of whoever starts them,
with the module's own `main`, the environment, working folder and pipes that they are given; nearly all of the time
of a small run went to load Chroma, spaCy and LangGraph. Not for tests of how such processes start, of what they know
or may take, nor of kills.
"""

from __future__ import annotations

import array
import contextlib
import ctypes
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tools.store.disk.child_process import environment

WARM = ("tools.store.reading.worker", "tools.store.generation.vector_builder", "evals.worker")
NEEDED = (
    *WARM,
    "chromadb",
    "spacy",
    "agent.home_shelf",
    "graphs.routed",
    "graphs.baselines",
)
"""What is loaded before anything is asked for; ONNX Runtime would start a thread."""
_PR_SET_CHILD_SUBREAPER = 36


class Nursery:
    """The process that is forked; it starts when it is first needed. A context manager."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._asking, self._asked = socket.socketpair()

    def born(self, module: str, env: dict[str, str], folder: str, files: Sequence[int]) -> int:
        """The id of a new child of this process, which runs `module` with `files` as its standard ones."""
        request = json.dumps({"module": module, "env": env, "folder": folder}).encode()
        kernel = ctypes.CDLL(None, use_errno=True)
        with self._lock:
            self._started()
            kernel.prctl(_PR_SET_CHILD_SUBREAPER, 1)  # whose parent ends becomes a child of this process
            try:
                sent = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))]
                self._asking.sendmsg([len(request).to_bytes(4)], sent)
                self._asking.sendall(request)
                return int.from_bytes(_whole(self._asking, 4))
            finally:
                kernel.prctl(_PR_SET_CHILD_SUBREAPER, 0)

    def _started(self) -> None:
        if self._process is None:
            command = [sys.executable, "-m", "tests.warm_processes", str(self._asked.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[self._asked.fileno()], env=environment())
            self._asked.close()

    def __enter__(self) -> Nursery:
        return self

    def __exit__(self, *_: object) -> None:
        """It ends; its children stay."""
        self._asking.close()
        self._asked.close()
        if self._process is not None:
            self._process.wait()


def _whole(asked: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        if not (part := asked.recv(size - len(data))):
            raise EOFError
        data += part
    return data


@contextlib.contextmanager
def warm_processes(nursery: Nursery) -> Iterator[None]:
    """Whoever starts one of `WARM` in this process gets a fork of `nursery`'s."""

    class Popen(subprocess.Popen[Any]):
        def _execute_child(self, args: Any, *rest: Any) -> None:
            if args not in ([sys.executable, "-m", module] for module in WARM):
                super()._execute_child(args, *rest)  # type: ignore[misc]
                return
            _, _, _, _, cwd, env, _, _, _, p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite, *_ = rest
            files = [p2cread, c2pwrite, errwrite]
            given = [file if file >= 0 else standard for standard, file in enumerate(files)]
            self.pid = nursery.born(
                args[2], dict(os.environ if env is None else env), cwd or str(Path.cwd()), given
            )
            self._child_created = True
            self._close_pipe_fds(p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)  # type: ignore[attr-defined]

    with patch("subprocess.Popen", Popen):
        yield


def _become(request: dict[str, Any], files: Sequence[int]) -> None:
    """What `python -m` would be. Does not return."""
    code = 1
    try:
        for standard, file in enumerate(files):
            os.dup2(file, standard)
        os.closerange(3, 64)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.environ.clear()
        os.environ.update(request["env"])
        os.chdir(request["folder"])
        sys.path[:] = [request["folder"], *request["env"].get("PYTHONPATH", "").split(os.pathsep)]
        sys.stdin, sys.stdout = open(0), open(1, "w")  # noqa: SIM115
        sys.stderr = open(2, "w", errors="backslashreplace")  # noqa: SIM115
        runpy.run_module(request["module"], run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001 - as the interpreter does
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _forked(request: dict[str, Any], files: Sequence[int]) -> int:
    """The id of a process whose parent has ended already: it is a child of whoever asked."""
    told, tell = os.pipe()
    between = os.fork()
    if between == 0:
        between = os.getpid()
        if (child := os.fork()) == 0:
            while os.getppid() == between:
                time.sleep(0.001)
            _become(request, files)
        os.write(tell, child.to_bytes(4))
        os._exit(0)
    os.waitpid(between, 0)
    os.close(tell)
    with os.fdopen(told, "rb") as pipe:
        return int.from_bytes(pipe.read(4))


def main() -> None:
    """Fork for each request until whoever asks has ended."""
    asked = socket.socket(fileno=int(sys.argv[1]))
    for name in NEEDED:
        importlib.import_module(name)
    for name in WARM:
        del sys.modules[name]  # each is run anew
    from tools.knowledge.extract.sentence_parses import _model
    from tools.vector.keywords import load_bm25s

    _model()
    load_bm25s()
    threads = list(Path("/proc/self/task").iterdir())
    assert len(threads) == 1, "a fork of a process with threads may wait for ever"
    while True:
        head, sent, *_ = asked.recvmsg(4, socket.CMSG_SPACE(12))
        if not head:
            return
        files = array.array("i", sent[0][2])
        request = json.loads(_whole(asked, int.from_bytes(head)))
        asked.sendall(_forked(request, files).to_bytes(4))
        for file in files:
            os.close(file)


if __name__ == "__main__":
    main()
