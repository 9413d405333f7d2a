"""Analysts' spoken questions about calls: does the answer quote what the executives said, and refuse the rest?

python -m evals.call_answers --home DIR [--half tune|held|all] [--show] [--json]
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from evals.records import DATA, HALVES, Record, load, percent
from graphs.contracts import Answer

QUESTIONS = DATA / "call_answers.jsonl"

Outcome = Literal["right", "other", "abstained", "refused", "invented"]
OUTCOMES: tuple[Outcome, ...] = ("right", "other", "abstained", "refused", "invented")


class CallQuestion(Record):
    """A question as an analyst would put it on a call, with the filters a user sets."""

    company: str
    year: int
    quarter: int
    answerable: bool
    gold: tuple[str, ...] = ()
    """Words or figures, one of which a quotation of the right answer holds; empty where nothing answers."""
    document: str = ""
    page: int | None = None
    """Where the answer stands."""


def score(question: CallQuestion, answer: Answer) -> Outcome:
    """`right`: the answer quotes a gold word; `other`: it quotes something else; `abstained`: it should not have.

    Of a question that the call does not answer: `refused`, or `invented` where it was answered all the same.
    """
    if not question.answerable:
        return "refused" if answer.status == "abstained" else "invented"
    if answer.status == "abstained":
        return "abstained"
    told = _fold(answer.answer)
    return "right" if any(_fold(word) in told for word in question.gold) else "other"


def _fold(text: str) -> str:
    return " ".join(text.lower().replace("’", "'").split())


def summarize(outcomes: Sequence[tuple[CallQuestion, Answer, Outcome]]) -> dict[str, Any]:
    """Counts by outcome, the median length of answers and seconds, and every question with what came of it."""
    counts = Counter(outcome for _, _, outcome in outcomes)
    told = [len(answer.answer) for _, answer, _ in outcomes if answer.status != "abstained"]
    seconds = [answer.seconds.get("total", 0.0) for _, answer, _ in outcomes]
    return {
        "answerable": sum(question.answerable for question, _, _ in outcomes),
        "unanswerable": sum(not question.answerable for question, _, _ in outcomes),
        "counts": {name: counts[name] for name in OUTCOMES},
        "answer_chars": round(statistics.median(told)) if told else None,
        "seconds": round(statistics.median(seconds), 3) if seconds else None,
        "rows": [
            {
                "id": question.id,
                "outcome": outcome,
                "question": question.question,
                "gold": list(question.gold),
                "got": answer.answer,
                "reason": answer.reason,
            }
            for question, answer, outcome in outcomes
        ],
    }


def describe(summary: dict[str, Any], *, show: bool) -> str:
    """The summary in lines for a reader; `show` adds every row that is not right."""
    counts, asked, absent = summary["counts"], summary["answerable"], summary["unanswerable"]
    lines = [f"{asked} questions that the calls answer, {absent} that they do not"]
    for name in ("right", "other", "abstained"):
        lines.append(f"  {name:9} {counts[name]:3} of {asked:3}  {percent(counts[name], asked)}")
    for name in ("refused", "invented"):
        lines.append(f"  {name:9} {counts[name]:3} of {absent:3}  {percent(counts[name], absent)}")
    lines.append(
        f"  median: {summary['answer_chars']} characters an answer, {summary['seconds']} s a question"
    )
    for row in summary["rows"] if show else ():
        if row["outcome"] not in ("right", "refused"):
            lines += ["", f"{row['id']} {row['outcome']}: {row['question']}", f"  gold {row['gold']}"]
            lines.append(f"  got  {' '.join(row['got'].split())[:900]}")
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Ask every question of the chosen half and print the summary."""
    parser = argparse.ArgumentParser(prog="python -m evals.call_answers", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="home with the 50 calls indexed")
    parser.add_argument("--half", choices=HALVES, default="tune")
    parser.add_argument("--show", action="store_true", help="print the questions that went wrong")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    from agent.assistant import Assistant

    assistant = Assistant.open(args.home)
    outcomes = []
    for question in load(QUESTIONS, CallQuestion, args.half):
        answer = assistant.ask(
            question.question, company=question.company, year=question.year, quarter=question.quarter
        )
        outcomes.append((question, answer, score(question, answer)))
    assistant.close()
    summary = summarize(outcomes)
    print(json.dumps(summary, ensure_ascii=False) if args.json else describe(summary, show=args.show))
    return 0


if __name__ == "__main__":
    sys.exit(main())
