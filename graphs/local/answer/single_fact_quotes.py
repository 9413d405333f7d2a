"""Whether one sentence of running text may stand for a single fact that was asked for."""

from __future__ import annotations

import re
from dataclasses import replace

from graphs.contracts import Reading
from graphs.drafts.figures import quantities
from graphs.drafts.sentences import Sentence
from graphs.drafts.words import content
from graphs.local.answer.asked_periods import is_asked
from graphs.local.answer.fact_fit import metric_words
from graphs.local.question.answer_form import PER_SHARE, AnswerForm, asks_amount
from graphs.local.text.period_mentions import find_mentions, fits_period
from tools.documents.text.ordinary_words import ORDINARY
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.periods import Period

_COMPANYS_OWN = r"\b(?:our|its|the company[’']s|total|consolidated|overall)\s+(?:\w+\s+){0,2}"
_MONEY = re.compile(
    r"\b(?:how much|amount|price|pay|paid|cost|spend|spent|worth|dollars?)\b|\$", re.IGNORECASE
)
_COUNT = re.compile(r"\bhow many\b|\bnumber of\b", re.IGNORECASE)
_SHARE = re.compile(r"%|\bpercent|\brate\b|\bmargin\b", re.IGNORECASE)
_NO_NUMBER = re.compile(
    r"\b(?:when|where|which|who|whom|whose|name)\b|^(?:does|did|is|are|was|were|has|have)\b", re.I
)
_NAME = re.compile(r"(?<=[\w,] )[A-Z][\w&-]+")


def states_fact(sentence: Sentence, form: AnswerForm, reading: Reading) -> bool:
    """True if the sentence names what is asked for, gives a figure of the kind asked for, and is of the
    period.

    Figures of segments and products go by a metric's bare name, too: in a filing a sentence with nothing more to
    recognise it by must say that the figure is the company's own ('Our effective tax rate was ...').
    """
    words = set(content(sentence.text))
    terms = set(form.terms) - form.moves
    if not terms or not _names(reading) <= set(content(f"{sentence.item.section} {sentence.item.text}")):
        return False
    if form.people and not form.figure:
        return terms <= words
    if not _has_asked_unit(form, reading, sentence.text):
        return False
    of_metrics = metric_words(reading)
    if not of_metrics <= words and not _same_metric(reading, sentence.text):
        return False
    if (
        not (terms - of_metrics) & words
        and sentence.item.doc_type != "call"
        and not _is_own(reading, sentence.text)
    ):
        return False
    return _names_no_other_period(sentence, reading)


_OF_ANOTHER = re.compile(
    r"\s+(?:benefits?|impacts?|headwinds?|tailwinds?|drag|calls?|releases?|guidance|outlook|growth|power|potential|"
    r"contributions?|volatility|expectations?)\b",
    re.IGNORECASE,
)
"""What makes another thing of a line item: an 'earnings benefit' is no earnings."""


def _names(reading: Reading) -> set[str]:
    """Stems of the proper names in the question other than the companies'."""
    companies = {word for name in (*reading.companies, *reading.company_names) for word in content(name)}
    found = [m.group() for m in _NAME.finditer(reading.question) if m.group().lower() not in ORDINARY]
    months = {(m.start, m.end) for m in find_mentions(reading.question)}
    inside = [reading.question[a:b] for a, b in months]
    return {
        w
        for name in found
        for w in content(name)
        if w not in companies and not any(name in x for x in inside)
    }


def _has_asked_unit(form: AnswerForm, reading: Reading, text: str) -> bool:
    """The sentence holds a figure of the unit that the question's wording asks for; of any unit where it asks for no
    certain one, and no figure at all where it asks when, where or who."""
    units = {q.unit for q in quantities(text)}
    question = reading.question
    money = any((len(unit) == 3 and unit.isupper()) or unit.endswith("/share") for unit in units)
    share = bool(units & {"percent", "basis points", "percentage points"})
    if _COUNT.search(question):
        return bool(units & {"", "shares"})
    if re.search(r"\bper\s+(?:\w+\s+){0,2}share\b|\bEPS\b", question, re.IGNORECASE):
        return any(unit.endswith("/share") for unit in units)
    if form.change:
        return money or share
    if _SHARE.search(question):
        return share
    if asks_amount(question):
        return any(len(unit) == 3 and unit.isupper() for unit in units)
    if _MONEY.search(question):
        return money
    return bool(units) or bool(_NO_NUMBER.search(question))


def _same_metric(reading: Reading, text: str) -> bool:
    if asks_amount(reading.question) and PER_SHARE.search(text):
        return False  # earnings a share
    asked = {m.canonical for metric in reading.metrics for m in find_metrics(metric)}
    return any(m.canonical in asked and not _OF_ANOTHER.match(text, m.end) for m in find_metrics(text))


def _is_own(reading: Reading, text: str) -> bool:
    return any(
        re.search(_COMPANYS_OWN + re.escape(metric), text, re.IGNORECASE) for metric in reading.metrics
    )


def is_of_asked_period(sentence: Sentence, reading: Reading) -> bool:
    """The sentence's document reports on a period asked for, or the sentence itself names one: what was found by
    widening to the year is no answer for another quarter."""
    item, scope = sentence.item, reading.scope
    if is_asked(scope.periods, item.period):
        return True
    asked = [Period(w.end, None, w.fiscal_year, w.fiscal_quarter) for w in scope.periods]
    return any(fits_period(m, period) for m in find_mentions(sentence.text) for period in asked)


def _names_no_other_period(sentence: Sentence, reading: Reading) -> bool:
    """The sentence mentions no period but the one asked for, or that one first."""
    mentions = find_mentions(sentence.text)
    wished = [p for p in reading.scope.periods if p.end or p.fiscal_quarter or p.fiscal_year]
    if not mentions or not wished:
        return True
    spans = {m.months for m in mentions if m.months}
    if reading.months and spans and reading.months not in spans:
        return False
    own = sentence.item.period
    return any(w.admits(own) for w in wished) and any(
        fits_period(m, replace(own, months=None)) for m in mentions
    )
