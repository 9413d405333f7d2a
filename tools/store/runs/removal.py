"""Taking documents out, without a trace: the index is derived anew from what is left.

What is to go is noted (`removal.json`) before anything is touched, and the note goes last: a removal that was killed
is finished by the same command, or by whatever next writes documents.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tools.model.cache import Source, forget, journals
from tools.store.disk.home import (
    MANIFEST,
    REMOVAL,
    Entry,
    Home,
    Manifest,
    delete_tree,
    reading,
    replace_file,
    writing,
)
from tools.store.disk.lock import WriterLock
from tools.store.disk.records import StoredRecord
from tools.store.disk.removal_note import drop_note
from tools.store.disk.seal import GenerationSeal
from tools.store.disk.user_decisions import decisions_of
from tools.store.errors import IndexMissingError, RecordDamagedError, SelectorError, command
from tools.store.generation.generations import is_current, sweep
from tools.store.generation.vector_builder import build_generation
from tools.store.reading.report import RemovalReport
from tools.store.runs.leftovers import delete_drafts, pending

MIN_ID_DIGITS = 4
"""Digits of an id's beginning."""


Approve = Callable[[Sequence[Entry]], bool]


def remove(home: Path, selector: str, approve: Approve = lambda chosen: True) -> RemovalReport:
    """Take out the document of this id (or its beginning), path or file name, or all of a company (key,
    name).

    `approve` is asked before anything is touched, while others can't write; where it says no, nothing is removed.
    The result is that of never having indexed it. Records of runs that were killed are found, too, and so are
    documents of which no more than a model's replies are kept. Raises
    SelectorError if nothing, or more than one document by name, is meant; IndexMissingError, HomeLockedError,
    HomeWriteError, FormatVersionError, RecordDamagedError, DecisionsError.
    """
    started = time.monotonic()
    place = Home(home)
    if not home.is_dir():
        raise IndexMissingError(home)
    with WriterLock.take(home):
        decisions_of(place)  # lines that are none are said before anything is touched
        sweep(place)  # what a reader held that was killed
        begun = _begun_removal(place)
        known = _known(place, place.manifest(), begun)
        if not known:
            raise IndexMissingError(home)
        chosen = select(home, known, selector)
        if not approve(chosen):
            return RemovalReport((), place.current(), "", round(time.monotonic() - started, 3))
        note_removal(
            place, {entry.record or entry.document_id: entry for entry in (*begun, *chosen)}.values()
        )
        manifest = take_out_noted(place)
        if not is_current(place, manifest):
            build_generation(place, manifest)
        held = sweep(place)
        drop_note(place)
        number = place.current()
        digest = GenerationSeal.load(place.generation(number)).digest if number is not None else ""
    return RemovalReport(tuple(chosen), number, digest, round(time.monotonic() - started, 3), tuple(held))


def take_out_noted(home: Home) -> Manifest:
    """Take what a removal has noted out of all but the generations, and return the manifest that is left. The caller
    holds the writer's lock and derives a generation from it. HomeWriteError, HomeReadError, ManifestDamagedError,
    FormatVersionError."""
    begun = _begun_removal(home)
    doomed = {entry.document_id for entry in begun}
    manifest = home.manifest()
    if not doomed:
        return manifest
    left = tuple(entry for entry in manifest.entries if entry.document_id not in doomed)
    if left != manifest.entries:
        manifest = Manifest(manifest.embedder if left else "", left)
        home.set_manifest(manifest)
    delete_drafts(home)
    with writing(home.root):
        for folder in pending(home):
            if folder.split("-")[0] in doomed:
                delete_tree(home.documents / folder)
        for place in {Path(entry.source).parent for entry in begun}:
            if place.parent == home.uploads.resolve():
                delete_tree(place)
        forget(home.cache, doomed)
    return manifest


def note_removal(home: Home, entries: Iterable[Entry]) -> None:
    """Note what is to go, before any of it is touched. HomeWriteError."""
    with writing(home.root):
        replace_file(home.root / REMOVAL, Manifest("", tuple(entries)).dump(), private=True)


def _begun_removal(home: Home) -> tuple[Entry, ...]:
    """What a removal that was cut off was to take out. HomeReadError, ManifestDamagedError."""
    with reading(home.root):
        try:
            return Manifest.load(home.root, (home.root / REMOVAL).read_bytes(), REMOVAL).entries
        except FileNotFoundError:
            return ()


def _known(home: Home, manifest: Manifest, begun_removal: Iterable[Entry]) -> list[Entry]:
    """Documents of the manifest, of a removal that was killed, of the generation in use, and of killed runs."""
    found = {entry.record: entry for entry in (*begun_removal, *manifest.entries) if entry.record}
    number = home.current()
    if number is not None:
        path = home.generation(number) / MANIFEST
        with reading(home.root):
            data = path.read_bytes() if path.is_file() else Manifest("").dump()
        for entry in Manifest.load(home.root, data).entries:
            found.setdefault(entry.record, entry)
    for folder in pending(home):
        if folder not in found:
            try:
                found[folder] = StoredRecord(home.root, folder).entry()
            except RecordDamagedError:
                continue
    ids = {entry.document_id for entry in found.values()}
    with reading(home.root):
        begun = [source for source in journals(home.cache) if source.document_id not in ids]
    ids |= {source.document_id for source in begun}
    cut_off = [entry for entry in begun_removal if not entry.record and entry.document_id not in ids]
    return [found[record] for record in sorted(found)] + [_begun(source) for source in begun] + cut_off


def _begun(source: Source) -> Entry:
    """A document of which only replies of a model are kept: its run was stopped before it was finished."""
    return Entry(
        document_id=source.document_id,
        record="",
        record_sha256="",
        source=source.source,
        path=source.path,
        name=source.name,
        company_key="",
        company="",
        doc_type="other",
        pages=0,
        chunks=0,
        triplets=0,
    )


def select(home: Path, known: Sequence[Entry], selector: str) -> list[Entry]:
    """The documents meant: by id, else path, else file name, else company. SelectorError."""
    text = selector.strip()
    folded = text.casefold()
    posix = text.replace("\\", "/")
    absolute = str(Path(text).resolve()) if text else ""
    tests: list[tuple[bool, Callable[[Entry], bool]]] = [
        (False, lambda entry: len(text) >= MIN_ID_DIGITS and entry.document_id.startswith(folded)),
        (False, lambda entry: posix == entry.path or absolute in (entry.source, *entry.same_as)),
        (False, lambda entry: folded == entry.name.casefold()),
        (True, lambda entry: folded in {entry.company_key.casefold(), entry.company.casefold()}),
    ]
    for several, test in tests:
        found = [entry for entry in known if text and test(entry)]
        if len({entry.source for entry in found}) > 1 and not several:
            listed = "; ".join(f"{entry.document_id[:8]} {entry.path}" for entry in found)
            raise SelectorError(f"'{selector}' means several documents: {listed}. Give an id or a path.")
        if found:
            files = {
                entry.source for entry in found
            }  # of a file that changed a killed run may have left two contents
            found += [entry for entry in known if entry.source and entry.source in files]
            return list({entry.document_id: entry for entry in found}.values())
    where = command(home, "documents")
    raise SelectorError(
        f"Nothing indexed has the id, path, file name or company '{selector}'. What there is: {where}"
    )
