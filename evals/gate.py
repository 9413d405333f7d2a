"""The regression gate: stored floors by metric, and what each question scored when they were written."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from agent.errors import UsageError
from evals.metrics.types import Metric
from evals.records import DATA
from evals.results import Results
from evals.rows import Row
from tools.store.disk.home import replace_file

FLOORS = DATA / "floors.json"
GATED = (
    "context_precision",
    "context_recall",
    "evidence_number_recall",
    "answer_number_recall",
    "wrong_number_rate",
    "citation_precision",
    "citation_recall",
    "route_accuracy",
    "abstention_precision",
    "abstention_recall",
    "answer_rate",
)
"""Metrics that need no extra and no clock."""
QUESTIONS_OF_SLACK = 1.0
"""Questions that may get worse before a floor is reached: another processor rounds embeddings otherwise."""
MAX_NAMED_CHANGES = 20
"""Changed questions named in a report of the gate."""
STATUS = "status"


class Floors(BaseModel):
    """floors.json."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dataset: str
    data_hash: str
    floors: dict[str, dict[str, float]]
    """By pipeline and metric; a ceiling where lower is better."""
    expected: dict[str, dict[str, dict[str, Any]]]
    """By pipeline and question: the status, and each metric that applied."""

    @classmethod
    def load(cls, path: Path) -> Floors:
        """UsageError if the file is missing or of another shape."""
        try:
            return cls.model_validate_json(path.read_bytes())
        except OSError as error:
            raise UsageError(f"Can't read the floors in '{path}': {error.strerror or error}.") from error
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise UsageError(
                f"'{path}' is not a file of floors: {where or 'JSON'}: {first['msg']}. Write one with --update-floors."
            ) from error

    def save(self, path: Path) -> None:
        """A line a question, so that a difference shows which ones changed. OSError."""
        head = self.model_dump(mode="json", exclude={"expected"})
        text = orjson.dumps(head, option=orjson.OPT_INDENT_2).decode().removesuffix("\n}")
        blocks = []
        for pipeline, questions in self.expected.items():
            lines = [
                f"      {_json(key)}: {_json(was)}"
                for key, was in sorted(questions.items(), key=lambda each: each[0])
            ]
            blocks.append(f"    {_json(pipeline)}: {{\n" + ",\n".join(lines) + "\n    }")
        body = ",\n".join(blocks)
        replace_file(path, f'{text},\n  "expected": {{\n{body}\n  }}\n}}\n'.encode())


@dataclass(frozen=True, slots=True)
class Change:
    """A question that is not answered as it was."""

    id: str
    question: str
    was: Mapping[str, Any]
    now: Mapping[str, Any]

    def describe(self) -> str:
        """'s012 (What was ...?): answered -> abstained, context_recall 1 -> 0'."""
        names = dict.fromkeys([*self.was, *self.now])
        parts = [
            f"{'' if name == STATUS else name + ' '}{_told(self.was.get(name))} -> {_told(self.now.get(name))}"
            for name in names
            if _differ(self.was.get(name), self.now.get(name))
        ]
        return f"{self.id} ({self.question}): {', '.join(parts)}"


@dataclass(frozen=True, slots=True)
class Fall:
    """A metric below its floor, or above its ceiling."""

    pipeline: str
    metric: str
    floor: float
    now: float | None
    changes: tuple[Change, ...]
    """The questions that got worse by it."""

    def describe(self) -> str:
        """One line, and one a question."""
        now = "not measured" if self.now is None else f"{self.now:.4f}"
        lines = [f"{self.pipeline} {self.metric}: {now}, floor {self.floor:.4f}"]
        lines += [f"  {change.describe()}" for change in self.changes[:MAX_NAMED_CHANGES]]
        if len(self.changes) > MAX_NAMED_CHANGES:
            lines.append(f"  and {len(self.changes) - MAX_NAMED_CHANGES} more")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the gate says of a run."""

    falls: tuple[Fall, ...]
    changes: tuple[tuple[str, Change], ...]
    """(pipeline, change): every question that is not answered as it was, better or worse."""
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether no metric fell below its floor."""
        return not self.falls


def judge(results: Results, floors: Floors, metrics: Sequence[Metric]) -> Judgement:
    """Compare a run of all questions with the floors, for the pipelines that both have."""
    better = {metric.name: metric.better for metric in metrics}
    notes = []
    if results.dataset.data_hash != floors.data_hash:
        notes.append(
            "The data set has changed since the floors were written; write them anew with --update-floors."
        )
    if not set(results.pipelines) & set(floors.floors):
        notes.append(f"Nothing to compare: the floors are of {', '.join(sorted(floors.floors))}.")
    falls: list[Fall] = []
    changes: list[tuple[str, Change]] = []
    for pipeline in [name for name in results.pipelines if name in floors.floors]:
        changed = _changes(results.rows_of(pipeline), floors.expected.get(pipeline, {}))
        changes += [(pipeline, change) for change in changed]
        for name, floor in floors.floors[pipeline].items():
            found = results.summaries[pipeline].get(name)
            now = found.mean if found is not None else None
            lower = better.get(name) == "lower"
            if now is not None and (now <= floor if lower else now >= floor):
                continue
            worse = tuple(change for change in changed if _worse(change, name, lower))
            falls.append(Fall(pipeline, name, floor, now, worse))
    return Judgement(tuple(falls), tuple(changes), tuple(notes))


def make_floors(results: Results, metrics: Sequence[Metric]) -> Floors:
    """Floors a question's worth (`QUESTIONS_OF_SLACK`) below what this run reached."""
    better = {metric.name: metric.better for metric in metrics}
    floors: dict[str, dict[str, float]] = {}
    expected: dict[str, dict[str, dict[str, Any]]] = {}
    for pipeline in results.pipelines:
        floors[pipeline] = {}
        for name in GATED:
            found = results.summaries[pipeline].get(name)
            if found is None or found.mean is None:
                continue
            slack = QUESTIONS_OF_SLACK / found.scored
            if better.get(name) == "lower":
                floors[pipeline][name] = math.ceil(1e4 * (found.mean + slack)) / 1e4 if found.mean else 0.0
            else:
                floors[pipeline][name] = max(0.0, math.floor(1e4 * (found.mean - slack)) / 1e4)
        expected[pipeline] = {row.id: _outcome(row) for row in results.rows_of(pipeline)}
    return Floors(
        dataset=results.dataset.name,
        data_hash=results.dataset.data_hash,
        floors=floors,
        expected=expected,
    )


def _outcome(row: Row) -> dict[str, Any]:
    scores = {name: row.scores[name].value for name in GATED if name in row.scores}
    return {
        STATUS: row.status,
        **{name: round(value, 4) for name, value in scores.items() if value is not None},
    }


def _changes(rows: Sequence[Row], expected: Mapping[str, Mapping[str, Any]]) -> list[Change]:
    found = []
    for row in rows:
        was, now = expected.get(row.id), _outcome(row)
        if was is not None and any(_differ(was.get(n), now.get(n)) for n in {*was, *now}):
            found.append(Change(row.id, row.question, was, now))
    return found


def _differ(a: Any, b: Any) -> bool:
    if isinstance(a, int | float) and isinstance(b, int | float):
        return abs(a - b) > 1e-3
    return bool(a != b)


def _worse(change: Change, metric: str, lower: bool) -> bool:
    was, now = change.was.get(metric), change.now.get(metric)
    if was is None or now is None:
        return was is not now
    return bool(now > was if lower else now < was) and _differ(was, now)


def _told(value: Any) -> str:
    return "n/a" if value is None else f"{value:.3g}" if isinstance(value, float) else str(value)


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()
