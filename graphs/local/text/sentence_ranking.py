"""Sentences ranked for a question, and a diverse few of them chosen."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from graphs.contracts import Reading
from graphs.drafts.sentences import Sentence, split_text
from graphs.drafts.words import content, is_generic
from graphs.local.text.sentence_kind import ANY_KIND, SentenceKind, kind_fit, period_fit
from graphs.local.text.synonyms import concept, concepts
from tools.evidence import Evidence
from tools.knowledge.lexicon.metric_names import find_metrics

RELEVANCE_WEIGHT = 0.65
"""Weight of relevance against likeness to what is chosen already (MMR)."""
HEADING_WEIGHT = 0.6
"""What a word of its section's heading counts for, beside one of the sentence itself."""
CARRIED_ON_WEIGHT = 0.65
"""How much of its subject a sentence hands on to the one after it."""
LEAD_UP_WEIGHT = 0.2
"""How much of it belongs to the one before."""
MAX_LIKENESS = 0.7
"""Likeness from which two sentences say the same."""
MAX_SEARCHED = 24
"""Best sentences that are searched for other names of the metrics asked for."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What sentences are ranked for."""

    terms: tuple[str, ...]
    """Content stems of the question."""
    metrics: tuple[tuple[str, frozenset[str]], ...] = ()
    """Metrics among them: canonical name, and stems; another name of the metric ('net sales') counts for these."""
    kind: SentenceKind = ANY_KIND
    """What kind of sentence answers."""
    reading: Reading | None = None
    """For the period asked for."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A sentence and how well it answers."""

    sentence: Sentence
    relevance: float
    """0 to 1: the question's words it holds, weighted by how rare they are, its surroundings, its
    evidence's own score."""
    coverage: float
    """0 to 1: the weighted share of the question's words that the sentence holds."""
    nearby: float
    """The same for all of its evidence, the analyst's question included."""
    meant: float = 0.0
    """As `coverage`, other words of finance for the same counted, too."""
    extra: float = 0.0
    """What of its relevance is for the kind of sentence it is, not for what it speaks of."""


def rank(wanted: Wanted, pool: Sequence[Sentence]) -> list[Ranked]:
    """`pool` by relevance to a question, best first; without terms by how central a sentence is."""
    bags = [frozenset(content(sentence.text)) for sentence in pool]
    senses = [concepts(sentence.text) for sentence in pool]
    frequency = Counter(word for bag in bags for word in bag)
    n = max(1, len(pool))
    weight = {word: math.log(1 + n / count) for word, count in frequency.items()}
    asked = {word: weight.get(word, math.log(1 + n)) for word in set(wanted.terms)}
    total = sum(asked.values())
    subjects = _weights({concept(word) for word in asked}, senses)
    whole = sum(subjects.values())
    found = []
    carried = {
        id(item): _carried(item, subjects, whole) for item in {id(s.item): s.item for s in pool}.values()
    }
    for sentence, bag in zip(pool, bags, strict=True):
        coverage = _share(asked, bag, total)
        own = carried[id(sentence.item)]
        topic = own[sentence.position] if total else _centrality(bag, weight, frequency, n)
        context = _context(sentence.item.text, sentence.item.kind, sentence.item.section)
        nearby = _share(asked, context, total)
        extra = kind_fit(wanted.kind, sentence)
        relevance = (
            0.5 * topic
            + 0.2 * nearby
            + 0.2 * sentence.item.score
            + 0.05 / (1 + sentence.position)
            + _answered(asked, sentence, total)
            + extra
            + (period_fit(sentence, wanted.reading) if wanted.reading else 0.0)
        )
        meant = _share(subjects, concepts(sentence.text), whole)
        found.append(Ranked(sentence, relevance, coverage, nearby, meant, extra))
    found.sort(key=_order)
    if wanted.metrics and total:
        found[:MAX_SEARCHED] = [_with_other_names(r, wanted, asked, total) for r in found[:MAX_SEARCHED]]
        found.sort(key=_order)
    return found


