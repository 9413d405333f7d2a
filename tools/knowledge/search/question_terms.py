"""Words around a metric's name that ask for nothing more: glosses in brackets, 'spend', 'balance', 'net'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.knowledge.lexicon.metric_names import fold_word
from tools.knowledge.lexicon.vocabulary import BALANCE, CASH_FLOW, INCOME, PER_SHARE, VOCABULARY
from tools.knowledge.search.line_items import CompanyFacts


@dataclass(frozen=True, slots=True)
class Unit:
    """Words of a question that must be found in a fact."""

    words: tuple[str, ...]
    canonical: str
    """Metric it names; for other words the words themselves."""
    is_metric: bool
    start: int
    end: int


_COST_WORDS = frozenset(
    "outlay bill expenditure cost expense spend spending charge budget amount payment outflow total line".split()  # noqa: SIM905
)
"""They say again that an expense is one."""
_BALANCE_WORDS = frozenset(
    "balance holding position level pile stack hand amount outstanding carry carrying book cumulative warehouse".split()  # noqa: SIM905
)
"""They say again that a balance is one."""
_FLOW_WORDS = frozenset(
    "outlay spend spending cash total amount payment outflow inflow expenditure proceeds activity".split()  # noqa: SIM905
)
_LINE_WORDS = frozenset(["net", "line", "item", "entry", "figure", "overall", "gross"])
_EXPENSES = frozenset(
    {
        "cost of revenue", "operating expenses", "costs and expenses", "research and development", "fulfillment",
        "selling, general and administrative", "sales and marketing", "marketing", "general and administrative",
        "technology and content", "technology and infrastructure", "restructuring and other charges",
        "depreciation and amortization", "depreciation", "amortization", "share-based compensation",
        "interest expense", "income taxes", "product cost of revenue", "service cost of revenue",
    }
)  # fmt: skip


def _fillers(canonical: str) -> frozenset[str]:
    if canonical in _EXPENSES:
        return _COST_WORDS | _LINE_WORDS
    if canonical in BALANCE:
        return _BALANCE_WORDS | _LINE_WORDS
    if canonical in CASH_FLOW:
        return _FLOW_WORDS | _LINE_WORDS
    if canonical in INCOME or canonical in PER_SHARE:
        return frozenset({"line", "item", "result", "figure", "dollar"})
    return frozenset()


def without_fillers(question: str, units: Sequence[Unit]) -> list[Unit]:
    """Units without single words beside a metric's name that only repeat what kind of measure it is: 'R&D outlay',
    'inventory balance', 'PP&E, net'."""
    kept: list[Unit] = []
    for index, unit in enumerate(units):
        beside = [*units[index - 1 : index], *units[index + 1 : index + 2]]
        spare = not unit.is_metric and any(
            near.is_metric and unit.words[0] in _fillers(near.canonical) and _adjoin(question, unit, near)
            for near in beside
        )
        if not spare:
            kept.append(unit)
    return kept


_MEASURES = frozenset(
    {"fair value", "net", "amount", "carrying amount", "carrying value", "cost", "amortized cost"}
)
"""Labels that say how a thing is measured and not which."""
_SORTS = frozenset(
    (  # noqa: SIM905
        "computer tablet phone smartphone laptop pc chip processor console car vehicle related based branded software "
        "product brand platform app website network business device gadget"
    ).split()
)
"""They say what sort of thing a named product or part is."""


def without_sorts(units: Sequence[Unit], facts: CompanyFacts) -> list[Unit]:
    """Units without words for the sort of thing that a named product or part is, where no label holds them: 'Mac
    computers', 'LinkedIn network'."""
    named = any(unit.is_metric and unit.canonical not in VOCABULARY for unit in units)
    return [
        unit
        for unit in units
        if unit.is_metric or not named or unit.words[0] not in _SORTS or unit.words[0] in facts.by_word
    ]


