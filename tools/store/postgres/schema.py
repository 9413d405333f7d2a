"""The tables of a store, by version, brought forward when something is published.

Most rows are of the generations `since` <= n < `until`: publishing generation n writes what is new with `since` n and
ends what is gone with `until` n, so that whoever reads generation n - 1 goes on to see all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tools.store.postgres.address import StoreAddress
from tools.store.postgres.database import said
from tools.store.postgres.errors import SchemaVersionError, VectorsMissingError

if TYPE_CHECKING:
    import psycopg

FOREVER = 2**63 - 1
"""`until` of what the newest generation holds, too."""
SUBMITTED = FOREVER - 1
"""`since` of files of records that are read, and not yet published."""
LEAST_PGVECTOR = (0, 8)
"""The first with iterative scans: a filter costs no result."""
MAX_INDEXED_DIMENSION = 2_000
"""Of a vector in an HNSW index of pgvector; longer ones are compared one by one."""
HNSW = "embeddings_nearest"
LINKS_BYTES = 800
"""That a vector's place in such an index takes while it is built, besides its numbers."""
LEAST_MEMORY_MIB, MOST_MEMORY_MIB = 512, 4_096
"""Of the server, to build it."""
LOCK_SECONDS = 10
"""That bringing tables forward waits for those who use them."""
FORWARD = (0x68796272, 2)
"""Key of the advisory lock under which tables are made and brought forward: 'hybr', 2."""

