"""Follow-up -> standalone question: company, metric and period are carried over from the turns before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphs.local.off_topic import off_topic, unreadable
from graphs.local.period_phrases import PeriodAsk, find_asks
from graphs.local.topic_words import DOMAIN
from graphs.local.unknown_names import capitalised_spans
from tools.documents.catalog import Catalog
from tools.documents.company_names import name_tokens
from tools.documents.ordinary_words import FIRST_NAMES, FUNCTION_WORDS, ORDINARY
from tools.knowledge.lexicon import find_metrics

MAX_TURNS = 8
"""Turns looked back on; what a question refers to is rarely further away."""
_LEAD = re.compile(
    r"^\W*(?:(?:and|but|or|also|then|so|ok(?:ay)?|now|thanks|great)\W+)*(?:(?:what|how)\s+about"
    r"|same\s+(?:question\s+)?for|"
    r"and|but|or|also|then|compared?\s+(?:to|with|that|it))\b",
    re.IGNORECASE,
)
_ITS = re.compile(
    r"\b(?:its|their|the\s+(?:company|firm)['’]s|this\s+company['’]s|that\s+company['’]s)\b", re.IGNORECASE
)
_IT = re.compile(r"\b(?:the\s+(?:company|firm)|this\s+company|that\s+company|they|them)\b", re.IGNORECASE)
_IT_ALONE = re.compile(
    r"\b(?:did|does|do|has|have|had|is|was|will|for|at|of|by|about)\s+(it)\b(?!\s+(?:that|due|because|possible))",
    re.I,
)
_THAT_PERIOD = re.compile(
    r"\b(?:that|the\s+same|this|said)\s+(?:quarter|period|year|time|date)\b(?!\s+(?:a|one|last|of|in)\b)|\bthen\W*$",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"^\W*(?:(?:but|and|so)\s+)?(?:why|how\s+come)(?:\s+(?:is|was|did)\s+(?:that|this|it)(?:\s+\w+)?|\s+so|\s+not)?\W*$",
    re.I,
)
_EVERYONE = re.compile(
    r"\b(?:companies|each|all\s+(?:of\s+)?(?:the|them)|across|any\s+company|which\s+company|everyone|both)\b",
    re.I,
)
_DURATION = re.compile(r"\b(?:three|six|nine|twelve|3|6|9|12)[\s-]months?\b", re.IGNORECASE)
_LONG_PERIOD = re.compile(
    r"(?:\b(?:in|for|during|at|as\s+of|over|of)\s+)?(?:the\s+)?(?:fiscal\s+)?(?:(?:quarters?|periods?"
    r"|years?|half|"
    r"(?:three|six|nine|twelve|3|6|9|12)\s+months)\s+(?:ended|ending)\s+)?$",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"\b(?:ceo|cfo|coo|cto|chief\s+\w+\s+officer|chair(?:man|woman|person)?|president|treasurer"
    r"|general\s+counsel)\b",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(r"^(?:in|for|during|at|as\s+of|over|of|by)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Slots:
    """What a question names, as spans (start, end) of its text."""

    text: str
    companies: tuple[tuple[int, int], ...]
    metrics: tuple[tuple[int, int], ...]
    asks: tuple[PeriodAsk, ...]

    @property
    def company(self) -> str:
        return self.text[slice(*self.companies[0])] if self.companies else ""

    @property
    def metric(self) -> str:
        return self.text[slice(*self.metrics[0])] if self.metrics else ""

    @property
    def period_span(self) -> tuple[int, int] | None:
        """All period phrases with the words that lead in: 'in the quarter ended July 1, 2023'."""
        if not self.asks:
            return None
        start = self.asks[0].start
        lead = _LONG_PERIOD.search(self.text[:start])
        return (lead.start() if lead else start), self.asks[-1].end

    @property
    def period(self) -> str:
        """The period with a preposition, '' if none is named."""
        if self.period_span is None:
            return ""
        phrase = self.text[slice(*self.period_span)].strip()
        return phrase if _PREPOSITION.match(phrase) else f"in {phrase}"


class LocalCondenser:
    """A `Condenser` of rules: an elliptical follow-up replaces its part of the question before; a whole one
    gets the company and period that it leaves out."""

    def __init__(self, catalog: Catalog | None = None) -> None:
        """With a catalog, companies are recognised by any name; without, by capitals."""
        self._catalog = catalog

    def condense(self, question: str, history: Sequence[tuple[str, str]]) -> str:
        """See `graphs.contracts.Condenser`."""
        standalone = ""
        for asked, _ in history[-MAX_TURNS:]:
            if not _is_aside(asked):
                standalone = self._join(asked, standalone)
        return self._join(question, standalone)

    def _join(self, question: str, before: str) -> str:
        if not before or not question.strip() or unreadable(question):
            return question if question.strip() or not before else before
        now, earlier = self._slots(question), self._slots(before)
        if _WHY.match(question):
            return _why(earlier)
        if _is_elliptical(now):
            return _substituted(now, earlier)
        if not now.companies and earlier.companies and _leans(now):
            return _completed(now, earlier)
        if now.companies and earlier.company and (pointed := _IT_ALONE.search(question)):
            thing = f"{earlier.company}'s {earlier.metric}" if earlier.metric else earlier.company
            filled = question[: pointed.start(1)] + thing + question[pointed.end(1) :]
            return _appended(filled, f" {earlier.period}" if earlier.asks and not now.asks else "")
        return question

    def _slots(self, text: str) -> _Slots:
        asks = tuple(find_asks(text))
        metrics = [(m.start, m.end) for m in find_metrics(text)]
        taken = [*((ask.start, ask.end) for ask in asks), *metrics]
        linked = self._catalog.link(text) if self._catalog is not None else []
        companies = [(mention.start, mention.end) for mention in linked]
        known = bool(companies)
        for span in capitalised_spans(text, [*taken, *companies]):
            if not known and name_tokens(span.text)[0].word not in FIRST_NAMES:
                companies.append((span.start, span.end))
        metrics = [m for m in metrics if not any(s < m[1] and m[0] < e for s, e in companies)]
        return _Slots(text, tuple(sorted(companies)), tuple(metrics), asks)


def _is_aside(text: str) -> bool:
    """Small talk and general knowledge between the questions are no base for a follow-up."""
    metrics = bool(find_metrics(text))
    return bool(off_topic(text, linked=metrics, dated=bool(find_asks(text)), known=frozenset(), closed=False))


def _is_elliptical(now: _Slots) -> bool:
    """Is nothing said but a name, a metric, a period or a duration, with small words around it?"""
    lead = _LEAD.match(now.text)
    rest = list(now.text)
    spans = [*now.companies, *now.metrics, *((ask.start, ask.end) for ask in now.asks)]
    spans += [match.span() for match in _DURATION.finditer(now.text)]
    for start, end in [*spans, *([lead.span()] if lead else [])]:
        rest[start:end] = " " * (end - start)
    left = [t.word for t in name_tokens("".join(rest)) if t.word not in FUNCTION_WORDS]
    if lead and not left:
        return True
    if lead and not spans and (len(left) <= 3 or _ROLE.search(now.text)):
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


def _leans(now: _Slots) -> bool:
    """Does a question without a company lean on the one before, instead of opening another subject?"""
    if _EVERYONE.search(now.text):
        return False
    pointing = (
        _LEAD.match(now.text) or _ITS.search(now.text) or _IT.search(now.text) or _IT_ALONE.search(now.text)
    )
    words = [token.word for token in name_tokens(now.text)]
    about = bool(now.metrics or now.asks or any(word in DOMAIN for word in words))
    linked = bool(now.metrics)
    return bool(pointing or about) and not off_topic(
        now.text, linked=linked, dated=bool(now.asks), known=frozenset(), closed=False
    )


def _completed(now: _Slots, earlier: _Slots) -> str:
    """`now` with the company, and the period if it has none, of the question before."""
    text, company = now.text, earlier.company
    filled = _ITS.sub(f"{company}'s", text, count=1)
    if filled == text:
        filled = _IT.sub(company, text, count=1)
    if filled == text and (alone := _IT_ALONE.search(text)):
        about = text[: alone.start(1)].rstrip().lower().endswith("about")
        thing = f"{company}'s {earlier.metric}" if about and earlier.metric else company
        filled = text[: alone.start(1)] + thing + text[alone.end(1) :]
    period = earlier.period
    if period and _THAT_PERIOD.search(filled):
        bare = _PREPOSITION.sub("", period)
        filled, period = _THAT_PERIOD.sub(lambda _: bare, filled, count=1), ""
    extra = "" if filled != text and company in filled else f" at {company}"
    if period and not now.asks:
        extra += f" {period}"
    elif now.asks and earlier.asks:
        filled = _with_base(filled, now, earlier)
    return _appended(filled, extra)


def _substituted(now: _Slots, earlier: _Slots) -> str:
    """The question before, with the parts that `now` names in place of its own."""
    text = earlier.text
    changes: list[tuple[tuple[int, int] | None, str, str]] = []
    if now.companies:
        names = " and ".join(now.text[slice(*span)] for span in now.companies)
        span = (earlier.companies[0][0], earlier.companies[-1][1]) if earlier.companies else None
        changes.append((span, names, f" at {names}"))
    if now.metrics:
        changes.append((earlier.metrics[0] if earlier.metrics else None, now.metric, f" and {now.metric}"))
    if now.asks:
        period = _period_of(now, earlier)
        changes.append((earlier.period_span, f"{' ' if earlier.period_span else ''}{period}", f" {period}"))
    elif duration := _DURATION.search(now.text):
        changes.append((_duration_span(text), duration.group(), f" for the {duration.group()}"))
    if not changes and (role := _ROLE.search(now.text)) and (held := _ROLE.search(text)):
        return f"{text[: held.start()]}{role.group()}{text[held.end() :]}"
    if not changes:
        topic = _LEAD.sub("", now.text).strip(" ?.!,")
        return _appended(text, f", about {topic}") if topic else now.text
    extra = "".join(appended for span, _, appended in changes if span is None)
    for span, new, _ in sorted((c for c in changes if c[0]), key=lambda c: c[0] or (0, 0), reverse=True):
        if span is not None:
            text = text[: span[0]] + new + text[span[1] :]
    return _appended(re.sub(r"\s{2,}", " ", text), extra).strip()


def _period_of(now: _Slots, earlier: _Slots) -> str:
    """The period that `now` asks for, counted from the question before if it is relative."""
    period = now.period
    first = now.asks[0]
    if len(now.asks) == 1 and first.kind in ("previous", "year_ago") and earlier.asks:
        period = re.sub(r"\s+(?:that|this|it)$", "", period)
        if first.kind == "year_ago":
            period = "in the same period a year before"
        return f"{period} {_PREPOSITION.sub('', earlier.period)}"
    years = [ask.year for ask in earlier.asks if ask.year]
    if first.kind == "quarter" and first.year is None and years and not earlier.asks[-1].day:
        basis = "fiscal " if earlier.asks[-1].basis == "fiscal" else ""
        return f"{period} {'of ' if basis else ''}{basis}{years[-1]}"
    return period


def _with_base(text: str, now: _Slots, earlier: _Slots) -> str:
    """A relative period of a whole question, given the period it counts from."""
    ask = now.asks[0]
    if len(now.asks) != 1 or ask.kind not in ("previous", "year_ago") or ask.text not in text:
        return text
    base = _PREPOSITION.sub("", earlier.period)
    end = text.index(ask.text) + len(ask.text)
    return f"{text[:end]} {base}{text[end:]}"


def _duration_span(text: str) -> tuple[int, int] | None:
    match = _DURATION.search(text) or re.search(r"\bquarter(?=\s+end(?:ed|ing))", text, re.IGNORECASE)
    return match.span() if match else None


def _why(earlier: _Slots) -> str:
    if not earlier.metric:
        return _appended(f"Explain why: {earlier.text}".rstrip("?. "), "")
    at = f" at {earlier.company}" if earlier.company else ""
    period = f" {earlier.period}" if earlier.asks else ""
    return f"Why did {earlier.metric}{at} change{period}?"


def _appended(text: str, extra: str) -> str:
    body = text.rstrip()
    end = re.search(r"[?.!]+$", body)
    mark = end.group() if end else "?"
    return f"{(body[: end.start()] if end else body).rstrip()}{extra}{mark}"
