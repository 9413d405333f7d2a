"""What is meant by the reply to a question that was asked back: a number, a name, a period, or another question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz.distance import DamerauLevenshtein

from graphs.contracts import Clarification
from graphs.drafts.sentences import listed
from graphs.local.question.period_phrases import find_asks
from tools.documents.metadata.catalog import Catalog
from tools.documents.metadata.company_names import lower_name, name_tokens, without_suffix
from tools.documents.text.cleaning import clean, squeeze
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.knowledge.search.roles import role_words

MAX_TOGETHER = 4
"""Companies that 'all' means at most: the parts of a comparison."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_ORDINAL = re.compile(
    rf"\b(?:{'|'.join(_ORDINALS)}|last|former|latter|[1-9](?:st|nd|rd|th))\b", re.IGNORECASE
)
_NUMBERS = re.compile(
    r"(?:(?:options?|numbers?|nos?|nr)\b\.?\s*|#\s*)?\d{1,2}(?:\s*(?:,|and|&|\+|or)\s*#?\d{1,2})*\s*[.)]?",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\W*(?:(?:for|of)\s+)?(?:both|all|each|every|everyone|any)\b(?:\s+(?:of|the|them|these|those|companies|options|"
    r"two|three|four|five|one|please))*\W*",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"\b(?:i|we|mean|meant|want|it|is|was|the|that|this|one|for|of|at|from|by|company|option|number|please|sorry|oh|ah|"
    r"yes|no|just|only|let|take|use|choose|pick|go|with|s|m|to|know|about|what|how|and|or)\b",
    re.IGNORECASE,
)
"""Words around a name that add nothing: 'I mean', 'what about', 'the one from'."""
_FRAME = re.compile(
    r"\b(?:in|during|on|as|quarter|months|fiscal|calendar|year|ended|ending)\b", re.IGNORECASE
)
"""What stands around a time."""
_ASKS = re.compile(
    r"^\W*(?:what|who|whom|whose|when|where|why|how|which|did|does|do|is|are|was|were|has|have|had|can|could|will|would|"
    r"list|show|give|tell|compare|summari[sz]e|explain|describe|name|find)\b",
    re.IGNORECASE,
)
_COMMANDS = re.compile(
    r"^\W*(?:list|show|give|tell|summari[sz]e|explain|describe|name|find)\b", re.IGNORECASE
)
_ABOUT = re.compile(r"^\W*(?:what|how)\s+about\b", re.IGNORECASE)
_YES = re.compile(
    r"\W*(?:yes|yeah|yep|yup|y|sure|right|correct|exactly|ok|okay|indeed|of course|i do|i did|that one|please)"
    r"(?:\W+(?:please|i do|i did|that one|thanks))?\W*",
    re.IGNORECASE,
)
_END = re.compile(r"[\s.?!]+$")
_PREPOSITION = re.compile(r"^(?:in|for|during|as|at|on|by|of|over|since|from|until)\b", re.IGNORECASE)


def asked_office(question: str) -> set[str]:
    """Words of the office whose holder is asked for; none for an analyst."""
    role = role_words(question)
    return set() if role == {"analyst"} else role


def settled(reply: str, question: str, asked: Clarification, catalog: Catalog) -> str:
    """The standalone question that `reply` makes of `question`; '' where it settles nothing.

    A reply is a number, an option, a ticker, a name, 'the first one', 'both', 'all' (of at most four), a name with
    a period ('Orla in Q2 2023'), or another question (the reply itself then), which takes the place of the first.
    """
    reply = squeeze(clean(reply)).strip()
    chosen = pointed_at(reply, asked.options)
    if chosen:
        return with_companies(question, chosen, catalog)
    if is_question(reply, catalog):
        return reply
    names, rest = _named(reply, asked.options, catalog)
    if not names:
        return reply if is_measure_or_time(reply) else ""
    asked_of = with_companies(question, names[:MAX_TOGETHER], catalog)
    if not rest:
        return asked_of
    joint = "" if _PREPOSITION.match(rest) else "in "
    return f"{asked_of[:-1]} {joint}{rest}{asked_of[-1]}"


def settled_name(reply: str, question: str, name: str, asked: Clarification, catalog: Catalog) -> str:
    """The question with the company that `reply` agrees to or names in place of a misspelt `name`; another question
    where the reply is one; '' where it settles nothing."""
    reply = squeeze(clean(reply)).strip()
    chosen = pointed_at(reply, asked.options)
    if not chosen and _YES.fullmatch(reply) and len(asked.options) == 1:
        chosen = list(asked.options)
    if not chosen and is_question(reply, catalog):
        return reply
    chosen = chosen or _named(reply, asked.options, catalog)[0]
    if not chosen:
        return reply if is_measure_or_time(reply) else ""
    return question.replace(name, short_name(chosen[0], catalog), 1)


def with_companies(question: str, names: Sequence[str], catalog: Catalog) -> str:
    """The question, asked of these companies: 'What was net income for Orla and Kestrel?'"""
    short = [short_name(name, catalog) for name in names]
    word = "at" if asked_office(question) and not find_metrics(question) else "for"
    end = "." if _COMMANDS.match(question) else "?"
    return f"{_END.sub('', question)} {word} {listed(short)}{end}"


def short_name(name: str, catalog: Catalog) -> str:
    """'Orla Devices' of 'Orla Devices, Inc.', 'Orla' of 'Orla.com', where that names the company, too."""
    tokens = name_tokens(name)
    words = without_suffix(tuple(token.word for token in tokens))
    last = next((token for token in reversed(tokens) if token.word == words[-1]), None)
    short = name[: last.end] if last else name
    forms = (re.sub(r"\.com$", "", short, flags=re.IGNORECASE), short)
    return next((form for form in forms if catalog.find(form) == catalog.find(name)), name)


def pointed_at(reply: str, options: Sequence[str]) -> list[str]:
    """Options named by their number or place, or all of them."""
    if _NUMBERS.fullmatch(reply):
        numbers = [int(number) for number in re.findall(r"\d+", reply)]
        inside = all(1 <= number <= len(options) for number in numbers)
        return [options[number - 1] for number in dict.fromkeys(numbers)][:MAX_TOGETHER] if inside else []
    if _ALL.fullmatch(reply):
        return list(options[:MAX_TOGETHER])
    places = _ORDINAL.findall(reply)
    if not places or len(reply.split()) > 3 + 2 * len(places):
        return []
    return [options[at] for at in map(_place, places) if at < len(options)]


def _place(word: str) -> int:
    word = word.lower()
    if word in ("last", "latter"):
        return -1
    if word == "former":
        return 0
    return _ORDINALS.index(word) if word in _ORDINALS else int(word[0]) - 1


def is_question(reply: str, catalog: Catalog) -> bool:
    """True for a question of its own, not for a name that is asked back ('Orla?', 'what about Orla?')."""
    if _ABOUT.match(reply) and not find_metrics(reply):
        return False
    words = len(reply.split())
    asks = bool(_ASKS.match(reply)) and words > 2
    return asks or (bool(find_metrics(reply)) and words > 1 and bool(catalog.link(reply))) or words > 20


def is_measure_or_time(reply: str) -> bool:
    """True for a line item, a time with its year, or both, and nothing else: 'and gross margin in 2023?'. What
    describes an option ('the one with the highest revenue', 'the latest one') is neither."""
    dated = (ask for ask in find_asks(reply) if ask.year is not None)
    found = [
        *((each.start, each.end) for each in find_metrics(reply)),
        *((ask.start, ask.end) for ask in dated),
    ]
    rest = reply
    for start, end in sorted(found, reverse=True):
        rest = f"{rest[:start]} {rest[end:]}"
    return bool(found) and not re.search(r"\w", _FILLER.sub(" ", _FRAME.sub(" ", rest)))


def _named(reply: str, options: Sequence[str], catalog: Catalog) -> tuple[list[str], str]:
    """Display names of the companies that the reply names, and what it says besides."""
    mentions = catalog.link(reply)
    if mentions:
        rest = reply
        for mention in reversed(mentions):
            rest = f"{rest[: mention.start]} {rest[mention.end :]}"
        rest = squeeze(_END.sub("", rest)).strip(" ,;:-'’")
        said = squeeze(_FILLER.sub(" ", rest)).strip(" ,;:-'’s")
        return list(dict.fromkeys(catalog.name(mention.key) for mention in mentions)), rest if said else ""
    bare = squeeze(_FILLER.sub(" ", re.sub(r"[?!.\"'’]+(?=\s|$)", " ", reply))).strip(" ,;:-")
    whole = catalog.find(bare) or _resembling(bare, options, catalog)
    if whole:
        return [catalog.name(whole)], ""
    parts = [part for part in re.split(r"\s*(?:,|&|\band\b)\s*", _END.sub("", reply)) if part]
    keys = [catalog.find(part) or _resembling(part, options, catalog) for part in parts]
    known = [catalog.name(key) for key in keys if key]
    return (known, "") if len(known) == len(parts) > 1 else ([], "")


def _resembling(said: str, options: Sequence[str], catalog: Catalog) -> str:
    """Key of the one option whose name begins with these words, or does but for a typing error; '' if none or
    several do."""
    words = lower_name(said).split()
    if not words or len(said) < 3:
        return ""
    fits = [option for option in options if _begins(words, lower_name(option).split())]
    return catalog.find(fits[0]) or "" if len(fits) == 1 else ""


def _begins(said: Sequence[str], name: Sequence[str]) -> bool:
    if len(said) > len(name):
        return False
    return all(
        one == other
        or (len(one) >= 3 and other.startswith(one))
        or (len(one) > 4 and DamerauLevenshtein.distance(one, other, score_cutoff=2) <= 1 + (len(one) > 7))
        for one, other in zip(said, name, strict=False)
    )
