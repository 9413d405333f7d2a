"""The local planner: which tools a question's kind of answer calls for."""

from __future__ import annotations

import pytest

from graphs.contracts import Reading
from graphs.local.question.planner import LocalPlanner
from tools.documents.metadata.catalog import Catalog
from tools.scope import Scope
from tools.vector.embeddings import LocalEmbeddings

BOTH = ("vector_search", "kg_search")


@pytest.mark.parametrize(
    ("question", "metric", "tools"),
    [
        ("What does Orla put into its category 'All Other' in segment reporting?", "", BOTH),
        ("Who runs Orla's office in Lisbon?", "", BOTH),
        ("What were Orla's net sales in the quarter ended June 29, 2024?", "net sales", ("kg_search",)),
    ],
)
def test_passages_are_searched_too_where_what_is_asked_for_is_no_figure(
    question: str, metric: str, tools: tuple[str, ...]
) -> None:
    reading = Reading(
        question=question,
        companies=("ORLA",),
        company_names=("Orla",),
        metrics=(metric,) if metric else (),
        scope=Scope(companies=("ORLA",)),
    )
    plan = LocalPlanner(embedder=LocalEmbeddings()).plan(reading, Catalog(()), Scope())
    assert plan.route.kind == "extractive" and plan.route.tools == tools
