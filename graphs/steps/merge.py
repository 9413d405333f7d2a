"""merge: one context from both tools, vector first, then graph (Sarmah et al. 2024, 4.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count, zip_longest
from typing import Any

from langchain_core.messages import AnyMessage

from graphs.contracts import Answer, Reading, Route, RouteKind
from graphs.drafts.claims import cited_in
from graphs.engine import Engine
from graphs.protocols import Ranker
from graphs.state import Context, State
from graphs.steps.computed import as_found, computed_in, form_in_print, said_in_print, uncomputed
from graphs.steps.corpus import true_of
from graphs.steps.telling import tell
from graphs.steps.tool_results import UNCOMPUTED, last_results, questions_of, results_of
from tools.evidence import Evidence
from tools.model_files import ModelFileError

MAX_FACTS_SHARE = 0.8
"""Share of a context that facts may take where there are passages, too."""
SPOKEN_CONTEXT_SHARE = 0.75
"""Share of a context for a question put as on a call: its answer is in one of a few exchanges."""
MAX_FACTS_OF_CALL = 8
"""Figures and relations kept of what one planned call finds."""
FACTS_BEFORE_TABLES = 3
LOCAL_CHARS = 12_000
"""Characters of evidence where a question is answered from the calls of its route."""
PLANNED_CHARS: Mapping[RouteKind, int] = {"extractive": 14_000, "abstractive": 24_000, "uncertain": 24_000}
"""Characters where the calls were planned."""
FACTS_SHARE: Mapping[RouteKind, float] = {"extractive": 0.75, "abstractive": 0.3, "uncertain": 0.55}
"""Share of those that figures and tables may take where there are passages: reasons stand in prose."""
RESERVED_TOKENS = 3_000
"""Of a model's window, for the instructions and the reply."""
CHARS_OF_TOKEN = 3
LEAST_CHARS = 2_000
MAX_RANKED_FACTS = 16
"""Figures kept where a learned fit chose among all that the tables print."""
MAX_MATCH_OUT_OF_SCOPE = 0.5
"""Highest match of a fact outside the companies and periods the question itself asked for."""


def merge(state: State, context: Context, *, engine: Engine, whole: bool = False) -> dict[str, Any]:
    """Renumber the evidence of this lookup in prompt order and note which tools failed.

    As many characters are kept as `room_for` says, in the way of `fitted`, unless `whole`: the baselines concatenate
    all. What further calls of a plan find is added to what was there. Artifacts are taken out of the tool messages,
    so that a thread stores its evidence once.
    """
    planned = bool(state["plan"].calls) and not whole
    computed = computed_in(state)
    gather = _of_calls if planned else _of_question
    route = state["route"]
    of_all = state["reading"].of_companies  # a company left out would be one of which it is not true
    if of_all:
        passages, facts, unranked, route = _of_companies(state, engine)
    else:
        passages, facts, unranked = gather(state, engine, whole=whole)
    share = FACTS_SHARE[state["route"].kind] if planned else MAX_FACTS_SHARE
    room = room_for(state, context, engine)
    computed = as_found(computed, facts, state)
    used = {item.item_id for item in computed}
    facts = [item for item in facts if item.item_id not in used]
    room -= sum(len(item.text) for item in computed)
    kept = passages + facts if whole or of_all else fitted(passages, facts, room, share)
    first = sum(item.source == "vector" for item in kept)
    ordered = _with_hops([*kept[:first], *computed, *kept[first:]], state["reading"])
    evidence = [_judged(item, state["reading"]) for item in _numbered(ordered, state.get("answered", ()))]
    tell(found=len(evidence))
    last = last_results(state)
    failed = [f"{m.name} failed: {m.content}" for m in last if m.status == "error"]
    computing = (str(message.content) for message in last if message.name == "calculate")
    failed += [line for text in computing for line in text.split("\n") if UNCOMPUTED in line]
    slim: list[AnyMessage] = [m.model_copy(update={"artifact": None}) for m in last if m.artifact is not None]
    lacking = uncomputed(state["plan"], computed, evidence)
    wanted = state["plan"].calculations if lacking else ()
    told = {"uncomputed_form": form_in_print(wanted), "uncomputed_of": said_in_print(wanted)}
    reading = state["reading"].model_copy(update={"uncomputed": lacking, **told})
    before = [gap for gap in state.get("gaps", ()) if UNCOMPUTED in gap] if state.get("plans", 1) > 1 else []
    return {
        "route": route,
        "reading": reading,
        "evidence": evidence,
        "gaps": [*before, *failed, *unranked],
        "lookups": slim,
    }


