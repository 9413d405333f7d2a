"""results.csv: a line a pipeline and question, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from evals.datasets.types import Item
from evals.rows import Row
from tools.store.disk.home import replace_file

SHEET = "results.csv"
_ACTIVE = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""
HEAD = ("id", "pipeline", "kind", "status", "error", "reason", "route", "engine", "question", "answer")


def write_sheet(folder: Path, items: Sequence[Item], rows: Sequence[Row]) -> None:
    """Replace results.csv as a whole: UTF-8 with a byte order mark, as spreadsheets want it. OSError."""
    kinds = {item.id: item.kind for item in items}
    names = list(dict.fromkeys(name for row in rows for name in row.scores))
    timed = [] if "seconds" in names else ["seconds"]
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([*HEAD, *names, *timed])
    for row in rows:
        text = (
            *(row.id, row.pipeline, kinds.get(row.id, ""), row.status, row.error, row.reason or ""),
            *(row.route or "", row.engine, row.question, row.answer),
        )
        scores = [row.scores[name].value if name in row.scores else None for name in names]
        seconds = [row.seconds.get("total")] if timed else []
        writer.writerow([*map(inert, text), *("" if v is None else v for v in [*scores, *seconds])])
    replace_file(folder / SHEET, b"\xef\xbb\xbf" + out.getvalue().encode("utf-8", "backslashreplace"))


def inert(text: str) -> str:
    """`text` such that no spreadsheet runs it: documents are data."""
    return f"'{text}" if text.startswith(_ACTIVE) else text
