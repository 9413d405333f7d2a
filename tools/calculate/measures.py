"""The catalogue of financial measures, `data/measures.json`: formula over line items, and how the result is put.

Line items are called by US-GAAP concepts and by their usual labels. Balances may be taken on average (opening and
closing) or at the close: `average(item)` in a formula is the catalogue's choice, a question may want the other.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from tools.calculate.types import Shown
from tools.knowledge.lexicon.asked_metrics import find_asked
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.knowledge.lexicon.word_forms import words_of

CATALOGUE = Path(__file__).parent / "data" / "measures.json"
RATES = ("percent", "percentage points", "basis points")
"""Units in small letters in which nothing is counted."""
_PLURALS = re.compile(r"\b(margin|ratio|flow|rate)s\b")
_AVERAGE = re.compile(r"average\((\w+)\)")


class Item(BaseModel):
    """A line item as measures name it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    labels: tuple[str, ...]
    """Usual labels, the most usual first."""
    concepts: tuple[str, ...] = ()
    """Local names of US-GAAP concepts."""
    statement: str = ""
    """The statement that prints it; '' where none does."""
    size: bool = False
    """Taken without its sign: statements print outflows in brackets or plain."""
    optional: bool = False
    """Counts as nothing where the statement has no such line."""
    instead: str = ""
    """Formula where no line is printed."""
    counted: bool = False
    """Counts things: what is in money or percent is another line."""

    worded: bool = False
    """The first label is what a question calls it."""

    def called(self, words: str) -> Item:
        """The same, looked for by these words first; it does not count as nothing."""
        return self.model_copy(update={"labels": (words, *self.labels), "optional": False, "worded": True})

    def takes(self, unit: str) -> bool:
        """Whether a figure in this unit may be it."""
        return not self.counted or unit == "" or (unit.islower() and unit not in RATES)

    @property
    def is_balance(self) -> bool:
        """Of a day, not of a span of time."""
        return self.statement == "balance"


class Measure(BaseModel):
    """A measure of the field."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    names: tuple[str, ...]
    """What it is called, in lower case."""
    formula: str
    shown: Shown
    not_for: str = ""
    """What kind of company has none, and why."""

    def formula_with(self, *, averaged: bool | None) -> str:
        """The formula, its balances at the close (False), on average (True), or as the catalogue has it (None)."""
        if averaged is None:
            return self.formula
        plain = _AVERAGE.sub(r"\1", self.formula)
        if not averaged:
            return plain
        return re.sub(r"\w+", lambda m: f"average({m[0]})" if _is_balance(m[0]) else m[0], plain)


class _Catalogue(BaseModel):
    model_config = ConfigDict(extra="forbid")

    items: dict[str, Item]
    measures: tuple[Measure, ...]


@cache
def catalogue() -> _Catalogue:
    """Items by their names in formulas, and the measures. Raises pydantic's ValidationError where the file is
    damaged."""
    return _Catalogue.model_validate_json(CATALOGUE.read_text(encoding="utf-8"))


@cache
def concepts_of_items() -> frozenset[str]:
    """Names of concepts that any item of the catalogue is tagged with."""
    return frozenset(each for item in catalogue().items.values() for each in item.concepts)


def _is_balance(name: str) -> bool:
    item = catalogue().items.get(name)
    return item is not None and item.is_balance


@cache
def measure_called(name: str) -> Measure | None:
    """The measure of this name, or by any that it goes by; None where the catalogue has none."""
    folded = " ".join(name.lower().replace("-", " ").split())
    for measure in catalogue().measures:
        if folded in {each.replace("-", " ") for each in (*measure.names, measure.name.lower())}:
            return measure
    return None


def measure_named(text: str) -> str:
    """The measure that a text calls by its name, the longest name first; '' where it calls none."""
    folded = f" {' '.join(re.sub(r'[^a-z&/]+', ' ', text.lower()).split())} "
    folded = _PLURALS.sub(r"\1", folded)
    found = [
        (len(name), measure.name)
        for measure in catalogue().measures
        for name in (*measure.names, measure.name.lower())
        if f" {' '.join(re.sub(r'[^a-z&/]+', ' ', name).split())} " in folded
    ]
    return max(found, default=(0, ""))[1]


def measure_mention(text: str) -> tuple[int, int] | None:
    """Where a text calls a measure by its name, the longest name: start and end; None where it calls none."""
    spans = [match.span() for match in _names_of_measures().finditer(text)]
    return max(spans, key=lambda span: (span[1] - span[0], -span[0]), default=None)


@cache
def _names_of_measures() -> re.Pattern[str]:
    names = {name for measure in catalogue().measures for name in (*measure.names, measure.name)}
    longest = sorted(names, key=len, reverse=True)
    either = "|".join(r"[\s-]+".join(map(re.escape, re.split(r"[\s-]+", name))) for name in longest)
    return re.compile(rf"(?<!\w)(?:{either})s?(?!\w)", re.IGNORECASE)


@cache
def item_called(words: str) -> Item | None:
    """The line item of the catalogue that these words are a usual label of; None where it has none."""
    name = canonical_metric(words)
    found = (item for item in catalogue().items.values() if name in map(canonical_metric, item.labels))
    return next(found, None)


def _labels(formula: str) -> frozenset[str]:
    """Usual labels of a formula's line items, of those that stand in for them, too."""
    items = catalogue().items
    names = [name for name in re.findall(r"[a-z_]+", formula) if name in items]
    names += [inner for name in names for inner in re.findall(r"[a-z_]+", items[name].instead)]
    return frozenset(label for name in names for label in items[name].labels)


@cache
def labels_above(measure: Measure) -> frozenset[str]:
    """Labels of what is divided."""
    return _labels(measure.formula.partition("/")[0])


@cache
def labels_below(measure: Measure) -> frozenset[str]:
    """Labels of what it is divided by."""
    return _labels(measure.formula.partition("/")[2])


@cache
def is_divisor(line_item: str) -> bool:
    """Whether some measure divides by a line item: revenue, total assets."""
    item = item_called(line_item)
    return item is not None and any(not labels_below(x).isdisjoint(item.labels) for x in catalogue().measures)


def is_called(line_item: str, labels: Collection[str]) -> bool:
    """Whether a line item as a question has it is one of these: by its name, or in words of one of them."""
    if canonical_metric(line_item) in set(map(canonical_metric, labels)):
        return True
    words = words_of(line_item)
    return bool(words) and any(words <= words_of(label) for label in labels)


def is_made_of(measure: Measure, line_item: str) -> bool:
    """Whether a measure is made of a line item as a question has it."""
    return is_called(line_item, _labels(measure.formula))


def known_in(words: str) -> frozenset[str]:
    """Line items of the catalogue that words name, by their first labels."""
    named = (item_called(each) for each in (words, *(mention.text for mention in find_asked(words))))
    return frozenset(item.labels[0] for item in named if item)
