"""Follow-up -> standalone question: company, metric and period are carried over from the turns before."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from typing import NamedTuple

from graphs.local.follow_forms import ROLE, person, pointed, topic_of
from graphs.local.follow_periods import NEXT, as_flow, carried, moved_to, spelled, spoken
from graphs.local.follow_slots import DURATION, PREPOSITION, Slots, Span, find_slots
from graphs.local.off_topic import off_topic, unreadable
from graphs.local.period_phrases import find_asks
from graphs.local.topic_words import DOMAIN
from tools.documents.catalog import Catalog
from tools.documents.company_names import name_tokens
from tools.documents.ordinary_words import ACRONYMS, FIRST_NAMES, FUNCTION_WORDS, ORDINARY, PLACES
from tools.knowledge.lexicon import find_metrics
from tools.knowledge.resolution import fold_name

MAX_TURNS = 8
"""Turns looked back on; what a question refers to is rarely further away."""
_LEAD = re.compile(
    r"^\W*(?:(?:and|but|or|also|then|so|ok(?:ay)?|now|thanks|great)\W+)*(?:(?:what|how)\s+about"
    r"|(?:what|how\s+much)\s+(?:was|were|is|are)\s+(?:that|it|this|those|they)"
    r"|same\s+(?:question\s+)?(?:for|with)|ditto(?:\s+for)?|"
    r"and|but|or|also|then|compared?\s+(?:to|with|that|it))\b",
    re.IGNORECASE,
)
_CORRECTION = re.compile(
    r"^\W*(?:(?:no|nope|sorry|oops|pardon|actually|wait|wrong|hm+)\W+)*"
    r"(?:not\s+[\w&'’. ]{1,30}?(?:,|\s+but)\s+)?"
    r"(?:(?:i\s+mean|(?:i\s+)?meant|i\s+wanted)(?:\s+(?:to\s+(?:say|ask)(?:\s+(?:about|for))?))?\b"
    r"|(?:it\s+|that\s+)?should\s+(?:be|have\s+been)\b|make\s+(?:that|it)\b)?\s*",
    re.IGNORECASE,
)
_ITS = re.compile(
    r"\b(?:its|their|the\s+(?:company|firm)['’]s|this\s+company['’]s|that\s+company['’]s)\b", re.IGNORECASE
)
_IT = re.compile(r"\b(?:the\s+(?:company|firm)|this\s+company|that\s+company|they|them)\b", re.IGNORECASE)
_IT_ALONE = re.compile(
    r"\b(?:did|does|do|has|have|had|is|was|will|would|for|at|of|by|about)\s+(?P<it>it)\b"
    r"(?!\s+(?:that|due|because|possible))|\b\w+\s+(?P<last>it)\W*$",
    re.I,
)
_POINTING = re.compile(
    r"\b(?:that|this|it|he|she|they|them|those|these|all|both|first|second|last)\b", re.IGNORECASE
)
_OF_MATTER = re.compile(
    r"^\s+(?:cost|happen|take|mean|affect|matter|work|last|end|start|help|hurt)\b", re.IGNORECASE
)
"""What a plan or an event does, not a company."""
_SHE = re.compile(r"\b(?:(?P<whose>his|her(?=\s+\w))|(?P<who>he|she|him|her))\b", re.IGNORECASE)
_PERSON = re.compile(r"^\W*who\s+(?:is|are|was|were|['’]s)\b|^\W*who['’]s\b", re.IGNORECASE)
"""Asks who somebody is: figures that follow are those of the subject before."""
_ABOUT = re.compile(r"\babout\s+", re.IGNORECASE)
_CHANGED = re.compile(r"\bchange\b.*\bfrom\b", re.IGNORECASE)
_KIND = re.compile(
    r"^\W*(?:(?:and|what\s+about|how\s+about)\s+)?(?:the\s+)?(?P<kind>diluted|basic|adjusted|gaap|non-?gaap)\W*$",
    re.I,
)
_THAT_PERIOD = re.compile(
    r"\b(?:that|the\s+same|this|said)\s+(?:quarter|period|year|time|date)\b(?!\s+(?:a|one|last|of|in)\b)|\bthen\W*$",
    re.IGNORECASE,
)
_IN = re.compile(r"(?:in|for|during)\s+$", re.IGNORECASE)
_EVERYONE = re.compile(
    r"\b(?:companies|each|all\s+(?:of\s+)?(?:the|them)|across|any\s+company|which\s+company|everyone|both)\b",
    re.I,
)


class _Before(NamedTuple):
    """What the conversation is at before a turn."""

    question: str
    """The last question, as it was understood."""
    answer: str
    subject: str
    """The last one that was about more than who somebody is."""

    def then(self, question: str, answer: str) -> _Before:
        """After one more turn."""
        return _Before(question, answer, self.subject if _PERSON.search(question) else question)


class LocalCondenser:
    """A `Condenser` of rules: an elliptical follow-up replaces its part of the question before; a whole one
    gets the company and period that it leaves out; one that only points ('why?') is spelled out."""

    def __init__(self, catalog: Catalog | None = None, known_names: Container[str] = frozenset()) -> None:
        """With a catalog, companies are recognised by any name and periods counted in dates; without, by capitals
        and in words. `known_names`: folded names of products, segments and people."""
        self._catalog, self._known = catalog, known_names

    def condense(self, question: str, history: Sequence[tuple[str, str]]) -> str:
        """See `graphs.contracts.Condenser`."""
        before = _Before("", "", "")
        for asked, answer in history[-MAX_TURNS:]:
            if not _is_aside(asked):
                before = self._after(before, asked, answer)
        return self._join(question, before)

    def _after(self, before: _Before, asked: str, answer: str) -> _Before:
        """The conversation one turn later: a turn that points at something and was not resolved is passed over."""
        question = self._join(asked, before)
        now = self._slots(question)
        empty = not (now.companies or now.metrics or now.names or now.asks)
        if before.question and empty and question == asked and _POINTING.search(asked):
            return before
        return before.then(question, answer)

    def _join(self, question: str, before: _Before) -> str:
        if not before.question or not question.strip() or unreadable(question):
            return question if question.strip() or not before.question else before.question
        turn = spelled(_CORRECTION.sub("", question) or question)
        now, earlier = self._turn(turn), self._base(before.question, before.answer)
        about = self._base(before.subject, before.answer) if _PERSON.search(before.question) else earlier
        if earlier.companies and about.indexed != earlier.indexed:
            about = earlier  # another company's CEO: its call is the subject now
        if spelled_out := pointed(now, earlier, before.answer, about, self._catalog):
            return spelled_out
        now = _with_kind(now, about, self._slots)
        if now.metrics or now.asks or not ROLE.search(before.question):
            earlier = about
        if _is_elliptical(now):
            return _substituted(now, earlier, self._catalog)
        if not now.companies and earlier.companies and _leans(now):
            return _completed(now, earlier, before.answer, self._catalog)
        if now.companies and earlier.company and (it := _IT_ALONE.search(turn)):
            at = max(it.start("it"), it.start("last"))
            thing = f"{earlier.company}'s {earlier.figure}" if earlier.metric else earlier.company
            filled = turn[:at] + thing + turn[at + 2 :]
            return _appended(filled, f" {earlier.period}" if earlier.asks and not now.asks else "")
        return question

    def _slots(self, text: str) -> Slots:
        return find_slots(text, self._catalog, self._known)

    def _turn(self, text: str) -> Slots:
        """As `_slots`; 'and department stores?' names what the index knows, though its words are ordinary ones."""
        now = self._slots(text)
        lead = _LEAD.match(text)
        rest = text[lead.end() :].strip(" ?.!,") if lead else ""
        named = now.companies or now.names or now.metrics or now.asks or not rest
        if named or ROLE.search(rest) or fold_name(rest) not in self._known:
            return now
        at = text.index(rest, lead.end() if lead else 0)
        return replace(now, names=((at, at + len(rest)),))

    def _base(self, before: str, told: str) -> Slots:
        """The question before; where it names no company, with the one that its answer tells of."""
        earlier = self._slots(before)
        if earlier.companies or self._catalog is None or _EVERYONE.search(before):
            return earlier
        keys = {mention.key for mention in self._catalog.link(told)}
        return (
            self._slots(_appended(before, f" at {self._catalog.name(keys.pop())}"))
            if len(keys) == 1
            else earlier
        )


def _is_aside(text: str) -> bool:
    """Small talk and general knowledge between the questions are no base for a follow-up."""
    metrics = bool(find_metrics(text))
    return bool(off_topic(text, linked=metrics, dated=bool(find_asks(text)), known=frozenset(), closed=False))


def _is_elliptical(now: Slots) -> bool:
    """Is nothing said but a name, a metric, a period or a duration, with small words around it?"""
    lead = _LEAD.match(now.text)
    rest = list(now.text)
    spans = [*now.companies, *now.names, *now.metrics, *((ask.start, ask.end) for ask in now.asks)]
    spans += [match.span() for pattern in (DURATION, NEXT) for match in pattern.finditer(now.text)]
    for start, end in [*spans, *([lead.span()] if lead else [])]:
        rest[start:end] = " " * (end - start)
    left = [t.word for t in name_tokens("".join(rest)) if t.word not in FUNCTION_WORDS]
    if lead and not left:
        return True
    if lead and not spans and (len(left) <= 3 or ROLE.search(now.text)):
        return True  # 'what about margins in China?'
    words = name_tokens(now.text)
    asks = any(
        token.word in {"what", "who", "how", "why", "which", "when", "where", "is", "did", "does"}
        for token in words
    )
    whole = bool(now.companies) and bool(now.metrics or now.asks)
    return (
        bool(spans)
        and not [w for w in left if w not in ORDINARY]
        and len(left) <= 1
        and not asks
        and not whole
    )


def _leans(now: Slots) -> bool:
    """Does a question without a company lean on the one before, instead of opening another subject?"""
    if _EVERYONE.search(now.text):
        return False
    pointing = (
        _LEAD.match(now.text)
        or _ITS.search(now.text)
        or _IT.search(now.text)
        or _IT_ALONE.search(now.text)
        or _SHE.search(now.text)
    )
    words = [token.word for token in name_tokens(now.text)]
    about = bool(now.metrics or now.asks or now.names or any(word in DOMAIN for word in words))
    linked = bool(now.metrics)
    return bool(pointing or about) and not off_topic(
        now.text, linked=linked, dated=bool(now.asks), known=frozenset(), closed=False
    )


def _completed(now: Slots, earlier: Slots, told: str, catalog: Catalog | None) -> str:
    """`now` with the company, and the period if it has none, of the question before."""
    text, company = now.text, earlier.company
    filled = _ITS.sub(f"{company}'s", text, count=1)
    if filled == text and (she := _SHE.search(text)) and (name := person(told)):
        whose = "'s" if she["whose"] else ""
        filled = f"{text[: she.start()]}{name}{whose}{text[she.end() :]}"
    if filled == text:
        filled = _IT.sub(company, text, count=1)
    if filled == text and (alone := _IT_ALONE.search(text)):
        at = max(alone.start("it"), alone.start("last"))
        filled = f"{text[:at]}{_it(text[:at], text[at + 2 :], earlier)}{text[at + 2 :]}"
    period = as_flow(earlier)
    if period and _THAT_PERIOD.search(filled):
        bare = PREPOSITION.sub("", period)
        filled, period = _THAT_PERIOD.sub(lambda _: bare, filled, count=1), ""
    extra = "" if filled != text and company in filled else f" at {company}"
    if period and not now.asks:
        extra += f" {period}"
    elif now.asks:
        filled = _with_base(filled, now, earlier, catalog)
    return _appended(filled, extra)


def _it(head: str, tail: str, earlier: Slots) -> str:
    """What 'it' means between `head` and `tail`: the figure, the plan or product, or the company."""
    if earlier.metrics and head.rstrip().lower().endswith("about"):
        return f"{earlier.company}'s {earlier.figure}"
    if not earlier.metrics and _OF_MATTER.match(tail):
        return f"the {topic_of(earlier).removeprefix('the ')}"
    if not earlier.metrics and earlier.names and not tail.strip(" ?.!"):
        return earlier.text[slice(*earlier.names[0])]
    return earlier.company


def _with_kind(now: Slots, about: Slots, read: Callable[[str], Slots]) -> Slots:
    """'diluted?' after earnings per share asks for the diluted ones."""
    match = _KIND.match(now.text)
    if match is None or not about.metrics:
        return now
    plain = re.sub(r"^(?:diluted|basic|adjusted|gaap|non-?gaap)\s+", "", about.metric, flags=re.IGNORECASE)
    return read(f"{match['kind']} {plain}")


def _substituted(now: Slots, earlier: Slots, catalog: Catalog | None) -> str:
    """The question before, with the parts that `now` names in place of its own."""
    text = earlier.text
    changes: list[tuple[Span | None, str, str]] = []
    stranger = _stranger(now)
    if plain := _plain(now, earlier, catalog):
        return plain
    if now.companies or stranger:
        names = " and ".join(now.text[slice(*span)] for span in now.companies) or stranger
        span = (earlier.companies[0][0], earlier.companies[-1][1]) if earlier.companies else None
        changes.append((span, names, f" at {names}"))
    if now.metrics:
        changes.append((earlier.metrics[0] if earlier.metrics else None, now.metric, f" and {now.metric}"))
    if now.names:
        name = now.text[slice(*now.names[0])]
        if not earlier.names and not changes and not now.asks:
            return _about(name, earlier)
        changes.append((earlier.names[0] if earlier.names else None, name, f", about {name}"))
    if period := carried(now, earlier, catalog):
        changes.append(_period_change(period, now, earlier))
    elif len(now.indexed) == 1 and (period := moved_to(now.indexed[0], earlier, catalog)):
        changes.append((earlier.period_span, f" {period}", ""))
    elif now.metrics and earlier.asks and as_flow(earlier) != earlier.period:
        changes.append((earlier.period_span, f" {as_flow(earlier)}", ""))
    if not changes and (role := ROLE.search(now.text)) and (held := ROLE.search(text)):
        return f"{text[: held.start()]}{role.group()}{text[held.end() :]}"
    if not changes:
        topic = re.sub(r"^(?:about|on)\s+", "", _LEAD.sub("", now.text).strip(" ?.!,"))
        return _about(topic, earlier) if topic else now.text
    extra = "".join(appended for span, _, appended in changes if span is None)
    for span, new, _ in sorted((c for c in changes if c[0]), key=lambda c: c[0] or (0, 0), reverse=True):
        if span is not None:
            text = text[: span[0]] + new + text[span[1] :]
    return _appended(re.sub(r"\s{2,}", " ", text), extra).strip()


def _about(topic: str, earlier: Slots) -> str:
    """The question before about another topic: in place of what it was about, or besides."""
    told = _ABOUT.search(earlier.text)
    if told is None:
        return _appended(earlier.text, f", about {topic}")
    ends = [start for start, _ in (*earlier.companies, earlier.period_span or (0, 0)) if start > told.end()]
    rest = earlier.text[min(ends) :] if ends else ""
    between = re.search(r"\s+(?:on|at|in|for|during|of)\s+$", earlier.text[: min(ends)]) if ends else None
    tail = f"{between.group() if between else ' '}{rest}" if rest else ""
    return _appended(f"{earlier.text[: told.end()]}{topic}{tail}", "")


def _plain(now: Slots, earlier: Slots, catalog: Catalog | None) -> str:
    """A plain question for the figure, where the question before has no place for what `now` names: a figure after an
    overview, a product after a company's total, a period after two that were compared; '' where it has."""
    company = now.text[slice(*now.companies[0])] if now.companies else earlier.company
    figure = now.figure or earlier.figure
    if now.names and earlier.metrics and not earlier.names and not now.metrics:
        figure = f"{now.text[slice(*now.names[0])]} {earlier.metric}"
    elif (not now.metrics or earlier.metrics) and not (now.asks and _CHANGED.search(earlier.text)):
        return ""
    period = carried(now, earlier, catalog) or as_flow(earlier)
    verb = "were" if re.search(r"(?:[^s]s)$", figure) and not figure.lower().endswith("eps") else "was"
    return f"What {verb} {company}'s {figure}{' ' if period else ''}{period}?" if company and figure else ""


