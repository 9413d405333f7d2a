"""One file to a ParsedDocument; a list of paths to the files worth parsing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

from tools.documents import errors
from tools.documents.ids import document_id
from tools.documents.metadata.document_metadata import NO_OVERRIDES, Overrides, read_metadata
from tools.documents.read.child import DEFAULT_LIMITS, Limits, OnPage
from tools.documents.read.office_frame import OLD_FORMATS
from tools.documents.read.page_reader import KINDS, SUFFIXES, read_pages
from tools.documents.read.reading_counts import count_reading
from tools.documents.structure.chunking import chunk, recursive_chunks
from tools.documents.tables import find_tables
from tools.documents.types import ParsedDocument

Splitter = Literal["structure", "recursive"]


def parse_document(
    path: Path,
    root: Path,
    *,
    overrides: Overrides = NO_OVERRIDES,
    limits: Limits = DEFAULT_LIMITS,
    splitter: Splitter = "structure",
    on_page: OnPage | None = None,
) -> ParsedDocument:
    """Read one file: pages, metadata, tables, chunks and, of a call, its participants.

    `root` is the folder the user gave; `Document.path` is relative to it. `on_page` is told of each page before what
    they hold is read. The same bytes at the same relative path give the same result, whatever the machine. Raises a
    `DocumentError` subclass (see `page_reader.read_pages`).
    """
    pages = read_pages(path, limits=limits, on_page=on_page)
    document = read_metadata(path, relative_path(path, root), document_id(path), pages, overrides)
    tables = tuple(find_tables(pages, document))
    document = count_reading(document, tables, dict(pages[0].left_out))
    if splitter == "recursive":
        return ParsedDocument(document, pages, tables, recursive_chunks(document, pages))
    chunked = chunk(document, pages, tables)
    return ParsedDocument(
        replace(document, dropped=chunked.dropped), pages, tables, chunked.chunks, chunked.participants
    )


def relative_path(path: Path, root: Path) -> str:
    """`path` below `root` with forward slashes; the file's name alone where it does not lie below."""
    folder = root if root.is_dir() else root.parent
    try:
        return path.absolute().relative_to(folder.absolute()).as_posix()
    except ValueError:
        return path.name


def find_documents(paths: Iterable[Path]) -> tuple[list[tuple[Path, Path]], list[tuple[Path, str]]]:
    """The files to index below `paths`, in sorted order, as (file, root); and what is skipped, as (path,
    reason).

    A file given by name must be of a known kind (`SUFFIXES`) or it is skipped by name like any other.
    Hidden files and folders are left alone. A link that leads out of the given folder is skipped. Raises
    MissingPathError for a path that does not exist, EmptyFolderError if nothing is left to index.
    """
    files: dict[Path, tuple[Path, Path]] = {}
    skipped: list[tuple[Path, str]] = []
    given = list(paths)
    for root in given:
        try:
            why = "" if root.exists() else "there is no such file or folder"
        except OSError as error:  # too long a path, say
            why = str(error.strerror or error).lower()
        if why:
            raise errors.MissingPathError(str(root), f"{why}.", "Check the path.")
        for path in _walk(root, skipped) if root.is_dir() else [root]:
            reason = _reason_to_skip(path, root)
            if reason is not None:
                skipped.append((path, reason))
            elif not path.is_dir():
                files.setdefault(path.resolve(), (path, root))
    if not files:
        where = ", ".join(map(str, given)) or "the empty list of paths"
        others = f" ({len(skipped)} other files skipped)" if skipped else ""
        raise errors.EmptyFolderError(
            where,
            f"no file of a kind that is read ({KINDS}) found{others}.",
            "Give a folder that holds documents.",
        )
    return list(files.values()), skipped


def _walk(root: Path, unread: list[tuple[Path, str]]) -> Iterator[Path]:
    """What lies below a folder, however deep, in sorted order; folders that can't be read are added to `unread`,
    but for `root` itself: OSError."""
    waiting: list[tuple[Path, bool]] = [(root, True)]
    while waiting:
        path, is_folder = waiting.pop()
        if not is_folder:
            yield path
            continue
        try:
            with os.scandir(path) as inside:
                found = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in inside)
        except OSError as error:
            if path == root:
                raise
            unread.append((path, f"a folder that can't be read: {error.strerror or error}"))
            continue
        waiting += [(path / name, below) for name, below in reversed(found) if not name.startswith(".")]


def _reason_to_skip(path: Path, root: Path) -> str | None:
    """Why a path is not indexed, or None if it is."""
    try:
        return _reason_against(path, root)
    except OSError as error:
        return f"can't be read: {error.strerror or error}"


def _reason_against(path: Path, root: Path) -> str | None:
    if path.is_symlink() and root.is_dir():
        try:
            target = path.resolve(strict=True)
        except (OSError, RuntimeError):
            return "a link that leads nowhere"
        if not target.is_relative_to(root.resolve()):
            return "a link that leads out of the given folder"
        if target.is_dir():
            return "a link to a folder; its files are read where they lie"
    if path.suffix.lower() not in SUFFIXES:
        return OLD_FORMATS.get(path.suffix.lower(), f"not a kind of file that is read ({KINDS})")
    if not path.is_file():
        return "not a regular file"
    if not str(path.absolute()).isprintable():
        return "its name holds bytes or characters that cannot be shown; rename it"
    return None
