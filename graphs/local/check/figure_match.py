"""Whether a figure of a claim is one of the evidence: amount, unit, scale, sign, line item, period."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from graphs.drafts.words import content, is_generic
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.parsed_text import ParsedText, parsed
from graphs.local.check.passages import Passage
from graphs.local.check.printed_figures import Figure
from graphs.local.text.period_mentions import Mention, fits_period
from tools.knowledge.lexicon.metric_names import canonical_metric
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
MAX_ABOUT_SHARE = Decimal("0.025")
"""How far 'about' may be off a round number, as a share of it."""


def is_about(quantity: Quantity, text: str, exact: Decimal) -> bool:
    """Is a round number that a claim calls one ('about 700,000') that of an exact amount? Only its last zeros are
    rounded, and never by more than `MAX_ABOUT_SHARE`."""
    zeros = re.search(r"[1-9](0+)$", str(quantity.value))
    hedge = _ABOUT.search(text[max(0, quantity.start - 20) : quantity.start])
    if hedge is None or (quantity.unit == "percent" and not hedge["under"] and not hedge["over"]):
        return False
    round_one, off = abs(quantity.amount), abs(exact) - abs(quantity.amount)
    if quantity.unit == "percent":  # 'over 90 %' bounds, 'about 90 %' rounds
        return (off >= 0 if hedge["over"] else off <= 0) and abs(off) <= round_one * MAX_ABOUT_SHARE * 2
    if zeros is None:
        return False
    if (hedge["under"] and off > 0) or (hedge["over"] and off < 0):
        return False
    return abs(off) <= round_one * MAX_ABOUT_SHARE and abs(off) * 2 <= Decimal(10) ** (
        quantity.scale + len(zeros[1])
    )


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


def same_size(a: Quantity, b: Quantity) -> bool:
    """Is one the other's amount, sign aside? A bare number takes the other's unit."""
    unit = a.unit if not b.unit else b.unit
    one, other = (
        Quantity(abs(q.value), unit if {a.unit, b.unit} <= {unit, ""} else q.unit, q.scale, "", 0, 0)
        for q in (a, b)
    )
    return same_amount(one, other)


def stated_figures(claim: ClaimText, passage: Passage) -> list[Figure]:
    """Figures of the passage that the claim states itself: what a change it states may be computed from."""
    operands = {value for e in claim.equations for value in (e.a, e.b)}
    return [
        f
        for f in passage.figures
        if f.quantity.value in operands or any(is_same(q, f, claim.text) for q in claim.said.quantities)
    ]


def is_labelled(said: ParsedText, label: str) -> bool:
    """Does a text name the line item of a label?"""
    stems = _label_stems(label)
    if not stems or _is_profit(said.text, canonical_metric(label)):
        return True
    held = [w in said.words or any(is_form(w, other) for other in said.words) for w in stems]
    if _is_part_named(said, label, [w for w, is_held in zip(stems, held, strict=True) if not is_held]):
        return True
    if sum(held) / len(held) >= MIN_LABEL_SHARE and any(held[-2:]):
        return True
    return bool({canonical_metric(label), *parsed(label).metric_names} & said.metric_names)


MIN_LABEL_SHARE = 0.5
"""Of a label's words that a text has which names it, one of the last two among them."""


@lru_cache(maxsize=8192)
def _label_stems(label: str) -> tuple[str, ...]:
    """Stems of a label that carry meaning, without asides unless it has no others."""
    stems = tuple(w for w in content(_ASIDE.sub(" ", label)) if not is_generic(w))
    return stems or tuple(w for w in content(label) if not is_generic(w))


def _is_profit(text: str, metric: str) -> bool:
    """Does a text that says what a company earned or lost name a profit, or one per share?"""
    if "net income" in metric and _EARNED.search(text):
        return True
    # 'a profit of 5 million, or 86 cents a share'
    return metric.endswith("earnings per share") and _PROFIT.search(text) is not None


def _is_part_named(said: ParsedText, label: str, missing: Sequence[str]) -> bool:
    """Does a text name the metric of a label and all its other words: 'Services revenue' of 'Net sales: Services'?
    `missing`: stems of the label that it does not have."""
    shared = [m for m in parsed(label).metrics if m.canonical in said.metric_names]
    metric_words = {w for m in shared for w in content(m.text)}
    has_others = any(w not in metric_words for w in _label_stems(label))
    return bool(shared) and has_others and all(w in metric_words for w in missing)


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


def near_periods(claim: ClaimText, quantity: Quantity) -> list[Mention]:
    """The periods nearest to a figure: of its own clause, else the nearest before and after; of the
    context at last."""
    said = claim.said
    before = [m for m in said.periods if m.end <= quantity.start]
    for change in said.changes:
        if change.ordered and change.old.start == quantity.start > change.new.start:
            before = [m for m in before if m.start > change.new.end]  # 'to 5 in 2024, from 4': not of 2024
    bases = [c.old.start for c in said.changes if c.old.start > quantity.start]
    after = [m for m in said.periods if m.start >= quantity.end and not any(at < m.start for at in bases)]
    after = [m for m in after if not _OTHER.search(said.text[quantity.end : m.start])]
    near = before[-1:] + after[:1]
    return near or list(claim.lead.periods)


def is_timed(near: Sequence[Mention], figure: Figure) -> bool:
    """Is one of the periods `near` that of a figure? True where none is said."""
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
