"""Figures of facts and of texts: a fact's quantity and name, the quantities that a text states."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from functools import lru_cache

from graphs.drafts.sentences import quoted
from tools.documents.text.ordinary_words import ORDINARY
from tools.evidence import Evidence, Fact
from tools.evidence import fact_of as fact_of
from tools.values import Quantity, find_quantities

WHOLE_MATCH = 0.8
"""`Fact.match` from which line item, qualifiers and period all fit what was asked."""
NEAR_MATCH = 0.42
"""`Fact.match` from which a figure is near enough to what was asked to be worth showing."""
MIN_FACT_MATCH = 0.6
"""`Fact.match` below which a figure is of another line item, company or period than the question's."""

_LINE_ITEM_TEXT = """
diluted basic gross accrued deferred intangible noncurrent goodwill comprehensive weighted repurchases
repayments proceeds depreciation amortization impairment
"""


def is_from_text(fact: Fact) -> bool:
    """True for a figure read from running text: stated by quoting its sentence."""
    return fact.statement == "prose"


def quantity_of(fact: Fact) -> Quantity | None:
    """The fact's figure; None if its value is no number, or if it may not answer."""
    if not fact.may_answer:
        return None
    try:
        value = Decimal(fact.value)
    except InvalidOperation:
        return None
    return Quantity(value, fact.unit, fact.scale, fact.printed, 0, 0)


def fact_match(item: Evidence) -> float:
    """How well the item's figure fits what was asked, 0 to 1; 0 where it holds none that may answer."""
    return item.fact.match if item.fact is not None and item.fact.may_answer else 0.0


@lru_cache(maxsize=8192)
def quantities(text: str) -> tuple[Quantity, ...]:
    """`find_quantities`, remembered."""
    return tuple(find_quantities(text))


def label(fact: Fact, *, opening: bool = False) -> str:
    """Headings and line item: 'cost of sales, products'; `opening` keeps the first capital."""
    parts = [quoted(part.strip().rstrip(":")) for part in (*fact.path, fact.metric)]
    parts = [part for part in parts if part]
    return ", ".join(part if opening and not n else in_sentence(part) for n, part in enumerate(parts))


_LINE_ITEM_WORDS = frozenset(_LINE_ITEM_TEXT.split())


def in_sentence(part: str) -> str:
    """'Total net sales' as it stands inside a sentence; names ('Data Center') and abbreviations keep their capitals."""
    first, _, rest = part.partition(" ")
    capitals = first[1:] and not first[1:].islower()
    longer = [word for word in rest.split() if len(word) > 3]
    titled = bool(longer) and all(word[0].isupper() for word in longer)
    if capitals or titled or not (first.lower() in ORDINARY or first.lower() in _LINE_ITEM_WORDS):
        return part
    return f"{first.lower()} {rest}".strip()
