"""The LangGraph server on loopback, as `make studio` starts it, for tests that ask it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from evals.attacks.serving import serving

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
    """A server over `home` that runs in `folder`; it and its children are gone afterwards."""
    with (
        serving(home, folder, settings) as served,
        get_sync_client(url=served.address, api_key=None) as client,
    ):
        yield Studio(client, served.address, served.log)
