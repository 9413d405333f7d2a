"""evals.natural_dialogues: what counts as a right turn."""

from __future__ import annotations

import pytest

from evals.natural import FOLDER, Outcome
from evals.natural_dialogues import Dialogue, Turn, describe, judge
from graphs.contracts import Answer, Route

ROUTE = Route(kind="extractive", tools=("kg_search",), reason="", confidence=1.0)


def answer(text: str, *, abstained: bool = False) -> Answer:
    status = "abstained" if abstained else "answered"
    return Answer(question="?", standalone_question="?", status=status, answer=text, route=ROUTE)


def turn(*expected: str, kind: str = "fact") -> Turn:
    return Turn.model_validate({"question": "?", "kind": kind, "expected": expected})


@pytest.mark.parametrize(
    "asked, given, outcome",
    [
        (turn("12,842|12.8 billion"), answer("It was 12.8 billion USD [1]."), "right"),
        (turn("12,842|12.8 billion"), answer("It was 112.8 billion USD [1]."), "wrong"),
        (turn("Ohio", "2019|2020"), answer("In Ohio since 2020 [1]."), "right"),
        (turn("Ohio", "2019|2020"), answer("In Ohio [1]."), "wrong"),
        (turn("11.5|11%", kind="computed"), answer("It rose by 11.48 % [1]."), "right"),
        (turn("11.5", kind="computed"), answer("It rose by 11.58 % [1]."), "wrong"),
        (turn("11.5"), answer("It was 11.48 USD [1]."), "wrong"),
        (turn("Ohio"), answer("Looked for Ohio.", abstained=True), "abstained"),
        (turn(kind="absent"), answer("Nothing.", abstained=True), "right"),
        (turn(kind="absent"), answer("It was 5 [1]."), "wrong"),
    ],
)
def test_a_turn_is_right_when_it_holds_one_of_each_group(
    asked: Turn, given: Answer, outcome: Outcome
) -> None:
    assert judge(asked, given) == outcome


@pytest.mark.parametrize(("half", "number"), [("tune", 30), ("held", 30), ("second_tune", 25)])
def test_the_dialogues_can_be_read(half: str, number: int) -> None:
    lines = (FOLDER / f"dialogues_{half}.jsonl").read_text(encoding="utf-8").splitlines()
    dialogues = [Dialogue.model_validate_json(line) for line in lines]
    assert len(dialogues) == number and all(len(each.turns) == 3 for each in dialogues)


def test_turns_that_went_wrong_are_shown_on_request() -> None:
    row = {
        "id": "a.1",
        "turn": 1,
        "kind": "fact",
        "outcome": "wrong",
        "question": "Why?",
        "understood": "Why did it fall?",
        "wanted": ["5"],
        "got": "6",
    }
    assert "Why?" not in describe([row], show=False)
    assert "a.1 fact wrong: Why?" in describe([row], show=True)
