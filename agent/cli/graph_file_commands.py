"""The knowledge graph as a file: a page to look at, and what other programs read."""

from __future__ import annotations

import argparse
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile

from agent.assistant import Assistant
from agent.cli.new_file import new_file, refuse_existing
from agent.display.screen import Screen
from agent.errors import UsageError

if TYPE_CHECKING:
    from tools.knowledge.graph.knowledge_graph import KnowledgeGraph

MAX_NAME = 60
"""Characters of a file name that is made of an entity's."""
NODES, EDGES = "nodes.csv", "edges.csv"


def view(args: argparse.Namespace, screen: Screen) -> int:
    """Write a page that draws an entity's neighbourhood, or all relations of the graph."""
    from agent.cli.graph_commands import scope_of
    from agent.pictures.picture import picture
    from agent.pictures.picture_page import page, told

    if args.entity is None and args.depth is not None:
        raise UsageError("--depth says how far to go from an entity: name one.")
    with Assistant.open(args.home) as assistant:
        opened = assistant.current()
        scope = scope_of(args, opened)
        entities = opened.graph.find_entity(args.entity, scope, best=True) if args.entity is not None else []
        if args.entity is not None and not entities:
            raise UsageError(f"No entity '{args.entity}' in the knowledge graph (within the filters given).")
        path = args.out or Path(f"{_slug(entities[0].name if entities else 'graph')}.html")
        if path.suffix.lower() not in (".html", ".htm"):
            raise UsageError(f"'{path}' must end in .html: it is a page for a browser.")
        refuse_existing(path, force=args.force)
        made = picture(opened.graph, opened.generation.concepts, entities, scope, args.depth or 1)
    if not made.facts:
        raise UsageError("The knowledge graph has nothing to draw (within the filters given).")
    with new_file(path, force=args.force) as file:
        file.write(page(made))
    counts = {"nodes": len(made.nodes), "edges": len(made.edges), "facts": len(made.facts)}
    left_out = {"facts_left_out": made.hidden, "figures_left_out": made.figures}
    screen.json({"file": str(path), **counts, "concepts": made.concepts, **left_out})
    screen.line(f"wrote {path}")
    for line in told(made):
        screen.line(f"  {line}")
    return 0


def _slug(name: str) -> str:
    """A file name of letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:MAX_NAME].strip("-") or "graph"


def export(args: argparse.Namespace, screen: Screen) -> int:
    """Write the graph as its file's ending says."""
    path = Path(args.file)
    kind = "folder" if not path.suffix or path.is_dir() else path.suffix.lower()
    if kind not in (".graphml", ".jsonld", ".csv", ".zip", "folder"):
        raise UsageError(
            f"'{path}' must end in .graphml, .jsonld, .csv (two files) or .zip (of both), or name a folder for them."
        )
    with Assistant.open(args.home) as assistant:
        knowledge = assistant.current().graph
    written = _export(knowledge, path, kind, args.force)
    for file in written:
        screen.json({"file": str(file), "nodes": len(knowledge.entities), "triplets": len(knowledge)})
    names = " and ".join(map(str, written))
    screen.line(f"wrote {names} ({len(knowledge.entities):,} nodes, {len(knowledge):,} triplets)")
    return 0


def _export(graph: KnowledgeGraph, path: Path, kind: str, force: bool) -> list[Path]:
    from tools.knowledge.graph import graph_files

    if kind in (".csv", "folder"):
        files = [path / NODES, path / EDGES]
        if kind == ".csv":
            files = [path.with_name(f"{path.stem}-{name}") for name in (NODES, EDGES)]
        refuse_existing(*files, force=force)
        if kind == "folder":
            _make_folder(path)
        for file, write in zip(files, (graph_files.write_nodes, graph_files.write_edges), strict=True):
            with new_file(file, force=force) as opened:
                write(graph, opened)
        return files
    with new_file(path, force=force) as opened:
        if kind == ".graphml":
            graph_files.write_graphml(graph, opened)
        elif kind == ".jsonld":
            graph_files.write_jsonld(graph, opened)
        else:
            with ZipFile(opened, "w", ZIP_DEFLATED) as packed:
                with packed.open(NODES, "w", force_zip64=True) as part:
                    graph_files.write_nodes(graph, part)
                with packed.open(EDGES, "w", force_zip64=True) as part:
                    graph_files.write_edges(graph, part)
    return [path]


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise UsageError(f"Can't write '{folder}': {error.strerror or error}") from error
