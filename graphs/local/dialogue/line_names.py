"""What a question calls a line item of a statement or table."""

from __future__ import annotations

import re

from graphs.drafts.figures import in_sentence
from graphs.drafts.words import content
from graphs.local.answer import fact_sentences
from tools.knowledge.lexicon.vocabulary import VOCABULARY
from tools.knowledge.search.line_items import THREE_STATEMENTS, LineItem

_BY = re.compile(r"\s+by\s.*$", re.IGNORECASE)
"""'Net sales by category' heads net sales."""
_MOVES = re.compile(r"changes?\s+in\b", re.IGNORECASE)
"""Heads changes of balances in a statement of cash flows: their rows have the balances' own labels."""
_UNNAMED = re.compile(r"\d|\bof\s+(?:the\s+)?(?:period|year|quarter)\b", re.IGNORECASE)
_WORDS = re.compile(r"[A-Za-z][\w\s,.&'’()/-]*$")
_HEAD = re.compile(r"\s(?:of|for|by|from|to|in|on|before|generated|provided|used)\b")
MAX_LABEL_WORDS = 7
"""Words of a label that a question repeats."""


def line_name(item: LineItem) -> str:
    """What a question calls it: 'total net sales', 'product revenue' for 'Products' under 'Revenue'; '' for a row that
    has no plain name, or one that does not say what is counted."""
    if item.combined in VOCABULARY:
        return item.combined
    label, known = _in_sentence(item.label.rstrip(":")), item.canonical in VOCABULARY
    if _is_called_like_another(item) or _UNNAMED.search(label):
        return ""
    if len(label.split()) > MAX_LABEL_WORDS or not _WORDS.match(label):
        return item.canonical if known and item.statement in THREE_STATEMENTS else ""
    if item.statement in THREE_STATEMENTS:
        return item.canonical if known and item.path else label
    return _of_a_part(item, label, known=known)


def _is_called_like_another(item: LineItem) -> bool:
    """True for a row of the statement of equity, or for the change of a balance: it has the balance's own label."""
    moves = item.statement == "cash_flow" and any(_MOVES.match(heading) for heading in item.path)
    return item.statement == "equity" or moves


def _of_a_part(item: LineItem, label: str, *, known: bool) -> str:
    """The name of a row of a segment's or another table, with what its heading or its table's title adds."""
    heading = _heading(item, label)
    if known:
        return f"{heading} {label}".strip()
    if heading and item.path_canonicals[-1] in VOCABULARY:
        return f"{label} {heading.lower()}"
    if not label.istitle():
        return label
    counted = sorted(item.title_canonicals & VOCABULARY.keys())
    return f"{label} {counted[0]}" if len(counted) == 1 else ""


def _heading(item: LineItem, label: str) -> str:
    """The heading that the row stands under; '' where it adds nothing to the label."""
    heading = _BY.sub("", item.path[-1]).rstrip(":") if item.path else ""
    repeats = set(content(heading)) & set(content(label)) or heading in item.title
    return heading if _WORDS.match(heading) and not repeats else ""


def _in_sentence(label: str) -> str:
    """A label in sentence case without its first capital; names and abbreviations keep theirs."""
    first, _, rest = label.partition(" ")
    if first.istitle() and (rest.islower() or first == "Total"):
        return f"{first.lower()} {rest}"
    return label if rest else in_sentence(label)


def verb(name: str) -> str:
    """'was' or 'were', by the head of the name: 'net cash provided by operating activities' was."""
    return fact_sentences.verb(_HEAD.split(name)[0])
