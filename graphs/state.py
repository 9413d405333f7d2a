"""What the state machine carries between its steps, and what goes in and out."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, get_type_hints

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from graphs.contracts import Answer, Draft, Plan, Reading, Route, Usage, Verdict
from graphs.input_error import InputError
from tools.evidence import Evidence
from tools.periods import PeriodFilter
from tools.scope import Scope

DESCRIBED = ConfigDict(use_attribute_docstrings=True)
"""A server shows the text under a field as its description."""


class Span(TypedDict):
    """One run of one step: its seconds, what it spent on the model and what it has to say about that."""

    step: str
    start: float
    """Seconds since the turn began, waiting for the user left out."""
    end: float
    calls: NotRequired[int]
    """Model calls that got a reply."""
    input_tokens: NotRequired[int]
    output_tokens: NotRequired[int]
    notes: NotRequired[list[str]]
    """Fallbacks taken and evidence left out."""
    down: NotRequired[str]
    """Why the endpoint is not asked again this turn; '' while it may be."""


def this_turn(old: list[Span], new: list[Span]) -> list[Span]:
    """Reducer: collect the spans of one turn; its first step starts a new list."""
    return new if new and new[0]["step"] == "condense" else old + new


@with_config(DESCRIBED)
class InputState(TypedDict, total=False):
    """A chat turn: the last user message is the question."""

    messages: Annotated[list[AnyMessage], add_messages]
    """The user's and the assistant's turns, nothing else."""


@with_config(DESCRIBED)
class OutputState(TypedDict, total=False):
    """What people should see: the conversation, and the last answer with its route, citations and verdict."""

    messages: Annotated[list[AnyMessage], add_messages]
    """The user's and the assistant's turns, nothing else."""
    standalone_question: str
    """The question in hand as understood, follow-ups resolved."""
    route: Route
    """Which tools answer, and why."""
    verdict: Verdict
    """Each statement of the last draft, and its support."""
    answer: Answer
    """The checked answer with its citations and evidence."""
    usage: Usage
    """Model calls and tokens of this turn, by step; all zero with the local engine."""


@with_config(DESCRIBED)
class State(OutputState, total=False):
    """Everything the steps share during one turn."""

    question: str
    """The last user message, as typed."""
    waiting: list[str]
    """Questions that this turn asks, in its own words: each is put by itself after the whole turn, unless what was
    answered answers it."""
    passed: list[tuple[str, str]]
    """Those that were: in the turn's words, and as understood."""
    answered: list[Answer]
    """To the whole turn, and to each question that was put by itself; shown together."""
    generation: int
    """Number of the index generation this question reads from start to end."""
    user_scope: Scope
    """Filters the user set; never loosened."""
    reading: Reading
    """What the question says about itself."""
    scope: Scope
    """The filter both tools obey for the next retrieval."""
    lookups: Annotated[list[AnyMessage], add_messages]
    """Tool calls of this turn and their results; kept out of `messages`."""
    evidence: list[Evidence]
    """Merged, in prompt order: vector first, then graph."""
    draft: Draft
    """The answer before its check; never shown."""
    drafts: int
    """Drafts written this turn, at most three."""
    plan: Plan
    """What is looked up, and what kind of answer is asked for."""
    plans: int
    """Plans made this turn, at most three."""
    settled: bool
    """Nothing else is worth looking up."""
    widened: bool
    """The paper's fallback was taken."""
    revised: bool
    """The draft was sent back once."""
    gaps: list[str]
    """Tools that failed this turn, in words."""
    spans: Annotated[list[Span], this_turn]
    """Steps run so far in this turn."""
    turn_start: float
    """Second of the process's monotonic clock at which this turn began; later by what was waited for the user."""
    clock: str
    """Process whose clock `turn_start` is of; in another one it means nothing."""


