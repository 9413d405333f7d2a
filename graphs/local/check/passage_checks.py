"""What is checked of one claim against one passage; each check gives a reason or ''."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from graphs.drafts.figures import quantities
from graphs.drafts.words import STOP, content, is_generic, stem, verbatim
from graphs.local.check.claim_text import Told
from graphs.local.check.computed_figures import spans_of
from graphs.local.check.derivations import shares
from graphs.local.check.figure_changes import find_pairs
from graphs.local.check.figure_match import is_form, is_labelled, is_timed, stated
from graphs.local.check.opposites import opposite_fault
from graphs.local.check.passages import Figure, Passage
from graphs.local.check.swapped_figures import movements
from graphs.local.text.degrees import find_degrees
from graphs.local.text.period_mentions import Mention, find_mentions, fits_mentions, fits_period
from graphs.local.text.polarity import direction_fault, directions, negation_fault, negations
from tools.documents.text.ordinary_words import ACRONYMS, FIRST_NAMES, ORDINARY
from tools.evidence import Evidence
from tools.knowledge.lexicon.metric_names import find_metrics

_QUALIFIER_WORDS = """
basic diluted gross net operating investing financing current noncurrent long short term product
products service services domestic foreign international adjusted organic core comprehensive deferred
accrued average ordinary preferred common cash tax income revenue sales cost expense assets liabilities
equity inventory receivable payable debt goodwill dividend research development marketing administrative
depreciation amortization interest segment margin profit loss
"""

_MONTHS_AND_CODES = """
january february march april may june july august september october november december usd eur gbp jpy
"""

WORDING = 0.5
"""Least share of a claim's content words that its passage holds."""
_QUALIFIERS = frozenset(stem(word) for word in _QUALIFIER_WORDS.split())
_NAME = re.compile(r"(?<![\w.])(?:(?:[A-Z]['’](?=[A-Z]))?[A-Z][a-z]*[A-Z]?[\w&]*(?:['’]s)?|[a-z]+[A-Z]\w*)")


def period_fault(told: Told, passage: Passage) -> str:
    """A period of the claim that neither its figures nor the passage nor the source's own period bear out."""
    timed = [f for f in passage.figures if f.period is not None or f.mentions]
    for mention in find_mentions(told.whole):
        if passage.structured and timed:
            if _is_span_of_change(mention, timed, told.text):
                continue
            if not any(is_timed([mention], f) for f in timed):
                return f"the cited evidence is not for {mention.text}"
            continue
        fits = any(fits_mentions(mention, passage.mentions, item.period) for item in passage.items)
        if not fits and not any(f.period and fits_period(mention, f.period) for f in timed):
            return f"the cited evidence does not speak of {mention.text}"
    return relative_fault(told.text, passage) if passage.structured else month_fault(told.whole, passage)


_BEFORE = (
    (
        re.compile(r"\b(?:previous|prior|preceding)\s+quarter\b(?!\s+of)|\bsequentially\b", re.IGNORECASE),
        (60, 110),
    ),
    (
        re.compile(
            r"\b(?:a|one)\s+year\s+(?:ago|earlier|before)\b|\byear[\s-](?:ago|earlier)\b", re.IGNORECASE
        ),
        (340, 390),
    ),
)
"""What names an earlier period, and the days by which it ends earlier."""


def relative_fault(text: str, passage: Passage) -> str:
    """'the previous quarter' or 'a year earlier' where the cited figures of a line item lie otherwise apart."""
    gaps = {(a.end - b.end).days for a, b in spans_of(passage.figures) if a.end and b.end}
    for words, (low, high) in _BEFORE:
        if gaps and (found := words.search(text)) and not any(low <= gap <= high for gap in gaps):
            return f"the cited figures are not for '{found.group()}'"
    return ""


def _is_span_of_change(mention: Mention, figures: Sequence[Figure], text: str) -> bool:
    """'fell by 150 million during the nine months' tells two balances, each of a day."""
    days = all(f.period is not None and f.period.months == 0 for f in figures)
    said = (mention.day, mention.month, mention.year, mention.quarter)
    return (
        days and bool(mention.months) and said == (None,) * 4 and bool(find_pairs(text) or directions(text))
    )


