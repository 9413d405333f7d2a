"""Damaged, foreign, read-only and full homes: a clear error or a mended index, and nothing lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path

import orjson
import pytest

from evals.kills import write_documents
from tests.light_index import index_light
from tests.store_stand_ins import HashEmbedder
from tests.vectors_here import vectors_in_this_process
from tools.evidence import Evidence
from tools.scope import Scope
from tools.store.disk.lock import WriterLock
from tools.store.errors import (
    EmbeddingModelChangedError,
    FormatVersionError,
    GenerationDamagedError,
    HomeReadError,
    HomeWriteError,
    RecordDamagedError,
)
from tools.store.generation.opening import list_entries, open_generation
from tools.store.runs.index_run import index_paths
from tools.store.runs.removal import remove
from tools.vector.embeddings import LocalEmbeddings
from tools.vector.vector_search import vector_search


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three documents, `in`, and the home they were indexed into, `home`."""
    folder = tmp_path_factory.mktemp("three")
    index_light(folder / "home", [write_documents(folder / "in", 0)])
    return folder


@pytest.fixture
def documents(template: Path) -> Path:
    return template / "in"


@pytest.fixture
def home(template: Path, tmp_path: Path) -> Path:
    shutil.copytree(template / "home", tmp_path / "home")
    return tmp_path / "home"


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) * 2 // 3] ^= 1
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


DAMAGES: dict[str, Callable[[Path], None]] = {
    "a bit of the knowledge graph": lambda folder: flip(folder / "knowledge" / "graph.jsonl"),
    "a bit of the graph's names": lambda folder: flip(folder / "knowledge" / "lookups.tsv"),
    "half the knowledge graph": lambda folder: cut(folder / "knowledge" / "graph.jsonl"),
    "a bit of Chroma's texts": lambda folder: flip(folder / "vectors" / "chroma.sqlite3"),
    "half of Chroma's database": lambda folder: cut(folder / "vectors" / "chroma.sqlite3"),
    "a bit of Chroma's vectors": lambda folder: flip(next(folder.glob("vectors/*/data_level0.bin"))),
    "a bit of the vectors in one file": lambda folder: flip(folder / "vectors" / "rows.npy"),
    "the keyword index": lambda folder: shutil.rmtree(folder / "keywords"),
    "the catalogue": lambda folder: flip(folder / "catalog.json"),
    "the seal": lambda folder: cut(folder / "digest.json"),
    "everything": shutil.rmtree,
}


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_generation_is_rebuilt_from_what_was_read(home: Path, what: str) -> None:
    with open_generation(home, HashEmbedder()) as sound:
        digest, number = sound.digest, sound.number
    DAMAGES[what](home / "generations" / str(number))
    as_for_users = nullcontext()  # the vector index is written by a process of its own
    with (
        as_for_users if what == "everything" else vectors_in_this_process(),
        open_generation(home, HashEmbedder()) as mended,
    ):
        assert (mended.digest, mended.number) == (digest, number + 1)
        mended.vectors.verify(sample=None)
        assert len(mended.graph) == mended.seal.triplets
    assert [path.name for path in (home / "generations").iterdir()] == [str(number + 1)]


def test_a_damaged_generation_is_refused_by_name_while_another_process_writes(home: Path) -> None:
    flip(home / "generations" / "1" / "knowledge" / "graph.jsonl")
    with (
        WriterLock.take(home),
        pytest.raises(GenerationDamagedError, match=r"generation 1\) is damaged: knowledge/graph.jsonl"),
    ):
        open_generation(home, HashEmbedder())


@pytest.mark.parametrize("name", ["graph.jsonl", "lookups.tsv"])
def test_a_graph_that_is_damaged_while_it_is_open_is_named_with_what_mends_it(home: Path, name: str) -> None:
    with open_generation(home, HashEmbedder()) as opened:
        graph = opened.graph
        with (opened.folder / "knowledge" / name).open("r+b") as file:  # as long as before: it is mapped
            torn = file.read().replace(b"[", b"]")
            file.seek(0)
            file.write(torn)
        with pytest.raises(
            GenerationDamagedError,
            match=r"generation 1\) is damaged: .*Rebuild it: hybridrag index PATH --home",
        ):
            graph.triplets() if name == "graph.jsonl" else dict(graph.rows_of_id)


def test_a_damaged_record_is_named_and_read_again(home: Path, documents: Path) -> None:
    (entry,) = (entry for entry in list_entries(home) if entry.name == "call-1.txt")
    flip(home / "documents" / entry.record / "chunks.jsonl")
    flip(home / "generations" / "1" / "catalog.json")
    with pytest.raises(RecordDamagedError, match=r"'call-1\.txt'.*chunks.jsonl has changed.*hybridrag index"):
        open_generation(home, HashEmbedder())
    report = index_light(home, [documents])
    reasons = {outcome.reason for outcome in report.outcomes}
    assert "its stored copy was damaged and read again" in reasons
    with open_generation(home, HashEmbedder()) as mended:
        assert len(mended.documents) == 3


def test_damage_to_a_record_stops_a_removal_and_keeps_the_index(home: Path) -> None:
    (entry,) = (entry for entry in list_entries(home) if entry.name == "call-1.txt")
    (home / "documents" / entry.record / "embeddings.npy").unlink()
    with pytest.raises(RecordDamagedError, match=r"call-1\.txt"):
        remove(home, "call-0.txt")
    with open_generation(home, HashEmbedder()) as generation:
        assert generation.number == 1


