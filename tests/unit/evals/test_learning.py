"""evals.learning and the learner of lines: words that one company alone uses do not count, answers come first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from evals.fit_descent import learn
from evals.found_lines import Example
from evals.learn_fit import between
from evals.learning import Matrix, descend, files_in, softmax_rows, word_matrix
from evals.natural import Natural
from tools.ranking.fit import Weights
from tools.ranking.line_features import Line


def test_a_word_of_one_company_alone_is_not_weighed() -> None:
    names, matrix = word_matrix([("A", (("shared", 0.5), ("own", 1.0))), ("B", (("shared", 0.25),))])
    assert names == ["shared"]
    assert matrix.tolist() == [[0.5, 1.0], [0.25, 1.0]]


def test_descent_finds_the_lowest_place() -> None:
    def slope(weights: Matrix) -> Matrix:
        return 2 * (weights - np.array([3.0, -1.0]))

    assert np.allclose(descend(np.zeros(2), slope, 2_000, 0.5), [3.0, -1.0], atol=1e-3)


def test_rows_become_shares() -> None:
    assert np.allclose(softmax_rows(np.array([[0.0, 0.0], [1e4, 0.0]])), [[0.5, 0.5], [1.0, 0.0]])


def test_files_are_taken_by_their_ending_folder_by_folder(tmp_path: Path) -> None:
    for name in ("b/2.PDF", "b/1.pdf", "b/note.txt", "a/3.pdf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = files_in([tmp_path / "b", tmp_path / "a"], (".pdf",))
    assert [path.name for path in found] == ["1.pdf", "2.PDF", "3.pdf"]


def test_what_tells_answers_from_other_lines_gets_weight() -> None:
    lines = (Line("It was 5 million USD.", "sentence"), Line("Nobody knows.", "sentence"))
    kinds = ("fact", "relation", "list", "reason", "definition", "absent") * 2
    examples = [
        Example(
            Natural(id=str(n), kind=kind, question="How much?", source="d"),
            f"firm{n}",
            "How much?",
            np.array([float(kind == "fact"), 1.0]),
            lines,
            ((0.0, 0.0), (0.0, 0.0)),
            (kind != "absent", False),
            (3.0, -3.0),
        )
        for n, kind in enumerate(kinds)
    ]
    hello = Natural(id="hello", kind="about", question="Who are you?")
    about = [(hello, np.array([-1.0, 1.0]))]
    learnt = learn(examples, [replace(each, logits=()) for each in examples], about)
    assert learnt.lines["logit"] > 0 and learnt.lines["behind"] < 0
    assert learnt.kinds["fact"][0] > 0 > learnt.kinds["reason"][0]


def test_weights_half_way_count_what_one_side_leaves_out_as_nothing() -> None:
    one = Weights({"fact": [1.0, 3.0]}, {"logit": 1.0}, {"logit": 2.0, "words": 0.5}, {"": 0.0}, {}, [1.0])
    other = replace(
        one, kinds={"fact": [2.0, 1.0], "list": [1.0, 0.0]}, lines={"logit": 4.0, "year": 0.2}, about=[0.0]
    )
    mean = between(one, other)
    assert (mean.kinds, mean.about) == ({"fact": [1.5, 2.0], "list": [0.5, 0.0]}, [0.5])
    assert mean.lines == {"logit": 3.0, "words": 0.25, "year": 0.1}
