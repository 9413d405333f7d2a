"""Where the chat threads of an assistant are kept."""

from __future__ import annotations

from agent.settings import Settings
from agent.threads.folder_threads import FolderThreads
from agent.threads.thread_store import ThreadStore


def threads_of(settings: Settings) -> ThreadStore:
    """Those of the database that is asked, unless the settings keep them in the home."""
    address = settings.threads_address
    if address is None:
        return FolderThreads(settings.home)
    from agent.threads.database_threads import DatabaseThreads

    return DatabaseThreads(address)
