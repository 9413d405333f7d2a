"""What `calculate` made of a lookup, among what the searches found."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.contracts import Plan, PlannedCalculation, PrintedForm
from graphs.drafts.calculations import calculated, is_sum, states_change, words_in_print
from graphs.state import State
from graphs.steps.tool_results import results_of
from tools.calculate.measures import measure_called
from tools.evidence import Evidence
from tools.value_patterns import PERCENT

_AMOUNT = re.compile(r"\bhow\s+(?:much|many)\b|\bamount\b", re.IGNORECASE)


def computed_in(state: State) -> list[Evidence]:
    """What was computed, each with its operands, which come before what was found."""
    found = [item for items in results_of(state, "calculate") for item in items]
    if state.get("plans", 1) > 1:
        kept = {
            id for item in state["evidence"] if item.calculation for id in (item.item_id, *_operands(item))
        }
        found = [*(item for item in state["evidence"] if item.item_id in kept), *found]
    return list({item.item_id: item for item in found}.values())


def as_found(computed: Sequence[Evidence], facts: Sequence[Evidence], state: State) -> list[Evidence]:
    """What was computed; what the search found, too, with the match that it gave it: a figure that is printed as an
    answer of its own, and operands where no period is asked for, since those of earlier periods stand beside them."""
    found = {item.item_id: item for item in facts}
    kept = {each.printed.item_id for item in computed if (each := item.calculation) and each.printed}
    return [
        found.get(item.item_id, item) if item.item_id in kept or not state["scope"].periods else item
        for item in computed
    ]


def uncomputed(plan: Plan, computed: Sequence[Evidence], evidence: Sequence[Evidence]) -> str:
    """What was to be computed, where nothing came of it and no page says it: changes are printed, too, and what is
    derived only if no page has it."""
    wanted = [each for each in plan.calculations if not each.asked.derived]
    printed = bool(computed) and not any(item.calculation for item in computed)
    if printed or calculated(computed) or any(states_change(each, evidence) for each in wanted):
        return ""
    return "; ".join(each.question for each in wanted)


def form_in_print(planned: Sequence[PlannedCalculation]) -> PrintedForm:
    """How pages would print what was to be computed: shares and margins in percent, growth where it is said, a sum in a
    line that has all its words, changes and other measures in any way; means, differences, quotients, sums of several
    periods, and whether something holds, not at all."""
    forms = {_form(each) for each in planned if not each.asked.derived}
    return forms.pop() if len(forms) == 1 else ""


def said_in_print(planned: Sequence[PlannedCalculation]) -> str:
    """The words that a line has which gives what was to be computed; '' where no page does."""
    said = [words_in_print(each) for each in planned if not each.asked.derived]
    return " ".join(sorted(said[0])) if len(said) == 1 else ""


def _form(planned: PlannedCalculation) -> PrintedForm:
    asked = planned.asked
    measure = measure_called(asked.measure)
    if is_sum(planned):
        return "words"
    if asked.yes_no or asked.apart or asked.across in ("sum", "average", "times"):
        return "none"
    if asked.is_share and _AMOUNT.search(asked.said) and not PERCENT.search(asked.said):
        return ""
    if asked.across in ("growth", "cagr"):
        return "growth"
    if asked.is_share or (measure and measure.shown == "percent"):
        return "percent"
    return "none" if re.search(r" [-+/] ", asked.formula) else ""


def _operands(item: Evidence) -> list[str]:
    """Item ids of what was computed with."""
    return [operand.item_id for operand in item.calculation.operands] if item.calculation else []
