"""An answer of the lines that a learned fit says answer: figures stated, sentences quoted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from graphs.contracts import Reading
from graphs.drafts.figures import is_from_text
from graphs.drafts.sentences import Sentence, split
from graphs.drafts.words import verbatim
from graphs.local.answer import fact_sentences
from graphs.local.answer.fact_fit import may_be_counted
from graphs.local.answer.fact_selection import are_alike
from graphs.local.answer.overview import contradicts_headline
from graphs.local.answer.quotations import quotations, relation_sentence, with_antecedents
from graphs.local.question.durations import months_asked
from graphs.local.question.period_phrases import find_asks
from graphs.local.text.polarity import directions
from graphs.local.text.same_figures import figure_key
from tools.evidence import QUOTED, AnswerLine, Evidence
from tools.knowledge.lexicon.assertion_status import CHANGE
from tools.knowledge.lexicon.word_forms import words_of
from tools.knowledge.search.nearest_figures import line_text
from tools.knowledge.search.years_due import is_due_then, years_of
from tools.period_words import MONTH_NAME, MONTHS
from tools.periods import Period
from tools.value_patterns import NUMBER_WORDS, PERCENT

_MONTH = re.compile(rf"\b(?:{MONTH_NAME})\b", re.IGNORECASE)
_QUARTER = re.compile(r"\bquarters?\b|\bq[1-4]\b|\bend(?:ed|ing)\b", re.IGNORECASE)
_NUMBER = re.compile(rf"\d|\b(?:{'|'.join(NUMBER_WORDS)})\b", re.IGNORECASE)
_ASKS_PER_SHARE = re.compile(r"\bper\s+(?:\w+\s+){0,2}share\b", re.IGNORECASE)
_PER_SHARE = re.compile(r"(?:\b(?:per|a|each)\s+(?:\w+\s+){0,2}|/)shares?\b|\beps\b", re.IGNORECASE)
MIN_CHANCE_FOR_SUM = 0.7
"""Probability from which a line answers what was to be computed and could not be: of 60 right ones on tuning questions,
whose companies the fit has seen, 40 reach it, of 9 wrong ones 2, and none of 7 for what no page prints."""
LONG_SPANS = (6, 9)
"""Months of a question that only sentences of so many answer: quarters and years are often not said again."""
_OF_CHANGES = words_of("the growth or change of a figure")
MONTHS_TO_PUBLISH = 3
"""In which a report or a call follows the end of its period."""


class _Found(NamedTuple):
    line: AnswerLine
    item: Evidence


def ranked_lines(reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """The cited lines to be shown, the best one first; none where the evidence was not ranked, or it is not likely
    that one of them answers."""
    return _said(_found(reading, evidence), evidence)


def lines_for_sum(reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """The same in place of a result that could not be computed: pages print many a share, and people say by how much
    something grew. What is put in percent is stated by lines that say one, growth by those that say that something rose
    or fell, a sum by those with all its words, each with all names of the question; what no page prints by none."""
    form = reading.uncomputed_form
    if form == "none":
        return []
    sure = [
        each
        for each in _found(reading, evidence)
        if (each.line.chance >= MIN_CHANCE_FOR_SUM or _gives(reading, each.line))
        and not (form in ("percent", "growth") and PERCENT.search(each.line.text) is None)
        and (form != "growth" or not _is_quoted(each) or directions(each.line.text))
        and (form != "words" or _gives(reading, each.line))
        and all(
            words_of(name) <= words_of(f"{each.line.text} {each.item.section}") for name in reading.entities
        )
    ]
    return _said(sure, evidence) or list(
        map(fact_sentences.quoted_sentence, _said_changes(reading, evidence))
    )


def _gives(reading: Reading, line: AnswerLine) -> bool:
    """Whether a line has all words of what was to be computed."""
    words = words_of(reading.uncomputed_of)
    return bool(words) and words <= words_of(line.text)


def _said_changes(reading: Reading, evidence: Sequence[Evidence]) -> list[Evidence]:
    """By how much a figure changed as somebody says, in percent, where it is the figure that was to be computed from;
    with no more words than need be: 'organic sales' are no sales where sales are spoken of, too."""
    asked = words_of(reading.uncomputed) - _OF_CHANGES
    said = [
        (item, own - asked)
        for item in evidence
        if (fact := item.fact) and is_from_text(fact) and CHANGE in fact.path and fact.unit == "percent"
        if asked and asked <= (own := words_of(" ".join((*fact.path, fact.metric))) - _OF_CHANGES)
        if not _is_of_another_period(reading, item)
    ]
    fewest = min((len(more) for _, more in said), default=0)
    return [item for item, more in said if len(more) == fewest][:1]


def lines_about_unknown(reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """The same where a name or a period of the question is none that was indexed: of lines that speak of it, or that
    stand where it is spoken of; figures alone of the very month that is named, or of what falls due in that year."""
    names = reading.unknown_companies
    return _said(
        [
            each
            for each in _found(reading, evidence)
            if (
                _is_quoted(each)
                or _is_of_months(each.item, reading.unknown_periods)
                or _is_due(each.item, reading.unknown_periods)
            )
            and all(name.lower() in each.item.text.lower() for name in names)
            and all(_speaks_of(asked, each) for asked in reading.unknown_periods)
        ],
        evidence,
    )


def _is_of_months(item: Evidence, asked: Sequence[str]) -> bool:
    """Whether a figure's period ends in the month of each period asked for."""
    end = item.period.end
    return (
        bool(asked)
        and end is not None
        and all(end.month in _months(p) and end.year in years_of(p) for p in asked)
    )


