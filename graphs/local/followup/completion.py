"""A whole question that leans on the one before: its pronouns filled, its company and period put in."""

from __future__ import annotations

import re

from graphs.local.followup.carried_periods import as_flow, carried
from graphs.local.followup.slots import PREPOSITION, Slots
from tools.documents.metadata.catalog import Catalog

ITS = re.compile(
    r"\b(?:its|their|the\s+(?:company|firm)['’]s|this\s+company['’]s|that\s+company['’]s)\b", re.IGNORECASE
)
IT = re.compile(r"\b(?:the\s+(?:company|firm)|this\s+company|that\s+company|they|them)\b", re.IGNORECASE)
IT_ALONE = re.compile(
    r"\b(?:did|does|do|has|have|had|is|was|will|would|for|at|of|by|about)\s+(?P<it>it)\b"
    r"(?!\s+(?:that|due|because|possible))|\b\w+\s+(?P<last>it)\W*$",
    re.I,
)
SHE = re.compile(r"\b(?:he|she|him|his|her)\b", re.IGNORECASE)
_THAT_PERIOD = re.compile(
    r"\b(?:that|the\s+same|this|said)\s+(?:quarter|period|year|time|date)\b(?!\s+(?:a|one|last|of|in)\b)|\bthen\W*$",
    re.IGNORECASE,
)
_IN = re.compile(r"(?:in|for|during)\s+$", re.IGNORECASE)


def completed(now: Slots, earlier: Slots, catalog: Catalog | None) -> str:
    """`now` with the company, and the period if it has none, of the question before."""
    text, company = now.text, earlier.company
    filled = ITS.sub(f"{company}'s", text, count=1)
    if filled == text:
        filled = IT.sub(company, text, count=1)
    period = as_flow(earlier)
    if period and _THAT_PERIOD.search(filled):
        bare = PREPOSITION.sub("", period)
        filled, period = _THAT_PERIOD.sub(lambda _: bare, filled, count=1), ""
    extra = "" if filled != text and company in filled else f" at {company}"
    if period and not now.asks:
        extra += f" {period}"
    elif now.asks:
        filled = _with_base(filled, now, earlier, catalog)
    return appended(filled, extra)


def filled_in(it: re.Match[str], turn: str, now: Slots, earlier: Slots) -> str:
    """A turn that names its own company, with its 'it' as the figure, or the company, of the question before."""
    at = max(it.start("it"), it.start("last"))
    thing = f"{earlier.company}'s {earlier.figure}" if earlier.metric else earlier.company
    filled = turn[:at] + thing + turn[at + 2 :]
    return appended(filled, f" {earlier.period}" if earlier.asks and not now.asks else "")


def _with_base(text: str, now: Slots, earlier: Slots, catalog: Catalog | None) -> str:
    """A relative period of a whole question, given the period it counts from."""
    ask = now.asks[0]
    if (
        len(now.asks) != 1
        or ask.kind not in ("previous", "year_ago")
        or ask.text not in text
        or not earlier.asks
    ):
        return text
    at = text.index(ask.text)
    head, tail = text[:at], text[at + len(ask.text) :]
    period = carried(now, earlier, catalog)
    if " ended " in period and ask.text not in period:
        return f"{_IN.sub('', head)}{period}{tail}"
    return f"{head}{ask.text} {PREPOSITION.sub('', earlier.period)}{tail}"


def appended(text: str, extra: str) -> str:
    """`text` with `extra` before its closing mark, a question mark if it has none."""
    body = text.rstrip()
    end = re.search(r"[?.!]+$", body)
    mark = end.group() if end else "?"
    return f"{(body[: end.start()] if end else body).rstrip()}{extra}{mark}"
