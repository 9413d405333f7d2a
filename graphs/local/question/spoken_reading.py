"""Reading a spoken question: whom it is put to and for when; nothing else in it is looked up by name."""

from __future__ import annotations

import re
from dataclasses import replace

from graphs.contracts import Reading
from graphs.local.question.period_phrases import find_asks
from graphs.local.question.period_resolution import resolve_periods
from graphs.local.question.spoken_questions import is_spoken
from tools.documents.metadata.catalog import Catalog
from tools.scope import Scope

_ADVICE_FOR_ME = re.compile(
    r"\bshould\s+i\s+(?:\w+\s+){0,2}?(?:buy|sell|hold|invest)\b|\bmy\s+(?:portfolio|pension|savings|retirement|401k)\b|"
    r"\bprice\s+target\b|\b(?:share|stock)(?:['’]s)?\s+price\s+(?:will|next|tomorrow|be|go)\b",
    re.IGNORECASE,
)


def read_spoken(question: str, catalog: Catalog, user_scope: Scope) -> Reading | None:
    """What a spoken question says about itself; None for one that is not spoken, or where it is open to which of
    several companies it is put.

    A company named beside the one that the user's filter sets is spoken of, not asked: it is no filter. Nor are
    periods where the user sets one, since 'next year' and 'the second half' say what is asked about.
    """
    if not is_spoken(question) or _ADVICE_FOR_ME.search(question):
        return None
    mentions = catalog.link(question)
    named = tuple(dict.fromkeys(mention.key for mention in mentions))
    if len(user_scope.companies or named or tuple(catalog.companies)) != 1:
        return None
    companies = tuple(key for key in named if key in (user_scope.companies or named))
    scoped = user_scope.companies or companies
    whose = scoped or tuple(catalog.companies)
    periods = user_scope.periods
    if not periods:
        asks = [replace(ask, strict=False) for ask in find_asks(question) if ask.strict]
        found = resolve_periods(question, asks, catalog, whose, named=False)
        documents = catalog.document_periods(whose[0])
        periods = tuple(each for each in found.filters if any(map(each.admits, documents)))
    return Reading(
        question=question,
        scope=replace(user_scope, companies=scoped, periods=periods),
        companies=companies,
        company_names=tuple(dict.fromkeys(m.text for m in mentions if m.key in companies)),
        spoken=True,
    )
