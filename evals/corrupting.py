"""Corruptions of a draft, one kind a function: each makes a true draft say something its evidence does
not."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tools.knowledge.lexicon.metric_names import find_metrics
from tools.value_patterns import NOT_A_QUANTITY
from tools.values import find_quantities

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
    *("November", "December"),
)
_TURNS = {
    "rose": "fell",
    "increased": "decreased",
    "increase": "decrease",
    "increases": "decreases",
    "grew": "declined",
    "growth": "decline",
    "higher": "lower",
    "improved": "worsened",
    "up": "down",
}
_OPPOSITE = _TURNS | {v: k for k, v in _TURNS.items()} | {"fell": "rose", "decline": "growth"}
_METRICS = (
    *(
        "operating income",
        "net income",
        "gross margin",
        "cost of sales",
        "total assets",
        "inventories",
        "goodwill",
    ),
    *(
        "capital expenditures",
        "deferred revenue",
        "long-term debt",
        "free cash flow",
        "income taxes",
        "dividends",
    ),
    *("research and development expenses", "accounts receivable", "backlog"),
)
_AUXILIARY = re.compile(
    r"\b(was|were|is|are|has|have|had|will|did|does|do|can|could|would|should|may|might)\b(?! not)"
)


@dataclass(frozen=True, slots=True)
class World:
    """What corruptions may swap in."""

    companies: tuple[str, ...]
    people: tuple[str, ...]


Corruption = Callable[[str, World, random.Random], str | None]


def _outside_markers(text: str) -> list[tuple[int, int]]:
    return [m.span() for m in re.finditer(r"\[\d+\]", text)]


def _replace(text: str, start: int, end: int, other: str) -> str:
    return text[:start] + other + text[end:]


def _numbers(text: str) -> list[tuple[int, int]]:
    """Spans of the digits of quantities."""
    found = []
    for quantity in find_quantities(text):
        digits = re.search(r"\d[\d,.]*\d|\d", quantity.text)
        if digits:
            found.append((quantity.start + digits.start(), quantity.start + digits.end()))
    return found


def digit(text: str, world: World, chance: random.Random) -> str | None:
    """One digit of a figure becomes another."""
    spans = _numbers(text)
    if not spans:
        return None
    start, end = chance.choice(spans)
    places = [n for n in range(start, end) if text[n].isdigit()]
    at = chance.choice(places)
    others = [d for d in "123456789" if d != text[at]]
    return _replace(text, at, at + 1, chance.choice(others))


def transposed(text: str, world: World, chance: random.Random) -> str | None:
    """Two neighbouring unlike digits change places."""
    pairs = [
        n
        for start, end in _numbers(text)
        for n in range(start, end - 1)
        if text[n].isdigit() and text[n + 1].isdigit() and text[n] != text[n + 1]
    ]
    if not pairs:
        return None
    at = chance.choice(pairs)
    return _replace(text, at, at + 2, text[at + 1] + text[at])


def scale(text: str, world: World, chance: random.Random) -> str | None:
    """Million becomes billion, and the like."""
    found = list(re.finditer(r"(?<=\d )(thousand|million|billion)\b", text))
    if not found:
        return None
    match = chance.choice(found)
    others = [w for w in ("thousand", "million", "billion") if w != match[1]]
    return _replace(text, *match.span(), chance.choice(others))


def unit(text: str, world: World, chance: random.Random) -> str | None:
    """Dollars become shares or per cent, per cent becomes dollars or basis points."""
    found = [q for q in find_quantities(text) if q.unit in {"USD", "percent", "shares", "USD/share"}]
    if not found:
        return None
    q = chance.choice(found)
    number = re.search(r"[-−]?\(?\d[\d,.]*\d|\d", q.text)
    if number is None:
        return None
    word = {3: " thousand", 6: " million", 9: " billion"}.get(q.scale, "")
    if q.unit == "percent":
        other = chance.choice([f"${number[0]} million", f"{number[0]} basis points"])
    else:
        other = chance.choice(
            [f"{number[0]}%", f"{number[0]}{word} {'USD' if q.unit == 'shares' else 'shares'}"]
        )
    return _replace(text, q.start, q.end, other)


def day(text: str, world: World, chance: random.Random) -> str | None:
    """A date's month or day becomes another."""
    found = list(re.finditer(rf"\b({'|'.join(_MONTHS)}) (\d{{1,2}})(?=, (?:19|20)\d\d)", text))
    if not found:
        return None
    match = chance.choice(found)
    if chance.random() < 0.5:
        other = chance.choice([m for m in _MONTHS if m != match[1]])
        return _replace(text, match.start(1), match.end(1), other)
    return _replace(text, match.start(2), match.end(2), str(int(match[2]) % 28 + 1))


def year(text: str, world: World, chance: random.Random) -> str | None:
    """A year becomes another."""
    found = list(re.finditer(r"(?<![\w$,.])(20[0-3]\d)(?![\w,]?\d|\w)", text))
    if not found:
        return None
    match = chance.choice(found)
    return _replace(text, *match.span(), str(int(match[0]) + chance.choice([-2, -1, 1, 2])))


