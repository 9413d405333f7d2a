"""A user's own question set: JSON Lines in the form of evals/data/README.md, 'Your own question set'."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field

from evals.datasets.files import Documents, data_hash, question_file
from evals.datasets.lines import Id, Line, Quarter, Words, Year, at, read_lines, refuse_repeated
from evals.datasets.types import Dataset, DatasetError, ExpectedNumber, Item, Place
from graphs.contracts import RouteKind
from tools.value_patterns import CURRENCY_CODES

NAME = "jsonl"
HOLDS = "a .jsonl file with a folder docs/ beside it, or a folder with one .jsonl file and docs/"

PLAIN_UNITS = ("", "percent", "percentage points", "basis points", "shares")
POWERS = {"one": 0, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}


def _unit(unit: str) -> str:
    if unit not in PLAIN_UNITS and unit.removesuffix("/share") not in CURRENCY_CODES:
        known = ", ".join(f"'{known}'" for known in PLAIN_UNITS)
        raise ValueError(
            f"must be a currency as 'USD', an amount per share as 'USD/share', or one of {known}"
        )
    return unit


class _Own(Line):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class _Number(_Own):
    value: Annotated[Decimal, Field(ge=-(10**15), le=10**15)]
    unit: Annotated[str, AfterValidator(_unit)] = ""
    scale: Literal["one", "thousand", "million", "billion", "trillion", 0, 3, 6, 9, 12] = 0


class _Place(_Own):
    document: Words
    page: Annotated[int, Field(ge=1)] | None = None


class _Line(_Own):
    """A null is a field left out."""

    question: Words
    id: Id | None = None
    answer: Words | None = None
    company: Words | None = None
    year: Year | None = None
    quarter: Quarter | None = None
    gold: tuple[Words, ...] | None = None
    numbers: tuple[_Number, ...] | None = None
    places: tuple[_Place, ...] | None = None
    alternates: tuple[_Place, ...] | None = None
    route: RouteKind | None = None
    answerable: bool | None = None
    kind: str | None = None


def load(path: Path | None) -> Dataset:
    """The set in `path`, named after its file. Raises DatasetError."""
    questions = _find(path)
    documents = Documents(questions.parent / "docs")
    lines = read_lines(questions, _Line)
    items = tuple(_item(questions, number, line, documents) for number, line in lines)
    refuse_repeated(questions, ((number, item.id) for (number, _), item in zip(lines, items, strict=True)))
    return Dataset(
        name=questions.stem,
        items=items,
        documents=(documents.root,),
        data_hash=data_hash([questions], [documents.root]),
    )


def _find(path: Path | None) -> Path:
    if path is None:
        raise DatasetError(f"Question set '{NAME}' needs --path: {HOLDS}.")
    if not path.is_dir():
        return question_file(path)
    found = sorted(file for file in path.glob("*.jsonl") if file.is_file())
    if len(found) != 1:
        listed = ": " + ", ".join(file.name for file in found) if found else ""
        raise DatasetError(f"'{path}' holds {len(found)} .jsonl files{listed}. It needs {HOLDS}.")
    return found[0]


def _item(path: Path, number: int, line: _Line, documents: Documents) -> Item:
    """A line without an id is called after its number: 'line-7'."""
    return Item(
        id=line.id or f"line-{number}",
        question=line.question,
        company=line.company,
        year=line.year,
        quarter=line.quarter,
        answer=line.answer,
        gold=line.gold or (),
        numbers=tuple(_number(given) for given in line.numbers or ()),
        places=tuple(
            _place(path, number, f"places[{n}]", p, documents) for n, p in enumerate(line.places or ())
        ),
        alternates=tuple(
            _place(path, number, f"alternates[{n}]", p, documents)
            for n, p in enumerate(line.alternates or ())
        ),
        route=line.route,
        answerable=line.answerable,
        kind=line.kind or "",
    )


def _number(given: _Number) -> ExpectedNumber:
    scale = POWERS[given.scale] if isinstance(given.scale, str) else given.scale
    return ExpectedNumber(value=given.value, unit=given.unit, scale=scale)


def _place(path: Path, number: int, field: str, given: _Place, documents: Documents) -> Place:
    found = documents.find(given.document)
    if not found:
        raise at(path, number, f"field '{field}.document': no '{given.document}' in '{documents.root}'")
    if len(found) > 1:
        listed = ", ".join(found[:4])
        raise at(path, number, f"field '{field}.document': '{given.document}' may be any of {listed}")
    return Place(document=found[0], page=given.page)
