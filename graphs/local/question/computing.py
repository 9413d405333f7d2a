"""Question -> what it asks to be computed: the operation and its figures as learnt, companies and periods as read."""

from __future__ import annotations

import re
from dataclasses import replace

from graphs.contracts import PlannedCalculation, Reading
from graphs.local.question.computed_periods import QUARTERS, whens_of
from graphs.local.question.limits import how_many, limit_of
from tools.calculate.measures import (
    Measure,
    is_called,
    is_made_of,
    labels_above,
    labels_below,
    measure_called,
    measure_named,
)
from tools.calculate.questions import AskedSum, read_sum, to_embed
from tools.calculate.resolving import WHOLE
from tools.calculate.types import Across, Asked, Over, Pick
from tools.documents.metadata.catalog import Catalog
from tools.knowledge.lexicon.asked_metrics import find_asked
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.knowledge.lexicon.word_forms import words_of
from tools.scope import Scope
from tools.vector.embeddings import Embedder

MIN_CHANCE = 0.5
"""Probability of operation and use together from which a question is computed."""
GROWS = "net sales|total revenues|revenue"
"""What grows where a question does not say."""
SIDE_BY_SIDE = ("difference", "sum", "average", "period")
"""Operations that are not made of several companies' figures."""
PRINTED = ("none", "growth", "change", "period")
"""Operations whose results pages may print."""
_YEARS = re.compile(r"\byears?\b", re.IGNORECASE)
_LISTED = re.compile(r"\s*(?:,|;|\bor\b|\band\b|&)\s*(?:\b(?:or|and)\b\s*)?", re.IGNORECASE)
_OF_ANOTHER = re.compile(r"\bas\s+an?\s+(?:%|percent(?:age)?|share)\s+of\b", re.IGNORECASE)
_LIST_GOES_ON = re.compile(r"\s*(?:and|plus|&)\s", re.IGNORECASE)
_LIST_BEFORE = re.compile(r"\b(?:and|plus|&)\s+$", re.IGNORECASE)
_AVERAGED = re.compile(r"\baverage\b|\bopening\s+and\s+closing\b", re.IGNORECASE)
_CLOSING = re.compile(
    r"\b(?:year|quarter|period)[\s-]end\b|\bclosing\b|\bend\s+of\b|\bat\s+the\s+end\b", re.IGNORECASE
)


def calculation_asked(
    reading: Reading, catalog: Catalog, within: Scope, embedder: Embedder
) -> PlannedCalculation | None:
    """The calculation that answers a question; None where it asks for none that can be read from it. Raises
    ModelFileError where the embedding's files are missing."""
    companies = reading.companies or reading.scope.companies
    if not companies or reading.spoken or reading.told or reading.out_of_scope or reading.unknown_companies:
        return None
    read = read_sum(reading.question, embedder.embed_query(to_embed(reading.question)))
    read = _with_names(read, reading)
    wanted = _is_asked(read, reading)
    asked = _asked(read, reading) if wanted else _derived(read, reading)
    if asked is None and wanted and (read.use != "value" or read.operation not in PRINTED):
        asked = Asked(title=_unread(read, reading))
    if asked is None:
        return None
    whens = [(key, whens_of(reading, catalog, within, key, asked)) for key in companies]
    several = max(len(own) for _, own in whens) > 1
    if several and not (asked.across or asked.over) and read.operation in ("measure", "ratio", "share"):
        asked = asked.model_copy(update={"over": "period"})
    return PlannedCalculation(asked=asked, companies=companies, periods=tuple(whens))


def _unread(read: AskedSum, reading: Reading) -> str:
    """What was to be computed, where it can't be read of what."""
    what = {"none": "a ranking", "measure": "a ratio"}.get(read.operation, f"the {read.operation}")
    return f"{what} of {' and '.join(reading.metrics)}" if reading.metrics else what


def _named(question: str) -> str:
    """The measure that a question calls by its name, '' for an adjusted one: that is as its company defines it."""
    name = measure_named(question)
    asked = {each.canonical for each in find_asked(question)}
    plain = canonical_metric(name)
    return "" if any(each != plain and each.endswith(f" {plain}") for each in asked) else name


def _is_asked(read: AskedSum, reading: Reading) -> bool:
    """Whether something is to be ranked, or computed, surely enough; figures of several companies named side by side
    are compared, not added or taken from one another."""
    if read.use == "value" and len(reading.companies) > 1 and read.operation in SIDE_BY_SIDE:
        return False
    return read.use != "value" or (read.chance >= MIN_CHANCE and read.operation != "none")


def _derived(read: AskedSum, reading: Reading) -> Asked | None:
    """A plain figure of one period, for the case that no page prints that period of it, or a measure that none prints
    at all."""
    named = _named(reading.question)
    if named and read.use == "value" and not reading.entities:
        return Asked(title=named, measure=named, averaged=_balances(reading.question), derived=True)
    if len(reading.metrics) != 1 or len(reading.companies) != 1 or reading.parts or not reading.months:
        return None
    name = " ".join((*reading.entities[:1], *reading.metrics))
    return Asked(title=name, formula="a", items=(("a", name),), derived=True)


