"""Concepts of several ontologies put together, written with their annotations, read back, and walked."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tools.ontology import types
from tools.ontology.annotate import Annotation
from tools.ontology.annotated import AnnotatedConcepts, contents
from tools.ontology.concept_graph import MAX_VISITED, ConceptGraph
from tools.ontology.merging import merged
from tools.ontology.rdf_files import dump_lines
from tools.ontology.types import Concept, ConceptKind, Link
from tools.vector.embeddings import Vectors


def concept(name: str, kind: ConceptKind = "class", **more: object) -> Concept:
    fields = {"label": name, "file": "a.ttl", **more}
    return Concept(f"e:{name}", kind, **fields)  # type: ignore[arg-type]


def rows(*numbers: float) -> Vectors:
    return np.array([[number, 0] for number in numbers], np.float32)


def stub(name: str) -> Concept:
    return concept(name, file="", unlabelled=True, typed=False)


def test_what_one_ontology_names_and_another_defines_is_one_concept_whichever_comes_first() -> None:
    naming = ([concept("loan"), stub("debt")], [Link("e:loan", types.NARROWER, "e:debt")], rows(0.5, 0))
    defining = ([concept("debt", "concept", label="", unlabelled=True)], list[Link](), rows(0))
    for parts in ((naming, defining), (defining, naming)):
        concepts, links, _ = merged(parts)
        assert [(each.iri, each.kind, each.file) for each in concepts] == [
            ("e:debt", "concept", "a.ttl"), ("e:loan", "class", "a.ttl")
        ]  # fmt: skip
        assert links == naming[1]


def test_two_ontologies_with_one_label_keep_two_concepts_and_one_iri_with_two_labels_is_one() -> None:
    one = (
        [concept("a", label="bank"), concept("same", label="loan")],
        [Link("e:a", "e:p", "e:same")],
        rows(0.5, 0),
    )
    other = (
        [concept("b", label="bank"), concept("same", label="credit")],
        [Link("e:a", "e:p", "e:same")],
        rows(0, 0.75),
    )
    concepts, links, definitions = merged([one, other])
    assert [each.label for each in concepts] == ["bank", "bank", "loan"]
    assert concepts[2].synonyms == ("credit",)
    assert links == one[1]
    assert definitions[:, 0].tolist() == [0.5, 0.0, 0.75], "of two vectors the one that is there"


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    concepts = [
        concept("loan", synonyms=("credit",), definition="money lent\u2028"),
        concept("rate"),
        concept("swap"),
    ]
    links = [Link("e:loan", types.NARROWER, "e:gone"), Link("e:loan", "e:has", "e:rate")]
    found = [("chunk-1", [Annotation(2, 0, 4, 0.75), Annotation(2, 9, 13, 1.0)]), ("chunk-2", [])]
    for name, data in contents(dump_lines(concepts, links), rows(0.1, 0.2, 0.25), found).items():
        (tmp_path / name).write_bytes(data)
    known = AnnotatedConcepts.load(tmp_path)
    assert list(known.concepts) == concepts
    assert known.mentions == {
        "chunk-1": [Annotation(2, 0, 4, 0.75), Annotation(2, 9, 13, 1.0)],
        "chunk-2": [],
    }
    assert known.chunks_of == {2: {"chunk-1": 1.0}}
    assert known.definitions.tolist() == rows(0.1, 0.2, 0.25).tolist(), (
        "also of what no document names: it is cited"
    )
    assert list(known.links.neighbours(0)) == [("e:has", 1)], "what leads nowhere is left out"


def test_an_ontology_that_no_document_names_is_written_and_read_back(tmp_path: Path) -> None:
    for name, data in contents(dump_lines([concept("loan")], []), rows(0.1), [("chunk", [])]).items():
        (tmp_path / name).write_bytes(data)
    known = AnnotatedConcepts.load(tmp_path)
    assert known.definitions.shape == (1, 2) and known.chunks_of == {}


def test_a_walk_ends_in_circles_and_goes_by_the_strongest_way() -> None:
    concepts = [concept(name) for name in ("swap", "cap", "derivative", "has rate")]
    links = [
        Link("e:swap", types.NARROWER, "e:derivative"),
        Link("e:cap", types.NARROWER, "e:derivative"),
        Link("e:derivative", types.NARROWER, "e:swap"),
        Link("e:swap", "e:has rate", "e:cap"),
    ]
    reached = ConceptGraph(concepts, links).around(0)
    assert [(each.concept, each.weight) for each in reached[:2]] == [(0, 1.0), (2, 0.8)]
    assert reached[1].steps == ("swap", types.BROADER, "derivative")
    assert [each.concept for each in reached] == [0, 2, 1]
    assert abs(reached[2].weight - 0.8 * 0.8) < 1e-9


def test_a_walk_from_a_concept_with_very_many_neighbours_is_bounded() -> None:
    concepts = [concept(str(at)) for at in range(MAX_VISITED + 100)]
    links = [Link(each.iri, types.NARROWER, "e:0") for each in concepts[1:]]
    assert len(ConceptGraph(concepts, links).around(0)) == MAX_VISITED
