"""Questions in two hops: the company that a question describes is found first, and takes the place of its description.

"Who is finance chief at the company that took over One Medical?" is looked up as "Which company took over One Medical?"
and as "Who is finance chief at Amazon?".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from graphs.contracts import Hop, Reading
from graphs.engine import Engine
from graphs.index import SEARCH_FAILURES, Index
from graphs.state import Context
from graphs.steps.tool_calls import WIDER
from tools.evidence import AnswerLine, Evidence
from tools.model_files import ModelFileError
from tools.scope import Scope

MIN_CHANCE = 0.4
"""Probability that a line tells of the company, from which the question goes on with it."""
MIN_SHARE = 0.5
"""Of what speaks for all lines, what must speak for those of one company's documents."""

_Found = Sequence[tuple[AnswerLine, Evidence]]


def with_hop(
    reading: Reading,
    index: Index,
    engine: Engine,
    within: Scope,
    context: Context,
    read: Callable[[str], Reading],
) -> Reading:
    """The reading of the question with the name of the company that it describes; as it is where it describes none, or
    that is not surely found within the user's filters. `read` reads another wording."""
    described = engine.reader.described(reading, index.catalog)
    if described is None:
        return reading
    best = _best(_lines(read(described.asked), index, engine, within, context))
    if best is None:
        return reading
    line, item = best
    hop = Hop(
        question=reading.question,
        described=described.words,
        name=item.company,
        item=item.model_copy(update={"lines": ()}),
        line=line.text,
    )
    return read(described.named(hop.name)).model_copy(update={"hops": (hop,)})


def _lines(asked: Reading, index: Index, engine: Engine, within: Scope, context: Context) -> _Found:
    """The lines of what both tools find that may answer, the likeliest first; none where a tool fails or the ranker's
    files are missing: what is not sure is not taken, and the search that follows says what failed."""
    if engine.ranker is None:
        return []
    question, k = asked.question, WIDER * context.top_k
    try:
        found = index.vector_search(question, within, k, context.dense_weight)
        found += index.kg_search(question, within, context.graph_k, context.depth, None)
        ranked = engine.ranker.rank(asked, found) if found else []
    except (*SEARCH_FAILURES, ModelFileError):
        return []
    lines = [(line, item) for item in ranked for line in item.lines if line.chance >= MIN_CHANCE]
    return sorted(lines, key=lambda each: -each[0].share)


def _best(found: _Found) -> tuple[AnswerLine, Evidence] | None:
    """The best line of the one company that most of them are of; None where there is none such."""
    shares: dict[str, float] = {}
    for line, item in found:
        shares[item.company_key] = shares.get(item.company_key, 0.0) + line.share
    key = max(shares, key=lambda each: shares[each], default="")
    if not shares or shares[key] < MIN_SHARE * sum(shares.values()):
        return None
    return next(each for each in found if each[1].company_key == key)
