"""Hard facts of a claim's periods: which are given to its figures, and whether the evidence can mean them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graphs.local.check.cited_figures import CitedFigure
from graphs.local.check.claim_text import ClaimText
from graphs.local.text.period_mentions import Mention, find_mentions, fits_mentions, fits_period
from tools.evidence import Evidence
from tools.values import Quantity

_OTHER = re.compile(
    r"\b(?:than|from|against|versus|vs\.?|compared|but|while|whereas|although|though)\b|;", re.IGNORECASE
)
_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)


def said_periods(claim: ClaimText, quantity: Quantity) -> list[Mention]:
    """The periods that a claim may mean for a figure: the nearest on each side with no comparison between, behind it no
    other figure or clause either; those of its lead where it names none itself."""
    text = claim.text
    periods: Sequence[Mention] = claim.said.periods
    if _RESPECTIVELY.search(text):
        return [m for m in periods if not m.base] or list(periods)
    periods = [m for m in _joined(text, periods) if not _is_span(claim, quantity, m)]
    before = [
        m for m in periods if m.end <= quantity.start and not _OTHER.search(text[m.end : quantity.start])
    ]
    after = [m for m in periods if m.start >= quantity.end and not _is_apart(claim, quantity, m)]
    near = [m for one in (*before[-1:], *after[:1]) for m in _listed_with(text, periods, one)]
    return near if near or periods else list(claim.lead.periods)


_LISTED = re.compile(r"\s*(?:,|,?\s*(?:and|or|&))\s*(?:the\s+)?", re.IGNORECASE)


def _listed_with(text: str, periods: Sequence[Mention], one: Mention) -> list[Mention]:
    """'December 31, 2021 and 2020': a period with those that stand in one list with it."""
    at = periods.index(one)
    first = last = at
    while first and _LISTED.fullmatch(text[periods[first - 1].end : periods[first].start]):
        first -= 1
    while last + 1 < len(periods) and _LISTED.fullmatch(text[periods[last].end : periods[last + 1].start]):
        last += 1
    return list(periods[first : last + 1])


_SINCE = re.compile(r"\b(?:since|between|until)\b[^.;]{0,45}$", re.IGNORECASE)
_OVER = re.compile(r"\b(?:over|during|within|throughout|across)\s+(?:the\s+)?$", re.IGNORECASE)


def _is_span(claim: ClaimText, quantity: Quantity, mention: Mention) -> bool:
    """Is a period that over which something moved, from one figure to another? Neither is of it."""
    before = claim.text[: mention.start]
    moved = any(quantity.start in (c.new.start, c.old.start) for c in claim.said.changes)
    return bool(_SINCE.search(before) or (moved and _OVER.search(before)))


_SPAN_TO = re.compile(r"\s*,?\s*(?:to|through|until|up\s+to|ending|ended|in|of)\s+(?:the\s+)?", re.IGNORECASE)


def _joined(text: str, periods: Sequence[Mention]) -> list[Mention]:
    """'the nine months' and 'July 1, 2023' of 'the nine months to July 1, 2023' are one."""
    found: list[Mention] = []
    for mention in periods:
        last = found[-1] if found else None
        is_span = last is not None and last.months and not (last.year or last.day or last.quarter)
        if last and is_span and mention.months is None and _SPAN_TO.fullmatch(text[last.end : mention.start]):
            found[-1] = replace(mention, start=last.start, months=last.months)
        else:
            found.append(mention)
    return found


def _is_apart(claim: ClaimText, quantity: Quantity, mention: Mention) -> bool:
    """Does a comparison, a clause or another figure stand between a figure and a period behind it?"""
    between = claim.text[quantity.end : mention.start]
    others = [q for q in claim.said.quantities if quantity.end <= q.start < mention.start]
    return bool(others or _OTHER.search(between) or _CLAUSE.search(between))


_CLAUSE = re.compile(r"[;:]|,\s+(?:and|but|while|whereas|although|which|who|where)\b|\b(?:that|and\s+\w+s)\b")
_ATTACHED = re.compile(
    r"(?:\s+(?:of|in)(?:\s+[a-z-]+){1,3})?[\s,(–—-]*(?:(?:as|in|for|during|at|of|on|over|the|fiscal|company['’]s|its|end)\b[\s,]*)*"
)


def period_fault(claim: ClaimText, quantity: Quantity, same: Sequence[CitedFigure]) -> str:
    """A period given to a figure that is none of those it has in the evidence; '' if it is one."""
    near = said_periods(claim, quantity)
    if not near or any(is_of(m, f, claim, quantity) for f in same for m in near):
        return ""
    return f"{quantity.text} is not the figure for {near[0].text}"


def may_be_of(claim: ClaimText, quantity: Quantity, same: Sequence[CitedFigure]) -> bool:
    """May one of the figures be of a period that the claim names after all: it stands elsewhere in the claim or ends on
    a balance's day, or the figure is one of running text or of a column without a heading, whose period is not sure?"""
    periods = (*claim.said.periods, *claim.lead.periods)
    return any(_may_be_of(m, f, claim, quantity) for m in periods for f in same)


