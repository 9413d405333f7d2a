"""A dry run of a question: would it be answered, and from what? Searches and checks, and pays for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphs.contracts import Reading
from graphs.drafts import refusals
from graphs.drafts.claims import cited_in
from graphs.index import Index
from graphs.local.answer.answerer import LocalAnswerer
from graphs.local.check.checker import LocalChecker
from graphs.local.dialogue.clarification import is_open
from graphs.local.question.compared_parts import with_parts
from graphs.local.question.reading import read_question
from graphs.local.question.router import LocalRouter
from graphs.protocols import Ranker
from tools.evidence import Evidence
from tools.model_files import ModelFileError
from tools.scope import Scope

MAX_FACTS, MAX_PASSAGES = 12, 8
"""What the tools return where nothing else is set."""
DENSE_WEIGHT = 0.8
"""Weight of embeddings beside key words, where nothing else is set."""

_ROUTER, _ANSWERER, _CHECKER = LocalRouter(), LocalAnswerer(), LocalChecker()


@dataclass(frozen=True, slots=True)
class DryRun:
    """A question that would be answered."""

    reading: Reading
    text: str
    cited: tuple[Evidence, ...]
    """What the answer would cite; never empty."""


def dry_run(question: str, index: Index, within: Scope, ranker: Ranker) -> DryRun | None:
    """The question's answer by the local engine; None if it would abstain, be asked back or leave something out.
    `ranker` ranks roughly, since many questions are tried, and once more where a quotation would answer."""
    reading = read_question(question, index.catalog, within, known_names=index.known_names)
    reading = with_parts(reading, index.catalog, within, index.known_names)
    if refusals.before(reading) is not None or is_open(reading, index.catalog):
        return None
    if reading.parts or reading.missing:  # searched for part by part, which a dry run does not do
        return None
    tools = _ROUTER.route(reading).tools
    found: list[Evidence] = []
    if "vector_search" in tools:
        found += index.vector_search(question, reading.scope, MAX_PASSAGES, DENSE_WEIGHT)
    if "kg_search" in tools:
        found += index.kg_search(question, reading.scope, MAX_FACTS, 1, reading.months)
    run = _rehearsed(reading, ranker.rank(reading, found, roughly=True))
    if run is None or all(item.fact is not None for item in run.cited):
        return run
    try:
        return _rehearsed(reading, ranker.rank(reading, found))
    except ModelFileError:  # the answer says so
        return run


def _rehearsed(reading: Reading, found: Sequence[Evidence]) -> DryRun | None:
    evidence = [item.model_copy(update={"rank": rank}) for rank, item in enumerate(found, start=1)]
    draft = _ANSWERER.draft(reading, evidence)
    if draft.abstained is not None or _CHECKER.check(reading, draft, evidence).score != 1.0:
        return None
    cited = cited_in(draft.text, evidence)
    return DryRun(reading, draft.text, cited) if cited else None
