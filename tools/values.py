"""Quantities in text: numbers with their unit and scale, found and compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import zip_longest

from tools.value_patterns import (
    AFTER,
    CODE,
    CURRENCY_SIGNS,
    CURRENCY_WORDS,
    LIST_NUMBER,
    NOT_A_QUANTITY,
    NUMBER,
    NUMBER_WORDS,
    PER_SHARE_BEFORE,
    PREFIX,
    RANGE,
    SCALES,
    SHORT_SCALES,
    SIGN,
    YEAR,
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as printed, with its meaning."""

    value: Decimal
    """As printed, sign included, before `scale` is applied."""
    unit: str
    """As `tools.evidence.Fact.unit`, also 'percentage points', 'years', 'months', 'weeks', 'days'; '' when
    none is printed."""
    scale: int
    """Power of ten said in words ('billion' is 9, 'cents' is -2), 0 otherwise."""
    text: str
    start: int
    end: int
    """Character span in the text."""

    @property
    def amount(self) -> Decimal:
        """Value in base units: 81.8 billion USD is 81800000000."""
        return self.value.scaleb(self.scale)

    @property
    def quantum(self) -> Decimal:
        """The last printed place in base units: 81.8 billion is exact to 100000000."""
        exponent = self.value.as_tuple().exponent
        return Decimal(1).scaleb((exponent if isinstance(exponent, int) else 0) + self.scale)


def parse_decimal(printed: str) -> Decimal | None:
    """The number a table cell prints: '(2,028)' is -2028, '$ 81,797' 81797, '—' 0, '24.2%' 24.2; None for
    other text."""
    text = printed.strip().strip("*").strip()
    if text in {"—", "–", "-", "— %", "—%", "$ —", "$—", "$ -", "$ –"}:
        return Decimal(0)
    negative = bool(re.match(r"^[^\d]*\(", text)) or bool(re.match(r"^[^\d(]*[-−–]\s*[$€£¥]?\s*[\d.]", text))
    body = re.sub(rf"{SIGN}|\b(?:{CODE})\b|%|[()\s]|^[-−–]|(?<=[$€£¥])[-−–]", "", text)
    body = body.lstrip("-−–")
    if not re.fullmatch(r"(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?", body) or not body:
        return None
    value = Decimal(body.replace(",", ""))
    return -value if negative else value


def find_quantities(text: str) -> list[Quantity]:
    """Quantities of `text`, in order: amounts with sign, unit and scale.

    Not quantities: dates, bare years, ordinals, quarter labels, the durations of reporting periods ('three
    months'), citation markers '[n]', form, item, note and section numbers, digits inside a name ('COVID-19').
    Numbers in words count only with a scale or unit ('three million'). Both ends of a range are found, and the
    first takes the unit and scale said once at its end ('12 to 14 %').
    """
    if not NUMBER.search(text):
        return []
    blocked = [m.span() for m in NOT_A_QUANTITY.finditer(text)]
    blocked += [m.span() for m in LIST_NUMBER.finditer(text)]
    blocked.sort(reverse=True)
    found: list[Quantity] = []
    last_end = blocked_end = 0
    for match in NUMBER.finditer(text):
        while blocked and blocked[-1][0] <= match.start():
            blocked_end = max(blocked_end, blocked.pop()[1])
        if match.start() < max(last_end, blocked_end):
            continue
        quantity = _read(text, match, last_end)
        if quantity is not None:
            found.append(quantity)
            last_end = quantity.end
    return list(_spread_ranges(text, found))


def same_amount(a: Quantity, b: Quantity) -> bool:
    """True if both state one amount: equal in base units up to the rounding of the coarser print, sign
    included.

    Units must be the same; only basis points and percentage points convert. A bare number ('') equals only a
    bare number: what unit a table's note gives it is the caller's knowledge, not this function's.
    """
    if a.unit != b.unit:
        points = {"basis points", "percentage points"}
        if not {a.unit, b.unit} <= points:
            return False
        a, b = _in_basis_points(a), _in_basis_points(b)
    if (a.amount < 0) != (b.amount < 0) and a.amount != 0 and b.amount != 0:
        return False
    return (
        abs(a.amount - b.amount) * 2 <= max(a.quantum, b.quantum)
        if a.quantum != b.quantum
        else a.amount == b.amount
    )