def quarter(text: str, world: World, chance: random.Random) -> str | None:
    """A quarter becomes another."""
    words = ["first", "second", "third", "fourth"]
    found = list(re.finditer(r"\b(first|second|third|fourth)(?= quarter)|\bQ([1-4])\b", text))
    if not found:
        return None
    match = chance.choice(found)
    if match[2]:
        return _replace(
            text, match.start(2), match.end(2), chance.choice([n for n in "1234" if n != match[2]])
        )
    return _replace(text, *match.span(), chance.choice([w for w in words if w != match[1]]))


def duration(text: str, world: World, chance: random.Random) -> str | None:
    """Three months become nine, a balance becomes a span."""
    found = list(re.finditer(r"\b(three|six|nine|twelve)(?= months)|\bas of(?= [A-Z][a-z]+ \d)", text))
    if not found:
        return None
    match = chance.choice(found)
    if not match[1]:
        return _replace(text, *match.span(), "for the three months ended")
    others = [w for w in ("three", "six", "nine", "twelve") if w != match[1]]
    return _replace(text, *match.span(), chance.choice(others))


def company(text: str, world: World, chance: random.Random) -> str | None:
    """One company of the index becomes another, wherever it is named."""
    named = [c for c in world.companies if re.search(rf"\b{re.escape(c)}", text)]
    others = [c for c in world.companies if not any(c in n or n in c for n in named)]
    if not named or not others:
        return None
    old, new = max(named, key=len), chance.choice(others)
    return re.sub(rf"\b{re.escape(old)}", new, text)


def person(text: str, world: World, chance: random.Random) -> str | None:
    """One person becomes another."""
    named = [p for p in world.people if p in text]
    others = [p for p in world.people if p not in text]
    if not named or not others:
        return None
    return text.replace(chance.choice(named), chance.choice(others), 1)


def metric(text: str, world: World, chance: random.Random) -> str | None:
    """One line item becomes another."""
    markers = _outside_markers(text)
    found = [m for m in find_metrics(text) if not any(a <= m.start < b for a, b in markers)]
    if not found:
        return None
    mention = chance.choice(found)
    held = {m.canonical for m in found}
    others = [
        m
        for m in _METRICS
        if not {x.canonical for x in find_metrics(m)} & held and m.lower() not in text.lower()
    ]
    return _replace(text, mention.start, mention.end, chance.choice(others))


def not_inserted(text: str, world: World, chance: random.Random) -> str | None:
    """A statement is denied."""
    found = list(_AUXILIARY.finditer(text))
    if found:
        match = chance.choice(found)
        return _replace(text, match.end(), match.end(), " not")
    verbs = list(re.finditer(r"\b(increased|decreased|rose|fell|grew|declined|reported|came)\b", text))
    if not verbs:
        return None
    match = chance.choice(verbs)
    return _replace(text, match.start(), match.start(), "never ")


def not_removed(text: str, world: World, chance: random.Random) -> str | None:
    """A denial is dropped."""
    found = list(re.finditer(r"\b(?:not|never|no|cannot) |n['’]t\b", text))
    found = [m for m in found if not re.match(r"not only|no later|no longer|not limited", text[m.start() :])]
    if not found:
        return None
    match = chance.choice(found)
    other = "can " if match[0] == "cannot " else ""
    return _replace(text, *match.span(), other)


def direction(text: str, world: World, chance: random.Random) -> str | None:
    """Rose becomes fell, higher lower."""
    found = [m for m in re.finditer(r"[A-Za-z]+", text) if m[0].lower() in _OPPOSITE]
    found = [
        m
        for m in found
        if m[0].lower() not in {"up", "down"} or re.match(r"\s+\d|\s+from|\s+by", text[m.end() :])
    ]
    found = [m for m in found if not NOT_A_QUANTITY.match(text, m.start())]
    if not found:
        return None
    match = chance.choice(found)
    other = _OPPOSITE[match[0].lower()]
    return _replace(text, *match.span(), other.capitalize() if match[0][0].isupper() else other)


KINDS: dict[str, Corruption] = {
    "digit": digit,
    "transposed": transposed,
    "scale": scale,
    "unit": unit,
    "date": day,
    "year": year,
    "quarter": quarter,
    "duration": duration,
    "company": company,
    "person": person,
    "metric": metric,
    "not inserted": not_inserted,
    "not removed": not_removed,
    "direction": direction,
}


def corrupt(text: str, kind: str, world: World, chance: random.Random) -> str | None:
    """`text` with one corruption of a kind; None where it has nothing of that kind."""
    return changed_by(KINDS[kind], text, world, chance)


def changed_by(corruption: Corruption, text: str, world: World, chance: random.Random) -> str | None:
    """`text` with one corruption; None where it changes nothing."""
    changed = corruption(text, world, chance)
    return None if changed is None or changed == text else changed


def people_of(names: Sequence[str]) -> tuple[str, ...]:
    """Names of at least two words."""
    return tuple(dict.fromkeys(name for name in names if " " in name and name != "Operator"))
