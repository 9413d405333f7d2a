"""The project's own set: questions on the sample documents (evals/data/README.md, `sample.jsonl`)."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from evals.datasets.files import data_hash
from evals.datasets.lines import Id, Line, Words, read_lines, refuse_repeated
from evals.datasets.types import Dataset, DatasetError, ExpectedNumber, Item, Place
from evals.facts import SCALES
from evals.records import DATA
from evals.samples import DOCUMENTS
from graphs.contracts import RouteKind

NAME = "sample"
SAMPLE = DATA / "sample.jsonl"


class _Number(Line):
    value: Decimal
    unit: str
    scale: Literal["one", "thousand", "million", "billion"]


class _Page(Line):
    source: Words
    page: Annotated[int, Field(ge=1)]


class _Question(Line):
    id: Id
    question: Words
    answerable: bool
    route: RouteKind
    expected_numbers: tuple[_Number, ...]
    gold_sentences: tuple[Words, ...]
    source: Words | None
    page: Annotated[int, Field(ge=1)] | None
    reason: str = ""
    also: tuple[_Page, ...] = ()
    alternates: tuple[_Page, ...] = ()


def load(path: Path | None = None) -> Dataset:
    """The questions, without filters: each names its company and period. DatasetError for a `path`, which this set
    does not have, and where the package was installed without its documents."""
    if path is not None:
        raise DatasetError(f"Question set '{NAME}' is the project's own and takes no --path.")
    if not DOCUMENTS.is_dir():
        raise DatasetError("The sample documents are not installed. Reinstall hybridrag.")
    lines = read_lines(SAMPLE, _Question)
    refuse_repeated(SAMPLE, ((number, line.id) for number, line in lines))
    return Dataset(
        name=NAME,
        items=tuple(_item(line) for _, line in lines),
        documents=(DOCUMENTS,),
        data_hash=data_hash([SAMPLE], [DOCUMENTS]),
    )


def _item(line: _Question) -> Item:
    own = [Place(document=line.source, page=line.page)] if line.source else []
    return Item(
        id=line.id,
        question=line.question,
        gold=line.gold_sentences,
        numbers=tuple(
            ExpectedNumber(value=n.value, unit=n.unit, scale=SCALES[n.scale]) for n in line.expected_numbers
        ),
        places=(*own, *(Place(document=place.source, page=place.page) for place in line.also)),
        alternates=tuple(Place(document=place.source, page=place.page) for place in line.alternates),
        route=line.route,
        answerable=line.answerable,
        kind=line.route if line.answerable else line.reason,
    )
