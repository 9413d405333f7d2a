"""The questions that a turn asks one after the other, told apart by its grammar."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graphs.local.question.spoken_questions import is_spoken
from tools.knowledge.extract.sentence_parses import parse
from tools.knowledge.lexicon.asked_metrics import find_asked

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MAX_QUESTIONS = 4
"""Of one turn that are told apart; the last one holds what is left."""
MAX_CHARS = 600
"""Of a turn that is taken apart; a longer one is a paste."""
MAX_ELLIPSIS = 6
"""Words of a question without a verb: 'and by how much?'"""
MAX_TAIL = 8
"""Words after the last question that say of what time all of it is asked: 'Fiscal 2021.'"""
_MAY_ASK_TWICE = re.compile(
    r"(?:[?;.:]|\band\b|\bbut\b)\W+(?:\w+\W+){0,3}?"
    r"(?:wh[aeoi]\w*|how|is|are|was|were|did|does|do|has|have|had|will|can|could|would|should|may)\b",
    re.IGNORECASE,
)
"""What is parsed: to most questions it does not apply."""
_WH = frozenset({"WP", "WP$", "WRB", "WDT"})
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
_BE = frozenset({"is", "are", "was", "were", "am", "be", "'s", "’s", "'re", "’re"})
_DO = frozenset({"do", "does", "did"})
_HELPS = _BE | _DO | {"has", "have", "had"}
"""With what the tagger knows to be modal, the verbs that a question may be asked with before its subject."""
_OPENS_NOUN = frozenset({"PRP", "EX", "DT", "PRP$", "NNP", "NNPS", "NN", "NNS", "JJ"})
_SUBORDINATES = frozenset({"when", "where", "why", "how"})


def questions_in(text: str) -> tuple[str, ...]:
    """The questions of a turn in its own words, in order, each as it would be put after the others; the turn itself
    where it asks one, is spoken as on a call, or names a figure in each of them, none of which points at another:
    these are looked up together.

    A question opens behind 'and', 'but', or the end of another one, with a question word or an inverted verb; what
    follows the last one without asking ('Fiscal 2021.') goes with each.
    """
    if len(text) > MAX_CHARS or not _MAY_ASK_TWICE.search(text) or is_spoken(text):
        return (text,)
    doc = parse(text)
    starts = _starts(doc)
    if len(starts) < 2:
        return (text,)
    ends = [*starts[1:], len(doc)]
    tail = _tail(doc, starts[-1])
    pieces = [_worded(doc, start, end) for start, end in zip(starts, [*ends[:-1], tail], strict=True)]
    if not any(_points(doc, at) for at in range(starts[1], tail)) and all(
        find_asked(piece) for piece in pieces
    ):
        return (text,)
    after = doc[tail:].text.strip()
    return tuple(f"{piece} {after}".strip() for piece in pieces)


def _starts(doc: Doc) -> list[int]:
    """Where the questions begin: behind each stands one that asks. A comma joins those before one that 'and' joins."""
    joined = [at for at in range(1, len(doc)) if _is_opening(doc, at)]
    listed = [
        at
        for at in range(1, max(joined, default=0))
        if doc[at - 1].text == "," and _asks_from(doc, at, joined=True)
    ]
    starts = [0]
    for at in sorted({*joined, *listed}):
        if not _asks_why(doc, at) and _asks(doc, starts[-1], at):
            starts.append(at)
    return starts[:MAX_QUESTIONS]


def _is_opening(doc: Doc, at: int) -> bool:
    """Whether a question begins at a token, behind another one: at the 'and' that joins it, if there is one."""
    if doc[at].tag_ == "CC":
        return doc[at].lower_ in ("and", "but") and _asks_from(doc, at + 1, joined=True)
    return doc[at - 1].text in ("?", ";", ".", ":") and _asks_from(doc, at, joined=False)


def _asks_from(doc: Doc, at: int, *, joined: bool) -> bool:
    """Whether the words from a token on ask: 'also in which court ...', 'did it ...'."""
    while at < len(doc) and (doc[at].is_punct or doc[at].tag_ in ("RB", "CC", "UH")):
        at += 1
    if at + 1 < len(doc) and doc[at].tag_ in ("IN", "TO") and doc[at + 1].tag_ in _WH:
        at += 1
    if at >= len(doc):
        return False
    if doc[at].tag_ in _WH:
        return _is_direct(doc, at)
    follows = doc[at + 1].tag_ if at + 1 < len(doc) else ""
    if not _helps(doc[at]) or follows not in _OPENS_NOUN:
        return False
    return not joined or follows in ("PRP", "EX") or doc[at].lower_ in _DO


def _asks_why(doc: Doc, at: int) -> bool:
    """Whether a question asks for the reason of what the one before it asks: both are looked up together."""
    return any(token.lower_ == "why" for token in doc[at : at + 3])


def _points(doc: Doc, at: int) -> bool:
    """Whether a word stands for something said before: 'it', 'that' without a noun of its own."""
    tag, following = doc[at].tag_, doc[at + 1].tag_ if at + 1 < len(doc) else ""
    alone = doc[at].lower_ in ("that", "this", "those", "these") and not following.startswith(("NN", "JJ"))
    return tag == "PRP" or (tag == "DT" and alone)


def _is_direct(doc: Doc, at: int) -> bool:
    """Whether a question word asks, and does not open a clause of another question ('when it was sold', 'what the court
    decided'): a verb that helps, or one whose subject it is, follows with nothing but its own words between; or nothing
    does, as in 'and why?'"""
    word = doc[at].lower_
    for k in range(at + 1, len(doc)):
        token = doc[k]
        if token.text in ("?", ";", "."):
            return k - at <= MAX_ELLIPSIS
        if token.tag_ in _FINITE or _helps(token):
            bare = k == at + 1 or word in ("which", "what", "whose", "how")
            subject = word not in _SUBORDINATES or (word == "how" and k > at + 2)
            return bare and (_helps(token) or subject)
        if doc[k - 1].tag_ == "IN" and token.tag_ in ("DT", "PRP$"):  # 'what share of the total'
            continue
        if token.tag_ in ("DT", "PRP", "PRP$", "EX", "CC", ",") or (
            k == at + 1 and token.tag_ == "NNP" and word != "which"
        ):
            return False
    return len(doc) - at <= MAX_ELLIPSIS


def _helps(token: Token) -> bool:
    return token.tag_ == "MD" or token.lower_ in _HELPS


def _asks(doc: Doc, start: int, end: int) -> bool:
    """Whether a stretch holds a question."""
    return any(
        (doc[at].tag_ in _WH and _is_direct(doc, at)) or (at == start and _asks_from(doc, at, joined=False))
        for at in range(start, end)
    )


def _tail(doc: Doc, last: int) -> int:
    """Where the words behind the last question begin."""
    for at in range(last + 1, len(doc)):
        if doc[at - 1].text == "?":
            rest = doc[at:]
            dated = any(character.isdigit() for character in rest.text) and "?" not in rest.text
            return at if dated and len(rest) <= MAX_TAIL else len(doc)
    return len(doc)


def _worded(doc: Doc, start: int, end: int) -> str:
    """A question without what joins it to its neighbours."""
    while start < end and (doc[start].is_punct or doc[start].tag_ == "CC"):
        start += 1
    text = doc[start:end].text.strip(" ,;:.")
    text = text[:1].upper() + text[1:]
    return text if text.endswith("?") else f"{text}?"
