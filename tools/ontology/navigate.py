"""From a question to concepts: those that it names, else the nearest by meaning, else none; then to neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tools.ontology.annotate import Vectors
from tools.ontology.annotated import AnnotatedConcepts
from tools.ontology.concept_graph import Reached

MIN_NEARNESS = 0.55
"""Least cosine of a question with the definition of a concept that it does not name."""
MIN_RARITY = 2.5
"""Least rarity of a concept that a question starts from: what every twelfth chunk names leads nowhere."""
FEW = 5
"""Chunks that may name any concept, be it all there are."""
MAX_STARTS = 3
MAX_REACHED = 40
"""Concepts that documents name, of all that are reached."""


@dataclass(frozen=True, slots=True)
class Walk:
    """Concepts that a question leads to."""

    starts: tuple[int, ...]
    """Concepts of the question itself."""
    reached: tuple[Reached, ...]
    """Those that documents name, by falling weight, the starts among them."""
    names: tuple[str, ...]
    """Labels and synonyms of the starts."""
    named: bool
    """Whether the question names the starts; else they only come near to what it means."""


def walk(known: AnnotatedConcepts, question: str, vector: Vectors) -> Walk | None:
    """The concepts that a question leads to, `vector` being its own; None where documents name none of them."""
    named = _named(known, question, vector)
    starts = named or _nearest(known, vector)
    reached: dict[int, Reached] = {}
    for start in starts:
        for each in known.links.around(start):
            other = reached.get(each.concept)
            if each.concept in known.chunks_of and (other is None or each.weight > other.weight):
                reached[each.concept] = each
    if not reached:
        return None
    nearest = sorted(reached.values(), key=lambda each: (-each.weight, each.concept))[:MAX_REACHED]
    names = (
        name for start in starts for name in (known.concepts[start].label, *known.concepts[start].synonyms)
    )
    return Walk(tuple(starts), tuple(nearest), tuple(dict.fromkeys(names)), bool(named))


def _named(known: AnnotatedConcepts, question: str, vector: Vectors) -> list[int]:
    """The concepts that a question names, the rarest first; of several with one name the nearest by meaning. A name of
    one word counts where documents were found to mean the concept by it."""
    starts = dict[int, None]()
    for found in known.names.find(question):
        nearest = max(found.concepts, key=lambda each: float(known.definitions[each] @ vector))
        told = found.words > 1 or nearest in known.chunks_of
        if told and not _is_common(known, nearest):
            starts[nearest] = None
    return sorted(starts, key=lambda each: (-known.rarity(each), each))[:MAX_STARTS]


def _is_common(known: AnnotatedConcepts, concept: int) -> bool:
    many = len(known.chunks_of.get(concept, ())) > FEW
    return many and known.rarity(concept) < MIN_RARITY


def _nearest(known: AnnotatedConcepts, vector: Vectors) -> list[int]:
    places, definitions = known.named_definitions
    nearness = definitions @ vector
    best = int(np.argmax(nearness)) if len(places) else 0
    near = len(places) and nearness[best] >= MIN_NEARNESS and not _is_common(known, places[best])
    return [places[best]] if near else []
