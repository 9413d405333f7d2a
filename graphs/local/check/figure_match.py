"""Whether a figure of a claim is one of the evidence: amount, unit, scale, sign, line item, period."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from graphs.drafts.figures import quantities
from graphs.drafts.words import content, is_generic
from graphs.local.check.arithmetic import find_equations
from graphs.local.check.claim_text import Told
from graphs.local.check.figure_changes import find_pairs
from graphs.local.check.passages import Figure, Passage
from graphs.local.text.period_mentions import Mention, find_mentions, fits_period
from graphs.local.text.sentence_ranking import mentioned
from tools.knowledge.lexicon.metric_names import canonical_metric, find_metrics
from tools.values import Quantity, same_amount

_ASIDE = re.compile(r"\([^)]*\)|,?\s*\bbasic\s+and\s+diluted\b", re.IGNORECASE)
_EARNED = re.compile(r"\b(?:earn(?:ed|s|ing)|lost|losing|made|profits?)\b", re.IGNORECASE)
"""A company that earned or lost an amount had a net income or loss of it."""


_PROFIT = re.compile(r"\b(?:profits?|net\s+(?:income|loss|earnings)|earn\w*|los[st]\w*)\b", re.IGNORECASE)
_ABOUT = re.compile(
    r"\b(?:(?P<under>nearly|almost|close\s+to|just\s+under)|(?P<over>over|more\s+than|just\s+over)|about|roughly|"
    r"approximately|around|some)\s+[$€£]?$",
    re.IGNORECASE,
)
_CLOSE = Decimal("0.025")
"""Least exact that 'about' may be of a round number, as a share of it."""


def is_about(quantity: Quantity, text: str, exact: Decimal) -> bool:
    """Is a round number that a claim calls one ('about 700,000') that of an exact amount? Only its last zeros are
    rounded, and never by more than `_CLOSE`."""
    zeros = re.search(r"[1-9](0+)$", str(quantity.value))
    hedge = _ABOUT.search(text[max(0, quantity.start - 20) : quantity.start])
    if hedge is None or (quantity.unit == "percent" and not hedge["under"] and not hedge["over"]):
        return False
    told, off = abs(quantity.amount), abs(exact) - abs(quantity.amount)
    if quantity.unit == "percent":  # 'over 90 %' bounds, 'about 90 %' rounds
        return (off >= 0 if hedge["over"] else off <= 0) and abs(off) <= told * _CLOSE * 2
    if zeros is None:
        return False
    if (hedge["under"] and off > 0) or (hedge["over"] and off < 0):
        return False
    return abs(off) <= told * _CLOSE and abs(off) * 2 <= Decimal(10) ** (quantity.scale + len(zeros[1]))


def is_same(quantity: Quantity, figure: Figure, text: str) -> bool:
    """Is a figure of `text` that of the evidence, as to amount, unit, scale and sign?"""
    theirs = figure.quantity
    if figure.loose and quantity.unit in {"USD", "USD/share", "shares", ""} and theirs.unit in {"USD", ""}:
        theirs = replace(theirs, unit=quantity.unit)
    if not figure.label and theirs.unit == "" and theirs.scale and quantity.unit == "USD":
        theirs = replace(theirs, unit="USD")
    if (
        {theirs.unit, quantity.unit} == {"USD", "USD/share"}
        and not theirs.scale
        and quantity.scale in (0, -2)
    ):
        theirs = replace(theirs, unit=quantity.unit)
    if theirs.unit == "shares" and not quantity.unit and quantity.scale and "shares" in text:
        theirs = replace(theirs, unit="")  # 'nearly 2 million shares (1,965 thousand)'
    if same_amount(quantity, theirs):
        return True
    if quantity.unit == theirs.unit and is_about(quantity, text, theirs.amount):
        return True
    turned = same_amount(replace(quantity, value=-quantity.value), theirs)
    return turned and _explains_sign(quantity, text, theirs)


_MINUS = re.compile(
    r"\b(?:loss(?:es)?|lost|los(?:ing|es)|deficits?|decreas\w*|declin\w*|fell|down|lower|reduc\w*|used|outflows?|negative|"
    r"expens\w*|cost\w*|paid|"
    r"payments?|purchases?|repurchases?|repayments?|charges?|shortfall|drop\w*|provision|benefit|"
    r"dividends?|contra|expenditures?|spending|spent|outlays?|invest\w*|acqui\w+|repay\w*|withdr\w+|bought|returned|received)\b",
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


def stated(told: Told, passage: Passage) -> list[Figure]:
    """Figures of the passage that the claim states itself: what a change it tells may be computed from."""
    stated = quantities(told.text)
    operands = {value for e in find_equations(told.text) for value in (e.a, e.b)}
    return [
        f
        for f in passage.figures
        if f.quantity.value in operands or any(is_same(q, f, told.text) for q in stated)
    ]


def is_labelled(text: str, label: str) -> bool:
    """Does a text name the line item of a label?"""
    stems = [w for w in content(_ASIDE.sub(" ", label)) if not is_generic(w)]
    stems = stems or [w for w in content(label) if not is_generic(w)]
    if not stems:
        return True
    if _EARNED.search(text) and "net income" in canonical_metric(label):
        return True
    if _PROFIT.search(text) and canonical_metric(label).endswith("earnings per share"):
        return True  # 'a profit of 5 million, or 86 cents a share'
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
    if (
        len(short) > 5
        and short[:4] == long[:4]
        and any(w.endswith(("ish", "ese", "ian")) for w in (short, long))
    ):
        return True  # 'Scottish' for 'Scotland'
    return (
        len(short) >= 5 and long.startswith(short) and long[len(short) :] in ("n", "an", "ean", "ian", "ese")
    )


_OTHER = re.compile(
    r"\b(?:than|from|against|versus|compared|but|while|whereas|although|though)\b|;", re.IGNORECASE
)
"""Between a figure and a period that is another one's."""


def near_periods(told: Told, quantity: Quantity) -> list[Mention]:
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
    after = [m for m in after if not _OTHER.search(told.text[quantity.end : m.start])]
    near = before[-1:] + after[:1]
    return near or list(find_mentions(told.context))


def is_timed(near: Sequence[Mention], figure: Figure) -> bool:
    """Is one of the periods `near` that of a figure, or is none said?"""
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
