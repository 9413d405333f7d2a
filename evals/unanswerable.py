"""Unanswerable questions: how many are refused, by why they can't be answered.

python -m evals.unanswerable --home DIR [--half tune|held|all] [--json]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.records import DATA, HALVES, Record, load, percent
from graphs.contracts import Answer

QUESTIONS = DATA / "unanswerable.jsonl"


class Unanswerable(Record):
    """A question that the documents do not answer."""

    why: str
    """company, period, metric, general, nonsense or advice."""


def summarize(answers: Sequence[tuple[Unanswerable, Answer]]) -> dict[str, Any]:
    """The share refused, in all and per `why`; every one that was answered, with what it said."""
    asked = Counter(question.why for question, _ in answers)
    refused = Counter(question.why for question, answer in answers if answer.status == "abstained")
    reasons = Counter(answer.reason for _, answer in answers if answer.status == "abstained")
    return {
        "asked": len(answers),
        "abstained": refused.total(),
        "by_why": {why: {"asked": asked[why], "abstained": refused[why]} for why in sorted(asked)},
        "reasons": dict(sorted((str(reason), count) for reason, count in reasons.items())),
        "answered": [
            {"id": question.id, "why": question.why, "question": question.question, "got": answer.answer}
            for question, answer in answers
            if answer.status != "abstained"
        ],
    }


def describe(summary: dict[str, Any]) -> str:
    """The summary in lines for a reader."""
    total, refused = summary["asked"], summary["abstained"]
    lines = [f"{total} questions, abstained {refused} ({percent(refused, total)})"]
    for why, counts in summary["by_why"].items():
        share = percent(counts["abstained"], counts["asked"])
        lines.append(f"  {why:10} {counts['abstained']:3} of {counts['asked']:3}  {share}")
    lines.append("  reasons: " + ", ".join(f"{name} {count}" for name, count in summary["reasons"].items()))
    for item in summary["answered"]:
        lines += ["", f"{item['id']} ({item['why']}): {item['question']}"]
        lines.append(f"  got {' '.join(item['got'].split())[:500]}")
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Ask every question of the chosen half and print the summary."""
    parser = argparse.ArgumentParser(prog="python -m evals.unanswerable", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--half", choices=HALVES, default="tune")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    from agent.assistant import Assistant

    assistant = Assistant.open(args.home)
    answers = [
        (question, assistant.ask(question.question)) for question in load(QUESTIONS, Unanswerable, args.half)
    ]
    assistant.close()
    summary = summarize(answers)
    print(json.dumps(summary, ensure_ascii=False) if args.json else describe(summary))
    return 0


if __name__ == "__main__":
    sys.exit(main())
