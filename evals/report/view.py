"""What both reports show: tables of the summaries, and the headline. Numbers are the summaries' own, never counted anew
where a summary has them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from evals.compare import Difference, compare_pipelines
from evals.metric_catalog import COST, TABLE_5, Known, at_k, known, metric, number, seconds, signed
from evals.results import Results
from evals.rows import Row, Summary

# Control characters, direction changes and lone surrogates: documents are data, and must not act on the page.
_ACTIVE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
STATUSES = ("answered", "partial", "abstained", "failed")
ROUTES = ("extractive", "abstractive", "uncertain", "corpus")


@dataclass(frozen=True, slots=True)
class Cell:
    """One mean."""

    mean: str
    interval: str
    """'' where nothing was scored."""
    counts: str
    """What was scored, what not, and why."""
    best: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One metric over the pipelines."""

    metric: Known
    cells: tuple[Cell, ...]

    @property
    def note(self) -> str:
        """Unit and direction; for a row that no pipeline has, why."""
        if not any(cell.counts for cell in self.cells):
            return (
                "not judged: run with --judge" if self.metric.name.startswith("judged_") else "not measured"
            )
        return self.metric.note


@dataclass(frozen=True, slots=True)
class Claim:
    """The headline's word on one metric."""

    metric: Known
    mean: str
    against: tuple[tuple[Difference, str], ...]
    """Each difference, and the same in words."""


def clean(text: str) -> str:
    """The text with every character that acts rather than shows replaced, one for one, by U+FFFD."""
    return _ACTIVE.sub("\ufffd", text)


def subject(results: Results) -> str | None:
    """The pipeline the report is about: the agent where it ran."""
    names = results.pipelines
    return next((name for name in ("agent", "agent@paper") if name in names), names[-1] if names else None)


def rivals(results: Results) -> tuple[str, ...]:
    """What it is measured against: fixed concatenation, and the paper's vector pipeline (else ours)."""
    names = results.pipelines
    reference = next((name for name in ("vector@paper", "vector") if name in names), None)
    return tuple(
        name
        for name in ("hybrid", reference)
        if name is not None and name in names and name != subject(results)
    )


def headline(results: Results) -> tuple[Claim, ...]:
    """Retrieval and context size of the subject, with its paired differences."""
    name = subject(results)
    if name is None:
        return ()
    found = {
        rival: {one.metric: one for one in compare_pipelines(results, rival, name)}
        for rival in rivals(results)
    }
    claims = []
    for one in headline_metrics(results):
        apart = [found[rival][one.name] for rival in found if one.name in found[rival]]
        mean = one.text(results.summaries[name][one.name].mean)
        claims.append(Claim(one, mean, tuple((difference, in_words(difference)) for difference in apart)))
    return tuple(claims)


def headline_metrics(results: Results) -> tuple[Known, ...]:
    """Precision and recall of the evidence, or what the question set has in their place, and context tokens."""
    name = subject(results)
    scored = {
        key for key, summary in results.summaries.get(name or "", {}).items() if summary.mean is not None
    }
    for names in (
        ("context_precision", "context_recall"),
        ("evidence_number_recall", "answer_number_recall"),
        ("judgement", "answer_rate"),
    ):
        if scored & set(names):
            return tuple(metric(key) for key in (*names, "context_tokens") if key in scored)
    return tuple(metric(key) for key in ("answer_rate", "context_tokens") if key in scored)


def in_words(found: Difference) -> str:
    """'+0.070 on hybrid (+0.031 to +0.110); better on 20 questions, worse on 4, the same on 33'."""
    if found.ties == found.questions:
        return f"as {found.first} on every question ({found.questions})"
    span = f"{signed(found.low, found.unit)} to {signed(found.high, found.unit)}"
    size = signed(found.difference, found.unit)
    if found.unit and found.first_mean > 0:
        told = f"{found.second_mean / found.first_mean:.0%} of {found.first}: {size} {found.unit} ({span})"
    else:
        told = f"{size} on {found.first} ({span})"
    more, less = ("fewer", "more") if found.unit else ("better", "worse")
    return f"{told}; {more} on {found.wins} questions, {less} on {found.losses}, the same on {found.ties}"


def table_5(results: Results) -> tuple[Line, ...]:
    """The paper's four, judged and measured without a model; a row nobody scored says so."""
    return tuple(line(results, metric(name)) for name in TABLE_5)


def other_metrics(results: Results) -> tuple[Line, ...]:
    """Every other metric with a summary, but those at each k."""
    names = {name for summaries in results.summaries.values() for name in summaries}
    rest = [name for name in names if name not in TABLE_5 and at_k(name) is None]
    return tuple(line(results, one) for one in known(rest))


def line(results: Results, one: Known) -> Line:
    """A metric's means over all pipelines, the best of several marked (costs too: less is better)."""
    summaries = [results.summaries.get(name, {}).get(one.name) for name in results.pipelines]
    texts = [one.text(found.mean) for found in summaries if found is not None and found.mean is not None]
    means = [found.mean for found in summaries if found is not None and found.mean is not None]
    best = ""
    if len(set(texts)) > 1:
        best = one.text(max(means) if one.better == "higher" else min(means))
    return Line(one, tuple(_cell(found, one, best) for found in summaries))


