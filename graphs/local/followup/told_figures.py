"""Turns about figures that were told: how they compare, what part of one is of something, what they are called."""

from __future__ import annotations

import re
from datetime import date
from difflib import SequenceMatcher

from graphs.drafts.claims import MARKER, QUOTE
from graphs.local.followup.context import asks_figure, before_period, counted, part_like, topic_words
from graphs.local.followup.slots import PREPOSITION, Slots
from graphs.local.question.period_asks import PeriodAsk
from tools.calculate.questions import Operation
from tools.documents.metadata.company_names import name_tokens
from tools.documents.text.ordinary_words import FUNCTION_WORDS
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.vector.embeddings import Embedder

PART_OF_IT = re.compile(
    r"\bhow\s+(?:much|many)\s+of\s+(?:it|that|this|those|these|them)\b"
    r"(?:\s+(?:is|was|are|were|does|do|did|has|have|had))?\s+(?P<part>\S.*?)\W*$",
    re.IGNORECASE,
)
_LED = re.compile(r"(?:\b(?:in|at|around|across|of|for|on|over|from|the|all)\s+)+$", re.IGNORECASE)
_ITS = re.compile(r"^(?:its|their)\s+", re.IGNORECASE)
_LABEL = re.compile(r"['’]s?\s+(?P<label>[^.\n|]+?),?\s+(?:for\s+the|as\s+of|was|were)\s")
_ROW = re.compile(r"^\|\s*(?P<label>[^|]*[^|\s])\s*\|.*\[\d+\]", re.MULTILINE)
_COMPARED = re.compile(
    r"(?:How|By how many percent) did .* change from |Compare the .* of |How (?:many times|much) larger ",
    re.DOTALL,
)


def is_compared(question: str) -> bool:
    """Whether a question is one that `compared` spelled out."""
    return bool(_COMPARED.match(question))


def compared(
    operation: Operation, last: Slots, previous: Slots, answer: str, base: str = "", *, among: bool = False
) -> str:
    """How the figures compare that the questions before a turn asked for, as a question; '' where they asked for none.
    `last` and `previous`: these questions, the latest first, with its `answer`; `base`: a period that the turn names
    itself; `among`: it asks which of several."""
    if not asks_figure(last):
        return ""
    same = topic_words(last) == topic_words(previous)
    of_one = bool(last.companies) and last.indexed == previous.indexed
    if same and last.figure and previous.companies and not of_one:
        return (
            f"Compare the {last.figure} of {previous.company} and {last.company} {last.period}".rstrip() + "?"
        )
    if of_one and not same and not base and asks_figure(previous):
        return _beside(operation, last, previous, of_figure=bool(_LABEL.search(QUOTE.sub(" ", answer))))
    return "" if among and not same else _changed(operation, last, previous if same else last, base)


def _beside(operation: Operation, last: Slots, previous: Slots, *, of_figure: bool) -> str:
    """What two questions about one company asked for, one against the other; both together where that are no
    figures."""
    words, others = (each.text.rstrip(" ?.!").split() for each in (last, previous))
    blocks = SequenceMatcher(None, others, words, autojunk=False).get_opcodes()
    changed = [block for block in blocks if block[0] != "equal"]
    one, other = last.figure, previous.figure
    if not (one and other):
        if len(changed) != 1 or changed[0][0] != "replace":
            return ""
        _, start, end, at, to = changed[0]
        one, other = " ".join(words[at:to]), " ".join(others[start:end])
        if not of_figure:
            return f"{' '.join([*words[:at], other, 'and', one, *words[to:]])}?"
    more = "many times" if operation == "ratio" else "much"
    return f"How {more} larger was {last.company}'s {one} than its {other} {last.period}".rstrip() + "?"


def _changed(operation: Operation, last: Slots, previous: Slots, base: str) -> str:
    """One figure over time: from the period of the question before it, or from a year before."""
    if not last.asks:
        return ""
    period, other = (_ITS.sub("", PREPOSITION.sub("", each.period)) for each in (last, previous))
    year = last.asks[0].year if last.asks[0].kind == "year" else None
    what = counted(last) or last.figure
    if not what:
        return ""
    what += f" at {last.company}" if last.companies else ""
    if not base and other and other != period:
        ends = _end(last.asks[0]), _end(previous.asks[0])
        period, base = (other, period) if ends[0] and ends[1] and ends[0] < ends[1] else (period, other)
    how = "By how many percent did" if operation == "growth" else "How did"
    if not base and not year:
        return f"{how} {what} {last.period} change from the same period a year before?"
    return f"{how} {what} change from {base or period.replace(str(year), str((year or 0) - 1))} to {period}?"


def _end(ask: PeriodAsk) -> date | None:
    """About when a period that is named ends."""
    if ask.day or not ask.year:
        return ask.day
    return date(ask.year, 3 * ask.quarter if ask.quarter else 12, 28)


def part_of(now: Slots, earlier: Slots, embedder: Embedder | None) -> str:
    """'How many of those in Canada?' as the question before, of that part; '' for any other turn."""
    found = PART_OF_IT.search(now.text)
    if found is None or now.companies or not earlier.companies or not asks_figure(earlier):
        return ""
    part = found["part"]
    first, _, rest = part.partition(" ")
    bare = rest if rest and first.lower() in FUNCTION_WORDS else part
    if earlier.metrics and not counted(earlier):
        what = f"{earlier.figure} {part}" if bare != part else f"{bare} {earlier.figure}"
        return f"What was {earlier.company}'s {what} {earlier.period}".rstrip() + "?"
    if bare == part:
        return ""
    text = earlier.text.rstrip(" ?.!")
    if like := part_like(bare, earlier, embedder, but_first=True):
        return f"{_LED.sub('', text[: like[0]])}{part}{text[like[1] :]}?"
    at = before_period(earlier)
    return f"{text[:at].rstrip(' ,')} {part}{text[at:]}?"


def figure_told(asked: str, answer: str) -> str:
    """What the one figure is called that an answer tells, as far as the question means it: 'membership fees revenue';
    '' where it tells none or several."""
    said = QUOTE.sub(" ", answer)
    if not MARKER.search(answer):
        return ""
    labels = [m["label"] for m in _LABEL.finditer(said)] or [m["label"] for m in _ROW.finditer(said)][:1]
    if len(labels) != 1:
        return ""
    words = {token.word for token in name_tokens(asked)} - FUNCTION_WORDS
    metrics = find_metrics(labels[0])
    if len({each.canonical for each in metrics}) != 1:
        return ""
    own = [part for part in labels[0].split(", ") if not find_metrics(part)]
    own = [part for part in own if words & {token.word for token in name_tokens(part)}]
    return " ".join([*own, metrics[0].text])
