"""The language steps in one implementation, as the state machine is given them by `agent`."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass

from graphs.protocols import (
    Answerer,
    Clarifier,
    CompanyJudge,
    Condenser,
    FaithfulnessChecker,
    Guide,
    Planner,
    Ranker,
    Reader,
    Reranker,
    Suggester,
)
from tools.documents.metadata.catalog import Catalog


@dataclass(frozen=True, slots=True)
class Engine:
    """The language steps, in one implementation."""

    name: str
    """`local` or `model`."""
    condenser: Callable[[Catalog, Container[str]], Condenser]
    """Made for the index of each question, from its catalog and its known names: what companies, products and segments
    there are decides what a follow-up refers to."""
    reader: Reader
    planner: Planner
    answerer: Answerer
    checker: FaithfulnessChecker
    clarifier: Clarifier
    suggester: Suggester
    reranker: Reranker | None = None
    """Orders and filters the passages before the draft; None: they stay as `vector_search` ranks them."""
    ranker: Ranker | None = None
    """Orders what both tools found, where the first draft found no answer; None: the tools' own order stays."""
    judge: CompanyJudge | None = None
    """Decides of which companies something is true; None: the ranker's learned fit does."""
    guide: Guide | None = None
    """Speaks for the assistant and its index; None: what is asked about them is looked up in the documents."""
    window: Callable[[], int | None] = lambda: None
    """Tokens that prompt and reply may have together; None where nobody said or no model is asked."""
    prices: tuple[float, float] | None = None
    """USD per million input and output tokens, for the cost of an answer."""
    other: Engine | None = None
    """The engine of the other name, for a run that asks for it; None where there is none."""
