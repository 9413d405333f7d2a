"""The regression gate over the sample questions, as continuous integration runs it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from evals.gate import FLOORS, Floors
from evals.results import Results
from tests.conftest import Command, Ran

Gate = Callable[..., Ran]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of one run of all sample questions, which the tests of this file share."""
    return tmp_path_factory.mktemp("gate") / "sample"


@pytest.fixture
def gate(hybridrag: Command, sample_home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """The command; the first test to use it asks the questions, the others find them answered."""
    monkeypatch.setenv("HYBRIDRAG_ENGINE", "local")

    def run(*words: str | Path) -> Ran:
        usual = ("--dataset", "sample", "--pipelines", "agent", "--home", sample_home, "--out", folder)
        return hybridrag("eval", "run", *usual, *words)

    return run


def test_the_assistant_reaches_the_floors_on_the_sample_questions(gate: Gate) -> None:
    ran = gate()
    assert ran.code == 0, ran.err
    assert "Not compared" not in ran.err


def test_a_metric_below_its_floor_fails_the_command_and_names_the_questions_that_changed(
    gate: Gate, folder: Path, tmp_path: Path
) -> None:
    floors = orjson.loads(FLOORS.read_bytes())
    floors["floors"]["agent"]["answer_rate"] = 1.01
    changed = next(key for key, was in floors["expected"]["agent"].items() if was["status"] == "abstained")
    floors["expected"]["agent"][changed] |= {"status": "answered", "answer_rate": 1.1}
    (tmp_path / "floors.json").write_bytes(orjson.dumps(floors))
    ran = gate("--floors", tmp_path / "floors.json")
    assert ran.code == 1
    assert "below its floor: agent answer_rate" in ran.err
    assert f"{changed} (" in ran.err
    assert "answered -> abstained" in ran.err
    [record] = gate("--floors", tmp_path / "floors.json", "--json").objects
    assert record["gate"]["passed"] is False
    [fall] = record["gate"]["falls"]
    assert (fall["metric"], fall["questions"]) == ("answer_rate", [changed])
    assert gate("--floors", tmp_path / "floors.json", "--no-gate").code == 0


def test_floors_that_are_written_are_reached_by_the_run_that_wrote_them(
    gate: Gate, folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "floors.json"
    assert gate("--floors", path, "--update-floors").code == 0
    written = Floors.load(path)
    assert set(written.floors) == {"agent"}
    assert len(written.expected["agent"]) == len(Results.load(folder).items)
    again = gate("--floors", path)
    assert again.code == 0
    assert "changed:" not in again.err


@pytest.mark.usefixtures("asked_here")
def test_a_drawn_part_is_not_compared_with_floors_of_the_whole(
    gate: Gate, folder: Path, tmp_path: Path
) -> None:
    ran = gate("--limit", "2", "--out", tmp_path / "part", "--workers", "1")
    assert ran.code == 0
    assert "Not compared with the floors: not all questions were asked" in ran.err
    refused = gate("--limit", "2", "--out", tmp_path / "part", "--floors", FLOORS)
    assert refused.code == 2


@pytest.mark.parametrize("text", ["", "[]", '{"dataset": "sample"}'])
def test_a_file_that_is_none_of_floors_is_refused(gate: Gate, tmp_path: Path, text: str) -> None:
    (tmp_path / "floors.json").write_text(text, encoding="utf-8")
    refused = gate("--floors", tmp_path / "floors.json")
    assert refused.code == 2
    assert "is not a file of floors" in refused.err
