"""A text of a claim or of its evidence, and what the checks read in it: each reading is made once."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

from graphs.drafts.figures import quantities
from graphs.drafts.words import content, verbatim
from graphs.local.check.figure_changes import (
    FigureChange,
    find_changes,
    find_dated_changes,
    find_prior_changes,
)
from graphs.local.check.named_words import NamedWord, find_names
from graphs.local.text.degrees import Degree, find_degrees
from graphs.local.text.period_mentions import Mention, find_mentions
from graphs.local.text.polarity import Sign, directions, negations
from tools.knowledge.lexicon.metric_names import MetricMention, find_metrics
from tools.period_words import ORDINALS
from tools.values import Quantity


class ParsedText:
    """What one text says. Spans are positions in `text`; stems are those of `graphs.drafts.words.content`."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """Numbers with unit and scale."""
        return quantities(self.text)

    @cached_property
    def periods(self) -> tuple[Mention, ...]:
        """Period phrases."""
        return find_mentions(self.text)

    @cached_property
    def metrics(self) -> tuple[MetricMention, ...]:
        """Metrics named."""
        return tuple(find_metrics(self.text))

    @cached_property
    def metric_names(self) -> frozenset[str]:
        """Canonical names of `metrics`."""
        return frozenset(mention.canonical for mention in self.metrics)

    @cached_property
    def directions(self) -> tuple[Sign, ...]:
        """Words that say up or down."""
        return directions(self.text)

    @cached_property
    def denials(self) -> tuple[Sign, ...]:
        """Words that deny what follows them."""
        return negations(self.text)

    @cached_property
    def degrees(self) -> tuple[Degree, ...]:
        """Fractions and multiples in words."""
        return find_degrees(self.text)

    @cached_property
    def changes(self) -> tuple[FigureChange, ...]:
        """Figures that the text compares with one another."""
        return tuple(find_changes(self.text))

    @cached_property
    def dated_changes(self) -> tuple[FigureChange, ...]:
        """`changes`, and figures whose periods say which of them is the earlier one."""
        return (*self.changes, *find_dated_changes(self.text), *find_prior_changes(self.text))

    @cached_property
    def names(self) -> tuple[NamedWord, ...]:
        """Capitalised words that may name something."""
        return find_names(self.text, self.periods)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """Of the words that carry meaning, in order."""
        return content(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """`stems`, each once."""
        return frozenset(self.stems)

    def as_written(self, stem: str) -> str:
        """The first word of the text that has a stem."""
        return next((w for w in _WRITTEN.findall(self.text) if stem in content(w)), stem)

    @cached_property
    def marks(self) -> frozenset[str]:
        """What a claim and its evidence share: stems, and amounts in base units."""
        return self.words | {f"{abs(q.amount):.12g}" for q in self.quantities}

    @cached_property
    def verbatim(self) -> str:
        """What a quotation of the text must keep; see `graphs.drafts.words.verbatim`."""
        return verbatim(self.text)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """Lower-case words and figures; 'cannot' and \"can't\" are 'can', 'not'."""
        text = _QUARTER.sub(lambda m: f"{_ORDINALS[int(m[1]) - 1]} quarter", self.text)
        text = re.sub(r"\bcannot\b", "can not", re.sub(r"\b([Cc]a|[Ww]o)n['’]t\b", r"\1n not", text))
        return tuple(re.sub(r"^n['’]t$", "not", t.lower().replace("’", "'")) for t in _TOKEN.findall(text))


_WRITTEN = re.compile(r"[A-Za-z]+(?:[&'’][A-Za-z]+)*")
_TOKEN = re.compile(r"[A-Za-z]+(?=n['’]t\b)|n['’]t\b|[A-Za-z]+(?:['’&][A-Za-z]+)*|\d+(?:[.,]\d+)*|[%$€£¥]")
_QUARTER = re.compile(r"\bQ([1-4])\b")
_ORDINALS = tuple(ORDINALS)


@lru_cache(maxsize=8192)
def parsed(text: str) -> ParsedText:
    """`text`, remembered: a sentence of the evidence is held against many claims."""
    return ParsedText(text)
