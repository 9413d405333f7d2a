"""Row labels: wrapped ones joined, footnote marks removed, and the headings above each row as its path."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from tools.documents.tables.row_sums import parts_of
from tools.documents.tables.table_parts import Block, Row

_FOOTNOTES = re.compile(
    r"(?<!\$)(?:\s*\((?:\d{1,2}|[a-z]|[A-Z](?:[/*+-][A-Z])?)\))+(?=\s*:?$)|[¹²³⁴⁵⁶⁷⁸⁹⁰†‡]+|\s*\*+$"
)
_GLUED_MARK = re.compile(r"(?<=[a-z]{3})[1-9](?=:?$)|(?<=[a-z]\))[1-9](?=:?$)")
_BULLET = re.compile(r"^[•▪■●◦‣·]\s*")
_CONNECTS = re.compile(
    r"(?:\b(?:and|or|of|the|to|for|in|on|from|by|with|at|net|as|a|an|its|our|per|than|included|attributable|"
    r"related|under|using|other)|[,(/&—–-])$",
    re.IGNORECASE,
)
_CUT_OFF = re.compile(r"(?:\b(?:and|or|of|the|to|for|in|from|by|with|attributable)|[,(/&-])$", re.IGNORECASE)
_TOTAL = re.compile(
    r"^(?:total\b|net cash\b|cash (?:generated|provided|used)|net (?:increase|decrease)"
    r"|sub-?total|ending balances?\b"
    r"|balances?,? (?:at |as of )?(?:the )?end)",
    re.IGNORECASE,
)
_CALLED_TOTAL = re.compile(r"(?:sub-?)?total\b", re.IGNORECASE)
_NO_AMOUNT = re.compile(r"\bcommitments\b|\bcontingencies\b", re.IGNORECASE)
_SIDES = re.compile(r"(?:assets|liabilities)$|liabilities and\b", re.IGNORECASE)
_ACTIVITIES = re.compile(r"\b(?:activities|operations)\b", re.IGNORECASE)
_PART = re.compile(r"adjustments\b|changes in\b", re.IGNORECASE)
_CASH_TOTAL = re.compile(
    r"net cash\b|cash (?:generated|provided|used)\b|net (?:increase|decrease|change) in\b"
    r"|cash\b.*\b(?:beginning|end)\b",
    re.IGNORECASE,
)
_STOP_WORDS = {
    "total",
    "net",
    "the",
    "and",
    "of",
    "in",
    "income",
    "loss",
    "a",
    "to",
    "by",
    "from",
    "used",
    "provided",
}


MAX_SHIFT = 4
"""Characters by which the rest of a wrapped label is set in."""
MAX_PARTS = 64
"""Rows of one name that may add up to a total of that name."""


def clean_label(label: str) -> str:
    """A row label without footnote marks, leader dots and trailing colon."""
    text = _BULLET.sub("", label.strip())
    text = re.sub(r"(?:\s*\.){3,}\s*$", "", text)
    for _ in range(2):
        text = _FOOTNOTES.sub("", text)
        text = _GLUED_MARK.sub("", text)
    return " ".join(text.split()).rstrip(" :")


def _open_bracket(text: str) -> bool:
    return text.count("(") > text.count(")")


def join_wrapped(rows: Sequence[Row]) -> list[Row]:
    """Rows with labels that were wrapped over lines joined; a label-only line that is no continuation
    stays a heading."""
    figures = [row for row in rows if row.cells and row.label]
    for row in rows:
        row.line_end = row.indent + len(row.label)
    edge = min((cell.start for row in rows for cell in row.cells), default=0)
    joined: list[Row] = []
    for position, row in enumerate(rows):
        previous = joined[-1] if joined else None
        if previous is not None and _stands_under(previous, row):
            row.label, row.raw_label, row.indent = previous.label, previous.raw_label, previous.indent
            joined[-1] = row
            continue
        following = rows[position + 1] if position + 1 < len(rows) else None
        if previous is not None and _continues(previous, row, following, edge, bool(figures)):
            if row.cells and previous.cells:
                _complete(previous, row)
            elif previous.is_heading:
                row.label = f"{previous.label} {row.label}".strip()
                row.indent = previous.indent
                joined[-1] = row
            else:
                previous.label = f"{previous.label} {row.label}"
            continue
        joined.append(row)
    return joined


def _stands_under(heading: Row, row: Row) -> bool:
    """True for figures without a label right below a label without figures: they are set a little lower."""
    near = bool(row.cells) and not row.label and row.index - heading.index == 1
    return near and heading.is_heading and not heading.label.endswith(":")


def _complete(row: Row, rest: Row) -> None:
    """Take in the figures that stand on the second line of a wrapped row."""
    placed = sorted(
        [*zip(row.columns, row.cells, strict=True), *zip(rest.columns, rest.cells, strict=True)],
        key=lambda x: x[0],
    )
    row.columns = [k for k, _ in placed]
    row.cells = [cell for _, cell in placed]
    row.label = f"{row.label} {rest.label}"


def _continues(previous: Row, row: Row, following: Row | None, edge: int, has_figures: bool) -> bool:
    """True if `row`'s label goes on where `previous`'s stopped."""
    if not row.label or not previous.label or not has_figures:
        return False
    if previous.label.endswith(":") or row.index - previous.index > 3:
        return False
    if previous.is_heading:
        return _completes_heading(previous, row, following, edge)
    if row.cells:
        apart = not set(row.columns) & set(previous.columns)
        return apart and row.label[0].islower() and row.index - previous.index == 1
    return _ends_label(previous, row)


def _completes_heading(heading: Row, row: Row, following: Row | None, edge: int) -> bool:
    """True if `row` goes on a label without figures: by its first character, by an open end, since a total has
    figures, or since the label ran up to the figures' left `edge` and did not end with a bracket."""
    if row.is_heading and following is None:
        return False
    dangling = _CONNECTS.search(heading.label) is not None or _open_bracket(heading.label)
    below = bool(row.cells) and row.index - heading.index == 1
    if below and _CALLED_TOTAL.match(heading.label) and not _TOTAL.match(row.label):
        return True
    if below and re.match(r"\([a-z]", row.label) and abs(row.indent - heading.indent) <= MAX_SHIFT:
        return True
    if _starts_low(row.label) or (dangling and _all_capitals(heading.label) == _all_capitals(row.label)):
        return True
    full = edge - heading.line_end < 10 + len(row.label.split()[0]) and not heading.label.endswith(")")
    return full and row.indent <= heading.indent + 6 and heading.line_end - heading.indent > 30


