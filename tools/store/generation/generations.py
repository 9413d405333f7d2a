"""Generations: vector index, knowledge graph and catalogue, derived from the records of one manifest.

    generations/<n>/  in-use manifest.json vectors/ keywords/ vectors.json knowledge/ lines/ catalog.json digest.json
                      identities.sha256 ontology/ ontologies.sha256 checked.json

A generation is written once, `digest.json` last; `checked.json` says which files were found to be as it says (see
`checked_files`). Each step reads the records afresh, so that the two indexes
can be built side by side, and checks them as it reads: a damaged record stops it.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import numpy as np
import orjson

from tools.documents.serial import dump_record, load_document
from tools.documents.types import Chunk, Document
from tools.knowledge.types import Triplet
from tools.model_files import ModelFileError
from tools.periods import Period
from tools.private_files import FOLDER_MODE, make_folder, open_private
from tools.store.disk.code_version import DERIVING, DERIVING_LIBRARIES, LINE_ITEMS, code_version
from tools.store.disk.home import (
    MANIFEST,
    Home,
    Manifest,
    delete_tree,
    sync_folder,
    sync_tree,
    write_file,
    writing,
)
from tools.store.disk.lock import FileLock
from tools.store.disk.ontologies import (
    USED as USED_ONTOLOGIES,
)
from tools.store.disk.ontologies import (
    StoredOntology,
    digest_of_ontologies,
    loaded,
    ontologies_of,
    sweep_ontologies,
    used_ontologies,
)
from tools.store.disk.records import StoredRecord
from tools.store.disk.seal import IN_USE, SEAL, GenerationSeal, compact, damage, hash_file, hash_files
from tools.store.disk.user_decisions import USED, decisions_of, digest_of, used_decisions
from tools.store.errors import HomeWriteError
from tools.store.generation.checked_files import note_sound
from tools.vector.embeddings import Vectors
from tools.vector.line_vectors import LineVectors
from tools.vector.passages import passages_of

CATALOG = "catalog.json"
KNOWLEDGE = "knowledge"
LINES = "lines"
ONTOLOGY = "ontology"
UNSEARCHED = ", not to be searched"
"""Of the code of a generation without Chroma."""
VECTOR_PARTS = ("vectors", "keywords", "passages", "vectors.json")
"""What `write_vectors` writes."""


def is_current(home: Home, manifest: Manifest, *, searched: bool = True) -> bool:
    """Whether the generation in use was derived from this manifest, the user's decisions and ontologies, by this code;
    not `searched`: whether or not it can be (see `write_vectors`). DecisionsError, OntologyDamagedError."""
    decided, known = digest_of(decisions_of(home)), digest_of_ontologies(ontologies_of(home))
    number = home.current()
    if number is None:
        return not manifest.entries
    try:
        folder = home.generation(number)
        given = (used_decisions(folder), used_ontologies(folder))
        return _is_of(home, number, manifest, searched) and given == (decided, known)
    except (OSError, ValueError):
        return False


def _is_of(home: Home, number: int, manifest: Manifest, searched: bool = True) -> bool:
    """Whether a generation was derived from this manifest, by this code, and can be `searched` where it has to be.
    OSError, ValueError."""
    folder = home.generation(number)
    made_from = Manifest.load(home.root, (folder / MANIFEST).read_bytes())
    made_by = (_code(),) if searched else (_code(), _code(searched=False))
    return made_from == manifest and GenerationSeal.load(folder).code in made_by


def copy_vectors(home: Home, number: int, manifest: Manifest) -> bool:
    """Take the vector and keyword indexes of the generation in use, where they are of the same manifest and code; False
    where they are not, or are not what was sealed. HomeWriteError."""
    current = home.current()
    try:
        if current is None or not _is_of(home, current, manifest):
            return False
        source, target = home.generation(current), home.generation(number)
        sealed = GenerationSeal.load(source).files
        own = {name: digest for name, digest in sealed.items() if name.split("/")[0] in VECTOR_PARTS}
        if damage(source, own):
            return False
    except (OSError, ValueError):
        return False
    with writing(home.root):
        for name in own:
            for folder in reversed(Path(name).parents[:-1]):  # each its owner's alone, not the innermost only
                make_folder(target / folder)
            with (source / name).open("rb") as file, open_private(target / name, "xb") as copy:
                shutil.copyfileobj(file, copy)
    return True


def begin_generation(home: Home, manifest: Manifest) -> int:
    """Make the folder of a new generation and return its number. HomeWriteError."""
    number = home.next_number()
    folder = home.generation(number)
    with writing(home.root):
        make_folder(home.generations)
        folder.mkdir(FOLDER_MODE)
        write_file(folder / IN_USE, b"")
        write_file(folder / MANIFEST, manifest.dump())
    return number


def write_vectors(home: Home, number: int, manifest: Manifest, *, searched: bool = True) -> None:
    """Write the vector and keyword indexes; `vector_builder` calls it, in a process of its own. Not `searched`: without
    Chroma, for a copy that is only published: of many chunks that is most of the time.

    HomeWriteError, RecordDamagedError.
    """
    from tools.vector.index import VectorIndex

    chunks: list[Chunk] = []
    documents: dict[str, Document] = {}
    embeddings: list[Vectors] = []
    passages: list[Vectors] = []
    unheard: set[str] = set()
    for record in _records(home, manifest):
        document, of_record, vectors = record.document(), record.chunks(), record.embeddings()
        documents[document.id] = document
        chunks += of_record
        embeddings.append(vectors[: len(of_record)])
        said = sum(len(passages_of(chunk, document)) for chunk in of_record)
        if len(vectors) == len(of_record) + said:
            passages.append(vectors[len(of_record) :])
        else:  # read by an earlier version: without a ranking of its own until it is read again
            unheard.add(document.id)
    folder = home.generation(number)
    with _refused(home.root):
        VectorIndex.build(
            folder,
            chunks,
            documents,
            np.concatenate(embeddings),
            manifest.embedder,
            np.concatenate(passages) if passages else None,
            unheard,
            searched=searched,
        )
        if searched:
            compact(folder)


def build_knowledge(home: Home, number: int, manifest: Manifest) -> None:
    """Write the knowledge graph, the vectors of its printed lines and the catalogue. Those of the generation in use
    are not made again; and the documents' annotations with concepts, where the home has an ontology. HomeWriteError,
    RecordDamagedError, DecisionsError, OntologyDamagedError."""
    from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
    from tools.knowledge.search.nearest_figures import printed_lines
    from tools.knowledge.search.stored_line_items import save_line_items

    triplets: list[Triplet] = []
    documents: dict[str, Document] = {}
    for record in _records(home, manifest):
        document = record.document()
        documents[document.id] = document
        triplets += record.triplets()
    folder = home.generation(number)
    decisions = decisions_of(home)
    graph = KnowledgeGraph.build(triplets, documents, decisions)
    printed = printed_lines(graph)
    lines = _line_vectors(home, printed) if printed else None
    with writing(home.root):
        graph.save(folder / KNOWLEDGE)
        save_line_items(graph, folder / KNOWLEDGE, line_item_code())
        if lines is not None:
            lines.save(folder / LINES)
        if decisions:
            write_file(folder / USED, digest_of(decisions))
        write_file(folder / CATALOG, _dump_catalog(documents, triplets, len(graph)))
    if stored := ontologies_of(home):
        _annotate(home, folder, manifest, stored)


def _annotate(home: Home, folder: Path, manifest: Manifest, stored: Sequence[StoredOntology]) -> None:
    """Write which concepts the chunks speak of; chunks have their vectors, so nothing is embedded."""
    from tools.ontology.annotate import annotate
    from tools.ontology.annotated import contents
    from tools.ontology.rdf_files import dump_lines

    chunks: list[Chunk] = []
    embeddings: list[Vectors] = []
    for record in _records(home, manifest):
        of_record = record.chunks()
        chunks += of_record
        embeddings.append(record.embeddings()[: len(of_record)])
    vectors = np.concatenate(embeddings)
    concepts, links, definitions = loaded(home, stored, manifest.embedder, vectors.shape[1])
    found = annotate(concepts, definitions, [chunk.text for chunk in chunks], vectors)
    annotated = zip((chunk.id for chunk in chunks), found, strict=True)
    files = contents(dump_lines(concepts, links), definitions, annotated)
    with writing(home.root):
        make_folder(folder / ONTOLOGY)
        for name, data in files.items():
            write_file(folder / ONTOLOGY / name, data)
        write_file(folder / USED_ONTOLOGIES, digest_of_ontologies(stored))


def finish_generation(
    home: Home, number: int, manifest: Manifest, *, searched: bool = True
) -> GenerationSeal:
    """Seal the generation, see it to the disk and switch readers to it. HomeWriteError."""
    from tools.vector.index_record import IndexRecord

    folder = home.generation(number)
    with _readable(home.root):
        index = IndexRecord.load(folder / "vectors.json")
        catalog = hash_file(folder / CATALOG)
        seal = GenerationSeal(
            embedder=manifest.embedder,
            code=_code(searched=searched),
            vectors=index.digest,
            knowledge=hash_file(folder / KNOWLEDGE / "graph.jsonl"),
            catalog=catalog,
            documents=len(manifest.entries),
            chunks=len(index.rows),
            duplicates=index.duplicates,
            triplets=orjson.loads((folder / CATALOG).read_bytes())["triplets"],
            files=hash_files(folder, leave_out=(SEAL, IN_USE)),
        )
        write_file(folder / SEAL, seal.dump())
        note_sound(folder, seal.files)
        sync_tree(folder)
        sync_folder(home.generations)
        sync_folder(home.root)
    home.set_current(number)
    return seal


def sweep(home: Home) -> list[int]:
    """Delete generations that are neither in use nor held by a reader, and what a kill left of ontologies; returns
    those that readers still hold.

    The caller holds the writer's lock. HomeWriteError, HomeReadError.
    """
    kept = []
    with writing(home.root):
        current = home.current()
        for path in home.generations.glob(".doomed-*"):
            shutil.rmtree(path)
        for number in home.numbers():
            if number == current:
                continue
            folder = home.generation(number)
            lock = FileLock.try_take(folder / IN_USE, shared=False)
            if lock is None:
                kept.append(number)
                continue
            delete_tree(folder)
            lock.release()
    sweep_ontologies(home)
    return kept


def read_catalog(data: bytes) -> tuple[dict[str, Document], dict[str, tuple[Period, ...]]]:
    """Documents by id, and each company's periods, of facts and documents. ValueError, KeyError or
    TypeError.
    """
    stored = orjson.loads(data)
    documents = [load_document(orjson.dumps(fields)) for fields in stored["documents"]]
    periods = {
        company: tuple(
            Period(None if end is None else date.fromisoformat(end), months, year, quarter)
            for end, months, year, quarter in rows
        )
        for company, rows in stored["periods"].items()
    }
    return {document.id: document for document in documents}, periods


def _dump_catalog(documents: dict[str, Document], triplets: list[Triplet], edges: int) -> bytes:
    """What a question needs before any index is opened."""
    periods: dict[str, set[Period]] = {document.company_key: set() for document in documents.values()}
    for document in documents.values():
        periods[document.company_key].add(document.period)
    for triplet in triplets:
        periods[triplet.company_key].add(triplet.period)
    return orjson.dumps(
        {
            "documents": [orjson.Fragment(dump_record(documents[key]).rstrip()) for key in sorted(documents)],
            "periods": {company: _period_rows(found) for company, found in sorted(periods.items())},
            "triplets": edges,
        }
    )


def _period_rows(periods: set[Period]) -> list[list[object]]:
    rows: list[list[object]] = [
        [p.end.isoformat() if p.end else None, p.months, p.fiscal_year, p.fiscal_quarter] for p in periods
    ]
    return sorted(rows, key=lambda row: [(value is not None, str(value)) for value in row])


def _line_vectors(home: Home, lines: Collection[str]) -> LineVectors | None:
    """None without the encoder's files: whoever asks is told what is missing."""
    from tools.vector.line_item_encoder import LineItemEncoder

    encoder = LineItemEncoder()
    encoder.recall(_sound_lines(home))
    try:
        return encoder.stored(lines)
    except ModelFileError:
        return None


