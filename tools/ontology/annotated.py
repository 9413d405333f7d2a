"""What a generation of an index knows of concepts: ontologies' concepts and links, and where documents name them."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import orjson

from tools.ontology.annotate import Annotation, Vectors
from tools.ontology.concept_graph import ConceptGraph
from tools.ontology.names import ConceptNames
from tools.ontology.rdf_files import load_concepts, load_links
from tools.ontology.types import Concept, Link

CONCEPTS, LINKS, ANNOTATIONS, DEFINITIONS = (
    "concepts.jsonl",
    "links.jsonl",
    "annotations.jsonl",
    "definitions.npy",
)


MAX_NEAR, MIN_SPELLING = 3, 75
"""Labels named for one that is not there, and how near (rapidfuzz's weighted ratio) they must be."""


class AnnotatedConcepts:
    """Concepts, the graph that they form, and the chunks in which they are named."""

    def __init__(
        self,
        concepts: Sequence[Concept],
        links: Sequence[Link],
        mentions: dict[str, list[Annotation]],
        definitions: Vectors,
    ) -> None:
        """`mentions`: by chunk id; `definitions`: (concepts, dimension), rows of zeros where there is none."""
        self.concepts = concepts
        self.links = ConceptGraph(concepts, links)
        self.mentions = mentions
        self.definitions = definitions

    @cached_property
    def names(self) -> ConceptNames:
        """To find concepts in a question."""
        return ConceptNames(self.concepts)

    @cached_property
    def chunks_of(self) -> dict[int, dict[str, float]]:
        """Concept -> chunk -> the surest of its mentions there."""
        found: dict[int, dict[str, float]] = {}
        for chunk, mentions in self.mentions.items():
            for each in mentions:
                of_concept = found.setdefault(each.concept, {})
                of_concept[chunk] = max(each.confidence, of_concept.get(chunk, 0.0))
        return found

    @cached_property
    def named_definitions(self) -> tuple[list[int], Vectors]:
        """The concepts that documents name, and their definitions as rows."""
        places = sorted(self.chunks_of)
        return places, self.definitions[places]

    def rarity(self, concept: int) -> float:
        """How much naming a concept says: log of all chunks to those that name it, as inverse document frequency."""
        return math.log(max(len(self.mentions), 1) / max(len(self.chunks_of.get(concept, ())), 1))

    def called(self, name: str) -> list[int]:
        """The concepts of this IRI, label, synonym or abbreviation, in any case."""
        if name in self.links.place:
            return [self.links.place[name]]
        asked = name.strip().casefold()
        labelled = [at for at, each in enumerate(self.concepts) if each.label.casefold() == asked]
        return labelled or [
            at
            for at, each in enumerate(self.concepts)
            if asked in (text.casefold() for text in (*each.synonyms, *each.abbreviations))
        ]

    def nearly_called(self, name: str) -> list[str]:
        """At most three labels that are spelt nearly so."""
        from rapidfuzz import process

        labels = sorted({each.label for each in self.concepts if not each.unlabelled})
        found = process.extract(name, labels, limit=MAX_NEAR, score_cutoff=MIN_SPELLING)
        return [label for label, _, _ in found]

    @classmethod
    def load(cls, folder: Path) -> AnnotatedConcepts:
        """What `contents` gave, read back. OSError, ValueError, KeyError, TypeError."""
        rows = (orjson.loads(line) for line in (folder / ANNOTATIONS).read_bytes().splitlines())
        concepts = load_concepts((folder / CONCEPTS).read_bytes())
        kept = np.load(folder / DEFINITIONS, allow_pickle=False)
        places, vectors = kept[:, 0].astype(int), kept[:, 1:]
        definitions = np.zeros((len(concepts), vectors.shape[1]), np.float32)
        definitions[places] = vectors
        return cls(
            concepts,
            [*load_links((folder / LINKS).read_bytes())],
            {chunk: [Annotation(*mention) for mention in found] for chunk, found in rows},
            definitions,
        )


def contents(
    concepts_and_links: tuple[bytes, bytes],
    definitions: Vectors,
    annotations: Iterable[tuple[str, Sequence[Annotation]]],
) -> dict[str, bytes]:
    """Files of a generation, by name; of the definitions those that there are, each behind its concept's place."""
    rows = [
        orjson.dumps([chunk, [[a.concept, a.start, a.end, a.confidence] for a in found]]) + b"\n"
        for chunk, found in annotations
    ]
    defined = np.flatnonzero(definitions.any(axis=1))
    kept = np.hstack([defined.reshape(-1, 1), definitions[defined]]).astype("<f4")
    buffer = io.BytesIO()
    np.save(buffer, kept, allow_pickle=False)
    return {
        CONCEPTS: concepts_and_links[0],
        LINKS: concepts_and_links[1],
        ANNOTATIONS: b"".join(rows),
        DEFINITIONS: buffer.getvalue(),
    }
