"""Questions of which companies something is true: are they named, and no others?

python -m evals.corpus --home DIR [--half tune|tune_2|tune_3|held] [--show] [--json]

The questions of `evals/data/of_companies_HALF.jsonl` were written by readers of the documents who knew nothing of the
program, each half over the documents of companies of its own, those of `tune_2` by who built it over the documents of
`tune`; right are the companies that the reader found, and of those about which readers may differ nothing is counted.
The 99 questions of `tune_3` are by two more authors over the documents of `tune`; right are the companies of which one
of the five lines that the program thinks likeliest shows it to readers: it is no measure of recall.
An answer names a company by citing its documents; companies of the other half are not counted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from evals.records import DATA

HALVES = ("tune", "tune_2", "tune_3", "held")


class Asked(BaseModel):
    """A question, and the keys of the companies that are right."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    question: str
    companies: frozenset[str]
    borderline: frozenset[str]


def load(half: str) -> list[Asked]:
    """The questions of a half."""
    lines = (DATA / f"of_companies_{half}.jsonl").read_text(encoding="utf-8").splitlines()
    return [Asked.model_validate_json(line) for line in lines]


def main(argv: Sequence[str] | None = None) -> int:
    """Ask the questions and print how many of the right companies are named, and how many others."""
    parser = argparse.ArgumentParser(prog="python -m evals.corpus", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--half", choices=HALVES, default="tune")
    parser.add_argument("--show", action="store_true", help="print what was wrongly named or left out")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    rows = asked(load(args.half), load("tune" if args.half == "held" else "held"), args.home)
    print(json.dumps(rows, ensure_ascii=False) if args.json else describe(rows, show=args.show))
    return 0


def asked(questions: Sequence[Asked], others: Sequence[Asked], home: Path) -> list[dict[str, Any]]:
    """Every question with the companies that its answer cites."""
    from agent.assistant import Assistant

    elsewhere = {key for each in others for key in (*each.companies, *each.borderline)}
    rows: list[dict[str, Any]] = []
    with Assistant.open(home) as assistant:
        for each in questions:
            answer = assistant.ask(each.question)
            cited = {citation.marker for citation in answer.citations}
            named = {item.company_key for item in answer.evidence if item.rank in cited}
            rows.append(
                {
                    "id": each.id,
                    "question": each.question,
                    "route": answer.route.kind,
                    "right": sorted(named & each.companies),
                    "wrong": sorted(named - each.companies - each.borderline - elsewhere),
                    "missed": sorted(each.companies - named),
                    "seconds": answer.seconds["total"],
                }
            )
    return rows


def describe(rows: Sequence[dict[str, Any]], *, show: bool) -> str:
    """Precision and recall over all companies named, for a reader."""
    right, wrong, missed = (sum(len(row[name]) for row in rows) for name in ("right", "wrong", "missed"))
    routed = sum(row["route"] == "corpus" for row in rows)
    seconds = sorted(row["seconds"] for row in rows)[len(rows) // 2]
    lines = [
        f"{routed} of {len(rows)} looked through all companies; named {right} of {right + missed} right companies "
        f"(recall {right / max(1, right + missed):.2f}) and {wrong} others "
        f"(precision {right / max(1, right + wrong):.2f}); median {seconds:.1f} s"
    ]
    for row in rows if show else ():
        if row["wrong"] or row["missed"] or row["route"] != "corpus":
            lines.append(f"{row['id']} {row['route']}: {row['question']}")
            lines.append(f"  right {row['right']} wrong {row['wrong']} missed {row['missed']}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
