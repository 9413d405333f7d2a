"""What a question asks to be computed as a formula: a measure of the catalogue, or line items in its words."""

from __future__ import annotations

import re
from dataclasses import replace

from graphs.contracts import Reading
from graphs.local.question.period_phrases import find_asks
from graphs.local.question.spelled_out import is_spelled_out, spelled_out
from graphs.local.question.two_figures import (
    LIST_BEFORE,
    SURE_MEASURE,
    joined,
    of_one_part,
    of_two,
    share_moved,
    sides,
    taken_away,
)
from tools.calculate.listed_items import is_term
from tools.calculate.measures import (
    Measure,
    is_called,
    is_made_of,
    item_called,
    labels_above,
    labels_below,
    measure_called,
    measure_named,
)
from tools.calculate.questions import AskedSum, first_name
from tools.calculate.shares import share_items, share_title
from tools.calculate.types import OF_ACROSS, RANKED, Across, Asked, Over, Shown
from tools.knowledge.lexicon.asked_metrics import find_asked
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.knowledge.lexicon.word_forms import words_of

_NAME = re.compile(r"[A-Z]")
MARGIN = re.compile(r"\s+margins?$", re.IGNORECASE)
"""Behind a line item: what it is of sales."""
SALES = "net sales|total revenues|revenue"
"""What grows, or makes one part bigger than another, where a question does not say."""
OF_ANOTHER = re.compile(r"\bas\s+an?\s+(?:%|percent(?:age)?|share)\s+of\s", re.IGNORECASE)
_LIST_GOES_ON = re.compile(r"\s*(?:and|plus|&)\s", re.IGNORECASE)
_AVERAGED = re.compile(r"\baverage\b|\bopening\s+and\s+closing\b", re.IGNORECASE)
_CLOSING = re.compile(
    r"\b(?:year|quarter|period)[\s-]end\b|\bclosing\b|\bend\s+of\b|\bat\s+the\s+end\b", re.IGNORECASE
)


def named_measure(question: str) -> str:
    """The measure that a question calls by its name, '' for an adjusted one: that is as its company defines it."""
    name = measure_named(question)
    asked = {each.canonical for each in find_asked(question)}
    plain = canonical_metric(name)
    return "" if any(each != plain and each.endswith(f" {plain}") for each in asked) else name


def formula_of(read: AskedSum, reading: Reading) -> Asked | None:
    """Formula, items and what is made of them over time; None where the question names no figure for it, or one that
    is to be taken from what is no figure by itself."""
    measure = _measure(read, reading) if read.operation == "measure" else None
    own = spelled_out(read, measure, reading) if measure else None
    if own is not None:
        return own
    asked = _of_figures(read, reading)
    return taken_away(asked, read, reading.question) if asked and read.minus else asked


def _of_figures(read: AskedSum, reading: Reading) -> Asked | None:
    """As `formula_of`, without what is taken from a figure first."""
    read = joined(_as_operation(read, reading), reading.question)
    across = ACROSS.get(read.operation, "")
    if across:  # 'sales growth': what grows is sales
        read = replace(read, a=re.sub(rf"\s+{across}$", "", read.a, flags=re.IGNORECASE))
    apart = _apart(read, reading) or _of_two_times(read, reading)
    if apart is not None:
        return apart
    measured = _of_measure(read, reading, across)
    if measured is not None or read.operation == "measure":
        return measured or _like_measure(read, reading)
    if not read.a and read.operation == "growth" and not reading.metrics:
        read = replace(read, a=SALES)
    if not read.a:
        return None
    if read.operation in ("share", "ratio", "difference"):
        return of_two(read, reading)
    if read.operation == "sum" and read.more:
        items = {"a": read.a, **{f"a{n}": text for n, text in enumerate(read.more, start=2)}}
        title = f"sum of {' and '.join(map(first_name, items.values()))}"
        return Asked(formula=" + ".join(items), items=tuple(items.items()), across="sum", title=title)
    return _over_time(read, reading, across)


def _as_operation(read: AskedSum, reading: Reading) -> AskedSum:
    """A change in percent is growth, what changed of one figure as a share of another a change, and a sum that is held
    against another figure a difference."""
    if read.operation in ("change", "growth") and read.a and read.b and OF_ANOTHER.search(reading.question):
        return replace(read, operation="change")
    if read.operation == "change" and _IN_PERCENT.search(reading.question) and not _is_rate(read):
        return replace(read, operation="growth")
    return replace(read, operation="difference") if read.operation == "sum" and read.b else read


