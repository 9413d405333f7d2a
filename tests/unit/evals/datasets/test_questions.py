"""Questions alone, of any JSON Lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from evals.datasets.all_datasets import load_dataset
from evals.datasets.types import DatasetError

LINES = (
    '{"id": 7, "question": "What?", "expected": ["3"], "company": "X"}\n'
    '{"bench_id": "b-1", "question": "Why?"}\n\n{"question": "Who?"}\n'
)


def test_other_fields_filter_nothing_and_ids_are_found(put: Callable[..., Path]) -> None:
    dataset = load_dataset("questions", put("a.jsonl", LINES))
    assert [(item.id, item.question) for item in dataset.items] == [
        ("7", "What?"),
        ("b-1", "Why?"),
        ("line-4", "Who?"),
    ]
    assert {item.company for item in dataset.items} == {None}
    assert dataset.documents == ()


def test_a_folders_files_are_read_in_the_order_of_their_names(put: Callable[..., Path]) -> None:
    put("set/b.jsonl", '{"id": "2", "question": "B?"}')
    folder = put("set/a.jsonl", '{"id": "1", "question": "A?"}').parent
    assert [(item.id, item.kind) for item in load_dataset("questions", folder).items] == [
        ("1", "a"),
        ("2", "b"),
    ]


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"set/a.txt": ""}, "no .jsonl"),
        (
            {"set/a.jsonl": '{"id": 1, "question": "A?"}', "set/b.jsonl": '{"id": 1, "question": "B?"}'},
            "one id",
        ),
        ({"set/a.jsonl": '{"id": 1, "question": "A?"}\n{"id": 1, "question": "B?"}'}, "line 2"),
        ({"set/a.jsonl": '{"id": 1}'}, "question"),
    ],
)
def test_what_cannot_be_asked_is_refused(put: Callable[..., Path], files: dict[str, str], told: str) -> None:
    folder = {put(name, text).parent for name, text in files.items()}.pop()
    with pytest.raises(DatasetError, match=re.escape(told)):
        load_dataset("questions", folder)


def test_a_csv_of_questions_and_answers_says_what_is_expected(put: Callable[..., Path]) -> None:
    text = '\ufeffquestion,answer,source\n"What, in 2022?","The answer, ""quoted""\nover lines",x\nWhy?,,y\n'
    dataset = load_dataset("questions", put("asked.csv", text))
    assert [(item.id, item.question, item.answer) for item in dataset.items] == [
        ("line-2", "What, in 2022?", 'The answer, "quoted"\nover lines'),
        ("line-3", "Why?", None),
    ]
    assert (dataset.name, dataset.documents) == ("asked", ())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no column 'question' (it has none)"),
        ("asked,answer\nWhat?,3\n", "no column 'question' (it has asked, answer)"),
        ("question,answer\n", "holds no question"),
        ("question,answer\n ,3\n", "line 2: field 'question' must hold text"),
        ('question,answer\n"What?,3\n', "not a CSV"),
    ],
)
def test_a_csv_that_is_none_is_refused(put: Callable[..., Path], text: str, told: str) -> None:
    with pytest.raises(DatasetError, match=re.escape(told)):
        load_dataset("questions", put("asked.csv", text))
