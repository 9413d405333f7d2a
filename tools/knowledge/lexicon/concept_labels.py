"""Which names filings print for the concepts of US-GAAP.

The table is data, learned from tagged filings by `evals.learn_concepts`; its source is told beside it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

from tools.documents.text.cleaning import name_words

TABLE = Path(__file__).parent / "data" / "concepts.json"


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(TABLE.read_text(encoding="utf-8"))
    return table


def labels_of(concept: str) -> tuple[str, ...]:
    """The names that filings print for a concept, the most common first."""
    labels: dict[str, int] = _table().get(_key(concept), {}).get("labels", {})
    return tuple(sorted(labels, key=lambda label: (-labels[label], len(label), label)))


MIN_SHARE = 0.8
"""Part of the filings that print a name which must print it for one concept."""


@cache
def _concepts_by_label() -> dict[str, str]:
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    for concept, about in _table().items():
        for label, count in about.get("labels", {}).items():
            counts[label.casefold()][concept] = count
    best = {label: max(found, key=lambda each: (found[each], each)) for label, found in counts.items()}
    return {
        label: concept
        for label, concept in best.items()
        if counts[label][concept] >= MIN_SHARE * sum(counts[label].values())
    }


def concept_of(label: str) -> str:
    """The concept that filings print a name for, 'us-gaap:Assets'; '' for a name of several or of none."""
    concept = _concepts_by_label().get(label.casefold(), "")
    return concept if ":" in concept or not concept else f"us-gaap:{concept}"


def concept_name(concept: str) -> str:
    """A name for a concept: the label that most filings print, else its own name in words, without the word for the
    filer itself ('dei:EntityPublicFloat')."""
    learned = labels_of(concept)
    if learned:
        return learned[0]
    words = name_words(concept.removeprefix("dei:Entity").rpartition(":")[2])
    return " ".join(w if k == 0 or w.isupper() else w.lower() for k, w in enumerate(words))


def _key(concept: str) -> str:
    return concept.removeprefix("us-gaap:")