def _ends_label(previous: Row, row: Row) -> bool:
    """True if `row`, without figures, is the end of the label of the figures right above it."""
    if row.index - previous.index > 1:
        return False
    cut = _CUT_OFF.search(previous.label) is not None or _open_bracket(previous.label)
    return _starts_low(row.label) or (cut and row.indent >= previous.indent and not row.label.endswith(":"))


def _starts_low(label: str) -> bool:
    """True for a label that begins as only the rest of one does: in lower case, with a closing bracket, with the
    day and year of a date."""
    if label[0].islower() or label[0] in ")$&":
        return True
    return re.match(r"\d{4}\)|\d{1,2}, \d{4}\)?$", label) is not None


def _all_capitals(text: str) -> bool:
    letters = [c for c in text if c.isalpha()]
    return bool(letters) and all(c.isupper() for c in letters)


@dataclass
class _Group:
    heading: str
    indent: int
    flush: bool | None = None
    """True once its first row stood at the heading's own indent; None before any row."""
    members: list[Row] = field(default_factory=list)
    container: bool = False
    """True if a further heading of the same indent followed it at once."""


def _words(text: str) -> set[str]:
    return {w for w in re.findall(r"[a-z]+", text.lower()) if w not in _STOP_WORDS and len(w) > 2}