_FIRST = f"""
CREATE SCHEMA IF NOT EXISTS hybridrag;
CREATE TABLE hybridrag.store (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    version int NOT NULL,
    embedder text NOT NULL DEFAULT '',
    current bigint NOT NULL DEFAULT 0   -- the generation in use, 0 before the first
);
INSERT INTO hybridrag.store (version) VALUES (0);
CREATE TABLE hybridrag.generations (
    number bigint PRIMARY KEY,
    published timestamptz NOT NULL DEFAULT now(),
    chunks bigint NOT NULL,
    tokens bigint NOT NULL              -- of all chunks, for their average length
);
CREATE TABLE hybridrag.files (          -- records, what the user decided, and what is derived but for the chunks
    path text COLLATE "C" NOT NULL,
    since bigint NOT NULL,
    until bigint NOT NULL DEFAULT {FOREVER},
    sha256 text NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (path, since)
);
CREATE TABLE hybridrag.chunks (
    number bigint PRIMARY KEY,
    id text COLLATE "C" NOT NULL,
    document_id text COLLATE "C" NOT NULL,
    since bigint NOT NULL,
    until bigint NOT NULL DEFAULT {FOREVER},
    content bytea NOT NULL,             -- SHA-256 of the rest and of the vector
    folded text NOT NULL,
    exact text NOT NULL,
    tokens int NOT NULL,
    text text NOT NULL,
    metadata jsonb NOT NULL
);
CREATE UNIQUE INDEX ON hybridrag.chunks (id, since);
CREATE TABLE hybridrag.embeddings (     -- apart from the texts: a row of 384 numbers then fits its page
    number bigint PRIMARY KEY,
    document_id text COLLATE "C" NOT NULL,
    since bigint NOT NULL,
    until bigint NOT NULL DEFAULT {FOREVER},
    embedding vector NOT NULL
);
CREATE INDEX ON hybridrag.embeddings (document_id);
CREATE TABLE hybridrag.postings (       -- a document's chunks that hold a term: see `postings.encoded`
    term text COLLATE "C" NOT NULL,
    document_id text COLLATE "C" NOT NULL,
    since bigint NOT NULL,
    until bigint NOT NULL DEFAULT {FOREVER},
    holders int NOT NULL,
    entries bytea NOT NULL
);
CREATE INDEX ON hybridrag.postings (term, document_id);
CREATE INDEX ON hybridrag.postings (document_id);
CREATE TABLE hybridrag.frequencies (    -- chunks that hold a term
    term text COLLATE "C" NOT NULL,
    since bigint NOT NULL,
    until bigint NOT NULL DEFAULT {FOREVER},
    holders int NOT NULL
);
CREATE INDEX ON hybridrag.frequencies (term);
"""
_SECOND = """
ALTER TABLE hybridrag.generations ADD COLUMN seconds real NOT NULL DEFAULT 0;  -- that it took to publish
CREATE SEQUENCE hybridrag.change_numbers;
CREATE TABLE hybridrag.changes (        -- to the documents of the generation in use, published with the next one
    document_id text COLLATE "C" PRIMARY KEY,
    number bigint NOT NULL DEFAULT nextval('hybridrag.change_numbers'),
    since timestamptz NOT NULL DEFAULT now(),
    entry text                          -- of the manifest, as JSON; NULL: the document goes
);
CREATE TABLE hybridrag.jobs (           -- documents that are to be read; kept a while after they are
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    priority int NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'read', 'done', 'failed')),
    lock bigint NOT NULL,               -- advisory, on the document: held by the one who reads it
    document_id text COLLATE "C" NOT NULL,
    sha256 text NOT NULL,
    file text NOT NULL,                 -- as the user's path leads to it
    path text NOT NULL,
    source text COLLATE "C" NOT NULL,
    size bigint NOT NULL,
    given text NOT NULL,                -- the rest of what was submitted, as JSON
    submitted timestamptz NOT NULL DEFAULT now(),
    not_before timestamptz NOT NULL DEFAULT now(),
    tries int NOT NULL DEFAULT 0,       -- that ended badly
    claims int NOT NULL DEFAULT 0,      -- whose worker has not said how they ended
    worker text NOT NULL DEFAULT '',
    taken timestamptz,
    at text NOT NULL DEFAULT '',        -- how far the reading is, as JSON
    ended timestamptz,
    became text NOT NULL DEFAULT '',
    reason text NOT NULL DEFAULT '',
    told text NOT NULL DEFAULT ''       -- entry, seconds, tally and tokens of the reading, as JSON
);
CREATE INDEX ON hybridrag.jobs (priority DESC, id) WHERE state = 'waiting';
CREATE INDEX ON hybridrag.jobs (source);
CREATE TABLE hybridrag.uploads (        -- bytes of files whose jobs wait
    job int PRIMARY KEY REFERENCES hybridrag.jobs ON DELETE CASCADE,
    data bytea NOT NULL
);
CREATE TABLE hybridrag.workers (
    name text PRIMARY KEY,
    seen timestamptz NOT NULL DEFAULT now(),
    doing text NOT NULL
);
"""
_THIRD = """
CREATE TABLE hybridrag.runs (           -- that may spend so many tokens on models, all workers together
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    max_tokens bigint NOT NULL,
    spent bigint NOT NULL DEFAULT 0,
    began timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE hybridrag.jobs ADD COLUMN run int REFERENCES hybridrag.runs;  -- NULL: of one without a limit
CREATE TABLE hybridrag.model_calls (    -- of such runs, under way, with the tokens that each may take
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run int NOT NULL REFERENCES hybridrag.runs ON DELETE CASCADE,
    job int NOT NULL,
    tokens bigint NOT NULL
);
CREATE INDEX ON hybridrag.model_calls (run);
CREATE INDEX ON hybridrag.jobs (run);
CREATE TABLE hybridrag.requests (       -- to endpoints in the last minute, and those that are to begin
    endpoint text COLLATE "C" NOT NULL,
    begins timestamptz NOT NULL
);
CREATE INDEX ON hybridrag.requests (endpoint, begins);
"""
WITH_JOBS, WITH_BUDGETS = 2, 3
"""Versions from which there are these."""
MIGRATIONS = (_FIRST, _SECOND, _THIRD)
"""The script at place n leads from version n to n + 1; none is ever changed."""
OLDEST_READABLE = 1
"""What questions read is as it was in this version."""
SPANNED = ("files", "chunks", "embeddings", "postings", "frequencies")
"""Tables with `since` and `until`."""


