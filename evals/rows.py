"""One question answered by one pipeline, and its scores."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from graphs.contracts import Citation, Statement, StepUsage


class RetrievedContext(BaseModel):
    """A piece of evidence the answer was written from, in prompt order."""

    model_config = ConfigDict(frozen=True)

    text: str
    source: Literal["vector", "graph"]
    document: str
    page: int
    kind: str = ""
    score: float = 0.0


class Score(BaseModel):
    """What one metric says of one row."""

    model_config = ConfigDict(frozen=True)

    value: float | None
    """None: the metric does not apply to this row, or its judge failed (`failed`); never counted as 0."""
    reason: str
    """In a few words: what was found of what, or why there is no score."""
    failed: bool = False
    """A judge that gave no usable verdict; counted apart."""


class Row(BaseModel):
    """Everything kept of one question and one pipeline; a failure is a row with its error."""

    model_config = ConfigDict(frozen=True)

    pipeline: str
    """'agent', 'vector', 'graph', 'hybrid', 'ontology', or one of these '@paper'; 'none'."""
    id: str
    """`Item.id`."""
    question: str
    status: Literal["answered", "partial", "abstained", "failed"]
    error: str = ""
    """Type and message of what failed; '' otherwise."""
    reason: str | None = None
    answer: str = ""
    """Text with [n] markers; n is the position in `contexts`, from 1."""
    route: str | None = None
    """Kind of route taken."""
    tools: tuple[str, ...] = ()
    widened: bool = False
    contexts: tuple[RetrievedContext, ...] = ()
    citations: tuple[Citation, ...] = ()
    statements: tuple[Statement, ...] = ()
    """Of the last verdict; empty for the baselines."""
    faithfulness: float | None = None
    """The assistant's own, before it was shown."""
    gaps: tuple[str, ...] = ()
    """As `Answer.gaps`: among them why a model's words were not used."""
    engine: str = "local"
    usage: StepUsage = StepUsage()
    replies: tuple[str, ...] = ()
    """Keys of the model's replies in the run's recording, in order; empty where nothing was recorded."""
    tool_calls: int = 0
    seconds: dict[str, float] = Field(default_factory=dict)
    """As `Answer.seconds`."""
    scores: dict[str, Score] = Field(default_factory=dict)
    """By `Metric.name`."""

    @property
    def context_chars(self) -> int:
        """Characters of all contexts."""
        return sum(len(context.text) for context in self.contexts)


class Summary(BaseModel):
    """A metric over the rows of one pipeline."""

    model_config = ConfigDict(frozen=True)

    mean: float | None
    """None where no row was scored."""
    low: float | None = None
    high: float | None = None
    """95 % percentile bootstrap interval of the mean over questions."""
    scored: int
    not_applicable: int
    failed: int
    """Judge failures."""
