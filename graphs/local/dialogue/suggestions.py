"""Next questions after an answer: from the knowledge graph's neighbourhood of what was asked, each one rehearsed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from graphs.contracts import Answer, Reading
from graphs.index import Index
from graphs.local.dialogue.clarification import clarification, with_companies
from graphs.local.dialogue.dry_run import rehearse
from graphs.local.dialogue.neighbours import line_for, line_named, line_of, nearest, periods_of
from graphs.local.dialogue.next_questions import FIGURE, NOTHING, PEOPLE, PROSE, Candidate, Place
from graphs.local.question.reading import read_question
from tools.evidence import Evidence
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.knowledge.lexicon.vocabulary import VOCABULARY
from tools.periods import Period
from tools.scope import Scope

MOST = 3
"""Questions named."""
TRIES = 2
"""Candidates of one kind that are rehearsed before the next kind has its turn."""

PATIENCE = 9
"""Candidates that are rehearsed at most."""

_MARKER = re.compile(r"\[(\d{1,3})\]")


class LocalSuggester:
    """A `graphs.protocols.Suggester`: no two questions of a kind, each rehearsed by the local engine; nothing but the
    index is asked."""

    def suggest(
        self,
        answer: Answer,
        index: Index,
        within: Scope = Scope(),  # noqa: B008  (frozen)
        asked: Sequence[str] = (),
    ) -> tuple[str, ...]:
        """See `Suggester.suggest`. Empty after a question that no document answers by its kind."""
        if answer.reason == "out_of_scope" or index.notice:
            return ()
        reading = read_question(
            answer.standalone_question, index.catalog, within, known_names=index.known_names
        )
        if answer.reason == "ambiguous" and (open_ := clarification(reading, index)) is not None:
            meant = (with_companies(reading.question, [name], index.catalog) for name in open_.options)
            return tuple(islice((each for each in meant if rehearse(each, index, within)), MOST))
        place = _place(answer, reading, index)
        if place is None:
            return ()
        search = _Search(
            place, index, within, {_folded(each) for each in (*asked, answer.question, reading.question)}
        )
        kinds = [kind(place, index) for kind in place.kinds]
        for kind in (*kinds, *kinds):
            search.take(islice(kind, TRIES))
            if len(search.found) == MOST or search.rehearsed >= PATIENCE:
                break
        return tuple(search.found)


@dataclass(slots=True)
class _Search:
    """What was found so far, and at what cost."""

    place: Place
    index: Index
    within: Scope
    known: set[str]
    """Questions that are not to be suggested, or not again."""
    found: list[str] = field(default_factory=list)
    rehearsed: int = 0

    def take(self, candidates: Iterable[Candidate]) -> None:
        """Adds the first candidate that would be answered, with something not told before."""
        for each in candidates:
            if _folded(each.question) in self.known:
                continue
            self.known.add(_folded(each.question))
            self.rehearsed += 1
            heard = rehearse(each.question, self.index, self.within)
            if heard and each.fits(heard) and not {item.item_id for item in heard.cited} <= self.place.told:
                self.found.append(each.question)
                return


def _folded(question: str) -> str:
    return " ".join(re.findall(r"\w+", question.lower()))


# Where the last question stood


def _place(answer: Answer, reading: Reading, index: Index) -> Place | None:
    ranks = {int(number) for number in _MARKER.findall(answer.answer)}
    cited = [item for item in answer.evidence if item.rank in ranks]
    first = next((item for item in (cited or answer.evidence) if _is_tabled(item)), None)
    first = first or next(iter(cited or answer.evidence), None)
    named = next(iter(reading.companies or reading.scope.companies), "")
    company = (
        first.company_key
        if first and (cited or not named)
        else named or next(iter(index.catalog.companies), "")
    )
    if not company:
        return None
    own = first if first is not None and first.company_key == company else None
    told = f"{answer.standalone_question} {own.text if own and cited and own.fact is None else ''}"
    metrics = [mention.canonical for mention in find_metrics(told)]
    metrics = [metric for metric in dict.fromkeys(metrics) if metric in VOCABULARY]
    period = own.period if own and (own.period.end or own.period.fiscal_quarter) else None
    period = period or index.catalog.latest(company) or Period()
    item = line_of(own, index) if own and _is_tabled(own) else None
    kinds = FIGURE if item and cited else NOTHING
    if cited and item is None:
        kinds = PEOPLE if all(each.kind == "relation" for each in cited) else PROSE
    if item is None and (item := line_named(company, answer.standalone_question, index)) is not None:
        period = nearest(periods_of(item, index), period) or period
    if item is None:
        item, period = line_for(company, metrics, period, index)
    return Place(company, period, item, frozenset(each.item_id for each in cited), tuple(metrics), kinds)


def _is_tabled(item: Evidence) -> bool:
    return item.fact is not None and item.fact.statement != "prose"
