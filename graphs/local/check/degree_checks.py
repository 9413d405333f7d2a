"""What a claim tells in words of size (fractions, multiples, 'slightly', 'flat') against the figures cited."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from graphs.drafts.figures import quantities
from graphs.local.check.claim_text import Told
from graphs.local.check.computed_figures import spans_of
from graphs.local.check.derivations import shares
from graphs.local.check.figure_changes import find_pairs
from graphs.local.check.figure_match import is_labelled, stated
from graphs.local.check.passages import Passage
from graphs.local.check.swapped_figures import equal, passage_pairs
from graphs.local.text.degrees import Degree, find_degrees
from tools.values import Quantity

_REACH = 70
_SLIGHT = re.compile(
    r"\b(?:slight(?:ly)?|marginal(?:ly)?|edged|inched|barely|modest(?:ly)?)\b(?!\s+(?:over|under|more\s+than|less\s+than|"
    r"above|below)\s+(?:an?|one|half|two|three|\$?\d))",
    re.IGNORECASE,
)
_FLAT = re.compile(r"\b(?:flat|unchanged|little\s+changed)\b(?!\s+(?:from|with|in|against)\s+the\b)", re.I)
_SHARP = re.compile(
    r"\b(?:sharp(?:ly)?|steep(?:ly)?|dramatic(?:ally)?|surg(?:ed|ing)|soar(?:ed|ing)|plung(?:ed|ing)|plummet(?:ed|ing)|"
    r"skyrocket(?:ed|ing)|collapsed)\b",
    re.IGNORECASE,
)
_ADVERBS = (
    (_FLAT, Decimal(0), Decimal("0.03")),
    (_SLIGHT, Decimal(0), Decimal("0.12")),
    (_SHARP, Decimal("0.04"), Decimal(10**9)),
)
"""With the bounds of the change, as a share of the earlier figure."""
_PART_SHOWN = re.compile(
    r"\b(?P<part>half|third|quarter|fifth|tenth)\s*\((?P<share>\d+(?:\.\d+)?)\s?%\)", re.IGNORECASE
)
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}


@dataclass(frozen=True, slots=True)
class _Change:
    """What something moved to and from, of a line item if `label` names it."""

    new: Quantity
    old: Quantity
    label: str = ""


def degree_fault(told: Told, passage: Passage) -> str:
    """A size in words that neither the passage's words nor the figures that it concerns bear out; '' if all hold."""
    text = told.text
    if (found := _PART_SHOWN.search(text)) is not None:
        share = 100 / Decimal(_PARTS[found["part"].lower()])
        if abs(Decimal(found["share"]) - share) > 6:
            return f"{found['share']} % is not a {found['part']}"
    pairs = list(_changes(told, passage))
    for degree in find_degrees(text):
        if degree.kind == "share":
            fault = _share_fault(degree, told, passage)
        else:
            fault = _change_fault(degree, text, passage, pairs)
        if fault:
            return fault
    return _adverb_fault(text, passage, pairs)


def _said(degree: Degree, passage: Passage) -> bool:
    """Does the passage say the same in words, or print it as a percentage?"""
    if any(
        (d.kind == "fold") == (degree.kind == "fold") or min(d.high, degree.high) < 1
        for d in find_degrees(passage.text)
        if d.low <= degree.high and degree.low <= d.high
    ):
        return True
    shares = (abs(q.value) / 100 for q in quantities(passage.text) if q.unit == "percent")
    return degree.kind != "fold" and any(degree.holds(share) for share in shares)


def _change_fault(degree: Degree, text: str, passage: Passage, pairs: Sequence[_Change]) -> str:
    near = _near(text, degree.start, degree.end, pairs)
    known = [p for p in near if p.old.amount and p.new.amount]
    if not known:
        told = not passage.structured and (_said(degree, passage) or degree.kind == "fold")
        return "" if told else f"'{degree.text}' cannot be computed from the cited evidence"
    for pair in [*known, *_named(text, degree, pairs)]:
        ratio = abs(pair.new.amount) / abs(pair.old.amount)
        if degree.holds(abs(ratio - 1) if degree.kind == "change" else ratio):
            return ""
        if degree.kind == "fold" and "times" in degree.text and degree.holds(1 / ratio):
            return ""
    if not passage.structured and _said(degree, passage):
        return ""
    return f"'{degree.text}' is not what the figures show"


def _named(text: str, degree: Degree, pairs: Sequence[_Change]) -> list[_Change]:
    """Changes of line items that stand right before a word of size: 'industrial sales down by a third'."""
    before = re.split(r"[,;]", text[: degree.start])[-1]
    return [p for p in pairs if p.label and p.old.amount and p.new.amount and is_labelled(before, p.label)]


def _share_fault(degree: Degree, told: Told, passage: Passage) -> str:
    if not passage.structured and _said(degree, passage):
        return ""
    if any(degree.holds(share.ratio) for share in shares(told, passage)):
        return ""
    said = [abs(q.value) / 100 for q in quantities(told.text) if q.unit == "percent"]
    if any(degree.holds(share) for share in said):  # 'about a third (34 %)': the figure is checked as such
        return ""
    return f"'{degree.text}' is not what the cited figures show"


def _changes(told: Told, passage: Passage) -> Iterator[_Change]:
    """What moved from what to what: as the claim says, as the passage compares, and of line items with two periods."""
    for pair in find_pairs(told.text):
        yield _Change(pair.new, pair.old)
    own = stated(told, passage)
    said = quantities(told.text)
    for pair in passage_pairs(passage):
        if any(equal(q, x) for q in said for x in (pair.new, pair.old)):
            yield _Change(pair.new, pair.old)
    for later, sooner in spans_of(passage.figures):
        if later in own or sooner in own or is_labelled(told.whole, later.label):
            yield _Change(later.quantity, sooner.quantity, later.label)


def _near(
    text: str, start: int, end: int, pairs: Sequence[_Change], *, fall_back: bool = True
) -> list[_Change]:
    """The pairs of the figure that a word of size leads to ('doubled to 5 million'), else of the figures of its
    clause, else all."""
    clause_end = min(
        (m.start() for m in re.finditer(r",\s+(?:while|whereas|but|and)\b|;", text) if m.start() > end),
        default=len(text),
    )
    clause_start = max(
        (m.end() for m in re.finditer(r"[;,]\s+(?:while|whereas|but|and)\b|;", text) if m.end() <= start),
        default=0,
    )
    figures = [q for q in quantities(text) if clause_start <= q.start < clause_end]
    ahead = [q for q in figures if end <= q.start <= end + _REACH]
    for chosen in (ahead[:1], figures):
        found = [p for p in pairs if any(equal(q, x) for q in chosen for x in (p.new, p.old))]
        if found:
            return found
    return list(pairs) if fall_back else []


def _adverb_fault(text: str, passage: Passage, pairs: Sequence[_Change]) -> str:
    for pattern, low, high in _ADVERBS:
        for match in pattern.finditer(text):
            if match.group().lower() in passage.text.lower():
                continue
            near = [p for p in _near(text, *match.span(), pairs, fall_back=False) if p.old.amount]
            if near and not any(low <= _moved(p.new, p.old) <= high for p in near):
                return f"'{match.group()}' is not what the figures show"
    return ""


def _moved(new: Quantity, old: Quantity) -> Decimal:
    return abs(new.amount - old.amount) / abs(old.amount)
