"""What is said of a citation, by what is marked on the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evals.page_citations import main, outcome

ROW, OTHER = "Total net sales 81 69", "Products 60 50"


def figure(*lines: tuple[str, str]) -> dict[str, Any]:
    fact = {"metric": "Total net sales", "printed": "$ 81", "statement": "income"}
    return {"fact": fact, "quotes": ["made sentence"], "answer": "81 [1]", "marker": 1, "lines": lines}


def sentence(*lines: tuple[str, str]) -> dict[str, Any]:
    said = "A: “Sales grew in Asia.” [1]\nA: “Costs fell, by 2%.” [1, 2]\nA: “Cash rose.” [2]"
    return {
        "fact": None,
        "quotes": ["Sales grew in Asia. Costs"],
        "answer": said,
        "marker": 1,
        "lines": lines,
    }


@pytest.mark.parametrize(
    ("found", "came"),
    [
        (figure((OTHER, ""), (ROW, ROW)), "right"),
        (figure((OTHER, OTHER), (ROW, "")), "unlike"),
        (figure(("Total net sales 810 69", "Total net sales 810 69")), "unlike"),
        (figure((OTHER, OTHER), (ROW, ROW)), "besides"),
        (figure((ROW, ROW), ("Total net sales 70 81", "")), "several"),
        (figure(("Total", "Total"), ("net sales 81 69", "net sales 81 69")), "right"),
        (figure((ROW, "")), "unmarked"),
        ({"fact": None}, "unopened"),
        (sentence(("In 2023 sales grew", "sales grew"), ("in Asia. Costs fell, by 2 %.",) * 2), "right"),
        (sentence(("Sales grew in Asia.", "Sales grew in Asia.")), "unlike"),
        (sentence(("Sales grew in Asia. Costs fell, by 2%. Cash rose.",) * 2), "besides"),
    ],
)  # fmt: skip
def test_a_citation_is_plainly_right_where_just_what_it_cites_is_marked(
    found: dict[str, Any], came: str
) -> None:
    assert outcome(found) == came


@pytest.mark.parametrize(
    ("questions", "told"),
    [(None, "No such file"), ("no question", "a question a line"), ('{"question": "Why?"}', "No index at")],
)
def test_what_can_not_be_asked_is_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], questions: str | None, told: str
) -> None:
    file, home = tmp_path / "questions.jsonl", tmp_path / "home"
    if questions is not None:
        file.write_text(questions, encoding="utf-8")
    assert main(["--home", str(home), "--questions", str(file)]) == 1
    assert told in capsys.readouterr().err and not home.exists()
