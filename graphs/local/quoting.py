"""Sentences of evidence: cleaned, ranked for a question, and quoted so that what is quoted stays data."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from graphs.local.polarity import directions
from graphs.local.words import content, is_generic
from tools.documents.text import clean, sentences, squeeze
from tools.evidence import Evidence

LENGTHS = (40, 600)
"""A sentence worth quoting has a length, in characters, within these."""
DIVERSITY = 0.65
"""Weight of relevance against likeness to what is chosen already (MMR)."""

_SPEAKER = re.compile(r"^(?P<name>[A-Z][\w.'’-]*(?: (?:[A-Z][\w.'’-]*|de|van|von|der|la)){0,4}): (?=\S)")
_LEAD = re.compile(r"^\[[^\]]*question, continued\]$")
_BOILERPLATE = re.compile(
    r"forward[- ]looking statements?|safe[- ]harbor|actual results (?:may|could|to) differ|private "
    r"securities litigation|"
    r"\bnon-GAAP (?:financial )?measures?\b.*\b(?:reconcil|website)|undertake no obligation|table of "
    r"contents|"
    r"see accompanying notes|\bset forth (?:in|under)\b.{0,40}(?:Item|Part)|refer to (?:Note|Item|Part)|"
    r"replay of|"
    r"\[operator instructions\]|next question|your line is|press (?:star|the star)|mute|\bfollow[- ]up "
    r"question|"
    r"(?:join(?:ing)? (?:us|the call))|on (?:our|the company's) website|form 8-K|webcast|"
    r"^see\b|\bwithin MD&A\b|\bset forth\b|no material changes? (?:to|in|from)|\bas discussed (?:in|under)\b|"
    r"we describe (?:risks|the risks)|\b(?:see|refer to) [\"'“‘]|incorporated (?:herein )?by reference|should be read in conjunction",
    re.IGNORECASE,
)
_CHATTER = re.compile(
    r"^(?:thank(?:s| you)|good (?:morning|afternoon|evening)|hi\b|hello|sure|great|okay|ok\b|yes|yeah|no "
    r"problem|welcome|"
    r"congrat|operator|and with that|with that|i(?:'ll| will) (?:now )?(?:turn|hand)|let me (?:turn|hand)|"
    r"(?:our|your|the) (?:first|next|final|last) question|that's a (?:good|great) question)",
    re.IGNORECASE,
)
_OPENING = re.compile(r"[\"'“]?(?:[A-Z][\w’'.&-]*,? [\w(“\"'$]|[A-Z][\w’'.&-]*,? )")
_UNSAFE = re.compile(r"[`*_#<>|~\\^{}]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of one piece of evidence."""

    text: str
    item: Evidence
    speaker: str
    """Who says it, on a call; '' where nobody is named."""
    position: int
    """0-based within its evidence."""
    asked: bool = False
    """True if it is part of an analyst's question."""


def quoted(text: str) -> str:
    """`text` as data inside an answer: on one line, no Markdown, no markers, no double quotation marks of
    its own."""
    text = squeeze(clean(text))
    text = re.sub(r"\[(\d[\d\s,;–-]*)\]", r"(\1)", text).replace("[", "(").replace("]", ")")
    text = re.sub(r"[\"“”„«»]", "'", text)
    text = re.sub(r"\b(https?):/*", r"\1 ", text)
    return squeeze(_UNSAFE.sub(" ", text))


@lru_cache(maxsize=2048)
def _split(text: str, kind: str, section: str) -> tuple[tuple[str, str, bool], ...]:
    """(sentence, speaker, asked) of a chunk's text, in order."""
    where = section.rpartition(" > ")[2] if " > " in section else ""
    spoken = section.startswith(("Prepared Remarks", "Questions and Answers"))
    speaker = where if spoken and kind == "prose" else ""
    asker = where if kind == "exchange" else ""
    found: list[tuple[str, str, bool]] = []
    if kind == "table":
        return ()
    continued = False
    for line in text.split("\n"):
        line = line.strip()
        if _LEAD.match(line):
            continued, speaker = True, asker
            continue
        if kind == "exchange" and (match := _SPEAKER.match(line)):
            speaker, line = match["name"], line[match.end() :]
        for part in sentences(line):
            found.append((part.lstrip("•·▪-– ").strip(), speaker, bool(asker) and speaker == asker))
    return tuple(item for item in found if item[0]) if found or continued else ()


def split(item: Evidence) -> list[Sentence]:
    """The sentences of a piece of prose or an exchange, with who says each."""
    parts = _split(item.text, item.kind, item.section)
    return [Sentence(text, item, speaker, n, asked) for n, (text, speaker, asked) in enumerate(parts)]


