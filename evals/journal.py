"""The folder of a run while it is written: its lock, its configuration, and a row as each question ends."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from agent.errors import UsageError
from evals.results import CONFIG, FORMAT, JOURNAL, RESULTS, RunConfig
from evals.rows import Row
from tools.closing import Closing
from tools.store.disk.home import replace_file
from tools.store.disk.lock import FileLock

LOCK = "lock"
REPORTS = ("results.csv", "report.html", "report.md")

Key = tuple[str, str]
"""Pipeline and item id."""


class RunWriteError(OSError):
    """The operating system refuses to write the run's folder; what was finished is kept."""

    def __init__(self, folder: Path, error: OSError) -> None:
        super().__init__(
            f"Cannot write to '{folder}': {error.strerror or error}. What was finished is kept. Make room or give "
            "permission, then run the same command again to go on."
        )


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """What the operating system refuses becomes a RunWriteError."""
    try:
        yield
    except RunWriteError:
        raise
    except OSError as error:
        raise RunWriteError(folder, error) from error


def taken(folder: Path) -> FileLock:
    """The folder, made if it is missing, for this process alone. UsageError if another run writes there,
    RunWriteError."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock.try_take(folder / LOCK, shared=False)
    if lock is None:
        raise UsageError(f"Another run writes to '{folder}'. Wait until it ends, or choose another --out.")
    return lock


class Begun(BaseModel):
    """config.json."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    config: RunConfig
    created: str
    """ISO 8601, UTC: the first start."""
    seconds: float = 0.0
    """Of all starts that ended in an orderly way."""


class Journal(Closing):
    """The rows of a run, by pipeline and item. One process holds it; a context manager."""

    def __init__(self, folder: Path) -> None:
        """See `taken`."""
        self.folder = folder
        self.rows: dict[Key, Row] = {}
        self._file: BinaryIO | None = None
        self._lock = taken(folder)

    def begin(self, config: RunConfig, now: str) -> Begun:
        """Go on with the run that is there, or begin one. UsageError if the one there has another configuration."""
        before = self.begun()
        if before is None:
            begun = Begun(config=config, created=now)
        else:
            refuse_other(self.folder, before.config, config)
            known = before.config.pipelines
            pipelines = known + tuple(name for name in config.pipelines if name not in known)
            indexes = {**before.config.indexes, **config.indexes}
            grown = before.config.model_copy(update={"pipelines": pipelines, "indexes": indexes})
            begun = before.model_copy(update={"config": grown})
        with writing(self.folder):
            if begun != before:
                self._replace(CONFIG, orjson.dumps(begun.model_dump(mode="json"), option=orjson.OPT_INDENT_2))
            self._read()
            self._file = (self.folder / JOURNAL).open("ab")
        return begun

    def clear(self) -> None:
        """Forget what an earlier run left here."""
        with writing(self.folder):
            for name in (RESULTS, *REPORTS, JOURNAL, CONFIG):
                (self.folder / name).unlink(missing_ok=True)
        self.rows = {}

    def add(self, row: Row) -> None:
        """Keep a row; it is with the operating system when this returns. RunWriteError."""
        assert self._file is not None
        with writing(self.folder):
            self._file.write(row.model_dump_json().encode() + b"\n")
            self._file.flush()
        self.rows[(row.pipeline, row.id)] = row

    def drop(self, keys: Iterable[Key]) -> None:
        """Forget rows, so that they are asked again: on disk when they are, as the later line counts."""
        for key in keys:
            del self.rows[key]

    def spent(self, begun: Begun, seconds: float) -> Begun:
        """Note the time of this start."""
        later = begun.model_copy(update={"seconds": round(begun.seconds + seconds, 3)})
        with writing(self.folder):
            self._replace(CONFIG, orjson.dumps(later.model_dump(mode="json"), option=orjson.OPT_INDENT_2))
        return later

    def close(self) -> None:
        """Let others write here."""
        file, self._file = self._file, None
        try:
            if file is not None:
                with writing(self.folder):
                    file.close()
        finally:
            self._lock.release()

    def begun(self) -> Begun | None:
        """What config.json says; None before the first start. UsageError if it can't be read."""
        path = self.folder / CONFIG
        try:
            return Begun.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UsageError(f"Can't read '{path}': {error.strerror or error}.") from error
        except ValidationError as error:
            raise UsageError(
                f"'{path}' was written by another version. Choose another --out, or --fresh to replace that run."
            ) from error

    def _read(self) -> None:
        """The rows that are there. A line that a kill cut short is taken out; its question is asked again."""
        path = self.folder / JOURNAL
        lines = path.read_bytes().split(b"\n") if path.exists() else []
        whole: list[bytes] = []
        for line in lines[:-1]:
            try:
                row = Row.model_validate_json(line)
            except ValidationError:
                continue
            whole.append(line)
            self.rows[(row.pipeline, row.id)] = row
        if lines != [*whole, b""]:
            self._replace(JOURNAL, b"".join(line + b"\n" for line in whole))

    def _replace(self, name: str, data: bytes) -> None:
        replace_file(self.folder / name, data)


def refuse_other(folder: Path, before: RunConfig, now: RunConfig) -> None:
    """UsageError naming what differs between the run in `folder` and the one asked for. More pipelines are fine."""
    told = []
    if before.code != now.code:
        told.append("the program's code")
    for name in ("dataset", "limit", "seed"):
        old, new = getattr(before, name), getattr(now, name)
        if old != new:
            told.append(f"{name} ({_word(old)}, now {_word(new)})")
    if before.dataset == now.dataset and before.data_hash != now.data_hash:
        told.append("the data set's content")
    for name in sorted({*before.settings, *now.settings}):
        old, new = before.settings.get(name), now.settings.get(name)
        if old != new:
            told.append(f"HYBRIDRAG_{name.upper()} ({_word(old)}, now {_word(new)})")
    told += [
        f"the '{splitter}' index"
        for splitter, digest in now.indexes.items()
        if before.indexes.get(splitter, digest) != digest
    ]
    if told:
        raise UsageError(
            f"The run in '{folder}' was made with another configuration; these differ: {', '.join(told)}. "
            "Set them back to go on with it, choose another --out, or replace it with --fresh."
        )


def _word(value: object) -> str:
    return "none" if value is None else os.fspath(value) if isinstance(value, Path) else str(value)
