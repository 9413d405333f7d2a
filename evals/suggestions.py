"""Suggested next questions: how many answers have three, and how many of them are answered when asked.

python -m evals.suggestions --home DIR [--questions FILE.jsonl] [--most N] [--json]

Without --questions: those of the samples where the home holds them, else the tune half of the filing facts.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from evals.records import DATA, percent
from graphs.contracts import Answer

if TYPE_CHECKING:
    from agent.assistant import Assistant

SAMPLE, FILINGS = DATA / "sample.jsonl", DATA / "filing_facts.jsonl"
SAMPLE_COMPANIES = {"CDTH", "HRWM"}


class Question(BaseModel):
    """A line of any question set."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    question: str
    half: str = "tune"


class Suggested(BaseModel):
    """One answer's suggestions and what became of them."""

    model_config = ConfigDict(frozen=True)

    id: str
    question: str
    reason: str | None
    suggestions: tuple[str, ...]
    failed: tuple[tuple[str, str], ...]
    """Suggestions that were not answered whole, with what was said instead."""
    ms: float
    """Of a second computation, when all is warm."""


def questions_for(companies: set[str], path: Path | None) -> list[Question]:
    """The lines of `path`, held ones left out, or those that suit an index of these companies."""
    path = path or (SAMPLE if companies >= SAMPLE_COMPANIES else FILINGS)
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [Question.model_validate_json(line) for line in lines if line.strip()]
    return [question for question in found if question.half != "held"]


def tried(assistant: Assistant, question: Question) -> Suggested:
    """Ask, take the suggestions, ask each."""
    answer = assistant.ask(question.question)
    suggestions = assistant.suggest(answer)
    started = time.perf_counter()
    assistant.suggest(answer)
    ms = 1000 * (time.perf_counter() - started)
    answers: list[tuple[str, Answer]] = [(each, assistant.ask(each)) for each in suggestions]
    failed = tuple((each, f"{a.status}: {a.answer}") for each, a in answers if a.status != "answered")
    reason = answer.reason if answer.status == "abstained" else None
    return Suggested(
        id=question.id,
        question=question.question,
        reason=reason,
        suggestions=suggestions,
        failed=failed,
        ms=ms,
    )


def summarize(found: Sequence[Suggested]) -> dict[str, Any]:
    """Counts over all answers but those of no question for documents, which are to have none."""
    meant = [each for each in found if each.reason != "out_of_scope"]
    made = [each.ms for each in meant] or [0.0]
    return {
        "asked": len(found),
        "meant_for_documents": len(meant),
        "with_three": sum(len(each.suggestions) == 3 for each in meant),
        "suggested_elsewhere": sum(len(each.suggestions) for each in found if each not in meant),
        "suggested": sum(len(each.suggestions) for each in meant),
        "distinct": len({text for each in meant for text in each.suggestions}),
        "failed": [list(pair) for each in meant for pair in each.failed],
        "few": [[each.question, len(each.suggestions)] for each in meant if len(each.suggestions) < 3],
        "ms_median": round(median(made), 1),
        "ms_p95": round(sorted(made)[int(0.95 * (len(made) - 1))], 1),
    }


def describe(summary: dict[str, Any]) -> str:
    """The summary in lines for a reader."""
    meant, suggested = summary["meant_for_documents"], summary["suggested"]
    lines = [
        f"{summary['asked']} questions, {meant} meant for documents; {summary['with_three']} "
        f"({percent(summary['with_three'], meant)}) with three suggestions",
        f"{suggested} suggestions, {summary['distinct']} distinct; answered "
        f"{percent(suggested - len(summary['failed']), suggested)}",
        f"after questions that are not about documents: {summary['suggested_elsewhere']}",
        f"{summary['ms_median']} ms median, {summary['ms_p95']} ms p95",
    ]
    lines += [f"  only {count}: {question}" for question, count in summary["few"]]
    for question, got in summary["failed"]:
        lines += ["", question, f"  {' '.join(got.split())[:300]}"]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Ask, suggest, ask again, print."""
    parser = argparse.ArgumentParser(prog="python -m evals.suggestions", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--most", type=int, help="questions that are asked at most")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    from agent.assistant import Assistant

    with Assistant.open(args.home) as assistant:
        questions = questions_for(set(assistant.current().catalog.companies), args.questions)
        summary = summarize([tried(assistant, question) for question in questions[: args.most]])
    print(json.dumps(summary, ensure_ascii=False) if args.json else describe(summary))
    return 0


if __name__ == "__main__":
    sys.exit(main())
