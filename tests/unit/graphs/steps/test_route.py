"""What the tools are asked, and that both are where one is not enough."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.engines import local_engine
from graphs.contracts import PlannedCall, Reading, Route
from graphs.local.question.about_index import IndexGuide
from graphs.state import Context
from graphs.steps.plan import with_both
from graphs.steps.readings import with_told
from graphs.steps.tool_calls import calls, with_concept_call, with_concepts
from tests.filings import CATALOG
from tools.scope import Scope
from tools.vector import embeddings
from tools.vector.embeddings import LocalEmbeddings

ABSTRACTIVE = Route(kind="abstractive", tools=("vector_search",), reason="asks for a summary", confidence=0.9)


def test_an_overview_is_prose_that_asks_for_figures_too() -> None:
    asked = Reading(
        question="Summarize Orla's results",
        companies=("ORLA",),
        company_names=("Orla",),
        scope=Scope(companies=("ORLA",)),
        overview=True,
        tool_questions=(("kg_search", "What were Orla's revenue and net income?"),),
    )
    chosen = with_both(ABSTRACTIVE, asked)
    assert chosen.kind == "abstractive" and chosen.tools == ("vector_search", "kg_search")
    searches = {call["name"]: call["args"]["question"] for call in calls(asked, chosen, Context()).tool_calls}
    assert searches == {
        "kg_search": "What were Orla's revenue and net income?",
        "vector_search": asked.question,
    }


def test_who_asked_needs_questions_and_participants() -> None:
    fact = Route(kind="extractive", tools=("kg_search",), reason="asks for a fact", confidence=0.9)
    asked = Reading(question="Who asked about margins?", companies=("ORLA",), asks_who_asked=True)
    assert with_both(fact, asked).tools == ("vector_search", "kg_search")
    assert with_both(fact, Reading(question="Who is the CFO?", companies=("ORLA",))) == fact


def test_a_question_about_the_index_is_told_and_one_off_the_topic_is_refused() -> None:
    reading, untold = with_told(Reading(question="Hello, who are you?"), CATALOG, local_engine())
    assert "Orla Devices, Inc." in reading.told and (reading.out_of_scope, untold) == ("", "")
    reading, untold = with_told(Reading(question="Write a poem about autumn"), CATALOG, local_engine())
    assert reading.out_of_scope and (reading.told, untold) == ("", "")


def test_a_question_that_may_be_about_the_index_is_looked_up_with_what_is_held_at_hand() -> None:
    asked = Reading(question="documents about Orla's pension", companies=("ORLA",))
    reading, untold = with_told(asked, CATALOG, local_engine())
    assert "Orla Devices, Inc." in reading.told_otherwise
    assert (reading.told, reading.out_of_scope, untold) == ("", "", "")


def test_what_cannot_be_read_stays_so() -> None:
    asked = Reading(question="asdf qwer", out_of_scope="the question makes no sense as text")
    assert with_told(asked, CATALOG, local_engine()) == (asked, "")


def test_without_the_embedding_model_questions_go_on_and_say_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "MODEL_SHA256", "0" * 64)
    engine = replace(local_engine(), guide=IndexGuide(LocalEmbeddings(threads=7)))
    asked = Reading(question="What do suppliers say?")
    reading, untold = with_told(asked, CATALOG, engine)
    assert reading == asked and "pip install" in untold


def test_an_engine_without_a_guide_tells_nothing() -> None:
    asked = Reading(question="Hello!")
    assert with_told(asked, CATALOG, replace(local_engine(), guide=None)) == (asked, "")


def test_a_question_that_leads_to_concepts_is_searched_by_them_behind_the_regular_search() -> None:
    both = Route(kind="uncertain", tools=("vector_search", "kg_search"), reason="unclear", confidence=0.5)
    led = with_concepts(both, ("rate swap",))
    assert led.tools == ("vector_search", "ontology_search", "kg_search")
    assert led.reason == "unclear; leads to 'rate swap'"
    figures = Route(kind="extractive", tools=("kg_search",), reason="asks for a figure", confidence=0.9)
    assert with_concepts(figures, ("rate swap",)) == figures
    assert with_concepts(both, ()) == both


def test_a_plan_that_searches_passages_follows_concepts_within_its_first_filter() -> None:
    planned = (
        PlannedCall(tool="kg_search", question="Debt", companies=("ORLA",)),
        PlannedCall(
            tool="vector_search", question="hedges of rates", companies=("ORLA",), periods=("FY2022",)
        ),
    )
    *same, led = with_concept_call(planned, "Which derivatives does Orla use?", ("derivative instrument",))
    assert tuple(same) == planned
    assert (led.tool, led.question) == ("ontology_search", "Which derivatives does Orla use?")
    assert (led.companies, led.periods) == (("ORLA",), ("FY2022",))
    assert with_concept_call(planned, "Debt?", ()) == planned
    assert with_concept_call(planned[:1], "Debt?", ("debt",)) == planned[:1]
