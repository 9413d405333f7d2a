"""The rows of a long printed table that a question is about."""

from __future__ import annotations

import re

from tools.knowledge.lexicon.asked_metrics import find_asked, readable
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.knowledge.lexicon.stopwords import CHANGE_WORDS, STOP_WORDS
from tools.knowledge.lexicon.word_forms import words_of
from tools.knowledge.search.linking import STATED_PERIOD

MAX_TABLE_CHARACTERS = 1500
"""Characters of a table that is given whole, and of the rows kept of a longer one."""

_RULE = re.compile(r"^\|(?:\s*:?-+:?\s*\|)+\s*$")
_EMPTY = re.compile(r"[\s|]*")


def excerpt(text: str, question: str, length: int = MAX_TABLE_CHARACTERS) -> str:
    """A Markdown table's heading and, in their order, the rows nearest to `question` that have room in `length`
    characters; a table without need of it is given as it is.

    Nearest are rows of a metric asked for, then those that share words with the question, then totals, then the
    others as printed. A heading of rows stays where one of its rows does.
    """
    lines = text.split("\n")
    rule = next((at for at, line in enumerate(lines) if _RULE.match(line)), None)
    if len(text) <= length or rule is None:
        return text
    head, body = lines[: rule + 1], lines[rule + 1 :]
    asked = readable(question)
    metrics = {each.canonical for each in find_asked(asked)}
    words = _question_words(asked)
    rows = [at for at, line in enumerate(body) if not _is_heading(line)]
    order = sorted(rows, key=lambda at: (_distance(body[at], words, metrics), at))
    room = length - sum(len(line) + 1 for line in head)
    kept: set[int] = set()
    for at in order:
        heading = _heading_of(body, at)
        more = [each for each in (heading, at) if each is not None and each not in kept]
        cost = sum(len(body[each]) + 1 for each in more)
        if cost <= room or not kept:
            kept.update(more)
            room -= cost
    return "\n".join([*head, *(body[at] for at in sorted(kept))])


def _question_words(text: str) -> frozenset[str]:
    found = words_of(STATED_PERIOD.sub(" ", re.sub(r"['’]s\b", " ", text)))
    return frozenset(word for word in found - CHANGE_WORDS if word not in STOP_WORDS and not word.isdigit())


def _distance(row: str, words: frozenset[str], metrics: set[str]) -> int:
    label = row.strip().strip("|").split("|")[0].strip(" *")
    own = words_of(label)
    if metrics & {each.canonical for each in find_metrics(label)}:
        return 0
    if own & words:
        return 1
    return 2 if own & {"total", "net"} else 3


def _is_heading(row: str) -> bool:
    """A row that says what those after it are: '| **Operating expenses** | | |'."""
    label, _, rest = row.strip().strip("|").partition("|")
    return label.strip().startswith("**") and _EMPTY.fullmatch(rest) is not None


def _heading_of(body: list[str], at: int) -> int | None:
    """The heading above a row, where the row does not repeat it."""
    for before in range(at - 1, -1, -1):
        if _is_heading(body[before]):
            named = body[before].strip().strip("|").split("|")[0].strip(" *:")
            return before if named and named not in body[at] else None
    return None
