"""Spans as they were read, with what the question, the catalogue of measures and the index call by name."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from graphs.contracts import Reading
from graphs.local.question.asked_formulas import ACROSS, MARGIN, OF_ANOTHER, named_measure
from graphs.local.question.limits import compared_at
from graphs.local.question.period_phrases import find_asks
from graphs.local.question.shared_words import with_shared_words
from graphs.local.question.two_figures import SURE_MEASURE, is_averaged, sides
from tools.calculate.measures import Measure, is_made_of, item_called, measure_called, measure_named
from tools.calculate.questions import AskedSum, first_name
from tools.calculate.types import RANKED
from tools.knowledge.lexicon.asked_metrics import find_asked, without_statement
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.knowledge.lexicon.word_forms import words_of

SURE_CHANCE = 0.9
"""Probability of operation and use together from which it is sure that something is to be computed."""
_JOINING = re.compile(
    r"^(?:(?:the|an?|its|their|own|same|this|that|on|from|of|in|for|by)\s+)+|(?:\s+(?:to|of|in|for|from|by|and|than|the))+$",
    re.IGNORECASE,
)
"""Words at either end of a figure's that say nothing of it."""
_WHICH = re.compile(r"\s+(?:(?:from|in|of|by|at)\s+)?which\b[^|]*", re.IGNORECASE)
"""What is ranked, behind the figure that it is ranked by: 'revenue from which location'."""
_TIMES = re.compile(r"\b(?:years?|quarters?)\b", re.IGNORECASE)
IN_SALES = "net sales"
_PLACE = re.compile(r"\bus\b")
"""A figure is of no 'us' but the country."""
_OF_YEARS = re.compile(r"\b(?:fiscal|calendar)\b", re.IGNORECASE)
_COMMA = re.compile(r"\s*[,;]\s*")
_JOINS = re.compile(r"\s*(?:\bor\b|\band\b|&)\s*", re.IGNORECASE)
_OF_ONE = ("sum", "average", "growth", "cagr", "change", "period")
"""Operations on one figure."""
_OPENS_NAME = re.compile(r"^(?:(?:which|or|and|of|the)\s+)+", re.IGNORECASE)


def with_names(read: AskedSum, reading: Reading) -> AskedSum:
    """What was read, with what the catalogue and the index know by name: a measure that the question calls so, and
    products, segments and places that no span has."""
    read = _with_first(read, reading)
    read = _with_part(_with_measure(_of_margin(_of_one_item(read, reading), reading), reading), reading)
    plain = read.operation == "measure" or (read.operation == "none" and read.use == "value")
    plain = plain or (read.operation in ("ratio", "share") and not read.b)  # of what, nobody knows
    if not read.a and not plain and len(set(map(canonical_metric, reading.metrics))) == 1:
        b = "" if read.b in reading.company_names else read.b
        read = replace(read, a=_measure_of(reading.metrics[0], reading) or reading.metrics[0], b=b)
    read = with_shared_words(_whole(read, reading), reading)
    spans = " ".join((read.a, read.b, *read.more, *read.minus, read.set_words))
    free = [name for name in reading.entities if name not in spans and name.lower() not in ACROSS]
    if read.use in (*RANKED, "list"):
        if is_of_times(read.set_words):
            return _with_free(read, free, reading)
        listed = len(reading.entities) < 2 or listed_names(read.set_words, reading)
        return read if listed else replace(read, set_words=" or ".join(reading.entities))
    return _with_free(read, free, reading)


def _measure_of(item: str, reading: Reading) -> str:
    """The measure that a question names and the line item is of: 'EBIT margin'; '' where it names none."""
    measure = measure_called(named_measure(reading.question))
    return measure.name if measure and is_made_of(measure, item) else ""


def _with_first(read: AskedSum, reading: Reading) -> AskedSum:
    """The first of what is added as the figure that the others are added to, where no words of one were told; one
    figure alone is the first."""
    if not read.a and read.operation in _OF_ONE:
        read = replace(read, a=read.b, b="")
    if read.a or not read.more:
        return read
    text, b = read.more[0], first_name(read.b)
    behind = bool(b) and reading.question.find(b) < reading.question.find(text)
    return read if behind else replace(read, a=text, more=read.more[1:])


def _with_free(read: AskedSum, free: Sequence[str], reading: Reading) -> AskedSum:
    """With a name that no span has where it belongs: it is the other side of a difference ('above that of its United
    States operations'), of the whole of a share, or of the figure."""
    if read.operation == "share" and read.b:
        ours = free and read.a in reading.entities
        return replace(read, b=f"{free[0]} {read.b}") if ours else read
    if len(free) != 1 or read.operation == "none":
        return read
    if read.operation == "difference" and read.a and not read.b:
        return replace(read, b=free[0])
    return replace(read, a=f"{free[0]} {read.a}".strip())