def _with_names(read: AskedSum, reading: Reading) -> AskedSum:
    """What was read, with what the catalogue and the index know by name: a measure that the question calls so, and
    products, segments and places that no span has."""
    named = _named(reading.question)
    if named and read.operation in ("ratio", "period", "difference", "measure"):
        read = replace(read, operation="measure", a="" if measure_called(read.a) else read.a)
    if not read.a and read.operation not in ("none", "measure") and len(reading.metrics) == 1:
        b = "" if read.b in reading.company_names else read.b
        read = replace(read, a=reading.metrics[0], b=b)
    spans = " ".join((read.a, read.b, *read.more, read.set_words))
    free = [name for name in reading.entities if name not in spans]
    read = replace(read, a=_whole_name(read.a, reading), b=_whole_name(read.b, reading))
    if read.use in ("highest", "lowest", "list"):
        return read if len(reading.entities) < 2 else replace(read, set_words=" or ".join(reading.entities))
    if free and read.operation == "share" and read.b:
        return replace(read, b=f"{free[0]} {read.b}") if read.a in reading.entities else read
    return (
        replace(read, a=f"{free[0]} {read.a}".strip())
        if len(free) == 1 and read.operation != "none"
        else read
    )


def _whole_name(words: str, reading: Reading) -> str:
    """The line item that words are a piece of, where they are of one alone: 'additions' of 'additions to property'."""
    named = {each.text for each in find_asked(reading.question) if not _OF_ANOTHER.search(each.text)}
    whole = [text for text in named if words and f" {words.lower()} " in f" {text.lower()} "]
    return whole[0] if len(whole) == 1 and words not in named else words


def _asked(read: AskedSum, reading: Reading) -> Asked | None:
    """What is to be computed; None where the question names no figure for it."""
    base = _formula(read, reading)
    if base is None:
        return None
    pick: Pick = read.use if read.use in ("highest", "lowest") else "highest" if read.use == "list" else ""
    measure = measure_called(base.measure)
    shown = measure.shown if measure else base.shown
    bare = shown in ("ratio", "times")
    limited = read.use in ("yesno", "list") and (bare or shown == "percent")
    threshold, above = limit_of(reading.question, bare=bare) if limited else ("", True)
    if read.use == "yesno" and bare and measure:
        threshold = threshold or "1"
    over = _over(read, reading, ranked=bool(pick))
    if read.use == "yesno" and not threshold and not over and read.operation != "difference":
        return None
    return base.model_copy(
        update={
            "pick": pick,
            "top": how_many(reading.question) if pick else 0,
            "threshold": threshold,
            "above": above,
            "yes_no": read.use == "yesno",
            "over": over,
            "parts": _listed(read.set_words, reading) if over == "part" else (),
            "set_words": read.set_words,
            "said": reading.question,
        }
    )


def _formula(read: AskedSum, reading: Reading) -> Asked | None:
    """Formula, items and what is made of them over time; None where the question names no figure for it."""
    across = _ACROSS.get(read.operation, "")
    measure = _measure(read, reading)
    if measure and (read.operation == "measure" or (across and _is_of(read.a, measure))):
        part = "" if across else _part_of(read.a, measure, reading)
        title = f"{_OF[across]} {measure.name}" if across else measure.name
        averaged = None if across == "average" else _balances(reading.question)
        return Asked(measure=measure.name, part=part, averaged=averaged, across=across, title=title)
    if read.operation == "measure":
        return _like_measure(read, reading)
    if measure and read.operation in ("ratio", "share", "difference") and not (read.a and read.b):
        named = {each.canonical for each in find_asked(reading.question)}
        if len(named) > 1:
            return Asked(measure=measure.name, averaged=_balances(reading.question), title=measure.name)
    if not read.a and read.operation == "growth" and not reading.metrics:
        read = replace(read, a=GROWS)
    if not read.a:
        return None
    if read.operation in ("share", "ratio", "difference"):
        return _of_two(read, reading)
    if read.operation == "sum" and read.more:
        items = {"a": read.a, **{f"a{n}": text for n, text in enumerate(read.more, start=2)}}
        title = "sum of " + " and ".join(items.values())
        return Asked(formula=" + ".join(items), items=tuple(items.items()), across="sum", title=title)
    name, plain = read.a.partition("|")[0], read.operation == "period"
    title = f"{_OF[across]} {name}" if across else name
    return Asked(formula="a", items=(("a", read.a),), across=across, derived=plain, title=title)


