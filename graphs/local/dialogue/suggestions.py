"""Next questions after an answer: near in the knowledge graph to what was asked, each one tried in a dry run."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import islice

from graphs.contracts import Answer, Reading, Suggestion
from graphs.drafts.claims import cited_in
from graphs.index import Index
from graphs.local.dialogue.clarification import clarification
from graphs.local.dialogue.clarified import with_companies
from graphs.local.dialogue.dry_run import dry_run
from graphs.local.dialogue.neighbours import line_for, line_named, line_of, nearest, periods_of
from graphs.local.dialogue.next_questions import (
    AFTER_FIGURE,
    AFTER_NOTHING,
    AFTER_PEOPLE,
    AFTER_PROSE,
    AT_FIRST,
    Candidate,
    Kind,
    Place,
)
from graphs.local.dialogue.topics import items_asked, questions_about
from graphs.local.question.reading import read_question
from graphs.protocols import Order, Ranker, Turns
from tools.documents.types import Document
from tools.evidence import Evidence
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.knowledge.lexicon.vocabulary import VOCABULARY
from tools.knowledge.search.line_items import LineItem
from tools.periods import Period
from tools.scope import Scope

MAX_SUGGESTIONS = 3
"""Questions named."""
MAX_TRIES_A_KIND = 2
"""Candidates of one kind that are tried before the next kind has its turn."""
MAX_DRY_RUNS = 9
"""Candidates that are tried at most."""
MAX_LEARNED = 6
"""Items that others went on to, of which a question is tried at most."""
MAX_EXAMPLES = 4
"""Questions to begin with."""
MAX_TRIES_AN_EXAMPLE = 3
"""Companies of which a kind of question is tried at most, to begin with."""


class LocalSuggester:
    """A `graphs.protocols.Suggester`: no two questions of a kind, each rehearsed by the local engine; nothing but the
    index is asked. `ranker`: of what is found for it; `order`: of what comes next; None: rules alone name it."""

    def __init__(self, ranker: Ranker, order: Order | None = None) -> None:
        self._ranker, self._order = ranker, order

    def suggest(
        self,
        answer: Answer,
        index: Index,
        within: Scope,
        asked: Sequence[str],
        turns: Turns,
        stopped: Callable[[], bool],
    ) -> tuple[Suggestion, ...]:
        """See `Suggester.suggest`. Empty after a question that no document answers by its kind. What others went on to
        comes first."""
        if answer.reason == "out_of_scope" or index.notice:
            return ()
        reading = read_question(
            answer.standalone_question, index.catalog, within, known_names=index.known_names
        )
        if answer.reason == "ambiguous" and (open_ := clarification(reading, index)) is not None:
            meant = (with_companies(reading.question, [name], index.catalog) for name in open_.options)
            sure = (each for each in meant if not stopped() and dry_run(each, index, within, self._ranker))
            return tuple(Suggestion(question=each) for each in islice(sure, MAX_SUGGESTIONS))
        place = _place(answer, reading, index)
        if place is None:
            return ()
        search = _Search(
            place,
            index,
            within,
            self._ranker,
            {_folded(each) for each in (*asked, answer.question, reading.question)},
        )
        if self._order is not None and self._order.has_learned:
            self._learned(search, self._order, (*turns(), (reading.question, time.time())), stopped)
        kinds = [kind(place, index) for kind in place.kinds]
        for kind in (*kinds, *kinds):
            if len(search.found) == MAX_SUGGESTIONS or search.dry_runs >= MAX_DRY_RUNS or stopped():
                break
            search.take(islice(kind, MAX_TRIES_A_KIND))
        return tuple(search.found)

    def _learned(
        self,
        search: _Search,
        order: Order,
        turns: Sequence[tuple[str, float]],
        stopped: Callable[[], bool],
    ) -> None:
        """Takes what others went on to after such turns."""
        for item, why in islice(order.after(items_asked(turns, search.index)), MAX_LEARNED):
            if len(search.found) == MAX_SUGGESTIONS or stopped():
                break
            search.take(questions_about(item, search.index), why)
        search.dry_runs = 0

    def examples(self, index: Index, within: Scope, stopped: Callable[[], bool]) -> tuple[str, ...]:
        """See `Suggester.examples`. Each of another kind and, as far as there are several, of another company."""
        companies = [] if index.notice else _most_to_read(index, within)
        place_of = cache(partial(_first_place, index, within))
        found: list[str] = []
        asked_of = Counter[str]()
        tried = 0
        for kind in AT_FIRST:
            for company in sorted(companies, key=lambda each: asked_of[each])[:MAX_TRIES_AN_EXAMPLE]:
                if len(found) == MAX_EXAMPLES or tried >= MAX_DRY_RUNS or stopped():
                    return tuple(found)
                place = place_of(company)
                search = _Search(place, index, within, self._ranker, {_folded(each) for each in found})
                search.take(islice(kind(place, index), 1))
                tried += search.dry_runs
                if search.found:
                    found += (each.question for each in search.found)
                    asked_of[company] += 1
                    break
        return tuple(found)


@dataclass(slots=True)
class _Search:
    """What was found so far, and at what cost."""

    place: Place
    index: Index
    within: Scope
    ranker: Ranker
    known: set[str]
    """Questions that are not to be suggested, or not again."""
    found: list[Suggestion] = field(default_factory=list)
    dry_runs: int = 0

    def take(self, candidates: Iterable[Candidate], why: str = "") -> None:
        """Adds the first candidate that would be answered, with something that was not cited before."""
        for each in candidates:
            if _folded(each.question) in self.known:
                continue
            self.known.add(_folded(each.question))
            self.dry_runs += 1
            run = dry_run(each.question, self.index, self.within, self.ranker)
            if run and each.fits(run) and not {item.item_id for item in run.cited} <= self.place.cited:
                self.found.append(Suggestion(question=each.question, why=why))
                return


def _folded(question: str) -> str:
    return " ".join(re.findall(r"\w+", question.lower()))


# Where the last question stood, or the first one could


def _most_to_read(index: Index, within: Scope) -> list[str]:
    """Companies of documents within the filters, those with the most first."""
    many = {key: len(_admitted(key, index, within)) for key in index.catalog.companies}
    return sorted(filter(many.get, many), key=lambda key: -many[key])


def _admitted(company: str, index: Index, within: Scope) -> list[Document]:
    documents = index.catalog.documents_of(company)
    return [each for each in documents if within.admits(company, each.period, each.doc_type, each.id)]


def _first_place(index: Index, within: Scope, company: str) -> Place:
    """The latest period of a company of which documents are admitted."""
    period = nearest([each.period for each in _admitted(company, index, within)], Period()) or Period()
    item, period = line_for(company, (), period, index)
    return Place(company, period, item, frozenset(), (), AT_FIRST)


def _place(answer: Answer, reading: Reading, index: Index) -> Place | None:
    """None in an empty index."""
    cited = cited_in(answer.answer, answer.evidence)
    start = _starting_point(cited or answer.evidence)
    company = _company_of(start, reading, index, is_cited=bool(cited))
    if not company:
        return None
    own = start if start is not None and start.company_key == company else None
    printed = line_of(own, index) if own and _is_tabled(own) else None
    question = answer.standalone_question
    metrics = _metrics_in(f"{question} {own.text if own and cited and own.fact is None else ''}")
    item, period = printed, _period_of(own, company, index)
    if item is None:
        item, period = _line_asked_for(question, company, metrics, period, index)
    kinds = _kinds_after(cited, printed)
    return Place(company, period, item, frozenset(each.item_id for each in cited), metrics, kinds)


def _starting_point(found: Sequence[Evidence]) -> Evidence | None:
    """The first figure of a table, or else the first piece."""
    return next(filter(_is_tabled, found), next(iter(found), None))


def _company_of(start: Evidence | None, reading: Reading, index: Index, *, is_cited: bool) -> str:
    """Key of the company that the answer cites, else the one that the question names, else the one that something was
    found of, else the first there is; '' in an empty index."""
    named = next(iter(reading.companies or reading.scope.companies), "")
    if start is not None and (is_cited or not named):
        return start.company_key
    return named or next(iter(index.catalog.companies), "")


def _line_asked_for(
    question: str, company: str, metrics: Sequence[str], period: Period, index: Index
) -> tuple[LineItem | None, Period]:
    """The line that the question spells out, or else one of a metric, with its period nearest to `period`."""
    item = line_named(company, question, index)
    if item is not None:
        return item, nearest(periods_of(item, index), period) or period
    return line_for(company, metrics, period, index)


def _period_of(own: Evidence | None, company: str, index: Index) -> Period:
    """The period of the piece, or else the company's latest."""
    if own is not None and (own.period.end or own.period.fiscal_quarter):
        return own.period
    return index.catalog.latest(company) or Period()


def _metrics_in(text: str) -> tuple[str, ...]:
    """Canonical names of the metrics that the text names, known ones only."""
    named = dict.fromkeys(mention.canonical for mention in find_metrics(text))
    return tuple(metric for metric in named if metric in VOCABULARY)


def _kinds_after(cited: Sequence[Evidence], printed: LineItem | None) -> tuple[Kind, ...]:
    """What to ask next, by what the answer stands on."""
    if not cited:
        return AFTER_NOTHING
    if printed is not None:
        return AFTER_FIGURE
    return AFTER_PEOPLE if all(each.kind == "relation" for each in cited) else AFTER_PROSE


def _is_tabled(item: Evidence) -> bool:
    return item.fact is not None and item.fact.statement != "prose"