def _over_time(read: AskedSum, reading: Reading, across: Across) -> Asked:
    """What is made over time of one figure, or of a quotient: 'marketing as a share of revenue'."""
    share = share_moved(read, reading) if across in ("change", "average") else None
    if share is not None:
        a, b = share
        title = f"{OF_ACROSS[across]} {share_title(a, b)}"
        items = share_items(a, b)
        return Asked(formula="a / b", items=items, across=across, shown="percent", is_share=True, title=title)
    name, plain = first_name(read.a), read.operation == "period"
    if not across:
        return Asked(formula="a", items=(("a", read.a),), derived=plain, title=name)
    b = read.b or _behind_share(reading.question)
    if not b:
        return Asked(formula="a", items=(("a", read.a),), across=across, title=f"{OF_ACROSS[across]} {name}")
    a, b = of_one_part(read.a, b, reading)
    title = f"{OF_ACROSS[across]} {name} to {first_name(b)}"
    shown: Shown | None = None if across == "growth" else "percent"
    return Asked(formula="a / b", items=(("a", a), ("b", b)), across=across, shown=shown, title=title)


def _behind_share(question: str) -> str:
    """The line item behind 'as a share of'; '' where there is none."""
    match = OF_ANOTHER.search(question)
    behind = find_asked(question[match.end() :]) if match else ()
    return behind[0].text if behind and not behind[0].start else ""


def _apart(read: AskedSum, reading: Reading) -> Asked | None:
    """How far two parts or companies lie apart in a measure, or two line items in their growth; None where that is not
    asked for."""
    both = sides(read)
    if read.operation == "growth":
        return _growth_apart(read, both)
    named = named_measure(reading.question)
    if not (named or read.a or read.b) and read.of_measure >= SURE_MEASURE:
        named = next(iter(read.measures), "")
    measure = measure_called(named)
    if read.operation == "measure" and read.use == "yesno" and all(both):
        measure = _measure(read, reading)
    elif read.operation != "difference":
        return None
    if measure is None and all(both) and any(map(OF_ANOTHER.search, reading.metrics)):
        measure = _measure(read, reading)
    if measure is None or any(map(_is_item, both)):
        return None
    over: Over = "part" if all(both) else "company"
    if over == "company" and len(reading.companies) != 2:
        return None
    parts = tuple(part_of(each, measure, reading) or each for each in both) if over == "part" else ()
    return Asked(measure=measure.name, over=over, parts=parts, apart=True, title=measure.name)


def _growth_apart(read: AskedSum, both: tuple[str, str]) -> Asked | None:
    """How far two parts lie apart in their growth; None where no two are named, or more is added to them."""
    if not all(both) or read.use not in ("yesno", "value") or read.more:
        return None
    title = f"growth, {both[0]} against {both[1]}"
    items = (("a", ""),)  # each part itself
    return Asked(formula="a", items=items, across="growth", over="part", parts=both, apart=True, title=title)


def _is_item(words: str) -> bool:
    """Whether words are the name of a line item or a measure of the catalogue."""
    return bool(words) and bool(item_called(words) or measure_called(words))


def _of_two_times(read: AskedSum, reading: Reading) -> Asked | None:
    """How many times what it was before something is: a ratio of one figure at two times; None for any other."""
    a, b = (canonical_metric(first_name(words)) for words in (read.a, read.b))
    dated = len({ask.year for ask in find_asks(reading.question)}) > 1
    if read.operation != "ratio" or not dated or b not in ("", a) or len(set(reading.metrics)) > 1:
        return None
    return _over_time(replace(read, b=""), reading, "times") if a else None


_IN_PERCENT = re.compile(r"(?:%|\bper\s?cent(?:age)?\b)(?!\s+(?:points?|of)\b)", re.IGNORECASE)
"""A change in percent is growth, whatever it is called."""


def _is_rate(read: AskedSum) -> bool:
    """Whether what changed is itself put in percent."""
    measure = measure_called(read.a)
    return _IN_PERCENT.search(read.a) is not None or (measure is not None and measure.shown == "percent")


def _of_measure(read: AskedSum, reading: Reading, across: Across) -> Asked | None:
    """A measure, ranked or not, or what is made of it over time; also where a slice of one line item by another is
    asked for, both named, and a measure is made of them."""
    measure = _measure(read, reading)
    if measure is None:
        return None
    itself = across or (read.operation == "none" and read.use in RANKED)
    if read.operation == "measure" or (itself and _is_of(read, measure, reading)):
        part = part_of(read.a, measure, reading)
        if across and not _NAME.search(part):  # 'reported margin' is of no part
            part = ""
        title = f"{OF_ACROSS[across]} {measure.name}" if across else measure.name
        averaged = None if across == "average" else averaged_in(reading.question)
        if averaged is None and read.operation == "measure" and is_spelled_out(read, measure, reading):
            averaged = False
        return Asked(measure=measure.name, part=part, averaged=averaged, across=across, title=title)
    halves = read.operation in ("ratio", "share", "difference") and not (read.a and read.b)
    if halves and len({each.canonical for each in find_asked(reading.question)}) > 1:
        return Asked(measure=measure.name, averaged=averaged_in(reading.question), title=measure.name)
    return None