def is_quotable(sentence: Sentence) -> bool:
    """False for questions, greetings, boilerplate, page furniture and fragments."""
    text = sentence.text
    if sentence.asked or sentence.speaker == "Operator" or text.endswith("?"):
        return False
    if not LENGTHS[0] <= len(text) <= LENGTHS[1] or not _OPENING.match(text):
        return False
    if text[-1] not in ".!\"”')" or _CHATTER.match(text) or _BOILERPLATE.search(text):
        return False
    words = text.split()
    letters = sum(character.isalpha() for character in text)
    small = sum(word[0].islower() for word in words)
    return letters >= 0.6 * (len(text) - len(words)) and small >= 0.4 * len(words)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What sentences are ranked for."""

    terms: tuple[str, ...]
    """Content stems of the question."""
    directions: frozenset[bool] = frozenset()
    """Ways a figure moved that the question speaks of: True is up."""
    reasons: bool = False
    """True if it asks why."""


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


def rank(wanted: Wanted, pool: Sequence[Sentence]) -> list[Ranked]:
    """`pool` by relevance to a question, best first; without terms by how central a sentence is."""
    bags = [frozenset(content(sentence.text)) for sentence in pool]
    frequency = Counter(word for bag in bags for word in bag)
    n = max(1, len(pool))
    weight = {word: math.log(1 + n / count) for word, count in frequency.items()}
    asked = {word: weight.get(word, math.log(1 + n)) for word in set(wanted.terms)}
    total = sum(asked.values())
    found = []
    for sentence, bag in zip(pool, bags, strict=True):
        coverage = sum(value for word, value in asked.items() if word in bag) / total if total else 0.0
        topic = coverage if total else _centrality(bag, weight, frequency, n)
        context = _context(sentence.item.text, sentence.item.kind, sentence.item.section)
        nearby = sum(value for word, value in asked.items() if word in context) / total if total else 0.0
        early = 1 / (1 + sentence.position)
        relevance = (
            0.5 * topic + 0.2 * nearby + 0.2 * sentence.item.score + 0.05 * early + _fit(wanted, sentence)
        )
        found.append(Ranked(sentence, relevance, coverage, nearby))
    return sorted(found, key=lambda r: (-r.relevance, r.sentence.item.rank, r.sentence.position))


@lru_cache(maxsize=1024)
def _context(text: str, kind: str, section: str) -> frozenset[str]:
    """Content stems of a whole piece of evidence, its section and its analyst's question."""
    words = set(content(section))
    for sentence, _, _ in _split(text, kind, section):
        words.update(content(sentence))
    return frozenset(words)


_CAUSE = re.compile(
    r"\bbecause\b|\bdue\s+to\b|\bdriven\b|\bdrove\b|\bresult(?:ed|ing)?\s+(?:of|from|in)\b|\bfrom\b|"
    r"\breflect\w*|\bowing\b|"
    r"\battribut\w*|\bthanks\s+to\b|\boffset\b|\bled\s+(?:to|by)\b|\bas\s+(?:we|a\s+result)\b|\bsince\b|"
    r"\breason\w*|\bdifference\b",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(r"\b(?:may|might|could|would|if)\b", re.IGNORECASE)


def _fit(wanted: Wanted, sentence: Sentence) -> float:
    """Extra for a reason where one is asked for, and for the movement the question speaks of."""
    extra = 0.0
    if wanted.reasons:
        extra += 0.1 * bool(_CAUSE.search(sentence.text)) - 0.1 * bool(_HYPOTHETICAL.search(sentence.text))
    if wanted.directions:
        extra += 0.1 * any(sign.up in wanted.directions for sign in directions(sentence.text))
    return extra


def _centrality(bag: frozenset[str], weight: dict[str, float], frequency: Counter[str], n: int) -> float:
    """How much of what the pool as a whole speaks of, a sentence says."""
    if not bag:
        return 0.0
    told = sum(weight[w] for w in bag if frequency[w] > 1 and not is_generic(w))
    return min(1.0, told / (3.0 * math.log(2 + n)))


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
            score = DIVERSITY * candidate.relevance - (1 - DIVERSITY) * like
            if like < 0.6 and score > best_score:
                best, best_score = candidate, score
        if best is None:
            break
        rest.remove(best)
        chosen.append(best)
        bags.append(frozenset(content(best.sentence.text)))
    return chosen


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, min(len(one), len(other)))


_GOES_ON = re.compile(
    r"(?:This|That|These|Those|It|They|Both|But|And|So|Also|Until|Then|The (?:increase|decrease|decline|"
    r"improvement|growth|rise|"
    r"reduction|change|rest))\b"
)


def with_sequels(chosen: Sequence[Ranked], pool: Sequence[Ranked], most: int = 2) -> list[Ranked]:
    """`chosen` with up to `most` sentences that carry one of them on ('This was due to ...')."""
    by_place = {(r.sentence.item.rank, r.sentence.position): r for r in pool}
    found = list(chosen)
    for ranked in chosen:
        sentence = ranked.sentence
        following = by_place.get((sentence.item.rank, sentence.position + 1))
        if following is None or following in found or following.sentence.speaker != sentence.speaker:
            continue
        if _GOES_ON.match(following.sentence.text) and len(found) < len(chosen) + most:
            found.append(following)
    return found


def quotations(chosen: Sequence[Ranked]) -> list[str]:
    """Cited lines: neighbouring sentences joined, speakers named, in order of the first mention of their
    evidence."""
    order = {item: n for n, item in enumerate(dict.fromkeys(r.sentence.item.rank for r in chosen))}
    ordered = sorted((r.sentence for r in chosen), key=lambda s: (order[s.item.rank], s.position))
    groups: list[list[Sentence]] = []
    for sentence in ordered:
        last = groups[-1][-1] if groups else None
        joins = last and last.item.rank == sentence.item.rank and last.speaker == sentence.speaker
        if last and joins and sentence.position == last.position + 1:
            groups[-1].append(sentence)
        else:
            groups.append([sentence])
    return [_line(group) for group in groups]


def _line(group: Sequence[Sentence]) -> str:
    first = group[0]
    who = quoted(first.speaker) or quoted(first.item.company)
    if first.speaker and first.speaker != first.item.company:
        who = f"{quoted(first.speaker)} ({quoted(first.item.company)})"
    return f"{who}: “{quoted(' '.join(s.text for s in group))}” [{first.item.rank}]"
