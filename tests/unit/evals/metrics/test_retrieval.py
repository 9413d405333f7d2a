"""Context precision and recall, and the same at k, against gold sentences."""

from __future__ import annotations

import pytest
from metric_rows import METRICS, failed, item, row, value

TUGS = "The two new tugs entered service in April and doubled the towing capacity."
FEES = "Berth fees rose because longer vessels pay for two berths at a time."
CRANE = "The western crane stood idle for six weeks while its cable was replaced!"
NOISE = "Lunch is served in the canteen between noon and two in the afternoon daily."

ITEM = item(gold=(f"{TUGS} {FEES}\n{CRANE} Thank you.",))


def test_precision_is_the_mean_of_precision_at_the_relevant_ranks() -> None:
    assert value("context_precision", ITEM, row(TUGS, NOISE, FEES)) == pytest.approx((1 + 2 / 3) / 2)


def test_helpful_contexts_in_front_score_more_than_the_same_ones_behind() -> None:
    assert value("context_precision", ITEM, row(TUGS, NOISE)) == 1
    assert value("context_precision", ITEM, row(NOISE, TUGS)) == 0.5


def test_without_a_relevant_context_precision_is_0() -> None:
    assert value("context_precision", ITEM, row(NOISE)) == 0


def test_recall_counts_each_gold_sentence_once_wherever_it_stands() -> None:
    assert value("context_recall", ITEM, row(f"{TUGS} {FEES}", TUGS)) == pytest.approx(2 / 3)


def test_short_sentences_are_no_gold_sentences() -> None:
    assert value("context_recall", ITEM, row(TUGS, FEES, CRANE)) == 1


def test_a_sentence_of_exactly_40_characters_is_too_short_and_one_of_41_is_not() -> None:
    forty = "a" * 39 + "."
    assert value("context_recall", item(gold=(forty,)), row(forty)) is None
    assert value("context_recall", item(gold=("a" + forty,)), row("a" + forty)) == 1


def test_line_breaks_do_not_hide_a_gold_sentence() -> None:
    broken = TUGS.replace(" tugs ", "\n   tugs\t").replace("April and", "April\nand")
    assert value("context_recall", item(gold=(TUGS,)), row(broken)) == 1


def test_halves_of_a_sentence_in_two_contexts_do_not_count() -> None:
    got = row(TUGS[:30], TUGS[30:])
    assert value("context_recall", item(gold=(TUGS,)), got) == 0
    assert value("context_precision", item(gold=(TUGS,)), got) == 0


@pytest.mark.parametrize("name", ["context_precision", "context_recall", "precision_at_3", "f1_at_1"])
def test_without_a_gold_sentence_no_retrieval_metric_applies(name: str) -> None:
    assert value(name, item(gold=("Yes.",)), row(NOISE)) is None
    assert value(name, item(), row(NOISE)) is None


@pytest.mark.parametrize(
    "name", ["context_precision", "context_recall", "precision_at_4", "recall_at_4", "f1_at_4"]
)
def test_a_failed_row_retrieved_nothing(name: str) -> None:
    assert value(name, ITEM, failed()) == 0


def test_precision_at_k_does_not_punish_contexts_that_were_not_shown() -> None:
    got = row(TUGS, NOISE)
    assert value("precision_at_1", ITEM, got) == 1
    assert value("precision_at_2", ITEM, got) == 0.5
    assert value("precision_at_10", ITEM, got) == 0.5


def test_recall_at_k_grows_with_k_up_to_context_recall() -> None:
    got = row(NOISE, TUGS, FEES)
    grown = [value(f"recall_at_{k}", ITEM, got) for k in (1, 2, 3, 10)]
    assert grown == pytest.approx([0, 1 / 3, 2 / 3, 2 / 3])
    assert value("context_recall", ITEM, got) == grown[-1]


def test_f1_is_the_harmonic_mean_of_both() -> None:
    assert value("f1_at_2", ITEM, row(TUGS, NOISE)) == pytest.approx(2 * 0.5 / 3 / (0.5 + 1 / 3))


def test_there_is_a_metric_for_each_k_from_1_to_10() -> None:
    for name in ("precision", "recall", "f1"):
        assert all(f"{name}_at_{k}" in METRICS for k in range(1, 11))
        assert f"{name}_at_11" not in METRICS
