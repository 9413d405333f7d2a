"""What marks a sentence as an outlook, a risk or mere talk, and how that fits a question put as on a call."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from graphs.drafts.sentences import Sentence
from graphs.local.text.polarity import directions

_RISK_ASKED = re.compile(
    r"\b(?:risks?|threat\w*|dangers?|uncertaint\w+|go(?:es)?\s+wrong|exposed|exposure)\b", re.IGNORECASE
)
_RISK_STATED = re.compile(
    r"\b(?:may|could|might|adverse\w*|harm\w*|risks?|uncertain\w*|unable|fail\w*|disrupt\w*|subject\s+to|intense)\b",
    re.IGNORECASE,
)
_RISK_SECTION = re.compile(r"risk\s+factors?|item\s+1a\b|\brisks?\b", re.IGNORECASE)
_OUTLOOK_ASKED = re.compile(
    r"\b(?:outlook|guid(?:ance|e|ing)|expect\w*|forecast\w*|anticipat\w*|prospects?|look(?:ing)?\s+ahead|going\s+forward|"
    r"plans?\b|intend\w*|targets?|goals?|will|future)\b",
    re.IGNORECASE,
)
_OUTLOOK_STATED = re.compile(
    r"\b(?:we|i|company|management)(?:['’]re|\s+are|\s+is|\s+now|\s+currently|\s+also|\s+still|\s+continue\s+to)*\s+"
    r"(?:expect(?!ed)|anticipat(?!ed)|project|forecast|target|plan|intend|updat|rais|lower|confirm|reaffirm|narrow|estimat|increas|"
    r"guid|look|feel|see|remain)\w*\b|"
    r"\b(?:outlook|guidance|is\s+expected\s+to|are\s+expected\s+to|expectations?\s+(?:is|are|for)|full[- ]year)\b",
    re.IGNORECASE,
)
_NO_OUTLOOK = re.compile(
    r"\b(?:previous|prior|original|initial)\s+(?:guidance|outlook|expectation)|\bcan\s+give\s+no\s+assurance|\bno\s+obligation|\bguidance\s+for\s+our\s+peers",
    re.I,
)
_CALL_TALK = re.compile(
    r"\b(?:pleased|excited|honou?red|delighted|happy|glad|proud)\s+to\s+(?:welcome|discuss|have|be|share|introduce|answer)|"
    r"\b(?:my|our)\s+(?:prepared\s+)?(?:remarks|comments)\b|\bi(?:['’]ll|\s+will|['’]d\s+like\s+to|\s+would\s+like\s+to|"
    r"\s+want\s+to)\s+(?:\w+\s+)?(?:walk|discuss|review|cover|talk|focus|hand|turn|thank|start|begin|provide|share|"
    r"introduce|add|touch|ask|note|congratulate|let|say)\b|\blet\s+(?:me|us)\b|\blet['’]s\b|"
    r"\bi\s+(?:have\s+been|was|am|['’]m)\s+(?:assigned|appointed|named)\b|\bbefore\s+joining\b|\bhas\s+assumed\b|\bthank(?:s|\s+you)\b|\bgreat\s+to\s+(?:talk|be|speak)\b|"
    r"\bonce\s+again,|\bmany\s+of\s+you\s+have\b|\bback\s+to\s+you\b|\bturn\s+(?:it|the\s+\w+)\s+over\b|"
    r"\bslides?\s+\w+\b|\bhand\s+(?:it|the\s+call|this)\b",
    re.IGNORECASE,
)
"""Talk about the call itself."""
_OVERALL = re.compile(
    r"(?:[^,.]{0,60}, )?(?:we (?:had|reported|recorded|generated) (?:an? )?)?"
    r"(?:our |the company[’']s |overall |total |consolidated |reported )*"
    r"(?:(?:net )?(?:sales|revenues?)|(?:gross|operating|net) (?:margin|income|profit|earnings|loss)|"
    r"(?:adjusted |diluted )*(?:eps|earnings per|ebitda)|results)\b",
    re.IGNORECASE,
)
"""Opens with the company's own figures, not with a segment's."""
_BARE = re.compile(
    r"(?:net )?(?:sales|revenues?) (?:increased|decreased|was|were|grew|declined|rose|fell)\b|"
    r"(?:gross|operating) (?:margin|income|profit|loss|expenses)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:total|consolidated|overall|each of our|across (?:all|our)|all (?:of )?our)\b", re.IGNORECASE
)
_VOICES = re.compile(
    r"\b(?:management|executives?|leadership|ceo|cfo|coo|chairman|call|speakers?)\b", re.IGNORECASE
)
SPEAKER_BONUS = 0.15
"""What is added to a speaker's sentence where people are asked after."""
_SHARE = re.compile(r"\bpercentage\b|\bpercent\b|%|\bpoints?\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_CAPITALISED = re.compile(r"\b[A-Z][\w'’-]+")


@dataclass(frozen=True, slots=True)
class SentenceKind:
    """What kind of sentence answers a question, beside its subject."""

    outlook: bool = False
    risks: bool = False
    ups: frozenset[bool] = frozenset()
    """Ways a figure moved that the question speaks of: True is up."""
    names: frozenset[str] = frozenset()
    """Capitalised words of the question, in lower case: who is asked after."""
    voices: bool = False
    """True if it asks what people say: management, executives, a call."""
    share: bool = False
    """True if it asks for a percentage."""


def wanted_kind(question: str) -> SentenceKind:
    """What kind of sentence answers `question`."""
    return SentenceKind(
        outlook=bool(_OUTLOOK_ASKED.search(question)),
        risks=bool(_RISK_ASKED.search(question)),
        ups=frozenset(sign.up for sign in directions(question)),
        names=_names(question),
        voices=bool(_VOICES.search(question)),
        share=bool(_SHARE.search(question)),
    )


@dataclass(frozen=True, slots=True)
class _Marks:
    """What is so of a text whatever is asked; read once."""

    risk: bool
    outlook: bool
    about_call: bool
    """Talk about the call itself."""
    concrete: bool
    """States a figure or which way something moved."""
    share: bool
    """Speaks of a percentage or points."""
    whole: bool
    """Speaks of the company as a whole."""
    bare: bool
    """Opens with a metric and does not say of what: the section says."""
    ups: frozenset[bool]


@lru_cache(maxsize=16384)
def _marks(text: str) -> _Marks:
    return _Marks(
        risk=bool(_RISK_STATED.search(text)),
        outlook=bool(_OUTLOOK_STATED.search(text)) and not _NO_OUTLOOK.search(text),
        about_call=bool(_CALL_TALK.search(text)),
        concrete=bool(_DIGIT.search(text)) or bool(directions(text)),
        share=bool(_SHARE.search(text)),
        whole=bool(_WHOLE.search(text)),
        bare=is_bare(text),
        ups=frozenset(sign.up for sign in directions(text)),
    )


def is_bare(text: str) -> bool:
    """True for 'Gross margin increased ...': of which segment or company, only the section says."""
    return bool(_BARE.match(text)) and not _WHOLE.search(text)


def opens_with_headline(text: str) -> bool:
    """True for a sentence that opens with revenue, a profit or earnings of no named part of the company."""
    return bool(_OVERALL.match(text))


def kind_fit(wanted: SentenceKind, sentence: Sentence) -> float:
    """What is added to a sentence's relevance for what it is, beside what it is about; about -0.3 to 0.5."""
    marks = _marks(sentence.text)
    extra = -0.25 * marks.about_call + 0.06 * marks.concrete
    if sentence.item.doc_type != "call":
        unsaid = marks.bare and not wanted.names & _names(sentence.item.section)
        extra += 0.05 * marks.whole - 0.1 * unsaid
    if wanted.ups:
        extra += 0.1 * bool(wanted.ups & marks.ups)
    if wanted.outlook:
        extra += 0.15 * marks.outlook + 0.06 * (marks.outlook and marks.concrete)
        extra -= 0.1 * bool(_NO_OUTLOOK.search(sentence.text))
    if wanted.share:
        extra += 0.1 * marks.share
    if wanted.risks:
        extra += 0.1 * bool(_RISK_SECTION.search(sentence.item.section)) + 0.1 * marks.risk
    extra += SPEAKER_BONUS * (wanted.voices and bool(sentence.speaker))
    if wanted.names and sentence.speaker:
        extra += 0.25 * bool(_names(sentence.speaker) & wanted.names)
    return extra


@lru_cache(maxsize=4096)
def _names(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _CAPITALISED.findall(text))
