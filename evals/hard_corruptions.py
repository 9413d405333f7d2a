"""The corruptions that touch a hard fact: what the guard of a model's drafts must veto without a judge."""

from __future__ import annotations

import random
import re

from evals.corrupting import KINDS, Corruption, World

UNHEARD_OF = ("Zenthar", "Brelloway", "Karstenheim")
"""Companies that no document names."""


def quotation(text: str, world: World, chance: random.Random) -> str | None:
    """One word of a passage in quotation marks becomes another."""
    words = [m for q in re.finditer(r"“[^“”]{30,}”", text) for m in re.finditer(r"\b[a-z]{5,}\b", q[0])]
    quotes = [q.start() for q in re.finditer(r"“[^“”]{30,}”", text)]
    if not words or len(quotes) != 1:
        return None
    match = chance.choice(words)
    return f"{text[: quotes[0] + match.start()]}otherwise{text[quotes[0] + match.end() :]}"


def unknown_name(text: str, world: World, chance: random.Random) -> str | None:
    """A company becomes one of which nobody has heard, wherever it is named."""
    named = [c for c in world.companies if re.search(rf"\b{re.escape(c)}", text)]
    if not named:
        return None
    return re.sub(rf"\b{re.escape(max(named, key=len))}", chance.choice(UNHEARD_OF), text)


HARD_KINDS: dict[str, Corruption] = {
    kind: KINDS[kind]
    for kind in (
        *(
            "digit",
            "transposed",
            "scale",
            "unit",
            "date",
            "year",
            "quarter",
            "duration",
            "company",
            "direction",
        ),
    )
} | {"quotation": quotation, "unknown name": unknown_name}
"""Those that touch a hard fact: what the guard of a model's draft must veto without a judge."""
