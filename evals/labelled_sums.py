"""Questions that people labelled with what they ask to be computed, and plain ones beside them: what the reader of
sums is learnt from."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from evals import records
from evals.natural import SETS, load
from evals.records import DATA
from tools.calculate import questions as q
from tools.documents.text.ordinary_words import FUNCTION_WORDS
from tools.period_words import MONTHS

LABELLED = DATA / "sums.jsonl"
HELD = DATA / "sums_held.jsonl"
"""By two authors that nothing is learnt from."""
PLAIN = "natural"
"""Stands for the authors of questions with nothing to compute."""
MOST_PLAIN = 1600
MIN_AUTHORS = 3
"""Who write a word in small letters, or in capitals, that is no company's name or ticker."""
_PERIOD = re.compile(
    "|".join((*MONTHS, *(f"{name[:3]}" for name in MONTHS), r"sept|(fy|cy|f?q|h)\d?|\dq|\dh"))
)


class Labelled(BaseModel):
    """A question with what it asks to be computed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str
    author: str
    operation: q.Operation
    use: q.Use
    measure: str = ""
    a: str = ""
    b: str = ""
    more: tuple[str, ...] = ()
    minus: tuple[str, ...] = ()
    set: str = ""
    of: str = ""
    less: bool | None = None
    """As `tools.calculate.questions.WAYS`; None where nobody labelled it."""
    kind: str = "fact"
    """Of `tools.calculate.questions.KINDS`, or another, or "" where nobody labelled it."""


def labelled(path: Path = LABELLED) -> list[Labelled]:
    """All of a file. OSError, and pydantic's ValidationError for a line that is none."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Labelled.model_validate_json(line) for line in lines]


def plain() -> list[Labelled]:
    """`MOST_PLAIN` questions with nothing to compute, all of them that ask for prose, with their kinds, and what was
    put to management on calls."""
    natural = load(SETS, "tune")
    asked = [(each.question, str(each.kind)) for each in natural]
    for name in ("filing_facts", "filing_facts_2", "filing_facts_3"):
        records_of = records.load(DATA / f"{name}.jsonl", records.Record, "tune")
        asked += [(each.question, "fact") for each in records_of]
    plain_figures = records.load(DATA / "plain_figures.jsonl", records.Record)
    asked += [(each.question, "fact") for each in plain_figures]
    asked = random.Random(0).sample(asked, MOST_PLAIN)
    asked += [(each.question, str(each.kind)) for each in natural if each.kind in q.PROSE]
    calls = records.load(DATA / "call_answers.jsonl", records.Record, "tune")
    asked += [(each.question, "") for each in calls]  # put to management: what it should do, no sum
    told = {each.question for each in labelled()}  # what is asked for, whether or not a page prints it
    return [
        Labelled(question=text, author=PLAIN, operation="none", use="value", kind=kind)
        for text, kind in dict(asked).items()
        if text not in told
    ]


def roles_of(each: Labelled) -> list[int]:
    """The role of every word, by the spans that were labelled: the longest first, each where none stands yet."""
    words, found = q.words_of(each.question), dict[int, int]()
    spans = [("a", each.a), ("b", each.b), *(("more", text) for text in each.more)]
    spans += [*(("minus", text) for text in each.minus), ("of", each.of), ("set", each.set)]
    for role, text in sorted((span for span in spans if span[1]), key=lambda span: -len(span[1])):
        whole = [*re.finditer(rf"(?<!\w){re.escape(text)}(?!\w)", each.question)]
        for place in (*whole, *re.finditer(rf"(?<!\w){re.escape(text)}", each.question)):
            own = [at for at, word in enumerate(words) if place.start() <= word.start < place.end()]
            if own and not any(at in found for at in own):
                found |= dict.fromkeys(own, q.ROLES.index(role))
                break
    return [found.get(at, 0) for at in range(len(words))]


class Names:
    """Tells which words of labelled questions name a company: of no span, no period, and written as a name."""

    def __init__(self, rows: Sequence[Labelled]) -> None:
        authors: dict[str, set[str]] = {}
        for each in rows:
            for word in q.words_of(each.question):
                if word.text.islower() or word.text.isupper():
                    authors.setdefault(_bare(word.text), set()).add(each.author)
        self._ordinary = {text for text, seen in authors.items() if len(seen) >= MIN_AUTHORS}

    def of(self, each: Labelled) -> list[str]:
        """As the question writes them."""
        words, roles, found = q.words_of(each.question), roles_of(each), list[tuple[int, int]]()
        for word, role in zip(words, roles, strict=True):
            if role or not word.text[0].isupper() or _is_of_period(word.text):
                continue
            goes_on = bool(found) and each.question[found[-1][1] : word.start].isspace()
            start = found.pop()[0] if goes_on else word.start
            if goes_on or not self._is_ordinary(word.text):
                found.append((start, word.start + len(_without_possessive(word.text))))
        return [each.question[start:end] for start, end in found]

    def _is_ordinary(self, text: str) -> bool:
        return _bare(text) in self._ordinary or _bare(text) in FUNCTION_WORDS


def _is_of_period(text: str) -> bool:
    return _PERIOD.fullmatch(_bare(text)) is not None


def _without_possessive(text: str) -> str:
    return text.rstrip(".").removesuffix("'s").removesuffix("’s")


def _bare(text: str) -> str:
    return _without_possessive(text).lower()
