"""What is checked of one claim against one passage; each check gives a reason or ''."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from graphs.local.arithmetic import derived, equation_fault, find_equations
from graphs.local.mentions import Mention, find_mentions, fits_mentions, fits_period
from graphs.local.polarity import direction_fault, directions, negation_fault, negations
from graphs.local.quoting import quoted
from graphs.local.sources import Figure, Passage, metric_names, quantities
from graphs.local.words import STOP, content, is_generic, stem, verbatim
from tools.documents.ordinary_words import ACRONYMS, FIRST_NAMES, ORDINARY
from tools.evidence import Evidence
from tools.knowledge.lexicon import canonical_metric, find_metrics
from tools.value_patterns import NUMBER_WORDS
from tools.values import Quantity, same_amount

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
_NAME = re.compile(r"(?<![\w.])(?:[A-Z][a-z]*[A-Z]?[\w&]*(?:['’]s)?|[a-z]+[A-Z]\w*)")
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Told:
    """A claim's text as checked, and the lead that it stands under."""

    text: str
    context: str

    @property
    def whole(self) -> str:
        """Context and text."""
        return f"{self.context} {self.text}".strip()


def without_labels(told: Told, passage: Passage) -> Told:
    """`told` with the passage's line items blanked out: a figure, period or 'not' inside a label states
    nothing."""
    labels = {part for item in passage.items if item.fact for part in (*item.fact.path, item.fact.metric)}
    hard = sorted({form for x in labels if _HARD.search(x) for form in (x, quoted(x))}, key=len, reverse=True)
    text, context = told.text, told.context
    for label in hard:
        blank = re.compile(re.escape(label), re.IGNORECASE)
        text, context = blank.sub(_blank, text), blank.sub(_blank, context)
    return Told(text, context) if hard else told


def _blank(match: re.Match[str]) -> str:
    return "_" * len(match.group())


_HARD = re.compile(
    r"\d|\b(?:not|non|no|without|three|six|nine|twelve|one|two|four|five)\b|quarter|month", re.IGNORECASE
)


def number_fault(told: Told, labelled: Told, passage: Passage) -> str:
    """A figure of the claim that the passage does not hold, or holds for another line item or period.

    `told` is the claim with the line items blanked out, `labelled` as it is.
    """
    equations = find_equations(told.text)
    spans = [(e.start, e.end) for e in equations]
    for equation in equations:
        if fault := equation_fault(equation, passage.figures):
            return fault
    for quantity in quantities(told.text):
        if any(a <= quantity.start < b for a, b in spans):
            continue
        same = [f for f in passage.figures if _same(quantity, f, told.text)]
        if not same:
            if any(same_amount(quantity, e.result) for e in equations):
                continue
            if passage.structured and derived(quantity, _stated(told, passage)):
                continue
            return f"{quantity.text} is not in the cited evidence"
        if fault := _figure_fault(quantity, told, labelled, same):
            return fault
    return _loose_number_fault(told, passage, spans)


def _stated(told: Told, passage: Passage) -> list[Figure]:
    """Figures of the passage that the claim states itself: what a change it tells may be computed from."""
    stated = quantities(told.text)
    operands = {value for e in find_equations(told.text) for value in (e.a, e.b)}
    return [
        f
        for f in passage.figures
        if f.quantity.value in operands or any(_same(q, f, told.text) for q in stated)
    ]


def _same(quantity: Quantity, figure: Figure, text: str) -> bool:
    theirs = figure.quantity
    if figure.loose and quantity.unit in {"USD", "USD/share", "shares", ""} and theirs.unit in {"USD", ""}:
        theirs = replace(theirs, unit=quantity.unit)
    if not figure.label and theirs.unit == "" and theirs.scale and quantity.unit == "USD":
        theirs = replace(theirs, unit="USD")
    if {theirs.unit, quantity.unit} == {"USD", "USD/share"} and not theirs.scale and not quantity.scale:
        theirs = replace(theirs, unit=quantity.unit)
    if same_amount(quantity, theirs):
        return True
    turned = same_amount(replace(quantity, value=-quantity.value), theirs)
    return turned and _explains_sign(quantity, text, theirs)


