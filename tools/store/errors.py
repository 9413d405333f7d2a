"""What can go wrong with a home folder, as types; each message says what, why, and the command that mends
it.
"""

from __future__ import annotations

import shlex
from pathlib import Path

DEFAULT_HOME = ".hybridrag"


def command(home: Path, words: str) -> str:
    """A hybridrag command for this home: 'hybridrag index PATH --home DIR'; the default home goes unsaid."""
    where = "" if str(home) == DEFAULT_HOME else f" --home {shlex.quote(str(home))}"
    return f"hybridrag {words}{where}"


class StoreError(Exception):
    """The home folder cannot do what was asked. `str()` is for the user."""


class UserStoreError(StoreError):
    """One that the user can mend: a wrong name, a missing index, a full disk, a second writer."""


class IndexMissingError(UserStoreError):
    """Nothing has been indexed in this home."""

    def __init__(self, home: Path) -> None:
        super().__init__(f"No index at '{home}'. Run: {command(home, 'index PATH')}")


class IndexNotReadyError(IndexMissingError):
    """The first documents are being read."""

    def __init__(self, home: Path, total: int) -> None:
        UserStoreError.__init__(
            self,
            f"No document of '{home}' can be asked yet: {total} are being read, and the first ones can be asked in a "
            "while. Ask again then.",
        )


class IndexReplacedError(UserStoreError):
    """A question that was interrupted goes on, and the index it began with is gone."""

    def __init__(self, home: Path) -> None:
        super().__init__(
            f"The index at '{home}' has been replaced since this question was asked. Ask the question again."
        )


class HomeLockedError(UserStoreError):
    """Another process writes to this home; `holder` says which."""

    def __init__(self, home: Path, holder: str) -> None:
        self.holder = holder
        super().__init__(
            f"The index at '{home}' is being written by {holder}. One process writes at a time: "
            "wait until it ends, then run the command again."
        )


class FormatVersionError(UserStoreError):
    """The home was written by a version of the program with another format."""

    def __init__(self, home: Path, found: object, expected: int) -> None:
        super().__init__(
            f"The index at '{home}' has format version {found!r}; this program reads and writes version "
            f"{expected}. "
            f"Index into a new folder: hybridrag index PATH --home {shlex.quote(f'{home}-v{expected}')}"
        )


class EmbeddingModelChangedError(UserStoreError):
    """The index was made with another embedding model than the one in use."""

    def __init__(self, home: Path, found: str, expected: str) -> None:
        super().__init__(
            f"The index at '{home}' was made with the embedding model {found!r}; the one in use is "
            f"{expected!r}. "
            f"Set the model back, or embed everything again: {command(home, 'index PATH')}"
        )


class SelectorError(UserStoreError):
    """What was to be removed names nothing that is indexed, or several things."""


class DecisionsError(UserStoreError):
    """A line of the user's decisions on names is none."""

    def __init__(self, path: Path, line: int, why: str) -> None:
        super().__init__(f"'{path}', line {line}: {why}. Mend or delete that line; nothing was changed.")


class HomeWriteError(UserStoreError):
    """The operating system refuses to write the home: disk full, no permission, read-only. Nothing is
    lost.
    """

    def __init__(self, home: Path, why: str) -> None:
        self.why = why
        super().__init__(
            f"Cannot write to '{home}': {why}. What was there before is kept. Make room or give permission, then run "
            "the same command again: what is finished is not done twice."
        )


class HomeReadError(UserStoreError):
    """The operating system refuses to read the home."""

    def __init__(self, home: Path, why: str) -> None:
        super().__init__(f"Cannot read '{home}': {why}. Give permission to read it, or set another --home.")


class RecordDamagedError(StoreError):
    """A stored document is not what was written; `name` is the document, `folder` its record."""

    def __init__(self, home: Path, folder: str, name: str, why: str) -> None:
        self.folder, self.name, self.why = folder, name, why
        super().__init__(
            f"The stored document '{name}' in '{home}' is damaged: {why}. Read it again: "
            f"{command(home, 'index PATH')}"
        )


class GenerationDamagedError(StoreError):
    """The generation in use is not what was written, and could not be rebuilt now."""

    def __init__(self, home: Path, number: int, why: str) -> None:
        self.number, self.why = number, why
        super().__init__(
            f"The index at '{home}' (generation {number}) is damaged: {why}. Rebuild it: "
            f"{command(home, 'index PATH')}"
        )


class OntologyDamagedError(UserStoreError):
    """A stored ontology is not what was written."""

    def __init__(self, home: Path, name: str, digest: str, why: str) -> None:
        super().__init__(
            f"The ontology '{name}' in '{home}' is damaged: {why}. Add it again: "
            f"{command(home, 'ontology add PATH')}, or remove it: {command(home, f'ontology remove {digest}')}"
        )


class HistoriesDamagedError(UserStoreError):
    """Imported histories are not what was written."""

    def __init__(self, home: Path, why: str) -> None:
        super().__init__(
            f"The histories in '{home}' are damaged: {why}. Delete the folder '{home / 'histories'}', import them "
            f"again ({command(home, 'recommend import FILE')}) and train: {command(home, 'recommend train')}"
        )


class LearnedDamagedError(UserStoreError):
    """What was learned from histories is not what was written, or of another version or other items."""

    def __init__(self, home: Path, why: str) -> None:
        super().__init__(
            f"What was learned from the histories in '{home}' can't be used: {why}. Rules suggest until it is learned "
            f"again: {command(home, 'recommend train')}"
        )


class NoHistoriesError(UserStoreError):
    """Nothing was imported that could be learned from."""

    def __init__(self, home: Path) -> None:
        super().__init__(f"No histories in '{home}'. Run: {command(home, 'recommend import FILE')}")


class TooLittleError(UserStoreError):
    """Histories that a model can't be learned from."""


class UnknownUserError(UserStoreError):
    """Nothing was imported of a user; the name is not repeated."""

    def __init__(self, home: Path) -> None:
        super().__init__(f"No history of this user in '{home}'.")


class ExtraMissingError(UserStoreError):
    """A model needs packages to be trained that are not installed."""

    def __init__(self, model: str) -> None:
        super().__init__(f"{model} is trained with JAX and Optax. Run: pip install 'hybridrag[recommend]'")


class HistoriesBusyError(UserStoreError):
    """Another process imports, trains or forgets."""

    def __init__(self, home: Path) -> None:
        super().__init__(
            f"Another process is importing into the histories in '{home}', or learning from them. Wait until it ends."
        )


class ManifestDamagedError(StoreError):
    """`manifest.json`, or the list of what is being removed, is not what was written."""

    def __init__(self, home: Path, name: str, why: str) -> None:
        super().__init__(
            f"The list of documents in '{home}' ({name}) is damaged: {why}. Delete that file and "
            f"index again: "
            f"{command(home, 'index PATH')}; finished documents are not read twice."
        )


class WorkerError(StoreError):
    """An indexing process could not start or broke its contract."""
