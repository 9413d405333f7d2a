"""What an indexing run or a removal did, for whoever shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tools.documents.types import Document
from tools.store.disk.home import Entry
from tools.store.reading.model_broker import Spent
from tools.store.reading.pace import FileAt

NOTHING = Spent()

FileState = Literal[
    "indexed", "replaced", "unchanged", "same", "failed", "incomplete", "skipped", "gone", "removed"
]
"""`gone`: a file of an earlier run that is not there any more; `removed`: likewise, and its document was taken out."""
Stage = Literal["reading", "vectors", "knowledge", "publishing", "done"]
"""`publishing`: by a worker, into a database."""


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What became of one file."""

    file: str
    """As the user's path leads to it."""
    state: FileState
    reason: str = ""
    """Of a failed or skipped file; of one with the same content, the other's path; else what is worth
    saying.
    """
    entry: Entry | None = None
    """The document, if it is in the index."""
    document: Document | None = None
    """As read in this run or before; None where it was not looked at."""
    seconds: float = 0.0
    tally: Mapping[str, int] = field(default_factory=dict)
    """As `ModelExtractor.tally`, of a document read in this run; empty with the local extractor."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run is; `outcome` when a file was just finished."""

    stage: Stage
    done: int
    total: int
    outcome: FileOutcome | None = None
    spent: Spent = NOTHING
    """On model endpoints, so far."""
    in_hand: tuple[FileAt, ...] = ()
    """Files being read."""
    share: float = 0.0
    """Of the reading that is done, 0 to 1."""
    seconds_left: float | None = None
    """Of reading, at the pace so far; None while that would be a guess."""
    published: tuple[int, int] | None = None
    """When a generation was published meanwhile: the documents that can be asked, and of how many."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What an indexing run did. Counts are of the whole index."""

    outcomes: tuple[FileOutcome, ...]
    """In the order of the files, skipped ones and those that are gone last."""
    generation: int | None
    """In use after the run; None if nothing is indexed."""
    digest: str
    changed: bool
    """Whether a new generation was made."""
    documents: int
    chunks: int
    duplicates: int
    triplets: int
    seconds: float
    held: tuple[int, ...] = ()
    """Old generations that readers still have open; deleted when they let go."""
    spent: Spent = NOTHING
    """On model endpoints."""
    stopped: str = ""
    """Why the endpoint was not asked any more; '' if it was."""
    extractor: str = "local"
    """The chat model's name, where one read the prose."""

    @property
    def without_triplets(self) -> tuple[str, ...]:
        """Files of this run that yielded no triplet at all."""
        return tuple(o.file for o in self.outcomes if o.entry is not None and not o.entry.triplets)

    @property
    def without_relations(self) -> tuple[str, ...]:
        """Files read in this run of which the model found no relation that could be kept."""
        return tuple(o.file for o in self.outcomes if o.tally.get("windows") and not o.tally.get("kept"))

    @property
    def tally(self) -> dict[str, int]:
        """`FileOutcome.tally` of all files together."""
        total: Counter[str] = Counter()
        for outcome in self.outcomes:
            total.update(outcome.tally)
        return dict(sorted(total.items()))

    @property
    def counts(self) -> dict[FileState, int]:
        """Files by what became of them."""
        return dict(Counter(outcome.state for outcome in self.outcomes))

    @property
    def dropped(self) -> dict[str, int]:
        """Lines of noise left out of the files of this run, by kind."""
        total: Counter[str] = Counter()
        for outcome in self.outcomes:
            total.update(outcome.document.dropped if outcome.document is not None else {})
        return dict(total)


@dataclass(frozen=True, slots=True)
class RemovalReport:
    """What a removal did."""

    removed: tuple[Entry, ...]
    generation: int | None
    """In use afterwards; None if nothing is left."""
    digest: str
    seconds: float
    held: tuple[int, ...] = ()
    """Old generations that readers still have open, with what was removed; deleted when they let go."""
