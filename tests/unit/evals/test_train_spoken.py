"""evals.train_spoken: weights learnt from invented calls."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evals import train_spoken
from evals.train_spoken import Case, case_result, train
from tests.light_index import index_light
from tests.store_stand_ins import HashEmbedder
from tools.vector.spoken import COLUMNS

TOPICS = ("sensors", "pricing", "freight", "hiring", "inventories", "batteries")
QUESTION = (
    "I would like to come back to {0}. You said in spring that {0} would be a theme of the whole year. "
    "How do you see {0} from here?"
)
ANSWER = " ".join(["We see {0} as we saw {0} before, and the team that works on {0} has done very well."] * 4)
PERSON = "Ana Reyes"


def question(topic: str) -> str:
    return QUESTION.format(topic)


def write_call(path: Path, topics: tuple[str, ...]) -> None:
    said = "\n".join(
        f"Operator\nNext question.\n{PERSON}\n{question(topic)}\nMarta Lindqvist\n{ANSWER.format(topic)}"
        for topic in topics
    )
    path.write_text(
        f"ORLA Q2 2024 Earnings Call Transcript\nCall participants\nMarta Lindqvist--Chief Executive Officer\n"
        f"{PERSON}--Harbor Bank -- Analyst\nPrepared Remarks\nMarta Lindqvist\nIt was a good quarter.\n"
        f"Questions and Answers\n{said}\n",
        encoding="utf-8",
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("calls")
    for at in range(4):
        write_call(folder / f"call-{at}.txt", TOPICS[at : at + 3])
    (folder / "alder.txt").write_text("Alder Corporation opened two plants in Ohio.\n", encoding="utf-8")
    index_light(folder / "home", [folder])
    return folder / "home"


def trained(monkeypatch: pytest.MonkeyPatch, capsys: Any, *argv: str) -> str:
    monkeypatch.setattr(train_spoken, "LocalEmbeddings", HashEmbedder)
    assert train_spoken.main(argv) == 0
    told: str = capsys.readouterr().out
    return told


def test_every_question_of_the_calls_is_learnt_from_and_words_find_its_answer(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    told = trained(monkeypatch, capsys, "--home", str(home))
    lines = told.splitlines()
    assert lines[0] == "12 questions of 4 calls"
    assert lines[1] == "first chunk right 1.000, MRR 1.000"
    weights = json.loads(lines[2].replace("'", '"'))
    assert tuple(weights) == COLUMNS
    assert weights["words"] > 0.5 and weights["asked"] < 0 < weights["in questions"]
    assert trained(monkeypatch, capsys, "--home", str(home)) == told


def test_questions_that_are_left_out_are_not_learnt_from(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, tmp_path: Path
) -> None:
    held = tmp_path / "held.jsonl"
    broken = question("freight").replace(" ", "\n", 1)  # white space says nothing
    held.write_text(json.dumps({"question": broken}) + "\n\n", encoding="utf-8")
    told = trained(monkeypatch, capsys, "--home", str(home), "--leave-out", str(held))
    assert told.startswith("9 questions of 4 calls\n")


def case(right: int, signal: int) -> Case:
    """Four passages of two chunks; column `signal` is 1 at the right one, the rest is the same everywhere."""
    table = np.zeros((4, len(COLUMNS)), np.float32)
    table[right, signal] = 1
    return Case("call", table, np.arange(4) == right, np.array([0, 0, 1, 1]))


def test_a_column_that_tells_the_answer_gets_all_the_weight() -> None:
    weights = train([case(0, 1), case(3, 1), case(2, 1)])
    assert weights[1] > 3
    assert np.allclose(np.delete(weights, 1), 0)


def test_a_case_is_as_good_as_the_rank_of_the_first_chunk_with_a_piece_of_the_answer() -> None:
    weights = np.zeros(len(COLUMNS))
    weights[1] = 1
    assert case_result(case(3, 1), weights) == 1
    assert case_result(case(3, 1), -weights) == 2
