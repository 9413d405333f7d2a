"""What the words before a sentence's figures say they are of: 'Our rent expense for stores was', 'we recorded
amortization expense of'."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tools.documents.types import Document
from tools.knowledge.graph.resolution import fold_company, own_aliases

MAX_LABEL_WORDS = 18
MAX_OWNER_WORDS = 6
"""Words of the longest name of whom a figure is said."""
_ABOUT = r"(?:also\s+|approximately\s+|about\s+|roughly\s+|nearly\s+)*"
_CAME_TO = re.compile(
    rf"\s+(?:was|were|is|are|totaled|totalled|amounted to|aggregated|equaled|came to|reached|"
    rf"(?:increased|decreased|rose|fell|declined|improved|grew)(?:\s+slightly)?\s+to)\s+{_ABOUT}$",
    re.IGNORECASE,
)
_HAVING = (
    r"(?P<who>^|^.*?\S)\s*\b(?:had|has|have|recogni[sz]ed|recorded|incurred|reported|generated|paid|received|"
    r"includes?|included|made|earned|capitali[sz]ed|held|charged)\s+"
)
_HAD = re.compile(
    rf"{_HAVING}(?P<label>\S.*?)\s+(?:of|totaling)\s+{_ABOUT}$",
    re.IGNORECASE | re.DOTALL,
)
_HAD_SOME = re.compile(rf"{_HAVING}{_ABOUT}$", re.IGNORECASE | re.DOTALL)
_PAID_OR_SUCH = re.compile(rf"\b(?:paid|incurred|received|earned|generated)\s+{_ABOUT}$", re.IGNORECASE)
_SHARE = re.compile(rf"\s+(?:accounted for|represented|comprised)\s+{_ABOUT}$", re.IGNORECASE)
_WE = re.compile(r"(?:we|the company|it)", re.IGNORECASE)
_OPENING = re.compile(
    r"^(?:[(\u2022*]?\w?[)\u2022*]\s*)?(?:(?:in addition|additionally|further(?:more)?|also|overall|however|"
    r"accordingly|similarly),?\s+)?",
    re.IGNORECASE,
)
_FOREWORD = re.compile(
    r".*(?:\.\s+\([a-z]\)\s+|[a-z\d)] (?=(?:Our|The|We|As of|At|For the|During the|In the) ))", re.DOTALL
)
"""An earlier sentence before a footnote's mark, or a heading run in."""
_ARTICLE = re.compile(
    r"^(?:the company['\u2019]s|our|the|its|a|an|total amount of|approximately|respective)\s+", re.IGNORECASE
)
_BRACKETS = re.compile(r"\s*\([^()]*\)")
_ASIDE = r",\s+(?:which|including|included|excluding|computed|before|after|as)\b"
_ASIDE_TO_THE_END = re.compile(rf"{_ASIDE}.*(?=,\s*$)", re.IGNORECASE)
_ASIDE_WITHIN = re.compile(rf"{_ASIDE}[^,]*,", re.IGNORECASE)
_IN_AMOUNTS = re.compile(r"\s+in the (?:aggregate )?amounts?$", re.IGNORECASE)
_HANGING = re.compile(r"\s+(?:for|during|in|at|as of|on|of)(?:\s+the)?\s*$", re.IGNORECASE)
_NO_LABEL = re.compile(
    r"\b(?:which|who|because|while|when|if|we|they|it|compared|increases?|decreases?|change[sd]?|effect|impact|"
    r"due to|offset|could|may|should|expect\w*|approximately|range|respectively|was|were|is|are|had|has|have|"
    r"this|these|those|such|remaining|plus|percentage points|"
    r"prior|same|quarters?|(?:19|20)\d\d|assuming|hypothetical|estimate[sd]?|increased|decreased|"
    r"^(?:company|included|on|in|for|at|from|with|by|to|under|of|as|excluding|including)|"
    r"(?:one|two|three|four|no|single|another)(?:\s+\w+){0,2}\s+customers?|"
    r"that$|partially|resulted|benefited|basis points|other than|consist\w*|represent\w*)\b|[;:\"\u201c$%]",
    re.IGNORECASE,
)
"""Words of a clause, not of a name; and what makes a name that of something else."""
_OF_TWO_SIGNS = re.compile(
    r"\b(?:net|operating)\s+(?:\w+\s+)?loss(?:es)?\b|\bloss(?:es)?\s+(?:per|before|from|attributable)\b|\bcredits?\b|"
    r"(?<!unrecognized )\btax\s+benefits?\b|^benefits?$|^loss(?:es)?$|^gains?$|\(loss|\(benefit",
    re.IGNORECASE,
)
"""Figures that tables print negative, or whose sign is said elsewhere."""
_EMPTY = frozenset(
    {"amount", "amounts", "total", "balance", "aggregate", "cost", "consideration", "there", "value"}
)
"""Names that say nothing without the sentence before them."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The line item that figures are of."""

    label: str
    path: tuple[str, ...] = ()
    """Whose it is, where it is not the whole company's."""


