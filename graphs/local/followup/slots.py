"""What a turn of a conversation names: companies, figures and periods, as stretches of its text."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass

from graphs.local.question.period_asks import PeriodAsk
from graphs.local.question.period_phrases import find_asks
from graphs.local.question.topic_words import DOMAIN
from graphs.local.question.unknown_names import capitalised_spans
from graphs.local.text.spans import Span, overlaps
from tools.documents.metadata.catalog import Catalog
from tools.documents.metadata.company_names import name_tokens
from tools.documents.text.ordinary_words import FIRST_NAMES, FUNCTION_WORDS, ORDINARY
from tools.knowledge.graph.resolution import fold_name
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.period_words import MONTH_LENGTH

DURATION = re.compile(
    rf"\b(?:{MONTH_LENGTH})[\s-]months?\b"
    r"|\b(?:just|only)\s+(?:for\s+)?(?P<quarter>the\s+quarter)\b|\b(?:the\s+)?quarter\s+(?:alone|only|itself)\b",
    re.IGNORECASE,
)
PREPOSITION = re.compile(r"^(?:in|for|during|at|as\s+of|on|over|of|by)\s+", re.IGNORECASE)
_PERIOD_LEAD = re.compile(
    r"(?:\b(?:in|for|during|at|as\s+of|over|of|on)\s+)?(?:(?:the|its|their)\s+)?(?:fiscal\s+)?(?:(?:quarters?|periods?|years?"
    rf"|half|(?:{MONTH_LENGTH})\s+months)\s+(?:ended|ending)\s+)?$",
    re.IGNORECASE,
)
_TOGETHER = re.compile(
    r"(?:[\s,&/-]|\b(?:and|or|to|through|vs|versus|in|for|of|at|before|than|the|as|fiscal|quarters?|periods?|months|three|six|nine"
    r"|ended|ending)\b)*",
    re.IGNORECASE,
)
_BEFORE_FIGURE = re.compile(r"(?:(?<!\w)[a-z]?[A-Z][\w&’'-]*\s+)+$")
_PART_OF = re.compile(
    r"\s+(?:of|in|at|for)\s+(?:(?:the|its|their)\s+)?(?:\0+(?:['’]s?)?\s+)?"
    r"(?P<part>[\w&-]+(?:\s+(?:and\s+|&\s+)?[\w&-]+){0,4}?)\s+(?:segment|division|business)\b"
)
_OWNED = re.compile(r"\0(?:['’]s?)?\s+(?P<own>[^\0?.,;]{1,60}?)\s*$")
"""What stands between a company and its figure."""
_BEHIND_POINT = re.compile(r"\.\w+")
MAX_NAME_WORDS = 4


@dataclass(frozen=True, slots=True)
class Slots:
    """What a question names, as spans (start, end) of its text."""

    text: str
    companies: tuple[Span, ...]
    metrics: tuple[Span, ...]
    asks: tuple[PeriodAsk, ...]
    names: tuple[Span, ...] = ()
    """Products, segments, places and people that the index knows, where no figure's name holds them."""
    indexed: tuple[str, ...] = ()
    """Keys of the companies that the index holds, in the order of their names."""
    qualifier: str = ""
    """What the index knows by name right before the first figure, ordinary words or not: 'specialty materials'."""

    @property
    def company(self) -> str:
        return self.text[slice(*self.companies[0])] if self.companies else ""

    @property
    def metric(self) -> str:
        return self.text[slice(*self.metrics[0])] if self.metrics else ""

    @property
    def figure(self) -> str:
        """The first metric with what qualifies it: 'Connected Devices revenue', 'Greater China revenue'."""
        if not self.metrics:
            return ""
        start, end = self.metrics[0]
        blank = self.text
        for span in self.companies:
            blank = blank[: span[0]] + "\0" * (span[1] - span[0]) + blank[span[1] :]
        before = _BEFORE_FIGURE.search(blank[:start])
        own = [w for w in (before.group().split() if before else []) if w.lower() not in FUNCTION_WORDS]
        owned = _OWNED.search(blank[:start])
        if owned and FUNCTION_WORDS.isdisjoint(owned["own"].lower().split()):
            own = owned["own"].split()
        own = max(own, self.qualifier.split(), key=len)
        part = _PART_OF.match(blank, end)
        of = [part["part"]] if part else [self.text[slice(*name)] for name in self.names]
        said = " ".join([*own, self.metric])
        return " ".join([*(each for each in of[:1] if each not in said), said])

    @property
    def period_span(self) -> Span | None:
        """The first period phrase, with those listed or counted together with it and the words that lead in: 'in the
        quarter ended July 1, 2023', 'in Q2 and Q3 2023'."""
        if not self.asks:
            return None
        start, end = self.asks[0].start, self.asks[0].end
        for ask in self.asks[1:]:
            if _TOGETHER.fullmatch(self.text[end : ask.start]):
                end = ask.end
        lead = _PERIOD_LEAD.search(self.text[:start])
        return (lead.start() if lead else start), end

    @property
    def period(self) -> str:
        """The period with a preposition, '' if no period is named."""
        if self.period_span is None:
            return ""
        phrase = self.text[slice(*self.period_span)].strip()
        return phrase if PREPOSITION.match(phrase) else f"in {phrase}"


