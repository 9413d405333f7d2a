"""`evals.attacks.faults` with `add WHAT`, `replace WHAT` and `remove WHAT` of small ontologies that need not be read:
for kills at many write points."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

from evals.attacks.faults import main
from tests.store_stand_ins import HashEmbedder
from tools.ontology.rdf_files import Ontology
from tools.ontology.types import NARROWER, Concept, Link
from tools.private_files import keep_others_out
from tools.store.errors import StoreError
from tools.store.runs.ontology_run import add_ontology, remove_ontology

NS = "http://e.example/"


def ontology_of(name: str, *labels: str) -> Ontology:
    """Classes of these labels, each falling under the next."""
    concepts = tuple(
        Concept(NS + label.replace(" ", ""), "class", label, file=name, definition=f"what {label} is")
        for label in sorted(labels)
    )
    links = tuple(Link(one.iri, NARROWER, other.iri) for one, other in pairwise(concepts))
    digest = hashlib.sha256(name.encode()).hexdigest()[:16]
    return Ontology(digest, name, concepts, links, files=1, triples=len(labels))


def add_light(home: Path, what: str, *labels: str, embedder: HashEmbedder | None = None) -> None:
    """`add_ontology` of an `ontology_of`, by default of two concepts."""
    known = ontology_of(what, *(labels or ("credit facility", "interest rate swap")))

    def read(path: Path, on_file: Callable[[int, int], None]) -> Ontology:
        return known

    with patch("tools.store.runs.ontology_run.read_ontology", read):
        add_ontology(home, Path(what), embedder or HashEmbedder(), lambda *_: None)


def _run(argv: list[str]) -> int:
    verb, what, _, home = argv
    try:
        if verb == "remove":
            remove_ontology(Path(home), what)
        else:
            add_light(Path(home), what, embedder=HashEmbedder("other" if verb == "replace" else "hash"))
    except StoreError as error:
        print(error)
        return 2
    return 0


if __name__ == "__main__":
    keep_others_out()
    with patch("agent.cli.main.main", _run):
        main()
