"""Whether a model's draft answers a comparison: every part, in one table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.contracts import Draft, Reading
from graphs.drafts.claims import read_claims
from graphs.drafts.figures import quantities, quantity_of
from tools.evidence import Evidence
from tools.values import same_amount

_RULE = re.compile(r"^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)+\|?[ \t]*$", re.MULTILINE)
"""The line below a Markdown table's head."""


def lacks(draft: Draft, sure: Draft, reading: Reading, evidence: Sequence[Evidence]) -> str:
    """What `draft` lacks of a comparison that `sure`, a draft of facts chosen for its parts, answers in a table:
    'one table', 'a figure for Orla, period ended June 29, 2024'; '' where it lacks nothing or nothing is compared."""
    if len(reading.parts) < 2 or len(_RULE.findall(sure.text)) != 1:
        return ""
    if len(_RULE.findall(draft.text)) != 1:
        return "one table"
    shown = {marker for claim in read_claims(sure.text) for marker in claim.markers}
    stated = [q for line in draft.text.split("\n") if "|" in line for q in quantities(line)]
    for item in evidence:
        quantity = quantity_of(item.fact) if item.rank in shown and item.fact is not None else None
        if quantity is None:
            continue
        if not any(same_amount(one, quantity) or abs(one.amount) == abs(quantity.amount) for one in stated):
            return f"a figure of {item.company}, {item.period.describe()}"
    return ""
