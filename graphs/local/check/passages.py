"""Evidence as the checker reads it: passages with their figures, periods, speakers and names."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from graphs.drafts.figures import quantities, quantity_of
from graphs.drafts.sentences import Sentence, split
from graphs.drafts.words import content
from graphs.local.check.figure_changes import FigureChange
from graphs.local.check.parsed_text import ParsedText, parsed
from graphs.local.check.printed_figures import Figure, range_ends, table_figures
from graphs.local.text.period_mentions import Mention, find_mentions
from tools.evidence import Evidence, Fact
from tools.knowledge.lexicon.metric_names import canonical_metric

MAX_JOINED_SENTENCES = 4
"""Of one piece of evidence that one statement joins."""
MAX_NEAREST_SENTENCES = 4
"""Around which passages of a piece of evidence are cut."""
LEAD_SENTENCES = 3
"""Before a passage, in which its subject may be named."""


@dataclass(frozen=True)
class Passage:
    """Something a claim may rest on: a few sentences, a fact, or a table."""

    text: str
    items: tuple[Evidence, ...]
    figures: tuple[Figure, ...]
    speakers: tuple[str, ...] = ()
    lead: str = ""
    """The sentences before it in its source: what it calls 'we' and 'it' may be named there."""
    structured: bool = False
    """True for facts and tables, whose figures carry line item and period."""

    @cached_property
    def said(self) -> ParsedText:
        """The text, parsed."""
        return parsed(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """Content stems of the text and of what is known about its source."""
        spoken = frozenset(content(" ".join(self.speakers)))
        known = frozenset(word for item in self.items for word in known_words(item))
        return self.said.words | spoken | known

    @cached_property
    def company_words(self) -> frozenset[str]:
        """Content stems of the names of its companies."""
        return company_words(self.items)

    @cached_property
    def changes(self) -> tuple[FigureChange, ...]:
        """What its words compare; of figures with periods nothing is read from words."""
        return () if self.structured else self.said.dated_changes

    @cached_property
    def spans(self) -> tuple[tuple[Figure, Figure], ...]:
        """(later, sooner) figures of one line item, of periods of one length."""
        return tuple(spans_of(self.figures))

    @cached_property
    def metric_names(self) -> frozenset[str]:
        """Canonical metrics of its facts."""
        names: set[str] = set()
        for item in self.items:
            if item.fact is not None:
                names |= {
                    canonical_metric(item.fact.metric, item.fact.path),
                    canonical_metric(item.fact.metric),
                }
                names |= {canonical_metric(fact_label(item.fact))}
                names |= {canonical_metric(f"{item.fact.metric} {heading}") for heading in item.fact.path}
        return frozenset(names)


@dataclass(frozen=True)
class CitedEvidence:
    """All that one claim cites."""

    items: tuple[Evidence, ...]

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Of its running text."""
        return tuple(s for item in self.items if is_prose(item) for s in split(item))

    @cached_property
    def texts(self) -> tuple[ParsedText, ...]:
        """Its sentences, parsed; a piece of running text that has none as a whole."""
        return tuple(parsed(text) for item in self.items if is_prose(item) for text, _ in _sentences(item))

    @cached_property
    def words(self) -> frozenset[str]:
        """Content stems of its pieces as a whole, and of their sources."""
        return all_words(self.items)

    @cached_property
    def company_words(self) -> frozenset[str]:
        """Content stems of the names of its companies."""
        return company_words(self.items)


def spans_of(figures: Sequence[Figure]) -> Iterator[tuple[Figure, Figure]]:
    """(later, sooner) figures of one line item, of periods of one length."""
    dated = [(f, f.end) for f in figures if f.end is not None and f.label]
    for later, end in dated:
        for sooner, start in dated:
            if later.label != sooner.label or later.quantity.scale != sooner.quantity.scale:
                continue
            unknown = later.period is None or sooner.period is None
            if end and start and end > start and (unknown or _months(later) == _months(sooner)):
                yield later, sooner


def _months(figure: Figure) -> int | None:
    return figure.period.months if figure.period else None


def is_prose(item: Evidence) -> bool:
    """Is a piece of evidence running text, neither a table nor a parsed figure?"""
    return item.fact is None and item.kind != "table"


def company_words(items: Iterable[Evidence]) -> frozenset[str]:
    """Content stems of the names of these sources' companies."""
    return frozenset(w for item in items for w in content(f"{item.company} {item.company_key}"))


@lru_cache(maxsize=4096)
def _known(company: str, key: str, document: str, section: str, period: str, doc_type: str) -> frozenset[str]:
    return frozenset(content(f"{company} {key} {document} {section} {period} {doc_type}"))


def known_words(item: Evidence) -> frozenset[str]:
    """Content stems of a source's company, file name, section and period."""
    return _known(
        item.company, item.company_key, item.document, item.section, item.period.describe(), item.doc_type
    )


