"""Whether what a claim says rose, fell or did not happen is what the figures and words of its passage say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from graphs.drafts.words import content, stem
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.computed_figures import delta_way, is_change
from graphs.local.check.derivations import shares
from graphs.local.check.figure_changes import moves_as_said
from graphs.local.check.figure_match import is_labelled, same_size, stated_figures
from graphs.local.check.opposites import opposite_fault
from graphs.local.check.parsed_text import ParsedText
from graphs.local.check.passages import Passage, spans_of
from graphs.local.check.printed_figures import Figure
from graphs.local.text.polarity import Sign, direction_fault, negation_fault
from tools.values import Quantity

MAX_CHARS_TO_LEVEL = 70
"""From a word of direction to the figure that it leads to ('rose ... to 5 million')."""
MAX_CHARS_BEFORE_DELTA = 50
MAX_CHARS_BEHIND_DELTA = 25
"""Between the size of a movement and the word of its direction ('rose by 5 million', '5 million less')."""
_TO_LEVEL = re.compile(r"\bto\b(?:\s+\w+){0,2}\s*[$€£]?$")


def movement_fault(claim: ClaimText, passage: Passage) -> str:
    """A direction or denial that neither the passage's words nor its figures support."""
    if fault := _delta_fault(claim, passage) or _level_fault(claim, passage):
        return fault
    confirmed = _confirmed(claim, passage)
    open_signs = _unsettled(claim, passage, confirmed)
    if passage.structured and open_signs:
        return _figures_fault(claim, passage, open_signs, confirmed)
    if passage.structured and claim.said.denials:
        return f"'{claim.said.denials[0].text}' is not in the cited evidence"
    if fault := opposite_fault(claim, passage) or direction_fault(claim.text, passage.text, confirmed):
        return fault
    return "" if passage.structured else negation_fault(claim.text, passage.text)


def stated_direction_fault(claim: ClaimText, passage: Passage) -> str:
    """A direction that the claim gives to a figure of its own, and that the passage's figures turn round."""
    if fault := _delta_fault(claim, passage) or _level_fault(claim, passage):
        return fault
    if not passage.structured or claim.said.denials:
        return ""
    for sign in _unsettled(claim, passage, _confirmed(claim, passage)):
        quantity = _led_to(claim, sign)
        own = [f for f in passage.figures if quantity and same_size(quantity, f.quantity)]
        labels = {f.label for f in own}
        ups = _moved(f for f in passage.figures if f.label in labels)
        if ups and sign.up not in ups:
            return f"'{sign.text}' is not what the cited figures show"
    return ""


_APART = re.compile(r"[;:]|,(?!\d)|\b(?:and|as|while|but|despite|after|on|in)\b")


def _led_to(claim: ClaimText, sign: Sign) -> Quantity | None:
    """The level that a word of direction leads to: 'rose to 5 million'; None where it has none."""
    ahead = [q for q in claim.said.quantities if q.start >= sign.start + len(sign.text)][:1]
    for quantity in ahead:
        between = claim.text[sign.start + len(sign.text) : quantity.start]
        if _TO_LEVEL.search(between.rstrip("$€£ ") + " ") and not _APART.search(between):
            return quantity
    return None


def _delta_fault(claim: ClaimText, passage: Passage) -> str:
    """A movement of a size that running text gives in the other direction only."""
    theirs: dict[tuple[Decimal, str], set[str]] = {}
    for quantity in () if passage.structured else passage.said.quantities:
        if way := delta_way(passage.text, quantity):
            theirs.setdefault((abs(quantity.amount), quantity.unit), set()).add(way)
    for quantity in claim.said.quantities if theirs else ():
        way = delta_way(claim.text, quantity)
        known = theirs.get((abs(quantity.amount), quantity.unit))
        if way and known and way not in known:
            return f"{quantity.text} is a movement {min(known)}, not {way}, in the cited evidence"
    return ""


def _level_fault(claim: ClaimText, passage: Passage) -> str:
    for sign, holds in _to_levels(claim.said, passage):
        if not holds:
            return f"'{sign.text}' is not what the cited figures show"
    return ""


def _to_levels(said: ParsedText, passage: Passage) -> Iterator[tuple[Sign, bool]]:
    """Words of direction before a level that the passage compares with an earlier one ('rose to 5 million'), and
    whether it moved so."""
    for sign in said.directions if passage.changes else ():
        ahead = [q for q in said.quantities if 0 <= q.start - sign.start <= MAX_CHARS_TO_LEVEL]
        for change in passage.changes:
            hit = [q for q in ahead if same_size(q, change.new)]
            if not hit or change.rises is None or (change.new.value < 0) != (change.old.value < 0):
                continue
            if any(delta_way(said.text, q) for q in hit):
                continue
            between = said.text[sign.start : hit[0].start]
            if _TO_LEVEL.search(between.rstrip("$€£ ") + " "):
                yield sign, sign.up == (abs(change.new.amount) > abs(change.old.amount))


