"""The folder itself: what lies where, and writes that a kill cannot cut in half.

lock              one writer at a time; names it
manifest.json     format, embedding model, documents: what the index is to hold
documents/<id>/   one record a document (see `records`)
generations/<n>/  derived from the records of one manifest (see `generation`)
CURRENT           number of the generation in use
ontologies/       concepts that documents are annotated with (see `ontologies`)
histories/        imported histories, and what was learned from them (see `history_files`)
identities.txt    what the user has decided about names (see `tools.knowledge.graph.decisions`)
removal.json      documents that are being removed (see `runs.removal`)
cache/            replies of models, one journal a document (see `tools.model.cache`)
uploads/<id>/     a file that was sent to the page, where no folder of the user's holds it
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from tools.private_files import open_private
from tools.store.errors import FormatVersionError, HomeReadError, HomeWriteError, ManifestDamagedError

FORMAT = 1
"""Of everything in a home; a change makes older homes unreadable."""
MANIFEST = "manifest.json"
CURRENT = "CURRENT"
REMOVAL = "removal.json"
"""What is being removed, as a manifest; there only while it lasts."""
MANIFEST_FORMAT = 2
"""Of the manifest alone. 1 knew no `Entry.flags`: they are taken from the record."""
READ_FORMATS = (1, MANIFEST_FORMAT)


@dataclass(frozen=True, slots=True)
class Entry:
    """One document of the index."""

    document_id: str
    record: str
    """Its folder below `documents/`."""
    record_sha256: str
    """Of `record.json` there, which holds the hashes of the other files."""
    source: str
    """Absolute path of the file it was read from."""
    path: str
    """As `Document.path`."""
    name: str
    company_key: str
    company: str
    doc_type: str
    pages: int
    chunks: int
    triplets: int
    same_as: tuple[str, ...] = ()
    """Absolute paths of other files with the same bytes."""
    flags: str = ""
    """What the user said about it, as `RecordKey.overrides`; '' for nothing."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the index is to hold; generations are derived from it."""

    embedder: str
    """Id of the embedding model; '' before the first document."""
    entries: tuple[Entry, ...] = ()
    """By document id."""

    def dump(self) -> bytes:
        """JSON with the SHA-256 of its body; the same manifest gives the same bytes."""
        body = orjson.dumps([asdict(entry) for entry in self.entries])
        return orjson.dumps(
            {
                "format": MANIFEST_FORMAT,
                "embedder": self.embedder,
                "sha256": _seal(self.embedder, body),
                "documents": orjson.Fragment(body),
            }
        )

    @classmethod
    def load(cls, home: Path, data: bytes, name: str = MANIFEST) -> Manifest:
        """The inverse of `dump`; FormatVersionError, or ManifestDamagedError."""
        try:
            stored = orjson.loads(data)
            if stored["format"] not in READ_FORMATS:
                raise FormatVersionError(home, stored["format"], MANIFEST_FORMAT)
            if _seal(stored["embedder"], orjson.dumps(stored["documents"])) != stored["sha256"]:
                raise ManifestDamagedError(home, name, "its checksum does not fit")
            return cls(stored["embedder"], tuple(_entry(home, item) for item in stored["documents"]))
        except (ValueError, KeyError, TypeError) as error:
            raise ManifestDamagedError(home, name, str(error)) from error


def _seal(embedder: str, body: bytes) -> str:
    return hashlib.sha256(embedder.encode() + b"\n" + body).hexdigest()


def _entry(home: Path, item: dict[str, Any]) -> Entry:
    flags = item["flags"] if "flags" in item else _flags_of_record(home, item["record"])
    return Entry(**{**item, "same_as": tuple(item["same_as"]), "flags": flags})


def _flags_of_record(home: Path, record: str) -> str:
    """What the user said about a document of a manifest that did not keep it; '' where its record is damaged: it will
    be read again."""
    try:
        said = orjson.loads((home / "documents" / record / "record.json").read_bytes())["key"]["overrides"]
        return str(said) if any(value is not None for value in orjson.loads(said).values()) else ""
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ""


