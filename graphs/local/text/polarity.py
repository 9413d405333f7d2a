"""Direction and negation: which way something moved, and whether it is denied, compared word by word."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from graphs.drafts.words import content, is_generic, stem

_UP = (
    r"rose|risen|ris(?:e|es|ing)|increas\w*|gr(?:ew|own?|ows|owing|owth)|higher|gain(?:ed|s|ing)?|"
    r"improv\w*|expand\w*|expansion|"
    r"climb\w*|surg\w*|jump\w*|accelerat\w*|strengthen\w*|stronger|(?<!financial\s)strength|favorabl[ey]|advanc(?:ed|ing)|"
    r"exceed\w*|outperform\w*|raised?|raising|tailwinds?|upward|profitable|"
    r"ma(?:kes?|king|de)\s+money"
)
_DOWN = (
    r"fell|fallen|fall(?:s(?!\s+due)|ing(?!\s+due))|(?<!this\s)(?<!next\s)(?<!the\s)(?<!last\s)fall(?!\s+due)|slid|slipped|sank|sunk|dipped|plung\w*|tumbl\w*|declin\w*|decreas\w*|dropp?(?:ed|s|ing)?|lower(?:ed|ing)?|reduc\w*|"
    r"contract(?:ed|ion)|shr[aiu]nk\w*|"
    r"slow(?:ed|er|ing|down)?|worsen\w*|concessions?|weak\w*|unfavorabl[ey]|decelerat\w*|underperform\w*|miss(?:ed)?|los(?:es?|ing|t)\s+(?:a\s+little\s+|some\s+|more\s+|less\s+)*money|"
    r"headwinds?|downward|loss(?:es)?|unprofitable|worse|"
    r"under\s+pressure|soft(?:er|ness|ened|ening)?|cost(?:s|ing)?\s+(?:us|it|them)\s+(?:a\s+lot\s+of\s+)?money"
)
_FOLLOWED = (
    r"(?=\s+(?:by|from|on|year|sequentially|slightly|significantly|sharply|modestly|versus|compared|about|"
    r"approximately|"
    r"over|more\s+than|nearly|some|roughly|[$€£]?\d))"
)
"""'up' and 'down' say a direction before an amount or a base, not in 'set up' or 'down payment'."""
_AFTER_BE = r"(?:(?<=\bslightly\s)|(?<=\bsharply\s)|(?<=\bwere\s)|(?<=\bwas\s)|(?<=\bare\s)|(?<=\bis\s))"
_DIRECTION = re.compile(
    rf"(?<![\w-])(?:(?P<up>{_UP}|(?<!made\s)(?<!make\s)(?<!makes\s)up{_FOLLOWED}|{_AFTER_BE}up)|(?P<down>{_DOWN}|down{_FOLLOWED}|{_AFTER_BE}down))(?![\w-])",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|cannot|without|unable|fail(?:s|ed)?\s+to|hardly|nothing|nobody|"
    r"lack(?:s|ed)?)\b|n['’]t\b",
    re.IGNORECASE,
)
_NOT_NEGATION = re.compile(
    r"\b(?:no\.\s*\d|not only|no later than|whether or not|or not|no longer than|not limited to|not "
    r"otherwise|no doubt|"
    r"no question|no problem|not (?:\w+ ){0,4}until)",
    re.IGNORECASE,
)
_STATES = frozenset(
    {"profitable", "unprofitable", "higher", "lower", "better", "worse", "stronger", "weaker"}
)
_DENIED = re.compile(
    r"(?:\bnot|\bno\s+longer|\bnever|n['’]t)(?:\s+(?:yet|been|be|currently|any|now)){0,2}\s+$", re.I
)
_DENIES_STATE = re.compile(
    r"(?:not|no\s+longer|never|n['’]t)(?:\s+(?:yet|been|be|currently|any|now)){0,2}\s+"
    r"(?:un)?(?:profitable|higher|lower|better|worse|stronger|weaker)\b",
    re.I,
)
"""'not yet profitable' says the opposite of 'profitable'."""
MAX_WORDS_AROUND = 8


@dataclass(frozen=True, slots=True)
class Sign:
    """A direction or negation and the meaningful words around it."""

    text: str
    start: int
    up: bool
    """Of a direction; unused for a negation."""
    before: tuple[str, ...]
    after: tuple[str, ...]
    """Up to eight stems or figures, nearest first."""


_TOKEN = re.compile(r"[A-Za-z]+(?:['’&][A-Za-z]+)*|\d+(?:[.,]\d+)*|[.;!?](?=\s|$)")


_CONTRASTS = frozenset({"while", "whereas", "but", "although", "though"})
"""Where another clause begins."""


@lru_cache(maxsize=8192)
def _tokens(text: str) -> tuple[tuple[str, int], ...]:
    """(stem or figure, position) of what carries meaning, sentence ends as '.'."""
    found: list[tuple[str, int]] = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token[0].isdigit():
            found.append((token.rstrip(".,"), match.start()))
        elif not token[0].isalpha() or token.lower() in _CONTRASTS:
            found.append((".", match.start()))
        else:
            found += [(stem, match.start()) for stem in content(token)[:1]]
    return tuple(found)


def _around(text: str, start: int, end: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    tokens = _tokens(text)
    before = [word for word, at in tokens if at < start][::-1][:MAX_WORDS_AROUND]
    after = [word for word, at in tokens if at >= end][:MAX_WORDS_AROUND]
    return _until_end(before), _until_end(after)


def _until_end(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(words[: words.index(".")] if "." in words else words)


@lru_cache(maxsize=8192)
def directions(text: str) -> tuple[Sign, ...]:
    """Words of `text` that say up or down."""
    found = []
    for match in _DIRECTION.finditer(text):
        before, after = _around(text, *match.span())
        turned = match.group().lower() in _STATES and _DENIED.search(text[: match.start()])
        found.append(
            Sign(match.group(), match.start(), (match["up"] is not None) != bool(turned), before, after)
        )
    return tuple(found)


@lru_cache(maxsize=8192)
def negations(text: str) -> tuple[Sign, ...]:
    """Words of `text` that deny what follows them."""
    found = []
    exempt = [m.span() for m in _NOT_NEGATION.finditer(text)]
    for match in _NEGATION.finditer(text):
        if not any(a <= match.start() < b for a, b in exempt):
            before, after = _around(text, *match.span())
            found.append(Sign(match.group(), match.start(), False, before, after))
    return tuple(found)


@lru_cache(maxsize=8192)
def direction_of(word: str) -> str:
    """'up', 'down' or '' for a single word."""
    match = _DIRECTION.fullmatch(word)
    if match is None:
        return word if word in ("up", "down") else ""
    return "up" if match["up"] else "down"


def direction_fault(claim: str, passage: str, of_figures: frozenset[int] = frozenset()) -> str:
    """Why a direction of the claim is not the passage's; '' if all agree. Those that start at `of_figures`
    are checked by figures and passed over."""
    theirs = directions(passage)
    for sign in directions(claim):
        judged = not theirs and _BETTER.match(sign.text)  # which way is better, the figures alone do not say
        if sign.start in of_figures or judged or _is_slow_growth(claim, sign):
            continue
        if not any(other.up == sign.up for other in theirs):
            if not _is_loosely_said(sign, theirs, passage):
                return f"'{sign.text}' is not what the cited evidence says"
        elif _is_reversed(sign, theirs):
            return f"'{sign.text}' is the opposite of what the cited evidence says"
    return ""


def _is_loosely_said(sign: Sign, theirs: Sequence[Sign], passage: str) -> bool:
    """No direction of the passage is about the same, and other words of it lean the same way."""
    return (
        sign.text.lower() not in ("better", "worse")
        and not any(_likeness(sign, other) for other in theirs)
        and bool(_LOOSE[sign.up].search(passage))
    )


def _is_reversed(sign: Sign, theirs: Sequence[Sign]) -> bool:
    """What the passage says of the same goes the other way; it says both ways of something."""
    if not any(other.up != sign.up for other in theirs):
        return False
    head = [other.up for other in theirs if sign.after[:2] and other.after[:2] == sign.after[:2]]
    if head and sign.up not in head and not sign.after[0][0].isdigit():
        return True
    scored = [(_likeness(sign, other), other.up == sign.up) for other in theirs]
    best = max(score for score, _ in scored)
    return best > 0 and not any(same for score, same in scored if score == best)


_LOOSE = {
    True: re.compile(
        r"\b(?:up|more|larger|bigger|longer|greater|extra|additional|new|added|hired|opened|costlier|charged|strong|above|"
        r"high(?:er)?|positive|better|earlier|wider|won|win|a\s+lot|records?)\b",
        re.IGNORECASE,
    ),
    False: re.compile(
        r"\b(?:down|less|fewer|smaller|shorter|cuts?|cutting|stop\w*|clos\w+|without|negative|slow\w*|below|late|"
        r"no\s+longer|limited|narrow\w*|short|low(?:er)?)\b",
        re.IGNORECASE,
    ),
}
"""Words of a passage that support up or down, where none of its own directions contradicts it."""
_BETTER = re.compile(r"improv", re.IGNORECASE)
_SLOW = re.compile(
    r"\b(?:slow(?:er|ing)|weak(?:er)?|lower|less|reduced|no|little)\s+(?:[\w-]+\s+)?$", re.IGNORECASE
)


def _is_slow_growth(text: str, sign: Sign) -> bool:
    """'weaker seat growth' says down, not up."""
    return sign.text.lower() in ("growth", "improvement") and bool(_SLOW.search(text[: sign.start]))


def _likeness(sign: Sign, other: Sign) -> float:
    """Words shared on the same side, the nearer the heavier; across sides half as much."""
    same = _shared(sign.before, other.before) + _shared(sign.after, other.after)
    same += stem(sign.text) == stem(other.text)
    crossed = _shared(sign.before, other.after) + _shared(sign.after, other.before)
    return same + 0.5 * crossed


def _shared(one: Sequence[str], other: Sequence[str]) -> float:
    return sum(
        (0.4 if is_generic(word) else 1.0) / math.sqrt(1 + n + other.index(word))
        for n, word in enumerate(one)
        if word in other
    )


_NO_LONGER = re.compile(r"no\s+longer\b", re.IGNORECASE)
_STOPPED = re.compile(
    r"\b(?:stopp?\w*|end(?:ed|s|ing)|halt\w*|ceas\w*|discontinu\w*|suspend\w*|exit\w*|withdr\w+)\b", re.I
)


def negation_fault(claim: str, passage: str) -> str:
    """Why a denial in the claim, or one of the passage that the claim drops, is a fault; '' if no denial
    is added or dropped."""
    ours, theirs = negations(claim), negations(passage)
    for sign in ours:
        if not _is_denied_otherwise(sign, claim, passage) and not any(_same_scope(sign, o) for o in theirs):
            return f"'{sign.text}' is not in the cited evidence"
    words = set(content(claim))
    for other in theirs:
        if _is_dropped(other, ours, words):
            return f"the evidence says '{other.text}', the statement does not"
    return ""


def _is_denied_otherwise(sign: Sign, claim: str, passage: str) -> bool:
    """A denial of the claim that reverses a direction, or that the passage says without a negation."""
    if _DENIES_STATE.match(claim, sign.start):
        return True  # reverses a direction: 'not yet profitable'
    undone = {m.lower() for m in re.findall(r"\bun(\w{3,})", passage)}
    if undone & {w.lower() for w in re.findall(r"\w+", claim[sign.start : sign.start + 40])}:
        return True  # 'not drawn' for 'undrawn'
    if not _NO_LONGER.match(claim, sign.start):
        return False
    scope = set(sign.after[:4])
    return any(scope & set(_around(passage, *m.span())[1][:6]) for m in _STOPPED.finditer(passage))


def _is_dropped(other: Sign, ours: Sequence[Sign], words: set[str]) -> bool:
    """The claim, of stems `words`, says what the passage denies, and says it without a denial."""
    scope = [word for word in other.after[:3] if not word[0].isdigit()]
    if len(scope) < 2 or any(_same_scope(sign, other) for sign in ours):
        return False
    subject = [word for word in other.before[:3] if not word[0].isdigit()]
    verb = other.text.lower() in ("not", "never", "cannot") or other.text.endswith("t")
    near = all(word in words for word in scope[:2]) and not all(map(is_generic, scope[:2]))
    if verb and near and not ours:
        return True
    held = sum(word in words for word in scope)
    return held == len(scope) and (not subject or any(word in words for word in subject))


def _same_scope(sign: Sign, other: Sign) -> bool:
    """Both deny the same words."""
    if not other.after or not (sign.before or other.before):  # 'a large deal, no'
        return bool({*sign.after[:4], *sign.before[:4]} & {*other.after[:6], *other.before[:6]})
    after = set(sign.after[:4]) & set(other.after[:6])
    before = set(sign.before[:4]) & set(other.before[:6])
    if sign.after and other.after:
        return bool(after)
    return bool(before)