def _stranger(now: Slots) -> str:
    """A name in lower case that belongs to nothing known ('what about tesla?'); '' if there is none."""
    if now.companies or now.metrics or now.names or now.asks or not _LEAD.match(now.text):
        return ""
    known = ORDINARY | FUNCTION_WORDS | DOMAIN | PLACES | ACRONYMS | FIRST_NAMES
    words = [token for token in name_tokens(_LEAD.sub("", now.text)) if token.word not in FUNCTION_WORDS]
    strange = len(words) == 1 and words[0].word not in known and not DURATION.search(now.text)
    return (
        words[0].raw.capitalize()
        if strange and not ROLE.search(now.text) and not NEXT.search(now.text)
        else ""
    )


def _period_change(period: str, now: Slots, earlier: Slots) -> tuple[Span | None, str, str]:
    """Where a new period goes. A mere duration replaces the old one's, where no date is known to go with it."""
    duration = DURATION.search(now.text)
    if duration is not None and not now.asks and " ended " not in period:
        old = DURATION.search(earlier.text) or re.search(
            r"\bquarter(?=\s+end(?:ed|ing))", earlier.text, re.IGNORECASE
        )
        return (old.span() if old else None), spoken(duration), f" {period}"
    return earlier.period_span, f"{' ' if earlier.period_span else ''}{period}", f" {period}"


def _with_base(text: str, now: Slots, earlier: Slots, catalog: Catalog | None) -> str:
    """A relative period of a whole question, given the period it counts from."""
    ask = now.asks[0]
    if (
        len(now.asks) != 1
        or ask.kind not in ("previous", "year_ago")
        or ask.text not in text
        or not earlier.asks
    ):
        return text
    at = text.index(ask.text)
    head, tail = text[:at], text[at + len(ask.text) :]
    period = carried(now, earlier, catalog)
    if " ended " in period and ask.text not in period:
        return f"{_IN.sub('', head)}{period}{tail}"
    return f"{head}{ask.text} {PREPOSITION.sub('', earlier.period)}{tail}"


def _appended(text: str, extra: str) -> str:
    body = text.rstrip()
    end = re.search(r"[?.!]+$", body)
    mark = end.group() if end else "?"
    return f"{(body[: end.start()] if end else body).rstrip()}{extra}{mark}"
