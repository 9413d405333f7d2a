"""Earnings calls: who takes part, who says what, and which turns make one question and its answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tools.documents.text.cleaning import squeeze
from tools.documents.types import Page, Participant

_PARTICIPANTS = re.compile(
    r"(?:(?:conference\s+)?call|corporate|company|conference)?\s*participants\s*:?", re.I
)
_REMARKS = re.compile(
    r"(?:prepared\s+remarks|presentation|management\s+discussion(?:\s+section)?)\s*:?", re.I
)
_QUESTIONS = re.compile(
    r"(?:questions?\s*(?:and|&)\s*answers?|q\s*&\s*a)(?:\s+(?:session|section))?\s*:?", re.I
)
_CLOSING = re.compile(r"(?:duration\s*:\s*\d+\s+minutes|call\s+participants\s*:?)", re.I)
_ROLE = re.compile(
    r"\b(?:chief|officer|president|director|chair(?:man|woman|person)?|head|treasurer|manager|counsel|controller|trustee|"
    r"secretary|intern|executive|board|founder|investor\s+relations|finance|vp|ceo|cfo|coo|cto)\b",
    re.IGNORECASE,
)
_ANALYST = re.compile(r"\banalyst\b", re.IGNORECASE)
_UNNAMED = re.compile(
    r"(?:Unidentified|Unknown|Unverified)\s+(?:Speaker|Participant|Analyst|Executive|Company\s+Representative)"
)
_NAME = re.compile(r"[A-Z][\w.'’()-]*(?:,?\s+(?:[A-Z][\w.'’()-]*|de|van|von|der|la|di|St\.|I{1,3})){0,5}")
_NO_NAME = re.compile(r"\d\d|[<>{}|/\\@=]")
"""What no person's name holds: a figure, an address or markup in its place is text like any other."""
_INLINE = re.compile(r"(?P<name>[A-Z][\w.'’ ()-]{1,40}?)\s*:\s+(?P<rest>\S.*)")
_MARKUP = re.compile(r"^\s*(?:#{1,6}|[@•*-])\s+")
_MIN_WRAPPED = 80


@dataclass(slots=True)
class Turn:
    """What one person says until the next one speaks."""

    speaker: str
    lines: list[tuple[int, str]] = field(default_factory=list)
    """(page number, line) in order."""
    in_questions: bool = False


@dataclass(slots=True)
class Exchange:
    """An analyst's question with its whole answer: all turns until the next analyst or the operator."""

    asker: str
    turns: list[Turn]


@dataclass(frozen=True, slots=True)
class Transcript:
    """A call, taken apart."""

    participants: tuple[Participant, ...]
    parts: tuple[Turn | Exchange, ...]
    """In order; an operator's introduction of a questioner belongs to the exchange."""
    dropped: dict[str, int]


def read_transcript(pages: Sequence[Page], company: str) -> Transcript:
    """The participants, turns and exchanges of a call; `company` is the firm of its executives.

    Speakers are lines that are a participant's name, 'Operator' or 'Unidentified Speaker', alone or followed
    by ' -- Firm -- Analyst', or such a name and a colon before the words.
    """
    lines = [
        (page.number, line)
        for page in pages
        for raw in page.text.split("\n")
        if (line := squeeze(_MARKUP.sub("", raw)))
    ]
    start, end = _participant_block(lines)
    participants = _participants(lines[start:end], company)
    dropped = {"title": min(start, 3)} if start else {}
    turns = _turns(lines[end:], participants, dropped)
    return Transcript(participants, _parts(turns, _analysts(participants, turns)), dropped)


def _participant_block(lines: Sequence[tuple[int, str]]) -> tuple[int, int]:
    """The range of the participant list, heading excluded; (0, first turn) where there is none."""
    heading = next((i for i, (_, line) in enumerate(lines[:60]) if _PARTICIPANTS.fullmatch(line)), None)
    begin = heading + 1 if heading is not None else 0
    for i in range(begin, min(len(lines), begin + 120)):
        line = lines[i][1]
        if _REMARKS.fullmatch(line) or line == "Operator" or re.match(r"Operator\s*:", line):
            return (begin, i) if heading is not None else (i, i)
    return begin, begin


def _participants(lines: Sequence[tuple[int, str]], company: str) -> tuple[Participant, ...]:
    entries: list[tuple[int, str]] = []
    previous = ""
    for page, line in lines:
        continues = entries and len(previous) >= _MIN_WRAPPED and not re.search(r"\S\s*--", line)
        if continues:
            entries[-1] = (entries[-1][0], f"{entries[-1][1]} {line}")
        elif re.search(r"\S\s*-{2,}|\s[–—-]\s", line) or (_NAME.fullmatch(line) and len(line.split()) <= 4):
            entries.append((page, line))
        previous = line
    found = (_participant(page, entry, company) for page, entry in entries)
    return tuple(p for p in found if p is not None)


