"""How an answer and an index look on a terminal, at any width: nothing that matters is cut off."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.markdown import Markdown
from rich.padding import Padding
from rich.segment import Segment
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from agent.display.document_report import (
    EARLIER,
    flag_words,
    left_out_words,
    period_words,
    reading_words,
    warning_lines,
)
from agent.display.entity_report import EntityReport, detail_lines, entity_head
from agent.display.printable import shown
from agent.display.reading_order import numbered
from agent.display.render import (
    chat_footer,
    document_row,
    footer,
    limited_to,
    nearest_lines,
    shorten,
    tools_asked,
)
from graphs.contracts import Answer
from tools.documents.read.reading_counts import STATEMENTS
from tools.documents.types import Document

STATUS_STYLE = {"answered": "bold green", "partial": "bold yellow", "abstained": "bold magenta"}
MIN_CITATION_TABLE_COLUMNS = 60
"""Columns below which citations are a list."""
MIN_DOCUMENT_TABLE_COLUMNS = 110
"""Columns from which documents are a table."""
ROW = re.compile(r"^\s*\|(.*)\|\s*$")


@dataclass(frozen=True, slots=True)
class ByWidth:
    """A renderable made for the columns that there are."""

    make: Callable[[int], RenderableType]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.make(options.max_width)


class SafeConsole(Console):
    """A console on which nothing that is shown can act: control characters in a text are printed as escapes."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """See rich."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=shown(segment.text))


def answer_view(answer: Answer) -> RenderableType:
    """Route and why, the answer, its citations as a table, faithfulness and seconds."""
    return ByWidth(lambda width: _answer(answer, width))


def _answer(answer: Answer, width: int) -> RenderableType:
    route = answer.route
    head = Text.assemble(
        (answer.status, STATUS_STYLE[answer.status]),
        (f"  {route.kind}", "bold"),
        f" -> {tools_asked(route)}",
        (f"  ({route.reason})", "dim"),
    )
    return Group(head, "", *_body(answer, width), Text(footer(answer), style="dim"))


def turn_view(answer: Answer) -> RenderableType:
    """In a chat: the answer, its citations, then one line with status, route, faithfulness and seconds."""
    style = "dim" if answer.status == "answered" else STATUS_STYLE[answer.status]
    told = Text(chat_footer(answer), style="dim")
    told.stylize(style, 0, len(answer.status))
    return ByWidth(lambda width: Group("", *_body(answer, width), told))


def _body(answer: Answer, width: int) -> list[RenderableType]:
    answer = numbered(answer)
    text = Markdown(fit_tables(answer.answer, width), hyperlinks=False)
    parts: list[RenderableType] = [Padding(text, (0, 0, 1, 0))]
    if answer.citations:
        parts.append(Padding(_citations(answer, width), (0, 0, 1, 0)))
    if answer.nearest:
        parts.append(
            Padding(Group(*(Text(line, style="dim") for line in nearest_lines(answer))), (0, 0, 1, 0))
        )
    return [*parts, *(Text(line, style="dim") for line in limited_to(answer))]


def _citations(answer: Answer, width: int) -> RenderableType:
    if width < MIN_CITATION_TABLE_COLUMNS:
        return Group(
            *(
                Text.assemble(
                    f"[{c.marker}] {c.document}, {c.where} ({c.source}): ", (shorten(c.quote), "dim")
                )
                for c in answer.citations
            )
        )
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("", "document", "page", "from", "quote"):
        table.add_column(column, overflow="fold", justify="right" if column == "page" else "left")
    table.columns[0].no_wrap = table.columns[2].no_wrap = table.columns[3].no_wrap = True
    table.columns[1].max_width = width // 3
    for c in answer.citations:
        table.add_row(
            Text(f"[{c.marker}]"),
            Text(c.document),
            Text(c.place or str(c.page)),
            c.source,
            Text(shorten(c.quote)),
        )
    return table


def fit_tables(markdown: str, width: int) -> str:
    """Markdown whose tables fit `width`: where a word of a cell would be cut, each row becomes a list item."""
    blocks: list[str] = []
    for is_row, lines in groupby(markdown.split("\n"), key=lambda line: ROW.match(line) is not None):
        block = list(lines)
        blocks += _listed(block) if is_row and _least_width(block) > width else block
    return "\n".join(blocks)


def _cells(row: str) -> list[str]:
    found = ROW.match(row)
    return [cell.strip() for cell in found[1].split("|")] if found else []


