"""Evidence: does what an answer is written from hold the expected figures, and at what length?

python -m evals.evidence --home DIR [--pipelines agent,hybrid] [--half tune|held|all] [--rows] [--json]
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from agent.assistant import Assistant
from evals.facts import SCALES
from evals.records import DATA, HALVES, Record, load
from graphs.contracts import Answer
from tools.values import Quantity, find_quantities

QUESTIONS = DATA / "filing_evidence.jsonl"

_MARKER = re.compile(r"\[\d+\]")


class Figure(BaseModel):
    """A figure of a whole answer, read in a filing."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: Decimal
    unit: str
    scale: Literal["one", "million", "billion"]

    @property
    def amount(self) -> Decimal:
        """In units of `unit`, without its sign: outflows and losses are stated in words, too."""
        return abs(self.value.scaleb(SCALES[self.scale]))


class Asked(Record):
    """A question about filings whose answer takes several figures."""

    kind: str
    documents: tuple[str, ...]
    expected: tuple[Figure, ...]


class Found(NamedTuple):
    """What one answer's evidence was worth."""

    in_evidence: float
    """Share of the expected figures in the evidence."""
    in_answer: float
    wrong: int
    """Figures of the answer that its evidence does not hold."""
    chars: int
    """Length of the evidence."""
    abstained: bool
    lacks: tuple[str, ...]
    """Expected figures that the evidence does not hold."""


def score(asked: Asked, answer: Answer) -> Found:
    """Judge the evidence of `answer`; what an abstention says is not an answer."""
    held = _amounts(item.text for item in answer.evidence)
    abstained = answer.status == "abstained"
    text = "" if abstained else _MARKER.sub(" ", answer.answer)
    told = _amounts([text])
    lacks = [figure for figure in asked.expected if not _is_in(figure.amount, held)]
    untold = [figure for figure in asked.expected if not _is_in(figure.amount, told)]
    return Found(
        in_evidence=1 - len(lacks) / len(asked.expected),
        in_answer=1 - len(untold) / len(asked.expected),
        wrong=len(unbacked(text, held)),
        chars=sum(len(item.text) for item in answer.evidence),
        abstained=abstained,
        lacks=tuple(str(figure.value) for figure in lacks),
    )


def unbacked(text: str, held: set[Decimal]) -> list[Quantity]:
    """Figures of `text` that are not among the amounts `held`; a shown calculation's results are such, too."""
    return [each for each in find_quantities(text) if not _is_in(abs(each.amount), held)]


def _amounts(texts: Iterable[str]) -> set[Decimal]:
    return {abs(each.amount).normalize() for text in texts for each in find_quantities(text)}


def _is_in(amount: Decimal, held: set[Decimal]) -> bool:
    """As it is, or as a table prints it whose heading says thousands, millions or billions."""
    return any(amount.scaleb(-power).normalize() in held for power in (0, 3, 6, 9))


def run(
    home: Path, pipelines: Sequence[str], asked: Sequence[Asked]
) -> dict[str, list[tuple[Asked, Answer, Found]]]:
    """Ask everything of every pipeline."""
    assistant = Assistant.open(home)
    return {
        pipeline: [
            (each, answer, score(each, answer))
            for each in asked
            for answer in [assistant.ask(each.question, pipeline=pipeline)]
        ]
        for pipeline in pipelines
    }


def totals(rows: Sequence[tuple[Asked, Answer, Found]]) -> dict[str, dict[str, float]]:
    """Means by kind of question, and over all."""
    groups: dict[str, list[Found]] = defaultdict(list)
    for asked, _, found in rows:
        groups[asked.kind].append(found)
        groups["all"].append(found)
    return {
        kind: {
            "questions": len(group),
            "in_evidence": _mean(each.in_evidence for each in group),
            "in_answer": _mean(each.in_answer for each in group),
            "wrong": sum(each.wrong for each in group),
            "characters": _mean(each.chars for each in group),
            "abstained": _mean(each.abstained for each in group),
        }
        for kind, group in groups.items()
    }


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return round(sum(listed) / len(listed), 3) if listed else 0.0


def main(argv: Sequence[str] | None = None) -> int:
    """Print totals by kind for each pipeline; 0 whatever they are."""
    parser = argparse.ArgumentParser(description="Measure the evidence of questions about filings.")
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--pipelines", default="agent")
    parser.add_argument("--half", choices=HALVES, default="tune")
    parser.add_argument("--rows", action="store_true", help="what each question of the tune half lacks")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    results = run(given.home, given.pipelines.split(","), load(QUESTIONS, Asked, given.half))
    if given.json:
        print(json.dumps({pipeline: totals(rows) for pipeline, rows in results.items()}))
        return 0
    for pipeline, rows in results.items():
        for kind, means in totals(rows).items():
            print(f"{pipeline:8}{kind:12}" + "  ".join(f"{name} {value:g}" for name, value in means.items()))
        for asked, answer, found in rows if given.rows else ():
            if asked.half == "tune":
                print(
                    f"{asked.id} {found.in_evidence:.2f} {found.in_answer:.2f} wrong {found.wrong} {found.chars} "
                    f"{answer.route.kind} {answer.status} lacks {', '.join(found.lacks)}: {asked.question}"
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
