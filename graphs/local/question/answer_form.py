"""What form of answer a question asks for, read from its wording."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphs.contracts import Reading
from graphs.drafts.words import content, is_generic
from graphs.local.question.router import LocalRouter
from graphs.local.text.period_mentions import without_periods
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.knowledge.lexicon.vocabulary import VOCABULARY
from tools.period_words import MONTHS

_ASKING_TEXT = """
please tell give list find list question summarize summarise summary overview describe explain discuss
comment talk think view opinion detail main key major important significant overall briefly takeaway
highlight point thing kind type much many big large high name know want need like make regarding concern
relate related specific specifically company factor reason cause driver drive contribute behind role way
approach happen compare comparison between across among
plan deal set use put choose according management mean face seem work today currently still help helped
play story important importance strategy strategic stance statement interpret narrative effort argument justification
position positive negative account state situation develop development move moved influence affect impact happen change
go goes going went
"""

_ASKS_PROSE = re.compile(
    r"\b(?:why|how come|explain|describe|summari[sz]e|summary|overview|discuss\w*|outlook|strateg\w+|"
    r"risks?|driv(?:e|es|er|ers|ing)|"
    r"drove|reasons?|factors?|caus(?:e|es|ed|ing)|views?|opinions?|stance|themes?|takeaways?|sentiment|"
    r"tone|concerns?|"
    r"comment\w*|talk(?:ed|s)? about|t(?:ell|old) \w+ about|said about|sa(?:y|ys|id) (?:about|on|"
    r"regarding)|thoughts?|"
    r"impact(?:s|ed)?|affect(?:s|ed)?|contribut\w+|expect(?:s|ed|ations?)?|guid(?:e|ance)|plans?|"
    r"initiatives?|challenges?|"
    r"opportunit\w+|priorit\w+|approach|attribut(?:e|es|ed|ing|ion)\b|behind|respond\w*|address\w*|"
    r"highlights?|main points|going on|how (?:does|do|is|are)|"
    r"highlight\w*|mention\w*|recent developments?|implications?)\b",
    re.IGNORECASE,
)
_ASKS_FIGURE = re.compile(
    r"\b(?:how (?:much|many|high|low|large|big)|what (?:was|were|is|are|did)|what's|which|figures?|"
    r"numbers?|value|amount|total|"
    r"report(?:ed)?|per share|percent(?:age)?)\b|%|\$",
    re.IGNORECASE,
)
_ASKS_CHANGE = re.compile(
    r"\b(?:chang(?:e|es|ed|ing)|gr(?:ow|ew|own|owing|owth)|increas\w+|decreas\w+|declin\w+|r(?:ise|ose|"
    r"isen|ising)|f(?:all|ell|alling)|"
    r"drop(?:s|ped)?|higher|lower|improv\w+|worsen\w*|differ(?:ence|s)?|year[- ]over[- ]year|yoy|y/y|"
    r"quarter[- ]over[- ]quarter|"
    r"qoq|up or down|sequential\w*|evolv\w+|trend\w*|shr(?:ink|ank|unk))\b",
    re.IGNORECASE,
)
_ASKS_PEOPLE = re.compile(
    r"\b(?:who|whom|whose)\b|\b(?:which|what|list|name)\b[^?]{0,40}\b(?:analysts?|executives?|people|"
    r"persons?|participants?|speakers?|"
    r"officers?)\b|['’]s (?:role|title|position|job|employer)\b|\b(?:role|title|position|job|employer) of [A-Z]|"
    r"\bwork(?:s|ed)? (?:for|at)\b|\b(?:which|what) "
    r"(?:firm|bank)\b",
    re.IGNORECASE,
)
_ROUTER = LocalRouter()
_ASKING_WORDS = frozenset(_ASKING_TEXT.split())


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """What is asked for."""

    explain: bool
    """Prose: reasons, views, summaries."""
    beside: bool
    """Prose beside a figure: a mere topic, or two things asked for at once."""
    figure: bool
    """A figure or another single fact."""
    change: bool
    """How a figure moved."""
    people: bool
    """Persons, roles, firms."""
    terms: tuple[str, ...]
    """Content stems that say what it is about, names of companies and periods left out."""
    moves: frozenset[str] = frozenset()
    """Stems that only say that it asks for a change ('grow', 'compared')."""


def read_answer_form(reading: Reading, company_words: frozenset[str]) -> AnswerForm:
    """The form of `reading.question`; `company_words` are stems of company names, which say where to look,
    not what for."""
    question = reading.question
    asks = frozenset(content(" ".join(_ASKING_WORDS)))
    asked = question  # 'change in cash' is a line item, not a change
    for metric in reading.metrics:
        asked = asked.replace(metric, " ") if canonical_metric(metric) in VOCABULARY else asked
    moves = frozenset(word for match in _ASKS_CHANGE.finditer(asked) for word in content(match.group()))
    terms = tuple(
        word
        for word in dict.fromkeys(content(_without_periods(question)))
        if word not in company_words and word not in asks and not is_generic(word)
    )
    kind = _ROUTER.route(reading).kind
    explain = kind == "abstractive" or (kind == "uncertain" and bool(_ASKS_PROSE.search(question)))
    figure = bool(_ASKS_FIGURE.search(question)) or bool(reading.metrics)
    return AnswerForm(
        explain=explain,
        beside=kind == "uncertain",
        figure=figure and kind != "abstractive",
        change=kind != "abstractive" and bool(_ASKS_CHANGE.search(asked)),
        people=kind != "abstractive" and bool(_ASKS_PEOPLE.search(question)),
        terms=terms,
        moves=moves,
    )


def _without_periods(question: str) -> str:
    return re.sub(rf"\b(?:{'|'.join(MONTHS)})\b", " ", without_periods(question), flags=re.IGNORECASE)


_COMPANY_AMOUNT = re.compile(
    r"\bnet\s+(?:income|earnings|loss|profit)\b|\b(?:operating|gross)\s+(?:income|profit|loss)\b|\brevenues?\b|"
    r"\bsales\b",
    re.IGNORECASE,
)
PER_SHARE = re.compile(r"\bper[\s-]+(?:\w+\s+){0,2}share\b|\bEPS\b", re.IGNORECASE)


def asks_amount(question: str) -> bool:
    """True where an amount of the whole company is asked for, never one a share; mere 'earnings' may be either."""
    return _COMPANY_AMOUNT.search(question) is not None and PER_SHARE.search(question) is None
