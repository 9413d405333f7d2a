"""The hard facts of a claim: what code can decide, and what vetoes a claim whatever a judge says.

Figure, unit, scale, period, company, direction of a stated figure, quotation, proper name. How a thing is worded is no
hard fact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from graphs.drafts.claims import Claim
from graphs.drafts.words import verbatim
from graphs.local.check.checker import cell_claims, is_long_quote, quoted_passage
from graphs.local.check.cited_figures import CitedFigure, cited_figures
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.derivations import is_derived
from graphs.local.check.direction_checks import stated_direction_fault
from graphs.local.check.direction_facts import pair_fault, way_fault, way_of
from graphs.local.check.figure_facts import (
    in_question,
    is_gap,
    is_one_digit,
    matching,
    may_be_printed,
    misprinted,
    stated_quantities,
)
from graphs.local.check.label_facts import label_fault
from graphs.local.check.name_facts import name_fault, named_companies
from graphs.local.check.own_results import computed
from graphs.local.check.passages import Passage, is_prose, pool, sentence_passage, whole
from graphs.local.check.period_facts import (
    is_spoken_of,
    may_be_meant,
    may_be_of,
    period_fault,
    unfitting_period,
)
from graphs.local.check.shown_sums import ShownSum, is_count, shown_sums
from graphs.local.check.simple_results import follows, follows_in_two_steps
from graphs.local.check.swapped_figures import swapped_change_fault
from graphs.local.text.period_mentions import find_mentions, fits_mentions
from tools.evidence import Evidence
from tools.periods import Period
from tools.values import Quantity

MAX_OPEN = 20
"""Figures of one claim that the evidence does not hold, up to which it is tried how they may have been computed."""


class _Objection(NamedTuple):
    reason: str
    vetoes: bool = True
    """False where another reading of the claim holds."""


@dataclass(frozen=True)
class HardFacts:
    """One claim and the evidence it cites."""

    claim: ClaimText
    cited: tuple[Evidence, ...]
    by_rank: Mapping[int, Evidence]
    question: str = ""
    beside: tuple[HardFacts, ...] = ()
    """The draft's other claims: what one computes another may state."""

    @cached_property
    def figures(self) -> tuple[CitedFigure, ...]:
        """All figures cited."""
        return tuple(f for item in self.cited for f in cited_figures(item))

    @cached_property
    def matches(self) -> list[tuple[Quantity, list[CitedFigure]]]:
        """The claim's figures, each with those of the evidence that it may be."""
        return [(q, matching(q, self.figures, self.claim.text)) for q in stated_quantities(self.claim)]

    def fault(self) -> str:
        """The first hard fact that does not hold in any reading of the claim; '' if all do."""
        return (
            next((o.reason for o in self._object() if o.vetoes), "")
            or self._company_fault()
            or way_fault(self.claim, self.matches)
            or self._name_fault()
        )

    def doubt(self) -> str:
        """The first figure that holds in some reading of the claim, but not in the likeliest; '' if there is none."""
        return next((o.reason for o in self._object() if not o.vetoes), "")

    @cached_property
    def sums(self) -> tuple[ShownSum, ...]:
        """Calculations that the claim shows."""
        return tuple(shown_sums(self.claim.text, self.claim.said.quantities, self._meant))

    @cached_property
    def _open(self) -> list[Quantity]:
        """The claim's figures that neither the evidence nor the question holds."""
        return [q for q, same in self.matches if not same and not in_question(q, self.question)]

    @cached_property
    def computed(self) -> set[int]:
        """Where the figures start that no evidence holds and that follow from the claim's others, or from another's."""
        results = {r.start for s in self.sums for r in s.results}
        open_ = [q for q, same in self.matches if q.start in results or not same]
        known = [each for each in self.known if each[0].start not in results]
        found = computed(known, open_) if open_ else set()
        for other in self.beside if len(found) < len(open_) else ():
            told = other.told
            found |= computed([*known, *told], open_)
            found |= {
                q.start for q in open_ for t, _, _ in told if (q.amount, q.scale) == (t.amount, t.scale)
            }
        return found

    @property
    def told(self) -> list[tuple[Quantity, Decimal, str]]:
        """What the claim tells others to compute from: what it knows, and what its calculations rightly come to."""
        results = [r for s in self.sums if not s.fault for r in s.results]
        return [*self.known, *((r, r.amount, r.unit) for r in results)]

    @cached_property
    def known(self) -> list[tuple[Quantity, Decimal, str]]:
        """The claim's figures that evidence or question hold, with the amount and unit that each stands for."""
        return [(q, *self._meant(q)) for q, same in self.matches if same or in_question(q, self.question)]

    def _meant(self, quantity: Quantity) -> tuple[Decimal, str]:
        """The amount and unit of a figure in a calculation: a bare one has those of the evidence."""
        same = next((same for q, same in self.matches if q.start == quantity.start and same), None)
        if same is None or quantity.scale or is_count(quantity):
            return quantity.amount, quantity.unit
        amount = same[0].likely_amount(quantity.scale).copy_sign(quantity.value)
        return amount, quantity.unit or same[0].likely_unit

    def _object(self) -> Iterator[_Objection]:
        if wrong := misprinted(self.claim):
            yield _Objection(f"{wrong} is no figure")
        for shown in self.sums:
            if shown.result and shown.fault and shown.result.start not in self.computed:
                yield _Objection(shown.fault, not shown.is_close)
        if len(self._open) > MAX_OPEN:
            yield _Objection(f"{self._open[0].text} is not in the cited evidence")
            return
        results = {r.start for s in self.sums for r in s.results} | self.computed
        counts = {o.start for s in self.sums for o in s.operands if is_count(o)}
        for quantity, same in self.matches:
            in_sum = any(s.start <= quantity.start < s.end for s in self.sums)
            if quantity.start in results | counts:
                continue
            if same and not in_sum:
                yield from self._bound(quantity, same)
            elif not same and not in_question(quantity, self.question) and not self._follows(quantity):
                yield _Objection(
                    f"{quantity.text} is not in the cited evidence", not self._may_follow(quantity)
                )
        if fault := pair_fault(self.claim, self.matches):
            yield _Objection(fault)
        if fault := self._direction_fault():
            parsed_pair = len(self.matches) <= len(("from", "to")) and not any(map(is_prose, self.cited))
            yield _Objection(fault, parsed_pair)
        if period := unfitting_period(self.claim, self.matches):
            yield _Objection(f"no cited figure is for {period}", vetoes=False)
        yield from self._unspoken_periods()

    def _bound(self, quantity: Quantity, same: Sequence[CitedFigure]) -> Iterator[_Objection]:
        """A figure that the evidence holds, but for another period, or for another line item than the one named."""
        fault = period_fault(self.claim, quantity, same)
        if not fault:
            if fault := label_fault(self.claim, quantity, same, self.figures, self.matches):
                yield _Objection(fault)
            return
        is_size = quantity.unit == "percent" or way_of(self.claim.text, quantity)
        others = [f for q, found in self.matches if q is not quantity for f in found]
        fits = not others or any(not period_fault(self.claim, quantity, [f]) for f in others)
        is_computed = bool(computed([k for k in self.known if k[0] is not quantity], [quantity]))
        if not is_computed and not (
            is_size and fits and follows(self.claim, quantity, self.figures, self.question)
        ):
            yield _Objection(fault, not may_be_of(self.claim, quantity, same))

    def _follows(self, quantity: Quantity) -> bool:
        """Is a figure the result of simple arithmetic over cited figures?"""
        if any(s.comes_to(quantity) for s in self.sums):
            return True
        if is_gap(quantity, self.figures):
            return True
        stated_only = bool(self.sums) or is_one_digit(quantity)
        if follows(self.claim, quantity, self.figures, self.question, stated_only=stated_only):
            return True
        return not stated_only and is_derived(self.claim, self._whole, quantity)

    def _may_follow(self, quantity: Quantity) -> bool:
        """May a figure that the evidence does not print so be one of it after all: printed or read otherwise, computed
        from figures of which the claim states but one, or in two steps?"""
        if may_be_printed(quantity, self.figures, self.cited):
            return True
        given = (self.claim, quantity, self.figures, self.question)
        states_one = any(same for _, same in self.matches) and not self.sums
        if states_one and is_one_digit(quantity) and follows(*given):
            return True
        return follows_in_two_steps(*given)

    @cached_property
    def _whole(self) -> Passage:
        return pool(
            [replace(whole(i), figures=tuple(f.as_figure() for f in cited_figures(i))) for i in self.cited]
        )

    def _unspoken_periods(self) -> Iterator[_Objection]:
        """Periods of which the evidence does not speak: one that it cannot mean either vetoes."""
        asked = find_mentions(self.question)
        for mention in self.claim.said.periods:
            if mention.year is None and mention.day is None and mention.quarter is None:
                continue
            day = replace(mention, months=None, quarter=None) if mention.day else mention
            if is_spoken_of(day, self.cited, self.figures) or (
                asked and fits_mentions(mention, asked, Period())
            ):
                continue
            meant = may_be_meant(mention, self.cited, self.figures)
            yield _Objection(f"the cited evidence does not speak of {mention.text}", not meant)

    def _company_fault(self) -> str:
        """A figure given to a company of which none of the evidence that holds it is, or speaks."""
        text = self.claim.whole.text
        offset = len(text) - len(self.claim.text)
        named = named_companies(text, tuple(self.by_rank.values()))
        for quantity, same in self.matches if named else ():
            if any(s.start <= quantity.start < s.end for s in self.sums):
                continue  # whose it is stands where it is stated
            at = quantity.start + offset
            near = {key for start, key in named if start < at and start == max(s for s, _ in named if s < at)}
            near |= {
                key for start, key in named if start > at and start == min(s for s, _ in named if s > at)
            }
            items = [f.item for f in same] or list(self.cited)
            if not any(
                i.company_key in near
                or {k for _, k in named_companies(i.text, list(self.by_rank.values()))} & near
                for i in items
            ):
                return f"{quantity.text} is not of the company that it is given to"
        return ""

    def _direction_fault(self) -> str:
        """What a comparison of the claim seems to turn round; it is sure of two figures of facts and tables alone."""
        passage = self._passage()
        if passage is None:
            return ""
        text = self.claim.text
        for shown in self.sums:
            text = f"{text[: shown.start]}{'_' * (shown.end - shown.start)}{text[shown.end :]}"
        bare = ClaimText(text, self.claim.context)
        return swapped_change_fault(bare, passage, worded=True) or stated_direction_fault(bare, passage)

    def _passage(self) -> Passage | None:
        """What of the evidence holds the claim's figures: facts and tables whole, of running text the sentences."""
        lines = {f.line for _, same in self.matches for f in same}
        found: list[Passage] = []
        for item in self.cited:
            if is_prose(item):
                found += sentence_passage(item, lines)
            else:
                found.append(replace(whole(item), figures=tuple(f.as_figure() for f in cited_figures(item))))
        return pool(found) if found and self.matches else None

    def _name_fault(self) -> str:
        return name_fault(self.claim, self.cited, self.by_rank, self.question)


def quotation_fault(claim: Claim, cited: Sequence[Evidence], question: str = "") -> str:
    """Words in quotation marks that no cited source has so; a few that name something may be the question's."""
    for quote in claim.quotes:
        if any(quoted_passage(quote, item) for item in cited):
            continue
        named = (f"{i.text} {i.section} {i.company} {i.document} {i.period.describe()}" for i in cited)
        if is_long_quote(quote) or not any(verbatim(quote) in verbatim(text) for text in (*named, question)):
            return "the quoted words are not in the cited evidence"
    return ""


def row_claims(claim: Claim) -> list[ClaimText]:
    """What a claim states: a row once for each cell that has a figure, with its column and the row's own words."""
    if claim.kind != "row":
        return [ClaimText(claim.text, claim.context)]
    return [ClaimText(text, claim.context) for text in cell_claims(claim)]
