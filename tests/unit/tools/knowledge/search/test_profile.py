"""What people ask of any company is told by the newest document that says it."""

from __future__ import annotations

from datetime import date

import pytest
from builders import document, parsed, prose

from tools.documents.types import Chunk, Page, ParsedDocument
from tools.knowledge.extract.auditors import auditor_triplets
from tools.knowledge.extract.cover_facts import cover_triplets
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.extract.risk_headings import risk_triplets
from tools.knowledge.extract.signatures import signature_triplets
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.lexicon.company_profile import KINDS
from tools.knowledge.search.profile import profile_lines
from tools.periods import PeriodFilter
from tools.ranking.profile_kinds import NONE, learnt
from tools.scope import Scope

OWN = Scope(("ACME",))
THEN = Scope(("ACME",), (PeriodFilter(end=date(2021, 12, 31)),))
SIGNED = "Pursuant to the requirements of the Act this report has been signed by:\n"
BODY = "We buy many parts from few suppliers that we cannot replace soon. Any of them may fail."


def cover(number: int, end: date, address: str, rest: str = "", chief: str = "Ada Quill") -> ParsedDocument:
    text = f"SECURITIES AND EXCHANGE COMMISSION\nDelaware 94-2404110\n{address}\n{rest}"
    people = {
        chief: "Chief Executive Officer",
        "Bo Lund": "Vice Chair and Director",
        "Kim Sato": "Chair of the Board",
    }
    signed = SIGNED + "\n".join(f"/s/ {name}\n{name}\n{title}" for name, title in people.items())
    return ParsedDocument(document(number=number, end=end), (Page(1, text), Page(2, signed)), (), ())


def risks(number: int, end: date, count: int) -> ParsedDocument:
    own = document(number=number, end=end, doc_type="10-K")
    text = "\n".join(f"Risk of kind {n} could harm all of us.\n{BODY}" for n in range(1, count + 1))
    chunk = Chunk(f"c{number}", own.id, text, text, (3,), "Item 1A - Risk Factors", "prose")
    return ParsedDocument(own, (Page(3, text),), (), (chunk,))


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    documents = [
        cover(1, date(2021, 12, 31), "9 Old Road, Springfield, NC 27601", "(408) 996-1010", chief="Jo Fox"),
        cover(2, date(2023, 12, 31), "One Acme Way, Springfield, NC 27601"),
        risks(3, date(2022, 12, 31), 20),
        risks(4, date(2023, 3, 31), 6),
    ]
    readers = (cover_triplets, signature_triplets, risk_triplets)
    triplets = [triplet for each in documents for read in readers for triplet in read(each)]
    return KnowledgeGraph.build(triplets, {each.document.id: each.document for each in documents})


def told(graph: KnowledgeGraph, kind: str, scope: Scope = OWN) -> list[str]:
    found = profile_lines(graph, kind, "", scope)
    assert all(each.profile == kind for each in found)
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
    return [each.text.partition(":")[0] for each in found]


def test_the_newest_cover_tells_where_a_company_is(graph: KnowledgeGraph) -> None:
    own = "Acme Inc. has its headquarters at the address"
    assert told(graph, "headquarters") == [f"{own} One Acme Way, Springfield, NC 27601"]
    assert told(graph, "headquarters", THEN) == [f"{own} 9 Old Road, Springfield, NC 27601"]


def test_what_only_an_older_cover_says_is_found_there(graph: KnowledgeGraph) -> None:
    assert told(graph, "telephone") == ["Acme Inc. has the telephone number (408) 996-1010"]


def test_officers_are_those_of_the_newest_list(graph: KnowledgeGraph) -> None:
    (chief,) = told(graph, "chief_executive")
    assert chief.startswith("Ada Quill holds the role Chief Executive Officer") and "2023" in chief
    assert {each.split(" holds")[0] for each in told(graph, "signers")} == {
        "Ada Quill",
        "Bo Lund",
        "Kim Sato",
    }
    assert [each.split(" holds")[0] for each in told(graph, "chief_executive", THEN)] == ["Jo Fox"]
    assert [each.split(" holds")[0] for each in told(graph, "board_chair")] == ["Kim Sato"]
    assert {each.split(" holds")[0] for each in told(graph, "board_members")} == {"Bo Lund", "Kim Sato"}
    assert told(graph, "finance_chief") == []


def test_risks_are_those_of_the_fuller_report_in_their_order_as_many_as_are_shown(
    graph: KnowledgeGraph,
) -> None:
    places = [f"Acme Inc. names as a risk ({n} of 20)" for n in range(1, 17)]
    assert told(graph, "main_risks") == places


def test_no_other_companys_and_no_other_kind_of_document_is_looked_at(graph: KnowledgeGraph) -> None:
    for scope in (Scope(("BOLT",)), Scope(), Scope(("ACME",), doc_types=("8-K",))):
        assert told(graph, "headquarters", scope) == told(graph, "signers", scope) == []


def test_of_other_relations_the_newest_document_tells_alone_and_each_thing_once() -> None:
    def report(number: int, year: int, *firms: str) -> ParsedDocument:
        text = "PCAOB\n" + "\n".join(f"/s/ {firm}" for firm in firms)
        own = document(number=number, end=date(year, 12, 31), doc_type="10-K")
        return ParsedDocument(own, (Page(1, text),), (), ())

    documents = [
        report(1, 2019, "Old LLP", "Quill LLP", "Third LLP"),
        report(2, 2024, "New LLP"),
        report(3, 2024, "New LLP"),
    ]
    triplets = [triplet for each in documents for triplet in auditor_triplets(each)]
    graph = KnowledgeGraph.build(triplets, {each.document.id: each.document for each in documents})
    assert told(graph, "auditor") == ["Acme Inc. is audited by New LLP"]


BOUGHT = (
    "On March 17, 2020, we acquired Globex Corporation for $9 million. In 2022, we completed the acquisition of "
    "Initech, a maker of printers. We acquired a plant in Ohio. Globex acquired Umbrella Corporation in 1999. We may "
    "acquire Wonka Industries."
)


def test_what_a_company_bought_is_told_once_the_latest_first() -> None:
    own = document(number=1, doc_type="10-K")
    report = parsed(
        own, chunks=(prose(own, BOUGHT), prose(own, "Our acquisition of Globex went well.", page=9))
    )
    graph = KnowledgeGraph.build(LocalExtractor().extract(report), {own.id: own})
    assert told(graph, "acquisitions") == [
        "Acme Inc. completed acquisition of Initech",
        "Acme Inc. acquired Globex Corporation",
    ]
    then = Scope(("ACME",), (PeriodFilter(fiscal_year=2020),))  # the report is of 2023
    assert told(graph, "acquisitions", then) == ["Acme Inc. acquired Globex Corporation"]


def test_every_kind_that_is_told_has_what_answers_it() -> None:
    kinds, _ = learnt()
    assert set(kinds) == {NONE, *KINDS}