def _in_basis_points(quantity: Quantity) -> Quantity:
    if quantity.unit == "basis points":
        return quantity
    return replace(quantity, unit="basis points", scale=quantity.scale + 2)


def number_in_words(words: str) -> Decimal | None:
    """0 to 99 of 'twelve' or 'fifty-two'; None for two words that are no number. KeyError for other words."""
    parts = [NUMBER_WORDS[part] for part in re.split(r"[\s-]", words.lower())]
    if len(parts) == 2:
        if parts[0] < 20 or not 0 < parts[1] < 10:
            return None
        return Decimal(parts[0] + parts[1])
    return Decimal(parts[0])


def whole_number(text: str) -> int:
    """A count in digits or words: 12 of '12' and of 'twelve'; 0 for words that are no number."""
    if text.isdigit():
        return int(text)
    return int(number_in_words(text) or 0) if NUMBER_WORDS.keys() >= {*text.lower().split("-")} else 0


def _read(text: str, match: re.Match[str], floor: int) -> Quantity | None:
    start, end = match.span()
    words = match["words"]
    before = text[max(floor, start - 8) : start]
    if words is None and _is_part_of_a_name(text, start, end):
        return None
    number = number_in_words(words) if words else Decimal(match["digits"].replace(",", ""))
    after = AFTER.match(text, end)
    if number is None or after is None:
        return None
    prefix = PREFIX.search(before.rstrip("(-−– "))
    currency = _currency(prefix["currency"]) if prefix else ""
    unit, scale, stop = _unit_and_scale(after, currency, bool(words))
    if not (unit or scale) and (words or (not currency and _is_bare_year(match["digits"], after))):
        return None
    negative, opened, closed = _sign(text, start, before, after, scale)
    stop = max(stop, closed)
    if unit == "USD" and scale == 0 and number < 10000 and _follows_per_share(text, start):
        unit = "USD/share"
    value = -number if negative else number
    return Quantity(value, unit, scale, text[opened:stop].strip(), opened, stop)


def _is_bare_year(digits: str, after: re.Match[str]) -> bool:
    """'2023', but for one that a bracket closes: '(2023)' is a loss."""
    return YEAR.fullmatch(digits) is not None and not after["close1"]


def _follows_per_share(text: str, start: int) -> bool:
    """Is the amount at `start` one per share by the words before it: 'EPS of $1.26'?"""
    return PER_SHARE_BEFORE.search(text[max(0, start - 90) : start]) is not None


_MAX_HEAD = 12
"""Characters before a number that say whether it is part of a name: more than any of the patterns below spans."""


def _is_part_of_a_name(text: str, start: int, end: int) -> bool:
    """Digits glued to letters: 'COVID-19', 'A100', '5G', 'x86', '10b5', 'H.R.1', '2.5-inch' are names, not
    amounts."""
    head = text[max(0, start - _MAX_HEAD) : start]
    if re.search(r"[A-Za-z](?:-|\.)?\Z", head) and not re.search(rf"(?:{SIGN}|\b(?:{CODE}))$", head):
        return not re.search(r"(?:^|\s)(?:to|and)-$", head)
    tail = text[end : end + 14]
    if re.match(r"[A-Za-z]", tail):
        return not re.match(
            r"(?:[kKmMbBtT]|mm|MM|mn|bn|tn|bps|bp|pts?|USD|EUR|million|billion|percent)\b", tail
        )
    if re.match(r"-[A-Za-z]", tail):
        return not re.match(
            r"-(?:thousand|million|billion|trillion|percent|basis|percentage|cent|dollar)", tail
        )
    return bool(re.match(r"[/.]\d", tail)) or bool(re.search(r"\d[/.]$", head))


def _currency(sign: str) -> str:
    return CURRENCY_SIGNS.get(sign, sign)


_UNIT_GROUPS = (
    ("percent", "percent"),
    ("late", "percent"),
    ("points", "percentage points"),
    ("shares", "shares"),
)
"""Groups of `AFTER` that name a unit other than money, with that unit."""


