"""Verdicts on a quarter: when one is asked for, the rule that the answer states, and the checker's own computation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from graphs.contracts import Draft
from graphs.local.answer.answerer import LocalAnswerer
from graphs.local.answer.doing_well import asks_if_well
from graphs.local.check.checker import LocalChecker
from graphs.local.question.overviews import asks_overview
from tests.unit.graphs.local.answer.checked import checked_draft
from tests.unit.graphs.local.answer.test_answerer import NOW, THEN
from tests.unit.graphs.local.answer.test_overview import reading
from tools.evidence import Evidence

Make = Callable[..., Evidence]
WELL = "Did Orla do well in the quarter ended June 29, 2024?"


def figures(make: Make, revenue: str, income: str, eps: str) -> list[Evidence]:
    """Each as 'now then'; '' for one that is not found."""
    lines = [
        ("Total net revenue", revenue, {}),
        ("Net income (loss)", income, {}),
        ("Diluted", eps, {"path": ("Earnings per share",), "unit": "USD/share", "scale": 0}),
    ]
    found: list[Evidence] = []
    for metric, both, more in lines:
        for value, end in zip(both.split(), (NOW, THEN), strict=False):
            found.append(make(len(found) + 1, metric, value, end=end, **more))
    return found


def verdict_of(text: str, evidence: list[Evidence]) -> str:
    """The checker's complaint about the first statement; '' if it is supported."""
    return LocalChecker().check(reading(WELL), Draft(text=text), evidence).statements[0].reason


@pytest.mark.parametrize(
    "question",
    [
        WELL,
        "Did Orla perform well in Q2 2024?",
        "Has Orla done well?",
        "Was Q2 2024 a good quarter for Orla?",
        "Did Orla have a strong second quarter?",
        "Did Orla do badly in Q2 2024?",
    ],
)
def test_a_verdict_on_a_quarter_is_asked_for(question: str) -> None:
    assert asks_if_well(reading(question))
    assert asks_overview(reading(question)), "its figures are looked up"


@pytest.mark.parametrize(
    "question",
    [
        "How well did Orla do in Q2 2024?",
        "Did Orla do well in China?",
        "Does Orla have a good relationship with its suppliers?",
        "Did Orla's sensors do well in Q2 2024?",
    ],
)
def test_none_is_asked_for(question: str) -> None:
    assert not asks_if_well(reading(question))


def test_a_verdict_on_one_figure_is_none_by_the_rule() -> None:
    assert not asks_if_well(reading("Did Orla's revenue do well?", metrics=("revenue",)))


def test_two_of_three_up_is_a_yes_with_rule_and_figures_cited(fact: Make) -> None:
    made = checked_draft(reading(WELL), figures(fact, "4390 4812", "212 198", "1.26 1.10"))
    first, _, rest = made.text.partition("\n")
    assert first == (
        "Yes, Orla Devices, Inc. did well in the three months ended June 29, 2024, judged by whether at least two of "
        "revenue, net income and diluted earnings per share were up on the same quarter a year before: net income and "
        "diluted earnings per share were up, revenue was not up [1] [2] [3] [4] [5] [6]."
    )
    assert "| Total net revenue | 4,390 million USD | 4,812 million USD |" in rest


def test_one_of_three_up_is_a_no(fact: Make) -> None:
    made = checked_draft(reading(WELL), figures(fact, "4812 4390", "198 198", "-1.26 -1.10"))
    assert made.text.startswith("No, Orla Devices, Inc. did not do well")
    assert "revenue was up, net income and diluted earnings per share were not up" in made.text


def test_a_smaller_loss_is_up(fact: Make) -> None:
    made = checked_draft(reading(WELL), figures(fact, "4390 4812", "-12 -212", "-0.08 -1.10"))
    assert made.text.startswith("Yes, ")


def test_asked_whether_it_did_badly_yes_and_no_change_places(fact: Make) -> None:
    evidence = figures(fact, "4812 4390", "212 198", "1.26 1.10")
    made = checked_draft(reading("Did Orla do badly in Q2 2024?"), evidence)
    assert made.text.startswith("No, Orla Devices, Inc. did well")


def test_two_up_suffice_where_the_third_is_not_found(fact: Make) -> None:
    made = checked_draft(reading(WELL), figures(fact, "4812 4390", "212 198", ""))
    assert "revenue and net income were up, diluted earnings per share was not found" in made.text


def test_no_verdict_is_given_where_a_missing_figure_could_turn_it(fact: Make) -> None:
    made = checked_draft(reading(WELL), figures(fact, "4812 4390", "190 198", ""))
    assert not made.text.startswith(("Yes", "No"))
    assert "4,812 million USD" in made.text, "the figures are shown all the same"


def test_six_months_are_no_quarter(fact: Make) -> None:
    evidence = [
        item.model_copy(
            update={
                "period": replace(item.period, months=6),
                "fact": item.fact.model_copy(update={"period": replace(item.period, months=6)})
                if item.fact
                else None,
            }
        )
        for item in figures(fact, "4812 4390", "212 198", "1.26 1.10")
    ]
    assert "on the same period a year before" in checked_draft(reading(WELL), evidence).text


def test_the_checker_computes_the_verdict_again(fact: Make) -> None:
    evidence = figures(fact, "4390 4812", "212 198", "1.26 1.10")
    line = LocalAnswerer().draft(reading(WELL), evidence).text.partition("\n")[0]
    assert verdict_of(line, evidence) == ""
    for told, otherwise in (
        ("did well", "did not do well"),
        ("revenue was not up", "revenue was up"),
        ("June 29", "June 30"),
        ("Orla Devices, Inc.", "Ossel Inc."),
        (" [5] [6]", ""),
    ):
        assert told in line
        assert "judgement" in verdict_of(line.replace(told, otherwise), evidence), otherwise


def test_a_verdict_that_does_not_hold_is_taken_out(fact: Make) -> None:
    evidence = figures(fact, "4390 4812", "212 198", "1.26 1.10")
    made = LocalAnswerer().draft(reading(WELL), evidence)
    wrong = Draft(text=made.text.replace("did well", "did not do well"))
    verdict = LocalChecker().check(reading(WELL), wrong, evidence)
    kept = LocalAnswerer().revise(reading(WELL), evidence, wrong, verdict)
    assert "judged by" not in kept.text
    assert "4,390 million USD" in kept.text