_MONTH = re.compile(
    r"\b(?:in|of|since|by|until|late|early|mid-?|through)\s+"
    r"(January|February|March|April|May|June|July|August|September|October|November|December)\b(?!\s+\d)"
)


def month_fault(text: str, passage: Passage) -> str:
    """A month without a year, where the passage names another one; '' if there is none."""
    theirs = {m.lower() for m in _MONTH.findall(passage.text)}
    for month in _MONTH.findall(text):
        if theirs and month.lower() not in theirs and month not in passage.text:
            return f"the cited evidence does not speak of {month}"
    return ""


def name_fault(told: Told, passage: Passage, everything: frozenset[str]) -> str:
    """A company, person, product or place that the passage and its source do not name."""
    words = passage.words | frozenset(content(passage.lead))
    for match in _INITIALS.finditer(told.whole):
        known = (
            passage.text,
            passage.lead,
            *(f"{i.company} {i.document} {i.section}" for i in passage.items),
        )
        if match.group() not in _PLACES and not any(match.group() in text for text in known):
            return f"'{match.group()}' is not named in the cited evidence"
    for name, opening in names(told.whole):
        if name in words or any(name in content(s) for s in passage.speakers):
            continue
        if any(is_form(name, word) for word in words):
            continue
        if opening and (name in everything or is_generic(name)):
            continue
        return f"'{name}' is not named in the cited evidence"
    return ""


_INITIALS = re.compile(r"(?<![\w.])[A-Z](?:\.[A-Z])+(?![\w])")
"""'F.N.B' of a company's name."""
_PLACES = frozenset({"U.S", "U.K", "U.S.A", "U.N", "E.U", "D.C", "P.M", "A.M"})


@lru_cache(maxsize=4096)
def names(text: str) -> tuple[tuple[str, bool], ...]:
    """(stem, stands where any word is capitalised) of capitalised words that may name something."""
    found = []
    for match in _NAME.finditer(text):
        word = re.sub(r"['’]s$", "", match.group())
        lower = word.lower()
        if lower in STOP or lower in ACRONYMS or len(word) < 2 or re.fullmatch(r"Q[1-4]|FY\d*|[HQ]\d", word):
            continue
        before = text[: match.start()].rstrip()
        opening = not before or before[-1] in '.!?:;|“"(•-' or before.endswith("—")
        if opening and lower in ORDINARY and lower not in FIRST_NAMES and word == match.group():
            continue
        if any(m.start <= match.start() < m.end for m in find_mentions(text)) or lower in _MONTHS:
            continue
        gerund = (
            opening
            and lower.endswith("ing")
            and re.match(r"\s+(?:the|an?|its|of|in|more)\s", text[match.end() :])
        )
        if opening and text[match.end() : match.end() + 1] == "-" and word.istitle() and len(word) < 5:
            continue  # 'Pre-tax', 'Year-end'
        if gerund or (opening and is_generic(stem(lower))):
            continue
        found += [
            (w, opening and lower not in FIRST_NAMES)
            for w in content(word)[:1]
            if not (is_generic(w) and lower in ORDINARY)
        ]
    return tuple(found)


_MONTHS = frozenset(_MONTHS_AND_CODES.split())


def label_fault(told: Told, passage: Passage) -> str:
    """A 'not' that stands in a line item and that the claim drops from it."""
    claim = verbatim(told.whole)
    for item in passage.items:
        for part in (*item.fact.path, item.fact.metric) if item.fact is not None else ():
            for sign in negations(part):
                bare = verbatim(part.replace(sign.text, " ", 1))
                if bare in claim and verbatim(part) not in claim:
                    return f"the evidence says '{sign.text}', the statement does not"
    return ""


