"""Sets of calls with their questions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.datasets.all_datasets import load_dataset
from evals.datasets.types import Place

CALL = "ORLA/2031/ECT/ECT-Q2-2031.pdf"
ASKED = {
    "id": "ORLA-1",
    "company": "ORLA",
    "quarter": "Q2",
    "year": 2031,
    "source": CALL,
    "question": "Where did the margin go?",
    "answer": "Freight took 2 percentage points, or about $14 million, and the 737 took the rest.",
    "analyst": "Ada Quill",
}


@pytest.fixture
def calls(put: Callable[..., Path]) -> Callable[..., Path]:
    """calls(changes...): a set whose lines are ASKED with these changes."""

    def write(*changes: dict[str, Any]) -> Path:
        put(f"calls/docs/{CALL}")
        put("calls/docs/PELL/2031/ECT/ECT-Q2-2031.pdf", b"another call")
        lines = [{k: v for k, v in (ASKED | change).items() if v is not ...} for change in changes or ({},)]
        return put("calls/qa.jsonl", lines).parent

    return write


@pytest.mark.parametrize("name", ["earnings-calls", "earnings-calls-blind"])
def test_a_call_question_carries_its_filters_and_its_answer_is_the_passage_to_find(
    calls: Callable[..., Path], name: str
) -> None:
    dataset = load_dataset(name, calls())
    (item,) = dataset.items
    assert dataset.name == name
    assert (item.company, item.year, item.quarter) == ("ORLA", 2031, 2)
    assert item.gold == (ASKED["answer"],) == (item.answer,)
    assert [(str(n.value), n.unit, n.scale) for n in item.numbers] == [
        ("2", "percentage points", 0),
        ("14", "USD", 6),
    ]
    assert item.places == (Place(document=CALL),)
    assert item.answerable is True
    assert [path.name for path in dataset.documents] == ["docs"]


def test_a_place_is_told_from_another_file_of_its_name_and_known_by_its_name_alone() -> None:
    place = Place(document=CALL)
    assert place.names(CALL)
    assert place.names("ECT-Q2-2031.pdf")
    assert place.names(f"docs/{CALL}")
    assert not place.names("PELL/2031/ECT/ECT-Q2-2031.pdf")
    assert not place.names("Q2-2031.pdf")
    assert not place.names("")


def test_only_the_blind_set_says_that_the_questions_are_left_out(calls: Callable[..., Path]) -> None:
    assert load_dataset("earnings-calls", calls()).notes == ()
    assert "left out" in " ".join(load_dataset("earnings-calls-blind", calls()).notes)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"id": "2", "answer": ...}, "field 'answer' is missing"),
        ({"year": "2031"}, "field 'year' must be a valid integer"),
        ({"quarter": "Q5"}, "field 'quarter' must be"),
        ({"quarter": 0}, "field 'quarter' must be"),
        ({"question": " "}, "field 'question' must hold text"),
        ({"id": "2", "source": "ORLA/2030/ECT/ECT-Q2-2030.pdf"}, "field 'source': there is no 'ORLA/2030"),
        ({}, "field 'id': 'ORLA-1' is the id of line 1, too"),
    ],
)
def test_a_line_of_another_shape_is_named_with_its_field(
    calls: Callable[..., Path], refusal: Callable[..., str], change: dict[str, Any], complaint: str
) -> None:
    told = refusal("earnings-calls", calls({}, change))
    assert "qa.jsonl line 2: " in told
    assert complaint in told