def _carried(item: Evidence, subjects: dict[str, float], whole: float) -> list[float]:
    """For each sentence of a passage the share of what is asked for that it speaks of, or that it carries on
    from the sentence before, the analyst's question included, or leads up to."""
    parts = split_text(item.text, item.kind, item.section)
    heading = concepts(item.section.rpartition(" > ")[2]) if item.kind == "prose" else frozenset()
    own = [_share(subjects, concepts(text), whole) for text, _, _ in parts]
    under = [_share(subjects, concepts(text) | heading, whole) for text, _, _ in parts]
    found = [max(a, HEADING_WEIGHT * b) for a, b in zip(own, under, strict=True)]
    for n in range(1, len(found)):
        if parts[n][1] == parts[n - 1][1] or parts[n - 1][2]:
            found[n] = max(found[n], CARRIED_ON_WEIGHT * found[n - 1])
    for n in range(len(found) - 1):
        if parts[n][1] == parts[n + 1][1]:
            found[n] = max(found[n], LEAD_UP_WEIGHT * own[n + 1])
    return found


def _weights(asked: set[str], bags: Sequence[frozenset[str]]) -> dict[str, float]:
    """What is asked for, each concept weighted by how rare it is among `bags`."""
    n = max(1, len(bags))
    counts = Counter(word for bag in bags for word in bag & asked)
    return {word: math.log(1 + n / max(1, counts[word])) for word in asked}


def _order(ranked: Ranked) -> tuple[float, int, int]:
    return (-ranked.relevance, ranked.sentence.item.rank, ranked.sentence.position)


def _with_other_names(ranked: Ranked, wanted: Wanted, asked: dict[str, float], total: float) -> Ranked:
    """Another name of a metric ('net sales' for 'revenue') counts for the words asked for."""
    bag = frozenset(content(ranked.sentence.text))
    held = bag
    for canonical, words in wanted.metrics:
        if not words <= bag and canonical in mentioned(ranked.sentence.text):
            held = held | words
    if held == bag:
        return ranked
    gain = _share(asked, held, total) - _share(asked, bag, total)
    relevance = ranked.relevance + 0.5 * gain
    return replace(ranked, relevance=relevance, coverage=ranked.coverage + gain)


def _share(asked: dict[str, float], held: frozenset[str], total: float) -> float:
    """The weighted share of the words asked for that are held."""
    return sum(value for word, value in asked.items() if word in held) / total if total else 0.0


@lru_cache(maxsize=16384)
def mentioned(text: str) -> frozenset[str]:
    """Canonical names of the metrics that `text` names."""
    return frozenset(mention.canonical for mention in find_metrics(text))


@lru_cache(maxsize=1024)
def _context(text: str, kind: str, section: str) -> frozenset[str]:
    """Content stems of a whole piece of evidence, its section and its analyst's question."""
    words = set(content(section))
    for sentence, _, _ in split_text(text, kind, section):
        words.update(content(sentence))
    return frozenset(words)


def _answered(asked: dict[str, float], sentence: Sentence, total: float) -> float:
    """Extra for what opens the answer to an analyst who asked just this."""
    if sentence.item.kind != "exchange" or not total:
        return 0.0
    parts = split_text(sentence.item.text, sentence.item.kind, sentence.item.section)
    words = {word for text, _, by_analyst in parts if by_analyst for word in content(text)}
    lead = sum(by_analyst for _, _, by_analyst in parts[: sentence.position])
    share = sum(value for word, value in asked.items() if word in words) / total
    return 0.15 * share if share >= 0.5 and sentence.position - lead < 8 else 0.0


def _centrality(bag: frozenset[str], weight: dict[str, float], frequency: Counter[str], n: int) -> float:
    """How much of what the pool as a whole speaks of, a sentence says."""
    if not bag:
        return 0.0
    shared = sum(weight[w] for w in bag if frequency[w] > 1 and not is_generic(w))
    return min(1.0, shared / (3.0 * math.log(2 + n)))


def choose(ranked: Sequence[Ranked], limit: int) -> list[Ranked]:
    """The best `limit`, each unlike those before it (maximal marginal relevance), near twins never twice."""
    chosen: list[Ranked] = []
    bags: list[frozenset[str]] = []
    rest = list(ranked[:40])
    while rest and len(chosen) < limit:
        best, best_score = None, -1.0
        for candidate in rest:
            bag = frozenset(content(candidate.sentence.text))
            like = max((_likeness(bag, other) for other in bags), default=0.0)
            score = RELEVANCE_WEIGHT * candidate.relevance - (1 - RELEVANCE_WEIGHT) * like
            if like < MAX_LIKENESS and score > best_score:
                best, best_score = candidate, score
        if best is None:
            break
        rest.remove(best)
        chosen.append(best)
        bags.append(frozenset(content(best.sentence.text)))
    return chosen


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Dice's coefficient: a short sentence that a longer one carries on is no twin of it."""
    return 2 * len(one & other) / max(1, len(one) + len(other))
