"""Merges and conflicts of the knowledge graph, as lines and as objects."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from agent.display.entity_report import fact_places
from tools.knowledge.graph.fusion import Conflict, Fused
from tools.knowledge.graph.merge_lines import MergedName, MergeLine


def merge_record(line: MergeLine) -> dict[str, Any]:
    """A merge, for --json."""
    return asdict(line)


def merge_text(line: MergeLine) -> str:
    """Two names, where they stand, and why they are one."""
    return f"{_name(line.one)} = {_name(line.other)}: {line.reason}"


def _name(name: MergedName) -> str:
    place = f"; {name.company}; {name.document}, p. {name.page}" if name.document else ""
    return f"{name.name} ({name.type}{place})"


def conflict_record(found: Conflict) -> dict[str, Any]:
    """A conflict, for --json."""
    newest = found.newest
    return {
        "kind": found.kind,
        "company": newest.company,
        "line_item": newest.head,
        "path": newest.path,
        "period": newest.period.describe(),
        "unit": newest.unit,
        "values": [
            {
                "value": value.fact.value,
                "scale": value.fact.scale,
                "printed": value.fact.tail,
                "sources": [{"document": t.document, "page": t.page} for t in value.sources],
            }
            for value in found.values
        ],
        "newest": newest.tail if found.kind == "restatement" else None,
    }


def conflict_lines(found: Conflict) -> list[str]:
    """A conflict: what it is about, then each value with its places."""
    newest = found.newest
    path = f" [{' > '.join(newest.path)}]" if newest.path else ""
    head = f"{found.kind}: {newest.company}, {newest.head}{path}, {newest.period.describe()}"
    return [head, *(f"  {_value(found, value)}" for value in found.values)]


def _value(found: Conflict, value: Fused) -> str:
    mark = " (newest)" if found.kind == "restatement" and value is found.values[-1] else ""
    return f"{value.fact.tail}{mark}  {fact_places(value.sources)}"
