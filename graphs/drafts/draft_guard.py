"""The contract of the check that code makes of a model's draft, whoever implements it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from graphs.drafts.claims import Claim
from tools.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Finding:
    """What code finds of one claim of a draft."""

    fault: str = ""
    """A hard fact of the claim that the cited evidence contradicts or lacks; it vetoes. Words for a reader."""
    doubt: str = ""
    """What the whole check objects to besides: a question to a judge; '' if nothing."""
    plain: bool = False
    """The claim gives figures with the words of their labels alone, or copies its evidence: without a doubt nobody
    needs to be asked about it. All else has wording, and that is for a judge."""
    evidence: tuple[int, ...] = ()
    """Ranks of the evidence it was held against."""
    nearest: str = ""
    """The sentence or table line of that evidence which comes nearest to the claim; for the judge and for whoever
    mends the claim."""

    @property
    def is_open(self) -> bool:
        """Is the claim a question to a judge?"""
        return not self.fault and bool(self.doubt or not self.plain)


class DraftGuard(Protocol):
    """Figures, units, periods, names, directions and quotations of a draft, held against what it cites."""

    def claims(self, text: str) -> list[Claim]:
        """The claims of a model's draft: sentences, list items, rows, and the headings, leads and column
        names that state something."""
        ...

    def find(
        self,
        claim: Claim,
        by_rank: Mapping[int, Evidence],
        *,
        question: str = "",
        beside: Sequence[Claim] = (),
    ) -> Finding:
        """Hard facts of one claim against the evidence it cites, and what else the whole check objects to.

        `by_rank`: all evidence by its marker; `beside`: the draft's other claims, from whose figures one may be
        computed.
        """
        ...

    def label_fault(self, head: Claim, by_rank: Mapping[int, Evidence], question: str) -> str:
        """Why a heading, lead or column name that states nothing may not stand: a word that is none of the question's,
        the evidence's or the form's. '' where it may, and for one of `claims`."""
        ...