def _confirmed(claim: ClaimText, passage: Passage) -> frozenset[int]:
    """Where words of direction stand that figures confirm: the claim's own, or those of the passage."""
    said = claim.said
    held = [change for change in said.changes if moves_as_said(change)]
    found = {s.start for c in held for s in said.directions if c.at <= s.start < c.at + len(c.word)}
    found |= {change.at for change in held}
    found |= set(_of_deltas(said, passage))
    found |= {sign.start for sign, holds in _to_levels(said, passage) if holds}
    found |= {s.start for s in said.directions if any(s.start <= at < s.start + len(s.text) for at in found)}
    return frozenset(found)


def _of_deltas(said: ParsedText, passage: Passage) -> Iterator[int]:
    """Where the word of direction stands that is nearest to the size of a movement which the figures show."""
    deltas = [(q, way) for q in said.quantities if (way := delta_way(said.text, q))]
    known = _movements(said, passage) if deltas else []
    for quantity, way in deltas:
        shown = any(is_change(quantity, new, old, way) for new, old in known)
        if shown or any(_is_movement(quantity, way, f, passage) for f in passage.figures):
            near = [
                (abs(s.start - quantity.start), s.start)
                for s in said.directions
                if s.up == (way == "up")
                and -MAX_CHARS_BEFORE_DELTA
                <= s.start - quantity.start
                <= len(quantity.text) + MAX_CHARS_BEHIND_DELTA
            ]
            yield from [min(near)[1]] if near else []


def _movements(said: ParsedText, passage: Passage) -> list[tuple[Quantity, Quantity]]:
    """(new, old) of what moved: line items that the text states or names, figures of running text of which it states
    one, and what text and passage compare."""
    own = [f for f in passage.figures if any(same_size(q, f.quantity) for q in said.quantities)]
    found = [(a.quantity, b.quantity) for a, b in passage.spans if a in own or b in own]
    found += [(a.quantity, b.quantity) for a, b in passage.spans if is_labelled(said, a.label)]
    rest = [f for f in passage.figures if not f.label and f not in own]
    found += [(a.quantity, b.quantity) for a in own if not a.label for b in rest]
    return found + [(c.new, c.old) for c in (*said.changes, *passage.changes)]


def _is_movement(quantity: Quantity, way: str, figure: Figure, passage: Passage) -> bool:
    """Is a parsed figure itself a movement, whose sign gives the direction: a rate of growth, or a cash flow?"""
    if not passage.structured or not same_size(quantity, figure.quantity):
        return False
    flows = any(item.fact and item.fact.statement == "cash_flow" for item in passage.items)
    return (flows or figure.quantity.unit == "percent") and (figure.quantity.value > 0) == (way == "up")


def _unsettled(claim: ClaimText, passage: Passage, confirmed: frozenset[int]) -> list[Sign]:
    """Words of direction that are not confirmed, nor part of a line item's name.

    What only the claim's own figures confirm counts for facts and tables where its words say which came first, or
    speak of a loss.
    """
    settled = confirmed
    if passage.structured:
        changes = claim.said.changes
        settled &= {
            at
            for at in confirmed
            if not any(abs(at - c.at) < 3 for c in changes)
            or any(at == c.at for c in changes if c.loss or c.ordered)
        }
    labels = content(" ".join(f.label for f in passage.figures if f.label))
    return [
        s
        for s in claim.said.directions
        if s.start not in settled
        and s.text.lower() not in ("slow", "slower")
        and stem(s.text.lower()) not in labels
    ]


def _figures_fault(
    claim: ClaimText, passage: Passage, signs: Sequence[Sign], confirmed: frozenset[int]
) -> str:
    """Directions against facts and tables: of shares, of the figures stated, else of the line items named."""
    if {s.up for s in signs} <= set(_moved_shares(claim, passage)):
        return ""
    own = stated_figures(claim, passage)
    ups = _moved(own)
    if not ups:
        labels = {f.label for f in own} or {
            f.label for f in passage.figures if is_labelled(claim.whole, f.label)
        }
        ups = _moved(f for f in passage.figures if f.label in labels)
    if not ups:
        return direction_fault(claim.text, passage.text, confirmed)
    denied = bool(claim.said.denials)
    for sign in signs:
        if (sign.up != denied) not in ups:
            return f"'{sign.text}' is not what the cited figures show"
    return ""


def _moved_shares(claim: ClaimText, passage: Passage) -> Iterator[bool]:
    """Which way the shares moved that a claim states: 'nearly half of revenue, up from 37 %'."""
    said = claim.said
    if not any(d.kind == "share" for d in said.degrees) and not any(
        q.unit == "percent" for q in said.quantities
    ):
        return
    found = list(shares(claim, passage))
    for later in found:
        for sooner in found:
            alike = (later.part.label, later.whole.label) == (sooner.part.label, sooner.whole.label)
            if alike and later.part.end and sooner.part.end and later.part.end > sooner.part.end:
                yield later.ratio > sooner.ratio


def _moved(figures: Iterable[Figure]) -> frozenset[bool]:
    """Whether later figures of a line item are above earlier ones; empty if there are none such, or no change."""
    amounts = [(a.quantity.amount, b.quantity.amount) for a, b in spans_of(tuple(figures))]
    return frozenset(later > sooner for later, sooner in amounts if later != sooner)
