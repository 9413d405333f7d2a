"""What the evidence denies, anywhere in the cited text, and a claim tells as so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphs.local.polarity import Sign, negations
from graphs.local.quoting import Sentence, split
from graphs.local.words import content, is_generic
from tools.evidence import Evidence

_DENIES = re.compile(
    r"\b(?:not|no|never|none|neither|nor|nothing|nobody|without|cannot|fail\w*|rul(?:ed|es|ing)\s+out|refus\w*|reject\w*|"
    r"den(?:y|ied|ies)|declin(?:ed|es|ing)\s+to|stop\w*|halt\w*|suspend\w*|paus\w*|cancel\w*|drop\w*|abandon\w*|end(?:s|ed|ing)?|"
    r"g[ai]ve\w*\s+up|unlikely|unable|lack\w*|avoid\w*|free\s+of|absen\w+|instead|rather|before|until|only|unless|miss\w*|"
    r"against|dismiss\w*|doubt\w*|oppos\w*|withdr\w+|exclud\w*|un[a-z]{4,}|stay\w*|remain\w*|less|few(?:er)?)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words by which a claim denies too, or tells the same in another way."""
_NO = re.compile(r"^no\b[,.;:!–—]|^not\s+(?:at\s+all|really|now)\b|^none\b[,.;]|,\s+no[.!]$", re.IGNORECASE)
_CLAUSE = re.compile(r"[;,:]\s+|\s+(?:and|but|while|whereas|although|though|which|who)\s+", re.IGNORECASE)
_DIGIT = re.compile(r"\d")


def prose(cited: Sequence[Evidence]) -> Iterator[Sentence]:
    """The sentences of cited running text."""
    for item in cited:
        if item.fact is None and item.kind != "table":
            yield from split(item)


def denial_fault(text: str, cited: Sequence[Evidence]) -> str:
    """A denial of the cited text that the claim drops, or a 'no' to what it tells; '' if there is none."""
    said = list(prose(cited))
    plain = [frozenset(content(s.text)) for s in said if not negations(s.text)]
    clauses = _clauses(text)
    for sentence in said:
        if sentence.asked:
            continue
        for sign in negations(sentence.text):
            if denied := _dropped(sign, clauses):
                if not any(denied <= words for words in plain):
                    return f"the evidence says '{sign.text}', the statement does not"
    return _answered_no(text, said)


def _clauses(text: str) -> list[tuple[frozenset[str], bool]]:
    """(content stems, denies) of the clauses of a claim."""
    parts = [part for part in _CLAUSE.split(text) if part.strip()]
    return [(frozenset(content(part)), bool(_DENIES.search(part))) for part in parts]


def _dropped(sign: Sign, clauses: Sequence[tuple[frozenset[str], bool]]) -> frozenset[str]:
    """The words denied that one clause of the claim tells without a denial; empty if none does."""
    scope = [w for w in sign.after[:3] if not _DIGIT.match(w)]
    subject = [w for w in sign.before[:2] if not _DIGIT.match(w) and not is_generic(w)]
    needed = scope[:2] if len(scope) > 1 else [*scope, *subject[:1]]
    if len(needed) < 2 or all(map(is_generic, needed)):
        return frozenset()
    for words, denies in clauses:
        if not denies and set(needed) <= words:
            return frozenset(needed)
    return frozenset()


def _answered_no(text: str, said: Sequence[Sentence]) -> str:
    """A claim that tells as so what somebody asked and somebody else answered with 'no'."""
    if _DENIES.search(text):
        return ""
    words = {w for w in content(text) if not is_generic(w)}
    for question, answer in zip(said, said[1:], strict=False):
        if question.asked and not answer.asked and question.text.endswith("?") and _NO.search(answer.text):
            asked = {w for w in content(question.text) if not is_generic(w)}
            if len(asked & words) >= max(2, len(asked) // 2):
                return "the cited answer to this is no"
    return ""