def _closes(row: Row, heading: str) -> bool:
    """True if a total row is the total of what stands under `heading`."""
    if clean_label(row.label).lower() == heading.lower():
        return True
    if not _TOTAL.match(row.label):
        return False
    wanted, given = _words(heading), _words(row.label)
    stem = re.sub(r"^(?:total|net)\s+", "", row.label.lower())
    if heading.lower().startswith(stem) or stem.startswith(heading.lower()):
        return True
    return bool(wanted) and (len(wanted & given) / len(wanted) >= 0.6 or (bool(given) and given <= wanted))


def assign_paths(block: Block) -> None:
    """Give every figure row of a block its path: the headings it stands under, outermost first.

    A heading owns the deeper rows below it, or, where its first row is flush with it, the flush rows up to
    the group's total. The total itself belongs to the heading's parent.
    """
    stack: list[_Group] = []
    for position, row in enumerate(block.rows):
        if row.is_heading:
            following = block.rows[position + 1] if position + 1 < len(block.rows) else None
            _open_heading(row, following, stack, block.statement == "balance")
            continue
        if not row.label:
            _name_subtotal(row, stack)
            if not row.label:
                _name_sum(row, block.rows[max(0, position - MAX_PARTS) : position])
            continue
        _close_for(row, stack)
        if block.statement == "cash_flow" and _CASH_TOTAL.match(row.label):
            stack.clear()
        row.path = tuple(g.heading for g in stack)
        closing = next((k for k, g in enumerate(stack) if _closes(row, g.heading)), None)
        if closing is not None:
            row.path = tuple(g.heading for g in stack[:closing])
            del stack[closing:]
        elif (
            stack and stack[-1].flush and _ends_group(row, stack[-1], block.rows[position + 1 : position + 2])
        ):
            stack.pop()
        for group in stack:
            if group.flush is None:
                group.flush = row.indent <= group.indent
        if stack:
            stack[-1].members.append(row)
    _tell_repeats_apart(block.rows)


def _tell_repeats_apart(every: Sequence[Row]) -> None:
    """Rows of one name and path: the sum of those before it is their 'Total'. Others are told by the words behind their
    figures, a percentage by the amount above it, the rest by the nearest heading above them, else by the row under
    which they are set in."""
    rows = [row for row in every if row.cells and row.label]
    seen: dict[tuple[str, tuple[str, ...], tuple[str, ...]], int] = {}
    for k, row in enumerate(rows):
        key = (clean_label(row.label).lower(), row.path, row.texts)
        first = seen.setdefault(key, k)
        if first < k <= first + MAX_PARTS and _adds_up(row, rows[first:k]):
            row.path = (*row.path, "Total")
    for k in _repeated(rows):
        rows[k].path += rows[k].remarks
    for k in _repeated(rows):
        if k and _is_share_of(rows[k], rows[k - 1]):
            rows[k].path = (*rows[k].path, clean_label(rows[k - 1].label))
    headings = _headings(every)
    for k in _repeated(rows):
        if headings[k] and headings[k] not in rows[k].path:
            rows[k].path = (headings[k], *rows[k].path)
    for k in _repeated(rows):
        above = next((row for row in rows[:k][::-1] if row.indent < rows[k].indent), None)
        if above is not None and rows[k].period is None and not _TOTAL.match(rows[k].label):
            rows[k].path = (*rows[k].path, clean_label(above.label))


def _repeated(rows: Sequence[Row]) -> list[int]:
    """Positions of the rows whose name, path and own period another row has too."""
    names = [(clean_label(row.label).lower(), row.path, row.period) for row in rows]
    counts = Counter(names)
    return [k for k, name in enumerate(names) if counts[name] > 1]


def _headings(rows: Sequence[Row]) -> list[str]:
    """For each named row of figures, the nearest heading above it, '' where that is a period."""
    found = []
    heading = ""
    for row in rows:
        if row.is_heading:
            heading = clean_label(row.label) if row.period is None else ""
        elif row.label:
            found.append(heading)
    return found


