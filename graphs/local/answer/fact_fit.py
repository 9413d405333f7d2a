"""Which facts fit a question: by how well the search says they do, and by a second look at their wording."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.contracts import Reading
from graphs.drafts.figures import NEAR_MATCH, WHOLE_MATCH, fact_of, is_from_text, quantity_of
from graphs.drafts.words import content, is_generic, verbatim
from graphs.local.answer.asked_periods import is_single
from graphs.local.question.answer_form import PER_SHARE, AnswerForm, asks_amount
from tools.evidence import Evidence, Fact
from tools.knowledge.lexicon.asked_metrics import readable
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.periods import PeriodFilter
from tools.value_patterns import PERCENT

MIN_MATCH_WITHOUT_COMPANY = 0.72
"""Enough where no company is named and only one has such a figure."""
MIN_RIVAL_MATCH = MIN_MATCH_WITHOUT_COMPANY - 0.12
"""`Fact.match` from which another company's figure is one that might be meant, where none is named."""
MIN_SPELT_OUT_MATCH = 0.7
"""From which a fact may be the answer where the question spells out its whole line item."""
MIN_LONG_SPELT_OUT_MATCH = 0.55
"""The same for one of more than two words."""
MIN_UNRIVALLED_MATCH = 0.68
"""`Fact.match` that is enough for a fact without rivals."""
MIN_LEAD = 0.12
"""How far below it a rival must be."""


def good_facts(reading: Reading, form: AnswerForm, evidence: Sequence[Evidence]) -> list[Evidence]:
    """Facts that fit the question, best first."""
    facts = [item for item in evidence if item.fact is not None and quantity_of(item.fact) is not None]
    facts = _of_asked_unit(reading, form, facts)
    floor = _least_match(reading, facts)
    good = _without_nil([item for item in facts if fact_of(item).match >= floor], facts)
    if not good:
        good = [item for item in facts if _is_named_exactly(reading, form, item)] or _unrivalled(
            reading, facts
        )
    good.sort(key=lambda item: (-round(fact_of(item).match, 2), item.rank))
    return _spelt_out_first(reading, good, facts)


def _of_asked_unit(reading: Reading, form: AnswerForm, facts: Sequence[Evidence]) -> list[Evidence]:
    """Those whose unit the question's wording allows, each by what was asked to find it."""
    units = {
        lookup: _unit_asked(lookup or reading.question, form) for lookup in {item.lookup for item in facts}
    }
    found = [item for item in facts if units[item.lookup] in ("", fact_of(item).unit)]
    if any(units.values()):
        return found
    found = [item for item in found if may_be_counted(reading.question, item)]
    if asks_amount(reading.question):
        found = [item for item in found if fact_of(item).unit != "USD/share"]
    return found


def _least_match(reading: Reading, facts: Sequence[Evidence]) -> float:
    """`Fact.match` from which a fact fits: less where no company is named and only one comes near."""
    if reading.companies or reading.scope.companies:
        return WHOLE_MATCH
    near = {item.company_key for item in facts if fact_of(item).match >= MIN_RIVAL_MATCH}
    return MIN_MATCH_WITHOUT_COMPANY if len(near) == 1 else WHOLE_MATCH


_ASKS_COUNT = re.compile(
    r"\bhow\s+many\b(?!\s+(?:(?:us\s+)?dollars?|usd|(?:million|billion)s?(?:\s+(?:of\s+)?(?:us\s+)?dollars?)?\b(?!\s+\w+s\b)|"
    r"percent\w*|basis|points|cents|bps))",
    re.IGNORECASE,
)
"""Asks for a number of things: neither money nor a rate."""


def may_be_counted(question: str, item: Evidence) -> bool:
    """Whether a figure may be a number of things, where a question asks for one."""
    if item.fact is None or not _ASKS_COUNT.search(question):
        return True
    return not _is_money_or_rate(item.fact.unit)


def _is_money_or_rate(unit: str) -> bool:
    return unit in {"USD", "percent", "USD/share", "percentage points", "basis points"}


def _unrivalled(reading: Reading, facts: Sequence[Evidence]) -> list[Evidence]:
    """The best fact where it nearly fits and no other amount comes close: a word too many in the question is no
    rival."""
    if not facts or not (reading.companies or reading.scope.companies):
        return []
    top = max(facts, key=lambda item: fact_of(item).match)
    best = fact_of(top)
    rivals = [fact_of(item).match for item in facts if fact_of(item).value != best.value]
    clear = best.match >= MIN_UNRIVALLED_MATCH and max(rivals, default=0.0) <= best.match - MIN_LEAD
    return [top] if clear and not is_from_text(best) else []


