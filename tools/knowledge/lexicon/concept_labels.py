"""Which names filings print for the concepts of US-GAAP, and the statement that a concept belongs to.

The table is data, learned from tagged filings by `evals.learn_concepts`; its source is told beside it.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from tools.knowledge.lexicon.metric_names import fold_label

TABLE = Path(__file__).parent / "data" / "concepts.json"
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+(?:\.\d+)?")


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(TABLE.read_text(encoding="utf-8"))
    return table


@cache
def _by_label() -> dict[str, dict[str, int]]:
    """Folded label -> its concepts, with the companies that print each so."""
    found: dict[str, dict[str, int]] = {}
    for concept, entry in _table().items():
        for label, companies in entry["labels"].items():
            counts = found.setdefault(fold_label(label), {})
            counts[concept] = counts.get(concept, 0) + companies
    return found


def concept_of(label: str, statement: str) -> str | None:
    """The concept that filings print as `label` in `statement` ('income', 'balance', ...; '' for any); None where the
    table knows none, or several of which none is meant by more companies than all others."""
    counts = {
        concept: companies
        for concept, companies in _by_label().get(fold_label(label), {}).items()
        if not statement or statement in statements_of(concept)
    }
    best = max(counts, key=lambda concept: counts[concept], default=None)
    return best if best is not None and 2 * counts[best] > sum(counts.values()) else None


def labels_of(concept: str) -> tuple[str, ...]:
    """The names that filings print for a concept, the most common first."""
    labels: dict[str, int] = _table().get(_key(concept), {}).get("labels", {})
    return tuple(sorted(labels, key=lambda label: (-labels[label], len(label), label)))


def statements_of(concept: str) -> tuple[str, ...]:
    """The statements in which a concept stands; () where it stands in notes alone or is not known."""
    return tuple(_table().get(_key(concept), {}).get("statements", ()))


def concept_name(concept: str) -> str:
    """A name for a concept: the label that most filings print, else its own name in words, without the word for the
    filer itself ('dei:EntityPublicFloat')."""
    learned = labels_of(concept)
    if learned:
        return learned[0]
    words = _WORD.findall(concept.removeprefix("dei:Entity").rpartition(":")[2])
    return " ".join(w if k == 0 or w.isupper() else w.lower() for k, w in enumerate(words))


def _key(concept: str) -> str:
    return concept.removeprefix("us-gaap:")