def test_a_home_of_another_format_is_refused_by_all(home: Path, documents: Path) -> None:
    manifest = orjson.loads((home / "manifest.json").read_bytes())
    (home / "manifest.json").write_bytes(orjson.dumps({**manifest, "format": 99}))
    for action in (
        lambda: open_generation(home, HashEmbedder()),
        lambda: index_light(home, [documents]),
        lambda: remove(home, "call-1.txt"),
    ):
        with pytest.raises(FormatVersionError, match=r"format version 99.*hybridrag index PATH --home"):
            action()
    (home / "manifest.json").write_bytes(orjson.dumps(manifest))
    index_light(home, [documents])


def test_another_embedding_model_is_refused_until_all_is_embedded_again(
    three_calls: Path, tmp_path: Path
) -> None:
    home = Path(shutil.copytree(three_calls / "home", tmp_path / "home"))
    with pytest.raises(EmbeddingModelChangedError, match=r"all-MiniLM.*'other-16'.*hybridrag index PATH"):
        open_generation(home, HashEmbedder("other"))
    before = {entry.name: entry for entry in list_entries(home)}
    # One of the files is given; the others are embedded from what was read, and are not looked for.
    report = index_paths(
        home, [three_calls / "in" / "call-0.txt"], embedder_factory=partial(HashEmbedder, name="other")
    )
    assert report.documents == 3
    assert {entry.name for entry in list_entries(home)} == set(before)
    with open_generation(home, HashEmbedder("other")) as generation:
        generation.vectors.verify(sample=None)
    records = {path.name for path in (home / "documents").iterdir()}
    assert not records & {entry.record for entry in before.values()}
    with pytest.raises(EmbeddingModelChangedError):
        open_generation(home, LocalEmbeddings())


INDEX_WITH_LIMIT = """
import resource, sys
from pathlib import Path
from tests.light_index import index_light
from tools.store.errors import HomeWriteError
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
try:
    index_light(Path(sys.argv[2]), [Path(sys.argv[3])], apart=True)
except HomeWriteError as error:
    print(error)
    sys.exit(7)
"""


@pytest.mark.parametrize(("limit", "what"), [(900, "a record"), (60_000, "Chroma")])
def test_a_disk_that_refuses_bytes_costs_nothing(home: Path, tmp_path: Path, limit: int, what: str) -> None:
    """A limit on the size of files stands for the full disk: both refuse a write in the middle of a file."""
    other = tmp_path / "more"
    other.mkdir()
    (other / "note.txt").write_text(
        "Elm Corporation opened the plant of the north and sold it. " * 3, encoding="utf-8"
    )
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    run = subprocess.run(
        [sys.executable, "-c", INDEX_WITH_LIMIT, str(limit), str(home), str(other)],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": path},
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 7, f"{what}: {run.stdout} {run.stderr}"
    assert "Cannot write to" in run.stdout
    assert "Make room" in run.stdout
    assert [path.name for path in (home / "generations").iterdir()] == ["1"]
    assert not list(home.rglob(".draft*"))
    with open_generation(home, HashEmbedder()) as generation:
        assert (generation.number, len(generation.documents)) == (1, 3)
    assert index_light(home, [other]).documents == 4


def asked(home: Path, embedder: LocalEmbeddings) -> tuple[list[Evidence], int]:
    """The evidence for a question, and how many documents there are."""
    with open_generation(home, embedder) as generation:
        found = vector_search(generation.vectors, "What was Birch Corporation's revenue?", Scope(), k=3)
        return found, len(generation.graph.documents)


@pytest.fixture(scope="module")
def embedder(three_calls: Path, tmp_path_factory: pytest.TempPathFactory) -> LocalEmbeddings:
    """Loaded by a first question, with every module that a question needs."""
    loaded = LocalEmbeddings()
    asked(Path(shutil.copytree(three_calls / "home", tmp_path_factory.mktemp("asked") / "home")), loaded)
    return loaded


@pytest.fixture
def as_nobody(three_calls: Path, embedder: LocalEmbeddings) -> Iterator[Path]:
    """A copy of the home that may only be read; root, who may do everything, becomes nobody for the while.

    Nobody may not even enter the folder of this clone, so what lies there is loaded before.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "home"
        shutil.copytree(three_calls / "home", copy)
        Path(folder).chmod(0o755)
        for path in [copy, *copy.rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            yield copy
        finally:
            if root:
                os.seteuid(0)
            for path in [copy, *copy.rglob("*")]:
                path.chmod(0o755)


def test_a_read_only_home_answers_questions(as_nobody: Path, embedder: LocalEmbeddings) -> None:
    found, documents = asked(as_nobody, embedder)
    assert (found[0].company_key, documents) == ("BBB", 3)


def test_a_read_only_home_refuses_writers_with_the_reason(as_nobody: Path) -> None:
    with pytest.raises(HomeWriteError, match=r"Permission denied.*kept"):
        remove(as_nobody, "call-1.txt")


@contextmanager
def as_owner() -> Iterator[None]:
    """Root again, for a moment, if the tests run as root."""
    user = os.geteuid()
    os.seteuid(os.getuid())
    try:
        yield
    finally:
        os.seteuid(user)


def test_a_damaged_read_only_home_is_refused_by_name(as_nobody: Path) -> None:
    graph = as_nobody / "generations" / "1" / "knowledge" / "graph.jsonl"
    with as_owner():
        graph.chmod(0o644)
        flip(graph)
        graph.chmod(0o444)
    with pytest.raises(GenerationDamagedError, match=r"graph.jsonl has changed \(not rebuilt: .*Permission"):
        open_generation(as_nobody, LocalEmbeddings())


def test_a_home_that_may_not_be_read_is_refused_with_the_reason(as_nobody: Path) -> None:
    with as_owner():
        (as_nobody / "CURRENT").chmod(0)
    with pytest.raises(HomeReadError, match="Permission denied"):
        open_generation(as_nobody, LocalEmbeddings())
