"""Questions that name a concept: does an ontology lead to more of what answers them?

python -m evals.conceptual --home DIR [--half tune|held] [--depths 5 10 15] [--json]

The home needs an ontology (`hybridrag ontology add`). The questions of `evals/data/conceptual_HALF.jsonl` were written
by readers of the documents who knew nothing of the program, each half over filings of companies of its own; gold are
the sentences that answer. Each is put, with its document as the filter, to the regular retriever (pipeline `vector`)
and to the ontology's (pipeline `ontology`), with as many passages as the depth says (Kopaneva 2025, Table 1). Printed
are the means of context recall and precision and of ROUGE-1, BLEU and METEOR of the drafted answer against the gold
sentences, over all questions and over those that lead to a concept, and the difference with its 95 % interval, question
by question.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from agent.errors import OUR_FAILURES, USER_MISTAKES, UsageError
from evals.annotations import NO_ONTOLOGY
from evals.datasets.types import Item
from evals.metrics.bleu import BLEU
from evals.metrics.context_precision import CONTEXT_PRECISION
from evals.metrics.context_recall import CONTEXT_RECALL
from evals.metrics.meteor import METEOR
from evals.metrics.rouge_1 import ROUGE_1
from evals.pipelines import row_of
from evals.records import DATA
from tools.bootstrap import paired

DEPTHS = (5, 10, 15)
METRICS = (CONTEXT_RECALL, CONTEXT_PRECISION, ROUGE_1, BLEU, METEOR)
PIPELINES = ("vector", "ontology")


class Asked(BaseModel):
    """A question and the sentences that answer it."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: str
    question: str
    company: str
    concept: str
    """What of the question names a concept, as its author sees it."""
    broader: bool
    """Whether the documents say it in other words."""
    source: str
    """File name without its ending, blanks as '_'."""
    pages: tuple[int, ...]
    gold: tuple[str, ...]


def load(half: str) -> list[Asked]:
    """The questions of a half."""
    lines = (DATA / f"conceptual_{half}.jsonl").read_text(encoding="utf-8").splitlines()
    return [Asked.model_validate_json(line) for line in lines]


def main(argv: Sequence[str] | None = None) -> int:
    """Ask the questions and print the table."""
    parser = argparse.ArgumentParser(prog="python -m evals.conceptual", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--half", choices=("tune", "held"), default="tune")
    parser.add_argument("--depths", type=int, nargs="+", default=DEPTHS)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    try:
        rows = asked(load(args.half), args.home, args.depths)
    except (*USER_MISTAKES, *OUR_FAILURES) as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(rows) if args.json else "\n".join(described(rows)))
    return 0


def asked(questions: Sequence[Asked], home: Path, depths: Sequence[int]) -> list[dict[str, Any]]:
    """One row a question whose document is indexed, depth and pipeline: its scores, by metric, and whether the question
    leads to a concept. UsageError where the home has no ontology or none of the documents; raises what asking raises.
    """
    from agent.assistant import Assistant
    from agent.settings import load_settings

    rows: list[dict[str, Any]] = []
    settings = load_settings().of_folder(home)
    with Assistant(settings) as first:
        index = first.current()
        names = {Path(d.name).stem.replace(" ", "_"): d.name for d in index.generation.documents.values()}
        questions = [each for each in questions if each.source in names]
        if index.concepts is None:
            raise UsageError(NO_ONTOLOGY)
        if not questions:
            raise UsageError("This home has none of the documents that the questions are about.")
        led = {each.id: bool(index.concepts_of(each.question)) for each in questions}
        for depth in depths:
            assistant = Assistant(settings.model_copy(update={"top_k": depth}), first.engine)
            assistant.shelf = first.shelf
            for each in questions:
                item = Item(id=each.id, question=each.question, gold=each.gold, answer=" ".join(each.gold))
                for pipeline in PIPELINES:
                    answer = assistant.ask(each.question, document=names[each.source], pipeline=pipeline)
                    row = row_of(pipeline, item, answer, 0)
                    scores = {metric.name: metric.score(item, row).value for metric in METRICS}
                    rows.append(
                        {"id": each.id, "depth": depth, "pipeline": pipeline, "led": led[each.id], **scores}
                    )
    return rows


def described(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The table, for a reader."""
    for what, kept in (("all", rows), ("that lead to a concept", [row for row in rows if row["led"]])):
        count = len({row["id"] for row in kept})
        yield f"{count} questions, {what}" if count else "no question leads to a concept"
        for depth in sorted({row["depth"] for row in kept}):
            for metric in METRICS:
                one, other = (_values(kept, depth, pipeline, metric.name) for pipeline in PIPELINES)
                apart = paired(one, other)
                yield (
                    f"  {depth:>3} passages  {metric.name:<18} regular {sum(one) / len(one):.3f}  "
                    f"ontology {sum(other) / len(other):.3f}  difference {apart.difference:+.3f} "
                    f"({apart.low:+.3f} to {apart.high:+.3f}; {apart.up} up, {apart.down} down)"
                )


def _values(rows: Sequence[dict[str, Any]], depth: int, pipeline: str, metric: str) -> list[float]:
    chosen = [row for row in rows if row["depth"] == depth and row["pipeline"] == pipeline]
    return [float(row[metric] or 0.0) for row in sorted(chosen, key=lambda row: str(row["id"]))]


if __name__ == "__main__":
    sys.exit(main())
