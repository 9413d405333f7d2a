"""What lists settle of a question that asks for companies: an auditor by its name, a number of people by its bound. Of
a company that a list holds it is known exactly, whatever its other lines are near to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from graphs.drafts.words import content
from graphs.local.question.limits import bound_of
from tools.evidence import Evidence
from tools.values import find_quantities

MAX_SHARE = 0.75
"""Of the listed companies that may print a word by which they are told apart."""
_DENIES = re.compile(r"\b(?:not|no|never|n['’]t|outside|except|other\s+than|besides)\b", re.IGNORECASE)
_EITHER = re.compile(r"\bor\b", re.IGNORECASE)
_NAME = re.compile(r"(?<!^)\b[A-Z][a-z]{4,}\b")
"""A name that is written out; one of initials may be printed in other letters."""
_POSTAL = re.compile(r"\b([A-Z]{2})\s+\d{5}\b")
_CODES = (
    "AL:Alabama AK:Alaska AZ:Arizona AR:Arkansas CA:California CO:Colorado CT:Connecticut DE:Delaware FL:Florida "
    "GA:Georgia HI:Hawaii ID:Idaho IL:Illinois IN:Indiana IA:Iowa KS:Kansas KY:Kentucky LA:Louisiana ME:Maine "
    "MD:Maryland MA:Massachusetts MI:Michigan MN:Minnesota MS:Mississippi MO:Missouri MT:Montana NE:Nebraska "
    "NV:Nevada NH:New-Hampshire NJ:New-Jersey NM:New-Mexico NY:New-York NC:North-Carolina ND:North-Dakota OH:Ohio "
    "OK:Oklahoma OR:Oregon PA:Pennsylvania RI:Rhode-Island SC:South-Carolina SD:South-Dakota TN:Tennessee TX:Texas "
    "UT:Utah VT:Vermont VA:Virginia WA:Washington WV:West-Virginia WI:Wisconsin WY:Wyoming"
)
_STATES = dict(each.split(":") for each in _CODES.split())
"""As addresses write them before a postal code."""
Settled = tuple[bool | None, Evidence | None]
"""Whether it is true of a company, None where no list says; and the line that shows it."""


def settled(asked: str, listed: Sequence[Sequence[Evidence]]) -> list[Settled]:
    """For each company what the lines of a list settle; `listed`: its lines, of one kind. Nothing is where the question
    denies something, or names neither a bound nor what any of the lines print, nor a name that none of them prints."""
    unknown: list[Settled] = [(None, None)] * len(listed)
    if _DENIES.search(asked):
        return unknown
    bound = bound_of(asked)
    if bound is not None:
        return [_within(*bound, lines) for lines in listed]
    printed = [[_words(line) for line in lines] for lines in listed]
    every = [frozenset[str]().union(*own) for own in printed if own]
    words = set(content(asked))
    told = {word for word in words if 0 < sum(word in own for own in every) <= MAX_SHARE * len(every)}
    if not told and not _names_another(asked, frozenset[str]().union(*every)):
        return unknown
    either = _EITHER.search(asked) and not any(told <= own for own in every)
    return [
        next(
            ((True, line) for line, own in zip(lines, lists, strict=True) if _says(told, own, bool(either))),
            (False, None) if lines else (None, None),
        )
        for lines, lists in zip(listed, printed, strict=True)
    ]


def _says(told: set[str], own: frozenset[str], either: bool) -> bool:
    return bool(told and (told & own if either else told <= own))


def _names_another(asked: str, printed: frozenset[str]) -> bool:
    """Whether a question names somebody, and nobody that is printed."""
    names = [set(content(name)) for name in _NAME.findall(asked)]
    return bool(names) and not any(name & printed for name in names)


def _within(limit: Decimal, above: bool, lines: Sequence[Evidence]) -> Settled:
    for line in lines:
        found = find_quantities(line.text.partition("“")[0])
        if found:
            is_true = found[0].amount > limit if above else found[0].amount < limit
            return is_true, line if is_true else None
    return None, None


def _words(item: Evidence) -> frozenset[str]:
    """Stems of what a line of a list says of its company; a state in full."""
    text = item.text.removeprefix(item.company).partition(": “")[0]
    states = [_STATES[code].replace("-", " ") for code in _POSTAL.findall(text) if code in _STATES]
    return frozenset(content(" ".join([text, *states])))
