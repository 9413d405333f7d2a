"""Whether a turn leans on the question before it, and what of that it means."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from graphs.local.followup.carried_periods import NEXT
from graphs.local.followup.completion import IT, IT_ALONE, ITS, SHE
from graphs.local.followup.pointers import ROLE, person
from graphs.local.followup.slots import DURATION, Slots
from graphs.local.followup.substitution import LEAD
from graphs.local.question.topic_words import DOMAIN
from graphs.local.text.spans import Span
from tools.documents.metadata.company_names import name_tokens
from tools.documents.text.ordinary_words import FUNCTION_WORDS, ORDINARY

MAX_WORDS_LEFT = 3
"""Words of an 'and ...' beside names, figures and periods, where nothing is asked."""
POINTING = re.compile(
    r"\b(?:that|this|it|he|she|they|them|those|these|all|both|each|two|ones?|first|second|last)\b|^\W*which\s+(?!compan)",
    re.IGNORECASE,
)
_KIND = re.compile(
    r"^\W*(?:(?:and|what\s+about|how\s+about)\s+)?(?:the\s+)?(?P<kind>diluted|basic|adjusted|gaap|non-?gaap)\W*$",
    re.I,
)
_ASKING = frozenset({"what", "who", "how", "why", "which", "when", "where", "is", "did", "does"})
EVERYONE = re.compile(
    r"\b(?:companies|each|all\s+(?:of\s+)?(?:the|them)|across|any\s+company|which\s+company|everyone|both)\b",
    re.I,
)


def is_elliptical(now: Slots) -> bool:
    """Is nothing said but a name, a metric, a period or a duration, with small words around it?"""
    lead = LEAD.match(now.text)
    rest = now.text[lead.end() if lead else 0 :]
    if not now.metrics and any(token.word in _ASKING for token in name_tokens(rest)):
        return False
    spans = [*now.companies, *now.names, *now.metrics, *((ask.start, ask.end) for ask in now.asks)]
    spans += [match.span() for pattern in (DURATION, NEXT) for match in pattern.finditer(now.text)]
    left = _left_beside(now.text, [*spans, *([lead.span()] if lead else [])])
    if lead and not left:
        return True
    if lead and (len(left) <= MAX_WORDS_LEFT or ROLE.search(now.text)):  # 'what about margins in China?'
        return True
    if not spans:
        return False
    if len(left) > 1 or any(word not in ORDINARY for word in left):
        return False
    whole = bool(now.companies) and bool(now.metrics or now.asks)
    return not whole and _ASKING.isdisjoint(token.word for token in name_tokens(now.text))


def _left_beside(text: str, spans: Sequence[Span]) -> list[str]:
    """Words outside `spans` that are more than grammar."""
    rest = list(text)
    for start, end in spans:
        rest[start:end] = " " * (end - start)
    return [token.word for token in name_tokens("".join(rest)) if token.word not in FUNCTION_WORDS]


def does_lean(now: Slots) -> bool:
    """Does a question without a company lean on the one before, instead of opening another subject?"""
    if EVERYONE.search(now.text):
        return False
    pointing = (
        LEAD.match(now.text)
        or ITS.search(now.text)
        or IT.search(now.text)
        or IT_ALONE.search(now.text)
        or SHE.search(now.text)
    )
    words = [token.word for token in name_tokens(now.text)]
    about = bool(now.metrics or now.asks or now.names or any(word in DOMAIN for word in words))
    return bool(pointing or about)


def brought_up(turn: str, answer: str) -> tuple[str, str]:
    """What of the answer before a turn may mean: its text where the turn points at something, and a person."""
    points = POINTING.search(turn) or is_bare(turn)
    return answer if points else "", person(answer) if SHE.search(turn) else ""


def is_bare(turn: str) -> bool:
    """Does a turn say nothing by itself ('since when?')? One that speaks to the assistant does."""
    words = {token.word for token in name_tokens(turn)}
    return (
        bool(words)
        and words <= FUNCTION_WORDS | _ASKING
        and words.isdisjoint(("you", "your", "i", "me", "my"))
    )


def asks_on(now: Slots) -> bool:
    """Does a turn ask about what it only points at?"""
    asks = "?" in now.text or not _ASKING.isdisjoint(token.word for token in name_tokens(now.text))
    return asks and bool(POINTING.search(now.text))


def with_kind(now: Slots, about: Slots, read: Callable[[str], Slots]) -> Slots:
    """'diluted?' after earnings per share asks for the diluted ones."""
    match = _KIND.match(now.text)
    if match is None or not about.metrics:
        return now
    plain = re.sub(r"^(?:diluted|basic|adjusted|gaap|non-?gaap)\s+", "", about.metric, flags=re.IGNORECASE)
    return read(f"{match['kind']} {plain}")
