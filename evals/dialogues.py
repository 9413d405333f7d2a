"""Dialogues: is the last of two or three turns understood, and answered as a question that stands alone would be?

python -m evals.dialogues --home DIR --set sample|real [--half tune|held|all] [--json]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, model_validator

from evals.comparisons import Expected, states
from evals.records import DATA, HALVES, Record, load, percent
from graphs.contracts import Answer, Reading
from tools.documents.metadata.catalog import Catalog

if TYPE_CHECKING:
    from graphs.compiling import Compiled
    from graphs.state import Context

DIALOGUES = DATA / "dialogues.jsonl"

Outcome = Literal["resolved", "misread", "unanswered"]
OUTCOMES: tuple[Outcome, ...] = ("resolved", "misread", "unanswered")


class Excluded(BaseModel):
    """What must not be in the scope of the last turn: it belongs to the turns before."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    companies: tuple[str, ...] = ()
    period_ends: tuple[date, ...] = ()


class Dialogue(Record):
    """Two or three turns of a user; the last one is judged. `question` is that turn."""

    home: Literal["sample", "real"]
    kind: str
    """What the last turn does: names another company, another period, asks why, ..."""
    turns: tuple[str, ...]
    companies: tuple[str, ...]
    """Tickers that the last turn is about; () for none in particular."""
    period_ends: tuple[date, ...] = ()
    """Last days of the periods that it is about; () where any will do."""
    about: tuple[str, ...] = ()
    """Words of which the standalone question holds each, or one of its alternatives ('CFO|chief financial')."""
    figures: tuple[Expected, ...] = ()
    """What the answer states, each in a line that is cited to that company and period."""
    says: tuple[str, ...] = ()
    """Words, with alternatives, that the answer holds."""
    status: Literal["answered", "partial", "abstained"] | None = None
    must_not: Excluded = Excluded()

    @model_validator(mode="before")
    @classmethod
    def _last_turn(cls, fields: dict[str, Any]) -> dict[str, Any]:
        return {**fields, "question": fields["turns"][-1]}


class Score(NamedTuple):
    """What the last turn was worth."""

    outcome: Outcome
    lacks: tuple[str, ...]
    """What keeps it from being resolved."""


def score(dialogue: Dialogue, reading: Reading, answer: Answer, catalog: Catalog) -> Score:
    """Judge the last turn's reading and answer.

    `misread`: company, period or subject is another one, or something that only the turns before were about is in the
    scope. `unanswered`: the answer lacks a figure or words, or its status is another. Else `resolved`.
    """
    lacks = [*_scope_faults(dialogue, reading, catalog), *_subject_faults(dialogue, reading)]
    if lacks:
        return Score("misread", tuple(lacks))
    lacks = [
        f"figure {each.company} {each.period_end} {each.value}"
        for each in dialogue.figures
        if not any(states(line, each, answer.evidence) for line in answer.answer.split("\n"))
    ]
    lacks += [f"words '{each}'" for each in dialogue.says if not _holds(answer.answer, each)]
    if dialogue.status not in (None, answer.status):
        lacks.append(f"status {answer.status}, not {dialogue.status}")
    return Score("unanswered" if lacks else "resolved", tuple(lacks))


def _scope_faults(dialogue: Dialogue, reading: Reading, catalog: Catalog) -> list[str]:
    wanted = {ticker: catalog.find(ticker) for ticker in dialogue.companies}
    scope = set(reading.scope.companies)
    faults = [f"company {ticker}" for ticker, key in wanted.items() if key not in scope]
    barred = {ticker for ticker in dialogue.must_not.companies if catalog.find(ticker) in scope}
    faults += [f"no company {ticker}" for ticker in sorted(barred)]
    keys = [key for key in wanted.values() if key is not None]
    faults += [f"period {end}" for end in dialogue.period_ends if not _in_scope(end, keys, reading, catalog)]
    return faults + [
        f"no period {end}"
        for end in dialogue.must_not.period_ends
        if _in_scope(end, keys or list(catalog.companies), reading, catalog)
    ]


