"""Numbers and dates of a sheet as its number formats show them."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation, localcontext

_PIECE = re.compile(r'"([^"]*)"|\\(.)|_.|\*.|\[([^\]]*)\]|([^"\\_*\[]+)')
_BEYOND_DIGITS = re.compile(r"E[+-]|[?#0]/|\[[<>=]")
MOST_DIGITS = 400
"""Of a number that a sheet may hold: Excel goes to 1e308."""
_DIGITS = re.compile(r"[#0?][#0?,.]*")
_DATE_PART = re.compile(r"yyyy|yy|mmmm|mmm|mm|m|dddd|ddd|dd|d|hh|h|ss|s|am/pm", re.IGNORECASE)
_NAMES = {
    "yyyy": "%Y",
    "yy": "%y",
    "mmmm": "%B",
    "mmm": "%b",
    "dddd": "%A",
    "ddd": "%a",
    "ss": "%S",
    "am/pm": "%p",
}
_LOCAL_DATES = frozenset({"mm-dd-yy", "m/d/yy h:mm"})
"""The built-in dates whose order depends on who looks."""
MOST_DECIMALS = 10


def shown(value: object, number_format: str) -> str:
    """A cell's value as its number format shows it: '1,234', '12.5%', '(120)', '£5.2m', '31 December 2023'.

    General numbers have at most ten decimals. Dates in an order that depends on the reader's country, and dates with
    a month in figures, are shown as 2023-12-31.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, (datetime, date, time)):
        return _date(value, number_format)
    if not isinstance(value, (int, float, Decimal)):
        return str(value)
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return str(value)
    if not number.is_finite():
        return str(value)
    with localcontext() as context:
        context.prec = MOST_DIGITS
        return _number(number, number_format)


def _number(number: Decimal, number_format: str) -> str:
    sections = _sections(number_format)
    if number < 0 and len(sections) > 1:
        return _in_section(-number, sections[1])
    if number == 0 and len(sections) > 2:
        return _in_section(number, sections[2])
    sign = "-" if number < 0 else ""
    return sign + _in_section(abs(number), sections[0])


def _sections(number_format: str) -> list[str]:
    """The parts between semicolons that stand neither in quotes nor in brackets."""
    parts, start, quoted = [], 0, False
    for at, character in enumerate(number_format):
        quoted ^= character == '"'
        if character == ";" and not quoted:
            parts.append(number_format[start:at])
            start = at + 1
    return [*parts, number_format[start:]]


def _in_section(number: Decimal, section: str) -> str:
    """A number that is not negative, in the words and digits of one section; plain where that asks for more than
    digits: powers, fractions, conditions."""
    if _BEYOND_DIGITS.search(re.sub(r'"[^"]*"', "", section)):
        return _plain(number)
    pieces: list[str] = []
    pattern, percent = "", False
    for quoted, escaped, bracket, bare in _PIECE.findall(section):
        if bracket:
            pieces.append(bracket[1:].split("-")[0] if bracket.startswith("$") else "")
        elif quoted or escaped:
            pieces.append(quoted or escaped)
        elif match := _DIGITS.search(bare):
            percent |= "%" in bare
            pattern = pattern or match[0]
            pieces += [bare[: match.start()], "\0" if pattern == match[0] else "", bare[match.end() :]]
        else:
            percent |= "%" in bare
            pieces.append(re.sub("general", "\0", bare, flags=re.IGNORECASE))
    text = "".join(pieces)
    if "\0" not in text:
        return text.strip() if section and section != "@" else _plain(number)
    digits = _digits(number * 100 if percent else number, pattern) if pattern else _plain(number)
    return text.replace("\0", digits, 1).replace("\0", "").strip()


def _digits(number: Decimal, pattern: str) -> str:
    scaled = len(pattern) - len(pattern.rstrip(","))
    whole, _, decimals = pattern.rstrip(",").partition(".")
    rounded = (number / 1000**scaled).quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP)
    text = f"{rounded:,f}" if "," in whole else f"{rounded:f}"
    optional = len(decimals) - len(decimals.rstrip("#"))
    for _ in range(optional):
        text = text.removesuffix("0")
    return text.removesuffix(".") if decimals else text


def _plain(number: Decimal) -> str:
    rounded = round(number, MOST_DECIMALS)
    return f"{rounded.normalize():f}" if rounded else "0"


def _date(value: datetime | date | time, number_format: str) -> str:
    if isinstance(value, time):
        return f"{value:%H:%M}"
    clock = "" if not isinstance(value, datetime) or value.time() == time() else f" {value:%H:%M}"
    section = re.sub(r"\[[^\]]*\]", "", _sections(number_format)[0]).replace("\\", "").replace('"', "")
    parts = _DATE_PART.findall(section.lower())
    if section.lower() in _LOCAL_DATES or not ({"mmm", "mmmm"} & set(parts) or parts in (["yyyy"], ["yy"])):
        return f"{value:%Y-%m-%d}{clock}"
    return _DATE_PART.sub(lambda match: _date_part(value, match[0].lower()), section).strip(" ;@")


def _date_part(value: datetime | date, part: str) -> str:
    if part in ("d", "dd"):
        return f"{value.day:0{len(part)}d}"
    if part in ("h", "hh", "s", "m", "mm"):
        hours, minutes, seconds = value.timetuple()[3:6]
        number = {"h": hours, "s": seconds}.get(part[0], minutes if hours or minutes else value.month)
        return f"{number:0{len(part)}d}"
    return value.strftime(_NAMES[part])
