"""What a claim says in words of size (fractions, multiples, 'slightly', 'flat') against the figures cited."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from graphs.local.check.claim_text import ClaimText
from graphs.local.check.derivations import shares
from graphs.local.check.figure_match import is_labelled, same_size, stated_figures
from graphs.local.check.parsed_text import ParsedText, parsed
from graphs.local.check.passages import Passage
from graphs.local.text.degrees import Degree
from tools.values import Quantity

MAX_CHARS_TO_FIGURE = 70
"""From a word of size to the figure that it leads to."""
MAX_PART_POINTS = 6
"""Percentage points by which 'a third (34 %)' may be off the third."""
_CLAUSE_END = re.compile(r",\s+(?:while|whereas|but|and)\b|;")
_CLAUSE_START = re.compile(r"[;,]\s+(?:while|whereas|but|and)\b|;")
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


def degree_fault(claim: ClaimText, passage: Passage) -> str:
    """A size in words that neither the passage's words nor the figures that it concerns support; '' if all hold."""
    if (found := _PART_SHOWN.search(claim.text)) is not None:
        share = 100 / Decimal(_PARTS[found["part"].lower()])
        if abs(Decimal(found["share"]) - share) > MAX_PART_POINTS:
            return f"{found['share']} % is not a {found['part']}"
    changes = list(_changes(claim, passage))
    for degree in claim.said.degrees:
        if degree.kind == "share":
            fault = _share_fault(claim, passage, degree)
        else:
            fault = _change_fault(claim, passage, degree, changes)
        if fault:
            return fault
    return _adverb_fault(claim, passage, changes)


def multiple_fault(claim: ClaimText, passage: Passage) -> str:
    """A multiple of a claim ('tripled') that running text neither says nor has figures for; of facts and tables
    `degree_fault` finds it."""
    for degree in claim.said.degrees if not passage.structured else ():
        moved = (_Change(each.new, each.old) for each in passage.said.dated_changes)
        shown = any(_shows(degree, each) for each in moved if each.old.amount)
        if degree.kind == "fold" and not shown and not _is_said(degree, passage):
            return f"'{degree.text}' is not what the cited evidence says"
    return ""


def _is_said(degree: Degree, passage: Passage) -> bool:
    """Does a passage of running text say the same in words, or print it as a percentage?"""
    if passage.structured:
        return False
    if any(
        (d.kind == "fold") == (degree.kind == "fold") or min(d.high, degree.high) < 1
        for d in passage.said.degrees
        if d.low <= degree.high and degree.low <= d.high
    ):
        return True
    shares = (abs(q.value) / 100 for q in passage.said.quantities if q.unit == "percent")
    return degree.kind != "fold" and any(degree.holds(share) for share in shares)


def _change_fault(claim: ClaimText, passage: Passage, degree: Degree, changes: Sequence[_Change]) -> str:
    near = _concerned(claim.said, degree.start, degree.end, changes) or changes
    known = [c for c in near if c.old.amount and c.new.amount]
    if not known:
        said = not passage.structured and (degree.kind == "fold" or _is_said(degree, passage))
        return "" if said else f"'{degree.text}' cannot be computed from the cited evidence"
    if any(_shows(degree, change) for change in (*known, *_of_items_before(claim.said, degree, changes))):
        return ""
    return "" if _is_said(degree, passage) else f"'{degree.text}' is not what the figures show"


def _shows(degree: Degree, change: _Change) -> bool:
    """Did something move by, or to, the ratio stated? '2.5 times' may be said of either to the other."""
    ratio = abs(change.new.amount) / abs(change.old.amount)
    if degree.holds(abs(ratio - 1) if degree.kind == "change" else ratio):
        return True
    return degree.kind == "fold" and "times" in degree.text and degree.holds(1 / ratio)


def _of_items_before(said: ParsedText, degree: Degree, changes: Sequence[_Change]) -> list[_Change]:
    """Changes of line items that stand right before a word of size: 'industrial sales down by a third'."""
    before = parsed(re.split(r"[,;]", said.text[: degree.start])[-1])
    return [c for c in changes if c.label and c.old.amount and c.new.amount and is_labelled(before, c.label)]


def _share_fault(claim: ClaimText, passage: Passage, degree: Degree) -> str:
    if _is_said(degree, passage):
        return ""
    if any(degree.holds(share.ratio) for share in shares(claim, passage)):
        return ""
    percentages = [abs(q.value) / 100 for q in claim.said.quantities if q.unit == "percent"]
    if any(degree.holds(share) for share in percentages):
        return ""  # 'about a third (34 %)': the figure is checked as such
    return f"'{degree.text}' is not what the cited figures show"


def _changes(claim: ClaimText, passage: Passage) -> Iterator[_Change]:
    """What moved from what to what: as the claim says, as the passage compares, and of line items with two periods."""
    for change in claim.said.changes:
        yield _Change(change.new, change.old)
    for change in passage.changes:
        if any(same_size(q, x) for q in claim.said.quantities for x in (change.new, change.old)):
            yield _Change(change.new, change.old)
    own = stated_figures(claim, passage) if passage.spans else []
    for later, sooner in passage.spans:
        if later in own or sooner in own or is_labelled(claim.whole, later.label):
            yield _Change(later.quantity, sooner.quantity, later.label)


def _concerned(said: ParsedText, start: int, end: int, changes: Sequence[_Change]) -> list[_Change]:
    """The changes of the figure that a word of size leads to ('doubled to 5 million'), else of the figures of its
    clause; none if they have none."""
    clause_end = min(
        (m.start() for m in _CLAUSE_END.finditer(said.text) if m.start() > end), default=len(said.text)
    )
    clause_start = max((m.end() for m in _CLAUSE_START.finditer(said.text) if m.end() <= start), default=0)
    figures = [q for q in said.quantities if clause_start <= q.start < clause_end]
    ahead = [q for q in figures if end <= q.start <= end + MAX_CHARS_TO_FIGURE]
    for chosen in (ahead[:1], figures):
        found = [c for c in changes if any(same_size(q, x) for q in chosen for x in (c.new, c.old))]
        if found:
            return found
    return []


def _adverb_fault(claim: ClaimText, passage: Passage, changes: Sequence[_Change]) -> str:
    for pattern, low, high in _ADVERBS:
        for match in pattern.finditer(claim.text):
            if match.group().lower() in passage.text.lower():
                continue
            near = [c for c in _concerned(claim.said, *match.span(), changes) if c.old.amount]
            if near and not any(low <= _moved(c.new, c.old) <= high for c in near):
                return f"'{match.group()}' is not what the figures show"
    return ""


def _moved(new: Quantity, old: Quantity) -> Decimal:
    """By what share of the earlier figure."""
    return abs(new.amount - old.amount) / abs(old.amount)
