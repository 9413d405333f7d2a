"""merge: one context from both tools, vector first, then graph (Sarmah et al. 2024, 4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langchain_core.messages import AnyMessage, ToolMessage

from graphs.contracts import Reading
from graphs.engine import Engine
from graphs.protocols import Ranker
from graphs.state import Context, State
from graphs.steps.retrieve import results_of
from tools.evidence import Evidence
from tools.model_files import ModelFileError

MAX_FACTS_SHARE = 0.8
"""Share of a context that facts may take where there are passages, too."""
SPOKEN_CONTEXT_SHARE = 0.75
"""Share of a context for a question put as on a call: its answer is in one of a few exchanges."""
MAX_RANKED_FACTS = 16
"""Figures kept where a learned fit chose among all that the tables print."""
MAX_MATCH_OUT_OF_SCOPE = 0.5
"""Highest match of a fact outside the companies and periods the question itself asked for."""


def merge(state: State, context: Context, *, engine: Engine, whole: bool = False) -> dict[str, Any]:
    """Renumber the evidence of this lookup in prompt order and note which tools failed.

    At most `context.context_chars` characters are kept, as `fitted` says, unless `whole`: the baselines concatenate
    all. Artifacts are taken out of the tool messages, so that a thread stores its evidence once.
    """
    found = [item for items in results_of(state) for item in items]
    passages = [e for e in found if e.source == "vector"]
    if engine.reranker is not None:
        passages = engine.reranker.rerank(state["reading"], passages)
    seen = {e.item_id for e in passages}  # a table may be found by both
    facts = [e for e in found if e.source == "graph" and e.item_id not in seen]
    unranked: list[str] = []
    if engine.ranker is not None and (state["widened"] or (passages and not state["reading"].spoken)):
        asked = state["reading"], passages, facts, engine.ranker
        keeps = (
            whole or engine.reranker is not None or state["reading"].parts
        )  # whose order is chosen already
        try:
            ranked = _ranked(*asked)
        except ModelFileError as error:
            ranked = _ranked(*asked, roughly=True)
            unranked = [f"ranked roughly: {error}"]
        passages, facts = _in_order_of([*passages, *facts], ranked) if keeps else ranked
    room = int(context.context_chars * (SPOKEN_CONTEXT_SHARE if state["reading"].spoken else 1))
    ordered = passages + facts if whole else fitted(passages, facts, room)
    evidence = [
        _judged(item, state["reading"]).model_copy(update={"rank": rank})
        for rank, item in enumerate(ordered, start=1)
    ]
    last = [m for m in state["lookups"] if isinstance(m, ToolMessage)]
    failed = [f"{m.name} failed: {m.content}" for m in last if m.status == "error"]
    slim: list[AnyMessage] = [m.model_copy(update={"artifact": None}) for m in last if m.artifact is not None]
    return {"evidence": evidence, "gaps": [*failed, *unranked], "lookups": slim}


def _ranked(
    reading: Reading,
    passages: Sequence[Evidence],
    facts: Sequence[Evidence],
    ranker: Ranker,
    *,
    roughly: bool = False,
) -> tuple[list[Evidence], list[Evidence]]:
    """Passages and facts, each in the order of the learned fit; of facts those that were found for their name or
    hold a line that may answer."""
    best = {fact.item_id: fact for fact in sorted(facts, key=lambda each: each.score)}
    found = [*passages, *(best[item_id] for item_id in dict.fromkeys(fact.item_id for fact in facts))]
    ranked = ranker.rank(reading, found, roughly=roughly)
    known = [e for e in ranked if e.source == "graph" and (e.score or e.lines)]
    chosen = [e for k, e in enumerate(known) if e.score or k < MAX_RANKED_FACTS]
    return [e for e in ranked if e.source == "vector"], chosen


def _in_order_of(
    found: Sequence[Evidence], ranked: tuple[list[Evidence], list[Evidence]]
) -> tuple[list[Evidence], list[Evidence]]:
    """Passages and facts as they were found, with the lines that the learned fit gave them; of figures that were not
    found for their name those that it chose."""
    lines = {each.item_id: each.lines for own in ranked for each in own}
    kept = [each for each in found if each.source == "vector" or each.score or each.item_id in lines]
    said = [each.model_copy(update={"lines": lines.get(each.item_id, ())}) for each in kept]
    return [e for e in said if e.source == "vector"], [e for e in said if e.source == "graph"]


def fitted(passages: Sequence[Evidence], facts: Sequence[Evidence], room: int) -> list[Evidence]:
    """The best passages and facts that have room together, in characters, each in its order.

    Facts and tables hold the figures: they come first, for at most `MAX_FACTS_SHARE` of the room where there are
    passages, of which the best one has its place. What is too long for the rest of the room is passed over. The best
    passage and the best fact are kept whatever their length.
    """
    most = min(int(room * MAX_FACTS_SHARE), room - len(passages[0].text)) if passages else room
    kept_facts = _first(facts, most)
    left = room - sum(len(fact.text) for fact in kept_facts)
    return [*_first(passages, left), *kept_facts]


def _first(items: Sequence[Evidence], room: int) -> list[Evidence]:
    kept = list[Evidence]()
    for item in items:
        if not kept or len(item.text) <= room:
            kept.append(item)
            room -= len(item.text)
    return kept


def _judged(item: Evidence, reading: Reading) -> Evidence:
    """After widening, a fact of another period is context, never the answer."""
    asked = reading.scope
    if asked.periods:
        asked = replace(asked, periods=(*asked.periods, *reading.compared_periods))
    if item.fact is None or asked.admits(item.company_key, item.period, item.doc_type):
        return item
    fact = item.fact.model_copy(update={"match": min(item.fact.match, MAX_MATCH_OUT_OF_SCOPE)})
    return item.model_copy(update={"fact": fact})