def _may_be_of(mention: Mention, figure: CitedFigure, claim: ClaimText, quantity: Quantity) -> bool:
    if not figure.label or not (figure.mentions or figure.period):
        return may_be_meant(mention, (figure.item,), (figure,))
    own = figure.period
    if own and own.end and mention.day == own.end and not own.months:
        return True
    return is_of(mention, figure, claim, quantity)


def may_be_meant(mention: Mention, cited: Sequence[Evidence], figures: Sequence[CitedFigure]) -> bool:
    """May the evidence mean a period by words that do not name it in full: 'June 30', 'the third quarter', 'July'? Its
    year, and its day or quarter, must be known there."""
    periods = [*(item.period for item in cited), *(f.period for f in figures if f.period)]
    texts = (text for item in cited for text in (item.text, item.section, item.document.replace("_", " ")))
    said = [m for text in texts for m in find_mentions(text)]
    year, day = mention.year or (mention.day.year if mention.day else None), mention.day
    years = {y for p in periods for y in (p.fiscal_year, p.end.year if p.end else None)}
    years |= {y - 1 for y in years if y}  # 'last year'
    if year is not None and year not in years | {m.year or (m.day.year if m.day else None) for m in said}:
        return False
    if day is not None:
        ends = {p.end for p in periods} | {m.day for m in said}
        return day in ends or (day.month, day.day) in {(m.month, m.number) for m in said}
    quarters = {p.fiscal_quarter for p in periods} | {(p.end.month + 2) // 3 for p in periods if p.end}
    return mention.quarter is None or mention.quarter in quarters | {m.quarter for m in said}


def unfitting_period(claim: ClaimText, matches: Sequence[tuple[Quantity, Sequence[CitedFigure]]]) -> str:
    """A period that the claim names and that is none of its figures'; '' if there is none."""
    for mention in claim.said.periods if matches else ():
        fitting = [f for q, same in matches for f in same if is_of(mention, f, claim, q)]
        if not any(_is_as_long(mention, f) for f in fitting):
            return mention.text
    return ""


def _is_as_long(mention: Mention, figure: CitedFigure) -> bool:
    """Is a period as long as the figure's: as is said beside it, else as its source's?"""
    said = {m.months for m in figure.mentions} - {None}
    own = figure.period.months if figure.period else None
    theirs = said or {figure.item.period.months if own is None else own}
    return mention.months is None or mention.months in theirs


def is_of(mention: Mention, figure: CitedFigure, claim: ClaimText, quantity: Quantity) -> bool:
    """May a period that the claim gives to a figure be that of a figure of the evidence?"""
    if figure.label and any(_says_same(mention, other) for other in find_mentions(figure.line)):
        return True
    if figure.period is not None and figure.period.is_stated:
        return fits_period(mention, figure.period)
    beside = figure.mentions
    if not figure.label:  # of several in a sentence the nearest are the figure's
        beside = tuple(said_periods(ClaimText(figure.line), figure.quantity)) or beside
    if any(
        m.day == mention.day and None not in (m.day, m.months, mention.months) and m.months != mention.months
        for m in beside
    ):
        return False
    if (
        not beside
        or any(_says_same(mention, o) for o in beside)
        or fits_mentions(mention, beside, figure.item.period)
    ):
        return is_spoken_of(mention, (figure.item,), ())
    if _is_attached(claim, quantity, mention) and any(_says_kind(mention, o) for o in beside):
        return False
    return is_spoken_of(mention, (figure.item,), ())


def _is_attached(claim: ClaimText, quantity: Quantity, mention: Mention) -> bool:
    """Does a period stand right behind a figure, or open the claim?"""
    if not any(m.end == mention.end for m in claim.said.periods):
        return True  # of the lead
    between = (
        claim.text[quantity.end : mention.start]
        if mention.start >= quantity.end
        else claim.text[: mention.start]
    )
    return _ATTACHED.fullmatch(between.lower()) is not None


def _says_kind(mention: Mention, other: Mention) -> bool:
    """Does the other name what the mention names: a year, a quarter, a day?"""
    return any(
        getattr(mention, name) is not None and getattr(other, name) is not None
        for name in ("day", "year", "quarter", "months")
    )


def is_spoken_of(mention: Mention, cited: Sequence[Evidence], figures: Sequence[CitedFigure]) -> bool:
    """Does the evidence speak of a period at all: in its words, as a figure's, or as that of its document?"""
    if any(f.period is not None and fits_period(mention, f.period) for f in figures):
        return True
    for item in cited:
        others = (*find_mentions(item.text), *find_mentions(item.section))
        if fits_mentions(mention, others, item.period):
            return True
        if not _is_other_span(mention, others) and fits_period(mention, item.period):
            return True
        if any(_says_same(mention, other) for other in others):
            return True
    return False


def _is_other_span(mention: Mention, others: Sequence[Mention]) -> bool:
    """'the first six months' where only nine are spoken of?"""
    spans = {o.months for o in others if o.months and o.quarter is None}
    return bool(mention.months and mention.quarter is None and spans and mention.months not in spans)


def _says_same(mention: Mention, other: Mention) -> bool:
    """Is whatever the mention says said by the other, too?"""
    names = ("day", "year", "quarter", "month", "months")
    said = [name for name in names if getattr(mention, name) is not None]
    return all(getattr(mention, name) == getattr(other, name) for name in said)
