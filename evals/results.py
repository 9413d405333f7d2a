"""What a run leaves behind: results.json, read and written as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.errors import UsageError
from evals.datasets.types import Item
from evals.rows import Row, Summary
from tools.store.disk.home import replace_file

FORMAT = 1
"""Of results.json; a change makes older results unreadable."""
RESULTS = "results.json"
JOURNAL = "rows.jsonl"
CONFIG = "config.json"


class DatasetInfo(BaseModel):
    """Which questions were asked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    data_hash: str
    """As `Dataset.data_hash`."""
    items: int
    """Questions of the whole set; `Results.items` holds those asked."""
    notes: tuple[str, ...] = ()
    """The set's own, and documents that could not be indexed."""


class RunConfig(BaseModel):
    """What decides a run's rows: a run goes on only with the same. No keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dataset: str
    data_hash: str
    pipelines: tuple[str, ...]
    """In the order they were asked for; the one thing that may grow."""
    limit: int | None = None
    """Questions drawn; None: all."""
    seed: int = 0
    """Of the draw."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """`agent.settings.Settings` by name, without keys, folders and worker counts."""
    indexes: dict[str, str] = Field(default_factory=dict)
    """'structure' and 'recursive' -> digest of the index in use."""
    code: str = ""
    """Of the program's sources that answer and score."""


class Results(BaseModel):
    """A whole run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    created: str
    """ISO 8601, UTC."""
    dataset: DatasetInfo
    config: RunConfig
    versions: dict[str, str] = Field(default_factory=dict)
    """'hybridrag', 'python' and the direct dependencies."""
    commit: str | None = None
    """Of the source tree, with '-dirty' where it was changed; None outside one."""
    seconds: float
    """Wall clock of the run, indexing included, over all its starts."""
    summaries: dict[str, dict[str, Summary]]
    """By pipeline and metric."""
    items: tuple[Item, ...]
    """Those asked, in the set's order."""
    rows: tuple[Row, ...]
    """By pipeline, then in the order of `items`."""
    notes: tuple[str, ...] = ()
    """What happened on the way, as an endpoint that failed."""

    @property
    def pipelines(self) -> tuple[str, ...]:
        """Those with rows, in order."""
        return tuple(dict.fromkeys(row.pipeline for row in self.rows))

    def rows_of(self, pipeline: str) -> tuple[Row, ...]:
        """The rows of one pipeline."""
        return tuple(row for row in self.rows if row.pipeline == pipeline)

    def save(self, folder: Path) -> None:
        """Replace the folder's results.json as a whole. OSError."""
        data = orjson.dumps(self.model_dump(mode="json"))
        replace_file(folder / RESULTS, data + b"\n")

    @classmethod
    def load(cls, folder: Path) -> Results:
        """The results in `folder`. UsageError where there are none, or not ones of this version."""
        path = folder / RESULTS
        try:
            stored = orjson.loads(path.read_bytes())
        except (FileNotFoundError, NotADirectoryError) as error:
            raise UsageError(_missing(folder)) from error
        except OSError as error:
            raise UsageError(f"Can't read '{path}': {error.strerror or error}.") from error
        except orjson.JSONDecodeError as error:
            raise UsageError(f"'{path}' is not whole: {error}. Run the same evaluation again.") from error
        found = stored.get("format") if isinstance(stored, dict) else None
        if found != FORMAT:
            written = f"has format {found!r}" if found is not None else "is not a file of results"
            raise UsageError(
                f"'{path}' {written}; this version reads format {FORMAT}. "
                "Run the evaluation again into another folder, or use the version that wrote it."
            )
        try:
            return cls.model_validate(stored)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise UsageError(
                f"'{path}' was written by another version: field '{where}': {first['msg']}. "
                "Run the evaluation again into another folder."
            ) from error


def _missing(folder: Path) -> str:
    if (folder / JOURNAL).is_file():
        return f"The run in '{folder}' has not ended. Run the same 'hybridrag eval run' again to go on."
    return f"No results at '{folder}'. Run: hybridrag eval run --dataset NAME --out {folder}"


def in_order(rows: Sequence[Row], pipelines: Sequence[str], items: Sequence[Item]) -> tuple[Row, ...]:
    """Rows of these pipelines and items, by pipeline, then item; others are left out."""
    place = {item.id: number for number, item in enumerate(items)}
    turn = {name: number for number, name in enumerate(pipelines)}
    chosen = (row for row in rows if row.id in place and row.pipeline in turn)
    return tuple(sorted(chosen, key=lambda row: (turn[row.pipeline], place[row.id])))
