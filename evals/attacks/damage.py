"""Attacks by what lies on the disk or is given on the command line: threads that are damaged, paths and folders beyond
all bounds, a host that is none."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from agent.assistant import Assistant
from agent.settings import Settings
from agent.threads.sessions import Sessions
from agent.threads.thread_records import ThreadDamagedError
from evals.attacks.attack import Attack
from evals.attacks.endpoint import CALL, indexed
from evals.attacks.endpoint_forms import QUESTION
from evals.attacks.hostile_endpoint import DEEP
from graphs.contracts import Answer

LEVELS = 1_200
LONG = 5_000
COMMAND_SECONDS = 120
HOSTS = ("[", "]", "[::1", "[]", "//[", "a" * LONG)
_DEEP = "[" * DEEP + "]" * DEEP
DAMAGES: Mapping[str, tuple[str, str | bytes]] = {
    "an answer that is no JSON": ("UPDATE turns SET answer = ? WHERE thread_id = ?", '{"question": '),
    "an answer of bytes": ("UPDATE turns SET answer = ? WHERE thread_id = ?", b"\xff\xfe\x00"),
    "an answer of lists within lists": ("UPDATE turns SET answer = ? WHERE thread_id = ?", _DEEP),
    "an answer without fields": ("UPDATE turns SET answer = ? WHERE thread_id = ?", "{}"),
    "a turn of no time": ("UPDATE turns SET asked_at = ? WHERE thread_id = ?", "yesterday"),
    "a begun turn that is no JSON": ("UPDATE threads SET begun = ? WHERE id = ?", "{"),
    "a begun turn of lists within lists": ("UPDATE threads SET begun = ? WHERE id = ?", _DEEP),
    "a begun turn without fields": ("UPDATE threads SET begun = ? WHERE id = ?", "{}"),
    "a checkpoint of bytes": ("UPDATE checkpoints SET checkpoint = ? WHERE thread_id = ?", b"\x81\xa1v"),
    "a checkpoint of nothing": ("UPDATE checkpoints SET checkpoint = ? WHERE thread_id = ?", b""),
    "a checkpoint with other bytes": (
        "UPDATE checkpoints SET checkpoint = CAST(replace(checkpoint, 'messages', ?) AS BLOB) WHERE thread_id = ?",
        b"massages",
    ),
    "a checkpoint of another kind": ("UPDATE checkpoints SET type = ? WHERE thread_id = ?", "pickle"),
    "a checkpoint with notes that are no JSON": (
        "UPDATE checkpoints SET metadata = ? WHERE thread_id = ?",
        b"{",
    ),
    "a checkpoint with notes of lists within lists": (
        "UPDATE checkpoints SET metadata = ? WHERE thread_id = ?",
        _DEEP,
    ),
}
"""What is damaged, and how; with the thread's id."""
TIMES: Mapping[str, tuple[str, str | bytes]] = {
    "a thread of no time": ("UPDATE threads SET used = ? WHERE id = ?", "yesterday"),
    "a thread made at bytes": ("UPDATE threads SET created = ? WHERE id = ?", b"\xff"),
    "a thread used in the year 0": ("UPDATE threads SET used = ? WHERE id = ?", "0000-01-01"),
}
"""The same of what a thread can do without."""


STORED_DAMAGES: Mapping[str, tuple[str, str | bytes]] = {
    "values of bytes": ("UPDATE checkpoint_blobs SET blob = ? WHERE thread_id = ?", b"\x81\xa1v"),
    "values of nothing": ("UPDATE checkpoint_blobs SET blob = ? WHERE thread_id = ?", b""),
    "values with another byte": (
        "UPDATE checkpoint_blobs SET blob = overlay(blob placing ? from 40) WHERE thread_id = ? AND length(blob) > 50",
        b"\x00",
    ),
    "values of another kind": ("UPDATE checkpoint_blobs SET type = ? WHERE thread_id = ?", "pickle"),
    "values that are gone": ("DELETE FROM checkpoint_blobs WHERE channel = ? AND thread_id = ?", "messages"),
}
"""What is damaged of checkpoints in a database, and how."""


def damaged_threads(
    home: Path,
    question: str = QUESTION,
    damages: Mapping[str, tuple[str, str | bytes]] | None = None,
    settings: Settings | None = None,
) -> Sequence[str]:
    """A damaged thread is named, the others go on, and it can be deleted. `settings`: those of another place than a
    home."""
    found: list[str] = []
    settings = settings or Settings(_env_file=None, home=home, engine="local")
    with Assistant(settings) as assistant, Sessions(assistant) as sessions:
        list(sessions.open("sound").ask(question))
        for what, damage in (damages or {**DAMAGES, **TIMES}).items():
            list(sessions.open(what).ask(question))
            _damage(sessions, sessions.open(what).thread.id, *damage)
            named = _named(sessions, what, question)
            if named == (what in TIMES):
                found.append(
                    f"{what}: " + ("nothing is said of it" if not named else "the thread is refused")
                )
            if not isinstance(list(sessions.open("sound").ask(question))[-1], Answer):
                found.append(f"{what}: the other thread has no answer")
            if what not in {thread.name for thread in sessions.threads()}:
                found.append(f"{what}: it is not listed")
            sessions.delete(what)
    return found


