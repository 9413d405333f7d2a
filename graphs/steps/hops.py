"""Questions in two hops: what a question describes is found first, and takes the place of its description."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

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
MIN_GAIN = 0.1
"""By how much likelier the question must be answered with a name in place of what may have none."""


@dataclass(frozen=True, slots=True)
class _Looking:
    """What a question is looked up with."""

    index: Index
    engine: Engine
    within: Scope
    context: Context
    read: Callable[[str], Reading]

    def lines(self, asked: Reading) -> list[tuple[AnswerLine, Evidence]]:
        """The lines of what both tools find that may answer, the likeliest first; none where the ranker's files are
        missing: what is not sure is not taken."""
        scope = asked.scope if asked.scope.companies else self.within
        context = self.context
        found = self.index.vector_search(asked.question, scope, WIDER * context.top_k, context.dense_weight)
        found += self.index.kg_search(asked.question, scope, context.graph_k, context.depth, None)
        if self.engine.ranker is None or not found:
            return []
        with suppress(ModelFileError):
            ranked = self.engine.ranker.rank(asked, found)
            lines = [(line, item) for item in ranked for line in item.lines if line.chance >= MIN_CHANCE]
            return sorted(lines, key=lambda each: -each[0].share)
        return []


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
    if described is None:
        return reading
    looking = _Looking(index, engine, within, context, read)
    found = _named(described, looking.lines(read(described.asked)))
    if found is None:
        return reading
    name, line, item = found
    hopped = read(described.named(name))
    if not described.is_filer and _chance(looking.lines(hopped)) < _chance(looking.lines(reading)) + MIN_GAIN:
        return reading
    hop = Hop(
        question=reading.question,
        described=described.words,
        name=name,
        item=item.model_copy(update={"lines": ()}),
        line=line.text,
    )
    tell(planned=[{"tool": "hop", "described": hop.described, "name": hop.name}])
    return hopped.model_copy(update={"hops": (hop,)})


def _named(
    described: Description, lines: Sequence[tuple[AnswerLine, Evidence]]
) -> tuple[str, AnswerLine, Evidence] | None:
    """The name that most speaks for, and the best line that gives it; None where none is given, or several are."""
    by_name: dict[str, list[tuple[AnswerLine, Evidence]]] = {}
    for line, item in lines:
        if name := described.name_in(line.text, item):
            by_name.setdefault(name, []).append((line, item))
    shares = {name: sum(line.share for line, _ in given) for name, given in by_name.items()}
    name = max(shares, key=lambda each: shares[each], default="")
    if not name or shares[name] < MIN_SHARE * sum(shares.values()):
        return None
    return name, *by_name[name][0]


def _chance(lines: Sequence[tuple[AnswerLine, Evidence]]) -> float:
    return max((line.chance for line, _ in lines), default=0.0)
