"""Two runs, or two pipelines of one run, question by question.

A difference is the mean over the questions that both sides scored, with the paired bootstrap interval of
`tools.bootstrap`; a metric that one side did not score on a question leaves that question out, and the counts say so.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from agent.errors import UsageError
from evals import metric_catalog
from evals.metric_catalog import COST, at_k, known, short, signed
from evals.results import Results
from evals.rows import Row
from tools.bootstrap import paired

MAX_MOVES_SHOWN = 10
"""Questions shown of each metric that moved."""


class Difference(BaseModel):
    """One metric: the second side less the first, over the questions both scored."""

    model_config = ConfigDict(frozen=True)

    first: str
    """Pipeline on the first side."""
    second: str
    metric: str
    title: str
    better: Literal["higher", "lower"]
    unit: str
    questions: int
    first_mean: float
    second_mean: float
    difference: float
    low: float
    high: float
    """95 % interval of the difference."""
    wins: int
    """Questions where the second side is the better one."""
    losses: int
    ties: int

    @property
    def verdict(self) -> Literal["better", "worse", "unclear"]:
        """Of the second side; 'unclear' where the interval holds zero."""
        if self.low <= 0 <= self.high:
            return "unclear"
        return "better" if (self.difference > 0) == (self.better == "higher") else "worse"


class Move(BaseModel):
    """A question whose score changed."""

    model_config = ConfigDict(frozen=True)

    pipeline: str
    metric: str
    id: str
    question: str
    first: float
    second: float


class Comparison(BaseModel):
    """Two runs over the questions they share."""

    model_config = ConfigDict(frozen=True)

    first: str
    """Dataset, time and commit of the first run."""
    second: str
    questions: int
    """Asked in both."""
    warnings: tuple[str, ...]
    differences: tuple[Difference, ...]
    """By pipeline, then in report order."""
    moves: tuple[Move, ...]
    """Of each pipeline and metric, those that changed most, greatest first."""


def compare(a: Results, b: Results) -> Comparison:
    """How `b` differs from `a`. A question is the same if its id and text are.

    Raises:
        UsageError: no question, or no pipeline, in common.
    """
    texts = {item.id: item.question for item in a.items}
    shared = [item.id for item in b.items if texts.get(item.id) == item.question]
    if not shared:
        raise UsageError(
            f"The runs have no question in common ('{a.dataset.name}' and '{b.dataset.name}'). "
            "Compare runs of one dataset."
        )
    pipelines = [name for name in a.pipelines if name in b.pipelines]
    if not pipelines:
        raise UsageError(
            f"The runs have no pipeline in common ({_names(a.pipelines)}; {_names(b.pipelines)}). "
            "Run one of them again with the other's --pipelines."
        )
    differences: list[Difference] = []
    moves: list[Move] = []
    for pipeline in pipelines:
        first, second = _scored(a.rows_of(pipeline), shared), _scored(b.rows_of(pipeline), shared)
        for difference in _differences(pipeline, first, pipeline, second, shared):
            differences.append(difference)
            moves += _moves(pipeline, difference.metric, first, second, texts)
    return Comparison(
        first=_run(a),
        second=_run(b),
        questions=len(shared),
        warnings=tuple(_warnings(a, b, len(shared), pipelines)),
        differences=tuple(differences),
        moves=tuple(moves),
    )


def compare_pipelines(results: Results, first: str, second: str) -> tuple[Difference, ...]:
    """How the pipeline `second` differs from `first` in one run, in report order; empty where they share no score."""
    ids = [item.id for item in results.items]
    a, b = _scored(results.rows_of(first), ids), _scored(results.rows_of(second), ids)
    return tuple(_differences(first, a, second, b, ids))


def describe(comparison: Comparison) -> str:
    """The comparison as text; the metrics at each k and single questions behind other changes are left to the JSON
    form."""
    lines = [f"first   {comparison.first}", f"second  {comparison.second}"]
    lines += [f"warning: {warning}" for warning in comparison.warnings]
    lines.append(
        f"{comparison.questions} questions in both; differences are second less first, 95 % intervals."
    )
    shown = [found for found in comparison.differences if at_k(found.metric) is None]
    for pipeline in dict.fromkeys(found.first for found in shown):
        lines += ["", pipeline, *_table([found for found in shown if found.first == pipeline])]
    clear = {(one.first, one.metric) for one in shown if one.verdict == "worse" and one.metric not in COST}
    behind = [move for move in comparison.moves if (move.pipeline, move.metric) in clear]
    if behind:
        lines += ["", "Questions behind what is clearly worse:", *map(_move_line, behind)]
    elif shown and all(found.ties == found.questions for found in shown):
        lines += ["", "No score changed."]
    return "\n".join(lines)


def _table(found: Sequence[Difference]) -> list[str]:
    """A line a metric that changed, and one for all that did not."""
    lines = [f"  {'':<28}{'first':>9}{'second':>9}{'change':>10}{'interval':>20}{'n':>6}  better/worse/same"]
    lines += [_line(one) for one in found if one.ties < one.questions]
    same = [
        f"{one.title} {metric_catalog.metric(one.metric).text(one.first_mean)}"
        for one in found
        if one.ties == one.questions
    ]
    if same:
        lines = lines if len(lines) > 1 else []
        lines += textwrap.wrap(
            "unchanged: " + "; ".join(same), 108, initial_indent="  ", subsequent_indent="    "
        )
    return lines


def _line(found: Difference) -> str:
    metric = metric_catalog.metric(found.metric)
    span = f"{signed(found.low, found.unit)} \u2026 {signed(found.high, found.unit)}"
    mark = {"better": "  better", "worse": "  WORSE", "unclear": ""}[found.verdict]
    return (
        f"  {found.title[:27]:<28}{metric.text(found.first_mean):>9}{metric.text(found.second_mean):>9}"
        f"{signed(found.difference, found.unit):>10}{span:>20}{found.questions:>6}"
        f"  {found.wins}/{found.losses}/{found.ties}{mark}"
    )


def _move_line(move: Move) -> str:
    metric = metric_catalog.metric(move.metric)
    question = " ".join(move.question.split())
    text = question if len(question) <= 60 else question[:59] + "\u2026"
    values = f"{metric.text(move.first)} \u2192 {metric.text(move.second)}"
    return f"  {move.pipeline} {metric.title}: {values}  {move.id}  {text}"


def _differences(
    first: str,
    a: Mapping[str, Mapping[str, float]],
    second: str,
    b: Mapping[str, Mapping[str, float]],
    ids: Iterable[str],
) -> Iterable[Difference]:
    """Of every metric both sides scored somewhere. Scores are by metric, then question."""
    order = list(ids)
    for metric in known(name for name in a if name in b):
        both = [id_ for id_ in order if id_ in a[metric.name] and id_ in b[metric.name]]
        if not both:
            continue
        old, new = [a[metric.name][id_] for id_ in both], [b[metric.name][id_] for id_ in both]
        found = paired(old, new)
        up, down = (found.up, found.down) if metric.better == "higher" else (found.down, found.up)
        yield Difference(
            first=first,
            second=second,
            metric=metric.name,
            title=metric.title,
            better=metric.better,
            unit=metric.unit,
            questions=len(both),
            first_mean=sum(old) / len(old),
            second_mean=sum(new) / len(new),
            difference=found.difference,
            low=found.low,
            high=found.high,
            wins=up,
            losses=down,
            ties=found.ties,
        )


def _moves(
    pipeline: str,
    metric: str,
    a: Mapping[str, Mapping[str, float]],
    b: Mapping[str, Mapping[str, float]],
    texts: Mapping[str, str],
) -> list[Move]:
    changed = [
        Move(pipeline=pipeline, metric=metric, id=id_, question=texts[id_], first=old, second=b[metric][id_])
        for id_, old in a[metric].items()
        if id_ in b[metric] and abs(b[metric][id_] - old) > 1e-9
    ]
    changed.sort(key=lambda move: (-abs(move.second - move.first), move.id))
    return changed[:MAX_MOVES_SHOWN]


def _scored(rows: Iterable[Row], ids: Iterable[str]) -> dict[str, dict[str, float]]:
    """Metric -> question -> value, of these questions."""
    wanted = set(ids)
    scored: dict[str, dict[str, float]] = {}
    for row in rows:
        for name, score in row.scores.items():
            if row.id in wanted and score.value is not None:
                scored.setdefault(name, {})[row.id] = score.value
    return scored


def _warnings(a: Results, b: Results, shared: int, pipelines: list[str]) -> Iterable[str]:
    if a.dataset.data_hash != b.dataset.data_hash:
        yield "the runs were made on different data; only questions of the same id and text are compared"
    for side, run in (("first", a), ("second", b)):
        if len(run.items) > shared:
            yield f"{len(run.items) - shared} questions of the {side} run are not in the other"
        alone = [name for name in run.pipelines if name not in pipelines]
        if alone:
            yield f"only the {side} run has {_names(alone)}"
    changed = _settings(a.config.settings, b.config.settings)
    if changed:
        yield "settings differ: " + "; ".join(changed)


def _settings(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[str]:
    names = sorted({*a, *b})
    return [f"{name} {a.get(name)} \u2192 {b.get(name)}" for name in names if a.get(name) != b.get(name)]


def _run(results: Results) -> str:
    return f"{results.dataset.name}, {results.created}, commit {short(results.commit)}"


def _names(names: Iterable[str]) -> str:
    return ", ".join(names)
