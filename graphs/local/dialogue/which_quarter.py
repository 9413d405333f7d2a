"""Which quarter a label means: 'Q2 2023' is the fiscal one or the calendar one, where a company has both."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date

from graphs.contracts import Clarification, Reading
from graphs.local.dialogue.clarified import is_measure_or_time, is_question, pointed_at
from graphs.local.question.company_periods import day_in_words
from graphs.local.question.period_asks import PeriodAsk
from graphs.local.question.period_phrases import find_asks
from tools.documents.metadata.catalog import Catalog
from tools.documents.text.cleaning import clean, squeeze

_BASES = ("fiscal", "calendar")
_THE = re.compile(r"\bthe\s+$", re.IGNORECASE)


def readings_of(reading: Reading, catalog: Catalog, read: Callable[[str], Reading]) -> tuple[str, ...]:
    """The question with its label as a fiscal and as a calendar one, where these are different quarters and each has
    a document; () where a label is clear or the question names several periods or companies.

    `read` reads a question within the user's filters.
    """
    whose = reading.companies or reading.scope.companies
    asks = find_asks(reading.question)
    if not reading.period_notes or len(whose) != 1 or len(asks) != 1 or reading.parts or not reading.metrics:
        return ()
    if not _is_bare(asks[0]) or len(reading.scope.periods) != 1:
        return ()
    meanings = tuple(_with(reading.question, asks[0], basis) for basis in _BASES)
    ends = [_end(read(question)) for question in meanings]
    held = {period.end for period in catalog.document_periods(whose[0])}
    return meanings if None not in ends and ends[0] != ends[1] and held >= set(ends) else ()


def said_before(turns: Sequence[str]) -> bool:
    """True if a quarter of a year was spoken of: what it was read as was shown then."""
    return any(ask.kind == "quarter" and ask.year is not None for turn in turns for ask in find_asks(turn))


def which(meanings: Sequence[str], read: Callable[[str], Reading]) -> Clarification:
    """What to ask back: 'fiscal Q2 2023 (ended April 1, 2023)' or 'calendar Q2 2023 (ended July 1, 2023)'."""
    options = []
    for question in meanings:
        label, end = find_asks(question)[0].text, _end(read(question))
        options.append(f"{label} (ended {day_in_words(end)})" if end else label)
    return Clarification(question="Which quarter do you mean?", options=tuple(options))


def settled_quarter(reply: str, meanings: Sequence[str], asked: Clarification, catalog: Catalog) -> str:
    """The question that `reply` makes of its `meanings`: one of them, both together; the reply itself where it is
    another question, or names another company or quarter; '' where it settles nothing."""
    reply = squeeze(clean(reply)).strip()
    by_option = dict(zip(asked.options, meanings, strict=True))
    named = [by_option[option] for option in pointed_at(reply, asked.options)]
    if not named and (is_question(reply, catalog) or _asks_of_another(reply, meanings[0], catalog)):
        return reply
    named = named or [
        by_option[option]
        for option, basis in zip(asked.options, _BASES, strict=True)
        if re.search(rf"\b{basis}\b", reply, re.IGNORECASE) or _day_of(option) in reply.lower()
    ]
    if not named and is_measure_or_time(reply):
        return reply
    if len(named) < 2:
        return "".join(named)
    last = find_asks(named[0])[0]
    return f"{named[0][: last.end]} and {find_asks(named[1])[0].text}{named[0][last.end :]}"


def _asks_of_another(reply: str, question: str, catalog: Catalog) -> bool:
    """Does it name a company or a quarter that the question does not?"""
    companies = [{mention.key for mention in catalog.link(text)} for text in (reply, question)]
    quarters = [
        {(ask.quarter, ask.year) for ask in find_asks(text) if ask.kind == "quarter" and ask.year is not None}
        for text in (reply, question)
    ]
    return not (companies[0] <= companies[1] and quarters[0] <= quarters[1])


def _day_of(option: str) -> str:
    """'april 1' of '... (ended April 1, 2023)'."""
    return option.rpartition("(ended ")[2].partition(",")[0].lower()


def _is_bare(ask: PeriodAsk) -> bool:
    return ask.kind == "quarter" and ask.basis is None and ask.year is not None


def _with(question: str, ask: PeriodAsk, basis: str) -> str:
    before = _THE.sub("", question[: ask.start])
    return f"{before}{basis} Q{ask.quarter} {ask.year}{question[ask.end :]}"


def _end(reading: Reading) -> date | None:
    """The last day of the one period that the question asks for."""
    ends = {period.end for period in reading.scope.periods}
    return ends.pop() if len(ends) == 1 and not reading.unknown_periods else None
