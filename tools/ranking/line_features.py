"""What speaks for a line of text as the answer to a question: numbers that know no company, product or line item."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

LineKind = Literal["sentence", "fact", "relation"]
Stems = Callable[[str], Sequence[str]]
"""A text to the stems of its content words."""

_NUMBER = re.compile(r"\d")
_MARKED = re.compile(r"[$€£¥%]\s?\d|\d\s?%|\d (?:thousand|million|billion|trillion|percent)\b", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\d,.])(?:19|20)\d\d(?![\d,]|\.\d)")
_NAME = re.compile(r"(?<![.!?“\"]\s)(?<!^)\b[A-Z][\w&’'.-]*[a-z][\w-]*")
_GOES_ON = re.compile(r"(?:This|That|These|Those|It|They|Such|Both|He|She)\b")
LENGTH = 160
"""Characters of a line of usual length."""
K1, B = 1.2, 0.75
"""BM25's usual settings."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line that may answer, and where it stands."""

    text: str
    kind: LineKind
    heading: str = ""
    """Heading above it, or the title of its table."""
    company: str = ""
    speaker: str = ""
    before: str = ""
    """The sentence before it."""
    place: int = 0
    """Position of its passage or figure in what its search found, from 0."""
    cosine: float = 0.0
    """Nearness of its passage to the question."""
    match: float = 0.0
    """How well the knowledge graph says that its line item fits."""
    nearness: float = 0.0
    """Of a figure the cosine of its printed line with what is asked, see `tools.vector.line_item_encoder`."""
    period: float = 0.0
    """1 where its period is one asked for, -1 where it is another, 0 where nothing says so."""
    named: float = 0.0
    """1 where it is of a company that the question names, -1 of another, 0 where it names none."""
    quotable: bool = True
    """An ordinary sentence: no question, greeting or fragment."""
    may_be_shown: bool = True
    """False for what nobody may be shown as an answer."""
    asked: bool = False
    """Part of what an analyst asks."""
    of_part: bool = False
    """Said of a part of the company that only the heading names, and the question does not."""
    passage: int = -1
    """Which passage it is of; below 0 for none."""

    @property
    def shown(self) -> str:
        """The line as a reader without its page would need it: company, speaker and heading first."""
        if self.kind != "sentence":
            return self.text
        who = f"{self.company}, {self.speaker}" if self.speaker else self.company
        return f"{who}. {self.heading}: {self.text}"


def overlap(question: str, lines: Sequence[Line], stems: Stems) -> list[tuple[float, float]]:
    """For each line its BM25 score among the lines, and the same of its surroundings' words that itself lacks; both as
    shares of what the question's words are worth."""
    asked = set(stems(question))
    bags = [Counter(stems(line.text)) for line in lines]
    seen = Counter(word for bag in bags for word in bag)
    usual = sum(bag.total() for bag in bags) / max(1, len(bags)) or 1.0
    worth = {w: math.log(1 + (len(lines) - seen[w] + 0.5) / (seen[w] + 0.5)) for w in asked}
    whole = sum(worth.values()) or 1.0
    found = []
    for line, bag in zip(lines, bags, strict=True):
        norm = K1 * (1 - B + B * bag.total() / usual)
        own = sum(worth[w] * bag[w] * (K1 + 1) / (bag[w] + norm) for w in asked)
        around = set(stems(line.heading)) | set(stems(line.before))
        found.append((own / whole, sum(worth[w] for w in asked if w in around and w not in bag) / whole))
    return found


def features(
    question: str,
    line: Line,
    share: tuple[float, float],
    logit: float,
    best: float,
    nearest: float,
    wanted: Mapping[str, float],
) -> dict[str, float]:
    """Feature -> value. `share` as of `overlap`; `logit` is the cross-encoder's score of the line, `best` the highest
    and `nearest` the greatest nearness of the question's lines; `wanted`: kind of answer -> probability that the
    question wants it."""
    known = question.lower()
    years, asked_years = set(_YEAR.findall(line.text)), set(_YEAR.findall(question))
    names = {name for name in _NAME.findall(line.text) if name.lower() not in known}
    basic = {
        "logit": logit / 5,
        "behind": (best - logit) / 5,
        "words": share[0],
        "around": share[1],
        "cosine": line.cosine,
        "place": 1 / (1 + line.place),
        "match": line.match,
        "nearness": line.nearness,
        "less near": nearest - line.nearness if line.kind == "fact" else 0.0,
        "period": line.period,
        "named": line.named,
        "year": (1.0 if years & asked_years else -1.0) if years and asked_years else 0.0,
        "length": math.log(max(len(line.text), 1) / LENGTH),
        "fact": float(line.kind == "fact"),
        "relation": float(line.kind == "relation"),
        "number": float(_NUMBER.search(line.text) is not None),
        "amount": float(_MARKED.search(line.text) is not None),
        "names": min(len(names), 4) / 4,
        "goes on": float(_GOES_ON.match(line.text) is not None),
        "quotable": float(line.quotable),
        "spoken": float(bool(line.speaker)),
    }
    crossed = {f"{kind}*{name}": chance * basic[name] for kind, chance in wanted.items() for name in CROSSED}
    return {"": 1.0, **basic, **crossed}


CROSSED = (
    "logit",
    "words",
    "match",
    "nearness",
    "less near",
    "fact",
    "relation",
    "number",
    "amount",
    "names",
    "length",
    "spoken",
    "period",
)
"""Features that count differently by the kind of answer that is wanted."""