def _unit_and_scale(after: re.Match[str], currency: str, in_words: bool) -> tuple[str, int, int]:
    """Unit, scale and the end of the last piece used."""
    scale, end = _scale(after, currency, in_words)
    for group, name in _UNIT_GROUPS:
        if after[group] and not currency:
            return name, scale, after.end(group)
    if after["time"] and not currency:
        return after["time"].lower().rstrip("s") + "s", scale, after.end("time")
    if after["basis"]:
        return "basis points", scale, after.end("basis")
    if after["cents"]:
        unit, last = ("USD/share", "per") if after["per"] else ("USD", "cents")
        return unit, -2, after.end(last)
    unit = currency
    if after["code"] or after["money"]:
        unit, end = _currency_said(after)
    if after["per"] and (unit or after["per"].split()[0] != "a"):
        return f"{unit or 'USD'}/share", scale, after.end("per")
    return unit, scale, end


def _scale(after: re.Match[str], currency: str, in_words: bool) -> tuple[int, int]:
    """Power of ten said after a number, and where it ends. A single letter counts after a currency or as a
    capital."""
    if after["scale"]:
        end = after.end("scale")
        plural = after.string.startswith("s", end)
        return SCALES[" ".join(after["scale"].lower().split())] + (2 if after["hundred"] else 0), end + plural
    short = after["short"]
    if short and not in_words and (currency or len(short) > 1 or short in "MB"):
        return SHORT_SCALES[short.lower()], after.end("short")
    return 0, after.start()


def _currency_said(after: re.Match[str]) -> tuple[str, int]:
    """Currency named after a number, by code or word, and where it ends."""
    end = after.end("code" if after["code"] else "money")
    end += after.string.startswith("s", end)
    if after["code"]:
        return after["code"], end
    return CURRENCY_WORDS[" ".join(after["money"].lower().replace("pounds", "pound").split())], end


def _sign(text: str, start: int, before: str, after: re.Match[str], scale: int) -> tuple[bool, int, int]:
    """(negative, start of the quantity with its sign and currency, end including a closing bracket or 0).

    A number alone in brackets is negative, as statements print losses; a bracket that also holds a scale word is
    an aside ('81,797 million USD ($81.8 billion)'), and so is a percentage in running text ('up 5 million (2 %)').
    """
    opened = start - len(before) + len(before.rstrip())
    lead = re.search(
        rf"(?P<minus>[-−–]\s?)?(?P<currency>(?:{SIGN}|\b(?:{CODE}))\s*)?(?P<inner>[-−–]\s?)?$", before
    )
    if lead is not None:
        opened = start - len(lead.group(0))
    earlier = text[max(0, opened - 3) : opened]
    minus = bool(lead and (lead["minus"] or lead["inner"]))
    if (
        minus
        and lead
        and lead["minus"]
        and re.search(r"[\w%)$]\s?$", earlier)
        and not _is_real_minus(earlier, lead)
    ):
        minus = False
        opened += len(lead["minus"])
    if minus:
        return True, opened, 0
    bracket = re.search(rf"(?P<out>(?:{SIGN})\s*)?\(\s*$", text[max(0, opened - 6) : opened])
    if bracket is None or not (after["close1"] or after["close2"]):
        return False, opened, 0
    if scale and after["close2"]:
        return False, opened, 0
    outside = text[max(0, opened - 12) : opened - len(bracket.group(0))]
    if after["percent"] and after["close2"] and not re.search(r"(?:^|[|\n]\s*|\s\s|[\d)%]\s)$", outside):
        return False, opened, 0
    close = after.end("close1") if after["close1"] else after.end("close2")
    end = max(close, after.end("late") if after["late"] else 0)
    return True, opened - len(bracket.group(0)), end


def _is_real_minus(earlier: str, lead: re.Match[str]) -> bool:
    """'was -5' has a space before the sign and none after it; '12 - 14' and '12-14' are ranges or
    differences."""
    return bool(re.search(r"\s$", earlier)) and not lead["minus"].endswith(" ") and lead["minus"] != "–"


def _spread_ranges(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    for here, following in zip_longest(found, found[1:]):
        if following is not None and RANGE.fullmatch(text[here.end : following.start]):
            bare = (
                here.unit in {"", following.unit, following.unit.removesuffix("/share")} and here.scale == 0
            )
            dashed = not text[here.end : following.start].strip().lower().startswith(("and", "or"))
            between = dashed or "between" in text[max(0, here.start - 20) : here.start].lower()
            if (
                bare
                and between
                and here.value < following.value * 10
                and (here.unit or following.unit or following.scale)
            ):
                yield replace(here, unit=following.unit or here.unit, scale=following.scale)
                continue
        yield here
