"""Evidence: the one type both tools return, and the only code that formats it for a prompt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tools.calculate.types import Calculation
from tools.period_words import MONTH_NAME
from tools.periods import Period
from tools.quantities import UNKNOWN_UNIT
from tools.scope import Scope

_DATED = re.compile(rf"(?:{MONTH_NAME})\b.*\b(?:19|20)\d\d\b", re.IGNORECASE)
_MARKER = re.compile(r"\[\s*(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\s*\]")
ONTOLOGY = "ontology"
"""`Evidence.document_id` of a definition, which stands in no document."""
EvidenceKind = Literal["fact", "relation", "prose", "table", "exchange", "calculation"]
QUOTED: frozenset[EvidenceKind] = frozenset(("prose", "exchange"))
"""Kinds of evidence that are quoted."""


def may_answer(name: str, unit: str, period: Period, statement: str) -> bool:
    """Whether a figure may be used as an answer: its unit is known, and its period, be it that a row is called by
    its dates ('January 28 - February 24, 2024') or that its sentence is shown with it. Else it is kept, and only
    shown."""
    return unit != UNKNOWN_UNIT and (
        period.is_stated or statement == "prose" or _DATED.match(name) is not None
    )


class Fact(BaseModel):
    """A figure with everything needed to state it: what, how much, of what unit, for when, of whom."""

    model_config = ConfigDict(frozen=True)

    metric: str
    """The printed line item, e.g. 'Total net sales'."""
    path: tuple[str, ...] = ()
    """Headings and column qualifiers above it, outermost first, e.g. ('Earnings per share',), ('North America',)."""
    value: str
    """The number as a plain decimal in units of `unit` times ten to the `scale`, sign included, e.g. '-2028'."""
    unit: str
    """'USD', 'USD/share', 'percent', 'shares', 'basis points', another ISO currency, '' for a bare count, '?' where
    it could not be read."""
    scale: int = 0
    """Power of ten printed in the table's unit note: 0, 3, 6 or 9."""
    printed: str
    """The cell as printed, e.g. '(2,028)'."""
    period: Period
    statement: str = "other"
    """'income', 'balance', 'cash_flow', 'equity', 'comprehensive_income', 'segment', 'other', or 'prose' for a figure
    read from a sentence."""
    concept: str = ""
    """Name of the tag's concept, where the filer tagged the figure: 'us-gaap:Assets'."""
    match: float = 0.0
    """How well the question's metric, company and period fit this fact, 0 to 1; set by `kg_search`."""

    @property
    def may_answer(self) -> bool:
        """Whether it may be stated: what a figure counts, and when, must be known."""
        return may_answer(self.metric, self.unit, self.period, self.statement)


class AnswerLine(BaseModel):
    """A line of a piece of evidence that may answer the question."""

    model_config = ConfigDict(frozen=True)

    text: str
    share: float
    """What part of all that speaks for any line speaks for this one, 0 to 1."""
    chance: float
    """Probability that one of the question's lines that are shown answers it."""
    shown: bool
    likely: bool
    """Whether that chance is enough for the kind of answer that is asked for."""
    of_figure: bool = True
    """False where the question surely asks for something else than a figure."""


class Evidence(BaseModel):
    """One piece of retrieved context, citable to a page."""

    model_config = ConfigDict(frozen=True)

    rank: int
    """1 is best; renumbered when contexts are merged."""
    source: Literal["vector", "graph"]
    text: str
    document: str
    """File name, as shown in a citation."""
    document_id: str
    page: int
    """1-based page of the file on which the text stands (its first page, if several)."""
    score: float
    relevance: float | None = None
    """How near the question is to a passage, whatever else was found: its cosine, and a little for words in common;
    None for what is of the graph."""
    item_id: str
    """Chunk or triplet id."""
    kind: EvidenceKind
    company_key: str
    company: str
    """Display name."""
    doc_type: str
    period: Period
    """The document's period for chunks, the fact's own for facts."""
    section: str = ""
    why: str = ""
    """What led to it, where concepts of an ontology did: the question's concept, relations and concepts by turns."""
    lookup: str = ""
    """Which lookup of a comparison found it best; '' where there was only one."""
    profile: str = ""
    """Which of the things that people ask of any company it states, see `tools.knowledge.lexicon.company_profile`."""
    fact: Fact | None = None
    calculation: Calculation | None = None
    """What was computed; its operands stand beside it as facts."""
    lines: tuple[AnswerLine, ...] = ()
    """What of it may answer, best first; set where the evidence was ranked by a learned fit."""

    def is_within(self, scope: Scope) -> bool:
        """See `Scope.admits`."""
        return scope.admits(self.company_key, self.period, self.doc_type, self.document_id)


def fact_of(item: Evidence) -> Fact:
    """The item's fact. Raises ValueError if it holds none."""
    if item.fact is None:
        raise ValueError(f"evidence {item.rank} holds no figure")
    return item.fact


def format_evidence(evidence: Sequence[Evidence]) -> str:
    """The context block of a prompt, to be fenced: one numbered entry a piece, with company, type of document,
    period, document and page.

    Only the entry's own number stands in square brackets: a '[7]' inside a text becomes '(7)', so that no
    document can pass for another piece of evidence.
    """
    return "\n\n".join(
        f"[{item.rank}] {' | '.join(part for part in map(_plain, _head(item)) if part)}\n{_unnumbered(item.text)}"
        for item in evidence
    )


def _head(item: Evidence) -> tuple[str, ...]:
    """What the text does not say itself: a fact's names its company, section and period."""
    place = f"{item.document}, p. {item.page}"
    parts: tuple[str, ...] = (item.company, item.doc_type, item.period.describe(), item.section)
    if item.kind == "calculation":
        return ("calculated from the figures named",)
    if item.kind in ("fact", "relation"):
        parts = tuple(part for part in parts if part not in item.text)
    return (*parts, place)


def _plain(text: str) -> str:
    return _unnumbered(" ".join(text.split()))


def _unnumbered(text: str) -> str:
    return _MARKER.sub(r"(\1)", text)
