"""Who asked about something on a call: the analysts whose own words ask it, with their firms."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.contracts import Reading
from graphs.drafts.sentences import Sentence, quoted, split
from graphs.drafts.words import content
from graphs.local.answer.fact_sentences import possessive_company
from graphs.local.question.answer_form import AnswerForm
from graphs.local.text.synonyms import concept, concepts
from tools.evidence import Evidence

MIN_SUBJECT_SHARE = 0.5
"""Least share of the subject's words that an analyst's question holds."""
MAX_ANALYSTS = 3
"""Analysts named at most."""
MAX_ASKED, MIN_QUESTION_WORDS = 8, 6
"""Analysts named where nothing is said of the subject, and words that say what a question is about, at least."""
ENOUGH_QUESTION_CHARS = 210
"""Length of a quoted question from which no further sentence is added."""

_ASK_WORDS = frozenset(
    content("analyst analysts participant people person asked question raise raised brought inquired wanted")
)
_FIRM = r"[A-Z][\w&'’-]*(?:\.(?=[A-Z]))?(?: (?:[A-Z&][\w&'’-]*|and|of))*"
_PARTICIPANT = re.compile(
    r"\((?P<name>[^,()]+), [^,()]*\bAnalyst\b[^,()]*, (?P<firm>[^()]+)\)\.?$", re.IGNORECASE
)


def analysts_who_asked(form: AnswerForm, reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """Cited lines, one an analyst, best first: the question in their words, and their firm if it is known; empty when
    no question is about it. Who asks for no subject is told what was asked at all."""
    subject = {concept(word) for word in form.terms if word not in _ASK_WORDS}
    if not subject:
        return _all_questions(evidence)
    found: list[tuple[float, int, list[Sentence]]] = []
    for item in evidence:
        asked = [s for s in split(item) if s.asked and s.speaker] if item.kind == "exchange" else []
        asked = [s for s in asked if subject & concepts(s.text)]
        held = {word for s in asked for word in subject & concepts(s.text)}
        if len(held) >= MIN_SUBJECT_SHARE * len(subject):
            found.append((len(held) / len(subject), item.rank, asked))
    found.sort(key=lambda each: (-each[0], each[1]))
    lines: dict[str, str] = {}
    for share, _, asked in found:
        if share >= found[0][0] and len(lines) < MAX_ANALYSTS:
            lines.setdefault(asked[0].speaker, _cited_line(subject, asked, evidence))
    return list(lines.values())


def _all_questions(evidence: Sequence[Evidence]) -> list[str]:
    """One for each analyst, by the first question of theirs that says enough."""
    lines: dict[str, str] = {}
    for item in evidence:
        said = split(item) if item.kind == "exchange" else []
        for each in said:
            whole = each.asked and each.text.endswith("?") and len(content(each.text)) >= MIN_QUESTION_WORDS
            if whole and each.speaker and each.speaker not in lines and len(lines) < MAX_ASKED:
                lines[each.speaker] = _cited_line(set(), [each], evidence)
    return list(lines.values())


def _cited_line(subject: set[str], asked: Sequence[Sentence], evidence: Sequence[Evidence]) -> str:
    """'Ann Lee is an analyst of Birch Capital [7]. Ann Lee asked on Orla Devices' call: “How ...?” [3]'"""
    best = max(asked, key=lambda s: (len(subject & concepts(s.text)), -s.position))
    run = [best]
    for sentence in asked:
        length = len(" ".join(s.text for s in run))
        if sentence.position == run[-1].position + 1 and length < ENOUGH_QUESTION_CHARS:
            run.append(sentence)
    who = quoted(best.speaker)
    said = quoted(" ".join(s.text for s in run))
    line = f"{who} asked on {possessive_company(best.item)} call: “{said}” [{best.item.rank}]"
    firm, rank = _listed_firm(best, evidence) or (_introduced_firm(best), best.item.rank)
    return f"{who} is an analyst of {quoted(firm)} [{rank}]. {line}" if firm else line


def _listed_firm(sentence: Sentence, evidence: Sequence[Evidence]) -> tuple[str, int] | None:
    """The speaker's firm as the company's list of participants gives it, and the rank of that evidence."""
    for item in evidence:
        if item.kind == "relation" and item.company_key == sentence.item.company_key:
            match = _PARTICIPANT.search(item.text)
            if match is not None and match["name"] == sentence.speaker:
                return match["firm"], item.rank
    return None


def _introduced_firm(sentence: Sentence) -> str:
    """The firm as the operator or the analyst says it: 'from Ann Lee with Birch Capital'; '' if nobody does."""
    last = re.escape(sentence.speaker.split()[-1])
    match = re.search(
        rf"\b{last},? (?:with|from|of|at) (?P<firm>{_FIRM})(?=[.,;?!]|\s*$)", sentence.item.text, re.M
    )
    return match["firm"] if match else ""
