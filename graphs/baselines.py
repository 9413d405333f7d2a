"""vector_rag, graph_rag and hybrid_rag: fixed tools, one draft, no check (Sarmah et al. 2024, 4.2 to 4.4); and
ontology_rag, which navigates by concepts (Kopaneva 2025)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langgraph.graph import END, START, StateGraph

from graphs.compiling import Builder, Compiled, compile_graph
from graphs.contracts import Plan, ToolName
from graphs.engine import Engine
from graphs.index import Shelf
from graphs.routed import RECURSION_LIMIT, with_engine
from graphs.state import Context, InputState, OutputState, State
from graphs.steps.answer import answer
from graphs.steps.condense import condense
from graphs.steps.generate import generate
from graphs.steps.merge import merge
from graphs.steps.plan import fixed_route, read_and_call
from graphs.steps.retrieve import make_retrieve
from graphs.steps.timing import timed

PIPELINES: dict[str, tuple[ToolName, ...]] = {
    "vector": ("vector_search",),
    "graph": ("kg_search",),
    "hybrid": ("vector_search", "kg_search"),
    "ontology": ("ontology_search",),
}


def build_baseline(
    pipeline: str, shelf: Shelf, engine: Engine, checkpointer: Any = None, context: type[Context] = Context
) -> Compiled:
    """Compile one of `PIPELINES`. The answer's verdict stays empty: a baseline is not checked. `context`: as for
    `build_routed`."""
    tools = PIPELINES[pipeline]

    def call(state: State, knobs: Context) -> dict[str, Any]:
        return read_and_call(
            state, knobs, shelf, engine, lambda *_: Plan(route=fixed_route(tools, "fixed by the pipeline"))
        )

    nodes: dict[str, Callable[[State, Context], dict[str, Any]]] = {
        "condense": with_engine(condense, engine, shelf=shelf),
        "plan": call,
        "merge": with_engine(merge, engine, whole=True),
        "generate": with_engine(generate, engine),
        "answer": with_engine(answer, engine, shelf=shelf, pipeline=pipeline),
    }
    graph: Builder = StateGraph(
        State, context_schema=context, input_schema=InputState, output_schema=OutputState
    )
    for name, node in nodes.items():
        graph.add_node(name, timed(name, node))
    graph.add_node("retrieve", make_retrieve(shelf, engine, plain=True))

    graph.add_edge(START, "condense")
    graph.add_edge("condense", "plan")
    graph.add_edge("plan", "retrieve")
    graph.add_edge("retrieve", "merge")
    graph.add_edge("merge", "generate")
    graph.add_edge("generate", "answer")
    graph.add_edge("answer", END)
    name = f"{pipeline}_rag"
    return compile_graph(graph, name=name, checkpointer=checkpointer, recursion_limit=RECURSION_LIMIT)
