"""The page's server on loopback, as `hybridrag web` runs it, for tests that ask it or drive a browser."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import uvicorn

from agent.assistant import Assistant
from agent.settings import Settings
from agent.web.app import Page
from agent.web.web_command import server_config

TOKEN, SECRET, COOKIE = "the-first-address", "the-cookies-value", "hybridrag-test"
BROWSER = next((found for name in ("chromium", "chromium-browser") if (found := shutil.which(name))), None)
BOOT_SECONDS = 60


@dataclass(frozen=True)
class Served:
    """A running server, and a client that it has let in."""

    page: Page
    address: str
    client: httpx2.Client

    @property
    def first_address(self) -> str:
        """What the command prints."""
        return f"{self.address}/?token={TOKEN}"

    def lines(self, path: str, **sent: Any) -> list[dict[str, Any]]:
        """JSON lines that a POST yields, to its end."""
        reply = self.client.post(path, json=sent)
        assert reply.status_code == 200, reply.text
        return [json.loads(line) for line in reply.text.splitlines()]

    def thread(self, question: str = "a thread") -> str:
        """A new one's id."""
        return str(self.client.post("/api/threads", json={"text": question}).json()["id"])

    def ask(self, thread: str, question: str, **filters: Any) -> list[dict[str, Any]]:
        """A turn's events."""
        return self.lines(f"/api/threads/{thread}/ask", question=question, **filters)


@contextmanager
def serving_page(
    home: Path,
    token: str = TOKEN,
    port: int = 0,
    reports: Path | None = None,
    settings: Settings | None = None,
) -> Iterator[Served]:
    """A server over `home`, or over what the settings say, and the reports in a folder; gone afterwards."""
    settings = settings or Settings(_env_file=None, home=home)
    with Assistant(settings) as assistant, socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", port))
        page = Page(assistant, token, COOKIE, SECRET, reports)
        server = uvicorn.Server(server_config(page, leaving_seconds=1))
        running = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        running.start()
        end = time.monotonic() + BOOT_SECONDS
        while not server.started and running.is_alive() and time.monotonic() < end:
            time.sleep(0.01)
        assert server.started
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        try:
            with httpx2.Client(base_url=address, timeout=120, cookies={COOKIE: SECRET}) as client:
                yield Served(page, address, client)
        finally:
            server.should_exit = True
            running.join()


class Command:
    """`hybridrag web`, as users start it."""

    def __init__(self, home: Path | None, port: int, *flags: str, **settings: str) -> None:
        """`home`: None where the settings, HYBRIDRAG_* names, say what is asked."""
        words = [sys.executable, "-m", "agent.cli.main", "web", "--port", str(port), *flags]
        words += [] if home is None else ["--home", str(home)]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HYBRIDRAG_")}
        self.process = subprocess.Popen(
            words, stdout=subprocess.PIPE, text=True, env={**kept, "HYBRIDRAG_ENGINE": "local", **settings}
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().removeprefix("Open ").strip()
        found = self.address.split(":")[2:]
        self.port = int(found[0].split("/")[0]) if found else port

    def end(self) -> None:
        """As Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=BOOT_SECONDS)

    def kill(self) -> None:
        """As kill -9 does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()