def movement_fault(told: Told, passage: Passage) -> str:
    """A direction or denial that the passage, or the figures it holds, do not bear out."""
    borne, fault = movements(told.text, passage)
    if fault:
        return fault
    told_pairs = {p.at for p in find_pairs(told.text)}
    rates = frozenset(at for at in borne if not any(abs(at - p) < 3 for p in told_pairs))
    losses = frozenset(p.at for p in find_pairs(told.text) if p.loss)
    paired = frozenset(p.at for p in find_pairs(told.text) if p.ordered)
    freed = borne & (losses | rates | paired) if passage.structured else borne
    moves = [
        s
        for s in directions(told.text)
        if s.text.lower() not in ("slow", "slower")
        and s.start not in freed
        and stem(s.text.lower()) not in content(_labels(passage))
    ]
    if not passage.structured or not moves:
        if passage.structured and negations(told.text):
            return f"'{negations(told.text)[0].text}' is not in the cited evidence"
        if fault := opposite_fault(told.text, passage.text):
            return fault
        moved = direction_fault(told.text, passage.text, borne)
        return moved or ("" if passage.structured else negation_fault(told.text, passage.text))
    own = stated(told, passage)
    if {s.up for s in moves} <= set(_moved_shares(told, passage)):
        return ""
    ups = _moved(own)
    if not ups:
        labels = {f.label for f in own} or {
            f.label for f in passage.figures if is_labelled(told.whole, f.label)
        }
        ups = _moved(f for f in passage.figures if f.label in labels)
    if not ups:
        return direction_fault(told.text, passage.text, borne)
    denied = bool(negations(told.text))
    for sign in moves:
        if (sign.up != denied) not in ups:
            return f"'{sign.text}' is not what the cited figures show"
    return ""


def _moved_shares(told: Told, passage: Passage) -> Iterator[bool]:
    """Which way the shares moved that a claim tells: 'nearly half of revenue, up from 37 %'."""
    if not any(d.kind == "share" for d in find_degrees(told.text)) and not any(
        q.unit == "percent" for q in quantities(told.text)
    ):
        return
    found = list(shares(told, passage))
    for later in found:
        for sooner in found:
            alike = (later.part.label, later.whole.label) == (sooner.part.label, sooner.whole.label)
            if alike and later.part.end and sooner.part.end and later.part.end > sooner.part.end:
                yield later.ratio > sooner.ratio


def _labels(passage: Passage) -> str:
    return " ".join(f.label for f in passage.figures if f.label)


def _moved(figures: Iterable[Figure]) -> frozenset[bool]:
    """Whether later figures of a line item are above earlier ones; empty if there is no such pair or no change."""
    told = [(a.quantity.amount, b.quantity.amount) for a, b in spans_of(tuple(figures))]
    return frozenset(later > sooner for later, sooner in told if later != sooner)


_TELLING_WORDS = """
ease slightly modestly sharply significantly substantially considerably marginally strongly steadily earn made lost
losing swing swung edge narrow widen double triple halve roughly around add contribute bring brought deliver account
represent comprise equal equivalent respectively overall combined together sum difference return shareholder
stockholder went even though although despite since ran run half better worse higher lower larger smaller increase
decrease year-over-year sequentially while whereas spend spent declare buyback cent
leave left midpoint range mean imply edged inched turn turned positive negative reach outflow inflow surplus
one two three four five six seven eight nine ten half
"""
TELLING = frozenset(content(_TELLING_WORDS))
"""Words in which figures are told."""


def wording_fault(told: Told, passage: Passage, company_words: frozenset[str]) -> str:
    """Too much of the claim's wording, or a word that makes a line item another one, is not in the
    passage."""
    words = [w for w in dict.fromkeys(content(told.whole)) if not is_generic(w) and w not in company_words]
    if not words:
        return ""
    extra = [w for w in words if w not in passage.words and w not in TELLING]
    metrics = {w for m in find_metrics(told.whole) for w in content(m.text)}
    if passage.structured:
        wrong = [w for w in extra if w in _QUALIFIERS and w not in metrics]
        if wrong:
            return f"'{wrong[0]}' is not in the cited evidence"
    moves = {stem(s.text) for s in directions(told.whole)} if passage.structured else set()
    extra = [w for w in extra if w not in metrics and w not in moves]
    if len(extra) > (1 - WORDING) * len(words) and (len(extra) > 1 or len(words) <= 2):
        return f"the cited evidence does not say this ({', '.join(extra[:4])})"
    return ""


def company_words(items: Iterable[Evidence]) -> frozenset[str]:
    """Content stems of the names of these sources' companies."""
    return frozenset(w for item in items for w in content(f"{item.company} {item.company_key}"))
