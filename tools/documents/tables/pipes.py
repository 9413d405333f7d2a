"""Markdown tables laid out in columns, so that they are read like any other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tools.documents.text.grid import lay_out_rows

_ROW = re.compile(r"\s*\|.*\|\s*")
_RULE = re.compile(r"\s*\|(?:\s*:?-+:?\s*\|)+\s*")


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
    return lay_out_rows([[] if _RULE.fullmatch(line) else _cells(line) for line in run])


def _cells(line: str) -> list[str]:
    return [cell.replace("**", "").strip() for cell in line.strip()[1:-1].split("|")]
