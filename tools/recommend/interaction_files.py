"""Files of who did what when, line by line: `.inter` (RecBole's atomic files), CSV and JSON Lines.

A line stands alone and is forgotten when it was given out, so that a file of any size is read in little memory.
"""

from __future__ import annotations

import csv
import math
import time
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from tools.recommend.errors import InteractionFileError
from tools.recommend.types import Event

MAX_LINE_BYTES = 65_536
"""A longer line is named and passed over without being held."""
MAX_AHEAD_SECONDS = 300.0
"""How far clocks of two machines may differ before a time lies in the future."""
EARLIEST = datetime.min.replace(tzinfo=UTC).timestamp()
SUFFIXES = (".inter", ".csv", ".jsonl")
_COLUMNS = {"user_id": "user", "timestamp": "time", "item_id": "item"}
"""What RecBole calls them."""
FIELDS = ("user", "time", "item", "question")


@dataclass(frozen=True, slots=True)
class Interaction:
    """A line that can be read: exactly one of `item` and `question` is set (the item, where a line has both)."""

    line: int
    """Counted from 1; the head is line 1."""
    user: str
    time: float
    """Unix seconds, finite, not in the future."""
    item: str | None
    question: str | None


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that can't be read, and why, in words without any of its text."""

    line: int
    reason: str


Row = tuple[Any, Any, Any, Any]
"""The values of FIELDS; None for one that is not there."""
Rows = Iterator[tuple[int, Row | str]]
"""Line number, and its row, or why there is none."""


def read_interactions(path: Path, now: float | None = None) -> Iterator[Interaction | BadLine]:
    """Every line that is not blank, in the file's order, as it is read: repeated lines are given again, times need not
    be sorted. The file's ending tells its form:

    - `.inter`: tab-separated, `user_id:token item_id:token timestamp:float` in its head, in any order;
    - `.csv`: `user`, `time` and `item` or `question` in its head; a row is one line;
    - `.jsonl`: an object a line with these fields; user and item may be whole numbers.

    Other columns are left alone. A time is Unix seconds, or ISO 8601 (`2024-05-01T10:00:00Z`; UTC where it names no
    zone). `now`: Unix seconds, after which a time lies in the future; the clock's where None.

    Raises:
        InteractionFileError: at the first step, for a file that is missing, empty, of another ending or without the
            columns; at a later one where reading fails.
    """
    rows = _FORMS.get(path.suffix.lower())
    if rows is None:
        raise InteractionFileError(f"'{path}' ends in none of {', '.join(SUFFIXES)}.")
    latest = (time.time() if now is None else now) + MAX_AHEAD_SECONDS
    try:
        with path.open("rb") as file:
            for line, row in rows(_lines(file), path):
                try:
                    yield BadLine(line, row) if isinstance(row, str) else _interaction(line, row, latest)
                except ValueError as error:
                    yield BadLine(line, str(error))
    except OSError as error:
        raise InteractionFileError(f"Can't read '{path}': {error.strerror or error}.") from error


def read_events(path: Path, bad: Callable[[BadLine], None], now: float | None = None) -> Iterator[Event]:
    """The events of a file of items. A line that can't be read, or that has a question in place of an item, goes to
    `bad`. Raises as `read_interactions` does."""
    for found in read_interactions(path, now):
        if isinstance(found, BadLine):
            bad(found)
        elif found.item is None:
            bad(BadLine(found.line, "no item"))
        else:
            yield Event(found.user, found.time, found.item)


def _lines(file: BinaryIO) -> Iterator[tuple[int, str | None]]:
    """Numbered lines that are not blank, without their ends; None for one that is too long or no UTF-8."""
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        whole = len(line) <= MAX_LINE_BYTES
        while not line.endswith(b"\n") and (rest := file.readline(MAX_LINE_BYTES)):
            whole, line = False, rest
        if number == 1:
            line = line.removeprefix(BOM_UTF8)
        if not whole:
            yield number, None
        elif line.strip():
            try:
                yield number, line.decode().rstrip("\r\n")
            except UnicodeDecodeError:
                yield number, None


