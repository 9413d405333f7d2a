"""Draws a table of figures as a filing prints it: split headers, indents, dollar signs, bracketed losses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from reportlab.lib import colors
from reportlab.lib.utils import simpleSplit
from reportlab.platypus import Table, TableStyle

from evals.samples.sample_figures import Book, Row, TableSource, growth, quantize

SIZE = 8.0
WIDTH = 520.0
"""Points between the margins of a page."""
INDENT = 9.0
_GAP, _DOLLAR = 6.0, 10.0
"""Each value takes three cells: a gap without rules, the dollar sign, the number."""
_SHADE = colors.Color(0.88, 0.93, 0.98)


@dataclass(frozen=True, slots=True)
class _Header:
    """One line of a column heading, over value columns [first, last]."""

    text: str
    first: int
    last: int


def draw_table(book: Book, key: str) -> Any:
    """The flowable of table `key`, in the column order and style of its company."""
    table = book.tables[key]
    heads, order = _header(book, table)
    count = len(order)
    number_width = (60.0 if count > 2 else 78.0) + (8.0 if count == 5 else 0.0)
    label_width = WIDTH - count * (number_width + _GAP + _DOLLAR)
    font = str(book.style["font"])
    body_font, bold = (font, f"{font}-Bold") if font == "Helvetica" else ("Times-Roman", "Times-Bold")
    cells: list[list[str]] = []
    style: list[tuple[Any, ...]] = [
        ("FONT", (0, 0), (-1, -1), body_font, SIZE),
        ("TOPPADDING", (0, 0), (-1, -1), 1.1),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1.6),
        ("LEFTPADDING", (0, 0), (-1, -1), 1),
        ("RIGHTPADDING", (0, 0), (-1, -1), 3),
        ("VALIGN", (0, 0), (-1, -1), "BOTTOM"),
    ]
    for line in heads:
        y = len(cells)
        cells.append([""] * (1 + 3 * count))
        for head in line:
            cells[y][2 + 3 * head.first] = head.text
            box = ((2 + 3 * head.first, y), (3 + 3 * head.last, y))
            style += [("SPAN", *box), ("ALIGN", *box, "CENTER"), ("FONT", *box, bold, SIZE)]
            if head.last > head.first or line is heads[-1]:
                style.append(("LINEBELOW", *box, 0.5, colors.black))
    for position, row in enumerate(table.rows):
        _draw_row(book, table, row, order, cells, style, (body_font, bold), label_width)
        if book.style["shaded"] and position % 2 == 0:
            style.append(("BACKGROUND", (0, len(cells) - 1), (-1, len(cells) - 1), _SHADE))
    return Table(
        cells,
        colWidths=[label_width] + [_GAP, _DOLLAR, number_width] * count,
        style=TableStyle(style),
        repeatRows=len(heads),
        hAlign="LEFT",
        spaceBefore=4,
        spaceAfter=8,
    )


def _draw_row(
    book: Book,
    table: TableSource,
    row: Row,
    order: Sequence[int],
    cells: list[list[str]],
    style: list[tuple[Any, ...]],
    fonts: tuple[str, str],
    label_width: float,
) -> None:
    y = len(cells)
    indent = 2 + INDENT * int(row.spec.get("indent", 0))
    label = "\n".join(simpleSplit(row.label, fonts[0], SIZE, label_width - indent - 4))
    cells.append([label] + [""] * (3 * len(order)))
    style.append(("LEFTPADDING", (0, y), (0, y), indent))
    if "centered" in row.spec:
        style += [("SPAN", (0, y), (-1, y)), ("ALIGN", (0, y), (-1, y), "CENTER")]
    if "head" in row.spec or "centered" in row.spec:
        style.append(("FONT", (0, y), (0, y), fonts[1], SIZE))
        return
    if not row.values:
        return
    texts = _texts(book, table, row)
    for column, index in enumerate(order):
        dollar, text = texts[index]
        x = 2 + 3 * column
        cells[y][x : x + 2] = [dollar, text]
        style.append(("ALIGN", (x + 1, y), (x + 1, y), "RIGHT"))
        if text.endswith((")", ")%")):
            style.append(("RIGHTPADDING", (x + 1, y), (x + 1, y), 0.4))
        if "sum" in row.spec:
            style.append(("LINEABOVE", (x, y), (x + 1, y), 0.5, colors.black))
        if row.spec.get("double"):
            style.append(("LINEBELOW", (x, y), (x + 1, y), 0.5, colors.black, None, None, None, 2, 1))


def _texts(book: Book, table: TableSource, row: Row) -> list[tuple[str, str]]:
    """(dollar sign, number) a column, in canonical order; the change column, if any, last."""
    decimals = [-int(value.as_tuple().exponent) for value in row.values]
    places = row.spec.get("column_places") or [row.spec.get("places", max(decimals))] * len(row.values)
    dollars = row.spec.get("column_dollar") or [bool(row.spec.get("dollar"))] * len(row.values)
    suffix = str(row.spec.get("suffix", ""))
    texts = [
        ("$" if dollar else "", print_number(value, int(digits)) + suffix)
        for value, digits, dollar in zip(row.values, places, dollars, strict=True)
    ]
    if table.columns == "change":
        texts = [*texts[:2], ("", print_number(growth(*row.values[:2]), 1) + "%")]
    return texts


def print_number(value: Decimal, places: int) -> str:
    """As printed in a filing: thousands separated, losses in brackets, nil as a dash."""
    if value == 0:
        return "—"
    text = f"{abs(quantize(value, places)):,}"
    return f"({text})" if value < 0 else text


def _header(book: Book, table: TableSource) -> tuple[list[list[_Header]], list[int]]:
    """Heading lines, and which canonical value stands in each printed column."""
    swap = bool(book.style["prior_first"])
    pair = [1, 0] if swap else [0, 1]
    if not isinstance(table.columns, str):
        columns = [_Header(text, i, i) for i, text in enumerate(table.columns)]
        return _stack(columns), list(range(len(columns)))
    if table.columns == "balance":
        dates = [str(book.periods["balance"][i]) for i in pair]
        lines, order = _stack([_Header(date, i, i) for i, date in enumerate(dates)]), pair
    else:
        spans = [str(text) for text in book.periods["duration"]]
        spans = {"duration": spans, "year_to_date": spans[1:], "change": spans[:1]}[table.columns]
        dates = [str(book.periods["dates"][i]) for i in pair]
        over = _stack([_Header(text, 2 * i, 2 * i + 1) for i, text in enumerate(spans)])
        under = [
            _Header(date, 2 * i + j, 2 * i + j) for i in range(len(spans)) for j, date in enumerate(dates)
        ]
        order = [2 * i + j for i in range(len(spans)) for j in pair]
        if table.columns == "change":
            under.append(_Header("Change", 2, 2))
            order = [*pair, 2]
        lines = over + _stack(under)
    if not table.title and book.style["shaded"]:
        lines.append([_Header(table.note, 0, len(order) - 1)])
    return lines, order


def _stack(heads: Sequence[_Header]) -> list[list[_Header]]:
    """Split headings at '|' into lines, set to the bottom."""
    parts = [head.text.split("|") for head in heads]
    depth = max(len(part) for part in parts)
    lines: list[list[_Header]] = [[] for _ in range(depth)]
    for head, part in zip(heads, parts, strict=True):
        for offset, text in enumerate(part):
            lines[depth - len(part) + offset].append(_Header(text, head.first, head.last))
    return lines
