"""The sample questions through the whole path: expected figures stated and cited, the unanswerable refused.

python -m evals.sample_check --home DIR [--json]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from evals.facts import SCALES
from evals.records import DATA, percent
from graphs.contracts import Answer
from tools.values import Quantity, find_quantities, same_amount

SAMPLE = DATA / "sample.jsonl"

Outcome = Literal["right", "refused", "abstained", "figure_missing", "not_cited", "answered"]
RIGHT_OUTCOMES: frozenset[Outcome] = frozenset({"right", "refused"})


class ExpectedNumber(BaseModel):
    """A figure that a right answer states; a loss is negative."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: Decimal
    unit: str
    scale: Literal["one", "thousand", "million", "billion"]

    @property
    def quantity(self) -> Quantity:
        """The figure, to compare with."""
        return Quantity(self.value, self.unit, SCALES[self.scale], str(self.value), 0, 0)


class Place(BaseModel):
    """A page that may be cited."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    page: int


class SampleQuestion(BaseModel):
    """A line of `sample.jsonl`; evals/data/README.md says what its fields mean."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    question: str
    answerable: bool
    route: str
    expected_numbers: tuple[ExpectedNumber, ...] = ()
    gold_sentences: tuple[str, ...] = ()
    source: str | None = None
    page: int | None = None
    alternates: tuple[Place, ...] = ()

    @property
    def pages(self) -> frozenset[tuple[str, int]]:
        """(file, page) of every page whose citation is right."""
        own = {(self.source, self.page)} if self.source and self.page else set()
        return frozenset(own | {(place.source, place.page) for place in self.alternates})


def load_sample(path: Path = SAMPLE) -> list[SampleQuestion]:
    """The questions in their order. Raises OSError or pydantic's ValidationError."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [SampleQuestion.model_validate_json(line) for line in lines if line.strip()]


def outcome(question: SampleQuestion, answer: Answer) -> Outcome:
    """What one answer was worth.

    `figure_missing`: an expected figure is not in the answer at its printed precision or finer (a sign may be
    told in words). `not_cited`: no citation names a page that holds the answer.
    """
    if not question.answerable:
        return "refused" if answer.status == "abstained" else "answered"
    if answer.status == "abstained":
        return "abstained"
    found = find_quantities(answer.answer)
    if not all(any(_states(q, wanted.quantity) for q in found) for wanted in question.expected_numbers):
        return "figure_missing"
    cited = {(citation.document, citation.page) for citation in answer.citations}
    return "right" if cited & question.pages else "not_cited"


def _states(stated: Quantity, wanted: Quantity) -> bool:
    # "earnings per share of $1.25" is dollars a share, though the figure alone does not say so
    unit = wanted.unit if (stated.unit, wanted.unit) == ("USD", "USD/share") else stated.unit
    plain = Quantity(abs(stated.value), unit, stated.scale, "", 0, 0)
    other = Quantity(abs(wanted.value), wanted.unit, wanted.scale, "", 0, 0)
    return same_amount(plain, other)


def summarize(results: Sequence[tuple[SampleQuestion, Answer, Outcome]]) -> dict[str, Any]:
    """Counts by kind of question, and every miss with what came instead."""

    def counted(chosen: Sequence[tuple[SampleQuestion, Answer, Outcome]]) -> dict[str, int]:
        return {"asked": len(chosen), "good": sum(result in RIGHT_OUTCOMES for _, _, result in chosen)}

    return {
        "extractive": counted([r for r in results if r[0].answerable and r[0].route == "extractive"]),
        "other": counted([r for r in results if r[0].answerable and r[0].route != "extractive"]),
        "unanswerable": counted([r for r in results if not r[0].answerable]),
        "misses": [
            {
                "id": question.id,
                "outcome": result,
                "question": question.question,
                "expected": [
                    f"{n.value} {n.scale if n.scale != 'one' else ''} {n.unit}"
                    for n in question.expected_numbers
                ],
                "page": f"{question.source} p. {question.page}" if question.source else None,
                "got": answer.answer,
                "cited": [f"{c.document} p. {c.page}" for c in answer.citations],
            }
            for question, answer, result in results
            if result not in RIGHT_OUTCOMES
        ],
    }


def describe(summary: dict[str, Any]) -> str:
    """The summary in lines for a reader."""
    lines = [
        f"{kind:13} {summary[kind]['good']:3} of {summary[kind]['asked']:3}  "
        f"{percent(summary[kind]['good'], summary[kind]['asked'])}"
        for kind in ("extractive", "other", "unanswerable")
    ]
    for miss in summary["misses"]:
        lines += [
            "",
            f"{miss['id']} {miss['outcome']}: {miss['question']}",
            f"  expected {', '.join(miss['expected'])}  {miss['page'] or ''}",
            f"  got      {' '.join(miss['got'].split())[:600]}",
            f"  cited    {', '.join(miss['cited'])}",
        ]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Ask every sample question and print the summary."""
    parser = argparse.ArgumentParser(prog="python -m evals.sample_check", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="home with the sample documents indexed")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    from agent.assistant import Assistant

    assistant = Assistant.open(args.home)
    results = []
    for question in load_sample():
        answer = assistant.ask(question.question)
        results.append((question, answer, outcome(question, answer)))
    assistant.close()
    summary = summarize(results)
    print(json.dumps(summary, ensure_ascii=False) if args.json else describe(summary))
    return 0


if __name__ == "__main__":
    sys.exit(main())
