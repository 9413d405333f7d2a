"""What the tools of the last lookup said, read from their messages."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from langchain_core.messages import AIMessage, ToolMessage

from graphs.contracts import ToolName
from graphs.state import State
from graphs.steps.tool_calls import SEARCH_TOOLS
from tools.evidence import Evidence

UNCOMPUTED = " not computed: "
"""Between what was to be computed and why it was not, in what `calculate` says."""


def last_results(state: State) -> list[ToolMessage]:
    """What the tools said of the last lookup, in call order."""
    before = takewhile(lambda message: isinstance(message, ToolMessage), reversed(state["lookups"]))
    return [message for message in before if isinstance(message, ToolMessage)][::-1]


def results_of(state: State, *tools: ToolName) -> list[list[Evidence]]:
    """Evidence of the last lookup, one list a tool call, in call order; failed calls yield an empty list. `tools`: of
    these, and not named, of the searches. Read back from a checkpoint, an artifact is plain data."""
    results = _results(state, tools or SEARCH_TOOLS)
    return [[Evidence.model_validate(item) for item in message.artifact or []] for message in results]


def questions_of(state: State) -> list[str]:
    """What each search of the last lookup asked, in the order of `results_of`."""
    last = next(message for message in reversed(state["lookups"]) if isinstance(message, AIMessage))
    asked = {call["id"]: str(call["args"]["question"]) for call in last.tool_calls}
    return [asked[message.tool_call_id] for message in _results(state, SEARCH_TOOLS)]


def _results(state: State, tools: Sequence[str]) -> list[ToolMessage]:
    return [message for message in last_results(state) if message.name in tools]