@dataclass
class Context:
    """The knobs of one run. Every field has a default, so that a run without context works.

    Raises InputError for a value that does not fit.
    """

    route: Literal["auto", "extractive", "abstractive", "uncertain"] = field(
        default="auto", metadata={"description": "Override the router: which tools are asked."}
    )
    company: str | None = field(
        default=None, metadata={"description": "Only this company (name or ticker); never loosened."}
    )
    year: int | None = field(default=None, metadata={"description": "Only this fiscal or calendar year."})
    quarter: int | None = field(default=None, metadata={"description": "Only this quarter, 1 to 4."})
    doc_type: str | None = field(
        default=None, metadata={"description": "Only documents of this type: '10-K', 'call', ..."}
    )
    document: str | None = field(
        default=None, metadata={"description": "Only this document (file name, path or id)."}
    )
    top_k: int = field(default=8, metadata={"description": "Chunks that vector_search returns."})
    graph_k: int = field(default=12, metadata={"description": "Facts and relations that kg_search returns."})
    depth: int = field(default=1, metadata={"description": "Hops from a linked entity in the graph."})
    dense_weight: float = field(
        default=0.8, metadata={"description": "Share of dense similarity in the dense/keyword mix, 0 to 1."}
    )
    concept_weight: float = field(
        default=0.3,
        metadata={"description": "Share of concepts' definitions in what ontology_search looks for, 0 to 1."},
    )
    context_chars: int | None = field(
        default=None,
        metadata={
            "description": "Characters of evidence an answer is written from, at most; unset: as the engine and the "
            "kind of question ask for. The baselines take all."
        },
    )
    engine: Literal["auto", "local", "model"] = field(
        default="auto", metadata={"description": "Who does the language steps; auto: whom the settings name."}
    )
    clarify: bool = field(
        default=False,
        metadata={
            "description": "Ask back, once, when a question fits several companies or periods equally."
        },
    )
    suggest: bool = field(
        default=False, metadata={"description": "Name three next questions that the index can answer."}
    )
    kept_turns: int | None = field(
        default=None,
        metadata={"description": "Turns of the conversation kept in `messages`; unset: all of them."},
    )
    widen: bool = field(
        default=True, metadata={"description": "Ask both tools once more when one found nothing."}
    )
    deadline: float = field(
        default=60.0,
        metadata={"description": "Seconds after which no further draft or search is begun for a question."},
    )
    threshold: float = field(
        default=1.0, metadata={"description": "Faithfulness below which a draft is sent back, 0 to 1."}
    )

    def __post_init__(self) -> None:
        for name, kind in _kinds().items():
            value = getattr(self, name)
            try:
                setattr(self, name, kind.validate_python(value))
            except ValidationError as error:
                raise InputError(f"'{name}': {error.errors()[0]['msg']}, not {value!r}.") from error
        for name, (least, most) in BOUNDS.items():
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                raise InputError(f"'{name}' must be between {least} and {most}, not {value}.")


@cache
def _kinds() -> dict[str, TypeAdapter[Any]]:
    return {name: TypeAdapter(hint) for name, hint in get_type_hints(Context).items()}


BOUNDS: dict[str, tuple[float, float]] = {
    "year": (1900, 2099),
    "quarter": (1, 4),
    "top_k": (1, 50),
    "graph_k": (1, 200),
    "depth": (1, 3),
    "context_chars": (1000, 200_000),
    "dense_weight": (0, 1),
    "concept_weight": (0, 1),
    "deadline": (0, 86_400),
    "threshold": (0, 1),
    "kept_turns": (1, 10_000),
}
"""Least and most of each number of `Context`; the same as in `agent.settings`."""

STORED: tuple[type, ...] = (
    Answer,
    Draft,
    Evidence,
    PeriodFilter,
    Plan,
    Reading,
    Route,
    Scope,
    Usage,
    Verdict,
)
"""Types of the state that may be read back from a checkpoint, beside LangChain's messages and plain values."""
