"""Dialogues as people have them: is every one of three turns answered with what its author found in the documents?

python -m evals.natural_dialogues --home DIR [--half tune|held|second_tune] [--show] [--json]

The dialogues of `evals/data/natural/dialogues_HALF.jsonl` were written by readers of the documents who knew nothing of
the program; the halves are split by company. Those of `second_tune` were written from the documents by who worked on
follow-ups. A turn is right when its answer holds one of each group of names or
figures that is expected, or when the assistant abstains on what the documents do not answer.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict

from evals.dialogues import converse
from evals.natural import FOLDER, Outcome, holds_groups, stands_in
from evals.records import percent
from graphs.contracts import Answer

_FIGURE = re.compile(r"(?P<figure>\d+(?:\.(?P<places>\d+))?)(?: ?%| per ?cent)?")
_LONGER = re.compile(r"(?<![\d.,])\d+\.\d+(?![\d.,]*\d)")
Kind = Literal["fact", "relation", "list", "reason", "computed", "meta", "absent"]


class Turn(BaseModel):
    """What is said, and what a right answer holds."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    question: str
    kind: Kind
    expected: tuple[str, ...] = ()
    """Groups, each 'a|b', of which all are needed."""


class Dialogue(BaseModel):
    """Three turns."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    turns: tuple[Turn, ...]


def judge(turn: Turn, answer: Answer) -> Outcome:
    """What came of a turn."""
    if answer.status == "abstained":
        return "right" if turn.kind == "absent" else "abstained"
    if turn.kind == "computed":
        found = all(any(_tells(each, answer.answer) for each in group.split("|")) for group in turn.expected)
    else:
        found = holds_groups(turn.expected, answer.answer)
    return "right" if turn.kind != "absent" and found else "wrong"


def _tells(wanted: str, text: str) -> bool:
    """Whether a text holds a result, or one of more digits that rounds to it: 11.48 % for 11.5 and 11%."""
    figure = _FIGURE.fullmatch(wanted)
    if stands_in(wanted, text) or figure is None:
        return stands_in(wanted, text)
    place = Decimal(1).scaleb(-len(figure["places"] or ""))
    return any(
        Decimal(each).quantize(place, ROUND_HALF_UP) == Decimal(figure["figure"])
        for each in _LONGER.findall(text)
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Hold the dialogues and print what came of their turns."""
    parser = argparse.ArgumentParser(prog="python -m evals.natural_dialogues", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--half", choices=("tune", "held", "second_tune"), default="tune")
    parser.add_argument("--show", action="store_true", help="print the turns that went wrong")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    path = FOLDER / f"dialogues_{args.half}.jsonl"
    dialogues = [Dialogue.model_validate_json(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows = held(dialogues, args.home)
    print(json.dumps(rows, ensure_ascii=False) if args.json else describe(rows, show=args.show))
    return 0


def held(dialogues: Sequence[Dialogue], home: Path) -> list[dict[str, Any]]:
    """Every turn with what came of it."""
    from agent.assistant import Assistant

    assistant = Assistant.open(home)
    graph, context = assistant.build("agent"), assistant.context()
    rows: list[dict[str, Any]] = []
    for dialogue in dialogues:
        questions = [turn.question for turn in dialogue.turns]
        for number, (turn, (_, answer)) in enumerate(
            zip(dialogue.turns, converse(graph, context, questions), strict=True)
        ):
            rows.append(
                {
                    "id": f"{dialogue.id}.{number + 1}",
                    "turn": number + 1,
                    "kind": turn.kind,
                    "outcome": judge(turn, answer),
                    "question": turn.question,
                    "understood": answer.standalone_question,
                    "wanted": list(turn.expected),
                    "got": answer.answer,
                }
            )
    assistant.close()
    return rows


def describe(rows: Sequence[dict[str, Any]], *, show: bool) -> str:
    """Counts by turn and kind for a reader; `show` adds every turn that went wrong."""
    outcomes = get_args(Outcome)
    lines = []
    for name in ("turn", "kind"):
        for value in dict.fromkeys(row[name] for row in rows):
            found = Counter(row["outcome"] for row in rows if row[name] == value)
            counts = ", ".join(f"{found[outcome]} {outcome}" for outcome in outcomes)
            lines.append(f"{name} {value}: {counts} ({percent(found['right'], found.total())} right)")
    for row in rows if show else ():
        if row["outcome"] != "right":
            lines += [
                "",
                f"{row['id']} {row['kind']} {row['outcome']}: {row['question']}",
                f"  understood {row['understood']}",
                f"  wanted {row['wanted']}",
            ]
            lines.append(f"  got {' '.join(row['got'].split())[:400]}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
