"""Ideas of financial statements, each as readers put it and as statements print it.

Not names of line items (`vocabulary` has those): single ideas that either side may word in many ways, of which
a question and the right label share most. The ranker weighs shared, unasked and unmet ideas alike for all.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path


def _compile(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z0-9])(?:{words})(?![a-z0-9])")


_IDEA_PATTERNS: dict[str, dict[str, dict[str, str]]] = json.loads(
    (Path(__file__).parent / "ideas.json").read_text(encoding="utf-8")
)
"""Kind of idea -> name -> what readers write (`question`) and what statements print (`label`), as regular
expressions of lower-case text."""
TOPIC_NAMES = tuple(_IDEA_PATTERNS["topics"])
TURN_NAMES = tuple(_IDEA_PATTERNS["turns"])
"""Turns are what two line items of one topic differ by: paid or received, short or long, net or gross."""


def _sides(kind: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return tuple(
        (_compile(idea["question"]), _compile(idea["label"])) for idea in _IDEA_PATTERNS[kind].values()
    )


TOPICS, TURNS = _sides("topics"), _sides("turns")
"""(pattern of questions, pattern of labels), in the order of the names."""


def _lowered(text: str) -> str:
    return text.lower().replace("\u2019", "'").replace("\u2013", "-").replace("\u2014", "-")


@lru_cache(maxsize=512)
def question_ideas(question: str) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
    """Which of `TOPICS` and which of `TURNS` a question holds."""
    text = _lowered(question)
    return tuple(bool(q.search(text)) for q, _ in TOPICS), tuple(bool(q.search(text)) for q, _ in TURNS)


@lru_cache(maxsize=512)
def question_spans(question: str) -> tuple[tuple[int, int, int], ...]:
    """(idea, start, end) of everything that a question words an idea with; turns are counted after the topics."""
    text = _lowered(question)
    return tuple(
        (index, match.start(), match.end())
        for index, (q, _) in enumerate((*TOPICS, *TURNS))
        for match in q.finditer(text)
    )


@lru_cache(maxsize=32768)
def label_ideas(label: str) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
    """Which of `TOPICS` and which of `TURNS` a printed label or heading holds."""
    text = _lowered(label)
    return tuple(bool(t.search(text)) for _, t in TOPICS), tuple(bool(t.search(text)) for _, t in TURNS)
