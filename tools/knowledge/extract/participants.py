"""Participant lists as triplets: who they are, for whom they work, what an analyst asked about."""

from __future__ import annotations

from collections.abc import Iterator

from tools.documents.types import ParsedDocument, Participant
from tools.knowledge.extract.cited_sentences import passages
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.knowledge.types import EntityType, Triplet

MAX_TOPICS = 6
"""Metrics kept of one question; beyond it an exchange is a list, not a topic."""


def call_name(parsed: ParsedDocument) -> str:
    """Name of the event that a transcript records: 'Aflac Q2 2021 earnings call'."""
    document = parsed.document
    label = " ".join(
        part
        for part in (
            f"Q{document.fiscal_quarter}" if document.fiscal_quarter else "",
            str(document.fiscal_year) if document.fiscal_year else "",
        )
        if part
    )
    return " ".join(part for part in (document.company, label, "earnings call") if part)


def people_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """`holds role`, `works for`, `took part in` for every participant; `asked about` for analysts'
    metrics."""
    document = parsed.document
    event = call_name(parsed)
    for person in parsed.participants:
        head: tuple[str, EntityType] = (person.name, "person")
        firm = person.firm or ("" if person.is_analyst else document.company)
        role = person.role or ("Analyst" if person.is_analyst else "")
        tails: list[tuple[str, tuple[str, EntityType]]] = [("took part in", (event, "event"))]
        if firm:
            tails.insert(0, ("works for", (firm, "company")))
        if role:
            tails.insert(0, ("holds role", (role, "value")))
        for relation, tail in tails:
            yield make_triplet(
                document, head, relation, tail, page=person.page, quote=_participant_line(person, firm)
            )
    yield from _questions(parsed)


def _participant_line(person: Participant, firm: str) -> str:
    parts = [part for part in (person.role, firm) if part]
    return f"{person.name}, {', '.join(parts)}" if parts else person.name


def _questions(parsed: ParsedDocument) -> Iterator[Triplet]:
    analysts = {person.name for person in parsed.participants if person.is_analyst}
    seen: dict[str, set[str]] = {}
    for passage in passages(parsed):
        if not passage.asked or passage.speaker not in analysts:
            continue
        topics = seen.setdefault(f"{passage.chunk_id} {passage.speaker}", set())
        for mention in find_metrics(passage.text):
            if mention.canonical not in topics and len(topics) < MAX_TOPICS:
                topics.add(mention.canonical)
                yield make_triplet(
                    parsed.document,
                    (passage.speaker, "person"),
                    "asked about",
                    (mention.text, "metric"),
                    page=passage.page,
                    quote=passage.text,
                    chunk_id=passage.chunk_id,
                )
