"""Which of several companies a question means: asked back before anything is searched for it, and the reply
understood."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rapidfuzz.distance import DamerauLevenshtein

from graphs.contracts import Clarification, Reading
from graphs.drafts.refusals import MAX_COMPANIES_NAMED
from graphs.drafts.sentences import listed
from graphs.index import SEARCH_FAILURES, Index
from graphs.local.answer.fact_selection import fitting_companies
from graphs.local.question.overviews import asks_results
from graphs.local.question.period_phrases import find_asks
from graphs.local.question.question_forms import asks_who_asked
from graphs.local.question.router import LocalRouter
from tools.documents.metadata.catalog import Catalog
from tools.documents.metadata.company_names import lower_name, name_tokens, without_suffix
from tools.documents.text.cleaning import clean, squeeze
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.knowledge.search.kg_search import UNNAMED_COMPANY_FACTOR
from tools.knowledge.search.roles import role_words

MAX_TOGETHER = 4
"""Companies that 'all' means at most: the parts of a comparison."""
MAX_COMPANIES_A_SEARCH = 8
"""Companies whose people are looked up at once: a search returns a limited number of relations."""
MAX_COMPANIES_LOOKED_AT = 80
"""Companies that are all looked at to offer those that have what is asked for; of more, only as many are looked for as
are named."""
FIRST_LOOKED_AT = 24
"""Of more companies, those looked at before the likeliest: what most have is found there, and soon."""
MAX_BARE_WORDS = 4
"""Words of a question that may be no more than a metric's name: 'net income?'"""
MIN_ROLE_SCORE = 0.6
"""Least score of a relation that says who holds a role."""

_ROUTER = LocalRouter()
_SEVERAL = re.compile(
    r"\b(?:all|each|every|both|any|which|what|whose|other|most|many|several|these|those|two|three|four|five|per|by)\s+"
    r"(?:of\s+)?(?:the\s+)?(?:\w+\s+)?(?:compan(?:y|ies)|firms?|filers?|business(?:es)?|issuers?|corporations?)\b|"
    r"\bcompar\w+|\bversus\b|\bvs\b|\bacross\b|\bamong\b|\brank\w*|\bwho(?:se)?\s+(?:has|had|have|reported|earned|made|"
    r"posted|spent|paid|grew|sold)\b|\b(?:highest|lowest|largest|smallest|biggest|best|worst|least)\b|"
    r"\bmost\b(?!\s+recent)",
    re.IGNORECASE,
)
"""Asks about several companies, or for one among them: there is no need to ask which."""
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


def is_open(reading: Reading, catalog: Catalog) -> bool:
    """True if the question asks for one company's figure, officer or results and does not say which one's; nothing
    is searched for."""
    refused = reading.out_of_scope or reading.unknown_companies or reading.unknown_periods
    whose = reading.companies or reading.scope.companies or reading.parts
    if refused or whose or len(catalog.companies) < 2 or _SEVERAL.search(reading.question):
        return False
    if asks_results(reading):
        return True
    if not (reading.metrics or _officer(reading.question)) or asks_who_asked(reading.question):
        return False
    bare = bool(reading.metrics) and len(reading.question.split()) <= MAX_BARE_WORDS
    return _ROUTER.route(reading).kind in (("extractive", "uncertain") if bare else ("extractive",))


def clarification(reading: Reading, index: Index) -> Clarification | None:
    """What to ask back; None where at most one company of the index has what an open question asks for.

    The options are companies that the index can answer for, by name, at most nine; how many more there are is said,
    unless the index has too many companies for all to be looked at. None also where the index can't be searched: the
    search for the answer will fail, too, and say so.
    """
    catalog = index.catalog
    everyone = _may_hold(reading, catalog)
    all_of_them = len(everyone) <= MAX_COMPANIES_LOOKED_AT
    wanted = len(everyone) if all_of_them else MAX_COMPANIES_NAMED + 1
    if len(everyone) < 2:
        return None
    found: dict[str, None] = {}
    try:
        for key in _holders(reading, index, everyone, wanted):
            found[key] = None
            if len(found) == wanted:
                break
    except SEARCH_FAILURES:
        return None
    if len(found) < 2:
        return None
    keys = sorted(found, key=lambda key: (catalog.name(key).lower(), key))
    return Clarification(
        question=f"Which company do you mean?{_more(len(keys) - MAX_COMPANIES_NAMED, counted=all_of_them)}",
        options=tuple(map(catalog.name, keys[:MAX_COMPANIES_NAMED])),
    )


def _more(number: int, *, counted: bool) -> str:
    if not counted:
        return " There may be more: you may name any."
    if number < 1:
        return ""
    return f" There {'is' if number == 1 else 'are'} {number} more: you may name any."


def _officer(question: str) -> set[str]:
    role = role_words(question)
    return set() if role == {"analyst"} else role


def _may_hold(reading: Reading, catalog: Catalog) -> list[str]:
    """Keys of the companies with documents in scope, and figures of the periods where those are asked for."""
    scope = reading.scope
    everyone = catalog.holding(scope)
    if not (reading.metrics and scope.periods) or asks_results(reading):
        return everyone
    return [
        key
        for key in everyone
        if any(each.admits(period) for period in catalog.fact_periods(key) for each in scope.periods)
    ]


def _holders(reading: Reading, index: Index, everyone: Sequence[str], wanted: int) -> Iterator[str]:
    """Keys of those of these companies that have what is asked for, some of them twice: all there are, or so many as
    far as they are among the first and the likeliest ones."""
    scope = reading.scope
    if asks_results(reading):
        for key in everyone:
            periods = index.catalog.document_periods(key)
            if not scope.periods or any(each.admits(period) for each in scope.periods for period in periods):
                yield key
        return
    slices = [
        everyone[start : start + MAX_COMPANIES_A_SEARCH]
        for start in range(0, len(everyone), MAX_COMPANIES_A_SEARCH)
    ]
    if not reading.metrics:
        for some in slices:
            for item in index.kg_search(reading.question, replace(scope, companies=tuple(some)), 40, 1, None):
                if item.kind == "relation" and item.score >= MIN_ROLE_SCORE:
                    yield item.company_key
        return
    first = [] if wanted == len(everyone) else slices[: FIRST_LOOKED_AT // MAX_COMPANIES_A_SEARCH]
    for some in (*first, everyone):
        within = replace(scope, companies=tuple(some))
        found = index.kg_search(reading.question, within, 4 * min(len(some), wanted), 1, reading.months)
        yield from fitting_companies(found, UNNAMED_COMPANY_FACTOR)


# The reply


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
    word = "at" if _officer(question) and not find_metrics(question) else "for"
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
