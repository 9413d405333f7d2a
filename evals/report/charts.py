"""The charts, as Plotly figures. Colours are given by role ("agent", "answered") in a trace's `meta`; the page sets
them, so that one figure serves the light and the dark scheme."""

from __future__ import annotations

from typing import Any

from evals.metric_catalog import Known
from evals.report import view
from evals.results import Results

Figure = dict[str, Any]
"""{'title', 'note', 'label' for screen readers, 'data', 'layout', maybe 'legend'}; `plotly.graph_objects.Figure` takes
data and layout."""
_BAR = 26
_LEAST = 100
"""Pixels: in a lower chart the library leaves no room for the axis."""
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
_POINTS = 60


def figures(results: Results) -> dict[str, list[Figure]]:
    """Section -> its figures; a section with nothing to draw is empty."""
    return {
        "bars": [_bars(results, one) for one in view.chart_metrics(results)],
        "k": [_curve(results, name, curves) for name, curves in view.at_each_k(results).items()],
        "latency": _latency(results),
        "status": _statuses(results),
        "route": _routes(results),
    }


def role(pipeline: str) -> str:
    """Colour of a pipeline: the stylesheet's variable without its dashes."""
    name, _, paper = pipeline.partition("@")
    return "paper" if paper else name


def _bars(results: Results, one: Known) -> Figure:
    names = list(reversed(results.pipelines))
    found = [results.summaries.get(name, {}).get(one.name) for name in names]
    means = [None if summary is None else summary.mean for summary in found]
    texts = [one.text(mean) for mean in means]
    trace: Figure = {
        "type": "bar",
        "orientation": "h",
        "y": names,
        "x": means,
        "customdata": texts,
        "hovertemplate": "%{y}: %{customdata}<extra></extra>",
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [_reach(summary.high, summary.mean) if summary else 0.0 for summary in found],
            "arrayminus": [_reach(summary.mean, summary.low) if summary else 0.0 for summary in found],
            "thickness": 1.2,
            "width": 3,
        },
        "meta": {"roles": [role(name) for name in names]},
    }
    # Shares keep one scale from chart to chart, so that they can be compared by eye.
    shares: Figure = {"range": [0, 1.02], "tickvals": [0, 0.5, 1]}
    labels = [f"{name}  <b>{text}</b>" for name, text in zip(names, texts, strict=True)]
    return {
        "title": one.title,
        "note": one.note,
        "label": f"{one.title}: "
        + ", ".join(f"{name} {text}" for name, text in zip(names, texts, strict=True)),
        "data": [trace],
        "layout": {
            "height": max(_LEAST, _BAR * len(names) + 34),
            "xaxis": {"rangemode": "tozero", "nticks": 4} if one.unit else shares,
            "yaxis": {"tickvals": names, "ticktext": labels, "showgrid": False},
            "bargap": 0.35,
        },
    }


def _reach(high: float | None, low: float | None) -> float:
    return max(0.0, high - low) if high is not None and low is not None else 0.0


def _curve(results: Results, name: str, curves: dict[str, list[tuple[int, float]]]) -> Figure:
    title = {"precision": "Precision", "recall": "Recall", "f1": "F1"}[name]
    traces = [
        _line(
            pipeline,
            number,
            [k for k, _ in curves[pipeline]],
            [mean for _, mean in curves[pipeline]],
            "k = %{x}: %{y:.3f}",
        )
        for number, pipeline in enumerate(results.pipelines)
        if pipeline in curves
    ]
    layout = {
        "height": 260,
        "xaxis": {"title": {"text": "first k contexts"}, "dtick": 1 if len(traces[0]["x"]) <= 10 else 5},
        "yaxis": {"range": [0, 1.02], "tickvals": [0, 0.25, 0.5, 0.75, 1]},
    }
    return {
        "title": f"{title} over k",
        "note": "",
        "label": f"{title} over k, by pipeline",
        "data": traces,
        "layout": layout,
    }


def _line(pipeline: str, number: int, x: list[Any], y: list[float], hover: str) -> Figure:
    ours = role(pipeline) == "agent"
    return {
        "type": "scatter",
        "mode": "lines",
        "name": pipeline,
        "x": x,
        "y": y,
        "line": {"width": 3 if ours else 1.8, "dash": "solid" if ours else _DASHES[number % len(_DASHES)]},
        "hovertemplate": hover + f"<extra>{pipeline}</extra>",
        "meta": {"roles": [role(pipeline)]},
    }


def _latency(results: Results) -> list[Figure]:
    traces = []
    for number, (pipeline, values) in enumerate(view.latencies(results).items()):
        if not values:
            continue
        count = len(values)
        picks = sorted({round(step * (count - 1) / _POINTS) for step in range(_POINTS + 1)})
        share = [(pick + 1) / count for pick in picks]
        x = [max(values[pick], 1e-4) for pick in picks]
        traces.append(_line(pipeline, number, x, share, "%{y:.0%} within %{x:.3g} s"))
    if not traces:
        return []
    layout = {
        "height": 260,
        "xaxis": {"type": "log", "title": {"text": "seconds, log scale"}, "dtick": 1},
        "yaxis": {"range": [0, 1.02], "tickformat": ".0%", "tickvals": [0, 0.25, 0.5, 0.75, 0.95]},
    }
    title = "Share of questions done within"
    return [{"title": title, "note": "", "label": title + ", by pipeline", "data": traces, "layout": layout}]


def _statuses(results: Results) -> list[Figure]:
    counted = view.status_counts(results)
    return _stack(
        "How questions ended", list(view.STATUSES), {name: dict(found) for name, found in counted.items()}
    )


def _routes(results: Results) -> list[Figure]:
    counted = view.route_counts(results)
    return _stack("Route taken", list(view.ROUTES), {name: dict(found) for name, found in counted.items()})


def _stack(title: str, parts: list[str], counted: dict[str, dict[str, int]]) -> list[Figure]:
    if not counted:
        return []
    names = list(reversed(counted))
    traces: list[Figure] = [
        {
            "type": "bar",
            "orientation": "h",
            "name": part,
            "y": names,
            "x": [counted[name].get(part, 0) for name in names],
            "hovertemplate": "%{y}: %{x} " + part + "<extra></extra>",
            "meta": {"roles": [part] * len(names)},
        }
        for part in parts
    ]
    layout = {
        "height": max(_LEAST, _BAR * len(names) + 48),
        "barmode": "stack",
        "bargap": 0.35,
        "xaxis": {"rangemode": "tozero", "nticks": 4},
        "yaxis": {"showgrid": False},
    }
    legend = [{"name": part, "role": part} for part in parts]
    label = f"{title}, by pipeline"
    return [
        {
            "title": title,
            "note": "questions",
            "label": label,
            "legend": legend,
            "data": traces,
            "layout": layout,
        }
    ]
