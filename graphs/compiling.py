"""Compiled graphs whose copies still know which types of the state may be read back from a checkpoint."""

from __future__ import annotations

from typing import Any, Self

from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph

from graphs.state import Context, InputState, OutputState, State

Builder = StateGraph[State, Context, InputState, OutputState]


class Compiled(CompiledStateGraph[State, Context, InputState, OutputState]):
    """With LANGGRAPH_STRICT_MSGPACK, LangGraph collects the types of the state when it compiles, and reads
    no others back. Its `copy` (of `with_config`, and of the server before each run) forgets them (1.2.22):
    from a thread's second turn on, typed values would come back as plain dictionaries."""

    def copy(self, update: dict[str, Any] | None = None) -> Self:
        """As LangGraph's, with the types."""
        copied = super().copy(update)
        copied._serde_allowlist = self._serde_allowlist
        return copied


def compile_graph(graph: Builder, *, name: str, checkpointer: Any, recursion_limit: int) -> Compiled:
    """Compile a question's graph; a LangGraph server brings its own checkpointer."""
    plain = graph.compile(checkpointer=checkpointer, name=name)
    attributes = {key: value for key, value in vars(plain).items() if key != "__orig_class__"}
    compiled = Compiled(**attributes)
    compiled._serde_allowlist = plain._serde_allowlist
    return compiled.with_config(recursion_limit=recursion_limit)