def find_subject(before: str, periods: tuple[int, int] | None, document: Document) -> Subject | None:
    """The subject of figures that `before` leads to; None where it names none. `periods`: where periods of the figures
    stand in it, which are no part of the name."""
    text = _without_periods(before, periods)
    verb = _CAME_TO.search(text)
    if verb:
        label = _name(_ASIDE_WITHIN.sub("", _ASIDE_TO_THE_END.sub("", text[: verb.start()])))
        return Subject(label) if label else None
    had = _HAD.search(text)
    return _owned(had["who"], had["label"], document) if had else None


def find_counted(
    before: str, periods: tuple[int, int] | None, label: str, preposition: str, document: Document
) -> Subject | None:
    """The subject where it follows its figures: 'We incurred' figures 'in fees'; what is recorded 'in' something is
    not all of it."""
    text = _without_periods(before, periods)
    had = _HAD_SOME.search(text)
    if had is None or (preposition.lower() == "in" and not _PAID_OR_SUCH.search(text)):
        return None
    return _owned(had["who"], label, document)


def says_share(before: str) -> bool:
    """True of words that lead to figures of a part: 'Sales abroad accounted for'."""
    return _SHARE.search(before) is not None


def find_share(
    before: str, periods: tuple[int, int] | None, document: Document, whole: str
) -> Subject | None:
    """The part and its whole."""
    text = _without_periods(before, periods)
    verb = _SHARE.search(text)
    part, total = _name(_ASIDE_TO_THE_END.sub("", text[: verb.start()])) if verb else "", _name(whole)
    return Subject(f"{part} as a percentage of {total}") if part and total else None


def without_heading(words: list[str]) -> list[str]:
    """A name without a run-in heading that says the same: 'Towing fees Towing fees for ferries'."""
    half = len(words) // 2
    lower = [word.lower() for word in words]
    return words[half:] if half and lower[:half] == lower[half : 2 * half] else words


def _without_periods(before: str, periods: tuple[int, int] | None) -> str:
    """The words before figures without periods and asides that stand among them."""
    text = before
    if periods is not None:
        head, tail = before[: periods[0]], before[periods[1] :]
        opening = _OPENING.sub("", _FOREWORD.sub("", head)).strip(" ,")
        text = f"{_HANGING.sub('', head).rstrip(' ,')}{'' if tail.startswith(',') else ' '}{tail}"
        text = text if opening else tail.lstrip(" ,")
    return _BRACKETS.sub("", text)


def _owned(who: str, item: str, document: Document) -> Subject | None:
    """What somebody had, under the name of who it is where that is not the company."""
    label = _name(item)
    owner = _OPENING.sub("", _FOREWORD.sub("", who)).strip(" ,")
    own = {fold_company(alias) for alias in own_aliases(document)}
    if not label or not owner or _WE.fullmatch(owner) or fold_company(owner) in own:
        return Subject(label) if label else None
    owner = "" if "," in owner or owner.endswith(".") else _name(owner)
    return Subject(label, (owner,)) if owner and len(owner.split()) <= MAX_OWNER_WORDS else None


def _name(words: str) -> str:
    """Words as a line item's name; '' where they are more than a name, or less."""
    text = _IN_AMOUNTS.sub("", _OPENING.sub("", _FOREWORD.sub("", words.strip(" ,"))).strip(" ,"))
    for _ in range(3):
        text = _ARTICLE.sub("", text)
    parts = without_heading(text.split())
    name = " ".join(parts)
    if not parts or len(parts) > MAX_LABEL_WORDS or name.lower() in _EMPTY:
        return ""
    return "" if _NO_LABEL.search(name) or _OF_TWO_SIGNS.search(name) else name
