"""The imported histories of a home: who did what when, users by a salted hash alone.

histories/salt                     random, made once: without it nobody is recognised again
histories/lock                     one writer at a time
histories/events.json              the record, sealed; names the folder. It is replaced as a whole: a kill leaves the
                                   old events or the new ones
histories/events-<of contents>/    users.json items.json starts.npy ids.npy times.npy
histories/learned.json             what was learned from them, and how it was measured (see `learned_files`)
histories/learned-<of contents>/   its weights
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import orjson

from tools.private_files import FOLDER_MODE, make_folder, open_private
from tools.recommend.gathering import NO_HISTORIES
from tools.recommend.types import Histories
from tools.store.disk.home import Home, delete_tree, reading, replace_file, sync_folder, write_file, writing
from tools.store.disk.lock import FileLock
from tools.store.disk.seal import damage, hash_files
from tools.store.errors import HistoriesBusyError, HistoriesDamagedError

FORMAT = 2
SALT, LOCK, RECORD, LEARNED = "salt", "lock", "events.json", "learned.json"
USER_BYTES = 16
DRAFT = "draft"
"""Folder in which new events are written before they have a name."""
_NAMES, _ARRAYS = ("users", "items"), ("starts", "ids", "times")


@dataclass(frozen=True, slots=True)
class StoredEvents:
    """What is told of a home's events without reading them."""

    folder: str = ""
    """'' where nothing was imported."""
    users: int = 0
    items: int = 0
    events: int = 0
    first: float | None = None
    last: float | None = None
    """Unix seconds; None without events."""
    salt: str = ""
    """SHA-256 of the salt that its users were hashed with."""
    sha256: tuple[tuple[str, str], ...] = ()
    """Of its files."""
    format: int = FORMAT

    @property
    def training(self) -> str:
        """What the name of a folder begins with in which something is learned from these events."""
        return f"training-{self.folder.removeprefix('events-')}-"


@contextmanager
def held(home: Home) -> Iterator[None]:
    """The right to write the home's histories; not waited for, and what a kill left is gone. HistoriesBusyError,
    HomeWriteError. Unlike the home's own lock it names nobody: a command may hold a user's name."""
    with writing(home.root):
        make_folder(home.root)
        make_folder(home.histories)
        lock = FileLock.try_take(home.histories / LOCK, shared=False)
    if lock is None:
        raise HistoriesBusyError(home.root)
    try:
        sweep(home)
        yield
    finally:
        lock.release()


def stored_events(home: Home) -> StoredEvents:
    """What the record tells. HistoriesDamagedError, also where the salt is not the one that its users were hashed with;
    HomeReadError."""
    try:
        fields = sealed_record(home, RECORD)
        if fields is None:
            return StoredEvents()
        pairs = tuple((str(name), str(digest)) for name, digest in fields["sha256"])
        stored = StoredEvents(**{**fields, "sha256": pairs})
    except (ValueError, KeyError, TypeError) as error:
        raise HistoriesDamagedError(home.root, f"{RECORD}: {error}") from error
    if hashlib.sha256(salt_of(home)).hexdigest() != stored.salt:
        raise HistoriesDamagedError(home.root, f"{SALT} is missing or has changed: no user can be recognised")
    return stored


def events_of(home: Home) -> tuple[StoredEvents, Histories]:
    """What the record tells, and the events; those of the new record where a writer replaces it meanwhile.
    HistoriesDamagedError, HomeReadError."""
    stored = stored_events(home)
    while True:
        try:
            return stored, _loaded(home, stored)
        except HistoriesDamagedError:
            before, stored = stored, stored_events(home)
            if stored == before:
                raise


def _loaded(home: Home, stored: StoredEvents) -> Histories:
    if not stored.folder:
        return NO_HISTORIES
    folder = home.histories / stored.folder
    try:
        if why := damage(folder, dict(stored.sha256)):
            raise ValueError(why)
        users, items = (tuple(orjson.loads((folder / f"{name}.json").read_bytes())) for name in _NAMES)
        starts, ids, times = (np.load(folder / f"{name}.npy", allow_pickle=False) for name in _ARRAYS)
        return Histories(users, items, starts, ids, times)
    except (OSError, ValueError) as error:
        raise HistoriesDamagedError(home.root, str(error)) from error


