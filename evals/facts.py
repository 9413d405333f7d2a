"""Filing facts: is exactly the printed figure stated, with its unit, and cited to a page that prints it?

python -m evals.facts --home DIR [--half tune|held|all] [--json]
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, NamedTuple

from evals.records import DATA, HALVES, Record, load, percent
from graphs.contracts import Answer
from tools.values import Quantity, find_quantities, same_amount

FACTS = DATA / "filing_facts.jsonl"

Outcome = Literal["right", "abstained", "wrong_figure", "wrong_unit", "wrong_page", "rounded", "no_figure"]
OUTCOMES: tuple[Outcome, ...] = (
    "right",
    "abstained",
    "wrong_figure",
    "wrong_unit",
    "wrong_page",
    "rounded",
    "no_figure",
)
SCALES = {"one": 0, "thousand": 3, "million": 6, "billion": 9}

_MARKER = re.compile(r"\[(\d+)\]")
_NEGATIVE_WORDS = re.compile(
    r"\b(?:loss(?:es)?|deficit|negative|decreas\w*|reduc\w*|declin\w*|fell|used|use|paid|pays?|payments?|"
    r"purchas\w*|repurchas\w*|repayments?|repaid|spent|spend|additions?|acqui\w+|expenses?|provision|benefit|"
    r"withh\w+|outflow|imputed|accumulated)\b",
    re.IGNORECASE,
)


class FilingFact(Record):
    """A figure read in a filing, and the pages that print it."""

    company: str
    """Ticker."""
    value: Decimal
    """As printed, in units of `unit` times `scale`; bracketed figures are negative."""
    unit: Literal["USD", "USD/share", "shares", "percent"]
    scale: Literal["one", "thousand", "million", "billion"]
    period_end: date
    months: int
    """0 for a balance."""
    document: str
    page: int
    also: tuple[tuple[str, int], ...] = ()
    """Further pages that print the same figure with the same meaning."""

    @property
    def quantity(self) -> Quantity:
        """The expected figure, to compare with."""
        return Quantity(self.value, self.unit, SCALES[self.scale], str(self.value), 0, 0)

    @property
    def pages(self) -> frozenset[tuple[str, int]]:
        """Every page a citation may name."""
        return frozenset({(self.document, self.page), *self.also})


class Score(NamedTuple):
    """What one answer was worth."""

    outcome: Outcome
    alone: bool
    """Right, and no other amount of the same unit is stated."""
    stated: tuple[str, ...]
    """Quantities of the answer, as written."""
    cited: tuple[str, ...]
    """'document p. page' of the answer's citations."""


def score(fact: FilingFact, answer: Answer) -> Score:
    """Judge `answer`.

    `right`: the exact amount and unit stand in a line (a sentence, a table row) one of whose markers is cited
    to a page that prints the figure. `wrong_page`: the amount stands, without such a citation. `wrong_unit`:
    only its digits do. `rounded`: only a coarser print of it does. `no_figure`: none of its unit is.
    A figure printed in brackets may lose its sign where its line says so in words ('net loss', 'paid').
    """
    if answer.status == "abstained":
        return Score("abstained", False, (), ())
    wanted = fact.quantity
    found = find_quantities(_without_markers(answer.answer))
    lines = answer.answer.split("\n")
    stating = [line for line in lines if any(_exact(q, wanted, line) for q in _quantities(line))]
    stated = tuple(q.text for q in found)
    cited = tuple(f"{c.document} p. {c.page}" for c in answer.citations)
    if stating:
        if not any(_cites(answer, line, fact.pages) for line in stating):
            return Score("wrong_page", False, stated, cited)
        others = [q for q in found if q.unit == wanted.unit and not _close(q, wanted)]
        return Score("right", not others, stated, cited)
    if any(abs(q.value) == abs(wanted.value) for q in found):
        return Score("wrong_unit", False, stated, cited)
    if any(_close(q, wanted) for q in found):
        return Score("rounded", False, stated, cited)
    if not any(q.unit in ("", wanted.unit) for q in found):
        return Score("no_figure", False, stated, cited)
    return Score("wrong_figure", False, stated, cited)


