"""Ontologies from the command line: adding, listing, showing a concept, removing, and what they do not cover."""

from __future__ import annotations

import argparse

from agent.assistant import Assistant
from agent.display.screen import Screen
from agent.errors import UsageError


def add(args: argparse.Namespace, screen: Screen) -> int:
    """Read an ontology and annotate the documents. Exit code 2 if a file of it could not be read; the rest is there."""
    from agent.display.ontology_report import ontology_record, ontology_text, step_teller
    from tools.ontology.rdf_files import OntologyError

    with Assistant.open(args.home) as assistant, screen.working() as tell:
        try:
            stored = assistant.add_ontology(args.path, step_teller(tell))
        except OntologyError as error:
            raise UsageError(str(error)) from error
        embedder = assistant.shelf.embedder.id
    screen.json(ontology_record(stored))
    for line in ontology_text(stored, embedder):
        screen.line(line)
    return 2 if stored.failed else 0


def list_all(args: argparse.Namespace, screen: Screen) -> int:
    """The ontologies of the home."""
    from agent.display.ontology_report import ontology_record, ontology_text

    with Assistant.open(args.home) as assistant:
        stored, embedder = assistant.ontologies(), assistant.shelf.embedder.id
    if not stored:
        screen.line("No ontology yet. Add one: hybridrag ontology add PATH")
    for each in stored:
        screen.json(ontology_record(each))
        for line in ontology_text(each, embedder):
            screen.line(line)
    return 0


def show(args: argparse.Namespace, screen: Screen) -> int:
    """A concept: what it is, what it is related to, where documents name it."""
    from agent.display.ontology_report import concept_lines, concept_record, concept_report

    with Assistant.open(args.home) as assistant:
        opened = assistant.current()
        known = opened.concepts
        if known is None:
            raise UsageError("No ontology yet. Add one: hybridrag ontology add PATH")
        found = known.called(args.concept)
        if not found:
            near = known.nearly_called(args.concept)
            meant = f" Did you mean {', '.join(map(repr, near))}?" if near else ""
            raise UsageError(f"No concept '{args.concept}'.{meant}")
        reports = [concept_report(opened, known, at) for at in found]
    for report in reports:
        screen.json(concept_record(report))
        for line in concept_lines(report):
            screen.line(line)
    return 0


def remove(args: argparse.Namespace, screen: Screen) -> int:
    """Take an ontology out."""
    with Assistant.open(args.home) as assistant:
        gone = assistant.remove_ontology(args.ontology)
    screen.json({"removed": gone.digest, "name": gone.name})
    screen.line(f"removed {gone.name} ({gone.digest})")
    return 0


def coverage(args: argparse.Namespace, screen: Screen) -> int:
    """Frequent terms that no concept names."""
    from tools.ontology.coverage import uncovered
    from tools.ontology.names import ConceptNames

    with Assistant.open(args.home) as assistant:
        opened = assistant.current()
        names = opened.concepts.names if opened.concepts is not None else ConceptNames(())
        documents = opened.generation.documents.values()
        texts = ((each.id, chunk.text) for each in documents for chunk in opened.generation.chunks(each.id))
        terms, covered = uncovered(texts, names)
    for term in terms[: args.limit]:
        screen.json({"term": term.text, "chunks": term.chunks, "documents": term.documents})
        screen.line(f"{term.text}  ({term.chunks:,} passages of {term.documents:,} documents)")
    screen.json({"covered": round(covered, 3)})
    others = "these stand in many passages and few documents" if terms else "none stands in two documents"
    screen.line(
        f"{covered:.0%} of the terms, each counted once a passage, have a concept. Of the others {others}. "
        "An OWL or SKOS file of your own can name them: hybridrag ontology add FILE"
    )
    return 0
