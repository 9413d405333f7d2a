"""The printed figures that a calculation is most likely of, as learnt: every figure of a company and period is weighed
for each place of a formula, of two places every pair of the likeliest.

`python -m evals.learn_operands --home HOME` writes the weights, `data/likely_lines.json`: linear scores, learnt
listwise (the share of the softmax that falls on right figures, or pairs), and a logistic regression over the standing
of the best that gives the probability that it is right. What rules find is one feature among others.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Prefix

from tools.calculate.choosing import STATEMENTS, canonical_of
from tools.documents.text.ordinary_words import FUNCTION_WORDS
from tools.evidence import Evidence, fact_of
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.knowledge.lexicon.word_forms import kept_words_of, words_of
from tools.knowledge.search.nearest_figures import Encoder, line_text
from tools.model_files import ModelFileError
from tools.period_words import LENGTHS, MONTHS, ORDINALS
from tools.ranking.fit import dot, softmax

WEIGHTS = Path(__file__).parent / "data" / "likely_lines.json"
MIN_CHANCE = 0.6
"""Probability from which figures are computed with in place of those that rules find. Of companies left out in turn
(`python -m evals.learn_operands --try`) 21 of 888 are right then that were wrong, and 2 the other way round. Where
rules find nothing 22 of 37 are right from it on, and 15 of 19 from 0.7: that stays unsaid."""
MAX_FIGURES = 3_000
"""Of one company and period, that are weighed, the latest."""
MAX_PAIRED = 16
"""Likeliest figures of each of two places that are paired."""
TOTAL = "total"
MIN_BEGINNING, LIKENESS = 5, 0.7
"""Letters that two words begin with alike, at least, and as a part of the shorter one: 'Canadian' and 'Canada'."""
Kind = Literal["one", "share", "ratio", "difference"]
KINDS: tuple[Kind, ...] = ("one", "share", "ratio", "difference")
"""What is computed of figures: something of one alone, or of two."""
_OF_TIME = frozenset(
    {*MONTHS, *ORDINALS, *LENGTHS, "fiscal", "calendar", "year", "quarter", "month", "week", "half"}
)
_NAME = re.compile(r"(?<=[\s(])[A-Z][\w&]+")
"""In a question."""
_TELLING = (
    "near",
    "less near",
    "in line",
    "label said",
    "ruled",
    "a",
    "b",
    "said",
    "names",
    "names in line",
    "ruled both",
    "unit",
    "months",
    "end",
    "same line",
)
"""Features of the best choice that say something about whether it is right at all."""
Features = Mapping[str, float]
Vector = NDArray[np.float64]
Words = frozenset[str]


class Wished(NamedTuple):
    """Of which figures something is to be computed."""

    said: str
    """The question."""
    kind: Kind
    places: tuple[tuple[str, ...], ...]
    """For each place of the formula the wordings of its line item."""
    own_words: Words = frozenset()
    """Of the company's names."""


class Choice(NamedTuple):
    """One figure for each place."""

    figures: tuple[Evidence, ...]
    score: float
    share: float
    """Its part of the softmax over all choices."""
    found: Features


class Line(NamedTuple):
    """The words of a printed line."""

    label: Words
    path: Words
    title: Words

    @property
    def own(self) -> Words:
        """Of label and headings."""
        return self.label | self.path


@dataclass(frozen=True, slots=True)
class Weights:
    """Feature -> weight, see the module's docstring."""

    figures: Features
    pairs: Features
    chance: Features


