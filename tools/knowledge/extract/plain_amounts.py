"""What a plain '$30' of a document's sentences is in: dollars, or the thousands or millions that its tables are in."""

from __future__ import annotations

from collections.abc import Sequence

from tools.documents.types import ParsedDocument
from tools.knowledge.extract.cited_sentences import Passage
from tools.knowledge.extract.table_triplets import PRIMARY_STATEMENTS
from tools.values import Quantity, find_quantities

MIN_PLAIN_AMOUNTS = 10
"""Fewer are no habit of a document."""
SCALE_SAID = 10
"""Plain amounts for each with 'million' or 'billion' from which a document leaves the scale to its headings."""
MAX_PLAIN_MONEY = 1_000_000
"""Amounts from here on are meant as they stand."""


def stands_as_printed(quantity: Quantity) -> bool:
    """Whether an amount of money needs no heading: its scale is said, or it has cents, or it is large or nothing."""
    cents = quantity.value.as_tuple().exponent == -2
    return bool(quantity.scale) or cents or abs(quantity.value) >= MAX_PLAIN_MONEY or quantity.value == 0


def plain_scale(parsed: ParsedDocument, sentences: Sequence[Passage]) -> int | None:
    """The power of ten of amounts that stand without a scale in `sentences`; None where that is not known: most
    documents say it with every amount, and a plain one may be of any kind."""
    scales = {
        fact.scale
        for table in parsed.tables
        if table.statement in PRIMARY_STATEMENTS
        for fact in table.facts
        if len(fact.unit) == 3
    }
    if len(scales) != 1:
        return None
    money = [q for each in sentences for q in find_quantities(each.text) if len(q.unit) == 3]
    said = sum(q.scale > 0 for q in money)
    plain = sum(not stands_as_printed(q) for q in money)
    return scales.pop() if plain >= max(MIN_PLAIN_AMOUNTS, SCALE_SAID * said) else None