def _is_due(item: Evidence, asked: Sequence[str]) -> bool:
    """Whether a figure's line names the year of a period asked for."""
    named = years_of(" ".join((*item.fact.path, item.fact.metric))) if item.fact else set()
    return any(years_of(each) & named for each in asked)


def _speaks_of(asked: str, found: _Found) -> bool:
    """Whether the passage of a line names a period, or its year and month; or a month alone, in which what its document
    reports on was published. Where no figure is asked for it is enough that its document is of about that year."""
    years, months, passage = years_of(asked), _months(asked), found.item.text
    if "filter" in asked:  # the user's own choice, not what is indexed, leaves it out
        return False
    if verbatim(asked) in verbatim(passage):
        return True
    if not found.line.of_figure and _is_of_about(years, found.item.period):
        return True
    if years & years_of(passage) and (not months or months & _months(passage)):
        return not _QUARTER.search(asked) or bool(months)
    end = found.item.period.end
    if end is None or _QUARTER.search(asked) or not months:
        return False
    since = [12 * (year - end.year) + month - end.month for year in years for month in months]
    return any(0 <= number <= MONTHS_TO_PUBLISH for number in since)


def _is_of_about(years: set[int], period: Period) -> bool:
    """Whether a document reports on one of the years, or the one before or after it; any does where none is named."""
    own = period.end.year if period.end else period.fiscal_year
    return not years or (own is not None and any(abs(own - year) <= 1 for year in years))


def _months(text: str) -> set[int]:
    """From 1, of months by name, shortened or not."""
    firsts = [name[:3] for name in MONTHS]
    return {firsts.index(name.group()[:3].lower()) + 1 for name in _MONTH.finditer(text)}


def _said(found: Sequence[_Found], evidence: Sequence[Evidence]) -> list[str]:
    said = [_sentence(each) for each in found if _is_quoted(each)]
    quotes = quotations(with_antecedents(said, evidence))
    items = [each.item for each in found if not _is_quoted(each)]
    stated = [
        _stated(item)
        for n, item in enumerate(items)
        if not any(are_alike(item, other) for other in items[:n])
    ]
    return [*quotes, *stated] if found and _is_quoted(found[0]) else [*stated, *quotes]


def asks_no_figure(evidence: Sequence[Evidence]) -> bool:
    """Whether the question surely asks for something else than a figure, as whoever ranked the evidence found."""
    return any(not line.of_figure for item in evidence for line in item.lines)


