"""What a question asks to be computed: words as they are learnt, spans as written, weights that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tools.calculate import questions
from tools.calculate.questions import (
    OPERATIONS,
    ROLES,
    USES,
    Weights,
    learnt,
    masked,
    read_sum,
    save,
    spans_of,
    words_of,
)
from tools.model_files import ModelFileError

QUESTION = "Which of Orla's brands grew fastest?"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A place for weights of a test's own."""
    learnt.cache_clear()
    monkeypatch.setattr(questions, "WEIGHTS", tmp_path / "questions.npz")
    yield tmp_path / "questions.npz"
    learnt.cache_clear()


def weights() -> Weights:
    """Knows that 'fastest' asks for a growth, of the highest, and that 'brands' is the set."""
    heads = np.zeros((1, len(OPERATIONS) + len(USES) + 1), np.float32)
    heads[0, OPERATIONS.index("growth")] = 8
    heads[0, len(OPERATIONS) + USES.index("highest")] = 8
    roles = np.zeros((2, len(ROLES)), np.float32)
    roles[0, 0], roles[1, ROLES.index("set")] = 3, 9
    return Weights(
        {"fastest": 0},
        ("current ratio",),
        heads,
        np.zeros((3, heads.shape[1]), np.float32),
        {"op:growth": 0, "r:brands": 1},
        roles,
        np.zeros((len(ROLES) + 1, len(ROLES)), np.float32),
    )


def test_names_periods_and_figures_are_learnt_by_their_kind() -> None:
    assert masked("Did Orla Foods' sales exceed 40 million in fiscal 2023?") == [
        *("did", "<n>", "'", "sales", "exceed", "<num>", "million", "in", "<p>", "?")
    ]


def test_a_question_without_words_has_none() -> None:
    assert masked("") == [] and words_of(" \n") == []


def test_runs_of_one_role_are_spans_as_written() -> None:
    roles = [ROLES.index(each) for each in ("", "a", "a", "", "b", "set", "")]
    found = spans_of("Was operating income above (revenue) brands?"[:44], roles)
    assert found["a"] == ["operating income"] and found["more"] == []


def test_operation_use_and_words_are_read_with_weights() -> None:
    read = read_sum(QUESTION, np.zeros(2, np.float32), weights())
    assert (read.operation, read.use, read.set_words) == ("growth", "highest", "brands")
    assert read.chance > 0.7 and read.measures == ("current ratio",)


def test_weights_are_read_as_they_were_written(kept: Path) -> None:
    save(weights(), kept)
    assert learnt().grams == {"fastest": 0} and learnt().measures == ("current ratio",)
    assert read_sum(QUESTION, np.zeros(2, np.float32)).set_words == "brands"


@pytest.mark.parametrize("content", [None, b"", b"not weights", b"PK\x03\x04 cut off"])
def test_weights_that_cannot_be_read_are_named(kept: Path, content: bytes | None) -> None:
    if content is not None:
        kept.write_bytes(content)
    with pytest.raises(ModelFileError, match=r"questions\.npz is damaged"):
        learnt()
