"""Whether a quarter went well: the answer states the rule of `graphs.local.check.quarter_rule` and what it says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.contracts import Reading
from graphs.local.answer.overview import headline_rows
from graphs.local.check.quarter_rule import judgement, moves, went_well
from graphs.local.question.overviews import asks_results, companies_asked_about
from graphs.local.question.question_forms import DID_WELL
from tools.evidence import Evidence


def asks_if_well(reading: Reading) -> re.Match[str] | None:
    """The wording of 'Did Orla do well in Q2?', a yes or no about the results of companies as a whole; None for other
    questions."""
    return DID_WELL.search(reading.question) if asks_results(reading) else None


def judgements(reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """A sentence for each company asked about; none where fewer figures than the rule needs are found."""
    asked = asks_if_well(reading)
    if asked is None:
        return []
    badly = bool(asked["badly"] or asked["weak"])
    sentences = []
    for company in companies_asked_about(reading):
        own, rows = headline_rows(reading, company, evidence)
        found = moves(rows, own)
        well = went_well(found)
        if well is not None:
            marks = " ".join(f"[{rank}]" for move in found for rank in dict.fromkeys(i.rank for i in move))
            sentences.append(f"{'Yes' if well != badly else 'No'}, {judgement(found, well)} {marks}.")
    return sentences