def store_events(home: Home, histories: Histories, salt: bytes) -> StoredEvents:
    """Replace the home's events; `salt`: what their users were hashed with. The caller holds the histories.
    HomeWriteError."""
    draft = home.histories / DRAFT
    with writing(home.root):
        if salt_of(home) != salt:
            replace_file(home.histories / SALT, salt, private=True)
        delete_tree(draft)
        draft.mkdir(FOLDER_MODE)
        for name in _NAMES:
            write_file(draft / f"{name}.json", orjson.dumps(getattr(histories, name)))
        for name in _ARRAYS:
            with open_private(draft / f"{name}.npy", "xb") as file:
                np.save(file, getattr(histories, name), allow_pickle=False)
                file.flush()
                os.fsync(file.fileno())
        sha256 = tuple(hash_files(draft).items())
        record = StoredEvents(
            folder=f"events-{hashlib.sha256(orjson.dumps(sha256)).hexdigest()[:16]}",
            users=len(histories.users),
            items=len(histories.items),
            events=len(histories.ids),
            first=float(histories.times.min()) if len(histories.times) else None,
            last=float(histories.times.max()) if len(histories.times) else None,
            salt=hashlib.sha256(salt).hexdigest(),
            sha256=sha256,
        )
        folder = home.histories / record.folder
        delete_tree(folder)  # of the same contents, or what was damaged of them
        sync_folder(draft)
        draft.rename(folder)
        sync_folder(home.histories)
    seal_record(home, RECORD, asdict(record))
    sweep(home)
    return record


def hashed(salt: bytes, user: str) -> str:
    """What is kept of a user's name."""
    return hmac.digest(salt, user.encode(), "sha256")[:USER_BYTES].hex()


def salt_of(home: Home) -> bytes:
    """b'' before the first import. HomeReadError."""
    with reading(home.root):
        try:
            return (home.histories / SALT).read_bytes()
        except FileNotFoundError:
            return b""


def sealed_record(home: Home, name: str) -> dict[str, Any] | None:
    """The fields of a record; None where there is none. ValueError where it is not what was written, or of another
    format; HomeReadError."""
    with reading(home.root):
        try:
            seal, _, body = (home.histories / name).read_bytes().partition(b"\n")
        except FileNotFoundError:
            return None
    body = body.removesuffix(b"\n")
    if hashlib.sha256(body).hexdigest().encode() != seal:
        raise ValueError("its record has changed")
    fields: dict[str, Any] = orjson.loads(body)
    if fields.get("format") != FORMAT:
        raise ValueError(f"it is of format {fields.get('format')!r}, and this program's is {FORMAT}")
    return fields


def seal_record(home: Home, name: str, fields: dict[str, Any]) -> None:
    """Replace a record as a whole. HomeWriteError."""
    body = orjson.dumps(fields)
    with writing(home.root):
        sealed = hashlib.sha256(body).hexdigest().encode() + b"\n" + body + b"\n"
        replace_file(home.histories / name, sealed, private=True)


def sweep(home: Home) -> None:
    """Delete what no record names: what was replaced or forgotten, and what a kill left. Damaged events keep all there
    is. The caller holds the histories. HomeWriteError, HomeReadError."""
    try:
        stored = stored_events(home)
    except HistoriesDamagedError:
        return
    try:
        learned = sealed_record(home, LEARNED) or {}
    except ValueError:
        learned = {}
    kept = {SALT, LOCK, RECORD, LEARNED, stored.folder, str(learned.get("folder", ""))}
    with writing(home.root):
        for path in home.histories.glob("*"):
            if path.name in kept or path.name.startswith(stored.training):
                continue
            if path.is_dir() and not path.is_symlink():
                delete_tree(path)
            else:
                path.unlink()
