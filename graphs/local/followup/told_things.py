"""Turns that point at a thing which was named before: what it is called, and its share of a whole."""

from __future__ import annotations

import re

from graphs.local.followup.slots import Slots
from tools.documents.metadata.catalog import Catalog

START = r"^\W*(?:(?:and|but|so|ok(?:ay)?|then|also|hm+|well|now|thanks|great)\W+)*"
_SHARE_OF = re.compile(
    START + r"(?:(?:what|how\s+much)\s+(?:is|was)\s+(?:that|it)\s+)?(?:as|in)\s+(?:an?\s+)?"
    r"(?:%|percent(?:age)?|share|fraction|proportion)\s+of\s+(?P<whole>[\w&\s]{2,40}?)\W*$",
    re.IGNORECASE,
)
_ASKS_SHARE = re.compile(
    r"(?:%|\bpercent(?:age)?|\bshare|\bportion|\bproportion|\bfraction)\s+of\s+(?P<whole>(?:[\w&’'-]+\s+){1,5}?)"
    r"(?:is|was|are|were|does|do|did)\s+(?:that|this|it|they)\b(?:\s+\w+){0,3}\W*$",
    re.IGNORECASE,
)
_RANKED = re.compile(
    r"(?P<part>\S.{0,80}?) had the (?:highest|lowest) (?P<figure>.{1,80}?)(?P<period> (?:for the|as of) [^:\n]{4,60}):"
)
"""The first line of a ranking, as the assistant words it."""
_THAT_ONE = re.compile(
    r"\b(?:that|this)\s+(?:one|segment|division|unit|business|region|country|product|brand)\b"
    r"|\bthere\b(?=\W*$)",
    re.IGNORECASE,
)
_IT_ITSELF = re.compile(r"\b(?:did|does|was|is|has|will)\s+(?P<it>it)\b(?=\s+\w)", re.IGNORECASE)


def thing_told(turn: str, answer: str, earlier: Slots) -> str:
    """The turn with the name of the part that a ranking puts first, or of the one thing that the question before is
    about, in place of its 'it' or 'that one'; '' where it points at no such thing."""
    ranked = _RANKED.match(answer)
    name = ranked["part"] if ranked else _named_last(earlier)
    itself = ranked or (not earlier.metrics and _is_whole(name, earlier.text))
    points = _THAT_ONE.search(turn) or (_IT_ITSELF.search(turn) if itself else None)
    if not name or points is None:
        return ""
    start, end = points.span("it" if points.re is _IT_ITSELF else 0)
    return f"{turn[:start]}{'in ' if turn[start:end].lower() == 'there' else ''}{name}{turn[end:]}"


def _named_last(earlier: Slots) -> str:
    return earlier.text[slice(*earlier.names[-1])] if earlier.names else ""


def _is_whole(name: str, text: str) -> bool:
    """Whether a name stands for a thing, not before another word that does: 'pay for Figma', not 'the Tower deal'."""
    return bool(name) and bool(re.search(rf"{re.escape(name)}\W*$", text))


def as_share(now: Slots, earlier: Slots, answer: str, about: Slots, catalog: Catalog | None) -> str:
    """What was told as a share of what a turn names, spelled out."""
    asked = _ASKS_SHARE.search(now.text)
    if asked and (of_first := _share_of_first(now, earlier, answer, catalog)):
        return of_first
    share = _SHARE_OF.match(now.text) or asked
    return _share_of(share["whole"], about) if share and about.metrics else ""


def _share_of(named: str, about: Slots) -> str:
    """The figure of a question as a share of a whole that is named."""
    whole = named.lower().removeprefix("the ").strip()
    whole = "total revenue" if whole in ("total", "whole") else whole
    what = f"{about.company}'s {about.figure}" if about.company else about.figure
    return f"What was {what} as a percentage of {whole} {about.period}".rstrip() + "?"


def _share_of_first(now: Slots, earlier: Slots, answer: str, catalog: Catalog | None) -> str:
    """What share the part that a ranking of a company's parts puts first has; '' where none was made."""
    ranked = _RANKED.match(answer)
    if ranked is None or not earlier.company or now.companies or (catalog and catalog.link(ranked["part"])):
        return ""
    return f"What share of {earlier.company}'s {ranked['figure']} was {ranked['part']}{ranked['period']}?"
