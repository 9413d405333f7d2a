"""Whether a draft states what was asked for: a statement may be true to its evidence and answer another question."""

from __future__ import annotations

from collections.abc import Sequence

from graphs.contracts import Draft
from graphs.drafts.claims import read_claims
from graphs.drafts.figures import MIN_FACT_MATCH, quantities, quantity_of
from tools.evidence import Evidence
from tools.values import same_amount


def cited(draft: Draft, evidence: Sequence[Evidence]) -> list[Evidence]:
    """What a draft cites, in the order of the evidence."""
    markers = {marker for claim in read_claims(draft.text) for marker in claim.markers}
    return [item for item in evidence if item.rank in markers]


def rests_on_facts(draft: Draft, evidence: Sequence[Evidence]) -> bool:
    """Does a draft rest on parsed figures and relations alone, as against quoted prose?"""
    found = cited(draft, evidence)
    return bool(found) and all(item.kind in ("fact", "relation") for item in found)


def omits_sure_figures(draft: Draft, sure: Draft, evidence: Sequence[Evidence]) -> bool:
    """Does `draft` state none of the figures of `sure`, a draft that rests on facts chosen for the question?"""
    facts = [item.fact for item in cited(sure, evidence) if item.fact is not None]
    wanted = [quantity for fact in facts if (quantity := quantity_of(fact)) is not None]
    stated = quantities(draft.text)
    return bool(wanted) and not any(
        same_amount(one, other) or abs(one.amount) == abs(other.amount) for one in stated for other in wanted
    )


def cites_weak_facts_only(draft: Draft, evidence: Sequence[Evidence]) -> bool:
    """Does `draft` rest on figures alone of which none is near the question?"""
    found = cited(draft, evidence)
    return bool(found) and all(item.fact is not None and item.fact.match < MIN_FACT_MATCH for item in found)
