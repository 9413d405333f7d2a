"""Comparisons: is every figure of every part stated in one table, and is said what is left out or missing?

python -m evals.comparisons --home DIR [--half tune|held|all] [--json]
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from evals.facts import SCALES
from evals.records import DATA, HALVES, Record, load, percent
from graphs.contracts import Answer
from tools.evidence import Evidence
from tools.values import Quantity, find_quantities

COMPARISONS = DATA / "comparisons.jsonl"

Outcome = Literal["whole", "partly", "wrong", "abstained"]
OUTCOMES: tuple[Outcome, ...] = ("whole", "partly", "wrong", "abstained")

_MARKER = re.compile(r"\[(\d+)\]")
_RULE = re.compile(r"^\|(?:\s*:?-+:?\s*\|)+\s*$", re.MULTILINE)
_NEGATIVE_WORDS = re.compile(r"\bloss\b|\bnegative\b", re.IGNORECASE)


class Expected(BaseModel):
    """One figure of a comparison, read in a filing."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    company: str
    value: Decimal
    or_value: tuple[Decimal, ...] = ()
    """Other figures that the filing prints under the same name."""
    unit: Literal["USD", "USD/share"]
    scale: Literal["one", "million"]
    period_end: date
    months: int

    def amounts(self) -> tuple[Decimal, ...]:
        """The amounts that are right, in units of `unit`."""
        return tuple(value.scaleb(SCALES[self.scale]) for value in (self.value, *self.or_value))


class Comparison(Record):
    """A question for several companies, periods or figures."""

    expected: tuple[Expected, ...]
    missing: tuple[str, ...] = ()
    """Names that a right answer says are left out or not there; its status is `partial` then."""


class Score(NamedTuple):
    """What one answer was worth."""

    outcome: Outcome
    alone: bool
    """Whole, and no other figure is stated."""
    lacks: tuple[str, ...]
    """What keeps it from being whole."""


def score(asked: Comparison, answer: Answer) -> Score:
    """Judge `answer`.

    `whole`: every expected figure stands in a line with a marker of evidence of that company and period, several of
    them in one table, and the status is `partial` with every missing name in the reason, or `answered` where
    nothing is missing. `partly`: some figures stand so. `wrong`: none does.
    """
    if answer.status == "abstained":
        return Score("abstained", False, (answer.answer,))
    unstated = _unstated(asked, answer)
    right = len(asked.expected) - len(unstated)
    lacks = [*unstated, *_faults(asked, answer, right)]
    outcome: Outcome = "wrong" if not right else "partly" if lacks else "whole"
    return Score(outcome, outcome == "whole" and not _states_others(asked, answer), tuple(lacks))


def _unstated(asked: Comparison, answer: Answer) -> list[str]:
    """The expected figures that no line of the answer states."""
    lines = answer.answer.split("\n")
    return [
        f"{each.company} {each.period_end} {each.value}"
        for each in asked.expected
        if not any(states(line, each, answer.evidence) for line in lines)
    ]


def _faults(asked: Comparison, answer: Answer, right: int) -> Iterator[str]:
    """What is wrong with table, status and reason of an answer with so many of the figures."""
    if right > 1 and len(_RULE.findall(answer.answer)) != 1:
        yield "one table"
    wanted = "partial" if asked.missing else "answered"
    if answer.status != wanted:
        yield f"status {answer.status}, not {wanted}"
    reason = answer.reason or ""
    yield from (
        f"no word of {name}" for name in asked.missing if name not in reason or name not in answer.answer
    )


def _states_others(asked: Comparison, answer: Answer) -> bool:
    """Does a cited line state a figure that was not asked for?"""
    amounts = {abs(amount) for each in asked.expected for amount in each.amounts()}
    cited = [line for line in answer.answer.split("\n") if _MARKER.search(line)]
    return any(q.unit != "" and not _near(q, amounts) for line in cited for q in _quantities(line))


def states(line: str, expected: Expected, evidence: Sequence[Evidence]) -> bool:
    """Does a line of an answer state the figure, with a marker of evidence of its company and period?"""
    amounts = expected.amounts()
    found = [q for q in _quantities(line) if q.unit == expected.unit]
    if not any(q.amount in amounts or (-q.amount in amounts and _NEGATIVE_WORDS.search(line)) for q in found):
        return False
    ranks = {int(number) for number in _MARKER.findall(line)}
    return any(item.rank in ranks and _is_of(item, expected) for item in evidence)


def _is_of(item: Evidence, expected: Expected) -> bool:
    """A fact of just this company and period; a passage need only be the company's."""
    if item.company_key != expected.company:
        return False
    period = item.period
    return item.fact is None or (period.end, period.months) == (expected.period_end, expected.months)


def _quantities(line: str) -> list[Quantity]:
    return find_quantities(_MARKER.sub("", line))


def _near(q: Quantity, amounts: set[Decimal]) -> bool:
    """The amount itself or a print of it rounded to two digits or more."""
    return any(amount and abs(abs(q.amount) - amount) <= amount / 100 for amount in amounts)


def summarize(outcomes: Sequence[tuple[Comparison, Answer, Score]]) -> dict[str, Any]:
    """Counts, and every answer that is not whole with what it lacks."""
    counts = Counter(result.outcome for _, _, result in outcomes)
    return {
        "asked": len(outcomes),
        "counts": {name: counts[name] for name in OUTCOMES},
        "whole_alone": sum(result.alone for _, _, result in outcomes),
        "misses": [
            {
                "id": asked.id,
                "outcome": result.outcome,
                "question": asked.question,
                "lacks": list(result.lacks),
                "got": answer.answer,
                "reason": answer.reason,
            }
            for asked, answer, result in outcomes
            if result.outcome != "whole" and asked.half == "tune"
        ],
    }


def describe(summary: dict[str, Any]) -> str:
    """The summary in lines for a reader."""
    asked = summary["asked"]
    lines = [f"{asked} comparisons"]
    lines += [f"  {name:10} {count:4}  {percent(count, asked)}" for name, count in summary["counts"].items()]
    lines.append(f"  whole, and no other figure beside it: {summary['whole_alone']}")
    for miss in summary["misses"]:
        lines += ["", f"{miss['id']} {miss['outcome']}: {miss['question']}", f"  lacks {miss['lacks']}"]
        lines += [f"  reason {miss['reason']}", f"  got {' '.join(miss['got'].split())[:900]}"]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Ask every comparison of the chosen half and print the summary; misses of the tune half alone are shown."""
    parser = argparse.ArgumentParser(prog="python -m evals.comparisons", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="home with the 20 filings indexed")
    parser.add_argument("--half", choices=HALVES, default="tune")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    from agent.assistant import Assistant

    assistant = Assistant.open(args.home)
    outcomes = []
    for asked in load(COMPARISONS, Comparison, args.half):
        answer = assistant.ask(asked.question)
        outcomes.append((asked, answer, score(asked, answer)))
    assistant.close()
    summary = summarize(outcomes)
    print(json.dumps(summary, ensure_ascii=False) if args.json else describe(summary))
    return 0


if __name__ == "__main__":
    sys.exit(main())