def _with_part(read: AskedSum, reading: Reading) -> AskedSum:
    """The one name that the index knows for the part of a share whose whole alone was read."""
    parts = [name for name in reading.entities if name not in f"{read.b} {read.set_words}"]
    of_whole = read.operation == "share" and bool(read.b) and not read.a
    return replace(read, a=parts[0]) if of_whole and len(parts) == 1 else read


def _of_one_item(read: AskedSum, reading: Reading) -> AskedSum:
    """No ratio of what is one line item: 'net loss per diluted share', but 'rent as a % of sales' is two."""
    both = read.operation == "ratio" and read.use == "value" and read.a and read.b
    one = both and any(
        read.a in each and read.b in each and not OF_ANOTHER.search(each) for each in reading.metrics
    )
    return replace(read, operation="none", b="") if one else read


def _with_measure(read: AskedSum, reading: Reading) -> AskedSum:
    """A measure where the question calls it by its name; none where the likeliest is a line item (EPS)."""
    named = named_measure(reading.question)
    read = _with_other_side(read, reading) if named else read
    compared = all(sides(read)) and (read.use == "yesno" or read.operation == "difference")
    measure = measure_called(named)
    if measure and read.operation == "difference" and not any(map(measure_called, sides(read))):
        compared = compared and " - " not in measure.formula  # 'free cash flow, i.e. ... less ...'
    if named and not compared and _makes_measure(read, measure, reading):
        return replace(read, operation="measure", a="" if measure_called(read.a) else read.a)
    if read.operation == "measure" and reading.metrics and not any(map(measure_called, read.measures[:1])):
        return replace(read, operation="none")
    if named or not _is_guessed(read, reading):
        return read
    return replace(read, operation="ratio" if read.a and read.b else "none")


def _of_margin(read: AskedSum, reading: Reading) -> AskedSum:
    """The margin of a measure as its company adjusts it is that figure by sales, where the question names no other."""
    items = {MARGIN.sub("", each.text) for each in find_asked(reading.question)}
    adjusted = measure_named(reading.question).endswith("margin") and not named_measure(reading.question)
    moved = read.operation == "change"
    asked = adjusted and read.use == "value" and (moved or read.operation in ("measure", "none"))
    if not asked or len(items) != 1:
        return read
    item, part = items.pop(), first_name(read.a)
    if not measure_named(item):  # 'non-GAAP operating' is none
        return read
    if part in item or item in part or measure_named(part):
        part = ""
    elif find_asked(part):  # of something else
        return read
    a, b = (f"{part} {each}".strip() for each in (item, IN_SALES))
    return replace(read, operation="change" if moved else "ratio", a=a, b=b)


def _makes_measure(read: AskedSum, measure: Measure | None, reading: Reading) -> bool:
    """Whether a measure that is named is what an operation comes to; an average is where a figure of it is said to be
    averaged: 'on average inventory', of both ends of one time."""
    if read.operation != "average" or measure is None:
        return read.operation in ("ratio", "period", "difference", "measure")
    items = (each.text for each in find_asked(reading.question) if is_made_of(measure, each.text))
    return any(is_averaged(item, reading.question) for item in items)


def _with_other_side(read: AskedSum, reading: Reading) -> AskedSum:
    """A difference with the one part that is named beside its figure: 'wider than that of Sam's Club'."""
    free = [name for name in reading.entities if name not in read.a]
    alone = read.operation == "difference" and read.a and not read.b and len(free) == 1
    return replace(read, b=free[0]) if alone else read


def _is_guessed(read: AskedSum, reading: Reading) -> bool:
    """Whether a measure was read that the question calls neither by its name nor by a line item, and not surely: that
    it is a measure, or which."""
    measure = measure_called(read.measures[0]) if read.operation == "measure" and read.measures else None
    if measure is None:
        return False
    items = [text for each in find_asked(reading.question) for text in OF_ANOTHER.split(each.text)]
    if items:  # a net interest margin is no net margin
        own = [item for item in items if is_made_of(measure, item) or measure_called(item) == measure]
        return not own or (len(own) < 2 and not measure_called(own[0]) and read.of_measure < SURE_MEASURE)
    return read.chance < SURE_CHANCE or read.of_measure < SURE_MEASURE


def _whole(read: AskedSum, reading: Reading) -> AskedSum:
    """Spans as whole line items, each once; of what is compared with the line item behind 'than' where no span has
    it."""
    read = _of_one_name(read, (*reading.entities, *reading.metrics))
    spans = [_bare(words, reading) for words in (read.a, read.b, *read.more, *read.minus)]
    a, b, *others = (_whole_name(words, reading, spans) for words in spans)
    more, minus = others[: len(read.more)], others[len(read.more) :]
    more = [words for words in dict.fromkeys(more) if not f" {a} ".count(f" {words} ")]
    if read.use == "yesno" and not b and (a or more):
        behind = {
            each.text for each in find_asked(reading.question) if each.start > compared_at(reading.question)
        }
        b = behind.pop() if len(behind) == 1 and not behind & {a, *more} else b
    if read.operation == "ratio" and not (a or b):
        items = [name for name in reading.metrics if measure_called(name) is None]
        a, b = items if len(items) == 2 else (a, b)
    return replace(read, a=a, b=b, more=tuple(more), minus=tuple(minus))


