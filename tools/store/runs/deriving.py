"""Deriving the generation anew from stored documents, where what the user decided or added has changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tools.store.disk.home import Home
from tools.store.disk.lock import WriterLock
from tools.store.disk.removal_note import drop_note, is_noted
from tools.store.disk.user_decisions import decisions_of
from tools.store.generation.generations import (
    begin_generation,
    build_knowledge,
    copy_vectors,
    finish_generation,
    is_current,
    sweep,
)
from tools.store.generation.vector_builder import build_vectors
from tools.store.runs.leftovers import delete_drafts
from tools.store.runs.removal import take_out_noted


def end_removal(home: Path) -> bool:
    """Do the rest of a removal that was killed; False where there is none. HomeLockedError, and the errors of
    `change_and_derive`."""
    place = Home(home)
    if not is_noted(place):
        return False
    with WriterLock.take(home):
        change_and_derive(place, lambda: None)
    return True


def change_and_derive(place: Home, change: Callable[[], None]) -> None:
    """Make a change to what a generation is derived from besides documents, and switch readers to one that has it; the
    vectors stay. The change is on the disk before the generation is touched: if this is killed, whatever next writes
    documents derives by it. The caller holds the writer's lock.

    What `change` raises; DecisionsError, OntologyDamagedError, HomeReadError, HomeWriteError, FormatVersionError,
    RecordDamagedError.
    """
    decisions_of(place)  # lines that are none are said before anything is written
    sweep(place)
    delete_drafts(place)
    manifest = take_out_noted(place)  # by a removal that was killed
    change()
    if not manifest.entries:
        place.set_current(None)
        sweep(place)
    elif not is_current(place, manifest):
        number = begin_generation(place, manifest)
        if not copy_vectors(place, number, manifest):
            sweep(place)
            number = begin_generation(place, manifest)
            build_vectors(place, number)
        build_knowledge(place, number, manifest)
        finish_generation(place, number, manifest)
        sweep(place)
    drop_note(place)
