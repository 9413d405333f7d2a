"""What an ontology is here: concepts with names and a definition, and named relations between two of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from tools.documents.text.cleaning import clean, name_words, squeeze

ConceptKind = Literal["class", "property", "individual", "concept"]
"""An OWL or RDFS class, a property, a named individual, a SKOS concept."""

NARROWER, BROADER = "is a kind of", "is broader than"
"""Relation of a concept to one that it falls under (rdfs:subClassOf, rdfs:subPropertyOf, skos:broader); and back."""
INSTANCE, HAS_INSTANCE = "is one of", "has among it"
"""Relation of an individual to its class (rdf:type, owl:oneOf); and back."""
SAME = "is the same as"
"""owl:equivalentClass, owl:equivalentProperty, owl:sameAs, skos:exactMatch."""
PART_OF_UNION = "may be"
"""Of a class to each member of a union that it lies within (owl:unionOf)."""
INVERSE = "is the inverse of"
HAS_DOMAIN, HAS_RANGE = "is said of", "points to"
"""Of a property to the classes of what it relates (rdfs:domain, rdfs:range)."""
RELATED = "is related to"
"""skos:related, skos:closeMatch."""


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept of an ontology."""

    iri: str
    kind: ConceptKind
    label: str
    """Its preferred name in English; made of the end of its IRI where it has none."""
    synonyms: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    definition: str = ""
    file: str = ""
    """Name of the file that its definition stands in, else of the first that says what it is; '' for a stub: one that
    files relate others to and none tells of."""
    version: str = ""
    """Version IRI of that file's ontology; its IRI where it has no version."""
    typed: bool = True
    """Whether a file says of what kind it is."""
    unlabelled: bool = False
    """Whether its label was made of its IRI."""


@dataclass(frozen=True, slots=True)
class Link:
    """A relation between two concepts."""

    source: str
    relation: str
    """One of this module's, or the IRI of a property: 'every such source has such a target'."""
    target: str


def name_of_iri(iri: str) -> str:
    """The end of an IRI in words: '.../Debt/DebtInstrument' -> 'debt instrument'; the IRI where it has no words."""
    end = re.split(r"[/#:]", iri.rstrip("/#"))[-1]
    words = [word if word.isupper() and len(word) > 1 else word.lower() for word in name_words(end)]
    return " ".join(words) or squeeze(clean(iri))
