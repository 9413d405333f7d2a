"""Overviews of results: when one is asked for, what is looked up for it, and its table of figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from graphs.contracts import Reading
from graphs.drafts.figures import fact_match, fact_of, is_from_text, label, quantities, quantity_of
from graphs.drafts.sentences import quoted
from graphs.local.answer.asked_periods import is_asked
from graphs.local.answer.fact_fit import is_primary
from graphs.local.answer.fact_sentences import printed_value, quoted_sentence, rounded_percent
from graphs.local.question.overviews import HEADLINES, companies_asked_about
from graphs.local.text.same_figures import canonical_name, year_before
from graphs.local.text.sentence_kind import opens_with_headline
from tools.evidence import Evidence
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.periods import Period
from tools.values import Quantity, same_amount

MIN_HEADLINE_MATCH = 0.8
"""Least `Fact.match` of a headline figure."""
MAX_QUOTED_HEADLINES = 4
"""Headline figures of running text that are quoted at most, where no table holds any."""
ENOUGH_HEADLINES = 3
"""Headline figures of one period by which a company is seen to do well or badly."""
_PARTIAL = re.compile(
    r"\b(?:added|adds|contribut\w+|acqui\w+|divest\w+|segments?|headwinds?|excluding|expect\w*|guidance)\b",
    re.I,
)
"""Speaks of a part of the figure, or of one to come."""


def headlines(reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """Paragraphs with the headline figures of each company: a table, or quoted sentences where only running
    text holds any; empty where no figure fits."""
    paragraphs: list[str] = []
    for company in companies_asked_about(reading):
        own, rows = headline_rows(reading, company, evidence)
        if rows:
            paragraphs.append(_table(rows, own))
        else:
            asked = [item for item in own if is_asked(reading.scope.periods, item.period)]
            said = [item for item in asked if is_from_text(fact_of(item)) and not _PARTIAL.search(item.text)]
            paragraphs += list(map(quoted_sentence, said[:MAX_QUOTED_HEADLINES]))
    return paragraphs


def contradicts_headline(text: str, company: str, evidence: Sequence[Evidence]) -> bool:
    """True for a sentence that opens like one about the whole company ('Operating income increased 19%') while
    none of its amounts is that figure or a change of it: a segment's, under a heading that a quotation
    would not show."""
    amounts = quantities(text)
    metric = next((mention.canonical for mention in find_metrics(text)), "")
    if not amounts or not opens_with_headline(text) or metric not in HEADLINES:
        return False
    own = [item for item in evidence if item.company_key == company and is_headline(item)]
    known = [
        quantity
        for item in own
        if canonical_name(item) == metric
        for quantity in _amount_and_moves(item, own)
    ]
    return bool(known) and not any(_same(quantity, other) for quantity in amounts for other in known)


def _amount_and_moves(item: Evidence, pool: Sequence[Evidence]) -> list[Quantity]:
    """The figure, and how far it moved since the year before, as an amount and in percent."""
    now = quantity_of(fact_of(item))
    then = year_before(item, pool)
    old = quantity_of(fact_of(then)) if then is not None else None
    if now is None or old is None:
        return [now] if now is not None else []
    found = [now, replace(now, value=abs(now.value - old.value))]
    if old.value > 0:
        found.append(Quantity(abs(now.value - old.value) * 100 / old.value, "percent", 0, "", 0, 0))
    return found


def _same(quantity: Quantity, other: Quantity) -> bool:
    if quantity.unit == "percent" == other.unit:
        return abs(abs(quantity.value) - other.value) <= Decimal("0.5")
    return same_amount(replace(quantity, value=abs(quantity.value)), replace(other, value=abs(other.value)))


def is_headline(item: Evidence) -> bool:
    """Whether it holds one of HEADLINES."""
    return fact_match(item) >= MIN_HEADLINE_MATCH and canonical_name(item) in HEADLINES


def headline_rows(
    reading: Reading, company: str, evidence: Sequence[Evidence]
) -> tuple[list[Evidence], list[Evidence]]:
    """(the company's headline figures of any period, the best printed one for each headline, all of the one latest
    period asked for that most of them share)."""
    own = [item for item in evidence if item.company_key == company and is_headline(item)]
    asked = [item for item in own if is_asked(reading.scope.periods, item.period)]
    return own, _latest_of_each(reading, [item for item in asked if not is_from_text(fact_of(item))])


def _latest_of_each(reading: Reading, items: Sequence[Evidence]) -> list[Evidence]:
    """Of the length asked for, else of the one that is told of last and enough headlines are of: an annual report
    prints a few figures of its last quarter."""
    timed = [item for item in items if item.period.end is not None and item.period.months]
    lengths = sorted({item.period.months or 0 for item in timed})
    if reading.months:
        lengths = [each for each in lengths if each == reading.months]
    rows = [_latest([item for item in timed if item.period.months == months]) for months in lengths]
    return max(rows, key=lambda own: (min(len(own), ENOUGH_HEADLINES), own[0].period.end), default=[])


def _latest(items: Sequence[Evidence]) -> list[Evidence]:
    """The best of each headline, of the last day that there is."""
    last = max(item.period.end for item in items if item.period.end)
    best: dict[str, Evidence] = {}
    for item in sorted(items, key=lambda i: (not is_primary(fact_of(i)), -fact_of(i).match, i.rank)):
        if item.period.end == last:
            best.setdefault(canonical_name(item), item)
    return [best[name] for name in HEADLINES if name in best]


def _table(rows: Sequence[Evidence], pool: Sequence[Evidence]) -> str:
    """A Markdown table; with the year-ago figures and the changes where those are printed, too."""
    pairs = [(now, year_before(now, pool)) for now in rows]
    then = next((old.period for _, old in pairs if old is not None), None)
    lines = [_lead(rows[0], then), ""]
    if then is None:
        lines += ["| Line item | Value | Source |", "| --- | --- | --- |"]
        lines += [f"| {_label(now)} | {_value(now)} | [{now.rank}] |" for now in rows]
        return "\n".join(lines)
    lines += ["| Line item | Value | Year before | Change | Source |", "| --- | --- | --- | --- | --- |"]
    for now, old in pairs:
        if old is None:
            lines.append(f"| {_label(now)} | {_value(now)} | | | [{now.rank}] |")
        else:
            lines.append(
                f"| {_label(now)} | {_value(now)} | {_value(old)} | {_change(now, old)} | [{now.rank}] [{old.rank}] |"
            )
    return "\n".join(lines)


def _lead(item: Evidence, then: Period | None) -> str:
    compared = f", compared with the {then.describe()}" if then is not None else ""
    return f"{quoted(item.company)}, {item.period.describe()}{compared}:"


def _label(item: Evidence) -> str:
    return label(fact_of(item), opening=True)


def _value(item: Evidence) -> str:
    return printed_value(fact_of(item))


def _change(now: Evidence, old: Evidence) -> str:
    """'+3.2 %'; '' from nothing or from a loss, of which no percentage makes sense."""
    a, b = quantity_of(fact_of(now)), quantity_of(fact_of(old))
    if a is None or b is None or b.value <= 0:
        return ""
    return f"{rounded_percent(a.value - b.value, b.value):+,f} %"
