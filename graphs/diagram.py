"""The README's picture of the state machine, drawn from the graph: `python -m graphs.diagram README.md`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, cast

from graphs.routed import build_routed

BLOCK = re.compile(r"```mermaid\n.*?```", re.DOTALL)


def state_machine() -> str:
    """The routed assistant as Mermaid, without LangGraph's styling, which a dark theme makes unreadable."""
    nothing = cast(Any, None)
    drawn = build_routed(nothing, nothing).get_graph()
    lines = ["flowchart LR"]
    for edge in drawn.edges:
        arrow = "-.->" if edge.conditional else "-->"
        lines.append(f"    {_node(edge.source)} {arrow} {_node(edge.target)}")
    return "\n".join(lines)


def _node(name: str) -> str:
    return {"__start__": "START([START])", "__end__": "END([END])"}.get(name, name)


def with_diagram(readme: str) -> str:
    """`readme` with its Mermaid block redrawn."""
    return BLOCK.sub(f"```mermaid\n{state_machine()}\n```", readme, count=1)


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(with_diagram(path.read_text(encoding="utf-8")), encoding="utf-8")
