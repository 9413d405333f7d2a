"""Folders of a question set: what must be there, which documents they hold, and the digest of it all."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from evals.datasets.types import DatasetError, Place
from tools.documents.errors import DocumentError
from tools.documents.read.parse import find_documents, relative_path


def folder(path: Path | None, name: str, holds: str) -> Path:
    """`path` where it is a folder. DatasetError saying what the set called `name` needs otherwise."""
    if path is None:
        raise DatasetError(f"Question set '{name}' needs --path FOLDER: {holds}.")
    if not path.exists():
        raise DatasetError(f"There is no folder '{path}'. '{name}' needs {holds}.")
    if not path.is_dir():
        raise DatasetError(f"'{path}' is a file; '{name}' needs the folder: {holds}.")
    return path


def question_file(path: Path) -> Path:
    """`path` where it is a file, else DatasetError."""
    if not path.exists():
        raise DatasetError(f"There is no question file '{path}'.")
    if not path.is_file():
        raise DatasetError(f"'{path}' is a folder; a question file is needed there.")
    return path


class Documents:
    """The documents below a folder, by the names that evidence shows."""

    def __init__(self, root: Path) -> None:
        """DatasetError where there is no folder `root`, or nothing in it to index."""
        if not root.is_dir():
            what = "is a file; a folder of documents is needed there" if root.exists() else "is missing"
            raise DatasetError(f"The folder of documents '{root}' {what}.")
        self.root = root
        try:
            found, _ = find_documents([root])
        except (DocumentError, OSError) as error:
            raise DatasetError(f"The documents can't be used: {error}") from error
        self.paths = tuple(sorted(relative_path(file, above) for file, above in found))
        """Relative to `root`, with '/'."""

    def find(self, name: str) -> list[str]:
        """The paths that a file name, or the end of a path, may mean."""
        return [path for path in self.paths if Place(document=name).names(path)]


def data_hash(question_files: Sequence[Path], documents: Sequence[Path]) -> str:
    """SHA-256 over question files, as given, and the documents, ordered by relative path: the same wherever they
    lie. DatasetError for what can't be read."""
    try:
        files = find_documents(documents)[0] if documents else []
        found = [(relative_path(file, root), file) for file, root in files]
        whole = hashlib.sha256()
        for name, file in [*((path.name, path) for path in question_files), *sorted(found)]:
            with file.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            whole.update(f"{name}\0{digest}\n".encode())
    except DocumentError as error:
        raise DatasetError(f"The documents can't be used: {error}") from error
    except OSError as error:
        raise DatasetError(f"Can't read '{error.filename}': {error.strerror or error}.") from error
    return whole.hexdigest()