def _like_measure(read: AskedSum, reading: Reading) -> Asked | None:
    """The ratio of two line items, one of which stands where it does in the likeliest measure: operating income by
    assets as net income by assets. None where that can't be told."""
    measure = measure_called(read.measures[0]) if read.measures else None
    mentions = find_asked(reading.question)
    items = list(dict.fromkeys(MARGIN.sub("", each.text) for each in mentions))
    if measure is None or measure.formula.count("/") != 1 or measure.shown in ("days", "amount"):
        return None
    if read.a and read.b:
        told = of_two(replace(read, operation="ratio"), reading)
        return told.model_copy(update={"shown": measure.shown}) if told else None
    if len(items) != 2:
        return None
    if any(
        _LIST_GOES_ON.match(reading.question, each.end) or LIST_BEFORE.search(reading.question[: each.start])
        for each in mentions
    ):
        return None
    above, below = (side(measure) for side in (labels_above, labels_below))
    known = [[is_called(item, labels) for labels in (above, below)] for item in items]
    if sum(map(any, known)) != 1 or any(map(all, known)):
        return None
    at = next(n for n, (over, under) in enumerate(known) if over or under)
    a, b = (items[at], items[1 - at]) if known[at][0] else (items[1 - at], items[at])
    return Asked(
        formula="a / b",
        items=(("a", a), ("b", b)),
        part=part_of(read.a, measure, reading),
        shown=measure.shown,
        title=f"{a} to {b}",
    )


def part_of(words: str, measure: Measure, reading: Reading) -> str:
    """The segment, product or region in the words of a measure's figure: what is neither a line item of it, nor its
    name or the company's."""
    asked = [each.text.lower() for each in find_asked(reading.question) if is_made_of(measure, each.text)]
    if measure_called(words) or words in reading.metrics or any(words.lower() in text for text in asked):
        return ""
    if is_term(words):  # 'short-term plus long-term debt'
        return ""
    for each in reversed(find_asked(words)):
        if is_made_of(measure, each.text) or named_measure(each.text) == measure.name:
            words = f"{words[: each.start]} {words[each.end :]}"
    names = [each.strip() for each in words.split("|")]
    words = next((each for each in names if each in reading.entities), first_name(words))
    own = words_of(" ".join((*reading.company_names, measure.name, *measure.names)))
    return " ".join(word for word in words.split() if not words_of(word) <= own)


def _measure(read: AskedSum, reading: Reading) -> Measure | None:
    """The measure that the question calls by its name, or the likeliest one that is made of the line items which it
    names, if it names several; None where a name and what was learnt are at odds, and it names other items, too."""
    asked = find_asked(reading.question)
    begun = {each.start for each in asked}
    # 'cash additions to property' are no cash
    whole = [each.text for each in asked if each.end + 1 not in begun or reading.question[each.end] != " "]
    items = [text for each in whole for text in OF_ANOTHER.split(each) if text.strip()]
    named = measure_called(named_measure(reading.question))
    found = [named] if named else [measure_called(name) for name in read.measures]
    if (named and named.name in read.measures[:1]) or len(items) < 2:
        return found[0] if found else None
    items = [each for each in items if measure_called(each) is None or measure_called(each) != named]
    return next((each for each in found if each and all(is_made_of(each, item) for item in items)), None)


def _is_of(read: AskedSum, measure: Measure, reading: Reading) -> bool:
    """Whether a measure is what changed: the words are its name or hold it, or are a line item of it where the question
    calls it by its name and it is the likeliest."""
    if measure_called(read.a) == measure or named_measure(read.a) == measure.name:
        return True
    if not read.a and measure.name == named_measure(reading.question):
        return True
    said = measure.name == named_measure(reading.question)
    if said and _NAME.search(read.a) and not find_asked(read.a):  # 'Europe, change in operating margin'
        return True
    return said and measure.name in read.measures[:1] and is_made_of(measure, read.a)


ACROSS: dict[str, Across] = {
    "growth": "growth",
    "cagr": "cagr",
    "change": "change",
    "average": "average",
    "sum": "sum",
}


def averaged_in(question: str) -> bool | None:
    """Whether balances are wanted on average (True) or at the close (False); None where nobody says."""
    if _AVERAGED.search(question):
        return True
    return False if _CLOSING.search(question) else None
