"""Questions in two hops: what a question describes is found first, and takes the place of its description."""

from __future__ import annotations

from collections.abc import Callable

from graphs.contracts import Hop, Reading
from graphs.engine import Engine
from graphs.index import Index
from graphs.protocols import Description
from graphs.state import Context
from graphs.steps.telling import tell
from graphs.steps.tool_calls import WIDER
from tools.evidence import AnswerLine, Evidence
from tools.model_files import ModelFileError
from tools.scope import Scope

MIN_CHANCE = 0.4
"""Probability that a line names what is described, from which the question goes on with it."""
MIN_SHARE = 0.5
"""Of what speaks for all lines of some name what must speak for the one taken."""


def with_hop(
    reading: Reading,
    index: Index,
    engine: Engine,
    within: Scope,
    context: Context,
    read: Callable[[str], Reading],
) -> Reading:
    """The reading of the question with the name of what it describes in place of the description; as it is where it
    describes nothing, or what it describes is not surely found within the user's filters. `read` reads another
    wording."""
    described = engine.reader.described(reading, index.catalog)
    if described is None or engine.ranker is None:
        return reading
    found = _found(described, index, engine, within, context, read)
    if found is None:
        return reading
    name, line, item = found
    hop = Hop(
        question=reading.question,
        described=described.words,
        name=name,
        item=item.model_copy(update={"lines": ()}),
        line=line.text,
    )
    tell(planned=[{"tool": "hop", "described": hop.described, "name": hop.name}])
    return read(described.named(hop.name)).model_copy(update={"hops": (hop,)})


def _found(
    described: Description,
    index: Index,
    engine: Engine,
    within: Scope,
    context: Context,
    read: Callable[[str], Reading],
) -> tuple[str, AnswerLine, Evidence] | None:
    """The name that the likeliest lines give, and the best of them; None where none is likely, or several are."""
    asked = read(described.asked)
    scope = asked.scope if asked.companies else within
    found = index.vector_search(asked.question, scope, WIDER * context.top_k, context.dense_weight)
    found += index.kg_search(asked.question, scope, context.graph_k, context.depth, None)
    try:
        assert engine.ranker is not None
        ranked = engine.ranker.rank(asked, found)
    except ModelFileError:  # what is not sure is not taken
        return None
    lines = sorted(
        ((line, item) for item in ranked for line in item.lines if line.chance >= MIN_CHANCE),
        key=lambda each: -each[0].share,
    )
    by_name: dict[str, list[tuple[AnswerLine, Evidence]]] = {}
    for line, item in lines:
        if name := described.name_in(line.text, item):
            by_name.setdefault(name, []).append((line, item))
    shares = {name: sum(line.share for line, _ in given) for name, given in by_name.items()}
    name = max(shares, key=lambda each: shares[each], default="")
    if not name or shares[name] < MIN_SHARE * sum(shares.values()):
        return None
    return name, *by_name[name][0]
