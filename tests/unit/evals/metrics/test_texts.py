"""Answers compared with expected answers, by words and by meaning."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from metric_rows import abstained, failed, item, row, score, value

from evals.metrics import bleu, meteor, rouge_1
from evals.metrics.semantic_similarity import PIECE, pieces, semantic_similarity
from tools.vector.embeddings import Vectors

WORDS = ("rouge_1", "bleu", "meteor")
EXPECTED = "The ferry line carried more passengers because the bridge was closed all summer."
ITEM = item(answer=EXPECTED)

needs_libraries = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("rouge_score", "sacrebleu", "nltk")),
    reason="the extra 'evals' is not installed",
)


@needs_libraries
@pytest.mark.parametrize("name", WORDS)
def test_the_expected_answer_itself_scores_best_and_another_text_less(name: str) -> None:
    same = value(name, ITEM, row(answer=f"{EXPECTED} [1] [2, 3]"))
    near = value(name, ITEM, row(answer="The ferry line carried more cars because a tunnel was closed [1]."))
    far = value(name, ITEM, row(answer="Copper prices sank [1]."))
    assert same is not None and near is not None and far is not None
    assert same == pytest.approx(1, abs=0.001)
    assert 1 > near > far >= 0
    assert near > 0.15


@needs_libraries
def test_words_match_by_stem_but_not_by_synonym() -> None:
    expected = item(answer="ships docking")
    assert value("rouge_1", expected, row(answer="ship docked")) == 1
    stems, synonym = (
        value("meteor", expected, row(answer=text)) for text in ("ship docked", "boats docking")
    )
    assert stems is not None and synonym is not None
    assert stems > synonym > 0


@needs_libraries
def test_meteor_touches_no_data_of_nltk() -> None:
    code = (
        "import sys, nltk.data\n"
        "def refuse(*a, **k): raise AssertionError('data looked for')\n"
        "nltk.data.find = nltk.data.load = refuse\n"
        f"sys.path.insert(0, {str(_here())!r})\n"
        "from metric_rows import item, row, value\n"
        "print(value('meteor', item(answer='calm sea'), row(answer='rough sea')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert 0 < float(done.stdout) < 1


def _here() -> str:
    from pathlib import Path

    return str(Path(__file__).parent)


@pytest.mark.parametrize("name", WORDS)
def test_an_answer_that_was_withheld_is_worth_nothing_and_says_so(name: str) -> None:
    assert score(name, ITEM, abstained()).value == 0
    assert score(name, ITEM, failed()).value == 0


@pytest.mark.parametrize("name", [*WORDS, "semantic_similarity"])
def test_without_an_expected_answer_there_is_nothing_to_compare(name: str) -> None:
    assert value(name, item(), row(answer="Calm.")) is None
    assert value(name, item(answer="  "), row(answer="Calm.")) is None


@pytest.mark.parametrize("name", WORDS)
def test_an_unanswerable_question_is_not_compared(name: str) -> None:
    unanswerable = item(answer="Not in the documents.", answerable=False)
    assert value(name, unanswerable, row(answer="Calm.")) is None
    assert value(name, unanswerable, abstained()) is None


@pytest.mark.parametrize(
    ("name", "module", "package"),
    [("rouge_1", rouge_1, "rouge-score"), ("bleu", bleu, "sacrebleu"), ("meteor", meteor, "nltk")],
)
def test_a_missing_library_is_named_with_what_installs_it(
    name: str, module: object, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    remembered = getattr(module, "_scorer", None) or module._scoring  # type: ignore[attr-defined]
    for blocked in ("rouge_score", "sacrebleu", "nltk"):
        for loaded in [n for n in sys.modules if n.partition(".")[0] == blocked]:
            monkeypatch.delitem(sys.modules, loaded)
        monkeypatch.setitem(sys.modules, blocked, None)
    remembered.cache_clear()
    got = score(name, ITEM, row(answer="Calm."))
    remembered.cache_clear()
    assert got.value is None
    assert got.reason == f"{package} is not installed. Run: pip install 'hybridrag[evals]'"


class Directions:
    """An embedder by first letter: one axis a letter."""

    id = "letters"
    dimension = 26

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> Vectors:
        vector = np.zeros(26, dtype=np.float32)
        vector[ord(text.strip()[0].lower()) - ord("a")] = 1
        return vector


def test_similarity_is_the_cosine_of_both_texts() -> None:
    metric = semantic_similarity(Directions())
    assert metric.score(item(answer="apples"), row(answer="anchors [1]")).value == pytest.approx(1)
    assert metric.score(item(answer="apples"), row(answer="boats [1]")).value == 0
    assert metric.score(item(answer="apples"), abstained()).value == 0
    assert metric.score(item(answer="apples"), row(answer="[1]")).value == 0


def test_a_long_text_is_the_mean_of_its_pieces_by_length() -> None:
    long = "A" * (PIECE - 1) + ". " + "B" * (PIECE // 2 - 1) + "."
    metric = semantic_similarity(Directions())
    assert metric.score(item(answer="apples"), row(answer=long)).value == pytest.approx(2 / 5**0.5, abs=0.01)


def test_pieces_end_where_sentences_do_and_lose_nothing() -> None:
    text = " ".join(f"Sentence number {n} speaks of the tide and the wind at some length." for n in range(60))
    parts = pieces(text + " " + "X" * 2500)
    assert all(len(part) <= PIECE for part in parts)
    assert all(part.endswith(".") for part in parts if "Sentence" in part)
    assert "".join(parts).replace(" ", "") == (text + "X" * 2500).replace(" ", "")


def test_an_expected_answer_is_embedded_once_for_all_pipelines() -> None:
    embedder = Directions()
    metric = semantic_similarity(embedder)
    for answer in ("anchors", "boats", "cargo"):
        metric.score(item(answer="apples"), row(answer=answer))
    assert embedder.asked.count("apples") == 1


def test_without_an_embedding_model_similarity_does_not_apply() -> None:
    assert score("semantic_similarity", ITEM, row(answer="Calm.")).reason == "no embedding model is set"
