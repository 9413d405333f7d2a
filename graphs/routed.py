"""The assistant: plan, retrieve, merge, generate, check, answer. The last lines are the diagram."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from graphs.compiling import Builder, Compiled, compile_graph
from graphs.engine import Engine
from graphs.index import Shelf
from graphs.input_error import InputError
from graphs.state import Context, InputState, OutputState, State
from graphs.steps.answer import after_answer, answer
from graphs.steps.check import after_check, check
from graphs.steps.condense import condense
from graphs.steps.generate import generate, revise
from graphs.steps.merge import merge
from graphs.steps.plan import after_plan, plan
from graphs.steps.retrieve import after_retrieve, make_retrieve
from graphs.steps.timing import timed

RECURSION_LIMIT = 110
"""Steps a turn; the longest way through the diagram is 21 a question, of which a turn puts five at most."""


def with_engine(
    step: Callable[..., dict[str, Any]], engine: Engine, **given: Any
) -> Callable[[State, Context], dict[str, Any]]:
    """A node that does `step` with the engine that its run asks for; InputError where there is none of that name."""

    def node(state: State, context: Context) -> dict[str, Any]:
        asked = engine if context.engine in ("auto", engine.name) else engine.other
        if asked is None:
            raise InputError(
                f"No engine '{context.engine}' here: set HYBRIDRAG_LLM_BASE_URL and HYBRIDRAG_LLM_MODEL, or a key."
            )
        return step(state, context, engine=asked, **given)

    return node


def build_routed(
    shelf: Shelf, engine: Engine, checkpointer: Any = None, context: type[Context] = Context
) -> Compiled:
    """Compile the assistant over `shelf` and `engine`; a LangGraph server brings its own checkpointer.

    `context`: a `Context` with other defaults, for a server that fills them in.
    """

    def found(state: State, runtime: Runtime[Context]) -> Literal["merge", "plan"]:
        return after_retrieve(state, runtime.context or Context())

    def checked(state: State, runtime: Runtime[Context]) -> Literal["answer", "revise", "plan"]:
        return after_check(state, runtime.context or Context())

    nodes: dict[str, Callable[[State, Context], dict[str, Any]]] = {
        "condense": with_engine(condense, engine, shelf=shelf, apart=True),
        "plan": with_engine(plan, engine, shelf=shelf),
        "merge": with_engine(merge, engine),
        "generate": with_engine(generate, engine),
        "check": with_engine(check, engine),
        "revise": with_engine(revise, engine),
        "answer": with_engine(answer, engine, shelf=shelf, pipeline="agent"),
    }
    graph: Builder = StateGraph(
        State, context_schema=context, input_schema=InputState, output_schema=OutputState
    )
    for name, node in nodes.items():
        graph.add_node(name, timed(name, node))
    graph.add_node("retrieve", make_retrieve(shelf, engine))

    graph.add_edge(START, "condense")
    graph.add_edge("condense", "plan")
    graph.add_conditional_edges("plan", after_plan, {"retrieve": "retrieve", "check": "check"})
    graph.add_conditional_edges("retrieve", found, {"merge": "merge", "plan": "plan"})
    graph.add_edge("merge", "generate")
    graph.add_edge("generate", "check")
    graph.add_conditional_edges("check", checked, {"answer": "answer", "revise": "revise", "plan": "plan"})
    graph.add_edge("revise", "check")
    graph.add_conditional_edges("answer", after_answer, {"plan": "plan", "end": END})
    return compile_graph(graph, name="assistant", checkpointer=checkpointer, recursion_limit=RECURSION_LIMIT)