_UNREADABLE = f"not UTF-8 text, or longer than {MAX_LINE_BYTES:,} bytes"


def _inter_rows(lines: Iterable[tuple[int, str | None]], path: Path) -> Rows:
    def split(line: str) -> list[str]:
        return line.split("\t")

    return _table_rows(lines, path, split, lambda name: _COLUMNS.get(name.partition(":")[0], ""))


def _csv_rows(lines: Iterable[tuple[int, str | None]], path: Path) -> Rows:
    def split(line: str) -> list[str]:
        return next(csv.reader((line,), strict=True))

    return _table_rows(lines, path, split, str.lower)


def _table_rows(
    lines: Iterable[tuple[int, str | None]],
    path: Path,
    split: Callable[[str], list[str]],
    named: Callable[[str], str],
) -> Rows:
    """Rows under a head; `named` makes a field's name of a column's."""
    numbered = iter(lines)
    head = next(numbered, None)
    if head is None:
        raise InteractionFileError(f"'{path}' is empty.")
    try:
        names = [named(name.strip()) for name in split(head[1] or "")]
    except csv.Error:
        names = []
    places = {name: names.index(name) for name in FIELDS if name in names}
    if not {"user", "time"} <= places.keys() or not {"item", "question"} & places.keys():
        needed = (
            "user_id, item_id and timestamp" if path.suffix.lower() == ".inter" else "user, time and item"
        )
        raise InteractionFileError(f"'{path}' has no head with the columns {needed}.")
    pick = itemgetter(*(places.get(name, len(names)) for name in FIELDS))
    for number, line in numbered:
        if line is None:
            yield number, _UNREADABLE
            continue
        try:
            cells = split(line)
        except csv.Error:
            yield number, "a quotation mark is not closed, or stands within a cell"
            continue
        if len(cells) == len(names):
            yield number, pick([*cells, None])
        else:
            yield number, f"{len(cells)} columns where the head has {len(names)}"


def _json_rows(lines: Iterable[tuple[int, str | None]], path: Path) -> Rows:
    def pick(found: dict[str, Any]) -> Row:
        return found.get("user"), found.get("time"), found.get("item"), found.get("question")

    empty = True
    for number, line in lines:
        empty = False
        if line is None:
            yield number, _UNREADABLE
            continue
        try:
            found = orjson.loads(line)
        except orjson.JSONDecodeError:
            yield number, "not JSON"
            continue
        yield number, pick(found) if isinstance(found, dict) else "not a JSON object"
    if empty:
        raise InteractionFileError(f"'{path}' is empty.")


_FORMS: dict[str, Callable[[Iterable[tuple[int, str | None]], Path], Rows]] = dict(
    zip(SUFFIXES, (_inter_rows, _csv_rows, _json_rows), strict=True)
)


def _interaction(line: int, row: Row, latest: float) -> Interaction:
    """ValueError where a field is missing or can't be what it says."""
    user, when, item, question = row
    if (user := _text(user, "user")) is None:
        raise ValueError("no user")
    if (item := _text(item, "item")) is not None:
        question = None
    elif (question := _text(question, "question")) is None:
        raise ValueError("neither item nor question")
    return Interaction(line, user, _time(when, latest), item, question)


def _text(value: Any, field: str) -> str | None:
    """None where it is missing or blank."""
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is not None:
        raise ValueError(f"the {field} is not text")
    return None


def _time(value: Any, latest: float) -> float:
    if value is None or (isinstance(value, str) and not value.strip()):
        raise ValueError("no time")
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("the time is neither a number nor text")
    try:
        seconds = float(value)
    except ValueError:
        seconds = _iso_seconds(str(value).strip())
    except OverflowError:
        seconds = math.inf
    if not math.isfinite(seconds):
        raise ValueError("the time is not finite")
    if seconds < EARLIEST:
        raise ValueError("the time lies before the year 1")
    if seconds > latest:
        raise ValueError("the time lies in the future (Unix seconds are read, not milliseconds)")
    return seconds


def _iso_seconds(text: str) -> float:
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("the time is neither Unix seconds nor ISO 8601") from None
    return (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