def _is_rule(row: str) -> bool:
    return all(re.fullmatch(r":?-+:?", cell) for cell in _cells(row))


def _least_width(rows: Sequence[str]) -> int:
    """Columns at which no word is cut: Rich makes the columns of a tight table about equally wide."""
    cells = [_cells(row) for row in rows if not _is_rule(row)]
    longest = max((len(word) for row in cells for cell in row for word in cell.split()), default=0)
    return max(map(len, cells)) * (longest + 3)


def _listed(rows: Sequence[str]) -> list[str]:
    head, *body = [_cells(row) for row in rows if not _is_rule(row)]
    return [
        "- " + ", ".join(f"{name}: {cell}" if name else cell for name, cell in zip(head, row, strict=False))
        for row in body
    ]


def trail(steps: Sequence[str], encoding: str) -> RenderableType:
    """Steps taken, and the one in hand with something that moves."""
    *past, now = steps
    moving = Spinner("dots" if encoding.startswith("utf") else "line", text=Text(now))
    return Group(*(Padding(Text(step, style="dim"), (0, 0, 0, 2)) for step in past), moving)


def documents_view(documents: Sequence[Document]) -> RenderableType:
    """What is indexed: a table where it fits, else two lines a document."""
    return ByWidth(
        lambda width: (
            _documents_table(documents) if width >= MIN_DOCUMENT_TABLE_COLUMNS else _documents_list(documents)
        )
    )


def _documents_table(documents: Sequence[Document]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("id", "company", "ticker", "type", "fiscal", "period end", "pages", "file"):
        table.add_column(column, justify="right" if column == "pages" else "left", overflow="fold")
    for d in documents:
        table.add_row(*map(Text, document_row(d)))
    return table


def _documents_list(documents: Sequence[Document]) -> RenderableType:
    lines: list[Text] = []
    for id_, company, ticker, doc_type, fiscal, end, pages, path in map(document_row, documents):
        what = [
            f"{company} ({ticker})" if ticker else company,
            doc_type,
            fiscal,
            end and f"period ended {end}",
        ]
        told = ", ".join(filter(None, [*what, f"{pages} pages"]))
        lines += [Text.assemble((id_, "bold"), f"  {path}"), Text(told, style="dim"), Text("")]
    return Group(*lines[:-1])


def details_view(told: Sequence[tuple[Document, Mapping[str, Any]]]) -> RenderableType:
    """What reading each document found: a table where it fits, else some lines a document; warnings below."""
    warnings = [Text(line, style="yellow") for d, _ in told for line in warning_lines(d.path, d)]
    return ByWidth(
        lambda width: Group(
            _details_table(told) if width >= MIN_DOCUMENT_TABLE_COLUMNS else _details_list(told), *warnings
        )
    )


def _details_table(told: Sequence[tuple[Document, Mapping[str, Any]]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    counted = ("pages", "tables", "facts", "no period")
    for column in ("file", "form", "company", "period", *counted, "statements", "left out and flags"):
        table.add_column(column, justify="right" if column in counted else "left", overflow="fold")
    for d, flags in told:
        c = d.reading
        counts = [f"{n:,}" for n in (c.tables, c.facts, c.facts_without_period)] if c else ["", "", ""]
        statements = ", ".join(STATEMENTS.get(name, name) for name in c.statements) if c else EARLIER
        more = "; ".join((*(c.notes if c else ()), *left_out_words(d), *flag_words(flags)))
        row = (d.path, d.doc_type, d.company, period_words(d), str(d.pages), *counts, statements, more)
        table.add_row(*map(Text, row))
    return table


def _details_list(told: Sequence[tuple[Document, Mapping[str, Any]]]) -> RenderableType:
    lines: list[Text] = []
    for d, flags in told:
        more = "; ".join((reading_words(d), *flag_words(flags)))
        lines += [Text.assemble((d.id[:8], "bold"), f"  {d.path}"), Text(more, style="dim"), Text("")]
    return Group(*lines)


def entity_view(report: EntityReport) -> RenderableType:
    """An entity and its facts, wrapped at words below their indent."""
    lines: list[RenderableType] = [Text(entity_head(report.entity), style="bold")]
    for words, place in detail_lines(report):
        lines.append(Padding(Text.assemble(words, "  ", (place, "dim")), (0, 0, 0, 2)))
    return Group(*lines)