def _numbered(found: Sequence[Evidence], answered: Sequence[Answer]) -> list[Evidence]:
    """Ranks in prompt order from 1, or behind those of the turn's questions before; what these found keeps its own."""
    held = {(item.source, item.item_id): item.rank for each in answered for item in each.evidence}
    following = count(max(held.values(), default=0) + 1)
    return [
        item.model_copy(update={"rank": held.get((item.source, item.item_id)) or next(following)})
        for item in found
    ]


def _with_hops(found: list[Evidence], reading: Reading) -> list[Evidence]:
    """What was found, and before it what was found first, each once."""
    held = {item.item_id for item in found}
    return [*(hop.item for hop in reading.hops if hop.item.item_id not in held), *found]


def room_for(state: State, context: Context, engine: Engine) -> int:
    """Characters of evidence: what the context sets, or what the engine and the kind of question ask for, within the
    model's window."""
    if not state["plan"].calls:
        room = LOCAL_CHARS if context.context_chars is None else context.context_chars
        return int(room * (SPOKEN_CONTEXT_SHARE if state["reading"].spoken else 1))
    room = PLANNED_CHARS[state["route"].kind] if context.context_chars is None else context.context_chars
    window = engine.window()
    if window is None:
        return room
    return min(room, max(LEAST_CHARS, (window - RESERVED_TOKENS) * CHARS_OF_TOKEN))


def _of_question(
    state: State, engine: Engine, *, whole: bool
) -> tuple[list[Evidence], list[Evidence], list[str]]:
    """Passages and facts of a route's calls, and what the ranking has to say: all of them ranked together."""
    found = _once([item for items in results_of(state) for item in items])
    passages = [e for e in found if e.source == "vector"]
    if engine.reranker is not None:
        passages = engine.reranker.rerank(state["reading"], passages)
    seen = {e.item_id for e in passages}  # a table may be found by both
    facts = [e for e in found if e.source == "graph" and e.item_id not in seen]
    if engine.ranker is None or not (state["widened"] or (passages and not state["reading"].spoken)):
        return passages, facts, []
    ranked, unranked = _with_ranker(state["reading"], passages, facts, engine.ranker)
    # whose order is chosen already
    keeps = whole or engine.reranker is not None or state["reading"].parts
    return *(_in_order_of([*passages, *facts], ranked) if keeps else ranked), unranked


def _once(found: Sequence[Evidence]) -> list[Evidence]:
    """Each piece once, where it came first, with what led any search to it."""
    led = {item.item_id: item.why for item in found if item.why}
    first = {(item.source, item.item_id): item for item in reversed(found)}
    order = dict.fromkeys((item.source, item.item_id) for item in found)
    kept = [first[key] for key in order]
    return [
        item.model_copy(update={"why": led[item.item_id]}) if item.item_id in led else item for item in kept
    ]


def _of_companies(state: State, engine: Engine) -> tuple[list[Evidence], list[Evidence], list[str], Route]:
    """Passages and relations of the companies of which something is true, what of them is left out, and the route with
    of how many of how many it is true."""
    route = state["route"]
    said = [m for m in last_results(state) if m.name == "corpus_search" and m.status != "error"]
    if not said:
        return [], [], [], route
    looked = [item for items in results_of(state, "corpus_search") for item in items]
    found, many, lacking = true_of(state["reading"], looked, str(said[-1].content).split("\n"), engine.judge)
    route = route.model_copy(update={"reason": f"{route.reason}: {many}"})
    passages = [each for each in found if each.source == "vector"]
    return passages, [each for each in found if each.source == "graph"], lacking, route


