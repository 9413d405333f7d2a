"""Processes of ours that begin with their modules loaded: forked from one that loaded them once.

`warm_processes()`: those that are started meanwhile with one of `WARM`, or with a script that says so (`MAY_BE_WARM`),
are forked from `python -m tests.warm_processes`, and what they start in turn is forked for them likewise. They are
processes of their own all the same, children of whoever starts them, with the module's own `main`, and the words,
environment, working folder, session, limits and pipes that they are given; nearly all of the time of a small run went
to load Chroma, spaCy and LangGraph. Not for tests of how such processes start, or of what they know.
"""

from __future__ import annotations

import array
import atexit
import contextlib
import ctypes
import gc
import importlib
import json
import os
import resource
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
import types
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tools.store.disk.child_process import environment

CHILDREN = ("tools.store.reading.worker", "tools.store.generation.vector_builder", "evals.worker")
WARM = (*CHILDREN, "agent.cli.main", "evals.chat_kills", "evals.kills")
NEEDED = (
    *WARM,
    "chromadb",
    "spacy",
    "agent.home_shelf",
    "agent.threads.sessions",
    "graphs.routed",
    "graphs.baselines",
    "tests.light_index",
)
"""What is loaded before anything is asked for; ONNX Runtime would start a thread."""
MAY_BE_WARM = "# modules may be loaded already"
"""First line of a script (`python -c`) that need not start cold."""
LIMITS = (resource.RLIMIT_FSIZE, resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NOFILE)
_PR_SET_CHILD_SUBREAPER = 36
_COLD = subprocess.Popen


class Nursery:
    """The process that is forked; it starts when it is first needed, but at once, as a fork of this process, if
    `from_here`. A context manager."""

    def __init__(self, from_here: bool = False) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner, self._user = os.getpid(), os.geteuid()
        self._asking, self._asked = socket.socketpair()
        if from_here:
            if os.fork() == 0:
                self._asking.close()
                with Path(os.devnull).open("r+b") as nothing:
                    for standard in range(3):  # who reads what the process says waits for its end alone
                        os.dup2(nothing.fileno(), standard)
                for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                    signal.signal(number, signal.SIG_IGN)  # it ends with the process
                _fork_for(self._asked)
                os._exit(0)
            self._asked.close()

    @property
    def usable(self) -> bool:
        """Not by a fork of the process that it is for, nor by another user: its children would be others'."""
        return (os.getpid(), os.geteuid()) == (self._owner, self._user)

    def born(self, words: Sequence[str], env: dict[str, str], folder: str, session: bool, files: Any) -> int:
        """The id of a new child of this process: `python WORDS`, with `files` as its standard ones."""
        limits = [resource.getrlimit(limit) for limit in LIMITS]
        request = {"words": words, "env": env, "folder": folder, "session": session, "limits": limits}
        status = Path("/proc/self/status").read_text(encoding="utf-8", errors="replace")
        mask = status.partition("\nUmask:")[2].partition("\n")[0]
        data = json.dumps(request | {"mask": int(mask, 8)}).encode()
        kernel = ctypes.CDLL(None, use_errno=True)
        with self._lock:
            self._started()
            kernel.prctl(_PR_SET_CHILD_SUBREAPER, 1)  # whose parent ends becomes a child of this process
            try:
                sent = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))]
                self._asking.sendmsg([len(data).to_bytes(4)], sent)
                self._asking.sendall(data)
                return int.from_bytes(_whole(self._asking, 4))
            finally:
                kernel.prctl(_PR_SET_CHILD_SUBREAPER, 0)

    def _started(self) -> None:
        if self._process is None and self._asked.fileno() >= 0:
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
    """Whoever starts one of `WARM`, or a script that may be warm, in this process gets a fork of `nursery`'s."""

    class Popen(subprocess.Popen[Any]):
        def _execute_child(self, args: Any, *rest: Any) -> None:
            # whatever is to run before (`preexec_fn`) gives signals their usual meaning, which forks have
            _, _, _, descriptors, cwd, env, _, _, shell, *pipes, _, gid, _, uid, mask, session, _ = rest
            p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite = pipes
            words = _words(args)
            if (
                not words
                or not nursery.usable
                or shell
                or descriptors
                or (gid, uid, mask) != (None, None, -1)
            ):
                super()._execute_child(args, *rest)  # type: ignore[misc]
                return
            files = [p2cread, c2pwrite, errwrite]
            given = [file if file >= 0 else standard for standard, file in enumerate(files)]
            self.pid = nursery.born(
                words, dict(os.environ if env is None else env), os.fspath(cwd or Path.cwd()), session, given
            )
            self._child_created = True
            self._close_pipe_fds(p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)  # type: ignore[attr-defined]

    with patch("subprocess.Popen", Popen):
        yield


