"""Limits and numbers in a question about what is computed: 'more than a third', 'the top three'."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from tools.calculate.compute import MAX_RESULTS
from tools.documents.text.ordinary_words import FUNCTION_WORDS
from tools.value_patterns import NUMBER_WORDS
from tools.values import find_quantities, whole_number

_PARTS_OF_ONE = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "eighth": 8,
    "tenth": 10,
}
_FRACTION = re.compile(
    rf"\s*(?:(?:an?|the|(\w+))[\s-]+)?({'|'.join(_PARTS_OF_ONE)})s?\b(?!\s+(?:quarter|of\s+(?:19|20)\d\d))",
    re.IGNORECASE,
)
_ONE_FRACTION = re.compile(
    rf"\b(?<!first )(?<!second )(?<!latter )(?<!last )(?:(an?|{'|'.join(NUMBER_WORDS)})[\s-]+|(?=half))"
    rf"({'|'.join(_PARTS_OF_ONE)})s?\b(?=\s+(?:of|or)\b)"
    r"(?!\s+of\s+(?:(?:the|its|last|this|next|fiscal|financial|calendar)\s+)*(?:year|fy|(?:19|20)?\d\d\b))",
    re.IGNORECASE,
)
"""Of something: 'a quarter of its sales', 'a fifth or more', and no time: 'a quarter of 2023', 'the first half of'."""
_NAMED_BY_RATE = re.compile(r"[\s-]+([^\W\d]\w+)")
"""Behind a percentage the word that it is a name of: '4.5% notes'."""
_MORE = "more|greater|larger|higher|bigger|better|wider|stronger|faster|longer"
_LESS = "less|fewer|smaller|lower|slower|thinner|narrower|weaker|shorter"
_COMPARED = re.compile(
    rf"\b(?:(?:{_MORE}|{_LESS})\s+than|above|below|under|over|exceed\w*|at\s+least|"
    r"at\s+most|up\s+to|as\s+much\s+as)\b",
    re.IGNORECASE,
)
_MULTIPLES = {"twice": "2", "double": "2", "triple": "3", "thrice": "3"}
_AND_A_HALF = re.compile(
    rf"\s*({'|'.join(NUMBER_WORDS)}|\d+)\s+and\s+a\s+half(?=[\s-]+times\b)", re.IGNORECASE
)
_SIGNED = re.compile(
    r"\b(?:was|were|is|are|turned|stayed|remained)\b(?:(?!\bnot\b|\bnon\b)[^,;.?])*\s(positive|negative)\b"
    r"(?=\s*(?:[?.,]|$|in\b|at\b|on\b|for\b|during\b))",
    re.IGNORECASE,
)
_TIMES = re.compile(
    rf"\s*(\d+(?:\.\d+)?(?![\d,%])|(?:{'|'.join(_MULTIPLES)})\b|(?:{'|'.join(NUMBER_WORDS)})(?=[\s-]+times\b))",
    re.IGNORECASE,
)
_THAN = re.compile(r"\b(?:than|exceed\w*)\b", re.IGNORECASE)
_BELOW = re.compile(rf"{_LESS}|below|under|at\s+most|up\s+to", re.IGNORECASE)
NEAR = 12
"""Characters behind a comparison within which its limit begins."""
_TOP = re.compile(r"\b(?:top|bottom|biggest|largest|smallest)\s+(\w+)\b", re.IGNORECASE)
_DAY_SPAN = re.compile(
    r"(?:[(,]\s*|\b(?:assum\w+|us(?:e|ing)|based\s+on|counted\s+as|at)\s+(?:an?\s+)?)(\d{2,3})[\s-]days?\b"
    r"(?!\s+(?:payment|terms?|notes?))|\b(\d{2,3})[\s-]day\s+(?:quarter|year|period|month)\b",
    re.IGNORECASE,
)
MIN_DAYS, MAX_DAYS = 28, 371
"""Of a month and of a year of 53 weeks."""


def how_many(question: str) -> int:
    """How many are to be picked: 3 of 'the top three'; 0 where nobody says."""
    match = _TOP.search(question)
    number = whole_number(match[1].lower()) if match else 0
    return number if number <= MAX_RESULTS else 0


def compared_at(question: str) -> int:
    """Where the last comparison of a question ends; its length where it compares nothing."""
    return max((match.end() for match in _THAN.finditer(question)), default=len(question))


def limit_of(question: str, *, bare: bool = False, money: bool = False) -> tuple[str, bool]:
    """The limit that a question names, and whether it asks for what lies above it: ('33.3333', True), in percent, of
    'more than a third'; with `bare` a number without a unit counts, too, with `money` nothing but an amount, in full.
    '' where it names none."""
    above = True
    for match in _COMPARED.finditer(question):
        behind = question[match.end() :]
        above = _BELOW.search(match.group()) is None
        limits = find_quantities(behind)[:1]
        if money:
            if limits and limits[0].start < NEAR and limits[0].unit not in ("", "percent"):
                return format(limits[0].amount, "f"), above
            continue
        percents = [each for each in limits if each.unit == "percent"]
        if percents and percents[0].start < NEAR:
            return format(percents[0].value, "f"), above
        fraction = _FRACTION.match(behind)
        if fraction:
            return _in_percent(fraction), above
        number_said = _TIMES.match(behind) if bare else None
        halved = _AND_A_HALF.match(behind) if bare else None
        if halved:
            return f"{NUMBER_WORDS.get(halved[1].lower(), halved[1])}.5", above
        if number_said:
            word = number_said[1].lower()
            return format(_MULTIPLES.get(word, "") or NUMBER_WORDS.get(word, word)), above
    signed = _SIGNED.search(question) if money and not _COMPARED.search(question) else None
    return ("0", signed[1].lower() == "positive") if signed else ("", above)


def only_share(question: str) -> str:
    """The one part of a hundred that a question speaks of, in percent: '15' of 'Did it top 15%?', '20.0000' of 'Did it
    bring in a fifth?'; '' where it speaks of none or of several."""
    percents = [
        each
        for each in find_quantities(question)
        if each.unit == "percent" and not _names_a_thing(question[each.end :])
    ]
    fractions = [*_ONE_FRACTION.finditer(question)]
    if len(percents) + len(fractions) != 1:
        return ""
    return format(percents[0].value, "f") if percents else _in_percent(fractions[0])


