"""The scorer of filing facts, and the sets themselves."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Any

import pytest

from evals import facts
from evals.facts import FACTS, FilingFact, score
from evals.records import DATA, load
from graphs.contracts import Answer, Citation, Route

NET_LOSS = {
    "id": "f1",
    "question": "AMZN net loss, three months ended June 30, 2022?",
    "company": "AMZN",
    "value": "-2028",
    "unit": "USD",
    "scale": "million",
    "period_end": "2022-06-30",
    "months": 3,
    "document": "q.pdf",
    "page": 4,
    "also": [["q.pdf", 3]],
    "half": "tune",
}


def fact(**changes: Any) -> FilingFact:
    return FilingFact.model_validate({**NET_LOSS, **changes})


def answer(text: str, *cited: tuple[int, str, int], status: Any = "answered") -> Answer:
    return Answer(
        question="q",
        standalone_question="q",
        status=status,
        reason="no_evidence" if status == "abstained" else None,
        answer=text,
        route=Route(kind="extractive", tools=("kg_search",), reason="", confidence=1),
        citations=tuple(
            Citation(marker=marker, source="graph", document=document, page=page, quote="")
            for marker, document, page in cited
        ),
    )


def outcome(expected: FilingFact, text: str, *cited: tuple[int, str, int]) -> str:
    return score(expected, answer(text, *cited)).outcome


HERE = (1, "q.pdf", 4)


def test_the_printed_figure_with_its_unit_and_page_is_right() -> None:
    assert outcome(fact(), "The net loss was -2,028 million USD (-$2.0 billion) [1].", HERE) == "right"
    assert outcome(fact(), "Net income (loss) was (2,028) million USD [1].", HERE) == "right"


def test_another_scale_that_makes_the_same_amount_is_right() -> None:
    assert outcome(fact(), "Net income was -2.028 billion USD [1].", HERE) == "right"


def test_a_page_that_prints_the_same_figure_is_as_good_and_any_other_page_is_wrong() -> None:
    text = "Net income was -2,028 million USD [1]."
    assert outcome(fact(), text, (1, "q.pdf", 3)) == "right"
    assert outcome(fact(), text, (1, "q.pdf", 5)) == "wrong_page"
    assert outcome(fact(), text, (1, "other.pdf", 4)) == "wrong_page"


def test_the_right_page_must_be_cited_where_the_figure_stands() -> None:
    text = "Net income was -2,028 million USD [1].\nNet sales were 121,234 million USD [2]."
    assert outcome(fact(), text, (1, "q.pdf", 9), (2, "q.pdf", 4)) == "wrong_page"
    assert outcome(fact(), "Net income was -2,028 million USD.", HERE) == "wrong_page"


def test_a_row_of_a_table_is_read_with_its_own_marker() -> None:
    text = (
        "Found:\n\n| Period | Value | Source |\n| --- | --- | --- |\n| Q2 2022 | -2,028 million USD | [2] |"
    )
    assert outcome(fact(), text, (1, "q.pdf", 9), (2, "q.pdf", 4)) == "right"


def test_a_loss_may_lose_its_sign_only_where_words_say_so() -> None:
    assert outcome(fact(), "It had a net loss of 2,028 million USD [1].", HERE) == "right"
    assert outcome(fact(), "Its profit was 2,028 million USD [1].", HERE) != "right"


def test_a_gain_stated_as_a_loss_is_not_right() -> None:
    assert outcome(fact(value="2028"), "It had a net loss of -2,028 million USD [1].", HERE) != "right"


@pytest.mark.parametrize(
    "text", ["It was -2,028 USD [1].", "It was -2,028 thousand USD [1].", "-2,028 % [1]"]
)
def test_the_same_digits_with_another_unit_or_scale_are_a_wrong_unit(text: str) -> None:
    assert outcome(fact(), text, HERE) == "wrong_unit"


def test_another_figure_is_a_wrong_figure() -> None:
    assert outcome(fact(), "Net income was -2,029 million USD [1].", HERE) == "wrong_figure"
    assert outcome(fact(), "Net income was -5,872 million USD [1].", HERE) == "wrong_figure"


def test_a_coarser_print_is_told_apart_from_a_wrong_figure() -> None:
    assert outcome(fact(), "“We lost $2.0 billion.” [1]", HERE) == "rounded"


def test_an_answer_without_a_figure_of_that_unit_is_told_apart() -> None:
    assert outcome(fact(), "“We are proud of our teams.” [1]", HERE) == "no_figure"


def test_abstaining_is_counted_whatever_the_refusal_mentions() -> None:
    refused = answer("I found no net loss of -2,028 million USD.", status="abstained")
    assert score(fact(), refused).outcome == "abstained"


def test_per_share_figures_and_share_counts_need_their_unit() -> None:
    earnings = fact(value="1.26", unit="USD/share", scale="one")
    assert outcome(earnings, "Diluted EPS was 1.26 USD per share [1].", HERE) == "right"
    assert outcome(earnings, "Diluted EPS was 1.26 million USD [1].", HERE) == "wrong_unit"
    shares = fact(value="15775021", unit="shares", scale="thousand")
    assert outcome(shares, "There were 15,775,021 thousand shares [1].", HERE) == "right"
    assert outcome(shares, "There were 15,775,021 million shares [1].", HERE) == "wrong_unit"


def test_a_right_figure_among_others_is_not_alone() -> None:
    text = "| Q2 2022 | -2,028 million USD | [1] |"
    assert score(fact(), answer(text, HERE)).alone
    assert not score(fact(), answer(text + "\n| Q2 2023 | 6,750 million USD | [1] |", HERE)).alone


def test_the_summary_counts_each_outcome_and_lists_each_miss() -> None:
    right = answer("The loss was -2,028 million USD [1].", HERE)
    wrong = answer("The loss was -5,872 million USD [1].", HERE)
    summary = facts.summarize([(fact(), a, score(fact(), a)) for a in (right, right, wrong)])
    assert summary["counts"]["right"] == 2
    assert summary["counts"]["wrong_figure"] == 1
    assert [miss["got"] for miss in summary["misses"]] == [wrong.answer]
    assert "66.7 %" in facts.describe(summary)


def test_the_filing_facts_are_well_formed_and_spread_over_filers_periods_and_units() -> None:
    records = load(FACTS, FilingFact, "tune")
    assert len(records) >= 80
    assert len({r.id for r in records}) == len(records) == len({r.question for r in records})
    assert len({r.document for r in records}) == 20
    assert set(Counter(r.company for r in records)) == {"AAPL", "AMZN", "INTC", "MSFT", "NVDA"}
    assert {r.months for r in records} == {0, 3, 6, 9, 12}
    assert {r.unit for r in records} == {"USD", "USD/share", "shares", "percent"}
    assert sum(r.value < 0 for r in records) >= 15
    assert all((r.document, r.page) not in r.also for r in records)
    assert all(r.value != 0 and r.value == Decimal(str(r.value)) for r in records)


def test_the_plain_english_facts_are_well_formed_with_eight_tune_questions_to_a_filing() -> None:
    records = load(DATA / "filing_facts_3.jsonl", FilingFact)
    assert len({r.id for r in records}) == len(records) == len({r.question for r in records}) == 160
    assert set(Counter(r.document for r in records).values()) == {8}
    assert all(r.document.split()[-1] == f"{r.company}.pdf" for r in records)
    assert {r.half for r in records} == {"tune"}
    assert {r.months for r in records} == {0, 3, 6, 9, 12}
    assert {r.unit for r in records} == {"USD", "USD/share", "shares", "percent"}
    assert {r.scale for r in records} == {"one", "thousand", "million", "billion"}
    assert sum(r.value < 0 for r in records) >= 25
    assert all((r.document, r.page) not in r.also for r in records)
    assert not {r.question for r in records} & {r.question for r in load(FACTS, FilingFact, "tune")}
