"""Ontologies come and go: read and embedded, written to the home, then the documents are annotated with them. Documents
are neither read nor embedded again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from tools.ontology.annotate import Vectors
from tools.ontology.rdf_files import Ontology, read_ontology
from tools.store.disk.home import Home
from tools.store.disk.lock import WriterLock
from tools.store.disk.ontologies import (
    StoredOntology,
    chosen,
    drop_earlier,
    drop_ontology,
    is_whole,
    ontologies_of,
    store_ontology,
)
from tools.store.errors import SelectorError
from tools.store.runs.deriving import change_and_derive
from tools.vector.embeddings import Embedder

EMBEDDED_AT_ONCE = 64
OnStep = Callable[[str, int, int], None]
"""What is being done ('reading', 'embedding', 'annotating'), how much of it is done, of how much."""


def add_ontology(home: Path, path: Path, embedder: Embedder, on_step: OnStep) -> StoredOntology:
    """Add the ontology of a file or folder. One with the same bytes that is there already is kept where it is whole and
    its definitions are of this embedder's; what was read from the same place before is replaced. A home without
    documents keeps it for those that come.

    OntologyError where there is none to be read; HomeLockedError, and as `change_and_derive`."""
    place = Home(home)
    ontology = read_ontology(path, on_file=lambda done, total: on_step("reading", done, total))

    def store() -> None:
        known = _known(place, ontology.digest)
        if known is None or not is_whole(place, known, embedder.id):
            definitions = _embedded(ontology, embedder, on_step)
            store_ontology(place, ontology, path, definitions, embedder.id)
        drop_earlier(place, ontology.digest, path)
        on_step("annotating", 0, 1)

    with WriterLock.take(home):
        change_and_derive(place, store)  # also where it is kept: adding it may have been killed before
    stored = _known(place, ontology.digest)
    assert stored is not None
    return stored


def remove_ontology(home: Path, selector: str) -> StoredOntology:
    """Take an ontology out by its name or digest; a damaged one by its digest. SelectorError, HomeLockedError, and as
    `change_and_derive`."""
    place = Home(home)
    if not place.ontologies.is_dir():  # a home that is none is not made one
        return chosen((), selector)
    with WriterLock.take(home):
        try:
            meant = chosen(ontologies_of(place), selector)
        except SelectorError:
            change_and_derive(place, lambda: None)  # by a removal of it that was killed
            raise
        change_and_derive(place, lambda: drop_ontology(place, meant.digest))
    return meant


def _known(place: Home, digest: str) -> StoredOntology | None:
    return next((each for each in ontologies_of(place) if each.digest == digest), None)


def _embedded(ontology: Ontology, embedder: Embedder, on_step: OnStep) -> Vectors:
    """(concepts, dimension): of each class and SKOS concept with a label of its own the name and definition, else
    zeros: individuals and properties are found by their names alone."""
    vectors = np.zeros((len(ontology.concepts), embedder.dimension), np.float32)
    wanted = [
        at
        for at, each in enumerate(ontology.concepts)
        if each.kind in ("class", "concept") and not each.unlabelled
    ]
    for start in range(0, len(wanted), EMBEDDED_AT_ONCE):
        on_step("embedding", start, len(wanted))
        places = wanted[start : start + EMBEDDED_AT_ONCE]
        concepts = [ontology.concepts[at] for at in places]
        texts = [f"{each.label}: {each.definition}" if each.definition else each.label for each in concepts]
        vectors[places] = embedder.embed(texts)
    return vectors
