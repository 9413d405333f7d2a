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
from graphs.local.answer.asked_periods import is_of_asked_period
from graphs.local.answer.quotations import goes_on, quotations
from graphs.local.question.spoken_questions import FILLERS, without_courtesies
from graphs.local.text.sentence_kind import SentenceKind, kind_fit, wanted_kind
from graphs.local.text.synonyms import concept, concepts
from tools.evidence import QUOTED, Evidence

MAX_SEGMENTS = 24
"""Segments looked at, those of the best passages first."""
MIN_RELEVANCE = 0.59
"""`Evidence.relevance` from which a passage speaks of what is asked, in whatever words."""
MIN_RELEVANCE_WITH_WORDS = 0.76
"""The same of relevance with, weighted by `WORDS_WEIGHT`, the shares of the question's concepts that the passage and
all passages hold.

Measured on 220 questions of analysts over eight passages: 90 % are answered from their own call without their own turn,
19 % from the call of another company, some of them since any call speaks of the subject ('margins in the second half').
"""
WORDS_WEIGHT = 0.35
"""Weight of a share of concepts beside relevance."""
MAX_SENTENCES = 4
"""Sentences quoted from the best passage at most."""
MAX_SECOND_SENTENCES = 2
"""Sentences of a second passage at most."""
MIN_SECOND_SHARE = 0.85
"""A second passage is quoted if its value is at least this share of the best one's."""
KIND_WEIGHT = 0.5
"""Weight of the kind of sentence."""
GAP_COST = 0.03
"""What a sentence left out between two, or another speaker, costs."""
ASKED_OPENING_WEIGHT = 0.3
"""What the opening of an answer is worth where the analyst asks the same."""
OPENING_WEIGHT = 0.04
"""What the opening of an answer is worth."""
CONCEPTS_WEIGHT = 0.6
"""Weight of a passage's share of the question's concepts beside its relevance."""
ASKED_WEIGHT = 0.25
"""Extra for the answer to an analyst who asks the same."""
SEARCH_WEIGHT = 0.1
"""Weight of the place that the search gave the passage."""
EXCHANGE_WEIGHT = 0.1
"""What an answer is worth beside remarks that were read out."""


@dataclass(frozen=True, slots=True)
class Segment:
    """What one or more executives say without an analyst between, and the analyst's question before it."""

    item: Evidence
    asked: frozenset[str]
    """Concepts of the analyst's question; empty for remarks."""
    answer: tuple[Sentence, ...]

    @property
    def concepts(self) -> frozenset[str]:
        """Those of the question and of what is said."""
        return self.asked | _concepts_of(self.answer)


def quotes_for_analyst(reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """Cited quotations, two to four sentences as a rule; empty where no passage speaks of what is asked."""
    segments = [
        segment
        for item in evidence
        if item.kind in QUOTED and item.relevance is not None
        for segment in _segments(item, reading)
    ][:MAX_SEGMENTS]
    if not segments:
        return []
    question = without_courtesies(reading.question)
    weights = _weights(question, reading, segments)
    valued = sorted(((_value(s, weights), n, s) for n, s in enumerate(segments)), key=lambda v: (-v[0], v[1]))
    if not _speaks_of_it([s for _, _, s in valued[:3]], segments, weights):
        return []
    kind = wanted_kind(question)
    best_value, _, best = valued[0]
    chosen = _window(best, weights, kind, MAX_SENTENCES)
    for value, _, segment in valued[1:]:
        if value < MIN_SECOND_SHARE * best_value:
            break
        if segment.item.company_key == best.item.company_key and segment.item.rank != best.item.rank:
            chosen += _window(segment, weights, kind, MAX_SECOND_SENTENCES)
            break
    return quotations(chosen)


def _concepts_of(sentences: Sequence[Sentence]) -> frozenset[str]:
    return frozenset(each for sentence in sentences for each in concepts(sentence.text))


def _segments(item: Evidence, reading: Reading) -> list[Segment]:
    found = []
    asked: frozenset[str] = frozenset()
    for by_analyst, run in groupby(split(item), key=lambda s: s.asked):
        own = list(run)
        if by_analyst:
            asked = _concepts_of(own)
            continue
        answer = tuple(s for s in own if is_quotable(s) and is_of_asked_period(s, reading))
        if answer:
            found.append(Segment(item, asked, answer))
            asked = frozenset()
    return found


def _weights(question: str, reading: Reading, segments: Sequence[Segment]) -> dict[str, float]:
    """The question's concepts, each weighted by how rare it is among the sentences; company names left out."""
    names = {w for s in segments for w in content(s.item.company)}
    words = [w for w in content(question) if w not in FILLERS and w not in names and not is_generic(w)]
    people = {w.lower() for w in re.findall(r"(?:^|[.?!]\s+)([A-Z][a-z]+),", question)}
    senses = [concepts(s.text) for segment in segments for s in segment.answer]
    counts = Counter(c for held in senses for c in held)
    n = len(senses)
    return {
        concept(word): math.log(1 + n / max(1, counts[concept(word)])) for word in words if word not in people
    }


def _share(weights: Mapping[str, float], held: frozenset[str]) -> float:
    total = sum(weights.values())
    return sum(value for each, value in weights.items() if each in held) / total if total else 0.0


def _value(segment: Segment, weights: Mapping[str, float]) -> float:
    held = _concepts_of(segment.answer)
    value = (
        _relevance(segment)
        + CONCEPTS_WEIGHT * _share(weights, held)
        + ASKED_WEIGHT * _share(weights, segment.asked)
    )
    return value + EXCHANGE_WEIGHT * (segment.item.kind == "exchange") + SEARCH_WEIGHT * segment.item.score


def _speaks_of_it(
    segments: Sequence[Segment], every: Sequence[Segment], weights: Mapping[str, float]
) -> bool:
    """Whether one of the best `segments` is near enough to the question, in meaning or in words."""
    if any(_relevance(segment) >= MIN_RELEVANCE for segment in segments):
        return True
    best = max(_relevance(segment) + WORDS_WEIGHT * _share(weights, segment.concepts) for segment in segments)
    everything = frozenset(c for segment in every for c in segment.concepts)
    return best + WORDS_WEIGHT * _share(weights, everything) >= MIN_RELEVANCE_WITH_WORDS


def _relevance(segment: Segment) -> float:
    return segment.item.relevance or 0.0


def _window(segment: Segment, weights: Mapping[str, float], kind: SentenceKind, most: int) -> list[Sentence]:
    """The run of at most `most` neighbouring sentences of one speaker that meets the question best."""
    answer = segment.answer
    most = min(most, len(answer))
    asked = _share(weights, segment.asked)
    best: tuple[float, int] = (-9.0, 0)
    for start in range(len(answer) - most + 1):
        run = answer[start : start + most]
        held = _concepts_of(run)
        extra = sum(kind_fit(kind, s) for s in run) / most
        value = (
            _share(weights, held)
            + KIND_WEIGHT * extra
            + (OPENING_WEIGHT + ASKED_OPENING_WEIGHT * asked) / (1 + start)
        )
        value -= 0.1 * (goes_on(run[0].text) and start > 0)
        value -= GAP_COST * (run[-1].position - run[0].position - most + 1)
        value -= GAP_COST * sum(a.speaker != b.speaker for a, b in pairwise(run))
        if value > best[0]:
            best = (value, start)
    return list(answer[best[1] : best[1] + most])