def _cell(found: Summary | None, one: Known, best: str) -> Cell:
    if found is None:
        return Cell("n/a", "", "")
    mean = one.text(found.mean)
    span = (
        ""
        if found.low is None or found.high is None
        else f"{one.text(found.low)}\u2013{one.text(found.high)}"
    )
    return Cell(mean, span, counts(found), found.mean is not None and mean == best)


def counts(found: Summary) -> str:
    """'57 scored, 3 n/a, 2 judge failures'."""
    parts = [f"{found.scored} scored"]
    if found.not_applicable:
        parts.append(f"{found.not_applicable} n/a")
    if found.failed:
        parts.append(f"{found.failed} judge failure{'s' if found.failed > 1 else ''}")
    return ", ".join(parts)


def at_each_k(results: Results) -> dict[str, dict[str, list[tuple[int, float]]]]:
    """'precision' -> pipeline -> (k, mean), k ascending; only what was scored."""
    found: dict[str, dict[str, list[tuple[int, float]]]] = {}
    for pipeline in results.pipelines:
        for name, summary in results.summaries.get(pipeline, {}).items():
            part = at_k(name)
            if part is not None and summary.mean is not None:
                found.setdefault(part[0], {}).setdefault(pipeline, []).append((part[1], summary.mean))
    for curves in found.values():
        for curve in curves.values():
            curve.sort()
    return {name: found[name] for name in ("precision", "recall", "f1") if name in found}


def latencies(results: Results) -> dict[str, list[float]]:
    """Pipeline -> seconds of its questions, ascending; failed ones are left out, they ended early."""
    found = {}
    for pipeline in results.pipelines:
        rows = [row for row in results.rows_of(pipeline) if row.status != "failed"]
        found[pipeline] = sorted(row.seconds["total"] for row in rows if "total" in row.seconds)
    return found


def latency_rows(results: Results) -> list[tuple[str, tuple[str, ...]]]:
    """Label, then a text a pipeline."""
    values = latencies(results)
    return [
        (label, tuple(seconds(float(np.percentile(some, q))) if some else "n/a" for some in values.values()))
        for label, q in (("Median (p50)", 50), ("p95", 95), ("Slowest", 100))
    ]


def status_counts(results: Results) -> dict[str, Counter[str]]:
    """Pipeline -> status -> questions."""
    return {name: Counter(row.status for row in results.rows_of(name)) for name in results.pipelines}


def route_counts(results: Results) -> dict[str, Counter[str]]:
    """Pipeline -> route -> questions, of pipelines that choose one."""
    counted = {
        name: Counter(row.route for row in results.rows_of(name) if row.route) for name in results.pipelines
    }
    return {name: found for name, found in counted.items() if found and name.startswith("agent")}


def widened(rows: Iterable[Row]) -> int:
    """Questions searched a second time."""
    return sum(row.widened for row in rows)


def kinds(results: Results) -> tuple[str, ...]:
    """Kinds of question in order; empty where there is but one."""
    found = tuple(dict.fromkeys(item.kind for item in results.items))
    return found if len(found) > 1 else ()


KIND_METRICS = (
    "context_precision",
    "context_recall",
    "evidence_number_recall",
    "answer_number_recall",
    "judgement",
    "wrong_number_rate",
    "answer_rate",
)


def by_kind(results: Results) -> list[tuple[Known, list[tuple[str, tuple[str, ...]]]]]:
    """Metric -> kind -> 'mean (scored)' a pipeline, for what was scored at all."""
    kind_of = {item.id: item.kind for item in results.items}
    values: dict[tuple[str, str, str], list[float]] = {}
    for row in results.rows:
        for name in KIND_METRICS:
            score = row.scores.get(name)
            if score is not None and score.value is not None:
                values.setdefault((name, kind_of.get(row.id, ""), row.pipeline), []).append(score.value)
    tables = []
    for name in KIND_METRICS:
        if not any(key[0] == name for key in values):
            continue
        one = metric(name)
        lines = [
            (
                kind or "other",
                tuple(_share(values.get((name, kind, pipeline)), one) for pipeline in results.pipelines),
            )
            for kind in kinds(results)
        ]
        tables.append((one, lines))
    return tables


def _share(values: Sequence[float] | None, one: Known) -> str:
    return f"{number(sum(values) / len(values), one.unit)} ({len(values)})" if values else "n/a"


def chart_metrics(results: Results) -> tuple[Known, ...]:
    """Those drawn as bars: every scored one, costs last, without those at each k and costs that nobody had."""
    names = [
        name
        for summaries in results.summaries.values()
        for name, found in summaries.items()
        if found.mean is not None and at_k(name) is None and (found.mean > 0 or name not in COST)
    ]
    return tuple(sorted(known(names), key=lambda one: one.name in COST))


def worst(results: Results, one: Known, count: int) -> list[Row]:
    """The subject's rows with the worst score, failures first."""
    name = subject(results)
    rows = [row for row in results.rows if row.pipeline == name and row.scores.get(one.name) is not None]
    scored = [(row.scores[one.name].value, row) for row in rows]
    sign = 1 if one.better == "higher" else -1
    order = sorted(
        ((value, row) for value, row in scored if value is not None),
        key=lambda pair: (pair[1].status != "failed", sign * pair[0]),
    )
    return [row for _, row in order[:count]]
