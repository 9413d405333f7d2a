"""JSON Lines of a question set to typed records; what is wrong is said by file, line and field."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from evals.datasets.types import DatasetError
from tools.documents.text.cleaning import clean


def _with_words(text: str) -> str:
    if not clean(text).strip():
        raise ValueError("must hold text")
    return text


def _as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _quarter(value: Any) -> Any:
    return int(value[1]) if value in {"Q1", "Q2", "Q3", "Q4"} else value


Words = Annotated[str, AfterValidator(_with_words)]
"""Text that is not blank."""
Id = Annotated[Words, BeforeValidator(_as_text)]
"""Text or a whole number."""
Year = Annotated[int, Field(ge=1900, le=2200)]
Quarter = Annotated[int, BeforeValidator(_quarter), Field(ge=1, le=4)]
"""1 to 4, or 'Q1' to 'Q4'."""


class Line(BaseModel):
    """One object a line, without conversions between types; fields that are not named here are left alone."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


R = TypeVar("R", bound=Line)


def at(path: Path, number: int, what: str) -> DatasetError:
    """The error for a line, to be raised."""
    return DatasetError(f"{path} line {number}: {what}")


def read_bytes(path: Path) -> bytes:
    """A question file, without its byte-order mark. DatasetError where it can't be read."""
    try:
        return path.read_bytes().removeprefix(BOM_UTF8)
    except OSError as error:
        raise DatasetError(f"Can't read '{path}': {error.strerror or error}.") from error


def read_lines(path: Path, kind: type[R]) -> list[tuple[int, R]]:
    """The records of a JSON Lines file with their line numbers, from 1; blank lines are passed over.

    Raises DatasetError for a line that is no such record, and for a file without any.
    """
    found = []
    for number, line in enumerate(read_bytes(path).split(b"\n"), start=1):
        if line.strip():
            try:
                found.append((number, kind.model_validate_json(line)))
            except ValidationError as error:
                raise at(path, number, _told(error, kind)) from error
    if not found:
        raise DatasetError(f"{path} holds no question.")
    return found


def refuse_repeated(path: Path, ids: Iterable[tuple[int, str]]) -> None:
    """DatasetError if two lines have one id."""
    seen: dict[str, int] = {}
    for number, key in ids:
        if key in seen:
            raise at(path, number, f"field 'id': '{key}' is the id of line {seen[key]}, too")
        seen[key] = number


def _told(error: ValidationError, kind: type[BaseModel]) -> str:
    """The first thing that is wrong, in words."""
    first = error.errors(include_url=False)[0]
    why = first["msg"].removeprefix("Value error, ").removeprefix("Invalid JSON: ")
    if first["type"] == "json_invalid":
        return f"not JSON: {why}"
    if not first["loc"]:
        return 'not an object such as {"question": "..."}'
    name = _field(first["loc"])
    if first["type"] == "extra_forbidden":
        known = f"; known: {', '.join(kind.model_fields)}" if len(first["loc"]) == 1 else ""
        return f"unknown field '{name}'{known}"
    if first["type"] == "missing":
        return f"field '{name}' is missing"
    return f"field '{name}' {why.replace('Input should be', 'must be').replace('input should be', 'must be')}"


def _field(loc: tuple[int | str, ...]) -> str:
    """'numbers[0].value'."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc)
    return "".join(parts).removeprefix(".")
