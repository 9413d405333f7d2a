"""Topics: what a question is about without its words and its period, and the questions that ask a topic of now.

'AAPL/figure/gross margin', 'AAPL/why/revenue', 'AAPL/officers', 'document/2023 Q3 AAPL.pdf': a company and a measure or
kind of question, or a document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice

from graphs.contracts import Reading
from graphs.index import Index
from graphs.local.dialogue.dry_run import DryRun
from graphs.local.dialogue.neighbours import age, line_named, nearest, periods_of
from graphs.local.dialogue.next_questions import BY_NAME, Candidate, Place
from graphs.local.question import question_forms as forms
from graphs.local.question.overviews import asks_overview
from graphs.local.question.reading import read_question
from graphs.local.question.router import LocalRouter
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.knowledge.lexicon.vocabulary import VOCABULARY
from tools.knowledge.search.line_items import THREE_STATEMENTS, LineItem, company_facts
from tools.periods import Period

_TOPIC = re.compile(rf"(.+?)/({'|'.join(BY_NAME)})(?:/(.+))?", re.DOTALL)
_DOCUMENT = "document/"
MAX_WORDINGS = 4
"""Questions that are read again at most to find the one that asks a topic."""
_ROUTER = LocalRouter()


@dataclass(frozen=True, slots=True)
class Topic:
    """A company, and what is asked of it."""

    company: str
    """Its key."""
    kind: str
    """Of `BY_NAME`."""
    measure: str = ""
    """Canonical name of a metric or line; '' where none is named."""

    def __str__(self) -> str:
        return "/".join(filter(None, (self.company, self.kind, self.measure)))

    @property
    def words(self) -> str:
        """How a reader calls it: 'gross margin', 'why revenue changed'."""
        measure = self.measure or "its results"
        told = {
            "figure": measure,
            "why": f"why {measure} changed",
            "views": f"what management says about {measure}",
            "asked": f"who asked about {measure}",
            "officers": "who leads it",
            "results": "its results",
        }
        return told[self.kind]


def topic_of(reading: Reading, index: Index) -> Topic | None:
    """What a question is about; None where it names no company, or nothing that could be asked of it again. Of several
    the first counts."""
    if not reading.companies or reading.out_of_scope:
        return None
    company, question = reading.companies[0], reading.question
    measure = _measure(question, company, index)
    route = _ROUTER.route(reading)
    if forms.asks_who_asked(question):
        return Topic(company, "asked", measure) if measure else None
    if asks_overview(reading):
        return Topic(company, "results")
    if not measure:
        return Topic(company, "officers") if route.kind == "extractive" and _asks_who(question) else None
    if route.kind == "extractive":
        return Topic(company, "figure", measure)
    return Topic(company, "why" if forms.WHY.search(question) else "views", measure)


def _asks_who(question: str) -> bool:
    word = forms.QUESTION_WORD.search(question)
    return word is not None and word[0].lower() in ("who", "whose")


def _measure(question: str, company: str, index: Index) -> str:
    """Canonical name of the first metric that the question names, else of the printed line that it spells out."""
    named = (mention.canonical for mention in find_metrics(question))
    if metric := next((each for each in named if each in VOCABULARY), ""):
        return metric
    item = line_named(company, question, index)
    return item.canonical if item else ""


def topic_named(item: str) -> Topic | None:
    """The inverse of `str` of a topic; None for anything else."""
    found = _TOPIC.fullmatch(item)
    return Topic(found[1], found[2], found[3] or "") if found else None


def words_of(item: str) -> str:
    """How a reader calls an item, of whatever kind."""
    topic = topic_named(item)
    return topic.words if topic else item.removeprefix(_DOCUMENT)


def is_asked(item: str) -> bool:
    """Is it something that a question could ask?"""
    return item.startswith(_DOCUMENT) or topic_named(item) is not None


def questions_about(item: str, index: Index) -> Iterator[Candidate]:
    """Questions that ask an item of the latest period there is, each of which is read as that item again; none where
    the index has nothing of it."""
    if item.startswith(_DOCUMENT):
        return _of_document(item.removeprefix(_DOCUMENT), index)
    topic = topic_named(item)
    if topic is None or topic.company not in index.catalog.companies:
        return iter(())
    latest = index.catalog.latest(topic.company) or Period()
    line, period = _line(topic.company, topic.measure, latest, index) if topic.measure else (None, latest)
    metrics = (topic.measure,) if topic.measure in VOCABULARY else ()
    place = Place(topic.company, period, line, frozenset(), metrics, ())
    wordings = islice(BY_NAME[topic.kind](place, index), MAX_WORDINGS)
    return (each for each in wordings if item_asked(each.question, index) == item)


def item_asked(question: str, index: Index) -> str:
    """The topic of a question, as it is read without filters; '' where it has none."""
    return str(topic_of(read_question(question, index.catalog, known_names=index.known_names), index) or "")


def items_asked(turns: Iterable[tuple[str, float]], index: Index) -> list[tuple[str, float]]:
    """Questions and their times -> their items and times, without those that have none."""
    return [(item, when) for question, when in turns if (item := item_asked(question, index))]


def _of_document(name: str, index: Index) -> Iterator[Candidate]:
    """A document is asked for the results that it tells."""
    for document in index.catalog.called(name):
        place = Place(document.company_key, document.period, None, frozenset(), (), ())
        for each in BY_NAME["results"](place, index):
            yield Candidate(each.question, partial(_cites, document.id))


def _cites(document_id: str, run: DryRun) -> bool:
    return any(item.document_id == document_id for item in run.cited)


def _line(company: str, measure: str, latest: Period, index: Index) -> tuple[LineItem | None, Period]:
    """The company's own line of that name with its last period: of a primary statement, without headings, and printed
    last, as far as there is one."""
    facts = company_facts(index.graph, company)
    lines = [facts.items[at] for at in facts.by_canonical.get(measure, ())]
    dated = [
        (line, period)
        for line in lines
        if line.canonical == measure and (period := nearest(periods_of(line, index), latest))
    ]

    def order(found: tuple[LineItem, Period]) -> tuple[bool, bool, int, int]:
        line, period = found
        return line.statement not in THREE_STATEMENTS, bool(line.path), age(period), period.months or 0

    return min(dated, key=order, default=(None, latest))
