"""The local clarifier: which company, or which quarter, a question means, and whether it misspells a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from graphs.contracts import Clarification, Reading
from graphs.drafts.refusals import did_you_mean
from graphs.index import Index
from graphs.local.dialogue.clarification import clarification, is_open
from graphs.local.dialogue.clarified import settled, settled_name
from graphs.local.dialogue.which_quarter import readings_of, said_before, settled_quarter, which
from graphs.protocols import OpenQuestion
from tools.documents.metadata.catalog import Catalog


@dataclass(frozen=True, slots=True)
class _WhichCompany:
    asked: Clarification
    question: str

    def settled(self, reply: str, catalog: Catalog) -> str:
        """See `OpenQuestion.settled`."""
        return settled(reply, self.question, self.asked, catalog)


@dataclass(frozen=True, slots=True)
class _WhichQuarter:
    asked: Clarification
    wordings: tuple[str, ...]
    """The question with its label as a fiscal and as a calendar one."""

    def settled(self, reply: str, catalog: Catalog) -> str:
        """See `OpenQuestion.settled`."""
        return settled_quarter(reply, self.wordings, self.asked, catalog)


@dataclass(frozen=True, slots=True)
class _DidYouMean:
    asked: Clarification
    question: str
    name: str
    """The unknown name, as the question writes it."""

    def settled(self, reply: str, catalog: Catalog) -> str:
        """See `OpenQuestion.settled`."""
        return settled_name(reply, self.question, self.name, self.asked, catalog)


class LocalClarifier:
    """A `graphs.protocols.Clarifier` that asks nothing but the index."""

    def left_open(
        self, reading: Reading, index: Index, turns: Sequence[str], read: Callable[[str], Reading]
    ) -> OpenQuestion | None:
        """See `Clarifier.left_open`. A quarter that was spoken of before is not asked back: what it was read as was
        shown then."""
        if wordings := readings_of(reading, index.catalog, read):
            return None if said_before(turns) else _WhichQuarter(which(wordings, read), wordings)
        if reading.nearest_companies and len(reading.unknown_companies) == 1 and not reading.companies:
            meant = Clarification(question=did_you_mean(reading), options=reading.nearest_companies)
            return _DidYouMean(meant, reading.question, reading.unknown_companies[0])
        asked = clarification(reading, index) if is_open(reading, index.catalog) else None
        return _WhichCompany(asked, reading.question) if asked else None

    def options(self, reading: Reading, index: Index) -> Clarification | None:
        """See `Clarifier.options`."""
        return clarification(reading, index)
