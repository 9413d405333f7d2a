"""tools.vector.keywords: BM25 by terms that suit filings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tools.vector.keywords import KeywordIndex, tokenize

TEXTS = [
    "iPhone net sales were 39,669 million USD.",
    "Services gross margin percentage increased.",
    "The Company's taxes and businesses in the U.S.",
    "iPhone demand was weak; iPhone prices held.",
]


@pytest.fixture
def index() -> KeywordIndex:
    return KeywordIndex.build(["a", "b", "c", "d"], TEXTS)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Apple's R&D expenses", ["apple", "r&d", "expense"]),
        ("81,797 million and 1.26", ["81797", "million", "1.26"]),
        ("businesses, taxes, companies, analysis, gas", ["business", "tax", "company", "analysis", "gas"]),
        ("the U.S. and us", ["us", "us"]),
        ("10-Q for Q3 2023, MSFT", ["10", "q", "q3", "2023", "msft"]),
        ("management\u2019s \ufb01nancial view; 'said'", ["management", "financial", "view", "said"]),
        ("did not rise", ["not", "rise"]),
        ("\x00 !!! ###", []),
    ],
)
def test_terms(text: str, terms: list[str]) -> None:
    assert tokenize(text) == terms


def test_the_text_with_most_of_a_rare_term_scores_best(index: KeywordIndex) -> None:
    scores = index.scores("iPhones")
    assert scores.dtype == np.float32
    assert int(np.argmax(scores)) == 3
    assert scores[1] == scores[2] == 0


def test_a_printed_figure_finds_its_text_with_or_without_commas(index: KeywordIndex) -> None:
    assert int(np.argmax(index.scores("39669"))) == 0
    assert np.array_equal(index.scores("39669"), index.scores("39,669"))


def test_texts_that_are_not_allowed_score_nothing(index: KeywordIndex) -> None:
    scores = index.scores("iPhone sales", np.array([False, True, True, True]))
    assert scores[0] == 0
    assert scores[3] > 0


def test_a_query_without_a_known_term_scores_nothing(index: KeywordIndex) -> None:
    for query in ("zebra", "the of and", ""):
        assert not index.scores(query).any()


def test_coverage_weighs_rare_and_unknown_terms_most(index: KeywordIndex) -> None:
    everything = np.arange(4)
    assert index.coverage("iPhone demand weak", everything)[3] == pytest.approx(1)
    half_known = index.coverage("iPhone zebra", everything)
    assert 0 < half_known[0] < 0.5
    assert half_known[1] == 0
    assert not index.coverage("the of", everything).any()


def test_saving_and_loading_keeps_every_score(index: KeywordIndex, tmp_path: Path) -> None:
    index.save(tmp_path)
    loaded = KeywordIndex.load(tmp_path)
    assert loaded.ids == index.ids
    for query in ("iPhone", "taxes in the U.S.", "zebra"):
        assert np.array_equal(loaded.scores(query), index.scores(query))


def test_the_same_texts_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        KeywordIndex.build(["a", "b", "c", "d"], TEXTS).save(tmp_path / name)
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "two").iterdir())
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@pytest.mark.parametrize("texts", [[], [""], ["the of", "!!!"]])
def test_nothing_to_index_is_an_index_that_finds_nothing(texts: list[str], tmp_path: Path) -> None:
    KeywordIndex.build([str(number) for number in range(len(texts))], texts).save(tmp_path)
    loaded = KeywordIndex.load(tmp_path)
    assert loaded.scores("sales").shape == (len(texts),)
    assert not loaded.scores("sales").any()
    assert not loaded.coverage("sales", np.arange(len(texts))).any()


def test_a_file_that_lost_rows_is_refused(index: KeywordIndex, tmp_path: Path) -> None:
    index.save(tmp_path)
    ids = tmp_path / "ids.json"
    ids.write_text(ids.read_text(encoding="utf-8").replace('"d"', '"d", "e"'), encoding="utf-8")
    with pytest.raises(ValueError, match="holds 4 texts for 5 ids"):
        KeywordIndex.load(tmp_path)


def test_among_chosen_texts_a_word_that_all_of_them_hold_says_little(index: KeywordIndex) -> None:
    """'iPhone' tells two of the four texts apart from the rest, but not from each other."""
    everywhere = index.scores("iPhone sales")[[0, 3]]
    among = index.scores_among("iPhone sales", np.array([0, 3]))
    assert among.dtype == np.float32
    assert 0 < among[1] < everywhere[1] / 2
    assert among[0] > 3 * among[1]  # who says 'sales', the word that differs
    assert np.allclose(index.scores_among("iPhone sales", np.arange(4)), index.scores("iPhone sales"))


def test_among_chosen_texts_words_that_none_of_them_hold_score_nothing(index: KeywordIndex) -> None:
    assert index.scores_among("gross margins of zebras", np.array([0, 2, 3])).tolist() == [0, 0, 0]
    assert index.scores_among("iPhone", np.array([], dtype=np.int64)).tolist() == []


def test_jax_is_not_loaded_for_a_question_though_it_is_installed(tmp_path: Path) -> None:
    (tmp_path / "jax").mkdir()
    (tmp_path / "jax/__init__.py").write_text("raise SystemExit('JAX was loaded')")
    code = "import sys; from tools.vector.keywords import load_bm25s; load_bm25s().BM25; sys.exit('jax' in sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(tmp_path)}, check=False
    )
    assert ran.returncode == 0


def test_what_was_loaded_can_not_be_saved_as_if_it_were_empty(tmp_path: Path) -> None:
    KeywordIndex.build(["a"], ["revenue rose"]).save(tmp_path / "one")
    with pytest.raises(ValueError, match="only what was built"):
        KeywordIndex.load(tmp_path / "one").save(tmp_path / "two")
