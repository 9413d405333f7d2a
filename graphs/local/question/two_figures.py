"""Two figures that are put to one another: a ratio, a share, a difference; and what is said of one alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from graphs.contracts import Reading
from graphs.local.question.limits import compared_at
from tools.calculate.listed_items import listed
from tools.calculate.measures import catalogue, is_made_of, item_called, measure_called
from tools.calculate.questions import AskedSum, first_name
from tools.calculate.resolving import WHOLE
from tools.calculate.shares import share_items, share_title
from tools.calculate.types import Asked
from tools.knowledge.lexicon.asked_metrics import find_asked
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.knowledge.lexicon.stopwords import STOP_WORDS
from tools.knowledge.lexicon.word_forms import words_of

_OUTSIDE = re.compile(r"\boutside\s+(?:of\s+)?(?:the\s+)?", re.IGNORECASE)
"""Before the part that all of a whole but a share's is not in."""
_THAT_OF = re.compile(r"\bthat\s+of\s+(?:its|the|their)?\s*$", re.IGNORECASE)
"""Before a part whose figure is the one just named."""
_OWNER = re.compile(r"^\w+['’]s\s+")
_BOTH_ENDS = r"(?:(?:opening|beginning)\s+and\s+(?:closing|ending)\s+)?"
TOTAL = words_of("total")
SURE_MEASURE = 0.8
"""Probability that it is this measure, where the question has no name of it: 'capital ratios' may be many."""
ADDED = ("sum", "measure", "none", "period")
"""Operations in which further figures are not a part of one of two."""
_WORD = re.compile(r"\w[\w&.'’-]*")
_SHARE_OF = re.compile(
    r"\s(?:share|slice|proportion|percentage)\s+of\s+(?:(?:its|the|total)\s+)*", re.IGNORECASE
)
LIST_BEFORE = re.compile(r"\b(?:and|plus|&)\s+$", re.IGNORECASE)


def sides(read: AskedSum) -> tuple[str, str]:
    """What is held against what, '' for what was not told; of a difference both may stand in one span."""
    parts = listed(first_name(read.a))
    if read.operation == "difference" and not read.b and len(parts) == 2:
        return parts[0], parts[1]
    return first_name(read.a), first_name(read.b)


def joined(read: AskedSum, question: str) -> AskedSum:
    """Further figures as addends of the one that stands before them, where not all are added to one another."""
    if not read.more or read.operation in ADDED:
        return read
    a, b = first_name(read.a), first_name(read.b)
    for text in map(first_name, read.more):
        if stands_behind(text, read, question) == "b":
            b = f"{b} plus {text}"
        else:
            a = f"{a} plus {text}"
    return replace(read, a=a, b=b, more=())


def taken_away(asked: Asked, read: AskedSum, question: str) -> Asked | None:
    """With what is taken from a figure before anything else is done; None where that is no figure of the formula. A
    measure may have it in its own formula: 'free cash flow, cash from operations less capital expenditures'."""
    if asked.measure:
        measure = measure_called(asked.measure)
        return asked if measure and all(is_made_of(measure, text) for text in read.minus) else None
    formula, items = asked.formula, dict(asked.items)
    for number, text in enumerate(read.minus, start=1):
        of = stands_behind(text, read, question)
        if not items.get(of):
            return None
        less = f"less_{number}"
        whole = re.compile(rf"average\({of}\)|\b{of}\b")  # an average less that of what is taken away
        found = whole.search(formula)
        if found is None:
            return None
        taken = less if found[0] == of else f"average({less})"
        formula = f"{formula[: found.start()]}({found[0]} - {taken}){formula[found.end() :]}"
        items[less] = text
    title = f"{asked.title}, less {' and '.join(map(first_name, read.minus))}"
    return asked.model_copy(update={"formula": formula, "items": tuple(items.items()), "title": title})


def stands_behind(text: str, read: AskedSum, question: str) -> str:
    """The figure, 'a' or 'b', that words stand behind, 'a' where neither stands before them."""
    said = question.lower()

    def place(words: str) -> int:
        first = next(iter(words.lower().split()), "")
        return max(said.find(words.lower()), said.find(first))

    spans = (("a", first_name(read.a)), ("b", first_name(read.b)))
    places = {name: place(span) for name, span in spans if span}
    before = {name: at for name, at in places.items() if 0 <= at < place(text)}
    return max(before, key=lambda name: before[name], default="a")


def of_two(read: AskedSum, reading: Reading) -> Asked | None:
    """One figure by another, or less another; the other is what else the question names where no words of it were
    told."""
    others = [each for each in reading.metrics if each not in read.a and read.a not in each]
    if read.use == "yesno":  # compared with what stands behind 'than' alone
        behind = reading.question[compared_at(reading.question) :] or reading.question
        others = [each for each in others if each in behind]
    a, b = read.a, read.b or (others[0] if len(others) == 1 else "")
    if read.operation == "difference":
        return _less(read, reading, a, b)
    if read.operation == "ratio":
        both = _of_both(read, reading, a, b) if b else None
        items = tuple(zip("ab", both, strict=True)) if both else ()
        title = " to ".join(first_name(words) for _, words in items)
        formula = "a / average(b)" if both and is_averaged(both[1], reading.question) else "a / b"
        return Asked(formula=formula, items=items, title=title) if items else None
    return _share(read, a, b, others)


