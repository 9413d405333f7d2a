"""Two figures for two periods: 'Our effective tax rate was 19% and 17% for the three months ended March 31, 2023
and 2022, respectively'.

Every part between one 'respectively' and the next is read for itself: it must hold one pair of periods and
no other date, and the figures of one thing, or shares and what was paid for them. Whatever else stands between
subject, figures and periods makes the part unread: nothing is guessed.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from tools.documents.types import Document, ParsedDocument
from tools.knowledge.extract.cited_sentences import Passage, passages
from tools.knowledge.extract.figure_subjects import without_heading
from tools.knowledge.extract.period_pairs import (
    ANY_PERIOD,
    Ends,
    PeriodPair,
    find_period_pair,
    pair_spans,
    quarter_ends,
)
from tools.knowledge.extract.table_triplets import PRIMARY_STATEMENTS
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.knowledge.types import Triplet
from tools.periods import Period
from tools.quantities import render_quantity
from tools.values import Quantity, find_quantities

MAX_SUBJECT_WORDS = 14
"""Words of the longest subject that is taken for a line item."""
PAIRS_TITLE = "Figures of two periods"
"""Title of what is read here: unlike other figures of a filing's sentences, its period is said beside it."""
_RESPECTIVELY = re.compile(r",?\s*respectively\b", re.IGNORECASE)
_CAME_TO = re.compile(
    r"\s*(?:was|were|totaled|totalled|amounted to)\s*(?:approximately\s*|an expense of\s*|"
    r"(?P<credit>a benefit of\s*))?$"
)
_MOVED_TO = re.compile(r"\s*(?:increased|decreased|rose|fell|declined|improved|grew) to\s*$")
_OF = re.compile(
    r"\b(?:we|the company)\s+(?:had|have|has|recognized|recorded|incurred|reported)\s+(?P<label>[^,;]{4,90}?)\s+of\s*$",
    re.IGNORECASE,
)
_SHARES_HELD = re.compile(r"(?:^|\b)(?:there were|we had|the company had)\s*$", re.IGNORECASE)
_SHARES_HELD_OF = re.compile(r"\s+of\s+(?P<label>[^,;]{4,80}?)\s*,?\s*(?:as\s+of|at)?\s*", re.IGNORECASE)
_PAID = re.compile(r"\b(?:we|the company)\s+paid\s*$", re.IGNORECASE)
_DIVIDENDS = re.compile(
    r"\s*in (?:cash )?dividends\b(?: to (?:our )?(?:share|stock)holders)?\s*,?\s*", re.IGNORECASE
)
_BOUGHT = re.compile(r"\b(?:we|the company)\s+(?:re)?purchased\s*$", re.IGNORECASE)
_NO_LABEL = re.compile(
    r"\b(?:which|that|who|because|while|when|if|we|they|it|compared|increases?|decreases?|change[sd]?|effect|impact|"
    r"due to|(?<!unrecognized tax )benefits?|loss(?:es)?|gains?|credits?|offset|would|could|may|should|expect\w*|"
    r"approximately|range|"
    r"respectively|was|were|is|are|had|has|recognized|recorded|reclassified|this|these|those|such|remaining|"
    r"customers?|plus|percentage points)\b|[;:]|\d|\"|\u201c",
    re.IGNORECASE,
)
_AS_PERCENTAGE = re.compile(r"as a percentage of|tax rate|margin", re.IGNORECASE)
_SUPPOSED = re.compile(
    r"\b(?:would|could|should|might|expect\w*|anticipat\w*|hypothetical|plan(?:s|ned)? to)\b", re.IGNORECASE
)
_FOREWORD = re.compile(r".*[a-z\d)] (?=(?:Our|The|We|As of|At|For the|During the|In the) )", re.DOTALL)
_OPENING_ARTICLE = re.compile(
    r"^(?:(?:the company|\w+)['\u2019]s|our|the|its|total amount of|the)\s+", re.IGNORECASE
)
_LINK = re.compile(
    r"\s*(?:,|and|for|in|at|as of|during|of|the)?(?:\s+(?:and|for|in|at|during|the))*\s*", re.IGNORECASE
)
_LEAD = re.compile(
    r"[\s,]*(?:and|from)?[\s,]*(?:was |were )?(?:an expense of |(?P<credit>a benefit of ))?", re.IGNORECASE
)
_AND = re.compile(r"\s*,?\s*and\s+(?:approximately\s+)?", re.IGNORECASE)
_SHARES_FOR = re.compile(r"\s*(?:of (?:our |its )?common stock)?\s*for\s*", re.IGNORECASE)
_CLOSING = re.compile(
    r"\s*,?\s*(?:through|under) (?:our|the|its) (?:share|stock) repurchase programs?\s*,?\s*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Pair:
    """The figures of one thing for two periods, in the order of the periods."""

    label: str
    figures: tuple[Quantity, Quantity]
    periods: tuple[Period, Period]
    credit: bool = False
    """True for 'a benefit of': the tax is negative."""


def pair_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """`metric --was--> value` for both figures of every pair that the document's sentences state.

    What a primary statement prints to more digits for the same period is not repeated.
    """
    ends, printed = quarter_ends(parsed), in_statements(parsed)
    for passage in passages(parsed):
        for triplet in passage_pairs(parsed.document, passage, ends):
            if (canonical_metric(triplet.head), triplet.period) not in printed:
                yield triplet


def in_statements(parsed: ParsedDocument) -> set[tuple[str, Period]]:
    """Line items, by their usual names, and periods of which the primary statements print figures."""
    return {
        (canonical_metric(fact.metric, fact.path), fact.period)
        for table in parsed.tables
        if table.statement in PRIMARY_STATEMENTS
        for fact in table.facts
    }


def passage_pairs(document: Document, passage: Passage, ends: Ends) -> Iterator[Triplet]:
    """Triplets of the pairs of one sentence; see `quarter_ends` for `ends`."""
    if passage.asked or " and " not in passage.text or not any(c.isdigit() for c in passage.text):
        return
    for pair in read_pairs(passage.text, document, ends):
        for quantity, period in zip(pair.figures, pair.periods, strict=True):
            own = replace(quantity, value=-quantity.value) if pair.credit else quantity
            yield stated_figure(document, passage, pair.label, own, period)


def stated_figure(
    document: Document,
    passage: Passage,
    label: str,
    quantity: Quantity,
    period: Period,
    path: tuple[str, ...] = (),
) -> Triplet:
    """A figure of a sentence that says its period, as a triplet; `path`: whose it is, where not the company's."""
    value = format(quantity.value, "f")
    return make_triplet(
        document,
        (label, "metric"),
        "was",
        (render_quantity(value, quantity.unit, quantity.scale, quantity.text), "value"),
        page=passage.page,
        quote=passage.text,
        chunk_id=passage.chunk_id,
        period=period,
        value=value,
        unit=quantity.unit,
        scale=quantity.scale,
        printed=quantity.text,
        path=path,
        statement="prose",
        title=PAIRS_TITLE,
    )


def read_pairs(sentence: str, document: Document, ends: Ends) -> Iterator[Pair]:
    """Pairs of the sentence; `ends` are the last days of fiscal quarters that the document itself dates."""
    if _SUPPOSED.search(sentence):
        return
    label = ""
    moved = taxed = False
    for number, part in enumerate(_parts(sentence)):
        periods = find_period_pair(part, document, ends)
        if periods is None or _other_period(part, periods):
            return
        figures = [q for q in _quantities(part, periods) if q.unit not in {"", "years", "months", "days"}]
        if number == 0:
            bought = _bought(part, periods)
            if bought:
                yield from bought
                return
            label, moved, credit = _label(part, figures, periods)
            taxed = label.lower().startswith("income tax") and "an expense of" in part
        else:
            lead = _LEAD.fullmatch(part[: figures[0].start]) if len(figures) == 2 else None
            if lead is None or (not moved and "from" in lead.group().lower().split()):
                return
            credit = lead["credit"] is not None
            if credit and not taxed:
                return
        pair = _pair(part, figures, periods, label)
        if not label or pair is None:
            return
        yield replace(pair, credit=credit)


def _quantities(part: str, periods: PeriodPair) -> list[Quantity]:
    return [q for q in find_quantities(part) if not (q.start < periods.end and periods.start < q.end)]


def _parts(sentence: str) -> Iterator[str]:
    """The parts of a sentence that hold one pair each: up to every 'respectively', or else up to every pair
    of periods."""
    marks = [match.span() for match in _RESPECTIVELY.finditer(sentence)]
    if not marks:
        marks = [(end, end) for _, end in pair_spans(sentence) if re.match(r"[,.;]|$", sentence[end:])]
    start = 0
    for end, following in marks:
        yield sentence[start:end]
        start = following


def _other_period(part: str, periods: PeriodPair) -> bool:
    return bool(ANY_PERIOD.search(part[: periods.start] + " ; " + part[periods.end :]))


def _pair(part: str, figures: Sequence[Quantity], periods: PeriodPair, label: str) -> Pair | None:
    """The two figures joined by 'and', with nothing between them and the periods that could narrow them."""
    if len(figures) != 2 or figures[0].unit != figures[1].unit:
        return None
    one, two = figures
    if not _AND.fullmatch(part[one.end : two.start]):
        return None
    after = _after(part, two, periods)
    held = _SHARES_HELD.search(part[: one.start]) and _SHARES_HELD_OF.fullmatch(after)
    if not (held or _LINK.fullmatch(after) or _DIVIDENDS.fullmatch(after)):
        return None
    percent = one.unit == "percent"
    if percent != (_AS_PERCENTAGE.search(label) is not None) and not (
        not percent and "margin" in label.lower()
    ):
        return None
    return Pair(label, (one, two), periods.periods)


def _after(part: str, last: Quantity, periods: PeriodPair) -> str:
    """What stands between the last figure and the periods, or the end where the periods came first."""
    return part[last.end : periods.start] if periods.start >= last.end else part[last.end :]


def _label(part: str, figures: Sequence[Quantity], periods: PeriodPair) -> tuple[str, bool, bool]:
    """(what the figures are of, whether it is said to have moved to them, whether it is a credit); '' where that
    is unclear."""
    if len(figures) != 2:
        return "", False, False
    before = part[: figures[0].start]
    if periods.end <= figures[0].start:  # 'As of ..., <subject> was ...', '<subject> for ... was ...'
        head, tail = part[: periods.start], part[periods.end : figures[0].start]
        opening = re.sub(
            r"(?:^|.*\s)(?:for|during|in|at|as of)?(?:\s+the)?\s*$", "", head, flags=re.IGNORECASE | re.DOTALL
        )
        if opening == "" and len(head.split()) <= 3:
            before = tail.lstrip(" ,")
        elif _CAME_TO.match(tail) or _MOVED_TO.match(tail):
            before = re.sub(r"\s+(?:for|during|in|at|as of)(?:\s+the)?\s*$", "", head) + tail
        else:
            return "", False, False
    if _PAID.search(before) and re.match(_DIVIDENDS, part[figures[1].end :]):
        return "cash dividends paid", False, False
    held = _SHARES_HELD_OF.fullmatch(_after(part, figures[1], periods))
    if held and _SHARES_HELD.search(before):
        return _line_item_name(held["label"]), False, False
    had = _OF.search(before)
    verb = _CAME_TO.search(before)
    move = _MOVED_TO.search(before)
    if had:
        subject = had["label"]
    elif verb or move:
        subject = before[: (verb or move).start()]  # type: ignore[union-attr]
    else:
        return "", False, False
    credit = bool(verb and verb["credit"])
    if credit and not re.match(r"(?:our |the )*income tax\b", subject.strip(), re.IGNORECASE):
        return "", False, False
    return _line_item_name(subject), move is not None, credit


def _line_item_name(subject: str) -> str:
    """A subject as a line item's name; '' where it is more than a name."""
    text = _FOREWORD.sub("", subject.strip(" ,"))
    for _ in range(3):
        text = _OPENING_ARTICLE.sub("", text)
    text = re.sub(r"^(?:a|an|approximately)\s+", "", text)
    words = without_heading(text.split())
    if not words or len(words) > MAX_SUBJECT_WORDS or _NO_LABEL.search(" ".join(words)):
        return ""
    return " ".join(words)


def _bought(part: str, periods: PeriodPair) -> list[Pair]:
    """Shares bought and what they cost: '28 million shares for $3.65 billion and 56 million shares for $8.99
    billion', '55 million shares and 67 million shares of our common stock for $13.8 billion and $20.2 billion'."""
    figures = _quantities(part, periods)
    if len(figures) != 4 or not _BOUGHT.search(part[: figures[0].start]):
        return []
    between = [part[a.end : b.start] for a, b in itertools.pairwise(figures)]
    tail = part[figures[3].end :] if periods.end <= figures[0].start else part[figures[3].end : periods.start]
    if not (_LINK.fullmatch(tail) or _CLOSING.fullmatch(tail)):
        return []
    crossed = [figures[0], figures[2], figures[1], figures[3]]
    if all(map(_SHARES_FOR.fullmatch, between[::2])) and _AND.fullmatch(between[1]):
        ordered = crossed
    elif _AND.fullmatch(between[0]) and _SHARES_FOR.fullmatch(between[1]) and _AND.fullmatch(between[2]):
        ordered = list(figures)
    else:
        return []
    shares, money = (replace(ordered[0], unit="shares"), ordered[1]), (ordered[2], ordered[3])
    if money[0].unit != money[1].unit or shares[1].unit != "shares" or len(money[0].unit) != 3:
        return []
    if ordered[0].unit not in {"shares", ""} or Decimal(0) in {shares[0].value, shares[1].value}:
        return []
    return [
        Pair("shares repurchased", shares, periods.periods),
        Pair("repurchases of common stock", money, periods.periods),
    ]
