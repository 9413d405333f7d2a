"""Routes, abstentions, the assistant's own verdict, costs, and the list of all metrics."""

from __future__ import annotations

import pytest
from metric_rows import METRICS, abstained, failed, item, row, score, value

from evals.metrics.all_metrics import metrics_for
from graphs.contracts import Statement, StepUsage


def test_a_route_is_right_or_wrong() -> None:
    wanted = item(route="extractive")
    assert value("route_accuracy", wanted, row(route="extractive")) == 1
    assert value("route_accuracy", wanted, row(route="uncertain")) == 0
    assert value("route_accuracy", wanted, failed()) == 0
    assert value("route_accuracy", item(), row(route="extractive")) is None


@pytest.mark.parametrize("pipeline", ["vector", "graph", "hybrid", "vector@paper"])
def test_a_baseline_neither_routes_nor_checks(pipeline: str) -> None:
    got = row(pipeline=pipeline, route="extractive", faithfulness=1.0)
    assert value("route_accuracy", item(route="extractive"), got) is None
    assert value("local_faithfulness", item(), got) is None


def test_the_agent_in_the_papers_configuration_is_still_the_agent() -> None:
    assert (
        value("route_accuracy", item(route="extractive"), row(pipeline="agent@paper", route="extractive"))
        == 1
    )


UNANSWERABLE = item(answerable=False)
ANSWERABLE = item(answerable=True)


def test_abstention_precision_is_of_rows_that_abstained() -> None:
    assert value("abstention_precision", UNANSWERABLE, abstained()) == 1
    assert value("abstention_precision", ANSWERABLE, abstained()) == 0
    assert value("abstention_precision", UNANSWERABLE, row()) is None
    assert value("abstention_precision", UNANSWERABLE, failed()) is None
    assert value("abstention_precision", item(), abstained()) is None


def test_abstention_recall_is_of_unanswerable_questions() -> None:
    assert value("abstention_recall", UNANSWERABLE, abstained()) == 1
    assert value("abstention_recall", UNANSWERABLE, row(status="partial")) == 0
    assert value("abstention_recall", UNANSWERABLE, failed()) == 0
    assert value("abstention_recall", ANSWERABLE, abstained()) is None


def test_answer_rate_is_of_answerable_questions() -> None:
    assert value("answer_rate", ANSWERABLE, row(status="partial")) == 1
    assert value("answer_rate", ANSWERABLE, abstained()) == 0
    assert value("answer_rate", ANSWERABLE, failed()) == 0
    assert value("answer_rate", UNANSWERABLE, row()) is None


def test_a_question_with_an_expected_answer_is_answerable_unless_said_otherwise() -> None:
    assert value("answer_rate", item(answer="Calm."), row()) == 1
    assert value("abstention_precision", item(gold=("Calm.",)), abstained()) == 0
    assert value("answer_rate", item(answer="Not in there.", answerable=False), row()) is None


def test_the_own_verdict_is_taken_as_it_is() -> None:
    statements = (Statement(text="a", supported=True), Statement(text="b", supported=False))
    got = score("local_faithfulness", item(), row(faithfulness=0.5, statements=statements))
    assert (got.value, got.reason) == (0.5, "1 of 2 statements supported")
    assert value("local_faithfulness", item(), abstained()) is None


def test_costs_are_those_of_the_row() -> None:
    got = row(
        "Ten words of harbour news.",
        "More.",
        tool_calls=2,
        seconds={"route": 0.1, "total": 0.7},
        usage=StepUsage(calls=2, input_tokens=90, output_tokens=10),
    )
    costs = {n: value(n, item(), got) for n in ("seconds", "tool_calls", "context_chars", "model_tokens")}
    assert costs == {"seconds": 0.7, "tool_calls": 2, "context_chars": 31, "model_tokens": 100}
    tokens = value("context_tokens", item(), got)
    assert tokens is not None and 6 <= tokens <= 10


def test_failing_is_not_cheap() -> None:
    assert value("tool_calls", item(), failed()) is None
    assert value("context_tokens", item(), failed()) is None
    assert value("seconds", item(), failed(seconds={"total": 60.0})) == 60
    assert value("seconds", item(), failed()) is None


def test_every_metric_has_a_name_of_its_own_and_scores_any_row() -> None:
    metrics = metrics_for(None)
    assert len({metric.name for metric in metrics}) == len(metrics) == len(METRICS)
    for metric in metrics:
        for got in (row(), abstained(), failed()):
            told = metric.score(item(answer="Calm.", answerable=None), got)
            assert told.reason
            assert not told.failed
            if metric.unit == "" and told.value is not None:
                assert 0 <= told.value <= 1


def test_only_costs_and_wrong_figures_are_better_when_lower() -> None:
    lower = {metric.name for metric in METRICS.values() if metric.better == "lower"}
    assert lower == {m.name for m in METRICS.values() if m.group == "cost"} | {"wrong_number_rate"}
