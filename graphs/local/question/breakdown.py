"""Figures asked for 'by segment': spelled out as one figure for each segment, product or region of the company."""

from __future__ import annotations

import re

from graphs.contracts import Reading
from graphs.index import Index
from tools.knowledge.lexicon.asked_metrics import find_asked
from tools.knowledge.search.breakdown import dimensions_in

_BY = re.compile(
    r"\s*\b(?:(?:broken\s+(?:down|out)|split)\s+)?(?:by|per|for\s+each|across|into)\s+(?:(?:the|its|their|each|all|reportable|operating"
    r"|business)\s+)*(?P<by>(?:segment|division|product|categor|region|geograph|countr)\w*)(?:\s+(?:lines?|categor\w+))?\b",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"^\W*(?:(?:please|can\s+you)\s+)*(?:break\s+(?:down|out)|split(?:\s+up)?)\s+", re.IGNORECASE
)


def spelled_out(reading: Reading, index: Index) -> str:
    """'Orla's net sales by segment in Q2 2024' as 'Orla's Retail net sales and Cloud net sales in Q2 2024'; the
    question as it is where it asks for nothing of the kind, or where no table of its one company tells the parts."""
    question = reading.question
    match = _BY.search(question)
    companies = reading.companies or reading.scope.companies
    if match is None or len(companies) != 1 or reading.out_of_scope:
        return question
    asked = [mention for mention in find_asked(question) if mention.end <= match.start()]
    if len(asked) != 1:
        return question
    (figure,) = asked
    ends = [period.end for period in reading.scope.periods if period.end is not None]
    by = dimensions_in(match["by"])
    names = index.part_names(companies[0], figure.canonical, by.pop(), ends) if by else ()
    if not names or any(name.lower() in question.lower() for name in names):  # one of them is asked for
        return question
    bare = re.sub(r"^total\s+", "", question[figure.start : figure.end], flags=re.IGNORECASE)
    each = [f"{name} {bare}" for name in names]
    between = question[figure.end : match.start()]
    listed = "; ".join(each)
    return _VERB.sub("What was ", f"{question[: figure.start]}{listed}{between}{question[match.end() :]}")
