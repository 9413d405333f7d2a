"""Words of questions, drafts and evidence, folded for comparing; what carries meaning and what does not."""

from __future__ import annotations

import re
from functools import lru_cache

from tools.knowledge.lexicon.metric_names import fold_word

_STOP_TEXT = """
a an the and or but if of in on at to for from by with without within as is are was were be been being
am do does did doing done has have had having it its itself this that these those there their they them
theirs he she his her him we our ours us you your yours i me my mine who whom whose which what when
where why how than then so such no not nor also about into over under between through during per both
each any all some more most other another same own just only very can could will would shall should may
might must s t re ve ll d m up down out off again further once here because while until against before
after above below too vs via et al let us get got give given including include includes included well
one ones upon however therefore thus moreover additionally
"""

_GENERIC_TEXT = """
said say says state states stated report reports reported reporting note noted notes according mention
mentioned amount amounts amounted total totals totaled stand stood come came reach reached figure
figures document documents filing company companies respectively approximately roughly nearly almost
compare compared comparison comparative versus change changes changed period periods quarter quarters
quarterly year years yearly annual month months end ended ending three six nine twelve first second
third fourth fiscal calendar date time million billion thousand trillion usd dollar dollars percent
percentage basis point points share shares against corresponding result results value values level prior
previous earlier ago last current recent latest later asked ask answer explain explained management
executive executives call transcript analyst describe described show shows showed shown post posted
record recorded generate generated see saw seen have had due mainly primarily driven drive drove
attribute attributed reflect reflected
"""

_WORD = re.compile(r"[A-Za-z]+(?:[&'’][A-Za-z]+)*|\d+(?:[.,]\d+)*")
_SUFFIXES = (
    "ization",
    "isation",
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "edly",
    "ely",
    "ed",
    "ly",
    "es",
    "e",
)

STOP = frozenset(_STOP_TEXT.split())
"""Carries no meaning of its own in an overlap; negations and directions are checked apart."""

GENERIC = frozenset(_GENERIC_TEXT.split())
"""Words that a writer adds around figures; no evidence needs to hold them."""


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A crude stem, the same for 'expects', 'expected' and 'expecting'."""
    word = fold_word(word.replace("’", "'"))
    if len(word) > 6:
        word = re.sub(r"is(e|ed|es|ing)$", r"iz\1", word)  # British spelling
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            word = word[: -len(suffix)]
            word = word.removesuffix("e") if suffix.startswith("ment") and len(word) > 4 else word
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 4 and word.endswith("y") else word


_IRREGULAR = tuple(
    tuple(forms.split())
    for forms in (
        "begin began begun", "bring brought", "build built", "choose chose chosen", "come came", "draw drew drawn",
        "drive drove driven", "find found", "give gave given", "go went gone", "hold held", "keep kept", "lead led",
        "leave left", "lose lost losing", "make made making", "meet met", "run ran", "seek sought", "sell sold",
        "send sent", "speak spoke spoken", "spend spent", "take took taken taking", "teach taught", "tell told",
        "think thought", "win won", "withdraw withdrew withdrawn", "write wrote written writing",
    )
)  # fmt: skip
_SAME = {
    stem(word): stem(first)
    for first, *others in (
        ("expect", "guide", "guided", "guidance", "outlook", "forecast", "anticipate"),
        ("acquire", "buy", "bought", "acquisition", "purchase"),
        ("pay", "paid", "payment"),
        ("employee", "headcount", "workforce"),
        ("foundry", "foundries"),
        ("intend", "intention", "intent"),
        ("large", "big", "larger", "bigger"),
        ("largest", "biggest"),
        *_IRREGULAR,
    )
    for word in others
}
"""Words that reports and their readers use for one another -> the one they are counted as."""


@lru_cache(maxsize=65536)
def _meaning(word: str) -> str:
    lower = word.lower().replace("’", "'")
    if lower in STOP or lower.split("'")[0] in STOP:
        return ""
    stemmed = stem(lower)
    return _SAME.get(stemmed, stemmed)


@lru_cache(maxsize=8192)
def content(text: str) -> tuple[str, ...]:
    """Stems of the words of `text` that carry meaning, in order, numbers left out."""
    found = (_meaning(word) for word in _WORD.findall(text) if not word[0].isdigit())
    return tuple(word for word in found if len(word) > 1)


_GENERIC_STEMS = frozenset(stem(word) for word in GENERIC)


def is_generic(stemmed: str) -> bool:
    """True for the stem of a word of `GENERIC`."""
    return stemmed in _GENERIC_STEMS


_VERBATIM = re.compile(r"\w+(?:[.,:/]\w+)*|[%$€£¥+&]|[-−–—]+")


@lru_cache(maxsize=8192)
def verbatim(text: str) -> str:
    """`text` reduced to what a quotation must keep: words, figures, signs; one space between; ' x ' at
    both ends.

    White space, quotation marks, brackets, Markdown and punctuation between words do not count.
    """
    return f" {' '.join('-' if part[0] in '-−–—' else part.lower() for part in _VERBATIM.findall(text))} "