def version_of(connection: psycopg.Connection[Any]) -> int:
    """The version of the tables; 0 where there are none."""
    there = connection.execute("SELECT to_regclass('hybridrag.store')").fetchone()
    if there is None or there[0] is None:
        return 0
    found = connection.execute("SELECT version FROM hybridrag.store").fetchone()
    return int(found[0]) if found else 0


def check_version(connection: psycopg.Connection[Any], address: StoreAddress) -> bool:
    """Whether there are tables; SchemaVersionError where they are of a version that can't be read."""
    found = version_of(connection)
    if found and not OLDEST_READABLE <= found <= len(MIGRATIONS):
        raise SchemaVersionError(address, found, len(MIGRATIONS))
    return found > 0


def bring_forward(connection: psycopg.Connection[Any], address: StoreAddress) -> None:
    """Make the tables, or bring those of an earlier version to this one. VectorsMissingError, SchemaVersionError."""
    found = version_of(connection)
    if found < len(MIGRATIONS):  # workers that start together bring them forward in turn
        connection.execute("SELECT pg_advisory_xact_lock(%s, %s)", FORWARD)
        found = version_of(connection)
    if found > len(MIGRATIONS):
        raise SchemaVersionError(address, found, len(MIGRATIONS))
    _with_vectors(connection, address)
    if found < len(MIGRATIONS):  # a worker of an earlier version may be reading
        connection.execute(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'".encode())
    for script in MIGRATIONS[found:]:
        connection.execute(script.encode())
    if found < len(MIGRATIONS):
        connection.execute("UPDATE hybridrag.store SET version = %s", (len(MIGRATIONS),))
        connection.execute("SET LOCAL lock_timeout TO DEFAULT")


def _with_vectors(connection: psycopg.Connection[Any], address: StoreAddress) -> None:
    """Make sure of pgvector; only an administrator may bring it into a database."""
    import psycopg

    try:
        with connection.transaction():
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except psycopg.errors.ReadOnlySqlTransaction:
        raise
    except psycopg.DatabaseError as error:
        if isinstance(error, psycopg.OperationalError):
            raise
        raise VectorsMissingError(address, said(error)) from None
    row = connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    version = str(row[0]) if row else ""
    if tuple(int(part) for part in version.split(".")[:2]) < LEAST_PGVECTOR:
        raise VectorsMissingError(address, f"it has {version}")


def begin_vectors(connection: psycopg.Connection[Any], dimension: int) -> bool:
    """Give the vectors of an empty table their dimension; whether they are to be indexed once they are there (see
    `index_vectors`): built at once, an index is made several times as fast as row by row."""
    (filled,) = _one(connection, "SELECT EXISTS (SELECT FROM hybridrag.embeddings)")
    if filled:
        return False
    connection.execute(f"DROP INDEX IF EXISTS hybridrag.{HNSW}")
    connection.execute(
        f"ALTER TABLE hybridrag.embeddings ALTER COLUMN embedding TYPE vector({int(dimension)})"
    )
    return dimension <= MAX_INDEXED_DIMENSION


def index_vectors(connection: psycopg.Connection[Any], vectors: int, dimension: int) -> None:
    """Index so many vectors of length 1 by their inner product, their cosine, as Chroma does in a folder."""
    # what does not fit is built several times as slowly
    need = vectors * (4 * dimension + LINKS_BYTES) >> 20
    memory = min(max(need, LEAST_MEMORY_MIB), MOST_MEMORY_MIB)
    connection.execute(f"SET LOCAL maintenance_work_mem = '{memory}MB'".encode())
    # workers share that memory in /dev/shm, of which a container has 64 MB
    connection.execute("SET LOCAL max_parallel_maintenance_workers = 0")
    connection.execute(
        f"CREATE INDEX {HNSW} ON hybridrag.embeddings USING hnsw (embedding vector_ip_ops) "
        "WITH (m = 16, ef_construction = 200)"
    )


def _one(connection: psycopg.Connection[Any], query: str) -> Any:
    row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return row
