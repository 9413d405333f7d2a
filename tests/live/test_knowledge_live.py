"""The knowledge graph of real filings and calls: figures found first, people found, size, speed."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from site import addsitedir

import pytest

from tools.documents.read.parse import parse_document
from tools.documents.types import Document, ParsedDocument, TableFact
from tools.evidence import Evidence
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.knowledge.lexicon.vocabulary import VOCABULARY
from tools.knowledge.search.kg_search import kg_search
from tools.knowledge.types import Triplet
from tools.periods import PeriodFilter
from tools.scope import Scope

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(__file__).parents[3] / "shared" / "data"
FILINGS = ("2023 Q3 AAPL.pdf", "2023 Q3 AMZN.pdf", "2023 Q2 INTC.pdf")
CALLS = ("AFL", "DOV", "BSX")
WORDS = {
    3: "in the three months ended",
    6: "in the six months ended",
    9: "in the nine months ended",
    0: "as of",
}

pytestmark = pytest.mark.skipif(not (DATA / "sec-10q").is_dir(), reason=f"no documents at {DATA}")


def _read(path: Path) -> tuple[ParsedDocument, list[Triplet]]:
    parsed = parse_document(path, DATA)
    return parsed, LocalExtractor().extract(parsed)


@pytest.fixture(scope="module")
def read() -> list[tuple[ParsedDocument, list[Triplet]]]:
    """Some filings and calls, read in two processes."""
    paths = [DATA / "sec-10q" / "docs" / name for name in FILINGS]
    for ticker in CALLS:
        paths += sorted((DATA / "earnings-calls" / "docs" / ticker).rglob("*.pdf"))
    # spawned: a fork of a process with threads may wait for ever
    with ProcessPoolExecutor(2, get_context("spawn"), addsitedir, (str(ROOT),)) as pool:
        return list(pool.map(_read, paths))


@pytest.fixture(scope="module")
def graph(read: list[tuple[ParsedDocument, list[Triplet]]]) -> KnowledgeGraph:
    documents = {parsed.document.id: parsed.document for parsed, _ in read}
    return KnowledgeGraph.build([t for _, triplets in read for t in triplets], documents)


def _statement_figures(read: list[tuple[ParsedDocument, list[Triplet]]]) -> list[tuple[Document, TableFact]]:
    """Figures of the primary statements for the filing's own period, of metrics the lexicon knows."""
    return [
        (parsed.document, fact)
        for parsed, _ in read
        for table in parsed.tables
        if table.statement in {"income", "balance"}
        for fact in table.facts
        if fact.period.end == parsed.document.period_end
        and fact.period.months in WORDS
        and fact.unit
        and canonical_metric(fact.metric, fact.path) in VOCABULARY
    ]


def _ask(graph: KnowledgeGraph, document: Document, fact: TableFact, name: str) -> list[Evidence]:
    period = fact.period
    assert period.end is not None and period.months is not None
    day = f"{period.end:%B} {period.end.day}, {period.end.year}"
    question = f"What was {document.aliases[0]}'s {name} {WORDS[period.months]} {day}?"
    scope = Scope((document.company_key,), (PeriodFilter(end=period.end),))
    return kg_search(graph, question, scope, months=period.months)


@pytest.mark.parametrize("synonym", [0, 1, 2])
def test_statement_questions_get_the_printed_figure_first(
    read: list[tuple[ParsedDocument, list[Triplet]]], graph: KnowledgeGraph, synonym: int
) -> None:
    """By the canonical name and by two synonyms of it; at least 95 % each."""
    right, missed = 0, []
    figures = _statement_figures(read)
    for document, fact in figures:
        canonical = canonical_metric(fact.metric, fact.path)
        names = (canonical, *VOCABULARY[canonical])
        found = _ask(graph, document, fact, names[synonym % len(names)])
        best = next((item.fact for item in found if item.fact), None)
        if (
            best
            and (best.value, best.unit, best.scale) == (fact.value, fact.unit, fact.scale)
            and best.match >= 0.8
        ):
            right += 1
        else:
            missed.append((document.name, fact.metric, fact.path))
    assert len(figures) >= 100
    assert right / len(figures) >= 0.95, missed


def test_every_analyst_of_a_call_has_a_firm(
    read: list[tuple[ParsedDocument, list[Triplet]]], graph: KnowledgeGraph
) -> None:
    asked = 0
    for parsed, _ in read:
        for person in parsed.participants:
            if person.is_analyst and person.firm:
                asked += 1
                scope = Scope((parsed.document.company_key,))
                found = kg_search(graph, f"Which firm does {person.name} work for?", scope)
                assert found and person.firm in found[0].text, person
    assert asked >= 15


def test_every_triplet_stands_on_a_page_of_its_document(
    read: list[tuple[ParsedDocument, list[Triplet]]],
) -> None:
    for parsed, triplets in read:
        assert triplets, parsed.document.name
        for triplet in triplets:
            assert 1 <= triplet.page <= parsed.document.pages
            assert triplet.company_key == parsed.document.company_key
            assert triplet.quote


def test_a_spoken_figure_stands_in_its_quote(read: list[tuple[ParsedDocument, list[Triplet]]]) -> None:
    spoken = [t for _, triplets in read for t in triplets if t.statement == "prose" and t.value]
    assert len(spoken) >= 30
    for triplet in spoken:
        assert triplet.printed in triplet.quote
        assert triplet.value is not None and triplet.value.lstrip("-") in triplet.printed.replace(",", "")


def test_no_entity_is_a_pronoun_or_a_number(graph: KnowledgeGraph) -> None:
    junk = {"we", "i", "it", "they", "this", "that", "the", "our", "us", "you", "he", "she"}
    named = [e for e in graph.entities if e.type in {"company", "person", "product", "location"}]
    assert named
    for entity in named:
        assert entity.name.lower() not in junk
        assert len(entity.name.split()) <= 9
        assert any(c.isalpha() for c in entity.name)