def likely_quotes(reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """The cited sentences to be shown beside figures, none that contradicts the headline figures of results."""
    said = [_sentence(each) for each in _found(reading, evidence) if _is_quoted(each)]
    return quotations(
        with_antecedents(
            [s for s in said if not contradicts_headline(s.text, s.item.company_key, evidence)], evidence
        )
    )


def _found(reading: Reading, evidence: Sequence[Evidence]) -> list[_Found]:
    """Lines to be shown, and of every company asked about its best one."""
    found = [
        _Found(line, item)
        for item in evidence
        for line in item.lines
        if line.likely
        and _is_of_kind(reading, line, item)
        and not (_is_of_another_period(reading, item) or _is_of_other_years(reading, item, line))
    ]
    found.sort(key=lambda each: (-each.line.share, each.item.rank))
    own = [next((f for f in found if f.item.company_key == key), None) for key in reading.companies]
    best = own if len(own) > 1 else []
    return _newest(reading, [each for each in found if each.line.shown or each in best], evidence)


def _is_of_kind(reading: Reading, line: AnswerLine, item: Evidence) -> bool:
    """Whether a line is of the kind of answer that is surely asked for: a sentence that gives a figure has a number,
    one of half a year or nine months says so, and money is no number of things, nor an amount per share."""
    if not may_be_counted(reading.question, item):
        return False
    text = f"{line.text} {item.fact.unit if item.fact else ''}"
    if _ASKS_PER_SHARE.search(reading.question) and not _PER_SHARE.search(text):
        return False
    if item.kind not in QUOTED or reading.form != "figure":
        return True
    if _NUMBER.search(line.text) is None:
        return False
    long = reading.months in LONG_SPANS
    return not long or months_asked(line.text, find_asks(line.text), has_metric=False) == reading.months


def _newest(reading: Reading, found: list[_Found], evidence: Sequence[Evidence]) -> list[_Found]:
    """Where no period is asked for, each figure by its newest one that was found; those that show one figure of several
    periods the newest first."""
    if reading.scope.periods or reading.compared_periods or reading.unknown_periods:
        return found
    own: list[object] = [_series(each.item) or at for at, each in enumerate(found)]
    last: dict[object, Evidence] = {
        _series(item): item for item in sorted(evidence, key=_end) if item.fact and item.fact.may_answer
    }
    newest = [
        each._replace(item=last.get(series, each.item)) if own.count(series) == 1 else each
        for series, each in zip(own, found, strict=True)
    ]
    order = sorted(range(len(own)), key=lambda at: (own.index(own[at]), -_end(found[at].item).toordinal()))
    return [newest[at] for at in order]


def _series(item: Evidence) -> tuple[object, ...] | None:
    """What the figures of one line of a table share, over its periods; None for what is no printed figure."""
    if item.fact is None or is_from_text(item.fact):
        return None
    company, metric, path, unit, _, months = figure_key(item)
    return company, metric, path, unit, months


def _end(item: Evidence) -> date:
    return (item.fact.period.end if item.fact else None) or date.min


def _is_of_another_period(reading: Reading, item: Evidence) -> bool:
    """Whether a figure is of another day or length than those asked for: hard facts, which no likelihood mends."""
    wished = (*reading.scope.periods, *reading.compared_periods)
    if item.fact is None or item.fact.period.end is None:
        return False
    if not wished:
        return is_due_then(line_text(item.fact), item.fact.period, reading.question) is False
    lasts = reading.months is None or item.fact.period.months in (None, reading.months)
    return not (lasts and any(each.admits(item.fact.period) for each in wished))


def _is_of_other_years(reading: Reading, item: Evidence, line: AnswerLine) -> bool:
    """Whether a quotation names years, none of those asked for, and its document is of none near them either: why a
    margin fell in fiscal 2025 is no reason for 2020. Years alone are no period: notes of 2020 fall due in 2030."""
    wished = (*reading.scope.periods, *reading.compared_periods)
    asked = {
        year
        for each in wished
        for year in (each.fiscal_year, each.calendar_year, each.end and each.end.year)
        if year
    }
    own = item.period.end.year if item.period.end else item.period.fiscal_year
    said = years_of(line.text)
    if item.fact is not None or not (asked and said and own) or said & asked:
        return False
    if line.of_figure and own in said:  # 'at the end of 2021 we employed ...' tells nothing of 2020
        return True
    return all(abs(own - year) > 1 for year in asked)


def _is_quoted(found: _Found) -> bool:
    return found.item.kind in QUOTED


def _stated(item: Evidence) -> str:
    if item.fact is None:
        return f"{relation_sentence(item)} [{item.rank}]."
    return fact_sentences.quoted_sentence(item) if is_from_text(item.fact) else fact_sentences.sentence(item)


def _sentence(found: _Found) -> Sentence:
    return next(each for each in split(found.item) if each.text == found.line.text)
