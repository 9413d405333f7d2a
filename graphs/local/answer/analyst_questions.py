"""Who asked about something on a call: the analysts whose own words ask it, with their firms."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.contracts import Reading
from graphs.drafts.sentences import Sentence, quoted, split
from graphs.drafts.words import content
from graphs.local.answer import fact_sentences
from graphs.local.question.answer_form import AnswerForm
from graphs.local.text.synonyms import concept, concepts
from tools.evidence import Evidence

ENOUGH = 0.5
"""Least share of the subject's words that an analyst's question holds."""
MOST = 3
"""Analysts named at most."""
LONGEST = 420
"""Characters of a question that are quoted."""

_ASK_WORDS = frozenset(
    content("analyst analysts participant people person asked question raise raised brought inquired wanted")
)
_FIRM = r"[A-Z][\w&'’-]*(?:\.(?=[A-Z]))?(?: (?:[A-Z&][\w&'’-]*|and|of))*"
_PARTICIPANT = re.compile(
    r"\((?P<name>[^,()]+), [^,()]*\bAnalyst\b[^,()]*, (?P<firm>[^()]+)\)\.?$", re.IGNORECASE
)


def told_of_askers(form: AnswerForm, reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """Cited lines, one an analyst, best first: the question in their words, and their firm if it is known;
    empty when no question is about it."""
    subject = {concept(word) for word in form.terms if word not in _ASK_WORDS}
    if not subject:
        return []
    found: list[tuple[float, int, list[Sentence]]] = []
    for item in evidence:
        asked = [s for s in split(item) if s.asked and s.speaker] if item.kind == "exchange" else []
        told = [s for s in asked if subject & concepts(s.text)]
        held = set().union(*(subject & concepts(s.text) for s in told)) if told else set()
        if len(held) >= ENOUGH * len(subject):
            found.append((len(held) / len(subject), item.rank, told))
    found.sort(key=lambda each: (-each[0], each[1]))
    lines: dict[str, str] = {}
    for share, _, told in found:
        if share >= found[0][0] and len(lines) < MOST:
            lines.setdefault(told[0].speaker, _line(subject, told, evidence))
    return list(lines.values())


def _line(subject: set[str], told: Sequence[Sentence], evidence: Sequence[Evidence]) -> str:
    """'Ann Lee is an analyst of Birch Capital [7]. Ann Lee asked on Orla Devices' call: “How ...?” [3]'"""
    best = max(told, key=lambda s: (len(subject & concepts(s.text)), -s.position))
    run = [best]
    for sentence in told:
        if sentence.position == run[-1].position + 1 and len(" ".join(s.text for s in run)) < LONGEST / 2:
            run.append(sentence)
    who = quoted(best.speaker)
    said = quoted(" ".join(s.text for s in run))
    company = fact_sentences.name_of(best.item)
    line = f"{who} asked on {company} call: “{said}” [{best.item.rank}]"
    for item in evidence:
        match = _PARTICIPANT.search(item.text) if item.kind == "relation" else None
        same = (
            match is not None and match["name"] == best.speaker and item.company_key == best.item.company_key
        )
        if match is not None and same:
            return f"{who} is an analyst of {quoted(match['firm'])} [{item.rank}]. {line}"
    firm = _introduced(best)
    return f"{who} is an analyst of {quoted(firm)} [{best.item.rank}]. {line}" if firm else line


def _introduced(sentence: Sentence) -> str:
    """The firm as the operator or the analyst says it: 'from Ann Lee with Birch Capital'; '' if nobody does."""
    last = re.escape(sentence.speaker.split()[-1])
    match = re.search(
        rf"\b{last},? (?:with|from|of|at) (?P<firm>{_FIRM})(?=[.,;?!]|\s*$)", sentence.item.text, re.M
    )
    return match["firm"] if match else ""
