"""Figures of one thing for one period after another: 'Rent was $14, $11 and $17 million in 2019, 2018 and 2017',
'Fees totaled $2 million in fiscal 2023 and $1 million in fiscal 2022'.

A sentence is read as its subject and groups of figures with as many periods. Where the numbers of figures and periods
differ, where words stand between them that could narrow what is counted, or where no line item is named, it is unread.
Two periods of a quarter are for `figure_pairs` first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tools.documents.types import Document, ParsedDocument
from tools.knowledge.extract.cited_sentences import passages
from tools.knowledge.extract.figure_pairs import in_statements, passage_pairs, stated_figure
from tools.knowledge.extract.figure_subjects import (
    Subject,
    find_counted,
    find_share,
    find_subject,
    says_share,
)
from tools.knowledge.extract.period_pairs import ANY_PERIOD, Ends, quarter_ends
from tools.knowledge.extract.period_series import PeriodSeries, find_period_series
from tools.knowledge.extract.plain_amounts import plain_scale, stands_as_printed
from tools.knowledge.lexicon.metric_names import canonical_metric, find_metrics
from tools.knowledge.types import Triplet
from tools.periods import Period
from tools.values import Quantity, find_quantities

_BESIDE = re.compile(r"\s*(?:,\s*and|,|and)\s+(?:approximately\s+|about\s+)?$", re.IGNORECASE)
_LINK = re.compile(r"(?:\s*,?\s*respectively)?\s*,?\s*", re.IGNORECASE)
_MORE = re.compile(
    r"(?:\s*,?\s*respectively)?\s*,?\s*(?:and|(?:as )?compared (?:to|with)|versus|(?:up |down )?from)?"
    r"\s*(?:approximately\s+|about\s+)?",
    re.IGNORECASE,
)
_RELATED = re.compile(
    r"\s*,?\s*(?P<to>(?:related|relating|attributable) to [^,;.()]{3,60}?)\s*,?\s*", re.IGNORECASE
)
_RELATED_LAST = re.compile(
    r"\s*,?\s*respectively\s*,?\s*(?P<to>(?:related|relating|attributable) to [^,;.()]{3,60})(?=[,;.(]|$)",
    re.IGNORECASE,
)
_CLOSED = re.compile(
    r"\s*(?:,?\s*respectively\b.*|$|[.,;(].*|(?:and\s+(?!(?:in|for|during|at|as|the)\b)(?=[a-z])|while\b|because\b|reflecting\b|"
    r"(?:primarily |mainly |largely |principally )?(?:due to|driven by|as a result of)\b).*)",
    re.IGNORECASE | re.DOTALL,
)
_OF_WHOLE = re.compile(
    r"(?:\s*,?\s*respectively\s*,?)?\s*of\s+(?P<whole>(?:our|the|its|total|net|consolidated)\s[^,;.()]{3,40}?)\s*,?\s*",
    re.IGNORECASE,
)
_COUNTED_AFTER = re.compile(
    r"(?:\s*,?\s*respectively\s*,?)?\s*(?P<in>of|in)\s+(?P<label>[^,;.()]{4,90}?)\s*,?\s*(?:respectively)?\s*,?\s*",
    re.IGNORECASE,
)
_RESPECTIVELY = re.compile(r"^\s*,?\s*respectively\b,?", re.IGNORECASE)
_COUNTED = re.compile(r"(?:\s*,?\s*respectively\s*,?)?\s*(?:of|in)\s+[a-z]", re.IGNORECASE)
_RATE = re.compile(
    r"\b(?:rates?|margins?|percent(?:age)?|ratios?|yields?|returns?|portion|proportion)\b", re.IGNORECASE
)
_UNITS_NOT_TOLD = frozenset({"", "years", "months", "weeks", "days"})


class SeriesFigure(NamedTuple):
    """One figure of a series."""

    subject: Subject
    quantity: Quantity
    period: Period


@dataclass(frozen=True, slots=True)
class _Run:
    """Figures of one unit that stand beside one another."""

    figures: tuple[Quantity, ...]

    @property
    def start(self) -> int:
        return self.figures[0].start

    @property
    def end(self) -> int:
        return self.figures[-1].end


def series_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """`metric --was--> value` for the figures of every series that the document's sentences state.

    What a primary statement prints for the same period is not repeated, nor what `figure_pairs` reads.
    """
    ends, printed = quarter_ends(parsed), in_statements(parsed)
    sentences = list(passages(parsed))
    scale = plain_scale(parsed, sentences)
    for passage in sentences:
        found = [] if passage.asked else read_series(passage.text, parsed.document, ends, scale)
        if not found or any(passage_pairs(parsed.document, passage, ends)):
            continue
        for subject, quantity, period in found:
            if (canonical_metric(subject.label), period) not in printed:
                yield stated_figure(parsed.document, passage, subject.label, quantity, period, subject.path)


def read_series(
    sentence: str, document: Document, ends: Ends, scale: int | None = None
) -> list[SeriesFigure]:
    """Figures of the sentence's one series; [] for fewer than two and where anything is in doubt. `ends` are the last
    days of fiscal quarters that the document itself dates, `scale` is that of its amounts without one."""
    series = find_period_series(sentence, document, ends)
    runs = _runs(sentence, series, scale) if series else []
    groups = _groups(sentence, runs, series)
    quantities = [quantity for run, _ in groups for quantity in run.figures]
    periods = [period for _, named in groups for period in named.periods]
    if len(quantities) < 2 or len(set(periods)) < len(periods):
        return []
    subject = _subject(sentence, *groups[0], document)
    if subject is None or not _fit(subject.label, quantities):
        return []
    return [
        SeriesFigure(subject, quantity, period) for quantity, period in zip(quantities, periods, strict=True)
    ]


def _subject(sentence: str, run: _Run, named: PeriodSeries, document: Document) -> Subject | None:
    """What the first run is of, by the words before it and those between it and its periods or, where these came
    first, its end."""
    lead = (named.start, named.end) if named.end <= run.start else None
    before = sentence[: run.start]
    between = sentence[run.end : named.start] if lead is None else ""
    after = between or re.split(r"[,.;(]", _RESPECTIVELY.sub("", sentence[run.end :]))[0]
    whole, related = _OF_WHOLE.fullmatch(after), _RELATED.fullmatch(between)
    if ANY_PERIOD.search(after) and not _LINK.fullmatch(between):
        return None
    if says_share(before):
        return find_share(before, lead, document, whole["whole"]) if whole else None
    counted = _COUNTED_AFTER.fullmatch(after)
    subject = find_subject(before, lead, document)
    if subject and _of_two_things(subject, run, between):
        return None
    if subject is None:
        return find_counted(before, lead, counted["label"], counted["in"], document) if counted else None
    if counted and not (lead and _RESPECTIVELY.match(sentence[run.end :])):
        return None  # 'was $5 million of income'
    related = related or _RELATED_LAST.match(sentence[max(run.end, named.end) :])
    if related is None or ANY_PERIOD.search(related["to"]):
        return subject
    return replace(subject, label=f"{subject.label} {related['to']}")


def _of_two_things(subject: Subject, run: _Run, between: str) -> bool:
    """True where 'respectively' may part two things and not two periods: 'Goods and losses were $9 and $6,
    respectively, as of'."""
    parted = _RESPECTIVELY.match(between) is not None and len(run.figures) == 2
    return parted and re.search(r"\band\b", subject.label) is not None


