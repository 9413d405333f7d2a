"""The local reader: a question against the catalogue, its breakdown spelled out, its comparison taken apart."""

from __future__ import annotations

from graphs.contracts import Lookup, Reading
from graphs.index import Index
from graphs.local.question.breakdown import spelled_out
from graphs.local.question.descriptions import Described, description_in
from graphs.local.question.figure_owners import asked_figures, with_owners_and_parts
from graphs.local.question.named_spans import SURE_CHANCE
from graphs.local.question.other_quarter import other_quarters
from graphs.local.question.overviews import (
    asks_overview,
    companies_asked_about,
    tool_questions,
    with_year_before,
)
from graphs.local.question.question_forms import asks_who_asked
from graphs.local.question.reading import read_question
from tools.calculate.questions import SumReader
from tools.documents.metadata.catalog import Catalog
from tools.knowledge.lexicon.asked_metrics import find_asked
from tools.knowledge.lexicon.company_profile import PLAIN_WORDS
from tools.model_files import ModelFileError
from tools.periods import PeriodFilter
from tools.scope import Scope


class LocalReader:
    """A `graphs.protocols.Reader` that asks nothing but the index."""

    def __init__(self, sums: SumReader | None = None) -> None:
        """`sums`: tells a sum put in many words from a question to management; None: nothing does."""
        self._sums = sums

    def read(self, question: str, index: Index, within: Scope) -> Reading:
        """See `Reader.read`."""

        def read(question: str, within: Scope) -> Reading:
            found = read_question(question, index.catalog, within, known_names=index.known_names)
            if not (found.spoken and self._is_sum(found)):
                return found
            return read_question(question, index.catalog, within, known_names=index.known_names, spoken=False)

        reading, spelled = read(question, within), question
        if not reading.spoken:
            spelled = spelled_out(reading, index)
            reading = read(spelled, within) if spelled != question else reading
            reading = with_owners_and_parts(reading, index, within, read)
        seen = {"spelled_out": spelled != question, "asks_who_asked": asks_who_asked(reading.question)}
        return _with_overview(reading.model_copy(update=seen), index.catalog)

    def _is_sum(self, spoken: Reading) -> bool:
        """Whether what sounds as if spoken on a call asks surely for something to be computed."""
        if self._sums is None:
            return False
        try:
            read = self._sums.read(spoken.question, spoken.company_names)
        except ModelFileError:  # the planner meets it again, and says that nothing is computed
            return False
        return read.operation != "none" and read.chance >= SURE_CHANCE

    def plainly(self, reading: Reading, kind: str, catalog: Catalog) -> Reading:
        """See `Reader.plainly`."""
        names = reading.company_names or tuple(map(catalog.name, companies_asked_about(reading)))
        question = PLAIN_WORDS[kind].format(" and ".join(names))
        metrics = tuple(dict.fromkeys(each.text for each in find_asked(question)))
        asked = {"question": question, "metrics": metrics, "profile": ()}
        return _with_overview(reading.model_copy(update=asked), catalog)

    def described(self, reading: Reading, catalog: Catalog) -> Described | None:
        """See `Reader.described`."""
        return None if reading.spoken or reading.parts else description_in(reading.question, catalog)

    def lookups(self, question: str, catalog: Catalog) -> tuple[Lookup, ...]:
        """See `Reader.lookups`."""
        return tuple(each.lookup for each in asked_figures(question, catalog))

    def other_periods(self, question: str, scope: Scope, catalog: Catalog) -> tuple[PeriodFilter, ...]:
        """See `Reader.other_periods`."""
        return other_quarters(question, scope, catalog)


def _with_overview(reading: Reading, catalog: Catalog) -> Reading:
    """With what is looked up for an overview of results, where one is asked for."""
    if not asks_overview(reading):
        return reading
    asked = {"overview": True, "tool_questions": tool_questions(reading)}
    return with_year_before(reading, catalog).model_copy(update=asked)
