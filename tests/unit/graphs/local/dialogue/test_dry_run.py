"""A dry run: the answer that a question would get, or none."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from agent.assistant import Assistant
from graphs.drafts.claims import cited_in
from graphs.local.answer.line_ranking import LineRanker
from graphs.local.dialogue.dry_run import dry_run
from tools.evidence import Evidence
from tools.scope import Scope
from tools.vector.embeddings import LocalEmbeddings

RANKER = LineRanker(None, LocalEmbeddings())
REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"


def test_a_dry_run_gives_the_answer_and_what_it_cites(assistant: Assistant) -> None:
    run = dry_run(REVENUE, assistant.current(), Scope(), RANKER)
    assert run is not None and run.text == assistant.ask(REVENUE).answer
    [cited] = run.cited
    assert cited.fact is not None and cited.fact.value == "1284.6"
    assert cited.period.end == date(2024, 3, 30)


@pytest.mark.parametrize(
    "question",
    [
        "Who is the chief financial officer?",  # asked back: whose?
        "Compare the net income of Calderith and Harrowmere",  # in parts
        "What was Calderith's revenue in the first quarter of 2019?",  # not indexed
        "Tell me about unicorns at Calderith",  # not in the documents
        "How do I bake sourdough bread?",
    ],
)
def test_what_would_be_refused_asked_back_or_split_has_no_dry_run(
    assistant: Assistant, question: str
) -> None:
    assert dry_run(question, assistant.current(), Scope(), RANKER) is None


def test_a_dry_run_keeps_to_the_users_filters(assistant: Assistant) -> None:
    assert dry_run(REVENUE, assistant.current(), Scope(companies=("HRWM",)), RANKER) is None


def test_cited_is_what_the_markers_point_at(fact: Callable[..., Evidence]) -> None:
    evidence = [fact(rank, "Net income", "310") for rank in (1, 2, 12)]
    assert [item.rank for item in cited_in("Net income was 310 [12] [1]; see [3].", evidence)] == [1, 12]
