from __future__ import annotations

import pytest

from graphs.local.question.unknown_names import capitalised_spans, find_unknown_companies
from tests.filings import CATALOG
from tools.knowledge.lexicon.metric_names import find_metrics


def unknown(question: str, *known: str) -> tuple[str, ...]:
    metrics = [(m.start, m.end) for m in find_metrics(question)]
    return find_unknown_companies(question, CATALOG.link(question), metrics, known.__contains__)


@pytest.mark.parametrize(
    "question",
    [
        "What was Harrowmere's revenue?",
        "Who is the CEO of Harrowmere?",
        "Compare the revenue of Orla and Harrowmere.",
        "Does Harrowmere pay a dividend?",
        "What does Harrowmere Holdings Inc make?",
    ],
)
def test_a_name_that_plays_a_company_s_part_and_is_not_indexed_is_unknown(question: str) -> None:
    assert [name.split()[0] for name in unknown(question)] == ["Harrowmere"]


@pytest.mark.parametrize(
    "question",
    [
        "What was Orla's revenue?",
        "Did inventories account for a third of Orla Inc's total current assets?",
        "What does the Harrowmere Plan cost Orla?",
        "What was the revenue of the Harrowmere segment?",
        "What did Harrowmere say about demand?",
        "How is demand in Japan?",
    ],
)
def test_indexed_companies_plans_segments_speakers_and_places_are_not(question: str) -> None:
    assert unknown(question) == ()


def test_a_name_that_the_index_knows_is_not_unknown() -> None:
    assert unknown("What was Harrowmere's revenue?", "Harrowmere") == ()


def test_without_capitals_only_the_most_typical_places_are_looked_at() -> None:
    assert unknown("revenue of harrowmere") == ("harrowmere",)
    assert unknown("is harrowmere doing well") == ()


def test_runs_of_capitals_are_joined_over_of_and_and_open_with_no_ordinary_word() -> None:
    spans = capitalised_spans("Did Bank of Harrowmere and Kestrel & Sons merge with the CEO of Tilbrook?", ())
    assert [span.text for span in spans] == ["Bank of Harrowmere", "Kestrel & Sons", "Tilbrook"]