_MINUS = re.compile(
    r"\b(?:loss(?:es)?|deficits?|decreas\w*|declin\w*|fell|down|lower|reduc\w*|used|outflows?|negative|"
    r"expens\w*|cost\w*|paid|"
    r"payments?|purchases?|repurchases?|repayments?|charges?|shortfall|drop\w*|provision|benefit|"
    r"dividends?|contra)\b",
    re.IGNORECASE,
)


def _explains_sign(quantity: Quantity, text: str, theirs: Quantity) -> bool:
    """A positive figure may tell a negative one if words near it say so ('a net loss of 5'), and the other
    way round."""
    if quantity.value < 0:
        return theirs.unit == "percent"
    near = text[max(0, quantity.start - 90) : quantity.end + 30]
    return bool(
        _MINUS.search(
            re.sub(r"\((?:loss|deficit|used in|benefit|decrease)[^)]*\)", " ", near, flags=re.IGNORECASE)
        )
    )


def _figure_fault(quantity: Quantity, told: Told, labelled: Told, same: Sequence[Figure]) -> str:
    """Among equal figures one must be of the claim's line item and period."""
    named = [f for f in same if not f.label or _is_labelled(labelled.whole, f.label)]
    if not named:
        return f"{quantity.text} belongs to '{same[0].label}'"
    near = _near_periods(told, quantity)
    timed = [f for f in named if _is_timed(near, f)]
    if not timed:
        return f"{quantity.text} is not the figure for {near[0].text}"
    return ""


@lru_cache(maxsize=4096)
def _mentioned(text: str) -> frozenset[str]:
    return frozenset(m.canonical for m in find_metrics(text))


def _is_labelled(text: str, label: str) -> bool:
    stems = [w for w in content(label) if not is_generic(w)]
    if not stems:
        return True
    words = set(content(text))
    held = sum(w in words for w in stems) / len(stems)
    last = [w for w in stems[-2:] if w in words]
    return (held >= 0.5 and bool(last)) or bool(
        {canonical_metric(label), *_mentioned(label)} & _mentioned(text)
    )


def _near_periods(told: Told, quantity: Quantity) -> list[Mention]:
    """The periods nearest to a figure: of its own clause, else the nearest before and after; of the
    context at last."""
    own = find_mentions(told.text)
    before = [m for m in own if m.end <= quantity.start]
    after = [m for m in own if m.start >= quantity.end]
    near = before[-1:] + after[:1]
    return near or list(find_mentions(told.context))


def _is_timed(near: Sequence[Mention], figure: Figure) -> bool:
    if not near:
        return True
    if figure.period is not None:
        return any(fits_period(m, figure.period) for m in near)
    return not figure.mentions or any(_agree(m, figure.mentions) for m in near)


def _agree(mention: Mention, others: Sequence[Mention]) -> bool:
    for name in ("day", "year", "quarter", "months"):
        mine = getattr(mention, name)
        theirs = {getattr(o, name) for o in others} - {None}
        if mine is not None and theirs and mine not in theirs:
            return False
    return True


def _loose_number_fault(told: Told, passage: Passage, spans: Sequence[tuple[int, int]]) -> str:
    """Digits outside quantities and periods ('iPhone 15', 'Form 10-Q', 'two segments') must stand in the
    passage too."""
    taken = [*spans, *((q.start, q.end) for q in quantities(told.text))]
    taken += [(m.start, m.end) for m in find_mentions(told.text)]
    known = frozenset(_TOKEN.findall(passage.text)) | frozenset(
        token
        for item in passage.items
        for token in _TOKEN.findall(f"{item.company} {item.document} {item.section}")
    )
    for match in _TOKEN.finditer(told.text):
        if match.group() not in known and not any(a <= match.start() < b for a, b in taken):
            return f"{match.group()} is not in the cited evidence"
    words = passage.text.lower()
    for match in re.finditer(
        r"\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", told.text, re.IGNORECASE
    ):
        word = match.group().lower()
        inside = any(a <= match.start() < b for a, b in taken)
        if not inside and not re.search(rf"\b(?:{word}|{NUMBER_WORDS[word]})\b", words):
            return f"'{word}' is not in the cited evidence"
    return ""


