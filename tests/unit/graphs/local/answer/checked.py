"""Drafts of the local engine that its own checker finds nothing wrong with."""

from __future__ import annotations

from collections.abc import Sequence

from graphs.contracts import Draft, Reading
from graphs.local.answer.answerer import LocalAnswerer
from graphs.local.check.checker import LocalChecker
from tools.evidence import Evidence


def checked_draft(asked: Reading, evidence: Sequence[Evidence]) -> Draft:
    """The draft, after it has passed the checker."""
    made = LocalAnswerer().draft(asked, evidence)
    if made.abstained is None:
        verdict = LocalChecker().check(asked, made, evidence)
        assert verdict.score == 1, [s for s in verdict.statements if not s.supported]
    return made
