"""The ontologies of a home: what was read from their files, by digest, and the vectors of their definitions.

ontologies/<digest>.json              the record, sealed; names the folder. It comes last and goes first, each time as a
                                      whole: a kill leaves the old ontology or the new one
ontologies/<digest>-<of contents>/    concepts.jsonl links.jsonl definitions.npy
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
from tools.store.disk.code_version import code_version
from tools.store.disk.home import Home, delete_tree, reading, replace_file, sync_folder, write_file, writing
from tools.store.disk.seal import damage
from tools.store.errors import OntologyDamagedError, SelectorError

CONCEPTS, LINKS, DEFINITIONS = "concepts.jsonl", "links.jsonl", "definitions.npy"
READING, READING_LIBRARIES = ("tools.ontology.rdf_quads", "tools.ontology.merging"), ("pyoxigraph",)
"""Code on which it depends what is read from a file."""
RECORD = ".json"
"""What the name of a record ends in."""
USED = "ontologies.sha256"


@dataclass(frozen=True, slots=True)
class StoredOntology:
    """What is told of an ontology without reading it whole."""

    digest: str
    name: str
    source: str = ""
    """Absolute path of the file or folder it was read from."""
    concepts: int = 0
    links: int = 0
    stubs: int = 0
    """Concepts that its files name and none of them defines."""
    files: int = 0
    triples: int = 0
    outside: tuple[str, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    foreign: int = 0
    embedder: str = ""
    """Id of the model of its definitions' vectors."""
    code: str = ""
    """Of what read it."""
    sha256: tuple[tuple[str, str], ...] = ()
    """Of its files."""
    damaged: str = ""
    """Why its record can't be read; then nothing but its digest is known, which is its name, too."""

    @property
    def folder(self) -> str:
        """Its name: another one for other contents."""
        told = orjson.dumps([self.embedder, self.code, self.sha256])
        return f"{self.digest}-{hashlib.sha256(told).hexdigest()[:16]}"


def ontologies_of(home: Home) -> list[StoredOntology]:
    """The ontologies of a home, by digest, damaged ones among them. HomeReadError."""
    with reading(home.root):
        records = sorted(home.ontologies.glob(f"[!.]*{RECORD}"))
        return [_record(path.name.removesuffix(RECORD), path.read_bytes()) for path in records]


def is_whole(home: Home, stored: StoredOntology, embedder: str) -> bool:
    """Whether an ontology is as it was written, and as this embedder and code would make it. HomeReadError."""
    with reading(home.root):
        made_so = (stored.embedder, stored.code) == (embedder, _code())
        return made_so and not damage(home.ontologies / stored.folder, dict(stored.sha256))


def store_ontology(home: Home, ontology: Ontology, source: Path, definitions: Vectors, embedder: str) -> None:
    """Write an ontology; one of the same digest is replaced. The caller holds the writer's lock. HomeWriteError."""
    concepts, links = dump_lines(ontology.concepts, ontology.links)
    buffer = io.BytesIO()
    np.save(buffer, definitions.astype("<f4"), allow_pickle=False)
    contents = {CONCEPTS: concepts, LINKS: links, DEFINITIONS: buffer.getvalue()}
    record = StoredOntology(
        digest=ontology.digest,
        name=ontology.name,
        source=_told(source),
        concepts=len(ontology.concepts),
        links=len(ontology.links),
        stubs=sum(not each.file for each in ontology.concepts),
        files=ontology.files,
        triples=ontology.triples,
        outside=ontology.outside,
        failed=ontology.failed,
        foreign=ontology.foreign,
        embedder=embedder,
        code=_code(),
        sha256=tuple((name, hashlib.sha256(data).hexdigest()) for name, data in sorted(contents.items())),
    )
    folder = home.ontologies / record.folder
    with writing(home.root):
        delete_tree(folder)  # half of one, or damaged
        make_folder(home.ontologies)
        folder.mkdir(FOLDER_MODE)
        for name, data in contents.items():
            write_file(folder / name, data)
        sync_folder(folder)
        body = orjson.dumps(asdict(record))
        sealed = hashlib.sha256(body).hexdigest().encode() + b"\n" + body + b"\n"
        replace_file(home.ontologies / f"{record.digest}{RECORD}", sealed, private=True)
    sweep_ontologies(home)


def drop_earlier(home: Home, digest: str, source: Path) -> None:
    """Delete what was read from this file or folder before it held what `digest` names. The caller holds the writer's
    lock. HomeReadError, HomeWriteError."""
    for each in ontologies_of(home):
        if each.digest != digest and each.source == _told(source):
            drop_ontology(home, each.digest)


def _told(source: Path) -> str:
    """An absolute path as text: systems allow any bytes in one."""
    return os.fsencode(source.resolve()).decode(errors="replace")


def drop_ontology(home: Home, digest: str) -> None:
    """Delete an ontology. The caller holds the writer's lock. HomeWriteError."""
    with writing(home.root):
        (home.ontologies / f"{digest}{RECORD}").unlink()
        sync_folder(home.ontologies)
    sweep_ontologies(home)


def sweep_ontologies(home: Home) -> None:
    """Delete what belongs to no ontology of this home: what was replaced or removed, and what a kill left. The caller
    holds the writer's lock. HomeWriteError, HomeReadError."""
    stored = ontologies_of(home)
    kept = {name for each in stored for name in (each.folder, f"{each.digest}{RECORD}")}
    with writing(home.root):
        for path in home.ontologies.glob("*"):
            if path.name in kept:
                continue
            if path.is_dir() and not path.is_symlink():
                delete_tree(path)
            else:
                path.unlink()


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
    lines = "\n".join(each.folder for each in stored)
    return hashlib.sha256(lines.encode()).hexdigest().encode() if stored else b""


def used_ontologies(generation: Path) -> bytes:
    """The `digest_of_ontologies` of those that a generation was derived by. OSError."""
    try:
        return (generation / USED).read_bytes()
    except FileNotFoundError:
        return b""


def _record(digest: str, data: bytes) -> StoredOntology:
    seal, _, body = data.partition(b"\n")
    body = body.removesuffix(b"\n")
    if hashlib.sha256(body).hexdigest().encode() != seal:
        return StoredOntology(digest, digest, damaged="its record has changed")
    try:
        fields = orjson.loads(body)
        pairs = {name: tuple(tuple(pair) for pair in fields[name]) for name in ("failed", "sha256")}
        return StoredOntology(**{**fields, "outside": tuple(fields["outside"]), **pairs})
    except (ValueError, KeyError, TypeError) as error:
        return StoredOntology(digest, digest, damaged=f"its record is of another version ({error})")


def _contents(home: Home, stored: StoredOntology) -> tuple[list[Concept], list[Link], Vectors]:
    folder = home.ontologies / stored.folder
    try:
        if why := stored.damaged or damage(folder, dict(stored.sha256)):
            raise ValueError(why)
        concepts, links = (folder / CONCEPTS).read_bytes(), (folder / LINKS).read_bytes()
        definitions: Vectors = np.load(folder / DEFINITIONS, allow_pickle=False)
        return load_concepts(concepts), [*load_links(links)], definitions
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise OntologyDamagedError(home.root, stored.name, stored.digest, str(error)) from error


def _code() -> str:
    return code_version(READING, READING_LIBRARIES)
