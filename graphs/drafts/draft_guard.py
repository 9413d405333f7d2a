"""The contract of the check that code makes of a model's draft, whoever implements it."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
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
    """What the whole check objects to besides: a question to a judge. '' only where every word of the claim holds by
    the whole local check; then no judge needs to be asked."""
    evidence: tuple[int, ...] = ()
    """Ranks of the evidence it was held against."""
    nearest: str = ""
    """The sentence or table line of that evidence which comes nearest to the claim; for the judge and for whoever
    mends the claim."""


class DraftGuard(Protocol):
    """Figures, units, periods, names, directions and quotations of a draft, held against what it cites."""

    def claims(self, text: str) -> list[Claim]:
        """The claims of a model's draft: sentences, list items, rows, and headings that state a figure."""
        ...

    def find(
        self,
        claim: Claim,
        by_rank: Mapping[int, Evidence],
        *,
        question: str = "",
        names: Container[str] = (),
        beside: Sequence[Claim] = (),
    ) -> Finding:
        """Hard facts of one claim against the evidence it cites, and what else the whole check objects to.

        `by_rank`: all evidence by its marker; `names`: folded names that the catalogue knows; `beside`: the draft's
        other claims, from whose figures one may be computed.
        """
        ...
