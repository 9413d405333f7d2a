"""What running text says in answer to a question: its best sentences, quoted."""

from __future__ import annotations

from collections.abc import Sequence

from graphs.contracts import Reading
from graphs.drafts.figures import quantities
from graphs.drafts.sentences import Sentence, is_quotable, split
from graphs.drafts.words import content
from graphs.local.answer.overview import contradicts_headline
from graphs.local.answer.quotations import (
    goes_on,
    part_of,
    quotations,
    with_antecedents,
    with_reasons,
    with_sequels,
)
from graphs.local.answer.single_fact_quotes import is_of_asked_period, states_fact
from graphs.local.question.answer_form import AnswerForm
from graphs.local.question.overviews import CAUSES_QUERY, companies_asked_about
from graphs.local.text.sentence_kind import CAUSE_WORDS, is_bare, overview_kind, wanted_kind
from graphs.local.text.sentence_ranking import Ranked, Wanted, choose, rank
from graphs.local.text.synonyms import concept
from tools.evidence import Evidence

MIN_COVERAGE = 0.36
"""Least share of the question's words (weighted by rarity) that the best quoted sentence or most of its
evidence holds."""
MIN_SINGLE_FACT_COVERAGE = 0.6
"""The same of the sentence alone where a single fact is asked for and no figure fits."""
MIN_SHARE_OF_BEST = 0.58
"""Further quotes are at least this share as near to the subject as the best one."""
MAX_RESULT_QUOTES = 3
"""Sentences beside the figures of an overview."""


def quotes_that_answer(
    form: AnswerForm, reading: Reading, evidence: Sequence[Evidence], stated: bool
) -> list[str]:
    """Cited quotations that answer; empty when no sentence really does. `stated`: figures are stated already."""
    pool = _quotable(reading, evidence)
    single = _asks_one_fact(form, reading, stated)
    if single:
        pool = [s for s in pool if states_fact(s, form, reading)]
    ranked = rank(_wanted(form, reading), pool)
    if not ranked or (form.terms and not _is_about_it(ranked, single=single)):
        return []
    if single:
        return quotations([ranked[0].sentence])
    if len(reading.companies) > 1:
        by_company = [[r for r in ranked if r.sentence.item.company_key == key] for key in reading.companies]
        chosen = [r for own in by_company if own for r in _best_few(form, own, 2)]
    else:
        chosen = _best_few(form, ranked, 3 if stated else 4)
    if form.reasons:
        chosen = with_reasons(chosen, ranked)
    return quotations([r.sentence for r in with_sequels(with_antecedents(chosen, ranked), ranked)])


def _asks_one_fact(form: AnswerForm, reading: Reading, stated: bool) -> bool:
    """Whether one sentence with the fact asked for is the answer, and no other is."""
    dated = bool(form.terms and reading.scope.periods) and reading.months is not None
    fact = form.figure or form.people or dated
    return fact and not form.explain and not (form.vague and stated)


def _is_about_it(ranked: Sequence[Ranked], *, single: bool) -> bool:
    """Whether the best sentence, or with others than a single fact its evidence, holds enough of the question."""
    if single:
        return max(r.coverage for r in ranked) >= MIN_SINGLE_FACT_COVERAGE
    return max(max(r.coverage, r.meant, 0.8 * r.nearby) for r in ranked) >= MIN_COVERAGE


def _best_few(form: AnswerForm, ranked: Sequence[Ranked], most: int) -> list[Ranked]:
    """At most `most` unlike sentences that are nearly as close to the subject as the best one."""
    best = ranked[0].relevance - ranked[0].extra
    worth = [r for r in ranked if r.relevance - r.extra >= MIN_SHARE_OF_BEST * best]
    if form.vague:  # a mere topic: what only stands behind it may be about anything
        worth = [r for r in worth if r.meant or not form.terms]
    return choose(worth, most)


def quotes_about_results(reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """Cited quotations for an overview: what moved the results as a whole, and why."""
    pool = [
        s
        for s in _quotable(reading, evidence)
        if (quantities(s.text) or CAUSE_WORDS.search(s.text))
        and not goes_on(s.text)
        and not (is_bare(s.text) and part_of(s))
    ]
    chosen: list[Ranked] = []
    for company in companies_asked_about(reading):
        own = [
            s
            for s in pool
            if s.item.company_key == company and not contradicts_headline(s.text, company, evidence)
        ]
        terms = tuple(dict.fromkeys(content(CAUSES_QUERY)))
        ranked = rank(Wanted(terms, (), overview_kind(terms), reading), own)
        chosen += choose(ranked, MAX_RESULT_QUOTES)
    return quotations([r.sentence for r in chosen])


def _quotable(reading: Reading, evidence: Sequence[Evidence]) -> list[Sentence]:
    """Sentences of passages that may be quoted and are of a period asked for."""
    return [
        s
        for item in evidence
        if item.kind in ("prose", "exchange")
        for s in split(item)
        if is_quotable(s) and is_of_asked_period(s, reading)
    ]


def _wanted(form: AnswerForm, reading: Reading) -> Wanted:
    """What the sentences of an answer are ranked for."""
    about = tuple(term for term in form.terms if term not in form.moves) or form.terms
    subjects = frozenset(concept(word) for word in about)
    return Wanted(about, form.metrics, wanted_kind(reading.question, subjects, reasons=form.reasons), reading)
