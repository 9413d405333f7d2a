"""Markdown tables laid out in columns, so that they are read like any other."""

from __future__ import annotations

import re
from collections.abc import Sequence

_ROW = re.compile(r"\s*\|.*\|\s*")
_RULE = re.compile(r"\s*\|(?:\s*:?-+:?\s*\|)+\s*")
_GAP = "    "


def lay_out_pipes(lines: Sequence[str]) -> list[str]:
    """Lines with every run of '| a | b |' rows set in aligned columns; as many lines as before, rules
    blank."""
    laid: list[str] = []
    run: list[str] = []
    for line in [*lines, ""]:
        if _ROW.fullmatch(line):
            run.append(line)
            continue
        laid += _aligned(run)
        run = []
        laid.append(line)
    return laid[:-1]


def _aligned(run: Sequence[str]) -> list[str]:
    rows = [[] if _RULE.fullmatch(line) else _cells(line) for line in run]
    count = max((len(row) for row in rows), default=0)
    widths = [max(len(row[k]) for row in rows if k < len(row)) for k in range(count)]
    return [
        _GAP.join(row[k].rjust(widths[k]) if k else row[k].ljust(widths[k]) for k in range(len(row)))
        for row in rows
    ]


def _cells(line: str) -> list[str]:
    return [cell.replace("**", "").strip() for cell in line.strip()[1:-1].split("|")]
