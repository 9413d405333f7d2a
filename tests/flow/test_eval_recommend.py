"""`hybridrag eval recommend`, from a file of interactions to the report."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import orjson
import pytest

from tests.conftest import Command

MODELS = "popularity,transitions,transitions-tuned"


@pytest.fixture
def rounds(tmp_path: Path) -> Path:
    """Users who go round through twenty items, each from another one on: what comes next is in the order alone."""
    rows = [f"{user}\t{(user * 7 + n) % 20}\t{1e9 + n}" for user in range(60) for n in range(8)]
    path = tmp_path / "rounds.inter"
    path.write_text("user_id:token\titem_id:token\ttimestamp:float\n" + "\n".join(rows) + "\n")
    return path


def test_models_are_measured_against_one_another_and_a_control(
    hybridrag: Command, rounds: Path, tmp_path: Path
) -> None:
    words = ("eval", "recommend", "--dataset", "rounds", "--path", tmp_path, "--models", MODELS, "--permuted")
    ran = hybridrag(*words, "--out", tmp_path / "out")
    assert ran.code == 0, ran.err
    assert "transitions on" in ran.err
    first, *_ = ran.out.splitlines()
    assert first.startswith("rounds: 60 users, 20 items, 480 actions, 8.0 actions a user")
    assert "840 edges of the training part" in first  # 60 * (5 + 4 + 3 + 2)
    results = orjson.loads((tmp_path / "out" / "results.json").read_bytes())
    assert results["measured"][1]["masked"]["NDCG@10"]["mean"] == 1.0
    sure = {(each["first"], each["second"]) for each in results["compared"] if each["low"] > 0}
    assert {("popularity", "transitions"), ("transitions, times permuted", "transitions")} <= sure
    for name in ("report.md", "report.html"):
        assert "1.0000" in (tmp_path / "out" / name).read_text()
    again = hybridrag(*words, "--out", tmp_path / "out", "--json")
    assert "transitions on" not in again.err  # nothing is computed again
    [record] = again.objects
    assert record["measured"] == results["measured"]


@pytest.mark.skipif(find_spec("jax") is None, reason="the extra recommend is not installed")
def test_what_learns_is_trained_once_for_a_folder(rounds: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "agent.cli.main", "eval", "recommend", "--dataset", str(rounds), "--json"]
    words += ["--models", "sasrec", "--seeds", "1", "--out", str(tmp_path / "out")]
    first, again = (subprocess.run(words, capture_output=True, text=True, check=True) for _ in range(2))
    assert "sasrec-quick-0: epoch 1 of at most" in first.stderr and "epoch" not in again.stderr
    [sasrec] = orjson.loads(first.stdout)["measured"]
    assert sasrec["seeds"] == [0] and sasrec["masked"]["NDCG@10"]["mean"] > 0.9
    assert orjson.loads(again.stdout)["measured"] == [sasrec]


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        (None, (), "There is no file of interactions"),
        ("", (), "is empty"),
        ("a,b\n1,2\n", (), "no head with the columns user, time and item"),
        ("user,time,item\na,1,x\na,2,y\na,3,z\n", (), "takes two users"),
        ("user,time,item\n", ("--models", "best"), "no model 'best'"),
        ("user,time,item\n", ("--seeds", "0"), "not a positive whole number"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_words(
    hybridrag: Command, tmp_path: Path, text: str | None, words: tuple[str, ...], said: str
) -> None:
    path = tmp_path / "told.csv"
    if text is not None:
        path.write_text(text)
    ran = hybridrag("eval", "recommend", "--dataset", path, "--models", "transitions", *words)
    assert ran.code == 2
    assert said in ran.err and "Traceback" not in ran.err