def _names_a_thing(behind: str) -> bool:
    """Whether what is behind a percentage is called by it."""
    match = _NAMED_BY_RATE.match(behind)
    return match is not None and match[1].lower() not in FUNCTION_WORDS


def _in_percent(fraction: re.Match[str]) -> str:
    """Of a match of `_FRACTION` or `_ONE_FRACTION`."""
    number = NUMBER_WORDS.get((fraction[1] or "").lower(), 1)
    exact = Fraction(int(number), _PARTS_OF_ONE[fraction[2].lower()])
    return format(Decimal(exact.numerator) * 100 / Decimal(exact.denominator), ".4f")


def multiple_in(question: str) -> Decimal | None:
    """How many times as much 'more than doubled' is; None where no such word is said."""
    match = re.search(r"\b(double|triple)[ds]?\b(?![\s-]digit)", question)  # 'Double Eagle' is a name
    return Decimal(_MULTIPLES[match[1]]) if match else None


def bound_of(question: str) -> tuple[Decimal, bool] | None:
    """The number that something is to be above or below, and whether above: 100,000 and True of 'more than 100,000
    people'; None where a question names no such number."""
    for match in _COMPARED.finditer(question):
        found = find_quantities(question[match.end() :])[:1]
        if found and found[0].start < NEAR:
            return found[0].amount, _BELOW.search(match.group()) is None
    return None


def days_said(question: str) -> int:
    """How many days a question counts a period at: 'Q1 cost of sales, 90 days', 'a 91-day quarter'; 0 where it says
    none or several."""
    said = {int(match[1] or match[2]) for match in _DAY_SPAN.finditer(question)}
    return said.pop() if len(said) == 1 and MIN_DAYS <= min(said) <= MAX_DAYS else 0
