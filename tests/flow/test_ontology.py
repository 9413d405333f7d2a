"""Ontologies through the whole assistant: added, they lead questions to passages in other words; taken out, nothing is
left of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.assistant import Assistant
from agent.chat import views
from graphs.contracts import Citation

PLACES = """
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix ex: <https://example.org/places/> .
<https://example.org/places> a owl:Ontology ; owl:versionIRI <https://example.org/places/7> .
ex:Facility a owl:Class ; rdfs:label "logistics facility" ;
    skos:definition "a place from which goods are sent to those who sell them" .
ex:Center a owl:Class ; rdfs:subClassOf ex:Facility ; rdfs:label "distribution center" ;
    skos:definition "a building in which goods are kept until stores need them" .
"""
ASKED = "What does Harrowmere say about its logistics facilities?"
WHY = "logistics facility, is broader than, distribution center"

HomeCopy = Callable[[str], Path]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "places.ttl"
    path.write_text(PLACES, encoding="utf-8")
    return path


def asked(hybridrag: Any, home: Path, question: str, *more: str) -> dict[str, Any]:
    """The answer, without the time that it took."""
    ran = hybridrag("ask", question, "--home", home, "--json", *more)
    return {name: value for name, value in ran.objects[0].items() if name != "seconds"}


def test_an_ontology_leads_a_question_to_passages_in_other_words_and_leaves_no_trace(
    hybridrag: Any, home_copy: HomeCopy, file: Path
) -> None:
    home = home_copy("home")
    other = "Why did Calderith's operating margin change in the quarter?"
    before = [asked(hybridrag, home, question) for question in (ASKED, other)]
    assert all("ontology_search" not in answer["route"]["tools"] for answer in before)
    assert hybridrag("ontology", "add", file, "--home", home).out.startswith("places.ttl (")

    led = asked(hybridrag, home, ASKED)
    assert led["route"]["tools"][:2] == ["vector_search", "ontology_search"]
    assert "leads to 'logistics facility'" in led["route"]["reason"]
    assert WHY in {piece["why"] for piece in led["evidence"]}
    assert asked(hybridrag, home, other) == before[1], "without a concept nothing is otherwise"

    assert hybridrag("ontology", "remove", "places.ttl", "--home", home).code == 0
    assert [asked(hybridrag, home, question) for question in (ASKED, other)] == before


def test_without_a_concept_the_pipeline_is_the_regular_one(
    hybridrag: Any, home_copy: HomeCopy, file: Path
) -> None:
    home = home_copy("home")
    hybridrag("ontology", "add", file, "--home", home)
    question = "How did demand develop?"
    one, other = (asked(hybridrag, home, question, "--pipeline", name) for name in ("vector", "ontology"))
    assert one["evidence"] == other["evidence"] != []
    assert one["answer"] == other["answer"]


def test_a_definition_is_evidence_with_its_file_and_version(
    hybridrag: Any, home_copy: HomeCopy, file: Path
) -> None:
    home = home_copy("home")
    hybridrag("ontology", "add", file, "--home", home)
    answer = asked(hybridrag, home, "What is a logistics facility?")
    assert answer["status"] == "answered" and "a place from which goods are sent" in answer["answer"]
    (cited,) = answer["citations"]
    assert (cited["document"], cited["place"]) == ("places.ttl", "https://example.org/places/7")
    of_company = asked(hybridrag, home, "What is a logistics facility?", "--company", "Harrowmere")
    assert "places.ttl" not in {piece["document"] for piece in of_company["evidence"]}


def test_a_chat_says_by_what_way_a_passage_was_found(home_copy: HomeCopy, file: Path) -> None:
    with Assistant.open(home_copy("home")) as assistant:
        assistant.add_ontology(file)
        answer = assistant.ask(ASKED)
    assert any(f"led to by: {WHY}" in line.plain for line in views.sources(answer))
    led = next(item for item in answer.evidence if item.why == WHY)
    assert not any(WHY in line.plain for line in views.why(answer)), "it is not cited"
    cited = Citation(marker=led.rank, source="vector", document=led.document, page=led.page, quote="")
    citing = answer.model_copy(update={"citations": (cited,)})
    assert any(WHY in line.plain for line in views.why(citing))


def test_what_is_there_is_listed_shown_and_what_is_not_covered_is_told(
    hybridrag: Any, home_copy: HomeCopy, file: Path
) -> None:
    home = home_copy("home")
    assert "No ontology yet" in hybridrag("ontology", "list", "--home", home).out
    assert hybridrag("ontology", "show", "distribution center", "--home", home).code == 2
    hybridrag("ontology", "add", file, "--home", home)
    (listed,) = hybridrag("ontology", "list", "--home", home, "--json").objects
    assert (listed["name"], listed["concepts"], listed["failed"]) == ("places.ttl", 2, [])
    (shown,) = hybridrag("ontology", "show", "Distribution Center", "--home", home, "--json").objects
    assert {"relation": "is a kind of", "concept": "logistics facility"} in shown["relations"]
    assert shown["documents"] and shown["version"] == "https://example.org/places/7"
    near = hybridrag("ontology", "show", "distribution centre", "--home", home)
    assert near.code == 2 and "Did you mean 'distribution center'?" in near.err
    *terms, told = hybridrag("ontology", "coverage", "--home", home, "--json").objects
    assert terms and "distribution center" not in [each["term"] for each in terms]
    assert 0 < told["covered"] < 1


def test_documents_that_come_later_are_annotated_too_and_those_that_go_are_forgotten(
    hybridrag: Any, home_copy: HomeCopy, file: Path, tmp_path: Path
) -> None:
    home = home_copy("home")
    hybridrag("ontology", "add", file, "--home", home)
    note = tmp_path / "note.txt"
    note.write_text("Zorblatt Inc. runs one distribution center in Oslo.\n", encoding="utf-8")
    hybridrag("index", note, "--home", home, "--company", "Zorblatt Inc.")

    def named() -> set[str]:
        (shown,) = hybridrag("ontology", "show", "distribution center", "--home", home, "--json").objects
        return {each["document"] for each in shown["documents"]}

    assert "note.txt" in named()
    hybridrag("remove", "note.txt", "--home", home)
    assert "note.txt" not in named()


def test_where_the_graph_had_nothing_the_concepts_are_followed_too(
    hybridrag: Any, home_copy: HomeCopy, file: Path
) -> None:
    home = home_copy("home")
    hybridrag("ontology", "add", file, "--home", home)
    answer = asked(hybridrag, home, "How many logistics facilities does Harrowmere lease in Norway?")
    assert answer["route"]["kind"] == "extractive" and answer["route"]["widened"]
    assert "ontology_search" in answer["route"]["tools"]


def test_a_file_that_has_changed_replaces_what_was_read_from_it(
    hybridrag: Any, home_copy: HomeCopy, file: Path
) -> None:
    home = home_copy("home")
    hybridrag("ontology", "add", file, "--home", home)
    for meaning in ("a shed", "a building in which goods are kept until stores need them"):  # and back
        changed = PLACES.replace("a building in which goods are kept until stores need them", meaning)
        file.write_text(changed, encoding="utf-8")
        hybridrag("ontology", "add", file, "--home", home)
        assert len(hybridrag("ontology", "list", "--home", home, "--json").objects) == 1
        (shown,) = hybridrag("ontology", "show", "distribution center", "--home", home, "--json").objects
        assert shown["definition"] == meaning


def test_what_is_none_is_refused_and_nothing_is_touched(
    hybridrag: Any, home_copy: HomeCopy, tmp_path: Path
) -> None:
    home = home_copy("home")
    empty = tmp_path / "empty.ttl"
    empty.write_text("", encoding="utf-8")
    for path in (tmp_path / "missing", empty, tmp_path / (300 * "x")):
        ran = hybridrag("ontology", "add", path, "--home", home)
        assert ran.code == 2 and path.name in ran.err
    ran = hybridrag("ontology", "remove", "fibo", "--home", home)
    assert ran.code == 2 and "No ontology 'fibo'" in ran.err
    assert not (home / "ontologies").exists()