def find_slots(text: str, catalog: Catalog | None, known_names: Container[str]) -> Slots:
    """What `text` names. With a catalog, companies are recognised by any name; else, and where it knows none, by
    capitals."""
    linked = catalog.link(text) if catalog is not None else []
    companies = [(mention.start, mention.end) for mention in linked]
    asks = tuple(
        ask for ask in find_asks(text) if not overlaps((ask.start, ask.end), companies)
    )  # 3M is no quarter
    metrics = [(m.start, m.end) for m in find_metrics(text)]
    taken = [*((ask.start, ask.end) for ask in asks), *metrics]
    names = _known(text, [*taken, *companies], known_names)
    spelled = [(span.start, span.end) for span in capitalised_spans(text, [*taken, *companies, *names])]
    if linked:
        names = sorted([*names, *spelled])
    else:
        companies = [span for span in spelled if name_tokens(text[slice(*span)])[0].word not in FIRST_NAMES]
    metrics = [m for m in metrics if not overlaps(m, companies)]
    names = [whole_word(text, span) for span in names]
    return Slots(
        text,
        tuple(sorted(companies)),
        tuple(metrics),
        asks,
        tuple(names),
        tuple(dict.fromkeys(mention.key for mention in linked)),
        _named_before(text, metrics[0][0], [*companies, *names, *taken], known_names) if metrics else "",
    )


def _named_before(text: str, end: int, taken: list[Span], known_names: Container[str]) -> str:
    """The longest name that the index knows right before `end`; '' if there is none."""
    tokens = [token for token in name_tokens(text) if token.end <= end][-MAX_NAME_WORDS:]
    for first in tokens:
        span = (first.start, tokens[-1].end)
        words = [token.word for token in tokens if token.start >= first.start]
        fits = (
            not text[span[1] : end].strip() and not overlaps(span, taken) and words[0] not in FUNCTION_WORDS
        )
        if fits and fold_name(text[slice(*span)]) in known_names:
            return text[slice(*span)]
    return ""


def whole_word(text: str, span: Span) -> Span:
    """A name with what stands behind its point: 'Frame.io'."""
    rest = _BEHIND_POINT.match(text, span[1])
    return span[0], rest.end() if rest else span[1]


def _known(text: str, taken: list[Span], known_names: Container[str]) -> list[Span]:
    """Longest runs of words that the index knows as a name; ordinary words alone are not a name."""
    found: list[Span] = []
    tokens = name_tokens(text)
    at = 0
    while at < len(tokens):
        size = min(MAX_NAME_WORDS, len(tokens) - at)
        while size:
            run = tokens[at : at + size]
            span = (run[0].start, run[-1].end)
            specific = any(not _is_ordinary(token.word) for token in run)
            specific = specific or (size > 1 and all(token.raw[:1].isupper() for token in run))
            if specific and not overlaps(span, taken) and fold_name(text[slice(*span)]) in known_names:
                found.append(span)
                break
            size -= 1
        at += max(1, size)
    return found


def _is_ordinary(word: str) -> bool:
    return word in ORDINARY or word in FUNCTION_WORDS or word in DOMAIN
