"""The indexing graph: documents -> chunks -> (vector index, triplets -> knowledge graph). Wiring is last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from langgraph.channels import UntrackedValue
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from typing_extensions import TypedDict

from tools.documents.errors import DocumentError
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.types import TripletExtractor
from tools.store.errors import DEFAULT_HOME, StoreError
from tools.store.reading.model_broker import Models
from tools.store.reading.recipe import NO_MODELS, Recipe
from tools.store.runs.index_run import IndexingRun
from tools.vector.embeddings import Embedder, LocalEmbeddings


def first_error(old: str, new: str | None) -> str:
    """Reducer: either of the two indexes may fail; None forgets an earlier run."""
    return "" if new is None else old or new


class IndexingInput(TypedDict):
    """What to index."""

    paths: list[str]
    """Files and folders: .pdf, .htm, .html, .txt, .md."""


class IndexingOutput(TypedDict, total=False):
    """What became of it."""

    files: list[dict[str, Any]]
    """One a file: its path, state (`tools.store.reading.report.FileState`), reason and seconds."""
    index: dict[str, Any]
    """The index afterwards: generation, documents, chunks, triplets, digest."""
    usage: dict[str, Any]
    """Spent on model endpoints: calls, cached, input_tokens, output_tokens, cost."""
    error: Annotated[str, first_error]
    """Why the run ended early; '' if it did not."""


class IndexingState(IndexingInput, IndexingOutput, total=False):
    """What passes between the steps."""

    run: Annotated[IndexingRun | None, UntrackedValue(IndexingRun)]
    """The run in hand, with the writer's lock: never stored, and freed with the state."""


Step = Callable[[IndexingRun], dict[str, Any]]
Compiled = CompiledStateGraph[IndexingState, None, IndexingInput, IndexingOutput]


def plan(run: IndexingRun) -> dict[str, Any]:
    """Find and hash the files; see which were read before."""
    run.plan()
    return {"run": run, "files": [], "index": {}, "usage": {}, "error": None}


def read(run: IndexingRun) -> dict[str, Any]:
    """Documents to pages, tables, chunks, embeddings and triplets, in processes of their own."""
    run.read()
    run.begin()
    return {}


def build_vectors(run: IndexingRun) -> dict[str, Any]:
    """Chunks to the vector and keyword index."""
    run.build_vectors()
    return {}


def build_knowledge(run: IndexingRun) -> dict[str, Any]:
    """Triplets to the knowledge graph."""
    run.build_knowledge()
    return {}


def publish(run: IndexingRun) -> dict[str, Any]:
    """Switch readers to the new generation, and say what was done."""
    report = run.publish()
    run.close()
    files = [
        {"file": o.file, "state": o.state, "reason": o.reason, "seconds": o.seconds} for o in report.outcomes
    ]
    index = {
        name: getattr(report, name) for name in ("generation", "documents", "chunks", "triplets", "digest")
    }
    return {"files": files, "index": index, "usage": asdict(report.spent), "run": None}


def after_plan(state: IndexingState) -> Literal["read", "__end__"]:
    """Nothing to read where the paths lead nowhere or another process writes."""
    return "read" if state.get("run") is not None else "__end__"


def after_read(state: IndexingState) -> list[Literal["build_vectors", "build_knowledge", "publish"]]:
    """Both indexes side by side, if anything has changed."""
    run = state.get("run")
    return ["publish"] if run is None or run.number is None else ["build_vectors", "build_knowledge"]


def _step(step: Step) -> Callable[[IndexingState], dict[str, Any]]:
    """A node: once a step has failed, the later ones only let go of the run."""

    def node(state: IndexingState) -> dict[str, Any]:
        run = state.get("run")
        if state.get("error") or run is None:
            if run is not None:
                run.close()
            return {"error": state.get("error", "")}
        try:
            return step(run)
        except (StoreError, DocumentError) as error:
            return {"error": str(error)}

    return node


def build_indexing(
    home: Path = Path(DEFAULT_HOME),
    embedder_factory: Callable[..., Embedder] = LocalEmbeddings,
    extractor_factory: Callable[..., TripletExtractor] = LocalExtractor,
    models: Callable[[], Models] | None = None,
    why_not: Callable[[Path], str] = lambda _: "",
) -> Compiled:
    """Compile the graph over one home; it does what `tools.store.runs.index_run.index_paths` does, step by step.

    `models` gives the endpoints, asked for once a run: nothing is opened before. `why_not` says of a path why it
    may not be read, '' where it may; one such path ends the run before anything is looked at.
    """

    def start(state: IndexingState) -> dict[str, Any]:
        paths = state.get("paths")
        nothing: dict[str, Any] = {"run": None, "files": [], "index": {}, "usage": {}}
        if not isinstance(paths, list) or not paths or not all(isinstance(path, str) for path in paths):
            return {**nothing, "error": "No paths given. Set 'paths' to a list of files and folders."}
        refused = next(filter(None, map(why_not, map(Path, paths))), "")
        if refused:
            return {**nothing, "error": refused}
        run: IndexingRun | None = None
        try:
            run = IndexingRun(
                home,
                [Path(path) for path in paths],
                recipe=Recipe(embedder_factory, extractor_factory, models=models() if models else NO_MODELS),
            )
            return plan(run)
        except (StoreError, DocumentError) as error:
            if run is not None:
                run.close()
            return {**nothing, "error": str(error)}

    nodes: dict[str, Any] = {
        "plan": start,
        "read": _step(read),
        "build_vectors": _step(build_vectors),
        "build_knowledge": _step(build_knowledge),
        "publish": _step(publish),
    }
    graph = StateGraph(IndexingState, input_schema=IndexingInput, output_schema=IndexingOutput)
    for name, node in nodes.items():
        graph.add_node(name, node)

    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", after_plan, {"read": "read", "__end__": END})
    graph.add_conditional_edges(
        "read",
        after_read,
        {"build_vectors": "build_vectors", "build_knowledge": "build_knowledge", "publish": "publish"},
    )
    graph.add_edge(["build_vectors", "build_knowledge"], "publish")
    graph.add_edge("publish", END)
    return graph.compile(name="indexing")