@contextlib.contextmanager
def started_cold() -> Iterator[None]:
    """Within `warm_processes`: nobody gets a fork."""
    with patch("subprocess.Popen", _COLD):
        yield


def _words(args: Any) -> list[str]:
    """What follows `python` where it may be warm, else nothing."""
    if not isinstance(args, list) or args[0] != sys.executable:
        return []
    words = [os.fspath(word) for word in args[1:]]
    what = words[2:] if words[:2] == ["-W", "error"] else words
    modules = what[0] == "-m" and what[1] in WARM
    return words if modules or (what[0] == "-c" and what[1].startswith(MAY_BE_WARM)) else []


def _become(request: dict[str, Any], files: Sequence[int]) -> None:
    """What `python WORDS` would be. Does not return."""
    code = 1
    try:
        for standard, file in enumerate(files):
            os.dup2(file, standard)
        os.closerange(3, 64)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        os.environ.clear()
        os.environ.update(request["env"])
        os.chdir(request["folder"])
        os.umask(request["mask"])
        for limit, values in zip(LIMITS, request["limits"], strict=True):
            resource.setrlimit(limit, values)
        given = request["env"].get("PYTHONPATH", "").split(os.pathsep)
        own = [entry for entry in sys.path if entry.startswith((sys.base_prefix, sys.prefix))]
        sys.path[:] = dict.fromkeys([request["folder"], *filter(None, given), *own])
        sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", errors="backslashreplace", closefd=False)  # noqa: SIM115
        words = request["words"]
        if words[0] == "-W":
            warnings.simplefilter(words[1])
            words = words[2:]
        with contextlib.ExitStack() as warm:
            if words[1] not in CHILDREN:
                warm.enter_context(warm_processes(Nursery(from_here=True)))
            sys.argv = [words[0], *words[2:]]
            if words[0] == "-c":
                main = sys.modules["__main__"] = types.ModuleType("__main__")
                exec(compile(words[1], "<string>", "exec"), main.__dict__)
            else:
                runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException as error:  # noqa: BLE001 - as the interpreter does
        traceback.print_exc()
        if isinstance(error, KeyboardInterrupt):
            code = -signal.SIGINT
    finally:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        if code == -signal.SIGINT:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
        os._exit(code)


def _forked(request: dict[str, Any], files: Sequence[int]) -> int:
    """The id of a process whose parent has ended already: it is a child of whoever asked."""
    told, tell = os.pipe()
    between = os.fork()
    if between == 0:
        between = os.getpid()
        if os.fork() == 0:
            if request["session"]:
                os.setsid()
            os.write(tell, os.getpid().to_bytes(4))
            while os.getppid() == between:
                time.sleep(0.001)
            _become(request, files)
        os._exit(0)
    os.waitpid(between, 0)
    os.close(tell)
    with os.fdopen(told, "rb") as pipe:
        return int.from_bytes(pipe.read(4))


def _fork_for(asked: socket.socket) -> None:
    """Fork for each request until whoever asks has ended."""
    while True:
        head, sent, *_ = asked.recvmsg(4, socket.CMSG_SPACE(12))
        if not head:
            return
        files = array.array("i", sent[0][2])
        request = json.loads(_whole(asked, int.from_bytes(head)))
        asked.sendall(_forked(request, files).to_bytes(4))
        for file in files:
            os.close(file)


def main() -> None:
    """Load, then fork."""
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
    gc.collect()
    gc.freeze()
    _fork_for(asked)


if __name__ == "__main__":
    main()