def _participant(page: int, entry: str, company: str) -> Participant | None:
    """'Bob Roy--Harbor Bank -- Analyst', 'Ann Lee--Chairman and Chief Executive Officer'."""
    separator = r"\s*-{2,}\s*" if "--" in entry else r"\s+[–—-]\s+"
    raw_name, *rest = [part.strip() for part in re.split(separator, entry)]
    name = clean_name(raw_name)
    if not name or _PARTICIPANTS.fullmatch(name) or _NO_NAME.search(name):
        return None
    if len(rest) >= 2:
        firm, role = " -- ".join(rest[:-1]), rest[-1]
    elif rest and (trailing := re.fullmatch(r"(?P<firm>.*\S)\s+(?P<role>Analyst)", rest[0])):
        firm, role = trailing["firm"], trailing["role"]
    elif rest and _ANALYST.fullmatch(rest[0]):
        firm, role = "", rest[0]
    elif rest and not _ROLE.search(rest[0]):
        firm, role = rest[0], "Analyst"
    else:
        return Participant(name, rest[0] if rest else "", company if rest else "", page, is_analyst=False)
    firm = firm.removesuffix(raw_name).strip() or firm
    is_analyst = bool(_ANALYST.search(role)) or not _ROLE.search(role)
    return Participant(name, role, firm if is_analyst else company, page, is_analyst)


def clean_name(name: str) -> str:
    """A name without a transcriber's notes ('[Phonetic]') and stray letters before it."""
    name = squeeze(re.sub(r"\[[^\]]*\]", " ", name))
    return re.sub(r"^[a-z]\s+(?=[A-Z])", "", name).strip(" ,:-")


def _turns(
    lines: Sequence[tuple[int, str]], participants: Sequence[Participant], dropped: dict[str, int]
) -> list[Turn]:
    known = {p.name for p in participants}
    turns: list[Turn] = []
    in_questions = False
    for page, line in lines:
        if _REMARKS.fullmatch(line) or _QUESTIONS.fullmatch(line) or _CLOSING.fullmatch(line):
            in_questions = in_questions or bool(_QUESTIONS.fullmatch(line))
            dropped["headings"] = dropped.get("headings", 0) + 1
            continue
        speaker, rest = _speaker(line, known, turns[-1] if turns else None)
        if speaker is not None:
            turns.append(Turn(speaker, [], in_questions))
            line = rest
        if not line:
            continue
        if re.fullmatch(r"\[(?:operators?\s+(?:closing\s+remarks|sign-?off|instructions))\]\.?", line, re.I):
            dropped["stage_directions"] = dropped.get("stage_directions", 0) + 1
        elif turns:
            turns[-1].lines.append((page, line))
        else:
            turns.append(Turn("", [(page, line)], in_questions))
    return [turn for turn in turns if turn.lines]


def _speaker(line: str, known: set[str], previous: Turn | None) -> tuple[str | None, str]:
    """The speaker whom a line announces (else None) and the words after it on the same line."""
    name = clean_name(line)
    if name == "Operator" or name in known or _UNNAMED.fullmatch(name):
        return name, ""
    head = clean_name(line.partition("--")[0])
    described = "--" in line and (head in known or _ANALYST.search(line)) and _NAME.fullmatch(head)
    if described and len(line) < 120 and not re.search(r"[?!]$", line):
        return head, ""
    if inline := _INLINE.fullmatch(line):
        speaker = clean_name(inline["name"])
        finished = (
            previous is None or not previous.lines or re.search(r"[.?!\])\"”-]$", previous.lines[-1][1])
        )
        if finished and (speaker == "Operator" or speaker in known or _UNNAMED.fullmatch(speaker)):
            return speaker, inline["rest"]
    return None, line


def _analysts(participants: Sequence[Participant], turns: Sequence[Turn]) -> frozenset[str]:
    """Who asks: the list's analysts, unnamed analysts, and whoever speaks right after the operator in the
    questions without being on the list."""
    executives = {p.name for p in participants if not p.is_analyst}
    found = {p.name for p in participants if p.is_analyst}
    found |= {turn.speaker for turn in turns if "Analyst" in turn.speaker}
    for before, turn in pairwise(turns):
        if (
            turn.in_questions
            and before.speaker == "Operator"
            and turn.speaker not in executives | {"Operator"}
        ):
            found.add(turn.speaker)
    return frozenset(found)


def _parts(turns: Sequence[Turn], analysts: frozenset[str]) -> tuple[Turn | Exchange, ...]:
    parts: list[Turn | Exchange] = []
    introduction: list[Turn] = []
    exchange: Exchange | None = None
    for turn in turns:
        if turn.speaker in analysts:
            if exchange is None or turn.speaker != exchange.asker:
                exchange = Exchange(turn.speaker, [])
                parts.append(exchange)
            exchange.turns += [*introduction, turn]
            introduction = []
        elif turn.speaker == "Operator":
            parts += introduction
            introduction = [turn]
        elif exchange is not None and not introduction:
            exchange.turns.append(turn)
        elif asker := _announced(introduction, analysts):  # the question itself was not written down
            exchange = Exchange(asker, [*introduction, turn])
            parts.append(exchange)
            introduction = []
        else:
            parts += [*introduction, turn]
            introduction, exchange = [], None
    return (*parts, *introduction)


def _announced(introduction: Sequence[Turn], analysts: frozenset[str]) -> str | None:
    """The analyst whom the operator calls up, by whole name."""
    words = " ".join(line for turn in introduction if turn.in_questions for _, line in turn.lines)
    return next((name for name in sorted(analysts) if " " in name and name in words), None)
