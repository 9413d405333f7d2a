"""The LangGraph server on loopback, started as `make studio` starts it, for whoever attacks or tests it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

ROOT = Path(__file__).resolve().parents[2]
BOOT_SECONDS = 90
PARTS = ("agent", "graphs", "tools", "prompts", "langgraph.json", "pyproject.toml", "README.md")
"""What a server needs of a clone."""
APART = ("LANGSMITH_", "LANGCHAIN_", "LANGGRAPH_", "HYBRIDRAG_", "OPENAI_")
"""Beginnings of variables that a server doesn't get from its surroundings."""
AS_STUDIO = ("-m", "agent.server.start", "--n-jobs-per-worker", "4")


@dataclass(frozen=True, slots=True)
class Served:
    """A running server."""

    process: subprocess.Popen[bytes]
    address: str
    log: Path

    def kill(self) -> None:
        """As kill -9 does, with its children."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """As Ctrl-C does; a server that does not end is killed."""
        if self.process.poll() is not None:
            return
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.kill()


def clone(folder: Path) -> Path:
    """`folder`, with what a fresh clone has, so that the server's own files stay out of the checkout."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in PARTS:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, folder / name, ignore=ignored, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, folder / name)
    return folder


def start(home: Path, folder: Path, settings: Mapping[str, str] | None = None) -> Served:
    """A server over `home` that runs in `folder`, a `clone`; it answers when this returns. RuntimeError."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        **{name: value for name, value in os.environ.items() if not name.upper().startswith(APART)},
        "LANGSMITH_TRACING": "false",
        "HYBRIDRAG_HOME": str(home),
        **(settings or {}),
    }
    log = folder / "server.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, *AS_STUDIO, "--host", "127.0.0.1", "--port", str(port)],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    served = Served(process, f"http://127.0.0.1:{port}", log)
    end = time.monotonic() + BOOT_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{served.address}/ok", timeout=2):
                return served
        except OSError:
            time.sleep(0.2)
    served.stop()
    raise RuntimeError(f"the server did not start:\n{log.read_text(encoding='utf-8')[-4000:]}")


@contextmanager
def serving(home: Path, folder: Path, settings: Mapping[str, str] | None = None) -> Iterator[Served]:
    """A server over `home` in `folder`, which is made a clone; it and its children are gone afterwards."""
    served = start(home, clone(folder), settings)
    try:
        yield served
    finally:
        served.stop()


def client_of(address: str) -> SyncLangGraphClient:
    """A client of the server at an address."""
    return get_sync_client(url=address, api_key=None, timeout=60)