def _without_markers(text: str) -> str:
    return _MARKER.sub("", text)


def _quantities(line: str) -> list[Quantity]:
    return find_quantities(_without_markers(line))


def _exact(stated: Quantity, wanted: Quantity, line: str) -> bool:
    if stated.unit != wanted.unit:
        return False
    if stated.amount == wanted.amount:
        return True
    return wanted.amount < 0 and stated.amount == -wanted.amount and bool(_NEGATIVE_WORDS.search(line))


def _close(stated: Quantity, wanted: Quantity) -> bool:
    """The same amount at a coarser print, signs aside."""
    a = Quantity(abs(stated.value), stated.unit, stated.scale, "", 0, 0)
    b = Quantity(abs(wanted.value), wanted.unit, wanted.scale, "", 0, 0)
    return same_amount(a, b)


def _cites(answer: Answer, line: str, pages: frozenset[tuple[str, int]]) -> bool:
    markers = {int(number) for number in _MARKER.findall(line)}
    return any((c.document, c.page) in pages for c in answer.citations if c.marker in markers)


def summarize(outcomes: Sequence[tuple[FilingFact, Answer, Score]]) -> dict[str, Any]:
    """Counts and rates, and every miss with what was expected and what came."""
    counts = Counter(result.outcome for _, _, result in outcomes)
    asked = len(outcomes)
    return {
        "asked": asked,
        "counts": {name: counts[name] for name in OUTCOMES},
        "rates": {name: round(counts[name] / asked, 4) if asked else None for name in OUTCOMES},
        "right_alone": sum(result.alone for _, _, result in outcomes),
        "misses": [
            {
                "id": fact.id,
                "outcome": result.outcome,
                "question": fact.question,
                "expected": f"{fact.value} {fact.scale} {fact.unit}",
                "page": f"{fact.document} p. {fact.page}",
                "got": answer.answer,
                "reason": answer.reason,
                "cited": list(result.cited),
            }
            for fact, answer, result in outcomes
            if result.outcome != "right"
        ],
    }


def describe(summary: dict[str, Any]) -> str:
    """The summary in lines for a reader."""
    asked = summary["asked"]
    lines = [f"{asked} questions"]
    lines += [
        f"  {name:13} {count:4}  {percent(count, asked)}"
        for name, count in summary["counts"].items()
        if count
    ]
    lines.append(f"  right, and no other figure of that unit beside it: {summary['right_alone']}")
    for miss in summary["misses"]:
        lines += [
            "",
            f"{miss['id']} {miss['outcome']}: {miss['question']}",
            f"  expected {miss['expected']}, {miss['page']}",
            f"  got      {' '.join(miss['got'].split())[:600]}",
        ]
        if miss["cited"]:
            lines.append(f"  cited    {', '.join(miss['cited'])}")
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Ask every question of the chosen half and print the summary."""
    parser = argparse.ArgumentParser(prog="python -m evals.facts", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="home with the 20 filings indexed")
    parser.add_argument("--half", choices=HALVES, default="tune")
    parser.add_argument("--facts", type=Path, default=FACTS, help="another set of the same form")
    parser.add_argument("--pipeline", default="agent")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    from agent.assistant import Assistant

    assistant = Assistant.open(args.home)
    outcomes = []
    for fact in load(args.facts, FilingFact, args.half):
        answer = assistant.ask(fact.question, pipeline=args.pipeline)
        outcomes.append((fact, answer, score(fact, answer)))
    assistant.close()
    summary = summarize(outcomes)
    print(json.dumps(summary, ensure_ascii=False) if args.json else describe(summary))
    return 0


if __name__ == "__main__":
    sys.exit(main())
