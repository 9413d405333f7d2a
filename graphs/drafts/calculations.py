"""Calculations in drafts: written from the evidence that holds them, and computed again from the figures they cite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from graphs.contracts import PlannedCalculation, Statement
from graphs.drafts.claims import Claim, read_claims
from tools.calculate.amounts import is_as_printed, recomputed
from tools.calculate.expressions import ExpressionError
from tools.calculate.measures import measure_called
from tools.calculate.types import Calculation, When
from tools.calculate.wording import answer_text
from tools.evidence import Evidence
from tools.knowledge.lexicon.word_forms import words_of
from tools.values import find_quantities

NOT_COMPUTED = "it is not what comes out of the figures that it cites"


@dataclass(frozen=True, slots=True)
class ComputedClaims:
    """What the calculations of some evidence say, sentence by sentence."""

    said: frozenset[Claim]
    """With the ranks that each cites, in their order, under its lead and table heads."""
    ranks: frozenset[int]
    """Of all figures that were computed with."""


def calculated(evidence: Sequence[Evidence]) -> str:
    """What the calculations of the evidence come to, in Markdown, each figure cited; '' where there are none."""
    ranks = {item.item_id: item.rank for item in evidence}
    texts = [_text(item.calculation, ranks) for item in evidence if item.calculation is not None]
    return "\n\n".join(filter(None, texts))


def states_measure(evidence: Sequence[Evidence]) -> bool:
    """Whether a likely line gives, in percent, the measure that was computed, and the same: its own words are the
    better answer. A line with another percentage is of another time or part, or as its company defines it."""
    computed = [item.calculation for item in evidence if item.calculation is not None]
    said = [line.text for item in evidence for line in item.lines if line.likely and "%" in line.text]
    for each in computed:
        measure = measure_called(each.asked.measure)
        if measure is None or each.asked.part or each.asked.across or each.asked.pick:
            continue
        values = [Decimal(result.value) * 100 for result in each.results if result.value]
        naming = [text for text in said if any(name in text.lower() for name in measure.names)]
        if naming and (not values or any(_says(text, value) for text in naming for value in values)):
            return True
    return False


def _says(text: str, percent: Decimal) -> bool:
    """Whether a text has a percentage, rounded as it has it."""
    return any(
        each.unit == "percent" and abs(abs(each.value) - abs(percent)) <= each.quantum / 2
        for each in find_quantities(text)
    )


def words_in_print(planned: PlannedCalculation) -> frozenset[str]:
    """The words that a line has which gives what was to be computed, as pages do: the growth or change from one year
    to the next, a share, a sum. Those of the figure, of the part, or of all that is added; none where pages do not give
    it."""
    asked = planned.asked
    moved = asked.across in ("growth", "change")
    if not (moved or asked.is_share or is_sum(planned)) or asked.over or asked.yes_no:
        return frozenset()
    if moved and any(_years_between(own) > 1 for _, own in planned.periods):
        return frozenset()
    items = dict(asked.items)
    named = (
        [items["a"].rpartition("|")[2]]
        if asked.is_share and items
        else [x.partition("|")[0] for x in items.values()]
    )
    return words_of(" ".join(named) or asked.measure)


def is_sum(planned: PlannedCalculation) -> bool:
    """Whether figures of one period are to be added."""
    asked = planned.asked
    of_one_time = all(len(own) < 2 for _, own in planned.periods)
    return asked.across == "sum" and of_one_time and not (asked.yes_no or asked.apart)


def states_change(planned: PlannedCalculation, evidence: Sequence[Evidence]) -> bool:
    """Whether a likely line may give the change that was to be computed."""
    words = words_in_print(planned)
    likely = [line.text for item in evidence for line in item.lines if line.likely]
    return (
        planned.asked.across == "change" and bool(words) and any(words <= words_of(text) for text in likely)
    )


def _years_between(whens: Sequence[When]) -> int:
    filters = [each for when in whens for each in when.periods]
    years = [each.fiscal_year or each.calendar_year or (each.end.year if each.end else 0) for each in filters]
    return max(years) - min(years) if years and all(years) else 0


def computed_claims(evidence: Sequence[Evidence]) -> ComputedClaims:
    """The sentences of `calculated`, every value computed again from the figures as the evidence prints them."""
    ranks = {item.item_id: item.rank for item in evidence}
    by_id = {item.item_id: item for item in evidence if item.calculation is None}
    claims = [
        claim
        for item in evidence
        if item.calculation is not None
        for claim in read_claims(_text(_again(item.calculation, by_id), ranks))
    ]
    return ComputedClaims(frozenset(claims), frozenset(n for claim in claims for n in claim.markers))


def judged_sum(claim: Claim, computed: ComputedClaims) -> Statement | None:
    """The verdict on a claim that cites figures which were computed with: it must be what comes out of them, word for
    word. None for another claim."""
    if not computed.ranks or not computed.ranks.intersection(claim.markers):
        return None
    holds = claim in computed.said
    return Statement(
        text=claim.text,
        supported=holds,
        evidence=claim.markers if holds else (),
        reason="" if holds else NOT_COMPUTED,
    )


def _text(calculation: Calculation, ranks: Mapping[str, int]) -> str:
    return answer_text(calculation, lambda item_id: f"[{ranks[item_id]}]" if item_id in ranks else "")


def _again(calculation: Calculation, by_id: Mapping[str, Evidence]) -> Calculation:
    """The calculation with its values computed again; without those whose figures are not there as it says."""
    results = []
    for result in calculation.results:
        if not all(is_as_printed(each, by_id) for each in result.operands):
            continue
        try:
            value = recomputed(result) if result.value else None
        except ExpressionError:
            continue
        said = {} if value is None else {"value": format(value.value, "f"), "unit": value.unit}
        results.append(result.model_copy(update=said))
    printed = calculation.printed
    if printed is not None and not is_as_printed(printed, by_id):
        printed = None
    return calculation.model_copy(update={"results": tuple(results), "printed": printed})