def period_fault(told: Told, passage: Passage) -> str:
    """A period of the claim that neither its figures nor the passage nor the source's own period bear out."""
    timed = [f for f in passage.figures if f.period is not None or f.mentions]
    for mention in find_mentions(told.whole):
        if passage.structured and timed:
            if not any(_is_timed([mention], f) for f in timed):
                return f"the cited evidence is not for {mention.text}"
            continue
        fits = any(fits_mentions(mention, passage.mentions, item.period) for item in passage.items)
        if not fits and not any(f.period and fits_period(mention, f.period) for f in timed):
            return f"the cited evidence does not speak of {mention.text}"
    return ""


def name_fault(told: Told, passage: Passage, everything: frozenset[str]) -> str:
    """A company, person, product or place that the passage and its source do not name."""
    words = passage.words
    for name, opening in names(told.whole):
        if name in words or any(name in content(s) for s in passage.speakers):
            continue
        if opening and (name in everything or is_generic(name)):
            continue
        return f"'{name}' is not named in the cited evidence"
    return ""


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
        found += [
            (w, opening and lower in ORDINARY)
            for w in content(word)[:1]
            if not (is_generic(w) and lower in ORDINARY)
        ]
    return tuple(found)


_MONTHS = frozenset(_MONTHS_AND_CODES.split())


def metric_fault(told: Told, passage: Passage) -> str:
    """A metric that the claim names and the passage does not."""
    mentions = find_metrics(told.whole)
    if not mentions:
        return ""
    subject = _subject(passage)
    theirs = metric_names(passage) | _mentioned(subject)
    run = f" {' '.join(content(subject))} "
    words = frozenset(run.split())
    for mention in mentions:
        stems = content(mention.text)
        held = f" {' '.join(stems)} " in run if passage.structured else set(stems) <= words
        if mention.canonical not in theirs and not held:
            return f"'{mention.text}' is not what the cited evidence is about"
    return ""


def _subject(passage: Passage) -> str:
    """What a passage is about: for facts the labels, and the table's title where no label names a metric;
    else its text."""
    parts: list[str] = []
    for item in passage.items:
        if item.fact is None or item.fact.statement == "prose":
            return passage.text
        label = " ".join((*item.fact.path, item.fact.metric))
        parts.append(label if _mentioned(label) else f"{label} ; {item.section}")
    return " ; ".join(parts)


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
    moves = [s for s in directions(told.text) if stem(s.text.lower()) not in content(_labels(passage))]
    if not passage.structured or not moves:
        if passage.structured and negations(told.text):
            return f"'{negations(told.text)[0].text}' is not in the cited evidence"
        moved = direction_fault(told.text, passage.text)
        return moved or ("" if passage.structured else negation_fault(told.text, passage.text))
    up = _moved(_stated(told, passage))
    if up is None:
        return direction_fault(told.text, passage.text)
    denied = bool(negations(told.text))
    for sign in moves:
        if sign.up != (up != denied):
            return f"'{sign.text}' is not what the cited figures show"
    return ""


def _labels(passage: Passage) -> str:
    return " ".join(f.label for f in passage.figures if f.label)


def _moved(figures: Iterable[Figure]) -> bool | None:
    """Whether the later figure of a line item is above the earlier; None if there is no such pair or no
    change."""
    dated = sorted(((f.end, n, f) for n, f in enumerate(figures) if f.end is not None), reverse=True)
    for end, _, later in dated:
        for start, _, sooner in reversed(dated):
            same = sooner.label == later.label and sooner.quantity.scale == later.quantity.scale
            if start < end and same and sooner.quantity.amount != later.quantity.amount:
                return later.quantity.amount > sooner.quantity.amount
    return None


def wording_fault(told: Told, passage: Passage, company_words: frozenset[str]) -> str:
    """Too much of the claim's wording, or a word that makes a line item another one, is not in the
    passage."""
    words = [w for w in dict.fromkeys(content(told.whole)) if not is_generic(w) and w not in company_words]
    if not words:
        return ""
    extra = [w for w in words if w not in passage.words]
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