class Field:
    """Figures beside one another, with what speaks for each."""

    def __init__(
        self,
        wished: Wished,
        figures: Sequence[Evidence],
        ruled: Sequence[Evidence],
        at_home: frozenset[str],
        encoder: Encoder,
    ) -> None:
        """`ruled`: what rules find for each place; `at_home`: ids of figures that stand in the primary statements
        themselves."""
        latest = sorted(figures, key=lambda each: each.period.end is None or -each.period.end.toordinal())
        self.wished, self.figures, self._encoder = wished, latest[:MAX_FIGURES], encoder
        self.ruled, self._at_home = ruled, at_home
        self.lines = [_line(each) for each in self.figures]
        every = set(self.lines)
        seen = Counter(word for line in every for word in line.own | line.title)
        self._worth = {word: math.log((len(every) + 1) / (count + 0.5)) for word, count in seen.items()}
        said = words_of(wished.said) - wished.own_words - FUNCTION_WORDS - _OF_TIME
        self.said = self._as_printed(word for word in said if word.isalpha())
        """Words of the question that may tell its figures apart."""
        self.names = self._as_printed(words_of(" ".join(_NAME.findall(wished.said)))) & self.said
        """Those of them that are written as names."""

    @cached_property
    def _named(self) -> list[list[Words]]:
        """For each place the words of every wording."""
        without = self.wished.own_words | FUNCTION_WORDS
        return [[self._as_printed(words_of(each) - without) for each in own] for own in self.wished.places]

    def _as_printed(self, words: Iterable[str]) -> Words:
        """Words as the lines have them: 'Europe' for 'European'."""
        return frozenset(word if word in self._worth else self._alike(word) for word in words)

    def _alike(self, word: str) -> str:
        """The printed word that a word shares most of its beginning with; itself where none shares enough."""
        shared = {each: Prefix.similarity(word, each) for each in self._worth}
        enough = {
            each: n
            for each, n in shared.items()
            if n >= max(MIN_BEGINNING, LIKENESS * min(len(word), len(each)))
        }
        return max(enough, key=lambda each: (enough[each], -len(each), each), default=word)

    def _unknown(self, words: Words) -> float:
        """The part of them that no line has."""
        return len(words - self._worth.keys()) / max(1, len(words))

    @cached_property
    def places(self) -> list[dict[str, Vector]]:
        """For each place feature -> value of every figure."""
        asked = [frozenset[str]().union(*own) for own in self._named]
        common, canonical = self._common(), [canonical_of(each) for each in self.figures]
        places, at = self._distinct_lines()
        texts = [line_text(fact_of(self.figures[place])) for place in places]
        vectors = self._encoder.vectors(texts)
        whole = vectors @ self._encoder.vectors([self._plain()])[0]
        found = []
        for place, names in enumerate(self.wished.places):
            near = np.max(vectors @ self._encoder.vectors(list(names)).T, axis=1)
            own = asked[place]
            others = frozenset[str]().union(*asked) - own
            rows = [self._said_of(self.lines[k], self._named[place], own, others) for k in places]
            of_lines = {name: np.array([row[name] for row in rows]) for name in rows[0]} if rows else {}
            of_lines |= {
                "near": near,
                "less near": near.max() - near,
                "near all": whole,
                "less near all": whole.max() - whole,
            }
            called = {canonical_metric(name) for name in names}
            found.append(
                {name: values[at] for name, values in of_lines.items()}
                | common
                | {
                    "called": np.array([float(each in called) for each in canonical]),
                    "ruled": np.array([float(same_amount(each, self.ruled[place])) for each in self.figures]),
                }
            )
        return found

    def choices(self, weights: Weights) -> list[Choice]:
        """Choices of one figure for each place, the likeliest first. ModelFileError as `choose`."""
        if not self.figures:
            return []
        scores = self.scores(weights.figures)
        made: list[tuple[tuple[int, ...], Features, float]] = []
        if len(scores) == 1:
            (own,), (features,) = scores, self.places
            best = np.argsort(-own, kind="stable")
            made = [((k,), {name: float(x[k]) for name, x in features.items()}, float(own[k])) for k in best]
        else:
            made = [(pair, found, dot(weights.pairs, found)) for pair, found in self.pairs(scores)]
            made.sort(key=lambda each: -each[2])
        shares = softmax([score for _, _, score in made])
        return [
            Choice(tuple(self.figures[k] for k in own), score, share, found)
            for (own, found, score), share in zip(made, shares, strict=True)
        ]

    def scores(self, weights: Features) -> list[Vector]:
        """For each place the score of every figure."""
        nothing = np.zeros(len(self.figures))
        return [
            sum((weights.get(name, 0.0) * values for name, values in own.items()), nothing)
            for own in self.places
        ]

    def pairs(self, scores: Sequence[Vector]) -> list[tuple[tuple[int, int], dict[str, float]]]:
        """Pairs of the likeliest figures of two places, of different amounts, with their features."""
        said = self.said.union(*(words for own in self._named for words in own))
        found = []
        for a, b in product(*map(self._likeliest, scores)):
            if same_amount(self.figures[a], self.figures[b]):
                continue
            basic = self._together(a, b)
            own = self.lines[a].own | self.lines[b].own
            titles = (self.lines[a].title | self.lines[b].title) - own
            given = {
                "a": float(scores[0][a] - scores[0].max()),
                "b": float(scores[1][b] - scores[1].max()),
                "said": self._share(said & own, said),
                "titles": self._share(said & titles, said),
                "names": self._share(self.names & (own | titles), self.names),
                "ruled both": float(self.places[0]["ruled"][a] > 0 and self.places[1]["ruled"][b] > 0),
            }
            crossed = {f"{self.wished.kind}*{name}": value for name, value in basic.items()}
            found.append(((a, b), given | basic | crossed))
        return found

    def standing(self, choices: Sequence[Choice]) -> dict[str, float]:
        """Feature -> value of how the best choice stands: alone, and against the first of other amounts."""
        if not choices:
            return {"": 1.0}
        best = choices[0]
        same = [all(map(same_amount, each.figures, best.figures)) for each in choices]
        rival = next((each for each, alike in zip(choices, same, strict=True) if not alike), None)
        lines = [_line(each) for each in best.figures]
        covered = frozenset[str]().union(*(line.own | line.title for line in lines))
        return {
            "": 1.0,
            f"is {self.wished.kind}": 1.0,
            "share": sum(each.share for each, alike in zip(choices, same, strict=True) if alike),
            "lead": min(4.0, best.score - rival.score) / 4 if rival else 1.0,
            "covered": self._share(self.said & covered, self.said),
            "unknown": len(self.said - self._worth.keys()) / max(1, len(self.said)),
            "unnamed": max(min(map(self._unknown, own)) for own in self._named),
            **{f"best {name}": best.found.get(name, 0.0) for name in _TELLING},
        }

    def _plain(self) -> str:
        """The question without the company's names."""
        words = [each for each in self.wished.said.split() if not words_of(each) <= self.wished.own_words]
        return " ".join(words) or self.wished.said

    def _distinct_lines(self) -> tuple[list[int], NDArray[Any]]:
        """Positions of figures of different lines, and for every figure which of them it is of."""
        known: dict[object, int] = {}
        places, at = list[int](), list[int]()
        for place, each in enumerate(self.figures):
            fact = fact_of(each)
            number = known.setdefault((fact.metric, fact.path, fact.statement, each.section), len(known))
            if number == len(places):
                places.append(place)
            at.append(number)
        return places, np.array(at, int)

    def _said_of(self, line: Line, names: Sequence[Words], asked: Words, others: Words) -> dict[str, float]:
        """What a line and the words for a place have of one another: of `names`, those of one wording each, the best;
        `asked`: of all wordings, `others`: of other places alone."""
        known, rest = self.said | asked, self.said - asked - others
        titled = line.title - line.own
        return {
            "in line": max(self._share(own & line.own, own) for own in names),
            "in label": max(self._share(own & line.label, own) for own in names),
            "in title": self._share(asked & titled, asked),
            "label asked": self._share(line.label & asked, line.label),
            "label said": self._share(line.label & known, line.label),
            "path said": self._share(line.path & known, line.path) if line.path else 1.0,
            "said in line": self._share(rest & line.own, rest),
            "said in title": self._share(rest & titled, rest),
            "names in line": self._share(self.names & (line.own | line.title), self.names),
            "of another": self._share(others & line.own, others),
        }

    def _common(self) -> dict[str, Vector]:
        """Features that do not depend on what is asked for."""
        last = max((each.period.end for each in self.figures if each.period.end), default=None)
        longest = max((each.period.months or 0 for each in self.figures), default=0)
        copies = Counter(map(_amount_key, self.figures))
        rows = []
        for each, line in zip(self.figures, self.lines, strict=True):
            fact = fact_of(each)
            rows.append(
                {
                    "depth": min(len(fact.path), 3) / 3,
                    "primary": float(fact.statement in STATEMENTS),
                    "segment": float(fact.statement == "segment"),
                    "home": float(each.item_id in self._at_home),
                    "tagged": float(bool(fact.concept)),
                    "balance": float(not each.period.months),
                    "last": float(each.period.end == last),
                    "longest": float((each.period.months or 0) == longest),
                    "copies": math.log1p(copies[_amount_key(each)]) / 3,
                    "money": float(len(fact.unit) == 3 and fact.unit.isupper()),
                    "rate": float(fact.unit == "percent"),
                    "length": math.log1p(len(line.label)),
                }
            )
        return {name: np.array([row[name] for row in rows]) for name in rows[0]} if rows else {}

    def _likeliest(self, scores: Vector) -> list[int]:
        """The first `MAX_PAIRED` figures whose lines differ in words, place or amount."""
        kept: dict[object, int] = {}
        for k in np.argsort(-scores, kind="stable"):
            each = self.figures[k]
            fact = fact_of(each)
            kept.setdefault((fact.metric, fact.path, each.section, *_amount_key(each)), int(k))
            if len(kept) == MAX_PAIRED:
                break
        return list(kept.values())

    def _together(self, a: int, b: int) -> dict[str, float]:
        """What two figures have of one another."""
        one, other = self.figures[a], self.figures[b]
        first, second, line = fact_of(one), fact_of(other), self.lines[b]
        sizes = amount_of(one), amount_of(other)
        place, beside = ((each.document_id, each.page) for each in (one, other))
        label, path = first.metric.lower() == second.metric.lower(), first.path == second.path
        return {
            "unit": float(first.unit == second.unit),
            "months": float(one.period.months == other.period.months),
            "end": float(one.period.end == other.period.end),
            "document": float(one.document_id == other.document_id),
            "page": float(place == beside),
            "table": float(place == beside and one.section == other.section),
            "label": float(label),
            "path": float(path),
            "same line": float(label and path and one.period == other.period),
            "part": float(bool(line.label) and line.label <= self.lines[a].own),
            "total": float(TOTAL in line.label),
            "less": float(sizes[0] < sizes[1]),
            "far": min(4.0, abs(math.log10(sizes[0] / sizes[1]))) if all(sizes) else 4.0,
            "statement": float(first.statement == second.statement),
        }

    def _share(self, words: Words, of: Words) -> float:
        """The part of what `of` tells that `words` tell; words that no line has tell nothing, those of many little."""
        whole = sum(self._worth.get(word, 0.0) for word in of)
        return sum(self._worth.get(word, 0.0) for word in words) / whole if whole > 0 else 0.0


