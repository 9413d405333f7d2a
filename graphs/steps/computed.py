"""What `calculate` made of a lookup, among what the searches found."""

from __future__ import annotations

from collections.abc import Sequence

from graphs.contracts import Plan
from graphs.drafts.calculations import calculated, states_result
from graphs.state import State
from graphs.steps.tool_results import results_of
from tools.evidence import Evidence


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
    """What was to be computed, where nothing came of it and no page says it: growth, changes and shares are printed,
    too, and what is derived only if no page has it."""
    wanted = [each for each in plan.calculations if not each.asked.derived]
    printed = bool(computed) and not any(item.calculation for item in computed)
    if printed or calculated(computed) or any(states_result(each, evidence) for each in wanted):
        return ""
    return "; ".join(each.question for each in wanted)


def _operands(item: Evidence) -> list[str]:
    """Item ids of what was computed with."""
    return [operand.item_id for operand in item.calculation.operands] if item.calculation else []
