"""A decision of the user on names: written to the home, then the graph is derived anew with it. The vectors stay."""

from __future__ import annotations

from pathlib import Path

from tools.knowledge.graph.decisions import Decision
from tools.store.disk.home import Home
from tools.store.disk.lock import WriterLock
from tools.store.disk.user_decisions import add_decision, decisions_of
from tools.store.errors import IndexMissingError
from tools.store.generation.generations import (
    begin_generation,
    build_knowledge,
    copy_vectors,
    finish_generation,
    is_current,
    sweep,
)
from tools.store.generation.vector_builder import build_vectors
from tools.store.runs.removal import drop_note, take_out_noted


def decide(home: Path, decision: Decision) -> None:
    """Write a decision and put it to use. The decision is on the disk before the graph is touched: if this is killed,
    whatever next writes documents derives by it.

    IndexMissingError, DecisionsError, HomeLockedError, HomeReadError, HomeWriteError, FormatVersionError,
    RecordDamagedError.
    """
    place = Home(home)
    if not home.is_dir() or not place.manifest().entries:
        raise IndexMissingError(home)
    with WriterLock.take(home):
        decisions_of(place)
        sweep(place)
        manifest = take_out_noted(place)  # by a removal that was killed
        add_decision(place, decision)
        if not is_current(place, manifest) and manifest.entries:
            number = begin_generation(place, manifest)
            if not copy_vectors(place, number, manifest):
                sweep(place)
                number = begin_generation(place, manifest)
                build_vectors(place, number)
            build_knowledge(place, number, manifest)
            finish_generation(place, number, manifest)
            sweep(place)
        drop_note(place)
