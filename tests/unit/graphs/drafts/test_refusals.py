"""A refusal says why, what was looked for, and what could be asked instead; it never states a figure."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from graphs.contracts import Draft, Reading
from graphs.drafts.refusals import MAX_COMPANIES_NAMED, ambiguous, before, nothing, unsupported
from tools.evidence import Evidence
from tools.periods import PeriodFilter
from tools.scope import Scope

Make = Callable[..., Evidence]


@pytest.mark.parametrize(
    ("found", "reason", "words"),
    [
        ({"out_of_scope": "It asks for a recipe"}, "out_of_scope", "It asks for a recipe."),
        ({"unknown_companies": ("Norvane",)}, "no_evidence", "nothing filed by Norvane"),
        (
            {"unknown_companies": ("Orlo",), "nearest_companies": ("Orla Inc.", "Orli")},
            "no_evidence",
            "filed by Orlo. Did you mean Orla Inc. or Orli?",
        ),
        ({"unknown_periods": ("2031",), "companies": ("ORLA",)}, "no_evidence", "of ORLA covers the period"),
    ],
)
def test_what_the_question_alone_rules_out_is_refused_before_anything_is_drafted(
    found: dict[str, object], reason: str, words: str
) -> None:
    refusal = before(Reading.model_validate({"question": "?", **found}))
    assert refusal is not None and refusal.abstained == reason and words in refusal.detail


def test_a_question_that_can_be_looked_up_is_not_refused() -> None:
    assert before(Reading(question="What was Orla's revenue?", companies=("ORLA",))) is None


def test_near_misses_are_named_without_their_figures(fact: Make) -> None:
    asked = Reading(
        question="?",
        metrics=("operating income",),
        companies=("ORLA",),
        scope=Scope(periods=(PeriodFilter(end=date(2024, 6, 29)),)),
    )
    evidence = [fact(1, "Gross profit", "1234", match=0.5), fact(2, "Goodwill", "77", match=0.49)]
    refusal = nothing(asked, evidence)
    assert refusal.abstained == "no_evidence" and refusal.text == ""
    assert "Looked for operating income of ORLA for the period ended June 29, 2024." in refusal.detail
    assert "Gross profit" in refusal.detail or "gross profit" in refusal.detail
    assert "oodwill" not in refusal.detail and "1,234" not in refusal.detail


def test_a_refusal_quotes_the_question_where_it_names_no_figure() -> None:
    asked = Reading(question="Which US tax law came in?", entities=("US",), companies=("ORLA",))
    assert "Looked for 'Which US tax law came in?' of ORLA." in nothing(asked, []).detail
    assert (
        nothing(asked.model_copy(update={"metrics": ("tax",)}), []).detail.count(
            "Looked for tax, US of ORLA."
        )
        == 1
    )
    assert "Several companies fit:" in ambiguous(asked, ["Orla", "Tilbrook"]).detail


def test_several_companies_are_named_up_to_a_limit() -> None:
    names = [f"Company {n}" for n in range(MAX_COMPANIES_NAMED + 1)]
    detail = ambiguous(Reading(question="?", metrics=("net income",)), names).detail
    assert names[-2] in detail and names[-1] not in detail and "Others fit, too" in detail
    assert "Others" not in ambiguous(Reading(question="?"), names[:2]).detail


def test_a_draft_that_did_not_hold_says_what_was_looked_for() -> None:
    refusal: Draft = unsupported(Reading(question="Why did it rain?"))
    assert refusal.abstained == "unsupported" and "'Why did it rain?'" in refusal.detail


def test_a_company_that_the_filter_leaves_out_is_not_said_to_be_missing() -> None:
    reading = Reading(
        question="And Norvane Inc.?",
        unknown_companies=("Norvane Inc.",),
        filtered_companies=("Norvane Inc.",),
    )
    draft = before(reading)
    assert draft is not None and draft.detail is not None
    assert draft.detail == "The filter that is set leaves out Norvane Inc. Lift it to ask about that."