@dataclass(frozen=True, slots=True)
class Home:
    """Paths below a home folder, and its two small files."""

    root: Path

    @property
    def documents(self) -> Path:
        return self.root / "documents"

    @property
    def generations(self) -> Path:
        return self.root / "generations"

    @property
    def cache(self) -> Path:
        return self.root / "cache"

    @property
    def uploads(self) -> Path:
        return self.root / "uploads"

    @property
    def ontologies(self) -> Path:
        return self.root / "ontologies"

    @property
    def histories(self) -> Path:
        return self.root / "histories"

    def generation(self, number: int) -> Path:
        return self.generations / str(number)

    def current(self) -> int | None:
        """Number of the generation in use, None if there is none. HomeReadError."""
        number = self._pointer()
        return number if number > 0 else None

    def _pointer(self) -> int:
        """`CURRENT`: a generation; negative: the last one, nothing being indexed now; 0 before the first."""
        with reading(self.root):
            try:
                return int((self.root / CURRENT).read_bytes())
            except (FileNotFoundError, NotADirectoryError):
                return 0
            except ValueError:
                return max(self.numbers(), default=0)  # replaced only as a whole, so the disk damaged it

    def set_current(self, number: int | None) -> None:
        """Switch readers to this generation; None: nothing is indexed any more. HomeWriteError."""
        with writing(self.root):
            value = number if number is not None else -abs(self._pointer())
            replace_file(self.root / CURRENT, f"{value}\n".encode(), private=True)

    def next_number(self) -> int:
        """A number that no generation of this home ever had."""
        return max(abs(self._pointer()), *self.numbers(), 0) + 1

    def numbers(self) -> list[int]:
        """Generations on disk, whole or not, ascending."""
        if not self.generations.is_dir():
            return []
        return sorted(int(path.name) for path in self.generations.iterdir() if path.name.isdigit())

    def manifest(self) -> Manifest:
        """What the index is to hold; if the file is damaged, what the generation in use was made from.

        An empty one before the first run. FormatVersionError, ManifestDamagedError, HomeReadError.
        """
        with reading(self.root):
            try:
                return Manifest.load(self.root, (self.root / MANIFEST).read_bytes())
            except (FileNotFoundError, NotADirectoryError, ManifestDamagedError) as error:
                copy = self.manifest_in_use()
                if copy is not None:
                    return copy
                if isinstance(error, ManifestDamagedError):
                    raise
                return Manifest("")

    def manifest_in_use(self) -> Manifest | None:
        """What the generation in use was made from; None if there is none. As `manifest`."""
        number = self.current()
        path = self.generation(number) / MANIFEST if number is not None else None
        return Manifest.load(self.root, path.read_bytes()) if path is not None and path.is_file() else None

    def set_manifest(self, manifest: Manifest) -> None:
        with writing(self.root):
            replace_file(self.root / MANIFEST, manifest.dump(), private=True)


@contextmanager
def writing(home: Path) -> Iterator[None]:
    """What the operating system refuses becomes a HomeWriteError."""
    try:
        yield
    except OSError as error:
        raise HomeWriteError(home, error.strerror or str(error)) from error


@contextmanager
def reading(home: Path) -> Iterator[None]:
    """What the operating system refuses becomes a HomeReadError."""
    try:
        yield
    except OSError as error:
        raise HomeReadError(home, error.strerror or str(error)) from error


def write_file(path: Path, data: bytes) -> None:
    """Write a new file, its owner's alone, and see it to the disk."""
    _write(open_private(path, "xb"), data)


def _write(new: BinaryIO, data: bytes) -> None:
    with new as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def replace_file(path: Path, data: bytes, *, private: bool = False) -> None:
    """Replace a file as a whole: readers, and a kill at any moment, leave the old bytes or the new ones.

    `private`: for its owner alone; else for whom the umask admits.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.unlink(missing_ok=True)
        _write(open_private(draft, "xb") if private else draft.open("xb"), data)
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """See a folder's names to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """See all files and folders below `folder` to the disk, then `folder` itself."""
    for path in folder.rglob("*"):
        sync_folder(path)  # fsync does the same for a file opened to read
    sync_folder(folder)


def delete_tree(folder: Path) -> None:
    """Delete a folder; first renamed, so that no half of it keeps its name. Harmless if it is missing."""
    doomed = folder.with_name(f".doomed-{folder.name}")
    if doomed.exists():
        shutil.rmtree(doomed)
    try:
        folder.rename(doomed)
    except FileNotFoundError:
        return
    shutil.rmtree(doomed)
