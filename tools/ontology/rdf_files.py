"""A folder or file of RDF -> one ontology, read by a child process under limits; what is wrong with a file is told, and
the rest is read."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import orjson

from tools.documents.text.cleaning import clean, squeeze
from tools.ontology.merging import together
from tools.ontology.types import Concept, Link, name_of_iri

SUFFIXES = (".rdf", ".owl", ".xml", ".ttl", ".nt", ".nq", ".trig", ".n3", ".jsonld")
MAX_FILES = 20_000
TOO_MUCH = "it takes too much memory or time, or is nested too deep"


@dataclass(frozen=True, slots=True)
class RdfLimits:
    """What reading one file may cost."""

    seconds: float = 300.0
    seconds_per_page: float = 0.0
    memory_bytes: int = 3 << 30
    file_bytes: int = 400 << 20
    triples: int = 5_000_000


LIMITS = RdfLimits()


class OntologyError(ValueError):
    """Nothing that is an ontology; says what was looked at."""


@dataclass(frozen=True, slots=True)
class Ontology:
    """What the files of one `ontology add` say together."""

    digest: str
    """16 hex digits over the bytes of the files that were read, whatever they are called and however often."""
    name: str
    """Of the folder or file."""
    concepts: tuple[Concept, ...]
    """By IRI. Stubs, which files name and none defines, come without a file."""
    links: tuple[Link, ...]
    files: int
    triples: int
    outside: tuple[str, ...] = ()
    """Imports that none of the files is."""
    failed: tuple[tuple[str, str], ...] = ()
    """(file, why) of each that could not be read."""
    foreign: int = 0
    """Texts in other languages than English, which were left out."""


def read_ontology(
    path: Path, limits: RdfLimits = LIMITS, on_file: Callable[[int, int], None] = lambda done, total: None
) -> Ontology:
    """Read a file, or all RDF files below a folder; links by name are not followed. `on_file`: how many files are read,
    of how many.

    OntologyError where the folder can't be listed, no file could be read or none names a concept."""
    files = files_of(path)
    contents = _Contents()
    read = 0
    while read < len(files):
        read += _read_in_child(files[read:], limits, contents, partial(_told, on_file, read, len(files)))
    if not contents.concepts:
        raise OntologyError(_nothing(path, contents))
    concepts, links = contents.merged()
    return Ontology(
        digest=hashlib.sha256("\n".join(sorted(contents.hashes)).encode()).hexdigest()[:16],
        name=_shown(path.resolve()),
        concepts=concepts,
        links=links,
        files=contents.files,
        triples=contents.triples,
        outside=tuple(sorted(contents.imports - contents.ontologies)),
        failed=tuple(contents.failed),
        foreign=contents.foreign,
    )


def _shown(path: Path) -> str:
    """A file's name, as it may be kept and shown: systems allow any bytes in one."""
    return squeeze(clean(path.name))


def _told(on_file: Callable[[int, int], None], before: int, total: int, at: int) -> None:
    on_file(before + at, total)


def files_of(path: Path) -> list[Path]:
    """The RDF files below a folder, by path; a file that is named itself, whatever it is called. OntologyError, also
    where a folder below can't be listed: nothing is left out unsaid."""
    try:
        if path.is_file():
            return [path]
        is_folder = path.is_dir()
    except OSError as error:  # a name too long for the system, say
        raise OntologyError(f"Cannot read '{_shown(path)}': {error.strerror}.") from error
    if not is_folder:
        raise OntologyError(f"No file or folder '{path}'.")
    found = []
    for root, folders, names in os.walk(path, onerror=_unlisted):  # does not follow links to folders
        folders.sort()
        named = (Path(root, name) for name in sorted(names) if name.lower().endswith(SUFFIXES))
        found += [file for file in named if file.is_file() and not file.is_symlink()]
        if len(found) > MAX_FILES:
            raise OntologyError(f"'{path}' holds more than {MAX_FILES:,} RDF files.")
    if not found:
        raise OntologyError(f"'{path}' holds no RDF file ({', '.join(SUFFIXES)}).")
    return found


def _unlisted(error: OSError) -> NoReturn:
    raise OntologyError(f"Cannot list '{error.filename}': {error.strerror}.") from error