def has_lines_of_encoder(home: Home) -> bool:
    """Whether the vectors of the printed lines in use, if there are any, are by the encoder of this program: those of
    another are of no use to questions."""
    from tools.vector.line_item_encoder import LineItemEncoder

    lines = read_lines(home.generation(home.current() or 0))
    try:
        return lines is None or lines.encoder == LineItemEncoder().id
    except ModelFileError:
        return True


def _sound_lines(home: Home) -> LineVectors | None:
    """Those of the generation in use, if they are as they were sealed."""
    folder = home.generation(home.current() or 0)
    try:
        sealed = GenerationSeal.load(folder).files
    except (OSError, ValueError):
        return None
    own = {name: digest for name, digest in sealed.items() if name.startswith(f"{LINES}/")}
    return None if damage(folder, own) else read_lines(folder)


def read_lines(folder: Path) -> LineVectors | None:
    """Vectors of a generation's printed lines; None where it has none that can be read: they are made anew."""
    try:
        return LineVectors.load(folder / LINES)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _records(home: Home, manifest: Manifest) -> Iterator[StoredRecord]:
    """The records in canonical order, each seal compared with the manifest."""
    for entry in sorted(manifest.entries, key=lambda entry: entry.document_id):
        record = StoredRecord(home.root, entry.record, entry.name)
        record.check_seal(entry.record_sha256)
        yield record


@contextmanager
def _refused(home: Path) -> Iterator[None]:
    """What the operating system refuses Chroma, too, becomes a HomeWriteError."""
    from chromadb.errors import ChromaError

    try:
        with writing(home):
            yield
    except (sqlite3.Error, ChromaError) as error:
        raise HomeWriteError(home, str(error)) from error
    except AttributeError as error:
        # When Chroma cannot make its database, it stumbles over itself while cleaning up.
        if isinstance(error.__context__, ChromaError):
            raise HomeWriteError(home, str(error.__context__)) from error
        raise


@contextmanager
def _readable(home: Path) -> Iterator[None]:
    """The database was written a moment ago: what SQLite says against it now is the system's refusal."""
    try:
        with writing(home):
            yield
    except sqlite3.Error as error:
        raise HomeWriteError(home, str(error)) from error


def line_item_code() -> str:
    """The version of what tells a company's line items."""
    return code_version(LINE_ITEMS, ())


def _code(*, searched: bool = True) -> str:
    return code_version(DERIVING, DERIVING_LIBRARIES) + ("" if searched else UNSEARCHED)
