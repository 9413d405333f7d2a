"""What the tools are asked, and that both are where one is not enough."""

from __future__ import annotations

from graphs.contracts import Reading, Route
from graphs.state import Context
from graphs.steps.route import calls, with_both
from tools.scope import Scope

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
