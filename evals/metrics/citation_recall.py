"""Citation recall: is everything cited that a whole answer cites?"""

from __future__ import annotations

from evals.datasets.types import Item
from evals.metrics.citing import cited_gold, fits, standard
from evals.metrics.gold import found, gold_sentences
from evals.metrics.types import Metric, not_applicable
from evals.rows import Row, Score


def score(item: Item, row: Row) -> Score:
    """Share of the places that are cited; each alternate that is cited stands in for one place that is not. Where the
    places name no page and gold sentences are known: share of these in the cited contexts. An answer that was withheld
    cites nothing."""
    against = standard(item)
    if against is None or item.answerable is False:
        return not_applicable("no place and no gold sentence is known")
    citations = () if row.status in ("abstained", "failed") else row.citations
    if against == "sentences":
        total = len(gold_sentences(item))
        have = found([cited_gold(item, row, citation) for citation in citations])
    else:
        total = len(set(item.places)) or 1
        cited = {place for place in item.places if any(fits(c, place) for c in citations)}
        instead = {p for p in item.alternates if p not in cited and any(fits(c, p) for c in citations)}
        have = min(total, len(cited) + len(instead))
    return Score(value=have / total, reason=f"{have} of {total} {against} cited")


CITATION_RECALL = Metric("citation_recall", "Citation recall", "answer", score)
