"""Figures of a claim against a passage: amount, unit, scale, sign, line item and period."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from graphs.local.arithmetic import derived, equation_fault, find_equations
from graphs.local.computed import is_computed
from graphs.local.degrees import find_degrees
from graphs.local.mentions import Mention, find_mentions, fits_period
from graphs.local.pairs import find_pairs
from graphs.local.ranking import mentioned
from graphs.local.sources import Figure, Passage, quantities
from graphs.local.swaps import passage_pairs
from graphs.local.told import Told
from graphs.local.words import content, is_generic
from tools.knowledge.lexicon import canonical_metric, find_metrics
from tools.value_patterns import NUMBER_WORDS
from tools.values import Quantity, same_amount

_LOST = re.compile(
    r"\b(?:lost|losing|loses|loss\s+of)\s+(?:about|roughly|nearly|some)?\s*[$€£]?$", re.IGNORECASE
)
_INCOME = re.compile(r"^(?!.*\bloss\b(?!\))).*\b(?:income|profit|earnings)\b", re.IGNORECASE)
_ZERO = re.compile(r"\D*0\d")
_TOTAL = re.compile(r"(?:.*:\s*)?total\b", re.IGNORECASE)
_EARNED = re.compile(r"\b(?:earn(?:ed|s|ing)|lost|losing|made|profits?)\b", re.IGNORECASE)
"""A company that earned or lost an amount had a net income or loss of it."""
_ASIDE = re.compile(r"\([^)]*\)|,?\s*\bbasic\s+and\s+diluted\b", re.IGNORECASE)
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*")


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
        if _ZERO.match(quantity.text) and quantity.text not in passage.text:
            return f"{quantity.text} is no figure"
        same = [f for f in passage.figures if _same(quantity, f, told.text)]
        if not same:
            if any(same_amount(quantity, e.result) for e in equations):
                continue
            if is_derived(quantity, told, passage):
                continue
            return f"{quantity.text} is not in the cited evidence"
        if fault := _figure_fault(quantity, told, labelled, same):
            return fault
    return _loose_number_fault(told, passage, spans)


def is_derived(quantity: Quantity, told: Told, passage: Passage) -> bool:
    """Does a figure that the passage does not print follow from those that it prints and the claim states?"""
    own = stated(told, passage)
    if passage.structured and derived(quantity, own):
        return True
    if _is_share(quantity, told, passage):
        return True
    pairs = [
        pair
        for pair in find_pairs(told.text)
        if all(any(_same(q, f, told.text) for f in passage.figures) for q in (pair.new, pair.old))
    ]
    if not passage.structured:
        said = {f.quantity.amount for f in own}
        pairs += [p for p in passage_pairs(passage) if {abs(p.new.amount), abs(p.old.amount)} & said]
    return is_computed(quantity, told.text, own, passage, pairs)


_PART_OF = re.compile(
    r"\b(?:share|account\w*|ma[dk]e\w*\s+up|represent\w*|compris\w*|contribut\w*|constitut\w*|portion|percentage|of)\b",
    re.I,
)


def _is_share(quantity: Quantity, told: Told, passage: Passage) -> bool:
    """Is a percentage what one figure is of another, both cited and named by line item, of the period said?"""
    facts = all(item.fact is not None for item in passage.items)
    if quantity.unit != "percent" or not facts or not _PART_OF.search(told.text):
        return False
    near = _near_periods(told, quantity)
    return any(
        abs(share.ratio * 100 - quantity.value) * 2 <= quantity.quantum and is_timed(near, share.part)
        for share in shares(told, passage)
    )


@dataclass(frozen=True, slots=True)
class Share:
    """What part one figure is of another one of its period."""

    part: Figure
    whole: Figure

    @property
    def ratio(self) -> Decimal:
        """Between 0 and 1."""
        return abs(self.part.quantity.amount) / abs(self.whole.quantity.amount)


def shares(told: Told, passage: Passage) -> Iterator[Share]:
    """Shares between figures that the claim states or names by line item, and that are of one period."""
    own = stated(told, passage)
    named = [f for f in passage.figures if f.label and is_labelled(told.whole, f.label)]
    for part in passage.figures:
        for whole in passage.figures:
            if part not in own and part not in named:
                continue
            if (part.label or whole.label) and whole not in own and whole not in named:
                continue
            if part.quantity.unit != whole.quantity.unit or part.quantity.unit == "percent":
                continue
            if part.label and (part.label == whole.label or part.period != whole.period):
                continue
            small, large = sorted((part, whole), key=lambda f: abs(f.quantity.amount))
            if 0 < abs(small.quantity.amount) < abs(large.quantity.amount):
                yield Share(small, large)


def stated(told: Told, passage: Passage) -> list[Figure]:
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
    if theirs.unit == "shares" and not quantity.unit and quantity.scale and "shares" in text:
        theirs = replace(theirs, unit="")  # 'nearly 2 million shares (1,965 thousand)'
    if same_amount(quantity, theirs):
        return True
    turned = same_amount(replace(quantity, value=-quantity.value), theirs)
    return turned and _explains_sign(quantity, text, theirs)


_MINUS = re.compile(
    r"\b(?:loss(?:es)?|lost|los(?:ing|es)|deficits?|decreas\w*|declin\w*|fell|down|lower|reduc\w*|used|outflows?|negative|"
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
    after = told.text[quantity.end : quantity.end + 14]
    whole = re.match(r"\s*(?:in\s+)?total\b", after)
    named = [
        f
        for f in same
        if not f.label or is_labelled(labelled.whole, f.label) or (whole and _TOTAL.match(f.label))
    ]
    if not named:
        return f"{quantity.text} belongs to '{same[0].label}'"
    if _LOST.search(told.text[max(0, quantity.start - 40) : quantity.start]) and all(
        f.label and f.quantity.value > 0 and quantity.value > 0 and _INCOME.search(f.label) for f in named
    ):
        return f"{quantity.text} is no loss in the cited evidence"
    near = _near_periods(told, quantity)
    moved = any(quantity.start in (p.new.start, p.old.start) for p in find_pairs(told.text))
    if moved and any(f.period is not None and f.period.months == 0 for f in named):
        near = [
            m for m in near if m.day or m.year or m.quarter or m.month or not m.months
        ]  # 'during the nine months'
    own = _clause_periods(told.text, quantity)
    timed = [f for f in named if is_timed(near if f.label else own, f)]
    if not timed:
        return f"{quantity.text} is not the figure for {(near or own)[0].text}"
    return ""


def is_labelled(text: str, label: str) -> bool:
    """Does a text name the line item of a label?"""
    stems = [w for w in content(_ASIDE.sub(" ", label)) if not is_generic(w)]
    stems = stems or [w for w in content(label) if not is_generic(w)]
    if not stems:
        return True
    if _EARNED.search(text) and "net income" in canonical_metric(label):
        return True
    words = set(content(text))
    shared = [m for m in find_metrics(label) if m.canonical in mentioned(text)]
    rest = [w for w in stems if not any(w in content(m.text) for m in shared)]
    if shared and rest and all(w in words or any(is_form(w, other) for other in words) for w in rest):
        return True  # 'Services revenue' of 'Net sales: Services'
    told = {w for w in stems if w in words or any(is_form(w, other) for other in words)}
    held = sum(w in told for w in stems) / len(stems)
    last = [w for w in stems[-2:] if w in told]
    return (held >= 0.5 and bool(last)) or bool(
        {canonical_metric(label), *mentioned(label)} & mentioned(text)
    )


def is_form(word: str, other: str) -> bool:
    """'european' for 'Europe', 'americas' for 'American': a place's name and its adjective."""
    short, long = sorted((word, other), key=len)
    return (
        len(short) >= 5 and long.startswith(short) and long[len(short) :] in ("n", "an", "ean", "ian", "ese")
    )


