"""Which chat threads quote a document."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from agent.threads.thread_file import FILE
from agent.threads.thread_records import ThreadDamagedError, ThreadsUnusableError
from agent.threads.thread_store import ThreadStore


def threads_that_quote(home: Path, documents: set[str]) -> list[str]:
    """Names of the threads in which one of these documents (by name or path) is cited or was found, and of those that
    can't be read: they may. The file's name where none can."""
    with closing(ThreadStore(home)) as store:
        try:
            return [thread.name for thread in store.threads() if _quotes(store, thread.id, documents)]
        except ThreadsUnusableError:  # what is in there, nobody can say
            return [FILE]


def _quotes(store: ThreadStore, thread_id: str, documents: set[str]) -> bool:
    try:
        answers = [turn.answer for turn in store.turns(thread_id)]
    except ThreadDamagedError:  # it may
        return True
    shown = [
        {item.document for item in each.evidence} | {item.document for item in each.citations}
        for each in answers
    ]
    return any(documents & each for each in shown)
