"""What a model's draft states, sentence by sentence, and which of it an answer shows; a splitter of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from rapidfuzz.distance import LCSseq

MIN_SHARE_SHOWN = 0.8
"""Share of a sentence's words that a sentence of the answer must hold in their order; all its figures besides."""
MIN_WORDS = 2
"""Words of a line that can state anything."""
NAMED_AS_MISSING = "MISSING:"
"""How a draft opens the line that says what would still have to be found."""
MIN_WORDS_OF_JSON = 3
"""Words of a string in a structured reply that is taken for prose."""
_MARKERS = re.compile(r"\s*\[\d+(?:\s*[,;–-]\s*\d+)*\]")
_LIST = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_RULE = re.compile(r"^\s*\|?[\s:|-]*-{2,}[\s:|-]*$")
_END = re.compile(r"(?<=[.!?])(?:[\"'”’)]*)\s+(?=[\"'“‘(]?[A-Z0-9$€£])")
_ABBREVIATED = re.compile(r"(?:\b(?:Inc|Corp|Co|Ltd|Mr|Mrs|Ms|Dr|No|vs|St|approx)|\b[A-Z])\.$")
_THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)


def sentences(text: str) -> list[str]:
    """What a text states, without markers of citations: sentences, items of lists, rows of tables.

    Headings, lines that lead in ('Here is what I found:') or name what is missing, and replies in capitals alone
    state nothing. Of a reply in JSON its longer strings are read.
    """
    lines = _prose(_THOUGHTS.sub(" ", text)).splitlines()
    heads = {number - 1 for number, line in enumerate(lines) if _RULE.match(line)}
    found: list[str] = []
    for number, line in enumerate(lines):
        if number in heads or _RULE.match(line) or line.lstrip().startswith(("#", "```")):
            continue
        if line.startswith(NAMED_AS_MISSING):
            continue
        plain = " ".join(_MARKERS.sub("", _LIST.sub("", line)).replace("**", "").split())
        parts = [plain] if plain.startswith("|") else _split(plain)
        found += [part for part in parts if _states(part)]
    return found


def is_shown(sentence: str, answer: str) -> bool:
    """Whether an answer's words hold a sentence: most of its words in order within one sentence, and its figures."""
    plain = _MARKERS.sub("", sentence)
    words, figures = _words(plain), _figures(plain)
    return any(
        figures <= _figures(other) and LCSseq.similarity(words, _words(other)) >= MIN_SHARE_SHOWN * len(words)
        for other in sentences(answer)
    )


def _prose(text: str) -> str:
    inside = re.sub(r"^```\w*\n|\n```$", "", text.strip())
    if not inside.startswith(("{", "[{")):
        return text
    try:
        value = json.loads(inside)
    except ValueError:
        return text
    return "\n".join(leaf for leaf in _strings(value) if len(leaf.split()) >= MIN_WORDS_OF_JSON)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for child in value.values() if isinstance(value, dict) else value:
            yield from _strings(child)


def _split(text: str) -> Sequence[str]:
    parts: list[str] = []
    for part in _END.split(text):
        if parts and _ABBREVIATED.search(parts[-1]):
            parts[-1] += f" {part}"
        else:
            parts.append(part)
    return parts


def _states(text: str) -> bool:
    return len(text.split()) >= MIN_WORDS and not text.endswith(":") and bool(re.search(r"[a-z]", text))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _figures(text: str) -> set[str]:
    return {figure.rstrip(".,") for figure in re.findall(r"\d[\d.,]*", text)}
