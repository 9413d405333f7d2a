"""What can go wrong with a database, as types; each message says what, why, and what mends it; no password."""

from __future__ import annotations

from tools.store.errors import (
    IndexMissingError,
    IndexReplacedError,
    RecordDamagedError,
    StoreError,
    UserStoreError,
)
from tools.store.postgres.address import StoreAddress


def copying(address: StoreAddress) -> str:
    """The command that publishes a folder to this database."""
    return f"hybridrag store copy FOLDER '{address}'"


class DriverMissingError(UserStoreError):
    """The extra `postgres` is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "A PostgreSQL store needs psycopg and langgraph-checkpoint-postgres. Run: pip install 'hybridrag[postgres]'"
        )


class DatabaseError(UserStoreError):
    """The database refused or failed; `why` is its own word, `code` its SQLSTATE. What was published before is kept.
    `passing`: another try may find it well again."""

    def __init__(self, address: StoreAddress, why: str, code: str = "", *, passing: bool = False) -> None:
        self.why, self.code, self.passing = why, code, passing
        super().__init__(f"The store at {address} can't be used: {why}. What was published before is kept.")


class VectorsMissingError(UserStoreError):
    """The database has no pgvector, or too old a one."""

    def __init__(self, address: StoreAddress, why: str) -> None:
        super().__init__(
            f"The database at {address} has no pgvector 0.8 or later ({why}). Install it on the server, then "
            "run as its administrator in this database: CREATE EXTENSION vector; (or: ALTER EXTENSION vector UPDATE;)"
        )


class SchemaVersionError(UserStoreError):
    """The tables, or the index in them, were made by another version of the program."""

    def __init__(
        self, address: StoreAddress, found: int, expected: int, what: str = "schema version"
    ) -> None:
        """`what` has these versions."""
        mended = (
            "Install the newer version of hybridrag that published to it."
            if found > expected
            else f"Bring it forward: {copying(address)}"
        )
        super().__init__(f"The store at {address} has {what} {found}; this program's is {expected}. {mended}")


class NothingPublishedError(IndexMissingError):
    """The database holds no index."""

    def __init__(self, address: StoreAddress) -> None:
        UserStoreError.__init__(
            self, f"No index at {address}. Index into a folder, then run: {copying(address)}"
        )


class PublishedReplacedError(IndexReplacedError):
    """A question began with a generation that two later ones have replaced."""

    def __init__(self, address: StoreAddress) -> None:
        UserStoreError.__init__(
            self,
            f"The index at {address} has been replaced since this question was asked. Ask the question again.",
        )


class StoreBusyError(UserStoreError):
    """Another process publishes to the database."""

    def __init__(self, address: StoreAddress, holder: str) -> None:
        super().__init__(
            f"The store at {address} is being written by {holder}. One process publishes at a time: wait until it "
            "ends, then run the command again."
        )


class OtherEmbeddingsError(UserStoreError):
    """The database holds vectors of another embedding model."""

    def __init__(self, address: StoreAddress, found: str, expected: str, mended: str) -> None:
        super().__init__(
            f"The index at {address} was made with the embedding model {found!r}, not with {expected!r}. {mended}"
        )


class PublishedDamagedError(UserStoreError):
    """What the database holds is not what was published."""

    def __init__(self, address: StoreAddress, number: int, why: str) -> None:
        super().__init__(
            f"The index at {address} (generation {number}) is damaged: {why}. Publish it again from its folder into a "
            f"new database: {copying(address)}"
        )


class PublishedRecordDamagedError(RecordDamagedError):
    """A document in the database is not what was published."""

    def __init__(self, address: StoreAddress, folder: str, name: str, why: str) -> None:
        self.folder, self.name, self.why = folder, name, why
        StoreError.__init__(
            self,
            f"The document '{name}' at {address} is damaged: {why}. Publish it again: {copying(address)}",
        )


class StoreSetError(UserStoreError):
    """A command that writes documents, while questions are answered from a database."""

    def __init__(self, address: StoreAddress) -> None:
        super().__init__(
            f"HYBRIDRAG_STORE is set: questions are answered from {address}, and this command writes a folder. Name "
            f"it (--home FOLDER), then publish it: {copying(address)}"
        )


class StoreUnsetError(UserStoreError):
    """A command for a database, and none is set."""

    def __init__(self) -> None:
        super().__init__(
            "Workers serve a database: set HYBRIDRAG_STORE to its address, as postgresql://user@host/database."
        )


class SetWhereWorkersRunError(UserStoreError):
    """Who reads prose is asked for where documents are submitted."""

    def __init__(self) -> None:
        super().__init__(
            "--extractor and --dry-run are for a folder (--home FOLDER). The workers of a database read with their own "
            "settings: set HYBRIDRAG_EXTRACTOR where they run."
        )


class TooLargeFileError(UserStoreError):
    """A file that one row of the database can't hold."""

    def __init__(self, name: str, most: int) -> None:
        super().__init__(
            f"'{name}' is larger than {most >> 20:,} MiB, the most that a store in PostgreSQL keeps."
        )
