"""Reviewed questions on quarterly reports: Docugami's KG-RAG-datasets, 'sec-10-q' v1.

A folder with `qna_data.csv` (Question, Source Docs, Question Type, Source Chunk Type, Answer) and `docs/`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from evals.datasets.expected_figures import written_figures
from evals.datasets.files import Documents, data_hash, folder, question_file
from evals.datasets.lines import at, read_bytes
from evals.datasets.mojibake import mend
from evals.datasets.types import Dataset, DatasetError, Item, Place

NAME = "sec-10q"
HOLDS = "a folder with qna_data.csv and docs/"
FIELDS = ("Question", "Source Docs", "Question Type", "Source Chunk Type", "Answer")


def load(path: Path | None) -> Dataset:
    """The questions, without filters: each names its company and period. Raises DatasetError."""
    root = folder(path, NAME, HOLDS)
    questions = question_file(root / "qna_data.csv")
    documents = Documents(root / "docs")
    items, derived = [], 0
    for order, (number, row) in enumerate(_rows(questions), start=1):
        figures = written_figures(row["Answer"])
        derived += figures.derived
        places, alternates = _places(questions, number, row, documents)
        items.append(
            Item(
                id=f"10q-{order:03}",
                question=row["Question"],
                answer=row["Answer"],
                numbers=figures.numbers,
                places=places,
                alternates=alternates,
                answerable=True if figures.numbers else None,  # some answers say that it is not in the report
                kind=f"{row['Question Type']}, {row['Source Chunk Type']}",
            )
        )
    if not items:
        raise DatasetError(f"{questions} holds no question.")
    note = f"Figures that follow from two others of their answer, and are not expected: {derived}."
    return Dataset(
        name=NAME,
        items=tuple(items),
        documents=(documents.root,),
        data_hash=data_hash([questions], [documents.root]),
        notes=(note,) if derived else (),
    )


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows as whole text, with the line each starts in."""
    try:
        text = read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise at(path, line, "not UTF-8 text") from error
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    names: list[str] = []
    start = 1
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise at(path, start, f"not CSV: {error}") from error
        if cells is None:
            break
        if any(cell.strip() for cell in cells):
            if not names:
                names = _header(path, start, cells)
            else:
                yield start, _row(path, start, names, cells)
        start = reader.line_num + 1


def _header(path: Path, number: int, cells: list[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    for field in FIELDS:
        if names.count(field) != 1:
            raise at(path, number, f"column '{field}' is {'there twice' if field in names else 'missing'}")
    return names


def _row(path: Path, number: int, names: list[str], cells: list[str]) -> dict[str, str]:
    if len(cells) != len(names):
        raise at(path, number, f"{len(cells)} fields where the header names {len(names)}")
    row = dict(zip(names, (mend(cell).strip() for cell in cells), strict=True))
    for field in FIELDS:
        if not row[field]:
            raise at(path, number, f"field '{field}' is empty")
    return row


def _places(
    path: Path, number: int, row: dict[str, str], documents: Documents
) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """The documents that the answer names, of those its patterns fit, and the others; all of them where it names
    none."""
    fitting: list[str] = []
    for pattern in filter(None, (part.strip() for part in row["Source Docs"].split(","))):
        found = [name for name in documents.paths if fnmatchcase(Path(name).name, pattern)]
        if not found:
            raise at(path, number, f"field 'Source Docs': nothing in '{documents.root}' fits '{pattern}'")
        fitting += (name for name in found if name not in fitting)
    named = [name for name in fitting if Path(name).name in row["Answer"]]
    chosen = named or fitting
    others = [name for name in fitting if name not in chosen]
    return tuple(Place(document=name) for name in chosen), tuple(Place(document=name) for name in others)
