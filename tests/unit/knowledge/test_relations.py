from __future__ import annotations

from builders import document, parsed, prose

from tools.documents.types import ParsedDocument, Participant
from tools.knowledge.extractor import LocalExtractor
from tools.knowledge.graph import KnowledgeGraph
from tools.knowledge.search import kg_search
from tools.scope import Scope

PEOPLE = (
    Participant(
        "Max Kristian Broden",
        "Executive Vice President, Chief Finance Officer and Treasurer",
        "Acme Inc.",
        1,
        False,
    ),
    Participant(
        "Todd Daniels",
        "Director and Chief Financial Officer of Acme Life Insurance Japan",
        "Acme Inc.",
        1,
        False,
    ),
    Participant("Nigel Dally", "Analyst", "Morgan Stanley", 1, True),
    Participant("Humphrey Lee", "Analyst", "Dowling & Partners", 1, True),
)


def call(key: str = "ACME") -> ParsedDocument:
    doc = document(key, doc_type="call", end=None)
    chunks = (
        prose(
            doc,
            "Nigel Dally: Can you talk about the free cash flow this year?\n"
            "Max Kristian Broden: Free cash flow was $364 million.",
            speaker="Nigel Dally",
            kind="exchange",
            page=2,
        ),
        prose(
            doc,
            "In May we acquired Globex Corporation and launched the Roadrunner phone.",
            speaker="Max Kristian Broden",
        ),
    )
    return parsed(doc, people=PEOPLE, chunks=chunks)


def build(*documents: ParsedDocument) -> KnowledgeGraph:
    triplets = [triplet for item in documents for triplet in LocalExtractor().extract(item)]
    return KnowledgeGraph.build(triplets, {item.document.id: item.document for item in documents})


def ask(question: str, *companies: str) -> list[str]:
    return [item.text for item in kg_search(GRAPH, question, Scope(companies))]


GRAPH = build(call())


def test_the_companys_own_officer_comes_before_a_subsidiarys() -> None:
    found = ask("Who is the CFO of Acme?", "ACME")
    assert found[0].startswith("Max Kristian Broden holds the role")
    assert any(text.startswith("Todd Daniels") for text in found)


def test_an_analysts_firm_is_found() -> None:
    assert ask("Which firm does Nigel Dally work for?")[0].startswith("Nigel Dally works for Morgan Stanley")


def test_a_persons_role_is_found_by_a_shorter_name() -> None:
    assert "Chief Finance Officer" in ask("What is Max Broden's role?")[0]


def test_the_analysts_of_a_call_are_listed() -> None:
    found = " ".join(ask("Which analysts were on the call?", "ACME"))
    assert "Nigel Dally" in found and "Humphrey Lee" in found and "Broden" not in found


def test_who_asked_about_a_metric_is_found() -> None:
    assert ask("Who asked about free cash flow?", "ACME")[0].startswith("Nigel Dally asked about")


def test_a_verb_of_the_question_finds_the_companys_relation() -> None:
    assert "acquired Globex" in ask("What did Acme acquire?", "ACME")[0]


def test_relations_of_another_company_stay_outside_the_scope() -> None:
    assert ask("Which firm does Nigel Dally work for?", "BOLT") == []


def test_same_named_people_of_two_companies_stay_two_nodes() -> None:
    two = build(call("ACME"), call("BOLT"))
    people = [entity.key for entity in two.find_entity("Nigel Dally")]
    assert people == ["person:ACME:nigel dally", "person:BOLT:nigel dally"]