def _near_periods(told: Told, quantity: Quantity) -> list[Mention]:
    """The periods nearest to a figure: of its own clause, else the nearest before and after; of the
    context at last."""
    own = find_mentions(told.text)
    before = [m for m in own if m.end <= quantity.start]
    for pair in find_pairs(told.text):
        if (
            pair.ordered and pair.old.start == quantity.start > pair.new.start
        ):  # 'to 5 in 2024, from 4': not of 2024
            before = [m for m in before if m.start > pair.new.end]
    bases = [p.old.start for p in find_pairs(told.text) if p.old.start > quantity.start]
    after = [m for m in own if m.start >= quantity.end and not any(at < m.start for at in bases)]
    near = before[-1:] + after[:1]
    return near or list(find_mentions(told.context))


_CLAUSE = re.compile(r";|,\s+(?:and|but|while|whereas|although|which)\b", re.IGNORECASE)


def _clause_periods(text: str, quantity: Quantity) -> list[Mention]:
    """The periods of a figure's clause: of a sentence of running text one of them must be."""
    cuts = [0, *(m.start() for m in _CLAUSE.finditer(text)), len(text)]
    start = max(cut for cut in cuts if cut <= quantity.start)
    end = min(cut for cut in cuts if cut >= quantity.end)
    return [m for m in find_mentions(text) if start <= m.start < end]


def is_timed(near: Sequence[Mention], figure: Figure) -> bool:
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


_WORDS = {str(number): word for word, number in NUMBER_WORDS.items() if 1 < number < 21}


def _loose_number_fault(told: Told, passage: Passage, spans: Sequence[tuple[int, int]]) -> str:
    """Digits outside quantities and periods ('iPhone 15', 'Form 10-Q', 'two segments') must stand in the
    passage too."""
    taken = [*spans, *((q.start, q.end) for q in quantities(told.text))]
    taken += [(m.start, m.end) for m in find_mentions(told.text)]
    taken += [(d.start, d.end) for d in find_degrees(told.text)]
    known = frozenset(_TOKEN.findall(passage.text)) | frozenset(
        token
        for item in passage.items
        for token in _TOKEN.findall(f"{item.company} {item.document} {item.section}")
    )
    for match in _TOKEN.finditer(told.text):
        word = _WORDS.get(match.group())
        if word and re.search(rf"\b{word}\b", passage.text, re.IGNORECASE):
            continue
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
