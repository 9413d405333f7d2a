"""The figures of a fictional company: tables from YAML, totals computed, and the words that quote them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

COLUMN_KEYS = {"q": 0, "pq": 1, "y": 2, "py": 3, "now": 0, "then": 1}
"""Columns of the placeholders: quarter, prior quarter, year to date, prior; this date, comparison."""
_TERM = re.compile(r"([+-])?\s*([a-z_0-9.]+)")
_PLACEHOLDER = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: a line item with values in canonical column order, or a heading without."""

    id: str
    label: str
    values: tuple[Decimal, ...]
    spec: Mapping[str, Any]
    """The YAML entry: indent, dollar, double, places, suffix, head, centered, text."""


@dataclass(frozen=True, slots=True)
class TableSource:
    """A table before it is drawn."""

    key: str
    title: str
    note: str
    columns: str | tuple[str, ...]
    """'duration', 'year_to_date', 'balance', 'change', or literal headers with '|' for a line break."""
    rows: tuple[Row, ...]

    def row(self, row_id: str) -> Row:
        """The line item called `row_id`; KeyError if there is none."""
        for row in self.rows:
            if row.id == row_id:
                return row
        raise KeyError(f"{self.key}.{row_id}")


@dataclass(frozen=True, slots=True)
class Book:
    """All figures of one company."""

    company: Mapping[str, Any]
    style: Mapping[str, Any]
    periods: Mapping[str, Any]
    tables: Mapping[str, TableSource]

    def value(self, ref: str, column: str) -> Decimal:
        """The figure `table.row` in the column named by `COLUMN_KEYS`."""
        table, row = ref.split(".")
        return self.tables[table].row(row).values[COLUMN_KEYS[column]]

    def fill(self, text: str) -> str:
        """`text` with each `{{verb reference... column}}` replaced by the figure in words (see `_VERBS`)."""
        return _PLACEHOLDER.sub(lambda match: self._words(match.group(1).split()), text)

    def _words(self, parts: list[str]) -> str:
        verb, *refs, column = parts
        return _VERBS[verb]([self._pair(ref, column) for ref in refs], self._unit_places())

    def _pair(self, ref: str, column: str) -> tuple[Decimal, Decimal]:
        """The figure and the one it is compared with: the same column of the year before."""
        earlier = {"q": "pq", "y": "py", "now": "then"}.get(column, column)
        table, row = ref.split(".")
        if len(self.tables[table].row(row).values) == 2:
            column, earlier = {"y": "now", "py": "then"}.get(column, column), "then"
        return self.value(ref, column), self.value(ref, earlier)

    def _unit_places(self) -> int:
        revenue = next(row for row in self.tables["income"].rows if row.values)
        return max(0, -int(revenue.values[0].as_tuple().exponent))


def load_book(path: Path) -> Book:
    """Read a company's `figures.yaml` and compute every total, ratio and copy in it."""
    data: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    tables: dict[str, TableSource] = {}
    for key, spec in data["tables"].items():
        columns = spec["columns"]
        tables[key] = TableSource(
            key=key,
            title=spec["title"],
            note=spec["note"],
            columns=columns if isinstance(columns, str) else tuple(columns),
            rows=_compute_rows(key, spec["rows"], tables),
        )
    return Book(data["company"], data["style"], data["periods"], tables)


def quantize(value: Decimal, places: int) -> Decimal:
    """Round half up, as filings do."""
    return value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


def _compute_rows(
    key: str, specs: list[dict[str, Any]], tables: Mapping[str, TableSource]
) -> tuple[Row, ...]:
    """Rows may refer to later rows of the same table, so what cannot be computed yet is tried again."""
    known: dict[str, tuple[Decimal, ...]] = {
        f"{name}.{row.id}": row.values for name, table in tables.items() for row in table.rows if row.values
    }
    pending = list(specs)
    while pending:
        waiting: list[dict[str, Any]] = []
        for spec in pending:
            try:
                values = _values(spec, lambda ref: known[ref if "." in ref else f"{key}.{ref}"])
            except KeyError:
                waiting.append(spec)
                continue
            if values:
                known[f"{key}.{spec['id']}"] = values
        if len(waiting) == len(pending):
            raise ValueError(f"{key}: no value for {[spec.get('id') for spec in waiting]}")
        pending = waiting
    return tuple(
        Row(
            id=spec.get("id", ""),
            label=spec.get("label") or spec.get("head") or spec["centered"],
            values=known.get(f"{key}.{spec['id']}", ()) if "id" in spec else (),
            spec=spec,
        )
        for spec in specs
    )


def _values(spec: Mapping[str, Any], look_up: Callable[[str], tuple[Decimal, ...]]) -> tuple[Decimal, ...]:
    if "values" in spec:
        return tuple(Decimal(str(value)) for value in spec["values"])
    if "sum" in spec:
        terms = [(-1 if sign == "-" else 1, look_up(ref)) for sign, ref in _TERM.findall(spec["sum"])]
        return tuple(
            sum((sign * values[i] for sign, values in terms), Decimal(0)) for i in range(len(terms[0][1]))
        )
    if "copy" in spec:
        return look_up(spec["copy"])
    for kind, factor in (("ratio", 1), ("percent", 100)):
        if kind in spec:
            above, below = (look_up(ref.strip()) for ref in spec[kind].split("/"))
            places = int(spec.get("places", 1))
            return tuple(quantize(factor * a / b, places) for a, b in zip(above, below, strict=True))
    return ()


def _amount(value: Decimal, places: int) -> str:
    return f"${abs(quantize(value, places)):,}"


def growth(now: Decimal, before: Decimal) -> Decimal:
    """Percentage change, one decimal, against the size of the earlier figure."""
    return quantize(100 * (now - before) / abs(before), 1)


def _share(pairs: list[tuple[Decimal, Decimal]], index: int) -> Decimal:
    return quantize(100 * pairs[0][index] / pairs[1][index], 1)


_VERBS: Mapping[str, Callable[[list[tuple[Decimal, Decimal]], int], str]] = {
    "money": lambda p, places: f"{_amount(p[0][0], places)} million",
    "before": lambda p, places: f"{_amount(p[0][1], places)} million",
    "rise": lambda p, places: f"{_amount(p[0][0] - p[0][1], places)} million",
    "growth": lambda p, _: f"{abs(growth(*p[0]))}%",
    "per_share": lambda p, _: _amount(p[0][0], 2),
    "per_share_before": lambda p, _: _amount(p[0][1], 2),
    "billion": lambda p, _: f"${quantize(abs(p[0][0]) / 1000, 2)} billion",
    "share": lambda p, _: f"{_share(p, 0)}%",
    "share_before": lambda p, _: f"{_share(p, 1)}%",
    "points": lambda p, _: f"{abs(int(100 * (_share(p, 0) - _share(p, 1))))} basis points",
    "percent": lambda p, _: f"{abs(p[0][0])}%",
    "count": lambda p, _: f"{abs(p[0][0]):,}",
}
"""Figure -> words. Signs are left to the sentence ('a loss of', 'fell by'), as in real prose."""
