"""Whether a quarter went well, by a rule that the answer states and the checker computes again.

The rule is the 10-Q chatbot write-up's: at least two of earnings per share, revenue and net income are up on the same
quarter a year before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.contracts import Reading
from graphs.drafts.sentences import quoted
from graphs.local.answer import fact_sentences
from graphs.local.answer.overview import (
    asks_results,
    companies_asked_about,
    headline_of,
    headline_rows,
    is_headline,
    year_before,
)
from graphs.local.question.question_forms import DID_WELL
from tools.evidence import Evidence

JUDGED_BY = ("revenue", "net income", "diluted earnings per share")
"""Canonical names of the three figures, in the order in which they are named."""
NEEDED = 2
"""Of them that must be up."""

_RULE = "judged by whether at least two of revenue, net income and diluted earnings per share were up"
_ANSWER = re.compile(r"^(?:Yes|No), ")

Move = tuple[Evidence, Evidence]
"""A figure and the same one a year before."""


def asks_if_well(reading: Reading) -> bool:
    """True for 'Did Orla do well in Q2?': a yes or no about the results of companies as a whole."""
    return DID_WELL.search(reading.question) is not None and asks_results(reading)


def judgements(reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """A sentence for each company asked about; none where fewer figures than the rule needs are found."""
    asked = DID_WELL.search(reading.question)
    if asked is None or not asks_results(reading):
        return []
    badly = bool(asked["badly"] or asked["weak"])
    told = []
    for company in companies_asked_about(reading):
        own, rows = headline_rows(reading, company, evidence)
        found = _moves(rows, own)
        well = _went_well(found)
        if well is not None:
            marks = " ".join(f"[{rank}]" for move in found for rank in dict.fromkeys(i.rank for i in move))
            told.append(f"{'Yes' if well != badly else 'No'}, {_told(found, well)} {marks}.")
    return told


def judgement_fault(text: str, cited: Sequence[Evidence]) -> str | None:
    """Why the cited figures do not support a judgement by the rule; '' if they do, None where `text` holds none."""
    if _RULE not in text:
        return None
    items = [item for item in cited if is_headline(item)]
    found = _moves([item for item in items if year_before(item, items)], items)
    well = _went_well(found)
    if well is not None and _ANSWER.sub("", text) == _told(found, well):
        return ""
    return "the cited figures do not support this judgement"


def _moves(rows: Sequence[Evidence], pool: Sequence[Evidence]) -> list[Move]:
    """The rule's figures that have one a year before, in the rule's order."""
    best: dict[str, Move] = {}
    for now in rows:
        then = year_before(now, pool)
        if then is not None and headline_of(now) in JUDGED_BY:
            best.setdefault(headline_of(now), (now, then))
    return [best[name] for name in JUDGED_BY if name in best]


def _is_up(move: Move) -> bool:
    now, then = (fact_sentences.quantity_of(fact_sentences.fact_of(item)) for item in move)
    return now is not None and then is not None and now.amount > then.amount


def _went_well(found: Sequence[Move]) -> bool | None:
    """None where the figures that are missing could turn it."""
    up = sum(map(_is_up, found))
    if up >= NEEDED:
        return True
    return False if up + len(JUDGED_BY) - len(found) < NEEDED else None


def _told(found: Sequence[Move], well: bool) -> str:
    """'Orla Inc. did well in the three months ended ..., judged by ...: revenue and net income were up.'"""
    now = found[0][0]
    up = [headline_of(move[0]) for move in found if _is_up(move)]
    known = [headline_of(move[0]) for move in found]
    rest = [name for name in known if name not in up]
    missing = [name for name in JUDGED_BY if name not in known]
    parts = [
        f"{_listed(names)} {'was' if len(names) == 1 else 'were'} {what}"
        for names, what in ((up, "up"), (rest, "not up"), (missing, "not found"))
        if names
    ]
    span = "quarter" if now.period.months == 3 else "period"
    did = "did well" if well else "did not do well"
    return (
        f"{quoted(now.company)} {did} in the {now.period.describe()}, {_RULE} "
        f"on the same {span} a year before: {', '.join(parts)}"
    )


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
