"""The LangGraph server on loopback, as `make studio` starts it, for tests that ask it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

ROOT = Path(__file__).resolve().parents[1]
BOOT_SECONDS = 90
Case = TypeVar("Case")
Found = TypeVar("Found")


@dataclass(frozen=True)
class Studio:
    """A running server."""

    client: SyncLangGraphClient
    address: str
    log: Path

    def thread(self) -> str:
        """A new one's id."""
        return str(self.client.threads.create()["thread_id"])

    def ask(self, thread: str | None, question: str, graph: str = "assistant", **more: Any) -> Any:
        """One turn's output."""
        return self.client.runs.wait(thread, graph, input=asked(question), **more)

    def updates(self, graph: str, question: str, **more: Any) -> list[tuple[str, dict[str, Any]]]:
        """(step, its visible update) of one turn on a new thread, in order."""
        found: list[tuple[str, dict[str, Any]]] = []
        for part in self.client.runs.stream(
            self.thread(), graph, input=asked(question), stream_mode="updates", **more
        ):
            assert part.event != "error", part.data
            if part.event == "updates":
                found += [(step, fields or {}) for step, fields in part.data.items()]
        return found


def asked(text: str) -> dict[str, Any]:
    """The input of a turn."""
    return {"messages": [{"role": "user", "content": text}]}


def at_once(run: Callable[[Case], Found], cases: Iterable[Case]) -> list[Found]:
    """What `run` returns for each case, in order: the server takes half a second to notice a run, alone or not."""
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(run, cases))


@contextmanager
def server(home: Path, folder: Path, settings: Mapping[str, str] | None = None) -> Iterator[Studio]:
    """`langgraph dev` over `home`; it and its children are gone afterwards.

    `folder` gets a copy of what a fresh clone has, so that the server's own files stay out of the checkout.
    """
    for name in ("agent", "graphs", "tools", "prompts", "langgraph.json", "pyproject.toml", "README.md"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, folder / name)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    apart = ("LANGSMITH_", "LANGCHAIN_", "HYBRIDRAG_", "OPENAI_")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.upper().startswith(apart)},
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "LANGGRAPH_STRICT_MSGPACK": "true",
        "LANGSMITH_TRACING": "false",
        "HYBRIDRAG_HOME": str(home),
        **(settings or {}),
    }
    command = [
        str(Path(sys.executable).with_name("langgraph")),
        "dev",
        "--no-browser",
        "--no-reload",
        "--n-jobs-per-worker",
        "4",
    ]
    log = folder / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port)],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_until_up(address, process, log)
            with get_sync_client(url=address, api_key=None) as client:
                yield Studio(client, address, log)
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _wait_until_up(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + BOOT_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{address}/ok", timeout=2) as reply:
                if reply.status == 200:
                    return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"the server did not start:\n{log.read_text(encoding='utf-8')[-4000:]}")