def _runs(sentence: str, series: Sequence[PeriodSeries], scale: int | None) -> list[_Run]:
    """Figures by the runs in which they stand; a scale or unit said once at a run's end holds for all of it."""
    runs: list[list[Quantity]] = []
    for quantity in find_quantities(sentence):
        if any(each.start < quantity.end and quantity.start < each.end for each in series):
            continue
        if runs and _beside(sentence, runs[-1][-1], quantity):
            runs[-1].append(quantity)
        else:
            runs.append([quantity])
    return [_Run(tuple(_alike(run, scale))) for run in runs]


def _beside(sentence: str, one: Quantity, other: Quantity) -> bool:
    """Whether two figures are of one run: of 'per share' only the nearest is known to be so."""
    units = {each.unit.removesuffix("/share") for each in (one, other)} - {""}
    return len(units) < 2 and _BESIDE.fullmatch(sentence[one.end : other.start]) is not None


def _alike(run: Sequence[Quantity], plain: int | None) -> Iterator[Quantity]:
    """'$14, $11 and 17 million' are millions of dollars, all three; `plain` is the scale of amounts without one."""
    unit = max({each.unit for each in run}, key=len)
    last = run[-1].scale
    shared = last and not any(each.scale for each in run[:-1])
    for each in run:
        alike = replace(each, unit=unit, scale=last if shared else each.scale)
        if len(unit) == 3 and plain is not None and not stands_as_printed(alike):
            alike = replace(alike, scale=plain)
        yield alike


def _groups(
    sentence: str, runs: Sequence[_Run], series: Sequence[PeriodSeries]
) -> list[tuple[_Run, PeriodSeries]]:
    """Runs with the periods of their figures, from the first run that has them; [] where what follows the last is not
    the end of what is said of it."""
    found: list[tuple[_Run, PeriodSeries]] = []
    end = 0
    for number, run in enumerate(runs):
        if found and not _MORE.fullmatch(sentence[end : run.start]):
            break
        periods = _periods_after(sentence, run, series)
        if found and periods and not _same_item(sentence, run, found[0], periods):
            return []
        if periods is None and number == 0:
            periods = next((each for each in reversed(series) if each.end <= run.start), None)
        if periods is None or len(periods.periods) != len(run.figures):
            return []
        found.append((run, periods))
        end = max(run.end, periods.end)
    led = len(found) == 1 and found[0][1].end <= found[0][0].start
    return found if _CLOSED.fullmatch(sentence[end:]) or (led and _COUNTED.match(sentence[end:])) else []


def _same_item(sentence: str, run: _Run, first: tuple[_Run, PeriodSeries], periods: PeriodSeries) -> bool:
    """Whether a later run is said to be of nothing else than the first."""
    between = sentence[run.end : periods.start].strip(" ,")
    said = sentence[first[0].end : max(first[0].end, first[1].start)].strip(" ,")
    return between in {"", said} or _LINK.fullmatch(between) is not None


def _periods_after(sentence: str, run: _Run, series: Sequence[PeriodSeries]) -> PeriodSeries | None:
    """The periods that directly follow a run."""
    after = next((each for each in series if each.start >= run.end), None)
    if after is None:
        return None
    between = sentence[run.end : after.start]
    return after if any(each.fullmatch(between) for each in (_LINK, _RELATED, _COUNTED_AFTER)) else None


def _fit(label: str, quantities: Sequence[Quantity]) -> bool:
    """False where unit and name cannot belong together, and where an amount's scale is in doubt."""
    rate = _RATE.search(re.split(r"\s(?:that|which)\s", label)[0]) is not None
    units = {each.unit for each in quantities}
    if len(units) != 1 or units & _UNITS_NOT_TOLD:
        return False
    unit = units.pop()
    if unit == "percent":
        return rate or not find_metrics(label)
    if len(unit) != 3:  # no currency
        return unit in {"shares", "USD/share"}
    return not rate and all(map(stands_as_printed, quantities))
