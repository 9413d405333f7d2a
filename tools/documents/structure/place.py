"""A page's lines with its tables cut out and their places marked."""

from __future__ import annotations

from collections.abc import Sequence

from tools.documents.structure.noise import Line
from tools.documents.types import Page, Table


def place_tables(page: Page, tables: Sequence[tuple[int, Table]]) -> list[Line]:
    """The page's lines in reading order; each table (given with its index) is one empty line that carries the
    index.

    A page's text and layout have the same lines, so that a table's range of lines holds in both.
    """
    lines = page.text.split("\n")
    out: list[Line] = []
    done = 0
    for index, table in sorted(tables, key=lambda item: (item[1].first_line, item[0])):
        out += [Line(page.number, line.rstrip()) for line in lines[done : table.first_line]]
        out.append(Line(page.number, "", index))
        done = max(done, table.last_line)
    return out + [Line(page.number, line.rstrip()) for line in lines[done:]]
