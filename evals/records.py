"""Question sets of evals/data: lines to typed records, one half at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict

DATA = Path(__file__).parent / "data"

Half = Literal["tune", "held"]
HALVES = ("tune", "held", "all")


class Record(BaseModel):
    """What every question set has: one JSON object a line."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    question: str
    half: Half
    """`tune` may be looked at while building; `held` only to measure."""


class RouteRecord(Record):
    """A line of `routes.jsonl`."""

    route: str


R = TypeVar("R", bound=Record)


def load(path: Path, kind: type[R], half: str = "all") -> list[R]:
    """The records of a JSON Lines file, in its order; only those of `half` unless it is 'all'.

    Raises OSError when the file can't be read, pydantic's ValidationError for a line that is no such record.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    records = [kind.model_validate_json(line) for line in lines if line.strip()]
    return [record for record in records if half in ("all", record.half)]


def percent(part: int, whole: int) -> str:
    """'97.2 %'; '-' of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "-"
