"""Chat threads are the user's own notes: a removal names those that quote what goes, and leaves them."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from agent.assistant import Assistant
from agent.settings import Settings
from agent.threads import server_file
from agent.threads.sessions import Sessions
from agent.threads.thread_file import FILE


@pytest.fixture
def home(untouched_home: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(untouched_home, tmp_path / "home"))


@pytest.fixture
def document(home: Path) -> str:
    """A document that the thread 'quotes' quotes; 'other' quotes none."""
    with Assistant.open(home) as assistant, Sessions(assistant) as sessions:
        *_, last = sessions.open("quotes").ask("What was Calderith's total net revenue in Q2 2024?")
        list(sessions.open("other").ask("Hello, what can you do?"))
    return str(last.citations[0].document)  # type: ignore[union-attr]


def removed(home: Path, document: str, hybridrag: Any) -> str:
    ran = hybridrag("remove", document, "--home", home)
    assert ran.code == 0
    return str(ran.err)


def test_a_thread_that_quotes_a_removed_document_is_named(home: Path, document: str, hybridrag: Any) -> None:
    said = removed(home, document, hybridrag)
    assert "'quotes'" in said and "'other'" not in said


def test_a_damaged_thread_may_quote_it_and_undoes_no_removal(
    home: Path, document: str, hybridrag: Any
) -> None:
    with sqlite3.connect(home / FILE) as threads:
        threads.execute("UPDATE turns SET answer = '{'")
    said = removed(home, document, hybridrag)
    assert "'quotes'" in said and "'other'" in said


def test_threads_that_cannot_be_read_at_all_are_named_by_their_file(
    home: Path, document: str, hybridrag: Any
) -> None:
    for path in home.glob(f"{FILE}*"):
        path.unlink()
    (home / FILE).write_bytes(b"no database at all" * 100)
    assert FILE in removed(home, document, hybridrag)


def test_threads_of_the_server_that_quote_it_are_named(home: Path, document: str, hybridrag: Any) -> None:
    with sqlite3.connect(home / server_file.FILE) as server:
        server.execute("CREATE TABLE checkpoints (thread_id, checkpoint)")
        rows = [("quoting", f"... {document} ..."), ("another", "...")]
        server.executemany(
            "INSERT INTO checkpoints VALUES (?, ?)", [(thread, held.encode()) for thread, held in rows]
        )
    said = removed(home, document, hybridrag)
    assert "Threads of the server" in said and "quoting" in said and "another" not in said


def test_a_damaged_file_of_the_server_is_named_and_undoes_no_removal(
    home: Path, document: str, hybridrag: Any
) -> None:
    (home / server_file.FILE).write_bytes(b"no database at all" * 100)
    assert server_file.FILE in removed(home, document, hybridrag)


def test_a_program_that_has_the_index_open_is_told_of(home: Path, document: str, hybridrag: Any) -> None:
    with Assistant(Settings(_env_file=None, home=home)) as other:
        other.current()
        assert "A program still has the index open" in removed(home, document, hybridrag)
