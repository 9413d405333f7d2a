"""Overviews of results: how to tell that one is asked for, and what is looked up for it."""

from __future__ import annotations

import re
from dataclasses import replace

from graphs.contracts import Reading, ToolName
from graphs.drafts.words import content, is_generic
from graphs.local.question.company_periods import CompanyPeriods
from graphs.local.question.period_asks import PeriodAsk
from graphs.local.question.question_forms import DID_WELL
from graphs.local.text.period_mentions import without_periods
from tools.documents.metadata.catalog import Catalog

HEADLINES = (
    "revenue",
    "operating income",
    "net income",
    "diluted earnings per share",
    "net cash from operating activities",
)
"""Canonical names of the figures that an overview begins with, in their order."""
CAUSES_QUERY = (
    "total revenue, operating income and net income increased or decreased compared to a year ago, driven by"
)
"""What the sentences beside the table should speak of."""

_ASKS = re.compile(
    r"\bsummar\w+|\boverview\b|\brecap\b|\bhighlights?\b|\btakeaways?\b|\bgist\b|\bresults?\b|\bfinancials\b|"
    r"\bperform(?:ed|ance|ing|s)?\b|\bhow\s+(?:well\s+)?(?:did|has|have|is|was|does)\b.{0,60}\b(?:do|done|doing|"
    r"far(?:e|ed|ing)|go|gone|going)\b|\bkey\s+(?:figures|numbers)\b",
    re.IGNORECASE,
)
_ASKS_WORDS = """
summarize summarise summary summarized overview recap highlights highlight takeaways takeaway gist results result
financials financial performance perform performed performing do did done doing fare fared go went gone going how key
figures numbers earnings call transcript report reports reported quarterly quarter company business main points brief
two three four five six briefly short bullets bullet sentences sentence
give tell show provide please overall what were was main most important
well good strong successful bad badly poor poorly weak period year first second third fourth fiscal
"""
_WORDS = frozenset(word for text in _ASKS_WORDS.split() for word in (*content(text), text))


def companies_asked_about(reading: Reading) -> tuple[str, ...]:
    """Keys of the companies that a question, or the user's filter, names."""
    return reading.companies or reading.scope.companies


def asks_overview(reading: Reading) -> bool:
    """True for a question about the results of companies that it names: 'How did Orla do in Q2?'"""
    return bool(companies_asked_about(reading)) and asks_results(reading)


def asks_results(reading: Reading) -> bool:
    """True for a question about results as a whole, whoever's: 'Summarize the quarter's results'."""
    if reading.metrics or reading.entities or reading.unknown_companies:
        return False
    if not (_ASKS.search(reading.question) or DID_WELL.search(reading.question)):
        return False
    rest = without_periods(reading.question)
    for name in sorted(reading.company_names, key=len, reverse=True):
        rest = rest.replace(name, " ")
    return all(word in _WORDS or is_generic(word) for word in content(rest))


def tool_questions(reading: Reading) -> tuple[tuple[ToolName, str], ...]:
    """What each tool is asked for an overview."""
    names = " and ".join(reading.company_names or companies_asked_about(reading))
    return (
        ("kg_search", f"What were {names}'s {', '.join(HEADLINES[:-1])} and {HEADLINES[-1]}?"),
        ("vector_search", f"{reading.question} {CAUSES_QUERY}"),
    )


def with_year_before(reading: Reading, catalog: Catalog) -> Reading:
    """The reading with the year-ago periods that an overview's figures are compared with; of one company of which no
    period is asked for, with that of its latest report."""
    companies = companies_asked_about(reading)
    if len(companies) == 1 and not (reading.scope.periods or reading.unknown_periods):
        held = catalog.within(reading.scope)  # of the documents that are left
        latest = CompanyPeriods(held, companies[0]).resolve(PeriodAsk("latest", "the latest", 0, 0), ())
        reading = reading.model_copy(update={"scope": replace(reading.scope, periods=tuple(latest))})
    if reading.compared_periods or not reading.scope.periods:
        return reading
    ask = PeriodAsk("year_ago", "a year before", 0, 0)
    found = {
        each: None
        for company in companies_asked_about(reading)
        for each in CompanyPeriods(catalog, company).resolve(ask, reading.scope.periods)
    }
    return reading.model_copy(update={"compared_periods": tuple(found)})
