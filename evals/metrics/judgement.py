"""Judgement: does the answer to a yes-or-no question say yes where yes is right, and no where no is?"""

from __future__ import annotations

import re

from evals.datasets.types import Item
from evals.metrics.types import Metric, not_applicable
from evals.rows import Row, Score

_FIRST = re.compile(r"^\W*(yes|no)\b", re.IGNORECASE)
_TOLD = re.compile(
    r"\b(?:did|has|have|had)\s+(not\s+)?(?:(?:do|done|perform(?:ed)?)\s+well)\b", re.IGNORECASE
)


def said(answer: str) -> bool | None:
    """Yes or no, as the answer's first word or in its words; None for neither."""
    first = _FIRST.match(answer)
    if first:
        return first[1].lower() == "yes"
    told = _TOLD.search(answer)
    return None if told is None else told[1] is None


def score(item: Item, row: Row) -> Score:
    """1 for the right one, 0 for the wrong one or neither. Applies where the expected answer is 'yes' or 'no'."""
    if item.answer not in ("yes", "no"):
        return not_applicable("no judgement is asked for")
    told = said(row.answer) if row.status in ("answered", "partial") else None
    words = {True: "yes", False: "no", None: "neither"}[told]
    return Score(value=float(words == item.answer), reason=f"says {words}, expected {item.answer}")


JUDGEMENT = Metric("judgement", "Yes/no judgement", "answer", score)
