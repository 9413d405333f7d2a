"""Verbs whose subject and object make a relation worth keeping, and their forms."""

from __future__ import annotations

_BASES = """
acquire buy purchase sell divest merge launch introduce announce release unveil open close expand enter
exit partner
collaborate sign invest own operate appoint hire promote join lead complete license supply serve compete
approve develop build manufacture produce design repurchase pay declare issue borrow repay raise reduce cut
increase grow deliver
generate achieve report record post win lose award settle sue regulate fund finance lease construct
integrate consolidate
outsource export import ship adopt deploy terminate extend renew refinance redeem offer provide relocate
establish form
discontinue restructure impair upgrade replace support exceed beat surpass manage distribute market sponsor
"""
_IRREGULAR = {
    "buy": "bought", "sell": "sold", "lead": "led", "build": "built", "pay": "paid", "repay": "repaid",
    "cut": "cut", "grow": "grew", "win": "won", "lose": "lost", "beat": "beat",
    "ship": "shipped", "sue": "sued", "outsource": "outsourced",
}  # fmt: skip
_PARTICIPLES = {"grown": "grow", "beaten": "beat"}
_VOWELS = "aeiou"


def _past(base: str) -> str:
    if base in _IRREGULAR:
        return _IRREGULAR[base]
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ied"
    if base in {"ship", "export"}:
        return base + ("ped" if base == "ship" else "ed")
    return base + "ed"


def _forms(base: str) -> set[str]:
    stem = base[:-1] if base.endswith("e") and not base.endswith("ee") else base
    third = base + "es" if base.endswith(("s", "sh", "ch", "x")) else base + "s"
    if base.endswith("y") and base[-2] not in _VOWELS:
        third = base[:-1] + "ies"
    doubled = {"cut": "cutting", "win": "winning", "ship": "shipping"}
    return {base, third, _past(base), doubled.get(base, stem + "ing")}


BASE_OF: dict[str, str] = {form: base for base in _BASES.split() for form in _forms(base)} | _PARTICIPLES
"""Inflected verb -> its base."""
PAST_OF: dict[str, str] = {base: _past(base) for base in _BASES.split()}
"""Base -> past tense, the name of the relation."""
PREPOSITIONS = frozenset({"with", "into", "in", "to", "from", "for", "by", "on"})
"""They may carry a relation's object: 'partnered with', 'expanded into'."""
HYPOTHETICAL = frozenset({"may", "might", "could", "can", "should", "would", "must"})
"""Modals under which nothing has happened."""
FUTURE = frozenset({"will", "shall", "'ll", "\u2019ll"})
INTENTS = frozenset(
    {
        "plan",
        "plans",
        "planned",
        "planning",
        "intend",
        "intends",
        "intended",
        "expect",
        "expects",
        "expected",
        "hope",
    }
    | {
        "hopes",
        "want",
        "wants",
        "aim",
        "aims",
        "seek",
        "seeks",
        "continue",
        "try",
        "trying",
        "look",
        "looking",
        "agreed",
    }
)
"""Verbs before 'to' under which something is planned, not done."""
ROLE_WORDS = frozenset(
    {
        "ceo",
        "cfo",
        "coo",
        "cto",
        "cio",
        "president",
        "chairman",
        "chairwoman",
        "chair",
        "officer",
        "director",
        "treasurer",
    }
    | {
        "founder",
        "head",
        "controller",
        "counsel",
        "analyst",
        "secretary",
        "chief",
        "svp",
        "evp",
        "vp",
        "manager",
    }
)
