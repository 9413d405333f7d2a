"""The companies that something is to be computed for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.contracts import Reading
from tools.calculate.questions import AskedSum
from tools.calculate.types import RANKED
from tools.documents.metadata.catalog import Catalog
from tools.documents.types import REPORTS
from tools.periods import MONTHS_IN_WORDS, PeriodFilter

_COMPANIES = re.compile(r"\b(?:compan(?:y|ies)|corporations?|firms?|issuers?|filers?)\b", re.IGNORECASE)
"""The set of everybody: whoever asks for banks or retailers means some alone."""
_WHICH = re.compile(r"\b(?:which|what)\s+\w+", re.IGNORECASE)


def of_sellers(read: AskedSum, reading: Reading, catalog: Catalog) -> Reading:
    """Without a company that is a part of what is asked about: a customer's share in the sales of another is of
    those."""
    parts = {each.key for each in catalog.link(read.a)} if read.operation == "share" else set()
    companies = tuple(key for key in reading.companies if key not in parts)
    return reading.model_copy(update={"companies": companies}) if companies else reading


def of_everybody(read: AskedSum, reading: Reading, catalog: Catalog) -> Reading:
    """The reading of a question that names no company, with all that filed reports for its periods, where it ranks or
    lists companies; else as it is."""
    which = _WHICH.search(reading.question)
    set_words = read.set_words or (which[0] if which else "")
    if read.use not in (*RANKED, "list") or (set_words and not _COMPANIES.search(set_words)):
        return reading
    asked = dict(reading.company_periods)
    filed = [
        key
        for key, company in catalog.companies.items()
        if set(company.doc_types) & REPORTS and (not asked or _reports(catalog, key, asked.get(key, ())))
    ]
    return reading.model_copy(update={"companies": tuple(filed)}) if len(filed) > 1 else reading


def _reports(catalog: Catalog, company: str, periods: Sequence[PeriodFilter]) -> bool:
    """Whether a company's tables have figures over quarters or years that end in one of these periods."""
    known = [each for each in catalog.fact_periods(company) if each.months in MONTHS_IN_WORDS]
    return any(wished.admits(each) for wished in periods for each in known)