def _is_share_of(row: Row, above: Row) -> bool:
    """True for percentages right below amounts."""
    amounts = {k for cell, k in zip(above.cells, above.columns, strict=True) if cell.suffix != "%"}
    percent = [
        k
        for cell, k in zip(row.cells, row.columns, strict=True)
        if cell.kind != "figure" or cell.suffix == "%"
    ]
    return len(percent) == len(row.cells) and bool(amounts & set(percent))


def _adds_up(row: Row, parts: Sequence[Row]) -> bool:
    """True if every figure of a row is the sum of those of two or more rows above it."""
    for cell, column in zip(row.cells, row.columns, strict=True):
        values = [
            Decimal(c.value)
            for m in parts
            for c, k in zip(m.cells, m.columns, strict=True)
            if k == column and c.value
        ]
        if not cell.value or len(values) < 2 or sum(values) != Decimal(cell.value):
            return False
    return bool(row.cells)


def _open_heading(row: Row, following: Row | None, stack: list[_Group], balance: bool) -> None:
    name = clean_label(row.label)
    if row.period is not None:  # 'Earnings per share:' of 2017 is no heading of what follows under '2016'
        stack[:] = [g for g in stack if g.indent < row.indent or not g.members]
    if not name or row.period is not None:
        return
    if row.indent > 25 and (_all_capitals(name) or name.istitle() or row.label.endswith(":")):
        stack.clear()
        return
    container = following is not None and following.is_heading and following.indent == row.indent
    if container and (balance or _NO_AMOUNT.search(name)):
        stack[:] = [g for g in stack if g.indent < row.indent]
        return
    while stack and stack[-1].indent >= row.indent and not _stays(stack[-1], row, container):
        stack.pop()
    stack.append(_Group(name, row.indent, container=container))


def _stays(group: _Group, row: Row, container: bool) -> bool:
    """True if a heading of the same indent opens a part of the group, not its sibling: one between the opening and the
    closing balance does."""
    name = clean_label(row.label)
    if row.moved and group.flush and group.indent == row.indent:
        return True
    if group.indent > row.indent or container or _all_capitals(name) or _SIDES.match(name):
        return False
    if _PART.match(name) and _ACTIVITIES.search(group.heading) and not _PART.match(group.heading):
        return True
    part = _all_capitals(group.heading) or _PART.match(name) is not None
    return group.container or bool(group.flush and group.members and row.label.endswith(":") and part)


def _ends_group(row: Row, group: _Group, following: Sequence[Row]) -> bool:
    """True for the total of a group, or its closing balance. What is called a total but is none of the rows above it
    ends nothing where the next row follows at once."""
    if row.closes and any(member.moved for member in group.members):
        return True
    at_once = any(below.cells and below.index == row.index + 1 for below in following)
    return _TOTAL.match(row.label) is not None and not (at_once and not row.kin and len(group.members) > 1)


def _close_for(row: Row, stack: list[_Group]) -> None:
    while stack:
        group = stack[-1]
        if row.indent > group.indent:
            return
        if row.indent == group.indent and group.flush is not False:
            return
        stack.pop()


def _name_subtotal(row: Row, stack: list[_Group]) -> None:
    """An unlabelled row that adds up what stands under the innermost heading is that heading's total."""
    if not stack or not stack[-1].members:
        return
    group = stack[-1]
    if not _adds_up(row, [m for m in group.members if len(m.columns) >= len(row.columns)]):
        return
    row.label = group.heading
    row.raw_label = group.heading
    row.path = tuple(g.heading for g in stack[:-1])
    stack.pop()


def _name_sum(row: Row, above: Sequence[Row]) -> None:
    """An unlabelled row that adds up those right above it is their total, under the headings that they share."""
    parts = parts_of(row, [part for part in above if part.cells])
    if not parts or not all(part.label for part in parts):
        return
    row.label = row.raw_label = "Total"
    shared = itertools.takewhile(
        lambda level: len(set(level)) == 1, zip(*(part.path for part in parts), strict=False)
    )
    row.path = tuple(level[0] for level in shared)