def _in_scope(end: date, keys: Sequence[str], reading: Reading, catalog: Catalog) -> bool:
    known = [
        period
        for key in keys
        for period in (*catalog.document_periods(key), *catalog.fact_periods(key))
        if period.end == end
    ]
    return any(each.admits(period) for each in reading.scope.periods for period in known)


def _subject_faults(dialogue: Dialogue, reading: Reading) -> list[str]:
    return [f"'{words}' in the question" for words in dialogue.about if not _holds(reading.question, words)]


def _holds(text: str, alternatives: str) -> bool:
    return any(words.lower() in text.lower() for words in alternatives.split("|"))


def converse(graph: Compiled, context: Context, turns: Sequence[str]) -> list[tuple[Reading, Answer]]:
    """Ask `turns` one by one, each with the messages before it; how each was read, and its answer."""
    from langchain_core.messages import AnyMessage, HumanMessage

    messages: list[AnyMessage] = []
    held: list[tuple[Reading, Answer]] = []
    for turn in turns:
        state: Any = {"messages": [*messages, HumanMessage(content=turn)]}
        result = graph.invoke(state, context=context, output_keys=["messages", "reading", "answer"])
        messages = result["messages"]
        held.append((result["reading"], result["answer"]))
    return held


def summarize(outcomes: Sequence[tuple[Dialogue, Answer, Score]]) -> dict[str, Any]:
    """Counts in all and by kind, and every tune dialogue that is not resolved with what it lacks."""
    counts = Counter(result.outcome for _, _, result in outcomes)
    kinds = dict.fromkeys(dialogue.kind for dialogue, _, _ in outcomes)
    return {
        "asked": len(outcomes),
        "counts": {name: counts[name] for name in OUTCOMES},
        "kinds": {
            kind: [
                sum(d.kind == kind and result.outcome == "resolved" for d, _, result in outcomes),
                sum(d.kind == kind for d, _, _ in outcomes),
            ]
            for kind in kinds
        },
        "misses": [
            {
                "id": dialogue.id,
                "outcome": result.outcome,
                "turns": list(dialogue.turns),
                "understood": answer.standalone_question,
                "lacks": list(result.lacks),
                "got": answer.answer,
            }
            for dialogue, answer, result in outcomes
            if result.outcome != "resolved" and dialogue.half == "tune"
        ],
    }


def describe(summary: dict[str, Any]) -> str:
    """The summary in lines for a reader."""
    asked = summary["asked"]
    lines = [f"{asked} dialogues"]
    lines += [f"  {name:10} {count:4}  {percent(count, asked)}" for name, count in summary["counts"].items()]
    lines += [f"    {kind:12} {good} of {all_of}" for kind, (good, all_of) in summary["kinds"].items()]
    for miss in summary["misses"]:
        lines += ["", f"{miss['id']} {miss['outcome']}: {' / '.join(miss['turns'])}"]
        lines += [f"  understood {miss['understood']}", f"  lacks {', '.join(miss['lacks'])}"]
        lines += [f"  got {' '.join(miss['got'].split())[:600]}"]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Hold every dialogue of the chosen set and half and print the summary; misses of the tune half alone are shown."""
    parser = argparse.ArgumentParser(prog="python -m evals.dialogues", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="home with the set's documents indexed")
    parser.add_argument("--set", choices=("sample", "real"), required=True)
    parser.add_argument("--half", choices=HALVES, default="tune")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    from agent.assistant import Assistant

    outcomes = []
    with Assistant.open(args.home) as assistant:
        graph, context, catalog = assistant.build("agent"), assistant.context(), assistant.current().catalog
        for dialogue in load(DIALOGUES, Dialogue, args.half):
            if dialogue.home == args.set:
                reading, answer = converse(graph, context, dialogue.turns)[-1]
                outcomes.append((dialogue, answer, score(dialogue, reading, answer, catalog)))
    summary = summarize(outcomes)
    print(json.dumps(summary, ensure_ascii=False) if args.json else describe(summary))
    return 0


if __name__ == "__main__":
    sys.exit(main())