def _of_one_name(read: AskedSum, names: Collection[str]) -> AskedSum:
    """With what is added as one where it makes a name: 'Mexico' and 'Central America' of a region called so, all of
    'restructuring, impairment and other charges'."""
    a, b, more = read.a, read.b, list[str]()
    pieces = (*a.split(" plus "), *read.more)
    listed = words_of(" ".join(pieces))
    whole = next((each for each in names if listed <= words_of(each) and each not in pieces), "")
    apart = not whole or bool(b) or any(item_called(each) or each in names for each in pieces)
    if read.operation == "sum" and read.more and not apart:
        return replace(read, a=whole, more=())
    for text in read.more:
        own = next((each for each in names if a and each.endswith(f"{a} and {text}")), "")
        other = next((each for each in names if b and each.endswith(f"{b} and {text}")), "")
        a, b = own or a, other or b
        more += [] if own or other else [text]
    return replace(read, a=a, b=b, more=tuple(more))


def _bare(words: str, reading: Reading) -> str:
    """Words of a figure without its company, its kind of year and the statement that it stands in."""
    for name in reading.company_names:
        words = re.sub(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)", " ", words)
    for ask in find_asks(reading.question):  # a piece of one: '25' of '1h25'
        pieces = "|".join(re.findall(r"(?<=[a-z])\d{2,4}\b", ask.text.lower()))
        words = re.sub(rf"^(?:{pieces})\s+(?=[^\W\d])", "", words) if pieces else words
    words = _PLACE.sub("US", words)
    words = without_statement(" ".join(_OF_YEARS.sub(" ", _WHICH.sub("", words)).split()))
    return "|".join(_JOINING.sub("", each.strip(" ,;")) for each in words.split("|"))


def _whole_name(words: str, reading: Reading, spans: Sequence[str]) -> str:
    """The line item that words are a piece of, where they are of one alone, and no other span is: 'additions' of
    'additions to property'."""
    named = {each.text for each in find_asked(reading.question) if not OF_ANOTHER.search(each.text)}
    named = {each for each in named if each.count("(") == each.count(")")}
    named |= {*reading.entities, *reading.metrics}
    others = [each for each in spans if each and each != words]
    whole = [
        text
        for text in named
        if words
        and words.lower() not in (text.lower(), MARGIN.sub("", text).lower())
        and f" {words.lower()} " in f" {text.lower()} "
        and not any(f" {each.lower()} " in f" {text.lower()} " for each in others)
    ]
    if len(whole) == 1 and words not in (*reading.metrics, *reading.entities):
        return whole[0]
    longer = (_overlapping(words, text) for text in named if words)
    return max((each for each in longer if each and each in reading.question), key=len, default=words)


def _overlapping(words: str, name: str) -> str:
    """Words that end as a name begins, with the rest of the name; '' where they do not: 'regulated operating revenue'
    of 'regulated operating' and 'operating revenue'."""
    own, other = words.split(), name.split()
    sizes = range(min(len(own), len(other) - 1), 0, -1)
    return next((" ".join((*own, *other[n:])) for n in sizes if own[-n:] == other[:n] and own[:-n]), "")


def is_of_times(set_words: str) -> bool:
    """Whether quarters or years are ranked or listed."""
    return bool(_TIMES.search(set_words)) or len({ask.year for ask in find_asks(set_words)}) > 1


def listed_names(set_words: str, reading: Reading) -> tuple[str, ...]:
    """Names that a set lists one by one: 'Japan, Taiwan, China and Korea', 'desktop, notebook, other'; () where it only
    calls them."""
    for ask in reversed(find_asks(set_words)):
        set_words = f"{set_words[: ask.start]} {set_words[ask.end :]}"
    runs = [run.rpartition("(")[2].strip(" )") for run in set_words.split("; ")]
    found = next((names for run in runs if len(names := _parted(run)) > 1), tuple(runs))
    said_so = any if found != tuple(runs) else all
    named = len(found) > 2 or said_so(name[:1].isupper() or name[:1].isdigit() for name in found)
    return found if len(found) > 1 and named and all(name in reading.question for name in found) else ()


def _parted(words: str) -> tuple[str, ...]:
    """Names that commas part, the last two also 'and' or 'or'; without commas what these part."""
    *names, last = _COMMA.split(words)
    last_two = [last] if _OPENS_NAME.match(last) and names else _JOINS.split(last)
    parted = (_OPENS_NAME.sub("", each).strip() for each in (*names, *last_two))
    return tuple(filter(None, parted))
