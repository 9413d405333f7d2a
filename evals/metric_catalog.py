"""Metrics by name, for whatever prints their values: title, direction, unit, and how a value is printed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from evals.metrics.types import Metric

Better = Literal["higher", "lower"]
_AT_K = re.compile(r"(precision|recall|f1)_at_(\d+)")
_JUDGED = {
    "judged_faithfulness": "Faithfulness, judged",
    "judged_answer_relevancy": "Answer relevancy, judged",
    "judged_context_precision": "Context precision, judged",
    "judged_context_recall": "Context recall, judged",
}
TABLE_5 = (
    "judged_faithfulness",
    "local_faithfulness",
    "judged_answer_relevancy",
    "semantic_similarity",
    "judged_context_precision",
    "context_precision",
    "judged_context_recall",
    "context_recall",
)
"""The four of the paper's Table 5 (Sarmah et al. 2024), each judged and as measured without a model."""
COST = ("seconds", "tool_calls", "context_chars", "context_tokens", "model_tokens")


@dataclass(frozen=True, slots=True)
class Known:
    """How a metric is shown."""

    name: str
    title: str
    better: Better
    unit: str
    """As `Metric.unit`."""
    place: int
    """Order in the report."""

    @property
    def note(self) -> str:
        """Unit, where the title does not say it, and direction."""
        words = [self.unit] if self.unit and self.unit not in self.title.lower() else []
        return ", ".join([*words, *(["less is better"] if self.better == "lower" else [])])

    def text(self, value: float | None) -> str:
        """The value as the report prints it, without its unit; 'n/a' for none."""
        return number(value, self.unit)


def known(names: Iterable[str]) -> tuple[Known, ...]:
    """These metrics in report order, each once; one that this version has no word for is shown by its name."""
    found = {name: metric(name) for name in names}
    return tuple(sorted(found.values(), key=lambda one: (one.place, one.name)))


def metric(name: str) -> Known:
    """One metric."""
    defined = _defined()
    if name in defined:
        one = defined[name]
        return Known(name, one.title, one.better, one.unit, list(defined).index(name))
    if name in _JUDGED:
        return Known(name, _JUDGED[name], "higher", "", 2000 + list(_JUDGED).index(name))
    return Known(name, name.replace("_", " ").capitalize(), "higher", "", 1000)


def at_k(name: str) -> tuple[str, int] | None:
    """('precision', 4) of 'precision_at_4'; None for another metric."""
    match = _AT_K.fullmatch(name)
    return (match[1], int(match[2])) if match else None


def number(value: float | None, unit: str) -> str:
    """A value of that unit: shares to three places, seconds to three figures, counts whole and grouped."""
    if value is None:
        return "n/a"
    if unit == "seconds":
        return seconds(value)
    if unit == "calls":
        return f"{value:.2f}"
    if unit:
        return f"{value:,.0f}"
    return f"{value:.3f}"


def signed(value: float, unit: str) -> str:
    """A difference, with its sign (a true minus)."""
    text = number(abs(value), unit)
    if not any(digit in text for digit in "123456789"):
        return text
    return ("+" if value > 0 else "\u2212") + text


def seconds(value: float) -> str:
    """Seconds, with as many places as mean something."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def short(commit: str | None) -> str:
    """A commit as people write it, '-dirty' kept."""
    name, _, dirty = (commit or "unknown").partition("-")
    return name[:12] + (f"-{dirty}" if dirty else "")


@cache
def _defined() -> dict[str, Metric]:
    from evals.metrics.all_metrics import metrics_for  # metrics bring their libraries

    return {one.name: one for one in metrics_for(None)}
