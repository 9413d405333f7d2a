"""From a database back into a home folder: records are written as they were, and everything else is derived again."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.knowledge.graph.decisions import FILE as DECISIONS
from tools.private_files import FOLDER_MODE, make_folder
from tools.store.disk.home import (
    MANIFEST,
    Entry,
    Home,
    Manifest,
    delete_tree,
    reading,
    replace_file,
    sync_folder,
    write_file,
    writing,
)
from tools.store.disk.lock import WriterLock
from tools.store.disk.ontologies import ontologies_of, sweep_ontologies
from tools.store.disk.records import DRAFT, StoredRecord
from tools.store.disk.removal_note import drop_note
from tools.store.disk.seal import SEAL, GenerationSeal
from tools.store.errors import RecordDamagedError, UserStoreError
from tools.store.generation.generations import is_current, sweep
from tools.store.generation.opening import sealed
from tools.store.generation.vector_builder import build_generation
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.database import Database
from tools.store.postgres.errors import NothingPublishedError
from tools.store.postgres.published import DERIVED, current_of, files_below
from tools.store.postgres.schema import check_version

if TYPE_CHECKING:
    import psycopg

MAX_NAMED = 5
"""Losses that a refusal names."""


class WouldLoseError(UserStoreError):
    """The folder holds documents, decisions or ontologies that the database does not."""

    def __init__(self, home: Path, address: StoreAddress, names: list[str]) -> None:
        more = f" and {len(names) - MAX_NAMED:,} more" if len(names) > MAX_NAMED else ""
        super().__init__(
            f"'{home}' holds what {address} does not: {', '.join(names[:MAX_NAMED])}{more}. Nothing was "
            "changed. To take them out of the folder, add --prune; to keep them, copy into another folder."
        )


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What the folder holds now."""

    digest: str
    published: str
    """The digest of the database's generation; another one where another version of the program derived it."""
    records: int
    """Documents that were written."""


def take_back(
    address: StoreAddress,
    home: Path,
    *,
    prune: bool = False,
    on_step: Callable[[str], None] = lambda step: None,
) -> TakenBack:
    """Make a folder, new or not, hold what a database holds. `prune`: documents, decisions and ontologies that only the
    folder has are taken out.

    WouldLoseError, HomeLockedError, HomeWriteError, NothingPublishedError, SchemaVersionError, DatabaseError,
    DriverMissingError. Until all records are there, the folder's index stays as it was.
    """
    database = Database(address)
    try:
        with database.reading() as connection:  # a wrong address makes no folder
            _generation_of(connection, address)
        with WriterLock.take(home):
            place = Home(home)
            with database.reading() as connection:
                manifest, published, records = _write_records(connection, address, place, prune, on_step)
            drop_note(place)  # of a removal that was killed: what it was to take out is there again
            return TakenBack(derived(place, manifest, on_step), published, records)
    finally:
        database.close()


def _generation_of(connection: psycopg.Connection[Any], address: StoreAddress) -> int:
    key = current_of(connection)[0] if check_version(connection, address) else None
    if key is None:
        raise NothingPublishedError(address)
    return key.number


def _write_records(
    connection: psycopg.Connection[Any],
    address: StoreAddress,
    home: Home,
    prune: bool,
    on_step: Callable[[str], None],
) -> tuple[Manifest, str, int]:
    """Write what the folder lacks; the manifest, the digest of the generation, and how many records were written."""
    generation = _generation_of(connection, address)
    derived = {
        name: dict(files_below(connection, generation, f"{DERIVED}/{name}"))[f"{DERIVED}/{name}"]
        for name in (MANIFEST, SEAL)
    }
    manifest = Manifest.load(home.root, derived[MANIFEST])
    lost = [] if prune else _lost(connection, generation, home, manifest)
    if lost:
        raise WouldLoseError(home.root, address, lost)
    records = [entry for entry in manifest.entries if not _is_whole(home, entry)]
    for number, entry in enumerate(records, start=1):
        on_step(f"document {number:,} of {len(records):,}: {entry.name}")
        files = files_below(connection, generation, f"documents/{entry.record}")
        write_copy(home, entry.record, files, entry.name, entry.record_sha256)
    write_decided(connection, generation, home)
    return manifest, GenerationSeal.read(derived[SEAL]).digest, len(records)


