"""Questions alone: any JSON Lines with a field `question`, asked of an index that is there, for readers to grade; or a
CSV with columns `question` and `answer`, whose answers the text metrics compare."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ConfigDict

from evals.datasets.files import data_hash, question_file
from evals.datasets.lines import Id, Line, Words, at, read_bytes, read_lines, refuse_repeated
from evals.datasets.types import Dataset, DatasetError, Item

NAME = "questions"


class _Question(Line):
    model_config = ConfigDict(frozen=True, strict=True, extra="allow")

    question: Words
    id: Id | None = None

    def name(self, number: int) -> str:
        """Its id: the field `id`, else the first whose name ends in `_id`, else its line."""
        others: dict[str, Any] = self.model_extra or {}
        named = (value for key, value in others.items() if key.endswith("_id") and isinstance(value, str))
        return self.id or next(named, None) or f"line-{number}"


def load(path: Path | None) -> Dataset:
    """The questions of a file, or of all .jsonl files of a folder in the order of their names; other fields, which may
    hold what a right answer is, are left alone and filter nothing. Raises DatasetError."""
    if path is None:
        raise DatasetError(
            f"Question set '{NAME}' needs --path: a .jsonl or .csv file, or a folder of the former."
        )
    if path.suffix.lower() == ".csv":
        return Dataset(
            name=path.stem,
            items=tuple(_of_csv(question_file(path))),
            documents=(),
            data_hash=data_hash([path], ()),
        )
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [question_file(path)]
    if not files:
        raise DatasetError(f"'{path}' holds no .jsonl file.")
    items: list[Item] = []
    for file in files:
        own = [(number, line.name(number), line.question) for number, line in read_lines(file, _Question)]
        refuse_repeated(file, ((number, key) for number, key, _ in own))
        items += [Item(id=key, question=question, kind=file.stem) for _, key, question in own]
    if len({item.id for item in items}) < len(items):
        raise DatasetError(f"Two files of '{path}' have questions of one id.")
    return Dataset(name=path.stem, items=tuple(items), documents=(), data_hash=data_hash(files, ()))


def _of_csv(path: Path) -> Iterator[Item]:
    """A row a question, called after its number. DatasetError."""
    try:
        lines = csv.DictReader(io.StringIO(read_bytes(path).decode("utf-8"), newline=""), strict=True)
        rows = list(lines)
    except (UnicodeDecodeError, csv.Error) as error:
        raise DatasetError(f"'{path}' is not a CSV in UTF-8: {error}.") from error
    if "question" not in (lines.fieldnames or ()):
        raise DatasetError(
            f"'{path}' has no column 'question' (it has {', '.join(lines.fieldnames or ()) or 'none'})."
        )
    if not rows:
        raise DatasetError(f"{path} holds no question.")
    for number, row in enumerate(rows, start=2):
        if not (row["question"] or "").strip():
            raise at(path, number, "field 'question' must hold text")
        yield Item(id=f"line-{number}", question=row["question"], answer=row.get("answer") or None)
