"""The ontologies of a home: what was read from their files, by digest, and the vectors of their definitions.

ontologies/<digest>/  ontology.json concepts.jsonl links.jsonl definitions.npy
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import orjson

from tools.ontology.annotate import Vectors
from tools.ontology.merging import merged
from tools.ontology.rdf_files import Ontology, dump_lines, load_concepts, load_links
from tools.ontology.types import Concept, Link
from tools.private_files import FOLDER_MODE, make_folder
from tools.store.disk.home import Home, delete_tree, reading, sync_folder, write_file, writing
from tools.store.errors import OntologyDamagedError, SelectorError

RECORD, CONCEPTS, LINKS, DEFINITIONS = "ontology.json", "concepts.jsonl", "links.jsonl", "definitions.npy"
DRAFT = ".draft-"
USED = "ontologies.sha256"


@dataclass(frozen=True, slots=True)
class StoredOntology:
    """What is told of an ontology without reading it whole."""

    digest: str
    name: str
    source: str
    """Absolute path of the file or folder it was read from."""
    concepts: int
    links: int
    stubs: int
    """Concepts that its files name and none of them defines."""
    files: int
    triples: int
    outside: tuple[str, ...]
    failed: tuple[tuple[str, str], ...]
    foreign: int
    embedder: str
    """Id of the model of its definitions' vectors."""
    sha256: tuple[tuple[str, str], ...]
    """Of its other files."""


def ontologies_of(home: Home) -> list[StoredOntology]:
    """The ontologies of a home, by digest. OntologyDamagedError, HomeReadError."""
    with reading(home.root):
        folders = sorted(home.ontologies.iterdir()) if home.ontologies.is_dir() else []
    return [_record(home, folder) for folder in folders if not folder.name.startswith(DRAFT)]


def store_ontology(home: Home, ontology: Ontology, source: Path, definitions: Vectors, embedder: str) -> None:
    """Write an ontology; one of the same digest is replaced. The caller holds the writer's lock. HomeWriteError."""
    concepts, links = dump_lines(ontology.concepts, ontology.links)
    buffer = io.BytesIO()
    np.save(buffer, definitions.astype("<f4"), allow_pickle=False)
    contents = {CONCEPTS: concepts, LINKS: links, DEFINITIONS: buffer.getvalue()}
    record = StoredOntology(
        digest=ontology.digest,
        name=ontology.name,
        source=str(source.resolve()),
        concepts=len(ontology.concepts),
        links=len(ontology.links),
        stubs=sum(not each.file for each in ontology.concepts),
        files=ontology.files,
        triples=ontology.triples,
        outside=ontology.outside,
        failed=ontology.failed,
        foreign=ontology.foreign,
        embedder=embedder,
        sha256=tuple((name, hashlib.sha256(data).hexdigest()) for name, data in sorted(contents.items())),
    )
    folder = home.ontologies / ontology.digest
    draft = home.ontologies / f"{DRAFT}{ontology.digest}-{os.getpid()}"
    with writing(home.root):
        sweep_drafts(home)
        make_folder(home.ontologies)
        draft.mkdir(FOLDER_MODE)
        for name, data in {**contents, RECORD: orjson.dumps(asdict(record))}.items():
            write_file(draft / name, data)
        sync_folder(draft)
        delete_tree(folder)
        draft.rename(folder)
        sync_folder(home.ontologies)


def drop_ontology(home: Home, digest: str) -> None:
    """Delete an ontology. The caller holds the writer's lock. HomeWriteError."""
    with writing(home.root):
        delete_tree(home.ontologies / digest)
        sweep_drafts(home)


def sweep_drafts(home: Home) -> None:
    """Delete what a killed `store_ontology` left. OSError."""
    for draft in home.ontologies.glob(f"{DRAFT}*"):
        delete_tree(draft)


def chosen(stored: Sequence[StoredOntology], selector: str) -> StoredOntology:
    """The ontology of this name or digest, or its beginning. SelectorError."""
    named = [each for each in stored if each.name == selector]
    begins = [each for each in stored if len(selector) >= 4 and each.digest.startswith(selector)]
    if len(found := named or begins) == 1:
        return found[0]
    names = ", ".join(f"{each.name} ({each.digest})" for each in found or stored)
    if found:
        raise SelectorError(f"'{selector}' is more than one ontology: {names}. Give the digest.")
    there = f"There are {names}." if stored else "There is none. Run: hybridrag ontology add PATH"
    raise SelectorError(f"No ontology '{selector}'. {there}")


def loaded(
    home: Home, stored: Sequence[StoredOntology], embedder: str, dimension: int
) -> tuple[list[Concept], list[Link], Vectors]:
    """The concepts and links of several ontologies as one, and their definitions: (concepts, dimension), zeros where
    there is none, or one of another model than `embedder`. OntologyDamagedError."""
    parts = [_contents(home, each) for each in stored]
    vectors = [
        definitions
        if each.embedder == embedder and definitions.shape[1] == dimension
        else np.zeros((len(concepts), dimension), np.float32)
        for each, (concepts, _, definitions) in zip(stored, parts, strict=True)
    ]
    return merged([(concepts, links, own) for (concepts, links, _), own in zip(parts, vectors, strict=True)])


def digest_of_ontologies(stored: Sequence[StoredOntology]) -> bytes:
    """What a generation keeps of the ontologies that it was derived by."""
    lines = "\n".join(f"{each.digest} {each.embedder}" for each in stored)
    return hashlib.sha256(lines.encode()).hexdigest().encode() if stored else b""


def used_ontologies(generation: Path) -> bytes:
    """The `digest_of_ontologies` of those that a generation was derived by. OSError."""
    try:
        return (generation / USED).read_bytes()
    except FileNotFoundError:
        return b""


def _record(home: Home, folder: Path) -> StoredOntology:
    try:
        fields = orjson.loads((folder / RECORD).read_bytes())
        pairs = {name: tuple(tuple(pair) for pair in fields[name]) for name in ("failed", "sha256")}
        return StoredOntology(**{**fields, "outside": tuple(fields["outside"]), **pairs})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise OntologyDamagedError(home.root, folder.name, str(error)) from error


def _contents(home: Home, stored: StoredOntology) -> tuple[list[Concept], list[Link], Vectors]:
    folder = home.ontologies / stored.digest
    try:
        data = {name: (folder / name).read_bytes() for name, _ in stored.sha256}
        for name, digest in stored.sha256:
            if hashlib.sha256(data[name]).hexdigest() != digest:
                raise ValueError(f"{name} has changed")
        definitions: Vectors = np.load(io.BytesIO(data[DEFINITIONS]), allow_pickle=False)
        return load_concepts(data[CONCEPTS]), [*load_links(data[LINKS])], definitions
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise OntologyDamagedError(home.root, stored.name, str(error)) from error