def _damage(sessions: Sessions, thread_id: str, sql: str, value: str | bytes) -> None:
    with sessions.store.writing() as database:
        assert database.execute(sql, (value, thread_id)).rowcount


def _named(sessions: Sessions, what: str, question: str) -> bool:
    """Whether looking at a thread and asking on it says that it is damaged, by name."""
    try:
        session = sessions.open(what)
        session.turns()
        session.unfinished()
        list(session.ask(question))
    except ThreadDamagedError as error:
        return f"'{what}'" in str(error)
    return False


def deep_folder(folder: Path) -> Sequence[str]:
    """A document below 1,200 folders is indexed; folders too deep for the system are said, and the rest goes on."""
    found: list[str] = []
    for name, levels in (("d", LEVELS), ("n" * 200, 40)):
        root = folder / f"in-{levels}"
        root.mkdir()
        (root / "call.txt").write_text(CALL.replace("Alder", "Birch"), encoding="utf-8")
        with nested_folders(root, name, levels, CALL):
            ran = _hybridrag("index", str(root), "--home", str(folder / f"home-{levels}"))
        files = 2 if levels == LEVELS else 1
        if "Traceback" in ran.stderr or f"{files} indexed" not in ran.stdout:
            found.append(f"{levels} levels: exit code {ran.returncode}: {ran.stderr[-200:]}")
    return found


@contextmanager
def nested_folders(root: Path, name: str, levels: int, text: str) -> Iterator[None]:
    """Folders within folders below `root`, the last with a call.txt. They go again, level by level: what removes
    folders mostly calls itself for each."""
    there = Path.cwd()
    os.chdir(root)
    for _ in range(levels):
        Path(name).mkdir()
        os.chdir(name)
    Path("call.txt").write_text(text, encoding="utf-8")
    bottom = os.open(".", os.O_RDONLY)
    os.chdir(there)
    try:
        yield
    finally:
        os.fchdir(bottom)
        os.close(bottom)
        Path("call.txt").unlink()
        for _ in range(levels):
            os.chdir("..")
            Path(name).rmdir()
        os.chdir(there)


def long_paths(folder: Path) -> Sequence[str]:
    """A path that no system takes, wherever a command takes one, is the user's mistake (exit code 2), in words."""
    home, call = str(folder / "home"), folder / "call.txt"
    call.write_text(CALL, encoding="utf-8")
    found: list[str] = []
    for path in ("x" * LONG, "/".join(["x" * 99] * (LONG // 100))):
        for words in (
            ("index", path, "--home", home),
            ("index", str(call), "--home", path),
            ("documents", "--home", path),
            ("threads", "--home", path),
            ("ask", "--batch", path, "--home", home),
            ("remove", path, "--home", home),
            ("graph", "export", path, "--home", home),
            ("eval", "run", "--dataset", path, "--home", home),
        ):
            ran = _hybridrag(*words)
            if ran.returncode != 2 or "Traceback" in ran.stderr or not ran.stderr.strip():
                found.append(f"{' '.join(words)[:30]}: exit code {ran.returncode}: {ran.stderr[-200:]}")
    return found


def _hybridrag(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "agent.cli.main", *words],
        capture_output=True,
        text=True,
        timeout=COMMAND_SECONDS,
        check=False,
    )


def strange_hosts(folder: Path) -> Sequence[str]:
    """A request whose Host or Origin is no address is refused, not a fault of the server's."""
    import uvicorn
    from starlette.applications import Starlette

    from agent.origin import OwnPagesOnly

    app = OwnPagesOnly(Starlette())
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            address = listening.getsockname()
            statuses = {
                f"{name}: {host[:9]}": _status(address, name, host)
                for host in HOSTS
                for name in ("Host", "Origin")
            }
        finally:
            server.should_exit = True
            thread.join()
    return [f"{what}: {status}" for what, status in statuses.items() if not status.startswith("4")]


def _status(address: tuple[str, int], name: str, host: str) -> str:
    headers = {"Host": "127.0.0.1", name: host}
    lines = "".join(f"{header}: {value}\r\n" for header, value in headers.items())
    with socket.create_connection(address, timeout=10) as connection:
        connection.sendall(f"GET /info HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode())
        return connection.recv(99).decode().partition(" ")[2][:3]


def _on_a_home(run: Callable[[Path], Sequence[str]]) -> Callable[[Path], Sequence[str]]:
    return lambda folder: run(indexed(folder))


ATTACKS: Sequence[Attack] = (
    Attack("damaged threads", len(DAMAGES) + len(TIMES), _on_a_home(damaged_threads)),
    Attack("folders of 1,200 levels, and beyond what the system takes", 2, deep_folder),
    Attack("paths of 5,000 characters", 16, long_paths),
    Attack("hosts and origins that are none", 2 * len(HOSTS), strange_hosts),
)
