"""A user's own question set."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from evals.datasets.all_datasets import load_dataset
from evals.records import DATA

FULL = {
    "question": "What was the revenue?",
    "id": 7,
    "answer": "It was $41.50 million.",
    "company": "ORLA",
    "year": 2031,
    "quarter": "Q2",
    "gold": ["Revenue was $41.50 million."],
    "numbers": [{"value": "41.50", "unit": "USD", "scale": "million"}, {"value": -3, "scale": 9}],
    "places": [{"document": "10Q.pdf", "page": 3}],
    "alternates": [{"document": "a/call.txt"}],
    "route": "extractive",
    "answerable": True,
    "kind": "tables",
}


@pytest.fixture
def own(put: Callable[..., Path]) -> Callable[..., Path]:
    """own(lines...): a set over four documents, two of them of one name."""

    def write(*lines: Any) -> Path:
        for name in ("10Q.pdf", "notes.md", "a/call.txt", "b/call.txt"):
            put(f"own/docs/{name}", name)
        return put("own/questions.jsonl", list(lines))

    return write


def test_every_field_of_the_form_is_read(own: Callable[..., Path]) -> None:
    dataset = load_dataset("jsonl", own(FULL))
    (item,) = dataset.items
    assert dataset.name == "questions"
    assert item.id == "7"
    assert (item.company, item.year, item.quarter) == ("ORLA", 2031, 2)
    assert item.answer == "It was $41.50 million."
    assert item.gold == ("Revenue was $41.50 million.",)
    assert [(n.value, n.unit, n.scale) for n in item.numbers] == [
        (Decimal("41.50"), "USD", 6),
        (Decimal(-3), "", 9),
    ]
    assert str(item.numbers[0].value) == "41.50"
    assert [(place.document, place.page) for place in item.places] == [("10Q.pdf", 3)]
    assert [(place.document, place.page) for place in item.alternates] == [("a/call.txt", None)]
    assert (item.route, item.answerable, item.kind) == ("extractive", True, "tables")


def test_a_question_alone_is_a_line_and_is_called_after_it(own: Callable[..., Path]) -> None:
    nulls = dict.fromkeys(FULL) | {"question": "Why?"}
    first, second = load_dataset("jsonl", own({"question": "Who?"}, nulls)).items
    assert (first.id, second.id) == ("line-1", "line-2")
    assert second.model_dump(exclude={"id", "question"}) == first.model_dump(exclude={"id", "question"})
    assert first.answerable is None
    assert first.numbers == first.gold == first.places == ()


def test_the_folder_of_the_file_is_as_good_as_the_file(own: Callable[..., Path]) -> None:
    path = own(FULL)
    assert load_dataset("jsonl", path.parent) == load_dataset("jsonl", path)


def test_a_byte_order_mark_windows_line_ends_and_blank_lines_do_no_harm(
    own: Callable[..., Path], put: Callable[..., Path]
) -> None:
    own()
    text = '\r\n{"question": "Who?"}\r\n\r\n  \r\n{"question": "What?"}'
    path = put("own/questions.jsonl", b"\xef\xbb\xbf" + text.encode())
    assert [item.id for item in load_dataset("jsonl", path).items] == ["line-2", "line-5"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"question": None}, "field 'question' must be a valid string"),
        ({"question": "\u200b"}, "field 'question' must hold text"),
        ({"id": True}, "field 'id' must be a valid string"),
        ({"id": ""}, "field 'id' must hold text"),
        ({"year": 20310}, "field 'year' must be less than"),
        ({"year": 2031.5}, "field 'year' must be a valid integer"),
        ({"quarter": 5}, "field 'quarter' must be less than"),
        ({"gold": "words"}, "field 'gold' must be a valid array"),
        ({"gold": ["words", ""]}, "field 'gold[1]' must hold text"),
        ({"numbers": [{"value": "many"}]}, "field 'numbers[0].value' must be a valid decimal"),
        ({"numbers": [{"value": 1, "scale": "bn"}]}, "field 'numbers[0].scale' must be 'one'"),
        ({"numbers": [{"value": 1, "unit": "%"}]}, "field 'numbers[0].unit' must be a currency"),
        ({"numbers": [{"value": 1, "units": "USD"}]}, "unknown field 'numbers[0].units'"),
        ({"numbers": [{"unit": "USD"}]}, "field 'numbers[0].value' is missing"),
        ({"places": [{"document": "10Q.pdf", "page": 0}]}, "field 'places[0].page' must be greater"),
        ({"places": [{"document": "10K.pdf"}]}, "field 'places[0].document': no '10K.pdf' in"),
        ({"alternates": [{"document": "call.txt"}]}, "'call.txt' may be any of a/call.txt, b/call.txt"),
        ({"route": "graph"}, "field 'route' must be 'extractive'"),
        ({"answerable": "no"}, "field 'answerable' must be a valid boolean"),
        ({"expected": "5"}, "unknown field 'expected'; known: question, id, answer"),
    ],
)
def test_a_field_of_another_shape_is_named_with_file_and_line(
    own: Callable[..., Path], refusal: Callable[..., str], change: dict[str, Any], complaint: str
) -> None:
    path = own({"question": "Who?"}, FULL | change)
    told = refusal("jsonl", path)
    assert told.startswith(f"{path} line 2: ")
    assert complaint in told


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b'{"question": "Who?"', "not JSON"),
        (b"Who?", "not JSON"),
        (b'{"question": "caf\xe9"}', "not JSON"),
        (b'{"question": "\\ud800"}', "not JSON"),
        (b'{"question": "Who?", "numbers": [{"value": NaN}]}', "field 'numbers[0].value'"),
        (b'["Who?"]', "not an object"),
        (b"{}", "field 'question' is missing"),
    ],
)
def test_a_line_that_is_no_such_object_is_refused(
    own: Callable[..., Path],
    put: Callable[..., Path],
    refusal: Callable[..., str],
    line: bytes,
    complaint: str,
) -> None:
    own()
    told = refusal("jsonl", put("own/questions.jsonl", b'\n{"question": "Why?"}\n' + line + b"\n"))
    assert "line 3: " in told
    assert complaint in told


def test_an_id_may_not_be_used_twice_nor_be_the_name_of_another_line(
    own: Callable[..., Path], refusal: Callable[..., str]
) -> None:
    twice = [{"question": "Who?", "id": 7}, {"question": "Why?", "id": "7"}]
    assert "line 2: field 'id': '7' is the id of line 1, too" in refusal("jsonl", own(*twice))
    assert "line 2" in refusal("jsonl", own({"question": "Who?", "id": "line-2"}, {"question": "Why?"}))


def test_a_file_without_questions_is_refused(
    own: Callable[..., Path], put: Callable[..., Path], refusal: Callable[..., str]
) -> None:
    own()
    assert "holds no question" in refusal("jsonl", put("own/questions.jsonl", b"\xef\xbb\xbf\n\n"))


def test_a_folder_needs_one_question_file(
    own: Callable[..., Path], put: Callable[..., Path], refusal: Callable[..., str]
) -> None:
    folder = own(FULL).parent
    put("own/more.jsonl", [FULL])
    assert "holds 2 .jsonl files: more.jsonl, questions.jsonl" in refusal("jsonl", folder)
    assert "holds 0 .jsonl files" in refusal("jsonl", folder / "docs")


def test_the_documented_examples_are_read_and_every_documented_field_is_known(
    own: Callable[..., Path],
    put: Callable[..., Path],
) -> None:
    text = (DATA / "README.md").read_text(encoding="utf-8").split("## Your own question set")[1]
    examples = [json.loads(line) for line in re.findall(r"^    (\{.*\})$", text, re.MULTILINE)]
    assert examples
    path = own(*examples)
    put("own/docs/10Q-Q2-2024.pdf")
    assert len(load_dataset("jsonl", path).items) == len(examples)
    rows = re.findall(r"^\| (`.*?`) \|", text, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == set(FULL)