def _without_nil(good: list[Evidence], facts: Sequence[Evidence]) -> list[Evidence]:
    """A dash in one column of a table does not deny the figure that another one prints for the same item
    and period."""
    found: list[Evidence] = []
    for item in good:
        fact = fact_of(item)
        others = [
            x
            for x in facts
            if fact_of(x).match >= MIN_SPELT_OUT_MATCH and is_alongside(x, item) and not _is_nil(fact_of(x))
        ]
        if not (_is_nil(fact) and others):
            found.append(item)
        elif others[0] not in good:
            found.append(others[0])
    return list({item.rank: item for item in found}.values())


def _is_nil(fact: Fact) -> bool:
    return not any(character.isdigit() and character != "0" for character in fact.value)


def _spelt_out_first(reading: Reading, good: list[Evidence], facts: Sequence[Evidence]) -> list[Evidence]:
    """A line item whose whole label stands in the question goes before one with a better match ('total debt'
    before 'debt')."""
    if not good:
        return good
    question = verbatim(reading.question)
    best = fact_of(good[0])

    def spelt(fact: Fact) -> int:
        label = verbatim(fact.metric)
        return len(label) if label in question else 0

    for item in facts:
        fact = fact_of(item)
        same = is_alongside(item, good[0])
        named = set(content(" ".join(fact.path))) <= set(content(reading.question))
        enough = MIN_LONG_SPELT_OUT_MATCH if len(fact.metric.split()) > 2 else MIN_SPELT_OUT_MATCH
        if same and named and fact.match >= enough and spelt(fact) > spelt(best) and not is_from_text(fact):
            return [
                item.model_copy(update={"fact": fact.model_copy(update={"match": 1.0})}),
                *(g for g in good if g is not item),
            ]
    return good


def _unit_asked(asked: str, form: AnswerForm) -> str:
    """The unit that the question's wording demands, else ''."""
    question = readable(asked)
    if re.search(r"\bhow\s+many\s+(?:\w+\s+){0,3}shares\b", question, re.IGNORECASE):
        return "shares"
    if PER_SHARE.search(question) and not re.search(r"\bshares\b|\bshare\s+count\b", question, re.IGNORECASE):
        return "USD/share"
    if PERCENT.search(question) and not form.change:
        return "percent"
    return ""


def _is_named_exactly(reading: Reading, form: AnswerForm, item: Evidence) -> bool:
    """A second opinion where no fact fits well: the question names company, period and this line item, and
    nothing else.

    Either the line item is the metric asked for, in a primary statement, or its whole label stands in the
    question.
    """
    fact = fact_of(item)
    wished = (*reading.scope.periods, *reading.compared_periods)
    if item.company_key not in reading.companies or fact.match < NEAR_MATCH or is_from_text(fact):
        return False
    if not any(_is_of(p, item, reading.months) for p in wished):
        return False
    asked = {canonical_metric(metric) for metric in reading.metrics}
    label = {w for w in content(" ".join((*fact.path, fact.metric))) if not is_generic(w)}
    rest = set(form.terms) - metric_words(reading) - form.moves
    named = {canonical_metric(text) for text in (fact.metric, *fact.path)} | {
        canonical_metric(fact.metric, fact.path)
    }
    if canonical_metric(fact.metric, fact.path) in asked and is_primary(fact):
        return asked <= named and not rest - label
    return len(label) > 1 and label <= set(form.terms) and not rest - label


def _is_of(wished: PeriodFilter, item: Evidence, months: int | None) -> bool:
    """The filter names this very period, and the duration is the one asked for, a quarter or a balance."""
    period = fact_of(item).period
    return (
        is_single(wished)
        and wished.admits(period)
        and period.months in ({0, 3} if months is None else {months})
    )


def is_alongside(one: Evidence, other: Evidence) -> bool:
    """True for two figures of one company, one period and one unit."""
    a, b = fact_of(one), fact_of(other)
    return one.company_key == other.company_key and a.period == b.period and a.unit == b.unit


def metric_words(reading: Reading) -> set[str]:
    """Stems of the names of the metrics asked for."""
    return {word for metric in reading.metrics for word in content(metric)}


def is_primary(fact: Fact) -> bool:
    """True for a figure of the income statement, balance sheet or cash flow statement."""
    return fact.statement in {"income", "balance", "cash_flow"}
