"""Two runs, question by question."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from agent.errors import UsageError
from evals.compare import Comparison, Difference, compare, compare_pipelines, describe
from evals.results import DatasetInfo, Results, RunConfig
from tests.eval_runs import item, results, row


def run(
    recall: dict[int, float | None], pipeline: str = "agent", metric: str = "context_recall", **fields: object
) -> Results:
    return results([row(pipeline, n, {metric: value}) for n, value in recall.items()], **fields)


def only(found: Comparison) -> Difference:
    assert len(found.differences) == 1
    return found.differences[0]


def test_questions_are_paired_and_wins_losses_and_ties_counted() -> None:
    first = run({1: 0.0, 2: 0.5, 3: 1.0, 4: 0.5})
    found = only(compare(first, run({4: 0.5, 3: 0.5, 2: 1.0, 1: 0.75})))
    assert (found.wins, found.losses, found.ties, found.questions) == (2, 1, 1, 4)
    assert found.difference == pytest.approx(0.1875)
    assert found.low < found.difference < found.high
    assert found.first_mean == 0.5 and found.verdict == "unclear"


def test_less_is_better_of_a_cost() -> None:
    found = only(
        compare(
            run({1: 9.0, 2: 8.0}, metric="context_tokens"), run({1: 4.0, 2: 3.0}, metric="context_tokens")
        )
    )
    assert found.difference == -5.0 and (found.wins, found.losses) == (2, 0) and found.verdict == "better"


def test_a_question_that_one_side_did_not_score_is_left_out() -> None:
    found = only(compare(run({1: 0.0, 2: 0.5, 3: None}), run({1: 1.0, 2: None, 3: 1.0})))
    assert found.questions == 1 and found.difference == 1.0


def test_runs_on_different_data_are_compared_on_common_questions_with_a_warning() -> None:
    other = DatasetInfo(name="own", data_hash="1" * 64, items=3)
    second = run({2: 1.0, 3: 1.0, 4: 1.0}, dataset=other)
    found = compare(run({1: 0.0, 2: 0.0, 3: 0.0}), second)
    assert found.questions == 2 and only(found).questions == 2
    assert any("different data" in warning for warning in found.warnings)
    assert any("1 questions of the first run" in warning for warning in found.warnings)


def test_a_question_of_another_text_is_another_question() -> None:
    changed = results([row("agent", 1, {"context_recall": 1.0})], [item(1, question="Another?")])
    with pytest.raises(UsageError, match="no question in common"):
        compare(run({1: 0.0}), changed)


def test_runs_without_a_common_pipeline_are_refused_and_lone_pipelines_told() -> None:
    with pytest.raises(UsageError, match="no pipeline in common"):
        compare(run({1: 0.0}), run({1: 0.0}, "vector"))
    both = results([row(name, 1, {"context_recall": 0.5}) for name in ("agent", "vector")])
    assert any(
        "only the second run has vector" in warning for warning in compare(run({1: 0.0}), both).warnings
    )


def test_settings_that_differ_are_told() -> None:
    config = RunConfig(dataset="own", data_hash="0" * 64, pipelines=("agent",), settings={"engine": "model"})
    assert (
        "settings differ: engine local \u2192 model"
        in compare(run({1: 0.0}), run({1: 0.0}, config=config)).warnings
    )


def test_the_questions_that_changed_most_come_first() -> None:
    found = compare(run({1: 0.5, 2: 1.0, 3: 0.5}), run({1: 0.5, 2: 0.0, 3: 0.75}))
    assert [(move.id, move.first, move.second) for move in found.moves] == [
        ("q2", 1.0, 0.0),
        ("q3", 0.5, 0.75),
    ]


def test_the_text_names_what_is_clearly_worse_and_its_questions() -> None:
    found = compare(run(dict.fromkeys(range(1, 9), 1.0)), run(dict.fromkeys(range(1, 9), 0.5)))
    told = describe(found)
    line = next(line for line in told.splitlines() if "Context recall" in line)
    assert line.split()[2:5] == ["1.000", "0.500", "\u22120.500"] and line.endswith("0/8/0  WORSE")
    assert "Questions behind what is clearly worse" in told and "q3" in told
    assert all(len(line) <= 140 for line in told.splitlines())


def test_a_run_compared_with_itself_has_not_changed() -> None:
    same = run({1: 0.5, 2: 1.0})
    found = compare(same, same)
    assert found.warnings == () and found.moves == () and "No score changed." in describe(found)
    assert "unchanged: Context recall 0.750" in describe(found)


def test_slower_questions_are_told_by_their_mean_alone() -> None:
    slow = run({1: 4.0, 2: 5.0}, metric="seconds")
    told = describe(compare(run({1: 1.0, 2: 1.5}, metric="seconds"), slow))
    assert "WORSE" in told and "Questions behind" not in told


def test_the_comparison_survives_its_json_form() -> None:
    found = compare(run({1: 0.5, 2: 1.0}), run({1: 1.0, 2: 1.0}))
    assert Comparison.model_validate_json(found.model_dump_json()) == found


def test_two_pipelines_of_one_run_are_compared() -> None:
    made = results(
        [row(name, n, {"context_recall": v}) for name, v in (("hybrid", 0.5), ("agent", 1.0)) for n in (1, 2)]
    )
    (found,) = compare_pipelines(made, "hybrid", "agent")
    assert (found.first, found.second, found.difference, found.verdict) == ("hybrid", "agent", 0.5, "better")


def test_results_of_another_format_are_refused(tmp_path: Path) -> None:
    run({1: 0.5}).save(tmp_path)
    stored = orjson.loads((tmp_path / "results.json").read_bytes())
    (tmp_path / "results.json").write_bytes(orjson.dumps(stored | {"format": 99}))
    with pytest.raises(UsageError, match="format 99"):
        Results.load(tmp_path)
