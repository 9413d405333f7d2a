"""Terms that no concept names."""

from __future__ import annotations

from tools.ontology.coverage import uncovered
from tools.ontology.names import ConceptNames
from tools.ontology.types import Concept


def test_frequent_terms_without_a_concept_are_told_and_those_with_one_are_counted() -> None:
    texts = [
        ("one", "Goodwill is tested each year. The credit facility expires."),
        ("two", "Goodwill was impaired; credit facilities were drawn."),
        ("two", "The gross margin, in percent."),
        ("three", "Our gross margin was higher, in percent."),
        ("three", "Synergies are expected."),
        ("one", "It is told in percent."),
    ]
    names = ConceptNames([Concept("ex:facility", "class", "credit facility")])
    terms, covered = uncovered(texts, names)
    assert [(term.text, term.chunks, term.documents) for term in terms] == [
        ("goodwill", 2, 2),
        ("gross margin", 2, 2),
        ("percent", 3, 3),
    ]
    assert 0 < covered < 1


def test_without_texts_nothing_is_told() -> None:
    assert uncovered([], ConceptNames([])) == ([], 0.0)
