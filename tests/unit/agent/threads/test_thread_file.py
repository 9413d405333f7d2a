"""The file of a home's threads, also one that an earlier version made."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from agent.threads.folder_threads import FolderThreads
from agent.threads.thread_file import FILE, FORMAT


def test_a_file_without_what_is_pinned_gets_it_and_keeps_its_threads(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE)) as old:
        old.executescript(
            "CREATE TABLE threads (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, created TEXT NOT NULL, "
            "used TEXT NOT NULL, begun TEXT);"
            "INSERT INTO threads VALUES ('1', 'old', '2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00+00:00', NULL);"
            f"PRAGMA user_version = {FORMAT};"
        )
    for _ in range(2):  # the second finds it
        with closing(FolderThreads(tmp_path)) as store:
            (thread,) = store.threads()
            store.pin(thread.id, {"company": "ORLA"})
            assert thread.name == "old" and store.pinned(thread.id) == {"company": "ORLA"}