def _like_measure(read: AskedSum, reading: Reading) -> Asked | None:
    """The ratio of two line items, one of which stands where it does in the likeliest measure: operating income by
    assets as net income by assets. None where that can't be told."""
    measure = measure_called(read.measures[0]) if read.measures else None
    mentions = find_asked(reading.question)
    items = list(dict.fromkeys(each.text for each in mentions))
    if measure is None or len(items) != 2 or measure.formula.count("/") != 1:
        return None
    if any(
        _LIST_GOES_ON.match(reading.question, each.end) or _LIST_BEFORE.search(reading.question[: each.start])
        for each in mentions
    ):
        return None
    above, below = (side(measure) for side in (labels_above, labels_below))
    known = [[is_called(item, labels) for labels in (above, below)] for item in items]
    if sum(map(any, known)) != 1 or any(map(all, known)):
        return None
    at = next(n for n, (over, under) in enumerate(known) if over or under)
    a, b = (items[at], items[1 - at]) if known[at][0] else (items[1 - at], items[at])
    return Asked(formula="a / b", items=(("a", a), ("b", b)), shown=measure.shown, title=f"{a} to {b}")


def _of_two(read: AskedSum, reading: Reading) -> Asked | None:
    """One figure by another, or less another; the other is what else the question names where no words of it were
    told."""
    others = [each for each in reading.metrics if each not in read.a and read.a not in each]
    a, b = read.a, read.b or (others[0] if len(others) == 1 else "")
    if read.operation == "difference":
        if not b and len(reading.companies) < 2:
            return None
        items = {"a": a, "b": b} if b else {"a": a}
        return Asked(formula=" - ".join(items), items=tuple(items.items()), title=f"{a} less {b}" if b else a)
    if read.operation == "ratio":
        return Asked(formula="a / b", items=(("a", a), ("b", b)), title=f"{a} to {b}") if b else None
    title = f"share of {a} in {b or 'the total'}"
    if not b:
        return Asked(formula=f"a / {WHOLE}", items=(("a", a),), shown="percent", is_share=True, title=title)
    items = {"a": f"{a} {b}|{b} {a}|{a}", "b": b}
    return Asked(formula="a / b", items=tuple(items.items()), shown="percent", is_share=True, title=title)


def _part_of(words: str, measure: Measure, reading: Reading) -> str:
    """The segment, product or region in the words of a measure's figure: what is neither a line item of it nor the
    company's name."""
    if measure_called(words):
        return ""
    for each in reversed(find_asked(words)):
        if is_made_of(measure, each.text):
            words = f"{words[: each.start]} {words[each.end :]}"
    own = words_of(" ".join(reading.company_names))
    return " ".join(word for word in words.split() if not words_of(word) <= own)


def _measure(read: AskedSum, reading: Reading) -> Measure | None:
    """The measure that the question calls by its name, or the likeliest one that is made of the line items which it
    names, if it names several; None where a name and what was learnt are at odds, and it names other items, too."""
    items = [
        text for each in find_asked(reading.question) for text in _OF_ANOTHER.split(each.text) if text.strip()
    ]
    named = measure_called(_named(reading.question))
    found = [named] if named else [measure_called(name) for name in read.measures]
    if (named and named.name in read.measures[:1]) or len(items) < 2:
        return found[0] if found else None
    items = [each for each in items if measure_called(each) is None or measure_called(each) != named]
    return next((each for each in found if each and all(is_made_of(each, item) for item in items)), None)


def _is_of(words: str, measure: Measure) -> bool:
    """Whether a measure is what changed: the words are its name, or hold it."""
    return measure_called(words) == measure or measure_named(words) == measure.name


_ACROSS: dict[str, Across] = {
    "growth": "growth",
    "cagr": "cagr",
    "change": "change",
    "average": "average",
    "sum": "sum",
}
_OF: dict[Across, str] = {
    "growth": "growth of",
    "cagr": "compound annual growth of",
    "change": "change of",
    "average": "average",
    "sum": "total of",
}


def _over(read: AskedSum, reading: Reading, *, ranked: bool) -> Over:
    """Of what there is one result each."""
    if len(reading.companies) > 1:
        return "company"
    if ranked:
        return "period" if _YEARS.search(read.set_words) or QUARTERS.search(read.set_words) else "part"
    return ""


def _listed(set_words: str, reading: Reading) -> tuple[str, ...]:
    """Names that a set lists one by one: 'Japan, Taiwan, China and Korea'; () where it only calls them."""
    names = [name.strip() for name in _LISTED.split(set_words) if name.strip()]
    found = tuple(
        re.sub(r"^(?:which\s+of\s+|of\s+|the\s+)+", "", name, flags=re.IGNORECASE) for name in names
    )
    named = any(name[:1].isupper() or name[:1].isdigit() for name in found)
    return found if len(found) > 1 and named and all(name in reading.question for name in found) else ()


def _balances(question: str) -> bool | None:
    if _AVERAGED.search(question):
        return True
    return False if _CLOSING.search(question) else None


def may_be_printed(asked: Asked) -> bool:
    """Whether running text is likely to give the result itself: a rate of the whole company."""
    measure = measure_called(asked.measure)
    plain = not (asked.part or asked.across or asked.pick or asked.yes_no)
    return plain and measure is not None and measure.shown == "percent"
