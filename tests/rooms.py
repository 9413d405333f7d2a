"""The README's picture of the rooms, drawn from the imports: `python -m tests.rooms README.md` draws it anew.

It stands here, beside the walker that the test of the structure uses: it reads the source and is no part of it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

import networkx as nx

from tests.imports import ROOMS, arrows, modules

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- rooms: python -m tests.rooms README.md -->", "<!-- end of rooms -->"
BLOCK = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)


def picture(root: Path = ROOT) -> str:
    """Top rooms and the folders in them, as Mermaid. An arrow says that something in one room imports something in the
    other; one that others imply is left out, and so are files that lie in no folder of a top room."""
    folders = [name for name, path in modules(root).items() if path.name == "__init__.py"]
    found = arrows(root)
    lines = ["flowchart TB"]
    for top in reversed(ROOMS):
        own = [name for name in folders if name.startswith(f"{top}.") and name.count(".") == 1]
        if not own:
            lines.append(f"    {top}")
            continue
        lines += [f"    subgraph {top}", "        direction TB"]
        lines += [f"        {_id(name)}[{name.partition('.')[2]}]" for name in own]
        within = {(_room(a, 2), _room(b, 2)) for a, b in found}
        drawn = _needed(pair for pair in within if set(pair) <= set(own))
        lines += [f"        {_id(a)} --> {_id(b)}" for a, b in drawn]
        lines.append("    end")
    lines += [f"    {a} --> {b}" for a, b in _needed((_room(a, 1), _room(b, 1)) for a, b in found)]
    return "\n".join(lines)


def _room(module: str, depth: int) -> str:
    return ".".join(module.split(".")[:depth])


def _id(room: str) -> str:
    return room.replace(".", "_")


def _needed(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The arrows that no chain of others implies, in order. A circle implies nothing."""
    graph: nx.DiGraph[str] = nx.DiGraph((a, b) for a, b in pairs if a != b)
    reached = {room: nx.descendants(graph, room) for room in graph}
    return sorted(
        (a, b)
        for a, b in graph.edges
        if not any(
            b in reached[c] and a not in reached[c] and c not in reached[b] for c in graph.successors(a)
        )
    )


def with_picture(readme: str) -> str:
    """`readme` with what stands between the marks drawn anew."""
    block = f"{BEGIN}\n```mermaid\n{picture()}\n```\n{END}"
    return BLOCK.sub(lambda _: block, readme, count=1)


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(with_picture(path.read_text(encoding="utf-8")), encoding="utf-8")
