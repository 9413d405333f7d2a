"""Metric-value statements in prose: 'Q2 adjusted EPS of $0.40', 'sales decreased 28% from $561 million to
$404 million'.

Patterns over known metrics and quantities; no spaCy. What a sentence expects or guides to is a relation
of its own; what it supposes, needs or compares with is left out, and so is a metric that is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tools.documents.types import Document
from tools.knowledge.extract.cited_sentences import Passage
from tools.knowledge.graph.resolution import own_aliases
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.lexicon.assertion_status import CHANGE, GUIDANCE, GUIDED, assertion_status
from tools.knowledge.lexicon.metric_names import MetricMention, find_metrics
from tools.knowledge.types import Triplet
from tools.periods import Period
from tools.quantities import render_quantity
from tools.values import Quantity, find_quantities

MAX_GAP = 90
"""Characters between a metric and its figure."""
_RATE_NAME = re.compile(
    r"(?:margin|rate|ratio|percentage|growth|yield|occupancy|persistency|return on \w+|market share)$"
)
_COUNTED_METRICS = frozenset({"headcount", "shares outstanding", "backlog", "orders", "bookings"})
_RATE_UNITS = frozenset({"percent", "basis points", "percentage points"})

_IS = re.compile(
    r"^[\s,]*(?:\([^)]*\)\s*)?(?:(?:in|for|during)\s+(?:the\s+)?(?:[\w-]+\s+){0,3}(?:quarter|period|half|months|year)\s*,?\s*)?"
    r"(?:was|were|is|are|of|at|totaled|totalled|reached|came in at|stood at|amounted to|hit|"
    r"(?:came in|ended|finished|closed)(?: the (?:quarter|year|period))? (?:at|with))\s+"
    r"(?:a\s+|an\s+|about\s+|approximately\s+|roughly\s+|nearly\s+|over\s+|a\s+record\s+|record\s+|also\s+)*$",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"\b(?P<up>increas(?:ed|ing)|grew|grown|growing|rose|risen|up|improved|expanded|climbed|gained|accelerated)\b|"
    r"\b(?P<down>decreas(?:ed|ing)|declin(?:ed|ing)|fell|fallen|down|dropped|contracted|shrank|lower(?:ed)?)\b",
    re.IGNORECASE,
)
_BY = re.compile(
    r"(?:\s|,|by|to|of|at|a|an|about|approximately|roughly|nearly|over|or|strong|solid|another|was|"
    r"were|is|is up|sequentially|organically|year[ -]over[ -]year|slightly|sharply|significantly)*$",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"^\s*(?:of|in)\s+(?:our\s+|total\s+|the\s+|net\s+|quarterly\s+)*$", re.IGNORECASE)
_COMPARED = re.compile(
    r"\b(?:compared (?:to|with)|versus|vs\.?|from|than|against|(?:up|down|increased?|decreased?) "
    r"from|relative to)\s*"
    r"(?:(?:the|a|an|about|approximately|our)\s+|(?:prior|last)[\w -]{0,20})*$",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"^\s*(?:lower|higher|more|less|better|worse|above|below|increase|decrease|improvement|decline|reduction)\b",
    re.IGNORECASE,
)
_QUARTER = re.compile(
    r"\b(?:(first|second|third|fourth)(?:\s+fiscal)?[\s-]+quarter|Q([1-4]))\b", re.IGNORECASE
)
_MONTHS = (
    (re.compile(r"\b(?:six[\s-]months?|first half|half[\s-]year)\b", re.IGNORECASE), 6),
    (re.compile(r"\b(?:nine[\s-]months?)\b", re.IGNORECASE), 9),
    (re.compile(r"\b(?:full[\s-]year|twelve[\s-]months?|fiscal year|for the year)\b", re.IGNORECASE), 12),
    (re.compile(r"\b(?:quarter|three[\s-]months?|Q[1-4])\b", re.IGNORECASE), 3),
)
_YEAR_NAMED = re.compile(r"\b((?:19|20)\d\d)\b")
_COMPARES = re.compile(
    r"\b(?:over|versus|vs\.?|compared (?:to|with)|from|than|since|same \w+ (?:in|of)|against|relative to)\b"
    r"[^,;]{0,30}$",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"\b(?:[A-Z][\w&'\u2019.-]*[\w]|[A-Z]{2,})(?:\s+(?:(?:&|and|of)\s+)?[A-Z][\w&'\u2019-]*\w){0,3}\b"
)
_NO_NAME_PART_TEXT = """
The We Our In It This These For As At On And But So Now Overall While With Turning Total Net Adjusted
Operating Q1 Q2 Q3 Q4 Gross Revenue Sales GAAP EPS EBITDA SG&A R&D I During Second First Third Fourth
Quarter Moving Looking Also January February March April May June July August September October November
December Year Excluding Including Consolidated Free Cash Capital Core Organic Slide Page From To By Of If
Within Despite Based FFO NOI That Those There They You Additionally Finally Then Income Diluted Earnings
Company Non-GAAP Fiscal COVID-19 COVID
"""
_NO_NAME_PART = frozenset(_NO_NAME_PART_TEXT.split())


@dataclass(frozen=True, slots=True)
class Reading:
    """A figure and what it says."""

    mention: MetricMention
    quantity: Quantity
    relation: str
    """'was', 'grew', 'fell' or 'guided'."""


def statement_triplets(document: Document, passage: Passage) -> Iterator[Triplet]:
    """`metric --was--> value`, `--grew-->` or `--fell-->` (a change, signed, under the heading 'change'), or
    `--guided-->` (what is expected, under the heading 'guidance')."""
    if passage.asked or not any(c.isdigit() for c in passage.text) or passage.text.endswith("?"):
        return
    for reading in read_statements(passage.text):
        quantity = reading.quantity
        changed = reading.relation in {"grew", "fell"}
        guided = reading.relation == GUIDED
        loss = reading.mention.text.lower().endswith(("loss", "losses"))
        value = (
            -abs(quantity.value) if reading.relation == "fell" or (loss and not changed) else quantity.value
        )
        unit = _unit(reading)
        kind = (CHANGE,) if changed else (GUIDANCE,) if guided else ()
        path = (*_narrowed(document, passage.text, reading), *kind)
        tail = render_quantity(
            format(abs(value) if changed else value, "f"), unit, quantity.scale, quantity.text
        )
        yield make_triplet(
            document,
            (reading.mention.text, "metric"),
            reading.relation,
            (tail, "value"),
            page=passage.page,
            quote=passage.text,
            chunk_id=passage.chunk_id,
            period=_guided_period(document, passage.text, reading)
            if guided
            else _period(document, passage.text, reading),
            value=format(value, "f"),
            unit=unit,
            scale=quantity.scale,
            printed=quantity.text,
            path=path,
            statement="prose",
        )


def read_statements(sentence: str) -> Iterator[Reading]:
    """Figures that the sentence states for a metric; each figure at most once."""
    mentions = find_metrics(sentence)
    years = {m[1] for m in _YEAR_NAMED.finditer(sentence) if not _COMPARES.search(sentence[: m.start()])}
    if not mentions or len(years) > 1 or "respectively" in sentence:
        return  # which figure belongs to which year is for the tables to say
    quantities = [
        q for q in find_quantities(sentence) if q.unit not in {"", "years", "months", "weeks", "days"}
    ]
    used: set[int] = set()
    for index, quantity in enumerate(quantities):
        reading = _read_figure(sentence, mentions, quantities, index)
        if (
            reading is None
            or _paired(sentence, quantities, index)
            or (reading.relation == "was" and _DIFFERENCE.match(sentence[quantity.end :]))
        ):
            continue
        status = assertion_status(
            sentence, (reading.mention.start, reading.mention.end), (quantity.start, quantity.end)
        )
        if index in used or not _fits(reading) or status == "other":
            continue
        if status == "guided" and reading.relation != "was":
            continue
        used.add(index)
        yield reading if status == "stated" else replace(reading, relation=GUIDED)


def _read_figure(
    sentence: str, mentions: list[MetricMention], quantities: list[Quantity], index: int
) -> Reading | None:
    """What the figure at `index` says of the metric named after or before it; None where that is unclear."""
    quantity = quantities[index]
    after = next((m for m in mentions if m.start >= quantity.end), None)
    if after and _BEFORE.match(sentence[quantity.end : after.start]) and quantity.unit not in _RATE_UNITS:
        before = sentence[max(0, quantity.start - 40) : quantity.start]
        return None if _COMPARED.search(before) else Reading(after, quantity, "was")
    mention = next((m for m in reversed(mentions) if m.end <= quantity.start), None)
    if mention is None or quantity.start - mention.end > MAX_GAP:
        return None
    between = sentence[mention.end : quantity.start]
    if ";" in between or _COMPARED.search(between):
        return None
    earlier = [q for q in quantities[:index] if q.start >= mention.end]
    relation = _relation(between, quantity, earlier)
    return None if relation is None else Reading(mention, quantity, relation)


def _relation(between: str, quantity: Quantity, earlier: Sequence[Quantity]) -> str | None:
    """What the words between a metric and its figure make of it: 'was', or 'grew' or 'fell' by it; `earlier` are
    the figures among these words."""
    if not earlier and _IS.match(between):
        return "was"
    moves = list(_MOVED.finditer(between))
    if not moves:
        return None
    moved = "grew" if moves[-1]["up"] else "fell"
    if earlier:
        return _relation_after_figures(between, quantity, earlier, moved)
    tail = between[moves[-1].end() :]
    if not _BY.fullmatch(tail):
        return None
    return "was" if re.search(r"\bto\s*(?:about\s*|a record\s*)?$", tail) else moved


def _relation_after_figures(
    between: str, quantity: Quantity, earlier: Sequence[Quantity], moved: str
) -> str | None:
    """'Fell 28% from $561 million to' a figure, or 'fell $157 million or' a figure."""
    last = between.rstrip().rsplit(" ", 1)[-1].lower()
    if last == "to" and len(earlier) <= 2 and (" from " in between or earlier[-1].unit != quantity.unit):
        return "was"
    return moved if last == "or" and len(earlier) == 1 else None


def _paired(sentence: str, quantities: list[Quantity], index: int) -> bool:
    """True for one of two figures joined by 'and': they belong to two periods or two things."""
    for left, right in ((index - 1, index), (index, index + 1)):
        if left >= 0 and right < len(quantities):
            joint = sentence[quantities[left].end : quantities[right].start]
            if joint.strip() == "and" and quantities[left].unit == quantities[right].unit:
                return True
    return False


def _fits(reading: Reading) -> bool:
    """False where unit and metric cannot belong together: a margin in dollars, an amount in percent."""
    unit, canonical = reading.quantity.unit, reading.mention.canonical
    rate = bool(_RATE_NAME.search(canonical)) and canonical != "gross margin"
    if reading.relation != "was":
        return not rate or unit in _RATE_UNITS
    if unit == "percent":
        return rate or canonical == "gross margin"
    if unit in _RATE_UNITS:
        return False
    if unit == "shares":
        return "share" in canonical or canonical in _COUNTED_METRICS
    return not rate


def _unit(reading: Reading) -> str:
    unit = reading.quantity.unit
    per_share = "per share" in reading.mention.canonical
    return f"{unit}/share" if per_share and len(unit) == 3 and unit.isupper() else unit


def _narrowed(document: Document, sentence: str, reading: Reading) -> tuple[str, ...]:
    """Names in the clause before the figure that narrow the metric: a segment, product or place."""
    own = {word for name in own_aliases(document) for word in name.split()}
    start = max(sentence.rfind(mark, 0, reading.mention.start) for mark in ("; ", ", and ", ", while "))
    spans = [(max(0, start), reading.mention.start), (reading.mention.end, reading.quantity.start)]
    names: list[str] = []
    for left, right in spans:
        for match in _NAME.finditer(sentence[left:right]):
            first, last = left + match.start(), left + match.end()
            if first == 0 and " " not in match.group() and last + 1 < reading.mention.start:
                continue  # every sentence begins with a capital
            words = _name_words(match.group())
            name = " ".join(words)
            if words and not set(words) <= own and name not in names:
                names.append(name)
    modifier = _word_before(sentence, reading.mention)
    if modifier and not any(modifier in name for name in names):
        names.append(modifier)
    return tuple(names[:3])


def _name_words(text: str) -> list[str]:
    """The words of a capitalised phrase that can name something, without joining words at either end."""
    words = [re.sub(r"['\u2019]s?$", "", word) for word in text.split()]
    words = [word for word in words if word not in _NO_NAME_PART]
    while words and words[0] in {"and", "of", "&"}:
        words.pop(0)
    while words and words[-1] in {"and", "of", "&"}:
        words.pop()
    return words


_PLAIN = re.compile(r"\b([a-z][a-z-]{2,})\s+$")
_NOT_MODIFIER_TEXT = """
expect expects expected anticipate anticipates guide guided guiding forecast project projected
the our and its their his her this that these those with from for was were are has had have been being which
while where strong record solid higher lower increased reported total overall quarterly annual net gross
quarter year second first third fourth adjusted consolidated delivered generated achieved posted saw drove
driving including excluding also both generating delivering reporting prior half sequential company robust
significant current fiscal full double-digit because than into about over under across showed grew your any
some more less each such yielding resulting producing see seen seeing drive deliver report earned driven
average combined non-gaap gaap basis before after per good great continued
"""
_NOT_MODIFIER = frozenset(_NOT_MODIFIER_TEXT.split())


def _word_before(sentence: str, mention: MetricMention) -> str:
    """The noun or adjective directly before a metric that narrows it: 'cloud' in 'cloud revenue'."""
    match = _PLAIN.search(sentence[max(0, mention.start - 40) : mention.start])
    return match[1] if match and match[1] not in _NOT_MODIFIER and not match[1].endswith("ly") else ""


def _period(document: Document, sentence: str, reading: Reading) -> Period:
    """The period the sentence states, else the document's; another year or quarter has no end date."""
    year, quarter, end = document.fiscal_year, document.fiscal_quarter, document.period_end
    months = _months(sentence, reading)
    around = sentence[max(0, reading.mention.start - 80) : reading.quantity.end + 60]
    said = _QUARTER.search(around)
    number = None
    if said:
        number = (
            int(said[2]) if said[2] else ("first", "second", "third", "fourth").index(said[1].lower()) + 1
        )
    years = {int(m[1]) for m in _YEAR_NAMED.finditer(around) if not _COMPARES.search(around[: m.start()])}
    other_year = min(years) if years and year not in years else None
    if other_year is not None or (number is not None and quarter is not None and number != quarter):
        return Period(None, months, other_year or year, number or quarter)
    return Period(end, months, year, quarter)


def _guided_period(document: Document, sentence: str, reading: Reading) -> Period:
    """The period that guidance is for, as far as its sentence says it: never that of the document."""
    around = sentence[max(0, reading.mention.start - 80) : reading.quantity.end + 60]
    said = _QUARTER.search(around)
    number = None
    if said:
        number = (
            int(said[2]) if said[2] else ("first", "second", "third", "fourth").index(said[1].lower()) + 1
        )
    years = {int(m[1]) for m in _YEAR_NAMED.finditer(around)}
    year = years.pop() if len(years) == 1 else document.fiscal_year if number and not years else None
    return Period(None, 3 if number else _months(sentence, reading), year, number)


def _months(sentence: str, reading: Reading) -> int | None:
    """The duration named nearest to the figure, of those in its sentence that are near at all."""
    found: list[tuple[int, int]] = []
    for pattern, months in _MONTHS:
        for match in pattern.finditer(sentence):
            after, before = match.start() - reading.quantity.end, reading.quantity.start - match.end()
            found.append((after if after >= 0 else 2 * before if before >= 0 else 0, months))
    distance, months = min(found, default=(MAX_GAP * 3, 0))
    return months if distance < MAX_GAP * 2 else None
