"""The development server keeps its own state in pickles, which run code when they are read. Here none is read or
written: what must last is kept in SQLite (`server_store`)."""

from __future__ import annotations

from pathlib import Path

from langgraph.checkpoint.memory import PersistentDict

FOLDER = Path(".langgraph_api")
"""Where the server looks for them, seen from where it was started."""
READ_AT_IMPORT = ("store.pckl", "store.vectors.pckl")
"""Those that it reads before it reads `langgraph.json`'s `http.app`."""


class PicklesReadError(RuntimeError):
    """The server was started in a way that reads pickles, where some lie."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"'{path}' was executed when 'langgraph dev' started: such a file runs whatever somebody put into it. "
            "Delete it, and start the server with 'make studio' or 'python -m agent.server.start', which read none."
        )


def refuse_pickles() -> None:
    """From now on the server reads and writes no pickle. Raises PicklesReadError where it has read one already."""
    if PersistentDict.load is not _nothing:
        executed = [FOLDER / name for name in READ_AT_IMPORT if (FOLDER / name).exists()]
        if executed and _imported():
            raise PicklesReadError(executed[0])
        for method in ("load", "sync"):
            setattr(PersistentDict, method, _nothing)


def _nothing(_: PersistentDict) -> None:
    """In the place of reading or writing a file."""


def _imported() -> bool:
    import sys

    return "langgraph_runtime_inmem.store" in sys.modules
