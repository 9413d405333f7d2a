"""Questions alone: any JSON Lines with a field `question`, asked of an index that is there, for readers to grade."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ConfigDict

from evals.datasets.files import data_hash, question_file
from evals.datasets.lines import Id, Line, Words, read_lines, refuse_repeated
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
        raise DatasetError(f"Question set '{NAME}' needs --path: a .jsonl file, or a folder of them.")
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
