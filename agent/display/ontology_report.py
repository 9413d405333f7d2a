"""Ontologies and their concepts, as they are shown and as `--json` prints them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tools.knowledge.graph.resolution import fold_name
from tools.ontology.types import Concept

if TYPE_CHECKING:
    from agent.open_indexes import OpenIndex
    from tools.ontology.annotated import AnnotatedConcepts
    from tools.store.disk.ontologies import StoredOntology

MAX_RELATIONS = 30
MAX_DOCUMENTS = 10
MAX_FAILED = 5


@dataclass(frozen=True, slots=True)
class ConceptReport:
    """A concept with what stands around it."""

    concept: Concept
    relations: tuple[tuple[str, str], ...]
    """(relation, label of the other concept), read from this one."""
    documents: tuple[tuple[str, int], ...]
    """(document, passages that name it), the most first."""
    entities: tuple[str, ...]
    """Entities of the knowledge graph that bear its name."""


def step_teller(tell: Callable[[str], None]) -> Callable[[str, int, int], None]:
    """What tells the steps of adding an ontology, each once."""
    words = {
        "reading": "reading {:,} files",
        "embedding": "embedding {:,} definitions",
        "annotating": "annotating",
    }
    told: set[str] = set()

    def on_step(step: str, done: int, total: int) -> None:
        if step not in told:
            told.add(step)
            tell(words[step].format(total))

    return on_step


def ontology_record(stored: StoredOntology) -> dict[str, Any]:
    """An ontology as one object."""
    return {
        "name": stored.name,
        "digest": stored.digest,
        "source": stored.source,
        "files": stored.files,
        "triples": stored.triples,
        "concepts": stored.concepts,
        "links": stored.links,
        "stubs": stored.stubs,
        "outside": list(stored.outside),
        "failed": [{"file": file, "why": why} for file, why in stored.failed],
        "foreign_texts": stored.foreign,
        "embedder": stored.embedder,
        "damaged": stored.damaged,
    }


def ontology_text(stored: StoredOntology, embedder: str) -> Iterator[str]:
    """An ontology, and what was left out of it. `embedder`: id of the model in use."""
    if stored.damaged:
        yield f"{stored.name}: damaged ({stored.damaged}); documents stay annotated. Add it again, or remove it"
        return
    yield (
        f"{stored.name} ({stored.digest}): {stored.concepts:,} concepts and {stored.links:,} relations from "
        f"{stored.files:,} files ({stored.triples:,} triples)"
    )
    if stored.outside:
        yield (
            f"  imported, and not among the files (nothing is fetched): {', '.join(stored.outside[:MAX_FAILED])}"
            f"{_more(len(stored.outside))}; {stored.stubs:,} concepts are known by their names alone"
        )
    if stored.foreign:
        yield f"  {stored.foreign:,} texts in other languages than English were left out"
    for file, why in stored.failed[:MAX_FAILED]:
        yield f"  not read: {file}: {why}"
    if more := _more(len(stored.failed)):
        yield f"  {more.strip()}"
    if stored.embedder != embedder:
        yield "  its definitions were embedded by another model than the one in use: add it again"


def _more(count: int) -> str:
    return f" and {count - MAX_FAILED:,} more" if count > MAX_FAILED else ""


def concept_report(opened: OpenIndex, known: AnnotatedConcepts, at: int) -> ConceptReport:
    """What the index knows of the concept at this place."""
    names = opened.generation.documents
    chunks = known.chunks_of.get(at, {})
    counted = Counter(row.document_id for row in opened.vectors.rows(list(chunks)))
    concept = known.concepts[at]
    entities = opened.graph.names.get(fold_name(concept.label), ())
    links = sorted(
        {
            (known.links.in_words(relation), known.concepts[target].label)
            for relation, target in known.links.neighbours(at)
        }
    )
    return ConceptReport(
        concept,
        tuple(links),
        tuple((opened.called(names[key]), count) for key, count in counted.most_common()),
        tuple(sorted({f"{each}" for each in entities})),
    )


def concept_record(report: ConceptReport) -> dict[str, Any]:
    """A concept as one object."""
    concept = report.concept
    return {
        "iri": concept.iri,
        "kind": concept.kind,
        "label": concept.label,
        "synonyms": list(concept.synonyms),
        "abbreviations": list(concept.abbreviations),
        "definition": concept.definition,
        "file": concept.file,
        "version": concept.version,
        "relations": [{"relation": relation, "concept": label} for relation, label in report.relations],
        "documents": [{"document": name, "passages": count} for name, count in report.documents],
        "entities": list(report.entities),
    }


def concept_lines(report: ConceptReport) -> Iterator[str]:
    """A concept, line by line."""
    concept = report.concept
    other = (*concept.synonyms, *concept.abbreviations)
    also = f", also: {', '.join(other)}" if other else ""
    yield f"{concept.label} ({concept.kind}{also})"
    yield f"  {concept.definition or 'no definition'}"
    yield f"  {concept.iri}"
    if concept.file:
        yield f"  from {concept.file}{f', version {concept.version}' if concept.version else ''}"
    for relation, label in report.relations[:MAX_RELATIONS]:
        yield f"  {relation}: {label}"
    if len(report.relations) > MAX_RELATIONS:
        yield f"  and {len(report.relations) - MAX_RELATIONS:,} more relations"
    if report.entities:
        yield f"  in the knowledge graph: {', '.join(report.entities)}"
    for name, count in report.documents[:MAX_DOCUMENTS]:
        yield f"  named in {name}: {count:,} passages"
    if len(report.documents) > MAX_DOCUMENTS:
        yield f"  and in {len(report.documents) - MAX_DOCUMENTS:,} more documents"
    if not report.documents:
        yield "  no document names it"
