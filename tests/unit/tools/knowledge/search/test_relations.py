"""Relations that a question asks for: people by role, what was asked about, what a company did."""

from __future__ import annotations

import pytest
from builders import document, parsed, prose

from tools.documents.types import Participant
from tools.knowledge.extract.participants import people_triplets
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.search.relations import Relations, search_relations
from tools.knowledge.types import Triplet
from tools.periods import Period
from tools.scope import Scope

CALL = document("HRWM", doc_type="call", company="Harrowmere Group", aliases=("Harrowmere",), end=None)
PEOPLE = (
    Participant("Ada Voss", "Chief Financial Officer", "", 1, is_analyst=False),
    Participant("Ida Stone", "Chief Executive Officer", "", 1, is_analyst=False),
    Participant("Ben Ruiz", "Analyst", "Orla Securities", 1, is_analyst=True),
    Participant("Cy Long", "Analyst", "Kestrel Bank", 1, is_analyst=True),
)
QUESTIONS = tuple(
    prose(CALL, text, speaker=name, kind="exchange")
    for name, text in (
        ("Ben Ruiz", "Could you talk about gross margin and where it might settle next year?"),
        ("Cy Long", "Could you talk about the store openings and about free cash flow?"),
    )
)
BOUGHT = make_triplet(
    CALL,
    ("Harrowmere Group", "company"),
    "acquired",
    ("Teapot Works", "company"),
    page=2,
    quote="We acquired Teapot Works in May.",
)
GRAPH = KnowledgeGraph.build(
    [*people_triplets(parsed(CALL, people=PEOPLE, chunks=QUESTIONS)), BOUGHT], {CALL.id: CALL}
)


def search(question: str, scope: Scope = Scope(("HRWM",))) -> Relations:  # noqa: B008
    return search_relations(GRAPH, question, scope, ["HRWM"], 1)


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Who is Harrowmere's CFO?", "Ada Voss holds the role Chief Financial Officer"),
        ("Who is the chief executive officer of Harrowmere?", "Ida Stone holds the role"),
        ("Which firm does Ben Ruiz work for?", "Ben Ruiz works for Orla Securities"),
        ("Which analyst asked about gross margin?", "Ben Ruiz asked about gross margin"),
        ("Who asked about store openings?", "Cy Long asked about"),
        ("What did Harrowmere acquire?", "Harrowmere Group acquired Teapot Works"),
    ],
)
def test_the_relation_asked_for_comes_first(question: str, start: str) -> None:
    found = search(question).found
    assert found and found[0].text.startswith(start)


def test_a_question_about_people_wants_no_figures_and_one_about_deeds_may() -> None:
    assert search("Who is Harrowmere's CFO?").only
    assert not search("What did Harrowmere acquire?").only


def test_the_analysts_of_a_call_are_all_found_and_no_officer_among_them() -> None:
    found = [evidence.text for evidence in search("Who are the analysts?").found]
    assert {" ".join(text.split()[:2]) for text in found} == {"Ben Ruiz", "Cy Long"}


def test_a_figure_asked_for_leaves_a_deed_less_sure() -> None:
    def score(question: str) -> float:
        return next(e.score for e in search(question).found if "Teapot" in e.text)

    assert score("How much did Harrowmere acquire?") < score("What did Harrowmere acquire?")


def test_nothing_outside_the_scope_is_found() -> None:
    assert search("Who is Harrowmere's CFO?", Scope(("HRWM",), doc_types=("10-Q",))).found == []


def test_a_figure_without_a_period_is_no_relation_either() -> None:
    def made(value: str, period: Period) -> Triplet:
        return make_triplet(
            CALL,
            ("Teapot sales", "product"),
            "was",
            (value, "value"),
            page=2,
            quote=f"Teapot sales were {value}.",
            value=value,
            unit="USD",
            period=period,
        )

    graph = KnowledgeGraph.build(
        [made("12", Period()), made("13", Period(fiscal_year=2024))], {CALL.id: CALL}
    )
    found = search_relations(graph, "What about Teapot sales?", Scope(("HRWM",)), ["HRWM"], 1).found
    assert [item.text.count("13") > 0 for item in found] == [True]
