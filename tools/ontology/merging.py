"""What several files or ontologies say of one concept, put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.ontology.annotate import Vectors
from tools.ontology.types import Concept, Link


def together(one: Concept, other: Concept) -> Concept:
    """What two sources say of one concept: the first that says of what kind it is leads, the first of its labels names
    it, and the file is that of its definition."""
    first, second = (other, one) if other.typed and not one.typed else (one, other)
    defining = second if second.definition and not first.definition else first
    named, also = (second, first) if first.unlabelled and not second.unlabelled else (first, second)
    more = () if also.unlabelled else (also.label,)
    synonyms = dict.fromkeys((*named.synonyms, *more, *also.synonyms))
    return replace(
        first,
        label=named.label,
        unlabelled=named.unlabelled,
        synonyms=tuple(text for text in synonyms if text != named.label),
        abbreviations=tuple(dict.fromkeys((*first.abbreviations, *second.abbreviations))),
        definition=defining.definition,
        file=defining.file,
        version=defining.version,
        typed=first.typed,
    )


def merged(
    parts: Sequence[tuple[Sequence[Concept], Sequence[Link], Vectors]],
) -> tuple[list[Concept], list[Link], Vectors]:
    """Concepts by IRI, links, and definitions as rows in the order of the concepts; of two vectors of one concept that
    which is there."""
    concepts: dict[str, Concept] = {}
    vectors: dict[str, Vectors] = {}
    links: dict[Link, None] = {}
    for own, of_part, definitions in parts:
        for concept, vector in zip(own, definitions, strict=True):
            known = concepts.get(concept.iri)
            concepts[concept.iri] = concept if known is None else together(known, concept)
            if concept.iri not in vectors or not vectors[concept.iri].any():
                vectors[concept.iri] = vector
        links.update(dict.fromkeys(of_part))
    order = sorted(concepts)
    rows = np.array([vectors[iri] for iri in order], np.float32)
    return [concepts[iri] for iri in order], [*links], rows