def _lost(connection: psycopg.Connection[Any], generation: int, home: Home, manifest: Manifest) -> list[str]:
    """What only the folder holds, in words: documents, decisions and ontologies."""
    ids = {entry.document_id for entry in manifest.entries}
    paths = {entry.path for entry in manifest.entries}
    own = [entry for entry in home.manifest().entries if entry.document_id not in ids]
    documents = [f"{entry.name}{' in another version' * (entry.path in paths)}" for entry in own]
    with reading(home.root):
        file = home.root / DECISIONS
        decided = _decided(file.read_bytes() if file.is_file() else b"")
    known = {line for _, data in files_below(connection, generation, DECISIONS) for line in _decided(data)}
    decisions = [f"the decision '{line}'" for line in decided if line not in known]
    there = {Path(path).stem for path, _ in files_below(connection, generation, "ontologies")}
    ontologies = [f"the ontology '{each.name}'" for each in ontologies_of(home) if each.digest not in there]
    return [*documents, *decisions, *ontologies]


def _decided(data: bytes) -> list[str]:
    """The lines of a file of decisions that are not comments, whether or not they can be read."""
    lines = (line.strip().lstrip("\ufeff") for line in data.decode(errors="replace").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def derived(home: Home, manifest: Manifest, on_step: Callable[[str], None], *, searched: bool = True) -> str:
    """The digest of what is derived from the records, anew where it has to be. `searched`: see
    `generations.write_vectors`."""
    home.set_manifest(manifest)
    if is_current(home, manifest, searched=searched):
        seal = sealed(home.root, home.current() or 0)
    else:
        on_step("deriving the index")
        made = build_generation(home, manifest, searched=searched)
        assert made is not None
        seal = made
        sweep(home)
    delete_others(home, manifest)  # also where a kill came between the two before
    return seal.digest


def _is_whole(home: Home, entry: Entry) -> bool:
    try:
        StoredRecord(home.root, entry.record, entry.name).check(entry.record_sha256)
    except RecordDamagedError:
        return False
    return True


def write_copy(
    home: Home, record: str, files: list[tuple[str, bytes]], name: str = "", sha256: str = ""
) -> None:
    """Write a record under another name, then give it its own: it is there whole or not at all. RecordDamagedError
    where it is not what was published: `name` is the document's, `sha256` that of the record's seal."""
    if not files:
        raise RecordDamagedError(home.root, record, name or record, "the database has no file of it")
    draft = home.documents / f"{DRAFT}{record}"
    with writing(home.root):
        delete_tree(draft)
        make_folder(home.documents)
        draft.mkdir(FOLDER_MODE)
        for path, data in files:
            write_file(draft / Path(path).name, data)
        sync_folder(draft)
        delete_tree(home.documents / record)  # there only if it was found damaged
        draft.rename(home.documents / record)
        sync_folder(home.documents)
    StoredRecord(home.root, record, name).check(sha256)


def write_decided(connection: psycopg.Connection[Any], generation: int, home: Home) -> None:
    """What the user decided about names, and the ontologies, as they were when it was published."""
    decided = files_below(connection, generation, DECISIONS)
    ontologies = files_below(connection, generation, "ontologies")
    with writing(home.root):
        for path, data in (*decided, *ontologies):
            target = home.root / path
            if not target.is_file() or target.read_bytes() != data:
                make_folder(target.parent)
                replace_file(target, data, private=True)
        if not decided:
            (home.root / DECISIONS).unlink(missing_ok=True)
        there = {path for path, _ in ontologies}
        for record in home.ontologies.glob("*.json"):
            if record.relative_to(home.root).as_posix() not in there:
                record.unlink()
    sweep_ontologies(home)


def delete_others(home: Home, manifest: Manifest) -> None:
    """Records that the manifest does not name."""
    named = {entry.record for entry in manifest.entries}
    with writing(home.root):
        for path in home.documents.iterdir():
            if path.name in named:
                continue
            if path.is_symlink() or not path.is_dir():
                path.unlink()  # .DS_Store, say
            elif path.name.startswith("."):
                shutil.rmtree(path)
            else:
                delete_tree(path)
