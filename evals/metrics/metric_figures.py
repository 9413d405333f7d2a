"""Figures of contexts and answers, with the scale that a unit note gives them, and whether one is the expected one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from graphs.drafts.claims import MARKER
from graphs.drafts.figures import quantities
from graphs.local.check.passages import whole
from graphs.local.check.printed_figures import Figure
from tools.evidence import Evidence
from tools.periods import Period
from tools.values import Quantity, same_amount

_NOTE = re.compile(
    r"(?:\(|^|\b(?:dollars|amounts?|shares|USD)\s)[^()\n]{0,60}?\bin\s+(?:U\.?S\.?\s?)?(?:\$|USD|dollars)?\s*"
    r"(thousand|million|billion)s\b|\b(?:reflected|shown|stated|presented)\s+in\s+(thousand|million|billion)s\b",
    re.IGNORECASE | re.MULTILINE,
)
_SCALES = {"thousand": 3, "million": 6, "billion": 9}
_POINTS = frozenset({"basis points", "percentage points"})
_COUNTED = frozenset({"percent", "years", "months", "weeks", "days", *_POINTS})
"""Units that a bare number never has."""
_ROUNDING = 0.06
"""How far 'about 90 %' may be off, and more; see `graphs.local.check.figure_match.is_about`."""


@dataclass(frozen=True, slots=True)
class Sized:
    """A figure with its size, to find those near another one without decimal arithmetic."""

    size: float
    """Of its amount, without sign."""
    figure: Figure


@lru_cache(maxsize=32_768)
def figures_of(text: str) -> tuple[Sized, ...]:
    """Every figure that a context or an answer prints.

    Markdown tables are read cell by cell, other text by `tools.values.find_quantities`. Where a unit note stands in the
    text ('in millions, except per share amounts'), a number without a scale of its own may be of any scale noted, or
    of none: such a text gives both readings. Without a note in the same text a bare '82,959' is not 82,959 million:
    who reads that piece alone cannot know.
    """
    found = [Figure(quantity) for quantity in quantities(text)]
    if any(line.startswith("|") for line in text.split("\n")):
        found += whole(_table(text)).figures
    scales = sorted({_SCALES[(match[1] or match[2]).lower()] for match in _NOTE.finditer(text)})
    if scales:
        bare = [f for f in found if not f.quantity.scale and f.quantity.unit not in _COUNTED]
        found += [replace(f, loose=True) for f in bare]
        found += [replace(f, loose=True, quantity=replace(f.quantity, scale=s)) for f in bare for s in scales]
    return tuple(Sized(abs(float(f.quantity.amount)), f) for f in dict.fromkeys(found))


def near(quantity: Quantity, sized: Iterable[Sized]) -> Iterator[Figure]:
    """The figures that may be `quantity`, signs aside; the caller compares them exactly."""
    size = abs(float(quantity.amount))
    slack = max(size * _ROUNDING, float(quantity.quantum))
    points = quantity.unit in _POINTS
    for one in sized:
        if abs(one.size - size) <= slack or (points and one.figure.quantity.unit in _POINTS):
            yield one.figure


def is_stated(wanted: Quantity, sized: Iterable[Sized]) -> bool:
    """Is a figure among these the expected one, at its printed precision or finer?

    Signs are not compared: a loss may be told in words. An expected figure without a unit may have any; a bare number
    with a scale, or under a unit note, any that such numbers have (dollars, dollars a share, shares); dollars are
    dollars a share where no scale is printed, for the words that say so may stand elsewhere.
    """
    return any(_is(wanted, figure) for figure in near(wanted, sized))


def plain(answer: str) -> str:
    """An answer's text without its [n] markers."""
    return MARKER.sub("", answer)


def _is(wanted: Quantity, figure: Figure) -> bool:
    found = figure.quantity
    if not _fits(wanted, figure):
        return False
    if not {wanted.unit, found.unit} <= _POINTS:
        found = replace(found, unit=wanted.unit)
    found, wanted = (replace(q, value=abs(q.value)) for q in (found, wanted))
    if not same_amount(found, wanted):
        return False
    return found.unit != wanted.unit or found.amount == wanted.amount or found.quantum <= wanted.quantum


def _fits(wanted: Quantity, figure: Figure) -> bool:
    ours, theirs = wanted.unit, figure.quantity.unit
    if ours in ("", theirs) or {ours, theirs} <= _POINTS:
        return True
    if {ours, theirs} == {"USD", "USD/share"}:
        return not wanted.scale and figure.quantity.scale in (0, -2)
    if theirs == "USD" and figure.loose and ours == "shares":
        return False
    bare = theirs == "" and (figure.loose or figure.quantity.scale != 0)
    return bare and ours not in _COUNTED


def _table(text: str) -> Evidence:
    """A text as the checker's reader of tables takes it."""
    return Evidence(
        rank=1,
        source="vector",
        text=text,
        document="",
        document_id="",
        page=1,
        score=0,
        item_id="",
        kind="table",
        company_key="",
        company="",
        doc_type="",
        period=Period(),
    )
