"""Sentences of evidence: cleaned, ranked for a question, and quoted so that what is quoted stays data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tools.documents.text.cleaning import clean, sentences, squeeze
from tools.evidence import Evidence

QUOTABLE_CHARS = (30, 600)
"""A sentence of usual length, in characters."""
SHOWN_CHARS = (20, 1500)
"""Characters of a sentence that can be shown at all: lists of names run long."""

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
    r"we describe (?:risks|the risks)|\b(?:see|refer to) [\"'“‘]|"
    r"incorporated (?:herein )?by reference|should be read in conjunction",
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
_ITEM = re.compile(r"[-+•▪–·]\s*(?=[A-Z(])")
_LISTED = re.compile(r"(?:following|by|to|factors|reasons): [-+•▪–·]")
"""An introduction with the first of its items."""
_LINK = re.compile(
    r"\b(https?(?=:)|[a-z][a-z0-9+-]{1,9}(?=://)|www(?=\.\w)|(?:javascript|mailto)(?=:))[:.]/*", re.IGNORECASE
)
"""What a program that shows an answer would make a link of."""
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


def without_links(text: str) -> str:
    """`text` with addresses broken up: 'https://a.com' is 'https a.com'."""
    return _LINK.sub(lambda m: f"{m[1]} ", text)


def quoted(text: str) -> str:
    """`text` as data inside an answer: on one line, no Markdown, no markers, no double quotation marks of
    its own."""
    text = squeeze(clean(text))
    text = re.sub(r"\[(\d[\d\s,;–-]*)\]", r"(\1)", text).replace("[", "(").replace("]", ")")
    text = re.sub(r"[\"“”„«»]", "'", text)
    text = without_links(text)
    return squeeze(_UNSAFE.sub(" ", text))


def listed(names: Sequence[str]) -> str:
    """'Orla', 'Orla and Kestrel', 'Orla, Kestrel and Harrowmere'."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _with_lists(lines: Sequence[str]) -> list[str]:
    """The lines, the items of a list joined to the line that introduces it: 'driven by the following: - ...'."""
    found: list[str] = []
    for line in lines:
        joins = _ITEM.match(line.strip()) and found and _opens_list(found[-1])
        if joins and len(found[-1]) + len(line) < QUOTABLE_CHARS[1]:
            found[-1] = f"{found[-1].rstrip()} {line.strip()}"
        else:
            found.append(line)
    return found


def _opens_list(line: str) -> bool:
    return line.rstrip().endswith(":") or bool(_LISTED.search(line))


@lru_cache(maxsize=2048)
def split_text(text: str, kind: str, section: str) -> tuple[tuple[str, str, bool], ...]:
    """(sentence, speaker, asked) of a chunk's text, in order."""
    where = section.rpartition(" > ")[2] if " > " in section else ""
    spoken = section.startswith(("Prepared Remarks", "Questions and Answers"))
    speaker = where if spoken and kind == "prose" else ""
    asker = where if kind == "exchange" else ""
    found: list[tuple[str, str, bool]] = []
    if kind == "table":
        return ()
    continued = False
    for line in _with_lists(text.split("\n")):
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
    parts = split_text(item.text, item.kind, item.section)
    return [Sentence(text, item, speaker, n, asked) for n, (text, speaker, asked) in enumerate(parts)]


def may_be_shown(sentence: Sentence) -> bool:
    """False for what an analyst or the operator says, greetings, boilerplate, scraps and whole pages without a full
    stop. Whether another sentence is worth showing is for a learned fit to say."""
    text = sentence.text
    if sentence.asked or sentence.speaker == "Operator" or not SHOWN_CHARS[0] <= len(text) <= SHOWN_CHARS[1]:
        return False
    return not _says_nothing(text)


def is_quotable(sentence: Sentence) -> bool:
    """Whether a sentence is an ordinary one: no question, greeting, boilerplate, page furniture or fragment."""
    return not sentence.asked and sentence.speaker != "Operator" and _is_quotable_text(sentence.text)


@lru_cache(maxsize=16384)
def _is_quotable_text(text: str) -> bool:
    if (
        not QUOTABLE_CHARS[0] <= len(text) <= QUOTABLE_CHARS[1]
        or (text[-1] not in ".!\"”')" and not _LISTED.search(text))
        or not _OPENING.match(text)
    ):
        return False
    words = text.split()
    letters = sum(map(str.isalpha, text))
    small = sum(word[0].islower() for word in words)
    if letters < 0.6 * (len(text) - len(words)) or small < 0.4 * len(words):
        return False
    return not _says_nothing(text)


def _says_nothing(text: str) -> bool:
    return bool(_CHATTER.match(text) or _BOILERPLATE.search(text))
