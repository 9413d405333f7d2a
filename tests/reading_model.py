"""A scripted chat model that reads: what it says depends on the text alone, so that every run gets the same."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from tests.endpoint import Asked, Said

_FENCED = re.compile(r"<<<DATA (\w+)\n(.*?)\n\1 DATA>>>", re.DOTALL)
_NAMES = re.compile(r"\b([A-Z][a-z]+ Corporation)\b")
_PLACES = re.compile(r"\b(?:\w+\s+){0,3}plants in ([A-Z][a-z]+)\b")


def tokens_of(text: str) -> int:
    """As a byte-pair tokenizer might count: about four characters a token."""
    return max(1, round(len(text) / 4.2))


def reading(asked: Asked) -> Said:
    """Reads in one pass who opened plants where; of two tiers, it refines by copying the first 450 characters."""
    found = _FENCED.findall(asked.prompt)
    about, text = found[0][1], found[1][1]
    refined = f"{about.split(',')[0]}: {text[:450]}"
    reply = json.dumps({"triplets": triplets(about, text)}) if asked.form else refined
    return Said(reply, usage=(tokens_of(asked.prompt), tokens_of(reply)))


def triplets(about: str, text: str) -> list[dict[str, Any]]:
    """What stands in the text, one that stands nowhere and one that is none."""
    company = about.split(",")[0]
    stamp = hashlib.sha256(text.encode()).hexdigest()[:6]
    return [
        *(relation(company, "opened plants in", m[1], m[0]) for m in _PLACES.finditer(text)),
        relation(company, "acquired", f"Xylograph{stamp}", "Nobody said this.", tail_type="company"),
        {"head": company, "relation": "opened"},
    ]


def relation(head: str, verb: str, tail: str, quote: str, *, tail_type: str = "location") -> dict[str, Any]:
    """One relation of a company, with the words that state it."""
    who = {"head": head, "head_type": "company", "relation": verb, "tail": tail, "tail_type": tail_type}
    return {**who, "quote": quote}
