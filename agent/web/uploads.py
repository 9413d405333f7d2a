"""Files between the request that brings them and the one that has them indexed: in the home, or, where threads are kept
in a database, in that: the second request may go to another server."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Sequence
from itertools import chain
from pathlib import Path, PurePosixPath

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from agent.assistant import Assistant
from agent.bodies import fits
from agent.display.printable import shown
from agent.errors import UsageError
from agent.threads.database_threads import DatabaseThreads
from agent.threads.thread_store import ThreadStore
from tools.documents.read.child import DEFAULT_LIMITS
from tools.documents.read.page_reader import KINDS, SUFFIXES
from tools.private_files import make_folder, open_private
from tools.store.disk.home import Home, writing

NAME_BYTES = 200
ID_DIGITS = 16
"""Of a file's SHA-256, with which its id begins."""
PART = ".part"
PIECE_BYTES = 4 << 20
"""Of a file, in one row of a database."""
KEPT = "1 day"
"""How long a database keeps a file that nobody has indexed."""
_FORGOTTEN = f"DELETE FROM uploads WHERE id = ? OR uploaded < now() - interval '{KEPT}'"


class TooLargeError(UsageError):
    """An upload over the limit."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"'{name}' is larger than {DEFAULT_LIMITS.file_bytes >> 20:,} MiB. Split it, or leave it out."
        )


class Uploads:
    """The files of one server, or of all that share its threads."""

    def __init__(self, assistant: Assistant, threads: ThreadStore) -> None:
        self.home = assistant.home
        self.folder = Home(assistant.home).uploads
        self._shared = threads if isinstance(threads, DatabaseThreads) else None

    async def receive(self, request: Request) -> str:
        """Keep a request's body, whose name its query says; the id by which `files` finds it. UsageError,
        TooLargeError, HomeWriteError, ThreadsUnusableError."""
        name = _checked_name(request.query_params.get("name", ""))
        if not fits(request.headers.get("content-length", "0"), DEFAULT_LIMITS.file_bytes):
            raise TooLargeError(name)
        part = self.folder / f"{PART}-{os.urandom(8).hex()}"
        await run_in_threadpool(self._make_folders, self.home, self.folder)
        try:
            id_ = f"{(await self._received(request, name, part))[:ID_DIGITS]}/{name}"
            await run_in_threadpool(self._keep if self._shared is None else self._pass_on, part, id_)
        finally:
            await run_in_threadpool(part.unlink, missing_ok=True)
        return id_

    def files(self, ids: Sequence[str]) -> list[Path]:
        """The files of these ids. Raises UsageError for one that is not there, and as `receive`."""
        return [self._file(each) for each in dict.fromkeys(ids)]

    def clear(self, files: Sequence[Path] | None = None) -> None:
        """Delete those of `files`, or of all that was ever uploaded to this server, that are the source of no document;
        a database forgets `files`, and what is too old. HomeReadError, HomeWriteError, ManifestDamagedError,
        FormatVersionError, ThreadsUnusableError."""
        home = Home(self.home)
        used = {Path(entry.source) for entry in home.manifest().entries}
        given = [path for path in home.uploads.rglob("*") if path.is_file()] if files is None else files
        with writing(home.root):
            for path in given:
                if path.resolve() not in used:
                    path.unlink(missing_ok=True)
                if path.parent != home.uploads and not any(path.parent.iterdir()):
                    path.parent.rmdir()
        if self._shared is not None:
            with self._shared.writing() as own:
                for id_ in [path.relative_to(home.uploads).as_posix() for path in files or ()] or [""]:
                    own.execute(_FORGOTTEN, (id_,))

    def _make_folders(self, *folders: Path) -> None:
        with writing(self.home):
            for folder in folders:
                make_folder(folder)

    def _keep(self, part: Path, id_: str) -> None:
        path = self.folder / id_
        self._make_folders(path.parent)
        with writing(self.home):
            part.replace(path)

    def _pass_on(self, part: Path, id_: str) -> None:
        assert self._shared is not None
        with self._shared.writing(durable=True) as own, part.open("rb") as file:
            own.execute(_FORGOTTEN, (id_,))
            pieces = iter(lambda: file.read(PIECE_BYTES), b"")
            for number, piece in enumerate(chain([file.read(PIECE_BYTES)], pieces)):  # of an empty file, one
                own.execute(
                    "INSERT INTO uploads (id, number, piece) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    (id_, number, piece),
                )

    def _fetch(self, id_: str) -> None:
        """Bring a file that a server has passed on into this one's folder, once; not one that isn't whole, since
        another server takes it at the same time."""
        assert self._shared is not None
        count = self._shared.rows("SELECT count(*) FROM uploads WHERE id = ?", id_)[:1]
        if not count or not count[0][0]:
            return
        part, digest = self.folder / f"{PART}-{os.urandom(8).hex()}", hashlib.sha256()
        self._make_folders(self.home, self.folder)
        try:
            with writing(self.home), open_private(part, "xb") as file:
                for number in range(count[0][0]):
                    for (piece,) in self._shared.rows(
                        "SELECT piece FROM uploads WHERE id = ? AND number = ?", id_, number
                    ):
                        digest.update(piece)
                        file.write(piece)
            if not id_.startswith(f"{digest.hexdigest()[:ID_DIGITS]}/"):
                return
            self._keep(part, id_)
        finally:
            part.unlink(missing_ok=True)

    async def _received(self, request: Request, name: str, part: Path) -> str:
        """Write the body; returns its SHA-256."""
        digest, size = hashlib.sha256(), 0
        with writing(self.home), open_private(part, "xb") as file:
            async for piece in request.stream():
                size += len(piece)
                if size > DEFAULT_LIMITS.file_bytes:
                    raise TooLargeError(name)
                digest.update(piece)
                file.write(piece)
        return digest.hexdigest()

    def _file(self, id_: str) -> Path:
        folder, _, name = id_.partition("/")
        path = self.folder / folder / name
        hexadecimal = len(folder) == ID_DIGITS and set(folder) <= set("0123456789abcdef")
        short = len(name.encode("utf-8", "replace")) <= NAME_BYTES
        sound = hexadecimal and short and name == PurePosixPath(name).name and "\0" not in name
        if sound and self._shared is not None and not path.is_file():
            self._fetch(id_)
        if not (sound and path.is_file()):
            raise UsageError(
                f"'{shown(name or id_)}' was not uploaded, or is indexed already: upload it again."
            )
        return path


def _checked_name(given: str) -> str:
    """A file name that can be kept. Raises UsageError."""
    name = unicodedata.normalize("NFC", given.replace("\\", "/").rsplit("/", 1)[-1]).strip()
    if not name or name.startswith(".") or not name.isprintable() or len(name.encode()) > NAME_BYTES:
        raise UsageError(f"'{shown(given)[:80]}' is no name for a document: rename the file.")
    if PurePosixPath(name).suffix.lower() not in SUFFIXES:
        raise UsageError(f"'{name}' is of no kind that is read ({KINDS}).")
    return name
