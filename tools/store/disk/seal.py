"""`digest.json`: what a generation holds, and hashes that show whether it still does."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

import orjson

from tools.store.disk.home import FORMAT
from tools.vector.chroma import DATABASE

SEAL = "digest.json"
IN_USE = "in-use"
BLOCK = 1 << 20
"""Bytes read at once."""
CHANGING_HEADER = ((24, 32), (92, 100))
"""Bytes of a SQLite header that any write changes: counters, versions, size in pages (file format, 1.3)."""


@dataclass(frozen=True, slots=True)
class GenerationSeal:
    """Written last: a generation without it was never finished."""

    embedder: str
    code: str
    """Of what derived it from the records."""
    vectors: str
    """`VectorIndex.digest()`."""
    knowledge: str
    """`KnowledgeGraph.digest()`."""
    catalog: str
    documents: int
    chunks: int
    duplicates: int
    triplets: int
    files: dict[str, str]
    """SHA-256 of each file, by its path in the folder."""
    format: int = FORMAT

    @property
    def digest(self) -> str:
        """Of all content; equal for equal documents, whatever the order in which they came."""
        return hashlib.sha256("\n".join((self.vectors, self.knowledge, self.catalog)).encode()).hexdigest()

    def dump(self) -> bytes:
        """A line of JSON under a line with its SHA-256."""
        body = orjson.dumps(asdict(self), option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(body).hexdigest().encode() + b"\n" + body + b"\n"

    @classmethod
    def load(cls, folder: Path) -> GenerationSeal:
        """As `read`, of a generation's folder; OSError when missing."""
        return cls.read((folder / SEAL).read_bytes())

    @classmethod
    def read(cls, data: bytes) -> GenerationSeal:
        """The inverse of `dump`. ValueError when damaged; check `format` before trusting the rest."""
        seal, _, body = data.partition(b"\n")
        body = body.removesuffix(b"\n")
        if hashlib.sha256(body).hexdigest().encode() != seal:
            raise ValueError(f"{SEAL} has changed")
        try:
            return cls(**orjson.loads(body))
        except TypeError as error:
            raise ValueError(f"{SEAL}: {error}") from error


def damage(folder: Path, files: dict[str, str]) -> str:
    """What differs from the hashes in `files`, in words; '' if nothing does. Extra files are not looked
    at. Two are read at a time: of a large index one, its database, is as long as all others.
    """

    def differs(file: tuple[str, str]) -> str:
        name, expected = file
        try:
            return "" if hash_file(folder / name) == expected else f"{name} has changed"
        except FileNotFoundError:
            return f"{name} is missing"
        except sqlite3.Error as error:
            return f"{name}: {error}"

    with ThreadPoolExecutor(2) as readers:
        return next(filter(None, readers.map(differs, files.items())), "")


def hash_files(folder: Path, leave_out: Iterable[str] = ()) -> dict[str, str]:
    """SHA-256 of every file below `folder`, by relative path, but for names in `leave_out`."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    left_out = frozenset(leave_out)
    return {
        path.relative_to(folder).as_posix(): hash_file(path) for path in files if path.name not in left_out
    }


def hash_file(path: Path) -> str:
    """SHA-256 of a file; of a Chroma database without what opening it changes."""
    if path.name == DATABASE:
        return _hash_database(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def compact(folder: Path) -> None:
    """Leave no free page in the Chroma databases below `folder`: what is deleted is gone. sqlite3.Error."""
    for path in folder.rglob(DATABASE):
        with closing(sqlite3.connect(path)) as database:
            database.execute("VACUUM")


def _hash_database(path: Path) -> str:
    """SHA-256 over a compact SQLite file but its change counters and the pages of the table `acquire_write`.

    Opening a Chroma folder writes a row into that table and nothing else (chromadb 1.5). sqlite3.Error if the
    file is no database.
    """
    with closing(sqlite3.connect(path.absolute().as_uri() + "?mode=ro&immutable=1", uri=True)) as database:
        (size,) = database.execute("PRAGMA page_size").fetchone()
        root = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'acquire_write'").fetchone()
    if root is None:
        raise sqlite3.DatabaseError("not a Chroma database")
    total = hashlib.sha256()
    with path.open("rb") as file:
        first = bytearray(file.read(size))
        for start, end in CHANGING_HEADER:
            first[start:end] = bytes(end - start)
        pages = -(-file.seek(0, 2) // size)
        changing = sorted(_tree(file, size, pages, root[0]))
        total.update(first if 1 not in changing else b"")
        for before, after in pairwise([1, *(page for page in changing if page > 1), pages + 1]):
            file.seek(before * size)
            for block in _blocks(file, (after - 1 - before) * size):
                total.update(block)
    return total.hexdigest()


def _blocks(file: BinaryIO, length: int) -> Iterator[bytes]:
    """The next bytes of a file, so many or up to its end."""
    while length > 0 and (block := file.read(min(BLOCK, length))):
        length -= len(block)
        yield block


def _tree(file: BinaryIO, size: int, pages: int, root: int) -> set[int]:
    """Numbers of the pages of a table's B-tree (SQLite file format, 1.6): an interior page starts with 5."""
    found: set[int] = set()
    waiting = [root]
    while waiting:
        number = waiting.pop()
        if number in found or not 1 <= number <= pages:
            continue
        found.add(number)
        file.seek((number - 1) * size)
        page = file.read(size)
        if page[0] != 5:
            continue
        cells = int.from_bytes(page[3:5], "big")
        places = [12 + 2 * cell for cell in range(cells)]
        # Each cell starts with its child's number; the right-most child's stands in the page's header.
        spots = [8, *(int.from_bytes(page[place : place + 2], "big") for place in places)]
        waiting += [int.from_bytes(page[spot : spot + 4], "big") for spot in spots]
    return found
