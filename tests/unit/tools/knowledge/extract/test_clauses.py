"""Clauses: what is said of two names, with any verb or noun, in the graph's words."""

from __future__ import annotations

import pytest
from builders import document, parsed, prose

from tools.knowledge.extract import clauses
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.types import Triplet


def read(text: str, speaker: str = "") -> list[Triplet]:
    doc = document("ACME", doc_type="call" if speaker else "10-K", end=None)
    chunk = prose(doc, text, speaker=speaker) if speaker else prose(doc, text)
    return list(LocalExtractor().extract(parsed(doc, chunks=(chunk,))))


def said(text: str) -> set[tuple[str, str, str]]:
    return {(each.head, each.relation, each.tail) for each in read(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In May we acquired Globex Corporation.", ("Acme Inc.", "acquired", "Globex Corporation")),
        ("Acme Inc. was sued by Globex Corporation.", ("Globex Corporation", "sued", "Acme Inc.")),
        (
            "We entered into a merger agreement with Globex Corporation.",
            ("Acme Inc.", "entered into merger agreement with", "Globex Corporation"),
        ),
        (
            "Globex Corporation, which was bought by Hooli Inc., operates stores in Canada.",
            ("Hooli Inc", "bought", "Globex Corporation"),
        ),
        ("We plan to open an office in Japan.", ("Acme Inc.", "plans to open office in", "Japan")),
        (
            "We may sell our stake to Globex Corporation.",
            ("Acme Inc.", "may sell stake to", "Globex Corporation"),
        ),
        ("We did not acquire Globex Corporation.", ("Acme Inc.", "did not acquire", "Globex Corporation")),
        (
            "Our subsidiary, Globex Corporation, makes pumps.",
            ("Globex Corporation", "is subsidiary of", "Acme Inc."),
        ),
        ("Our Roadrunner segment grew.", ("Acme Inc.", "has segment", "Roadrunner")),
        (
            "Globex Corporation is a supplier of Hooli Inc. in Ohio.",
            ("Globex Corporation", "is supplier of", "Hooli Inc"),
        ),
    ],
)
def test_a_clause_joins_two_names(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in said(text)


def test_names_side_by_side_are_each_joined() -> None:
    found = said("Acme Inc. and Hooli Inc. operate stores in Canada, Japan and Mexico.")
    assert {
        tail for head, relation, tail in found if head == "Acme Inc." and relation.startswith("operate")
    } == {
        "Canada",
        "Japan",
        "Mexico",
    }


def test_a_relation_tells_when_and_for_how_much() -> None:
    [found] = [
        each
        for each in read("On May 4, 2021, we acquired Globex Corporation for $52 million.")
        if each.relation == "acquired"
    ]
    assert (found.date, found.amount) == ("May 4, 2021", "$52 million")


def test_two_things_that_are_only_mentioned_are_not_related() -> None:
    assert not said("Sales rose, as did those of Globex Corporation and of Hooli Inc.")


def test_what_stands_without_a_name_is_related_to_nothing() -> None:
    assert not said("We entered into an agreement with a supplier.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Acme Inc. will build a plant in Ohio, and Hooli Inc. acquired Globex Corporation.",
            ("Hooli Inc", "acquired", "Globex Corporation"),
        ),
        ("We've acquired Globex Corporation.", ("Acme Inc.", "acquired", "Globex Corporation")),
        ("We failed to acquire Globex Corporation.", ("Acme Inc.", "did not acquire", "Globex Corporation")),
        (
            "Acquired by Hooli Inc., Globex Corporation opened a plant in Ohio.",
            ("Hooli Inc", "acquired", "Globex Corporation"),
        ),
        (
            "We submitted a bid for Globex Corporation.",
            ("Acme Inc.", "submitted bid for", "Globex Corporation"),
        ),
        ("We have no stores in Japan.", ("Acme Inc.", "did not have stores in", "Japan")),
    ],
)
def test_each_clause_has_its_own_status_voice_and_form(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in said(text)


def test_what_a_names_people_do_it_does_not_do() -> None:
    assert not said("Globex Corporation shareholders approved a plan in Ohio.")
    assert ("Acme Inc.", "has business", "Roadrunner") in said("Our Roadrunner businesses grew.") | said(
        "Our Roadrunner business grew."
    )


def test_what_another_clause_costs_is_not_told_of_this_one() -> None:
    found = read("We acquired Globex Corporation, which had revenue of $40 million in 2019.")
    assert [(each.date, each.amount) for each in found if each.relation == "acquired"] == [("", "")]


def test_a_list_that_is_read_amiss_relates_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"Globex{n} Corporation" for n in range(6)]
    text = f"{', '.join(names[:3])} and Hooli Inc. signed pacts with {', '.join(names[3:])}."
    assert [each for each in read(text) if each.relation.startswith("signed")]
    monkeypatch.setattr(clauses, "MAX_PAIRS", 0)
    assert not [each for each in read(text) if each.relation.startswith("signed")]
