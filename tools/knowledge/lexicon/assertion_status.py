"""What a figure of running text is: reported, guided, or neither (supposed, needed, somebody else's)."""

from __future__ import annotations

import re
from typing import Literal

AssertionStatus = Literal["stated", "guided", "other"]

GUIDED, GUIDANCE = "guided", "guidance"
"""Relation and heading of what a company expects."""
CHANGE = "change"
"""Heading of what a figure changed by, as somebody says."""

_GUIDES = re.compile(
    r"\b(?:expects?|expected|anticipate[sd]?|guid(?:e|es|ed|ing|ance)|outlook|forecast(?:s|ed)?|"
    r"project(?:s|ed|ing))\b",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"\b(?:would|could|should|may|might|if|target(?:s|ed|ing)?|plan(?:s|ned)?|goal|potential|"
    r"assum(?:e|es|ing|ption)|need(?:s|ed)?|requires?|required|break[ -]?even|hypothetical|unless|"
    r"aim(?:s|ed|ing)?|ambition|aspir\w+|capable|enough|estimate[sd]?|believe|looking (?:for|to))\b",
    re.IGNORECASE,
)
"""Words under which a figure is neither reported nor guided: supposed, needed, hoped for."""
_UNREAL = re.compile(rf"{_GUIDES.pattern}|{_SUPPOSES.pattern}|\b(?:will|range)\b", re.IGNORECASE)
_SOMEBODY_ELSES = re.compile(
    r"\b(?:their|your|his|her|customers?['\u2019]?|industry|competitors?['\u2019]?|peers?|market)"
    r"\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)
"""Before a metric: it is somebody else's."""
_OTHER_SUBJECT = re.compile(r"^(?:It|They|He|She)\s+(?:had|has|have|made|makes|did|does|generated?s?)\b")
"""Opens a sentence about somebody or something said before."""
_FIRST_PERSON = re.compile(r"\b(?:we|our|us)\b", re.IGNORECASE)
_PACE = re.compile(
    r"^\s*(?:(?:of|in)\s+(?:\w+\s+){1,3})?(?:a|an|per|each|every)\s+(?:quarter|year|month|week|day|annum)\b"
    r"|^\s*(?:run[ -]rate|annualized|annually)\b",
    re.IGNORECASE,
)
"""After a figure: a pace, not the figure of a period."""


def assertion_status(sentence: str, metric: tuple[int, int], figure: tuple[int, int]) -> AssertionStatus:
    """How the sentence means a figure of a metric; both are spans in it.

    `guided` where the clause around them expects it; `other` where it supposes, needs or hopes for it, where
    it is a pace ('a quarter') or somebody else's.
    """
    if _SOMEBODY_ELSES.search(sentence[: metric[0]]) or _PACE.match(sentence[figure[1] :]):
        return "other"
    if _OTHER_SUBJECT.match(sentence) and not _FIRST_PERSON.search(sentence):
        return "other"
    clause = _clause(sentence, min(metric[0], figure[0]), figure[1])
    if not _UNREAL.search(clause):
        return "stated"
    return "guided" if _GUIDES.search(clause) and not _SUPPOSES.search(clause) else "other"


def _clause(sentence: str, start: int, end: int) -> str:
    first = max(sentence.rfind(mark, 0, start) for mark in (";", ", and ", ", but ", ", while "))
    ends = [place for mark in ("; ", ", while ", ", but ") if (place := sentence.find(mark, end)) >= 0]
    return sentence[max(0, first) : min(ends, default=len(sentence))]
