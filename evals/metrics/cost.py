"""What a question cost: time, tool calls, context and model tokens, as measured in each row."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from evals.datasets.types import Item
from evals.metrics.types import Metric, not_applicable
from evals.rows import Row, Score
from tools.model.tokens import estimate_tokens


def seconds(item: Item, row: Row) -> Score:
    """Wall-clock seconds from question to answer; a failure's, too, where they were taken."""
    total = row.seconds.get("total")
    return not_applicable("not timed") if total is None else Score(value=total, reason=f"{total:.3f} s")


def tool_calls(row: Row) -> int:
    """Searches of the vector index and the knowledge graph."""
    return row.tool_calls


def context_chars(row: Row) -> int:
    """Characters of all contexts."""
    return row.context_chars


def context_tokens(row: Row) -> int:
    """Tokens of all contexts, estimated without a model's tokenizer (`tools.model.tokens`), for either engine."""
    return sum(_tokens(context.text) for context in row.contexts)


def model_tokens(row: Row) -> int:
    """Input and output tokens that the model's endpoint reported; 0 with the local engine."""
    return row.usage.input_tokens + row.usage.output_tokens


@lru_cache(maxsize=32_768)
def _tokens(text: str) -> int:
    return estimate_tokens(text)


def _counted(count: Callable[[Row], int], unit: str) -> Callable[[Item, Row], Score]:
    """A failed row has no score: how much it had spent is not known, and 0 would make failing look cheap."""

    def score(item: Item, row: Row) -> Score:
        if row.status == "failed":
            return not_applicable("failed: what it had spent is not known")
        return Score(value=count(row), reason=f"{count(row):,} {unit}")

    return score


COST = (
    Metric("seconds", "Seconds", "cost", seconds, "lower", "seconds"),
    Metric("tool_calls", "Tool calls", "cost", _counted(tool_calls, "calls"), "lower", "calls"),
    Metric("context_chars", "Context", "cost", _counted(context_chars, "characters"), "lower", "characters"),
    Metric(
        "context_tokens", "Context, estimated", "cost", _counted(context_tokens, "tokens"), "lower", "tokens"
    ),
    Metric("model_tokens", "Model tokens", "cost", _counted(model_tokens, "tokens"), "lower", "tokens"),
)
