"""What a cover says is found where it comes near to what is asked, whatever the words."""

from __future__ import annotations

from datetime import date

import pytest
from builders import document

from tools.documents.types import Page, ParsedDocument
from tools.knowledge.extract.cover_facts import cover_triplets
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.profile import cover_lines
from tools.periods import PeriodFilter
from tools.scope import Scope
from tools.vector.line_item_encoder import LineItemEncoder

ENCODER = LineItemEncoder()
OWN = Scope(("ACME",))
THEN = Scope(("ACME",), (PeriodFilter(end=date(2021, 12, 31)),))


def cover(number: int, end: date, address: str, rest: str = "") -> ParsedDocument:
    text = f"SECURITIES AND EXCHANGE COMMISSION\nDelaware 94-2404110\n{address}\n{rest}"
    return ParsedDocument(document(number=number, end=end), (Page(1, text),), (), ())


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    documents = [
        cover(1, date(2021, 12, 31), "9 Old Road, Springfield, NC 27601", "(408) 996-1010"),
        cover(2, date(2023, 12, 31), "One Acme Way, Springfield, NC 27601"),
    ]
    triplets = [triplet for each in documents for triplet in cover_triplets(each)]
    return KnowledgeGraph.build(triplets, {each.document.id: each.document for each in documents})


def asked(graph: KnowledgeGraph, question: str, scope: Scope = OWN) -> list[str]:
    return [each.text.split(":")[0] for each in cover_lines(graph, question, scope, ENCODER)]


def test_an_address_answers_where_a_company_is_based_by_the_newest_cover(graph: KnowledgeGraph) -> None:
    first = asked(graph, "Where is Acme headquartered?")[0]
    assert first == "Acme Inc. has its headquarters at the address One Acme Way, Springfield, NC 27601"


def test_within_a_period_its_own_cover_tells(graph: KnowledgeGraph) -> None:
    first = asked(graph, "Where is Acme headquartered?", THEN)[0]
    assert first == "Acme Inc. has its headquarters at the address 9 Old Road, Springfield, NC 27601"


def test_what_only_an_older_cover_says_is_found_there(graph: KnowledgeGraph) -> None:
    assert (
        asked(graph, "What is Acme's phone number?")[0] == "Acme Inc. has the telephone number (408) 996-1010"
    )


@pytest.mark.parametrize("question", ["What did Acme say about inflation?", "Tell me about unicorns at Acme"])
def test_what_no_cover_comes_near_to_is_left_to_others(graph: KnowledgeGraph, question: str) -> None:
    assert asked(graph, question) == []


def test_no_other_companys_and_no_other_kind_of_document_is_looked_at(graph: KnowledgeGraph) -> None:
    assert asked(graph, "Where is Acme headquartered?", Scope(("BOLT",))) == []
    assert asked(graph, "Where is Acme headquartered?", Scope()) == []
    assert asked(graph, "Where is Acme headquartered?", Scope(("ACME",), doc_types=("10-K",))) == []
