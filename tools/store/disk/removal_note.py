"""The note of a removal that was begun: see `tools.store.runs.removal`, which writes and reads it."""

from __future__ import annotations

from tools.store.disk.home import REMOVAL, Home, sync_folder, writing


def is_noted(home: Home) -> bool:
    """Whether a removal was begun and not ended."""
    return (home.root / REMOVAL).exists()


def drop_note(home: Home) -> None:
    """The removal that was noted is done, or a run is on its way that will end it. HomeWriteError."""
    with writing(home.root):
        if is_noted(home):
            (home.root / REMOVAL).unlink()
            sync_folder(home.root)