def fact_label(fact: Fact) -> str:
    """Headings and line item in one text."""
    return " ".join((*fact.path, fact.metric))


def passages(item: Evidence, wanted: frozenset[str]) -> list[Passage]:
    """Passages of one piece of evidence, those nearest to the `marks` of a claim first."""
    if not is_prose(item):
        return [whole(item)]
    parts = _sentences(item)
    marks = [parsed(text).marks for text, _ in parts]
    overlap = [len(wanted & own) for own in marks]
    best = sorted(range(len(parts)), key=lambda n: -overlap[n])[:MAX_NEAREST_SENTENCES]
    spans = _around(best, len(parts))
    found = [
        replace(
            _prose_passage(item, parts[a : b + 1]),
            lead=" ".join(text for text, _ in parts[max(0, a - LEAD_SENTENCES) : a]),
        )
        for a, b in spans
    ]
    if len(best) > 1 and abs(best[0] - best[1]) > 1 and overlap[best[1]]:
        found.append(_prose_passage(item, [parts[n] for n in sorted(best[:2])]))
    joined = _cover(marks, wanted)
    if len(joined) > 1 and (min(joined), max(joined)) not in spans:
        found.append(_prose_passage(item, [parts[n] for n in sorted(joined)]))
    return found


def _sentences(item: Evidence) -> list[tuple[str, str]]:
    """(text, who says it) of the sentences of a piece of prose."""
    return [(s.text, s.speaker) for s in split(item)] or [(item.text, "")]


def _around(nearest: Sequence[int], count: int) -> dict[tuple[int, int], None]:
    """(first, last) of each of the `nearest` sentences, with and without those beside it, each span once."""
    spans: dict[tuple[int, int], None] = {}
    for n in nearest:
        for first, last in ((n, n), (n - 1, n), (n, n + 1), (n - 1, n + 1)):
            spans[(max(0, first), min(count - 1, last))] = None
    return spans


def _cover(sentences: Sequence[frozenset[str]], wanted: frozenset[str]) -> list[int]:
    """The sentences that a claim with the stems `wanted` may join: each adds most of what those before it lack."""
    found: list[int] = []
    left = wanted
    while len(found) < MAX_JOINED_SENTENCES:
        best = max(range(len(sentences)), key=lambda n: len(left & sentences[n]))
        new = left & sentences[best]
        if not new or (len(found) > 1 and len(new) < 2 and not any(mark[0].isdigit() for mark in new)):
            break
        found.append(best)
        left -= sentences[best]
    return found


def whole(item: Evidence) -> Passage:
    """All of a piece of evidence as one passage."""
    if item.fact is not None:
        return _fact_passage(item, item.fact)
    if item.kind == "table":
        return Passage(item.text, (item,), table_figures(item.text), structured=True)
    return _prose_passage(item, _sentences(item))


def sentence_passage(item: Evidence, lines: Container[str]) -> list[Passage]:
    """The sentences of a piece of running text that are among `lines`, as one passage; none where it has none."""
    parts = [part for part in _sentences(item) if part[0] in lines]
    return [_prose_passage(item, parts)] if parts else []


def pool(found: Sequence[Passage]) -> Passage:
    """Several passages as one, for a claim that rests on all of them."""
    return Passage(
        "\n".join(p.text for p in found),
        tuple(item for p in found for item in p.items),
        tuple(f for p in found for f in p.figures),
        tuple(dict.fromkeys(s for p in found for s in p.speakers)),
        " ".join(p.lead for p in found),
        all(p.structured for p in found),
    )


def _prose_passage(item: Evidence, parts: Sequence[tuple[str, str]]) -> Passage:
    text = " ".join(text for text, _ in parts)
    speakers = tuple(dict.fromkeys(speaker for _, speaker in parts if speaker))
    stated = [(q, _years(part)) for part, _ in parts for q in (*quantities(part), *range_ends(part))]
    return Passage(text, (item,), tuple(Figure(q, mentions=years) for q, years in stated), speakers)


@lru_cache(maxsize=8192)
def _years(sentence: str) -> tuple[Mention, ...]:
    """The years and quarters that a sentence of running text names: one of them is a figure's in it."""
    return tuple(replace(m, day=None, months=None) for m in find_mentions(sentence) if m.year or m.quarter)


def _fact_passage(item: Evidence, fact: Fact) -> Passage:
    figures: list[Figure] = []
    value = quantity_of(fact)
    if value is not None:
        figures.append(Figure(value, fact_label(fact), fact.period))
    if fact.statement == "prose":
        figures += [Figure(q) for q in quantities(item.text.partition("“")[2])]
    return Passage(item.text, (item,), tuple(figures), structured=fact.statement != "prose")


def all_words(items: Iterable[Evidence]) -> frozenset[str]:
    """Content stems of whole pieces of evidence and of their sources."""
    return frozenset(word for item in items for word in (*content(item.text), *known_words(item)))