class _Contents:
    """What has been read so far."""

    def __init__(self) -> None:
        self.concepts: dict[str, Concept] = {}
        self.links: dict[Link, None] = {}
        self.hashes: set[str] = set()
        self.ontologies: set[str] = set()
        self.imports: set[str] = set()
        self.failed: list[tuple[str, str]] = []
        self.files = self.triples = self.foreign = 0

    def take(self, concepts: Iterable[Concept], links: Iterable[Link], end: dict[str, Any]) -> None:
        """A file that was read to its end."""
        for concept in concepts:
            known = self.concepts.get(concept.iri)
            self.concepts[concept.iri] = concept if known is None else together(known, concept)
        self.links.update(dict.fromkeys(links))
        self.hashes.add(end["sha256"])
        self.ontologies |= {end["ontology"], end["version"]}
        self.imports |= set(end["imports"])
        self.files += 1
        self.triples += end["triples"]
        self.foreign += end["foreign"]

    def merged(self) -> tuple[tuple[Concept, ...], tuple[Link, ...]]:
        named = {iri for link in self.links for iri in (link.source, link.target)}
        untold = named - self.concepts.keys()
        stubs = (Concept(iri, "class", name_of_iri(iri), unlabelled=True, typed=False) for iri in untold)
        concepts = sorted([*self.concepts.values(), *stubs], key=lambda each: each.iri)
        links = sorted(self.links, key=lambda each: (each.source, each.relation, each.target))
        return tuple(concepts), tuple(links)


def _read_in_child(
    files: Sequence[Path], limits: RdfLimits, contents: _Contents, on_file: Callable[[int], None]
) -> int:
    """Read files until all are read or the process ends; how many need not be read again. OntologyError where it does
    not begin."""
    command = [
        sys.executable,
        "-P",
        "-m",
        "tools.ontology.rdf_process",
        json.dumps(asdict(limits)),
        str(os.getpid()),
    ]
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as child:
        try:
            return _followed(child, files, limits, contents, on_file)
        finally:
            child.kill()


def _followed(
    child: subprocess.Popen[bytes],
    files: Sequence[Path],
    limits: RdfLimits,
    contents: _Contents,
    on_file: Callable[[int], None],
) -> int:
    """What the child says, file by file; it is killed where it says nothing for twice the time that a file may cost."""
    assert child.stdin is not None and child.stdout is not None
    with contextlib.suppress(BrokenPipeError), child.stdin as paths:  # broken where it ended: said below
        paths.write(b"\0".join(os.fsencode(file.resolve()) for file in files))
    begun, concepts, links = 0, list[Concept](), list[Link]()
    ended = True
    timer = _kill_after(child, 2 * limits.seconds)
    try:
        for line in child.stdout:
            record = orjson.loads(line) if line.endswith(b"\n") else {}
            if "begin" in record:
                begun, concepts, links, ended = int(record["begin"]) + 1, [], [], False
                timer.cancel()
                timer = _kill_after(child, 2 * limits.seconds)
            elif "concept" in record:
                concepts.append(_concept(record["concept"]))
            elif "link" in record:
                links.append(Link(**record["link"]))
            elif record:
                ended = True
                on_file(begun)
                if "end" in record:
                    contents.take(concepts, links, record["end"])
                else:
                    contents.failed.append((_shown(files[begun - 1]), record["failed"]))
    finally:
        timer.cancel()
    if begun == 0:
        raise OntologyError(f"The process that reads RDF did not begin (exit status {child.wait()}).")
    if not ended:
        contents.failed.append((_shown(files[begun - 1]), TOO_MUCH))
    return begun


def _kill_after(child: subprocess.Popen[bytes], seconds: float) -> threading.Timer:
    timer = threading.Timer(seconds, child.kill)
    timer.daemon = True
    timer.start()
    return timer


def _concept(fields: dict[str, Any]) -> Concept:
    return Concept(
        **{**fields, "synonyms": tuple(fields["synonyms"]), "abbreviations": tuple(fields["abbreviations"])}
    )


def _nothing(path: Path, contents: _Contents) -> str:
    if contents.failed:
        first = "; ".join(f"{name}: {why}" for name, why in contents.failed[:3])
        return f"'{path}' could not be read as an ontology ({first})."
    return f"'{path}' names no class, property, individual or SKOS concept."


def dump_lines(concepts: Iterable[Concept], links: Iterable[Link]) -> tuple[bytes, bytes]:
    """Concepts and links as JSON Lines."""
    return (
        b"".join(orjson.dumps(each) + b"\n" for each in concepts),
        b"".join(orjson.dumps([each.source, each.relation, each.target]) + b"\n" for each in links),
    )


def load_concepts(data: bytes) -> list[Concept]:
    """The inverse of `dump_lines`' first. ValueError, TypeError or KeyError."""
    return [_concept(orjson.loads(line)) for line in data.splitlines()]


def load_links(data: bytes) -> Iterator[Link]:
    """The inverse of `dump_lines`' second. ValueError or TypeError."""
    return (Link(*orjson.loads(line)) for line in data.splitlines())
