"""A page's lines of plain text with its tables cut out and their places marked.

Tables are found in layout text, where columns stay apart; prose is taken from plain text, where words do. A
plain line belongs to a table if its characters stand in the table's lines and not in the lines around it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tools.documents.structure.noise import Line
from tools.documents.types import Page, Table

_BLANKS = re.compile(r"[\s$®™©]+")


def _compact(text: str) -> str:
    """Characters alone: layout text splits and glues words that plain text does not, and moves currency and
    trade marks."""
    return _BLANKS.sub("", text)


def place_tables(page: Page, tables: Sequence[tuple[int, Table]]) -> list[Line]:
    """The page's lines in reading order; each table (given with its index) is one empty line that carries the
    index.

    A table keeps its place among the prose: where its first line stood, else where the lines before it end.
    """
    if not tables:
        return [Line(page.number, line.rstrip()) for line in page.text.split("\n")]
    ordered = sorted(tables, key=lambda item: (item[1].first_line, item[0]))
    if not page.layout:
        return _cut(page, page.text.split("\n"), ordered)
    layout = page.layout.split("\n")
    plain = page.text.split("\n")
    owners = _owners(plain, layout, ordered)
    lines: list[Line] = []
    placed: set[int] = set()
    for text, owner in zip(plain, owners, strict=True):
        if owner is None:
            lines.append(Line(page.number, text.rstrip()))
        elif owner not in placed:
            placed.add(owner)
            lines.append(Line(page.number, "", owner))
    for index, table in ordered:
        if index not in placed:
            lines.insert(_position(lines, layout, table), Line(page.number, "", index))
    return lines


def _cut(page: Page, lines: Sequence[str], tables: Sequence[tuple[int, Table]]) -> list[Line]:
    """Tables whose line range is in the plain text itself."""
    out: list[Line] = []
    done = 0
    for index, table in tables:
        out += [Line(page.number, line.rstrip()) for line in lines[done : table.first_line]]
        out.append(Line(page.number, "", index))
        done = max(done, table.last_line)
    return out + [Line(page.number, line.rstrip()) for line in lines[done:]]


def _owners(
    plain: Sequence[str], layout: Sequence[str], tables: Sequence[tuple[int, Table]]
) -> list[int | None]:
    """For each plain line the index of the table it belongs to, or None for prose.

    Lines that could be either (a year alone, a heading that is also a row label) go with the lines around
    them.
    """
    inside = {i for _, table in tables for i in range(table.first_line, table.last_line)}
    prose = "".join(_compact(line) for i, line in enumerate(layout) if i not in inside)
    bodies = {index: layout[table.first_line : table.last_line] for index, table in tables}
    joined = {index: "".join(map(_compact, body)) for index, body in bodies.items()}
    cells = {index: _cells(body) for index, body in bodies.items()}
    return _settle([_claim(line, prose, joined, cells) for line in plain], plain)


def _claim(
    line: str, prose: str, joined: Mapping[int, str], cells: Mapping[int, frozenset[str]]
) -> int | str | None:
    """The table a plain line belongs to, None for prose, 'either' or 'blank'.

    `prose` is the text outside all tables, `joined` and `cells` are each table's text and its words."""
    compact = _compact(line)
    if not compact:
        return "blank"
    owner = next((index for index, body in joined.items() if compact in body), None)
    if owner is not None:
        return "either" if compact in prose else owner
    tokens = [_compact(token) for token in line.split()]
    owner = next((i for i, found in cells.items() if all(t in found for t in tokens if t)), None)
    return None if owner is not None and compact in prose else owner


def _cells(lines: Sequence[str]) -> frozenset[str]:
    return frozenset(_compact(token) for line in lines for token in re.split(r"\s+", line) if token)


def _settle(sure: Sequence[int | str | None], plain: Sequence[str]) -> list[int | None]:
    """Give 'either' and 'blank' lines to the table whose lines stand on both sides, or to the one that
    follows a caption ('... were as follows (in millions):'), else to prose."""
    before: list[tuple[int | None, str]] = []
    last: tuple[int | None, str] = (None, "")
    for owner, line in zip(sure, plain, strict=True):
        if not isinstance(owner, str):
            last = (owner, line)
        before.append(last)
    after: list[int | None] = []
    following: int | None = None
    for owner in reversed(sure):
        if not isinstance(owner, str):
            following = owner
        after.append(following)
    after.reverse()
    settled: list[int | None] = []
    for owner, (above, line), below in zip(sure, before, after, strict=True):
        if not isinstance(owner, str):
            settled.append(owner)
        elif above == below or (above is None and re.search(r"[:)]\s*$", line)):
            settled.append(below)
        else:
            settled.append(None)
    return settled


def _position(lines: Sequence[Line], layout: Sequence[str], table: Table) -> int:
    """Where a table belongs none of whose lines was recognised: after the last line that stands above it."""
    above = "".join(_compact(line) for line in layout[: table.first_line])
    position = 0
    for i, line in enumerate(lines):
        compact = _compact(line.text)
        if len(compact) > 20 and compact in above:
            position = i + 1
    return position
