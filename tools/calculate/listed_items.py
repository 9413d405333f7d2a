"""Line items that words list together, one by one: 'goodwill and other intangibles', 'debt, current and long-term'."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tools.calculate.measures import Item, item_called

_JOINTS = tuple(
    re.compile(rf"\s*{joint}\s*", re.IGNORECASE)
    for joint in (r"(?:,?\s+plus\s|\+|;|\btogether\s+with\s)", r"(?:,(?:\s+and\s)?)", r"(?:\sand\s|&)")
)
"""What joins line items, the loosest first."""
_MODIFIER = re.compile(r"(?:short|long|near)-(?:term)?|(?:non-?)?current", re.IGNORECASE)
_BOTH_TERMS = re.compile(
    r"(?P<item>\w.*?)[\s,(]+(?:both\s+)?(?P<one>short(?:[\s-]term|-)?|current)(?:\s+portion)?\s*(?:\+|&|,|\band\b|\bplus\b)\s*"
    r"(?P<other>long[\s-]term|non[\s-]?current)\b(?:\s+portions?)?\W*(?:\w+\s+)?(?:together|combined)?\W*$",
    re.IGNORECASE,
)
_WITH_PORTION = re.compile(
    r"(?P<item>\w.*?)[\s,(]+(?:(?:including|with|plus|and)\s+(?:its\s+|the\s+)?current\s+(?:portion|part|maturities)"
    r"|current\s+(?:portion|part|maturities)\s+(?:included|of\s+it))\W*$",
    re.IGNORECASE,
)


def is_term(words: str) -> bool:
    """Whether words say but in which time something falls due: 'short-term', 'current'."""
    return _MODIFIER.fullmatch(words) is not None


def is_sum(words: str) -> bool:
    """Whether words name line items that are to be added: 'cash plus short-term investments'."""
    return len(_JOINTS[0].split(words)) > 1


def plus_as_and(words: str) -> str:
    """Words of a sum as a line that has all of it would say them."""
    return _JOINTS[0].sub(" and ", words)


def listed(words: str) -> list[str]:
    """What words name together, parted where they are joined most loosely: 'cash and equivalents', 'notes payable' of
    'cash and equivalents plus notes payable'."""
    if both := _of_both_terms(words):
        return both
    for joint in _JOINTS:
        pieces = [each.strip() for each in joint.split(words)]
        if len(pieces) > 1 and all(pieces):
            return pieces
    return [words]


def _of_both_terms(words: str) -> list[str]:
    """A line item of a short and of a long term as two, where these are said behind it: 'current debt', 'long-term
    debt' of 'debt, current and long-term'; also 'current portion of debt', 'debt' of 'debt, current portion included'.
    [] of any other words."""
    terms = _BOTH_TERMS.match(words)
    if terms and not is_sum(terms["item"]):
        short = "short-term" if terms["one"].lower().startswith("short") else terms["one"]
        return [f"{term} {terms['item']}" for term in (short, terms["other"].replace(" ", "-"))]
    portion = _WITH_PORTION.match(words)
    if portion and is_sum(portion["item"]):
        return []
    return [portion["item"], f"current portion of {portion['item']}"] if portion else []


def whole_pieces(pieces: Sequence[str]) -> list[str]:
    """Pieces with the words that all share said of each: 'short-term unearned revenue' of 'short-term' beside
    'long-term unearned revenue', 'Americas net sales' of 'Americas' beside 'Europe net sales'."""
    last, known = pieces[-1], item_called(pieces[-1]) is not None
    _, _, shared = last.partition(" ")
    item, part = (None, "") if known else parted(last)
    figure = " ".join(word for word in last.split() if word not in part.split()) if item and part else ""

    def whole(piece: str) -> str:
        if shared and _MODIFIER.fullmatch(piece):
            return f"{piece}term {shared}" if piece.endswith("-") else f"{piece} {shared}"
        bare = piece is not last and item_called(piece) is None and parted(piece)[0] is None
        return f"{piece} {figure}" if figure and bare else piece

    return [whole(each) for each in pieces]


def parted(words: str) -> tuple[Item | None, str]:
    """The line item of the catalogue that words end or begin with, by its longest label, and what they name besides;
    (None, words) where they do not."""
    each = words.split()
    for size in range(len(each) - 1, 0, -1):
        for own, rest in ((each[-size:], each[:-size]), (each[:size], each[size:])):
            item = item_called(" ".join(own))
            if item is not None:
                return item, " ".join(rest)
    return None, words