def _share(read: AskedSum, a: str, b: str, others: Sequence[str]) -> Asked:
    """Of a part in a whole; `others`: what else the question names."""
    if words_of(first_name(b)) <= TOTAL:  # 'sales by product: cereal as a % of the total'
        b = others[0] if len(others) == 1 else ""
    if not b:
        a, b = _part_and_whole(a)
    a, b = map(first_name, (a, b or _usual_whole(read)))
    title = share_title(a, b)
    rest = _OUTSIDE.search(a)
    a = a[rest.end() :] if rest else a
    formula, items = ("a / b", share_items(a, b)) if b else (f"a / {WHOLE}", (("a", a),))
    formula = f"1 - {formula}" if rest else formula
    return Asked(formula=formula, items=items, shown="percent", is_share=True, title=title)


def is_averaged(words: str, question: str) -> bool:
    """Whether the question says 'average' of a figure, or of its opening and closing."""
    name = re.escape(first_name(words))
    return (
        re.search(rf"\baverage\s+(?:of\s+)?(?:the\s+)?{_BOTH_ENDS}{name}", question, re.IGNORECASE)
        is not None
    )


def _less(read: AskedSum, reading: Reading, a: str, b: str) -> Asked | None:
    """One figure less another, or two companies' side by side; what is said of one side alone is meant of both."""
    if len(reading.companies) > 1 and len(words_of(a) & words_of(b) - STOP_WORDS) > 1:  # each by its own name
        a, b = f"{a}|{b}", ""
    if not b:
        found = Asked(formula="a", items=(("a", a),), apart=True, title=first_name(a))
        return found if len(reading.companies) > 1 else None
    a, b = _of_both(read, reading, a, b) or (a, b)
    if not find_asked(a):  # 'how far ahead of International in operating income was U.S.'
        a = " ".join((a, *(each.text for each in find_asked(b)[:1] if _names_more(b, each.text))))
    elif b in reading.question and _THAT_OF.search(reading.question[: reading.question.find(b)]):
        # 'than that of its Canadian segment'
        b = f"{_bare_name(b)} {re.sub(_OWNER, '', find_asked(a)[0].text)}"
    title = f"{first_name(a)} less {first_name(b).replace(' plus ', ' and ')}"
    return Asked(formula="a - b", items=(("a", a), ("b", b)), title=title)


def _of_both(read: AskedSum, reading: Reading, a: str, b: str) -> tuple[str, str] | None:
    """Both sides with what is said of one alone: the figure in which two parts are compared, or the part that both are
    of; None for two parts of which no figure is named."""
    parts = a in reading.entities and b in reading.entities
    told = len(set(map(canonical_metric, reading.metrics))) == 1
    bare = not (find_asked(a) or find_asked(b))
    of = read.of or (
        reading.metrics[0] if told and bare and (parts or read.operation == "difference") else ""
    )
    if of:
        return f"{a} {of}", f"{b} {of}"
    if parts and read.operation == "ratio":
        return None
    known = find_asked(a)
    if (
        _bare_name(b) in reading.entities and known
    ):  # 'long-lived assets, US to Taiwan', 'higher than Europe's'
        return a, f"{_bare_name(b)} {re.sub(_OWNER, '', known[0].text)}"
    return of_one_part(a, b, reading)


def _names_more(words: str, item: str) -> bool:
    """Whether words have a name beside a line item's."""
    return any(word[:1].isupper() for word in words.replace(item, "").split())


def _bare_name(words: str) -> str:
    return re.sub(r"['’]s?$", "", words)


def of_one_part(a: str, b: str, reading: Reading) -> tuple[str, str]:
    """Two line items that are compared, both of the part that is named with the first, where the second is said to be
    of none: 'foreign income' is."""
    part = next((name for name in reading.entities if name in a and name not in b), "")
    known = [each.text for each in find_asked(b) if item_called(each.text)]
    rest = words_of(b) - words_of(" ".join(known)) - STOP_WORDS
    return (a, f"{part} {known[0]}") if part and len(known) == 1 and not rest else (a, b)


def _usual_whole(read: AskedSum) -> str:
    """What the surely likeliest measure divides by, where nobody names a whole: 'of every dollar it sold' is of
    revenue; '' where there is none, or it is no one line item."""
    measure = measure_called(read.measures[0]) if read.measures and read.of_measure >= SURE_MEASURE else None
    below = measure.formula.partition("/")[2].strip() if measure else ""
    item = catalogue().items.get(below)
    return item.labels[0] if item else ""


def _part_and_whole(words: str) -> tuple[str, str]:
    """Of 'capital expenditures U.S. segment' the part and the line item that it is of; (words, '') where they name but
    one of them."""
    for each in find_asked(words):
        rest = f"{words[: each.start]} {words[each.end :]}".strip()
        if rest and item_called(each.text):
            return rest, each.text
    return words, ""


def share_moved(read: AskedSum, reading: Reading) -> tuple[str, str] | None:
    """A part and its whole where both are in the words of what changed, 'share of' between them: 'US share of sales';
    None where they are not."""
    question, words = reading.question, {word.lower(): word for word in _WORD.findall(read.a)}

    def own(found: Iterable[str]) -> str:
        return " ".join(words[each] for each in takewhile(words.__contains__, map(str.lower, found)))

    for between in _SHARE_OF.finditer(question):
        before, behind = _WORD.findall(question[: between.start()]), _WORD.findall(question[between.end() :])
        part = " ".join(reversed(own(reversed(before)).split()))
        whole = own(behind) or own(behind[1:])  # 'share of Orla's sales'
        ahead = question[: between.start()].rstrip("s").rstrip("'’")
        part = part or next((name for name in reading.entities if _ends_with(ahead, name)), "")
        if part and whole and not read.b:
            return part, whole
    return None


def _ends_with(text: str, name: str) -> bool:
    """Whether a name ends a text, and no list."""
    return text.endswith(name) and not LIST_BEFORE.search(text.removesuffix(name))
