"""What a question set holds, whatever file it came from."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ConfigDict

from graphs.contracts import RouteKind
from tools.values import Quantity


class DatasetError(ValueError):
    """A question set that is missing or of another shape; the message names file, line and field."""


class ExpectedNumber(BaseModel):
    """A figure that a right answer states."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: Decimal
    """As printed, before `scale`; a loss is negative."""
    unit: str = ""
    """As `tools.evidence.Fact.unit`; '' where none is printed: any unit will do."""
    scale: int = 0
    """Power of ten: 0, 3, 6, 9 or 12."""

    @property
    def quantity(self) -> Quantity:
        """The figure, to compare with those found in text."""
        return Quantity(self.value, self.unit, self.scale, str(self.value), 0, 0)


class Place(BaseModel):
    """Where an answer stands."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    document: str
    """File name, or its path where the set has several files of that name."""
    page: int | None = None
    """Counted from 1; None where only the document is known."""

    def names(self, document: str) -> bool:
        """True if this is the file that evidence shows as `document`: by its name, or by its path below the indexed
        folder where another file of the index has that name, too."""
        ours, theirs = PurePosixPath(self.document).parts, PurePosixPath(document).parts
        shared = min(len(ours), len(theirs))
        return shared > 0 and ours[-shared:] == theirs[-shared:]


class Item(BaseModel):
    """One question and what is known of its right answer. What is not known is None or empty, and the metrics that
    need it do not apply."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    """Unique in its set."""
    question: str
    company: str | None = None
    year: int | None = None
    quarter: int | None = None
    """Filters, set as a user sets them: never loosened."""
    answer: str | None = None
    """The expected answer, in words."""
    gold: tuple[str, ...] = ()
    """Passages of the documents that answer the question, word for word."""
    numbers: tuple[ExpectedNumber, ...] = ()
    places: tuple[Place, ...] = ()
    """Documents, or pages of them, that a whole answer cites."""
    alternates: tuple[Place, ...] = ()
    """Pages that are as good as any of `places`."""
    route: RouteKind | None = None
    answerable: bool | None = None
    """False where the documents do not hold the answer: abstaining is right."""
    kind: str = ""
    """A group to report apart: 'Single-Doc Single-Chunk RAG, Table'."""


class Dataset(BaseModel):
    """A question set over its documents."""

    model_config = ConfigDict(frozen=True)

    name: str
    items: tuple[Item, ...]
    documents: tuple[Path, ...]
    """Files and folders to index, read where they lie."""
    data_hash: str
    """SHA-256 over the question file and every document, names and bytes, in a fixed order."""
    notes: tuple[str, ...] = ()
    """What a reader of the results should know, as rows left out and why."""