def choose(field: Field, weights: Weights | None = None) -> tuple[Evidence, ...]:
    """One figure for each place; () where it is not sure that they are those. ModelFileError on missing, altered or
    damaged files."""
    weights = weights or learnt()
    choices = field.choices(weights)
    chance = 1 / (1 + math.exp(-dot(weights.chance, field.standing(choices))))
    return choices[0].figures if choices and chance >= MIN_CHANCE else ()


def same_amount(one: Evidence, other: Evidence) -> bool:
    """Whether two figures are of one amount, unit and time, whatever their signs."""
    return _amount_key(one) == _amount_key(other)


def amount_of(figure: Evidence) -> Decimal:
    """The amount of a figure without its sign. `figure` is a number, not a dash."""
    fact = fact_of(figure)
    return abs(Decimal(fact.value).scaleb(fact.scale))


def _amount_key(figure: Evidence) -> tuple[object, ...]:
    return amount_of(figure), fact_of(figure).unit, figure.period


def _line(figure: Evidence) -> Line:
    fact = fact_of(figure)
    return _line_of(fact.metric, fact.path, figure.section)


@lru_cache(maxsize=65536)
def _line_of(label: str, path: tuple[str, ...], title: str) -> Line:
    return Line(_content((label,)), _content(path), _content((title,)))


def _content(texts: Iterable[str]) -> Words:
    return frozenset[str]().union(*map(kept_words_of, texts)) - FUNCTION_WORDS


@lru_cache(maxsize=1)
def learnt() -> Weights:
    """The weights that come with the program. Raises ModelFileError where the file is missing or damaged."""
    try:
        return Weights(**json.loads(WEIGHTS.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise ModelFileError(
            f"{WEIGHTS.name} is damaged ({error}): install the program again, or run python -m evals.learn_operands"
        ) from error
