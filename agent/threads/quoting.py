"""Which chat threads quote a document."""

from __future__ import annotations

from contextlib import closing
from typing import NamedTuple

from agent.settings import Settings
from agent.threads.thread_places import threads_of
from agent.threads.thread_records import ThreadDamagedError, ThreadsUnusableError
from agent.threads.thread_store import ThreadStore


class Quoting(NamedTuple):
    """A thread that quotes a document, or may."""

    id: str
    """'' of a place in which no thread can be read."""
    name: str


def threads_that_quote(settings: Settings, documents: set[str]) -> list[Quoting]:
    """The threads in which one of these documents (by name or path) is cited or was found, and those that can't be
    read: they may. The file or the database where none can."""
    with closing(threads_of(settings)) as store:
        try:
            return [
                Quoting(thread.id, thread.name)
                for thread in store.threads()
                if _quotes(store, thread.id, documents)
            ]
        except ThreadsUnusableError:  # what is in there, nobody can say
            return [Quoting("", store.place)]


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