def _of_calls(
    state: State, engine: Engine, *, whole: bool
) -> tuple[list[Evidence], list[Evidence], list[str]]:
    """Passages and facts of a plan's calls, each call's ranked by what it looked for; the calls take turns. What was
    there before stays: what the draft cites first, what is new next."""
    reading, unranked = state["reading"], list[str]()
    passages, facts = list[list[Evidence]](), list[list[Evidence]]()
    for question, found in zip(questions_of(state), results_of(state), strict=True):
        own = [e for e in found if e.source == "vector"], [e for e in found if e.source == "graph"]
        if engine.ranker is not None and found:
            asked = reading.model_copy(update={"question": question})
            own, told = _with_ranker(asked, *own, engine.ranker)
            unranked += told
        own = own[0], _with_tables_early(own[1])
        passages.append(own[0])
        facts.append(own[1])
    if state["plans"] > 1:
        cited = cited_in(state["draft"].text, state["evidence"])
        others = [item for item in state["evidence"] if item not in cited]
        for lists, source in ((passages, "vector"), (facts, "graph")):
            new = _in_turns(lists)
            lists[:] = [[each for each in (*cited, *new, *others) if each.source == source]]
    kept = _in_turns(passages)
    if engine.reranker is not None:
        kept = engine.reranker.rerank(reading, kept)
    seen = {item.item_id for item in kept}
    return (
        kept,
        [item for item in _in_turns(facts) if item.item_id not in seen],
        list(dict.fromkeys(unranked)),
    )


def _with_tables_early(found: Sequence[Evidence]) -> list[Evidence]:
    """The best figures of a call, then the tables, then the next best figures: what stands in a table beside a figure
    tells what the figure is."""
    tables = [item for item in found if item.kind == "table"]
    others = [item for item in found if item.kind != "table"][:MAX_FACTS_OF_CALL]
    return [*others[:FACTS_BEFORE_TABLES], *tables, *others[FACTS_BEFORE_TABLES:]]


def _in_turns(lists: Sequence[Sequence[Evidence]]) -> list[Evidence]:
    """Each piece once, the lists taking turns."""
    turns = [item for items in zip_longest(*lists) for item in items if item is not None]
    return list({item.item_id: item for item in reversed(turns)}.values())[::-1]


def _with_ranker(
    reading: Reading, passages: Sequence[Evidence], facts: Sequence[Evidence], ranker: Ranker
) -> tuple[tuple[list[Evidence], list[Evidence]], list[str]]:
    """As `_ranked`, roughly where the model's files are not there, with a word about it."""
    try:
        return _ranked(reading, passages, facts, ranker), []
    except ModelFileError as error:
        return _ranked(reading, passages, facts, ranker, roughly=True), [f"ranked roughly: {error}"]


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


def fitted(
    passages: Sequence[Evidence],
    facts: Sequence[Evidence],
    room: int,
    share: float = MAX_FACTS_SHARE,
) -> list[Evidence]:
    """The best passages and facts that have room together, in characters, each in its order.

    Facts and tables hold the figures: they come first, for at most `share` of the room where there are passages, of
    which the best one has its place. What is too long for the rest of the room is passed over. The best
    passage and the best fact are kept whatever their length.
    """
    most = min(int(room * share), room - len(passages[0].text)) if passages else room
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
    if item.fact is None or item.is_within(asked):
        return item
    fact = item.fact.model_copy(update={"match": min(item.fact.match, MAX_MATCH_OUT_OF_SCOPE)})
    return item.model_copy(update={"fact": fact})
