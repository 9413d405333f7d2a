"""From a question to concepts, and from concepts to passages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.unit.tools.vector.conftest import Corpus, WordEmbedder, corpus_of, make_document
from tools.evidence import ONTOLOGY, Evidence
from tools.ontology import types
from tools.ontology.annotate import Annotation
from tools.ontology.annotated import AnnotatedConcepts
from tools.ontology.names import ConceptNames
from tools.ontology.navigate import walk
from tools.ontology.ontology_search import ontology_search
from tools.ontology.types import Concept, Link
from tools.scope import Scope
from tools.vector.index import VectorIndex
from tools.vector.vector_search import vector_search

CONCEPTS = (
    Concept("ex:derivative", "class", "hedging instrument", definition="contract that moves risk elsewhere"),
    Concept(
        "ex:forward",
        "class",
        "currency forward",
        definition="contract on money",
        file="f.ttl",
        version="ex:2",
    ),
    Concept("ex:swap", "class", "rate swap", synonyms=("swap of rates",), definition="exchange of payments"),
    Concept("ex:goodwill", "class", "goodwill", definition="price above value"),
)
LINKS = (
    Link("ex:forward", types.NARROWER, "ex:derivative"),
    Link("ex:swap", types.NARROWER, "ex:derivative"),
)
TEXTS = (
    "The company bought currency forwards in March.",
    "A rate swap ends next year.",
    "Chip sales rose on demand from data centers.",
    "Chip sales fell in Europe.",
    *(f"Store {n} opened with a cafe." for n in range(30)),
)


@pytest.fixture
def corpus() -> Corpus:
    return corpus_of({"apex": (make_document("apex.pdf", "APEX"), TEXTS)})


@pytest.fixture
def index(corpus: Corpus, tmp_path: Path) -> VectorIndex:
    corpus.build(tmp_path)
    return VectorIndex.open(tmp_path, WordEmbedder())


@pytest.fixture
def known(corpus: Corpus) -> AnnotatedConcepts:
    names = ConceptNames(CONCEPTS)
    mentions = {
        chunk.id: [
            Annotation(at, each.start, each.end, 1.0)
            for each in names.find(chunk.text)
            for at in each.concepts
        ]
        for chunk in corpus.chunks
    }
    definitions = WordEmbedder().embed([f"{each.label}: {each.definition}" for each in CONCEPTS])
    return AnnotatedConcepts(CONCEPTS, LINKS, mentions, definitions)


def started(known: AnnotatedConcepts, question: str) -> list[str] | None:
    found = walk(known, question, WordEmbedder().embed_query(question))
    return None if found is None else [known.concepts[at].label for at in found.starts]


def texts(found: Sequence[Evidence]) -> list[str]:
    return [item.text for item in found]


def test_a_question_leads_from_the_concept_that_it_names_to_what_documents_name(
    known: AnnotatedConcepts,
) -> None:
    asked = "Which hedging instruments does Apex use?"
    found = walk(known, asked, WordEmbedder().embed_query(asked))
    assert found is not None and found.named
    assert {known.concepts[each.concept].label for each in found.reached} == {"currency forward", "rate swap"}
    assert "swap of rates" not in found.names  # synonyms of what is asked, not of what is reached
    assert started(known, "What is a swap of rates?") == ["rate swap"]


def test_a_concept_of_which_no_document_speaks_leads_nowhere(known: AnnotatedConcepts) -> None:
    assert started(known, "How is goodwill tested?") is None
    assert started(known, "How many stores opened?") is None


def test_a_question_that_comes_near_a_definition_leads_there_without_naming_it(
    known: AnnotatedConcepts,
) -> None:
    asked = "rate swap: exchange of the payments"
    near = AnnotatedConcepts(known.concepts, LINKS, known.mentions, known.definitions)
    near.names = ConceptNames(())  # type: ignore[misc]  # nothing is named
    found = walk(near, asked, WordEmbedder().embed_query(asked))
    assert found is not None and not found.named
    assert [near.concepts[at].label for at in found.starts] == ["rate swap"]


def test_passages_that_name_a_neighbour_are_found_with_the_way_to_them(
    index: VectorIndex, known: AnnotatedConcepts
) -> None:
    asked, scope = "Which hedging instruments does Apex use?", Scope(companies=("APEX",))
    regular = texts(vector_search(index, asked, scope, 2))
    found = ontology_search(index, known, asked, scope, 2)
    assert {TEXTS[0], TEXTS[1]} == set(texts(found)) != set(regular)
    why = {item.text: item.why for item in found}
    assert why[TEXTS[0]] == "hedging instrument, is broader than, currency forward"
    assert [item.rank for item in found] == [1, 2]


@pytest.mark.parametrize("question", ["Why did chip sales rise?", "", "How is goodwill tested?"])
def test_without_a_concept_the_result_is_the_regular_one(
    question: str, index: VectorIndex, known: AnnotatedConcepts
) -> None:
    assert ontology_search(index, known, question, k=5) == vector_search(index, question, k=5)


def test_a_weight_of_nothing_leads_nowhere(index: VectorIndex, known: AnnotatedConcepts) -> None:
    asked = "Which hedging instruments does Apex use?"
    assert ontology_search(index, known, asked, k=5, concept_weight=0) == vector_search(index, asked, k=5)


def test_a_definition_comes_first_where_no_document_in_particular_is_asked_about(
    index: VectorIndex, known: AnnotatedConcepts
) -> None:
    asked = "What is a currency forward?"
    first = ontology_search(index, known, asked, k=3)[0]
    assert first.text == "Currency forward means contract on money."
    assert (first.document_id, first.document, first.section) == (ONTOLOGY, "f.ttl", "ex:2")
    within = ontology_search(index, known, asked, Scope(companies=("APEX",)), k=3)
    assert ONTOLOGY not in {item.document_id for item in within}


def test_nothing_outside_the_scope_is_found(index: VectorIndex, known: AnnotatedConcepts) -> None:
    asked = "Which hedging instruments does Apex use?"
    assert ontology_search(index, known, asked, Scope(companies=("OTHER",)), k=3) == []


def test_rows_of_definitions_without_one_are_zeros_and_near_to_nothing(known: AnnotatedConcepts) -> None:
    bare = AnnotatedConcepts(CONCEPTS, LINKS, known.mentions, np.zeros_like(known.definitions))
    assert started(bare, "anything at all") is None


def test_in_a_small_index_every_name_counts(known: AnnotatedConcepts) -> None:
    few = dict(list(known.mentions.items())[:2])
    small = AnnotatedConcepts(CONCEPTS, LINKS, few, known.definitions)
    assert started(small, "Which hedging instruments does Apex use?") == ["hedging instrument"]


def test_what_is_too_common_to_start_from_is_not_come_to_as_the_nearest_either() -> None:
    mentions = {f"chunk-{n}": [Annotation(2, 0, 4, 1.0)] for n in range(9)}
    definitions = WordEmbedder().embed([f"{each.label}: {each.definition}" for each in CONCEPTS])
    common = AnnotatedConcepts(CONCEPTS, LINKS, mentions, definitions)
    assert started(common, "rate swap: exchange of the payments") is None