_OTHER = re.compile(
    r"\b(?P<last>\w+)\s+and\s+(?:\w+[’']s\s+)?other\s+(?!(?:of|at|as|in|for|on|did|was|were|by|to|from|per)\b)(?=\w)"
    r"|\b(?P<like>\w+)\s+and\s+the\s+like\s*(?=\()",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"(?:^|[:;(]|\b(?:did|do|does|was|were|is|are|on|of|from|for|in|into|by|what|much|selling)\b)\s*",
    re.IGNORECASE,
)


def without_examples(question: str, facts: CompanyFacts) -> str:
    """`question` with examples before their kind blanked ('Xbox and other gaming'), unless a label is worded so."""
    match = _OTHER.search(question)
    if match is None:
        return question
    if match["last"] and any(f"{fold_word(match['last'])} and other" in phrase for phrase in facts.phrases):
        return question
    start = max((lead.end() for lead in _LEADS.finditer(question, 0, match.start() + 1)), default=0)
    return question[:start] + " " * (match.end() - start) + question[match.end() :]


def _adjoin(question: str, one: Unit, other: Unit) -> bool:
    first, second = sorted((one, other), key=lambda unit: unit.start)
    between = question[first.end : second.start].lower()
    return not between.strip(" ,()-") or between.split() in (
        ["of"],
        ["on"],
        ["in"],
        ["of", "its"],
        ["on", "its"],
    )


def without_glosses(question: str, units: Sequence[Unit], facts: CompanyFacts) -> list[Unit]:
    """Units without what a bracket says again: of two names for one figure ('EBIT (operating income)') the one that
    the company reports, the bracket's if both are; a description before a bracketed name, an acronym after one."""
    kept = list(units)
    for unit in units:
        last = _before_bracket(question, kept, unit) if _fills_bracket(question, unit) else None
        if last is not None:
            kept = _without_gloss(question, kept, last, unit, facts)
    return kept


def _before_bracket(question: str, units: Sequence[Unit], gloss: Unit) -> Unit | None:
    """The unit that the bracketed one explains, None where nothing stands near enough before it."""
    if gloss not in units:
        return None
    before = [u for u in units[: units.index(gloss)] if not question[u.end : gloss.start].count(",")]
    return before[-1] if before and _touches(question, before[-1], gloss) else None


def _without_gloss(
    question: str, units: Sequence[Unit], last: Unit, gloss: Unit, facts: CompanyFacts
) -> list[Unit]:
    """Units without the bracketed one, or without the name or the description before it."""
    known = gloss.is_metric and (gloss.canonical in VOCABULARY or gloss.canonical in facts.labels - _MEASURES)
    kept = list(units)
    if last.is_metric and (not known or _is_reported(last, facts) > _is_reported(gloss, facts)):
        if gloss.is_metric or question[gloss.start : gloss.end].isupper():
            kept.remove(gloss)
        return kept
    if not known or (last.is_metric and _names_part(last, gloss)):
        return kept
    if last.is_metric:
        kept.remove(last)
    return _without_description(question, kept, gloss)


def _names_part(last: Unit, gloss: Unit) -> bool:
    """'Client Computing (revenue)': the bracket says which figure of the part is meant."""
    return last.canonical not in VOCABULARY and gloss.canonical in VOCABULARY


def _is_reported(unit: Unit, facts: CompanyFacts) -> bool:
    return unit.canonical in facts.by_canonical


def _fills_bracket(question: str, unit: Unit) -> bool:
    before, after = question[: unit.start].rstrip(), question[unit.end :].lstrip()
    return before.endswith("(") and after.startswith(")")


def _touches(question: str, one: Unit, gloss: Unit) -> bool:
    between = question[one.end : gloss.start]
    return len(between.replace("(", " ").split()) <= 3


def _without_description(question: str, units: list[Unit], gloss: Unit) -> list[Unit]:
    """Units without the loose words that lead up to the bracket."""
    kept = list(units)
    for unit in reversed(units[: units.index(gloss)]):
        if unit.is_metric and unit.canonical not in VOCABULARY:
            break
        if len(question[unit.end : gloss.start].split()) > 8:
            break
        kept.remove(unit)
    return kept
