"""What a company's people said in answer to a spoken question: the best sentences of one or two passages."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from graphs.contracts import Reading
from graphs.drafts.sentences import Sentence, is_quotable, split
from graphs.drafts.words import content, is_generic
from graphs.local.answer.quotations import goes_on, quotations
from graphs.local.answer.single_fact_quotes import is_told_of_period
from graphs.local.question.spoken_questions import FILLERS, without_courtesies
from graphs.local.text.sentence_kind import SentenceKind, kind_fit, wanted_kind
from graphs.local.text.sentence_ranking import Ranked
from graphs.local.text.synonyms import concept, concepts
from tools.evidence import Evidence

PASSAGES = 8
"""Passages looked at, the best first."""
SURE = 0.59
"""`Evidence.relevance` from which a passage speaks of what is asked, in whatever words."""
ENOUGH = 0.76
"""The same of relevance, and `WORDS` of the share of the question's concepts in the passage and of that in all of them.

Measured on 220 questions of analysts over eight passages: 90 % are answered from their own call without their own turn,
19 % from the call of another company, of which some ask what any call speaks of ('margins in the second half').
"""
WORDS = 0.35
"""Weight of a share of concepts beside relevance."""
SENTENCES = 4
"""Sentences quoted from the best passage at most."""
BESIDE = 2
"""Sentences of a second passage at most."""
SECOND = 0.85
"""A second passage is quoted if its value is at least this share of the best one's."""
FIT = 0.5
"""Weight of the kind of sentence."""
GAP = 0.03
"""What a sentence left out between two, or another speaker, costs."""
FIRST = 0.3
"""What the opening of an answer is worth where the analyst asks the same."""
EARLY = 0.04
"""What the opening of an answer is worth."""
OWN = 0.6
"""Weight of a passage's share of the question's concepts beside its relevance."""
ASKED = 0.25
"""Extra for the answer to an analyst who asks the same."""
RANKED = 0.1
"""Weight of the place that the search gave the passage."""
ANSWERS = 0.1
"""What an answer is worth beside remarks that were read out."""


@dataclass(frozen=True, slots=True)
class Segment:
    """What one or more executives say without an analyst between, and the analyst's question before it."""

    item: Evidence
    asked: frozenset[str]
    """Concepts of the analyst's question; empty for remarks."""
    told: tuple[Sentence, ...]

    @property
    def concepts(self) -> frozenset[str]:
        """Those of the question and of what is said."""
        return self.asked.union(*(concepts(sentence.text) for sentence in self.told))


def told_to_analyst(reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """Cited quotations, two to four sentences as a rule; empty where no passage speaks of what is asked."""
    segments = [
        segment
        for item in evidence
        if item.kind in ("prose", "exchange") and item.relevance is not None
        for segment in _segments(item, reading)
    ][: 3 * PASSAGES]
    if not segments:
        return []
    question = without_courtesies(reading.question)
    weights = _weights(question, reading, segments)
    valued = sorted(((_value(s, weights), n, s) for n, s in enumerate(segments)), key=lambda v: (-v[0], v[1]))
    if not _speaks_of_it([s for _, _, s in valued[:3]], segments, weights):
        return []
    kind = wanted_kind(question, frozenset(weights), reasons=False)
    best_value, _, best = valued[0]
    chosen = _window(best, weights, kind, SENTENCES)
    for value, _, segment in valued[1:]:
        if value < SECOND * best_value:
            break
        if segment.item.company_key == best.item.company_key and segment.item.rank != best.item.rank:
            chosen += _window(segment, weights, kind, BESIDE)
            break
    return quotations([Ranked(s, 1.0, 1.0, 1.0) for s in chosen])


def _segments(item: Evidence, reading: Reading) -> list[Segment]:
    found = []
    asked: frozenset[str] = frozenset()
    for by_analyst, run in groupby(split(item), key=lambda s: s.asked):
        own = list(run)
        if by_analyst:
            asked = frozenset(c for s in own for c in concepts(s.text))
            continue
        told = tuple(s for s in own if is_quotable(s) and is_told_of_period(s, reading))
        if told:
            found.append(Segment(item, asked, told))
            asked = frozenset()
    return found


def _weights(question: str, reading: Reading, segments: Sequence[Segment]) -> dict[str, float]:
    """The question's concepts, each weighted by how rare it is among the sentences; company names left out."""
    names = {w for s in segments for w in content(s.item.company)}
    words = [w for w in content(question) if w not in FILLERS and w not in names and not is_generic(w)]
    people = {w.lower() for w in re.findall(r"(?:^|[.?!]\s+)([A-Z][a-z]+),", question)}
    senses = [concepts(s.text) for segment in segments for s in segment.told]
    counts = Counter(c for held in senses for c in held)
    n = len(senses)
    return {
        concept(word): math.log(1 + n / max(1, counts[concept(word)])) for word in words if word not in people
    }


def _share(weights: Mapping[str, float], held: frozenset[str]) -> float:
    total = sum(weights.values())
    return sum(value for each, value in weights.items() if each in held) / total if total else 0.0


def _value(segment: Segment, weights: Mapping[str, float]) -> float:
    told = frozenset(c for s in segment.told for c in concepts(s.text))
    value = _near(segment) + OWN * _share(weights, told) + ASKED * _share(weights, segment.asked)
    return value + ANSWERS * (segment.item.kind == "exchange") + RANKED * segment.item.score


def _speaks_of_it(
    segments: Sequence[Segment], every: Sequence[Segment], weights: Mapping[str, float]
) -> bool:
    """Whether one of the best `segments` is near enough to the question, in meaning or in words."""
    if any(_near(segment) >= SURE for segment in segments):
        return True
    best = max(_near(segment) + WORDS * _share(weights, segment.concepts) for segment in segments)
    everything = frozenset(c for segment in every for c in segment.concepts)
    return best + WORDS * _share(weights, everything) >= ENOUGH


def _near(segment: Segment) -> float:
    return segment.item.relevance or 0.0


def _window(segment: Segment, weights: Mapping[str, float], kind: SentenceKind, most: int) -> list[Sentence]:
    """The run of at most `most` neighbouring sentences of one speaker that meets the question best."""
    told = segment.told
    most = min(most, len(told))
    asked = _share(weights, segment.asked)
    best: tuple[float, int] = (-9.0, 0)
    for start in range(len(told) - most + 1):
        run = told[start : start + most]
        held = frozenset(c for s in run for c in concepts(s.text))
        extra = sum(kind_fit(kind, s) for s in run) / most
        value = _share(weights, held) + FIT * extra + (EARLY + FIRST * asked) / (1 + start)
        value -= 0.1 * (goes_on(run[0].text) and start > 0)
        value -= GAP * (run[-1].position - run[0].position - most + 1)
        value -= GAP * sum(a.speaker != b.speaker for a, b in pairwise(run))
        if value > best[0]:
            best = (value, start)
    return list(told[best[1] : best[1] + most])
