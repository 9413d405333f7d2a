"""Participant lists as triplets: who they are, for whom they work, what an analyst asked about."""

from __future__ import annotations

from collections.abc import Iterator

from tools.documents.types import Chunk, ParsedDocument, Participant
from tools.knowledge.lexicon import find_metrics
from tools.knowledge.triplets import make_triplet
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
    """`holds role`, `works for`, `took part in` for every participant; `asked about` for analysts' metrics."""
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
            yield make_triplet(document, head, relation, tail, page=person.page, quote=_line(person, firm))
    yield from _questions(parsed)


def _line(person: Participant, firm: str) -> str:
    parts = [part for part in (person.role, firm) if part]
    return f"{person.name}, {', '.join(parts)}" if parts else person.name


def _questions(parsed: ParsedDocument) -> Iterator[Triplet]:
    analysts = {person.name.casefold(): person.name for person in parsed.participants if person.is_analyst}
    for chunk in parsed.chunks:
        name = analysts.get(chunk.speaker.casefold())
        if chunk.kind != "exchange" or name is None:
            continue
        question = _asked(chunk, {p.name for p in parsed.participants})
        seen: set[str] = set()
        for mention in find_metrics(question):
            if mention.canonical in seen or len(seen) >= MAX_TOPICS:
                continue
            seen.add(mention.canonical)
            yield make_triplet(
                parsed.document,
                (name, "person"),
                "asked about",
                (mention.text, "metric"),
                page=chunk.pages[0],
                quote=_sentence(question, mention.start),
                chunk_id=chunk.id,
            )


def _asked(chunk: Chunk, names: set[str]) -> str:
    """The asker's own words: the chunk up to the next speaker's name line."""
    lines = chunk.text.splitlines()
    for index, line in enumerate(lines[1:], start=1):
        speaker = line.strip().rstrip(":")
        if speaker in names and speaker != chunk.speaker:
            return "\n".join(lines[:index])
    return chunk.text


def _sentence(text: str, position: int) -> str:
    """The sentence of `text` around `position`, on one line."""
    start = max(text.rfind(mark, 0, position) for mark in (". ", "? ", "! ", ".\n", "?\n"))
    ends = [index for mark in (". ", "? ", "! ", ".\n", "?\n") if (index := text.find(mark, position)) >= 0]
    sentence = text[start + 1 if start >= 0 else 0 : min(ends) + 1 if ends else len(text)]
    return " ".join(sentence.split())[:400]
