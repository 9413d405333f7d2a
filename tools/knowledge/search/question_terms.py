"""Words around a metric's name that ask for nothing more: glosses in brackets, 'spend', 'balance', 'net'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tools.knowledge.lexicon.metric_names import fold_word
from tools.knowledge.lexicon.vocabulary import BALANCE, CASH_FLOW, INCOME, PER_SHARE, VOCABULARY
from tools.knowledge.search.line_items import CompanyFacts


@dataclass(frozen=True, slots=True)
class Term:
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


def without_fillers(question: str, terms: Sequence[Term]) -> list[Term]:
    """Terms without single words beside a metric's name that only repeat what kind of measure it is: 'R&D outlay',
    'inventory balance', 'PP&E, net'."""
    kept: list[Term] = []
    for index, term in enumerate(terms):
        beside = [*terms[index - 1 : index], *terms[index + 1 : index + 2]]
        spare = not term.is_metric and any(
            near.is_metric and term.words[0] in _fillers(near.canonical) and _adjoin(question, term, near)
            for near in beside
        )
        if not spare:
            kept.append(term)
    return kept


_MEASURES = frozenset(
    {"fair value", "net", "amount", "carrying amount", "carrying value", "cost", "amortized cost"}
)
"""Labels that say how a thing is measured and not which."""
_SORT_WORDS = frozenset(
    (  # noqa: SIM905
        "computer tablet phone smartphone laptop pc chip processor console car vehicle related based branded software "
        "product brand platform app website network business device gadget"
    ).split()
)
"""They say what sort of thing a named product or part is."""


def without_sorts(terms: Sequence[Term], facts: CompanyFacts) -> list[Term]:
    """Terms without words for the sort of thing that a named product or part is, where no label holds them: 'Mac
    computers', 'LinkedIn network'."""
    named = any(term.is_metric and term.canonical not in VOCABULARY for term in terms)
    return [
        term
        for term in terms
        if term.is_metric or not named or term.words[0] not in _SORT_WORDS or term.words[0] in facts.by_word
    ]


_EXAMPLES = re.compile(
    r"\b(?P<last>\w+)\s+and\s+(?:\w+[’']s\s+)?other\s+(?!(?:of|at|as|in|for|on|did|was|were|by|to|from|per)\b)(?=\w)"
    r"|\b(?P<like>\w+)\s+and\s+the\s+like\s*(?=\()",
    re.IGNORECASE,
)
_LEAD_WORDS = re.compile(
    r"(?:^|[:;(]|\b(?:did|do|does|was|were|is|are|on|of|from|for|in|into|by|what|much|selling)\b)\s*",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def _example_of(question: str) -> re.Match[str] | None:
    return _EXAMPLES.search(question)


def without_examples(question: str, facts: CompanyFacts) -> str:
    """`question` with examples before their kind blanked ('Xbox and other gaming'), unless a label is worded so."""
    match = _example_of(question)
    if match is None:
        return question
    if match["last"] and any(f"{fold_word(match['last'])} and other" in phrase for phrase in facts.phrases):
        return question
    start = max((lead.end() for lead in _LEAD_WORDS.finditer(question, 0, match.start() + 1)), default=0)
    return question[:start] + " " * (match.end() - start) + question[match.end() :]


def _adjoin(question: str, one: Term, other: Term) -> bool:
    first, second = sorted((one, other), key=lambda term: term.start)
    between = question[first.end : second.start].lower()
    return not between.strip(" ,()-") or between.split() in (
        ["of"],
        ["on"],
        ["in"],
        ["of", "its"],
        ["on", "its"],
    )


def without_glosses(question: str, terms: Sequence[Term], facts: CompanyFacts) -> list[Term]:
    """Terms without what a bracket says again: of two names for one figure ('EBIT (operating income)') the one that
    the company reports, the bracket's if both are; a description before a bracketed name, an acronym after one."""
    kept = list(terms)
    for term in terms:
        last = _before_bracket(question, kept, term) if _fills_bracket(question, term) else None
        if last is not None:
            kept = _without_gloss(question, kept, last, term, facts)
    return kept


def _before_bracket(question: str, terms: Sequence[Term], gloss: Term) -> Term | None:
    """The term that the bracketed one explains, None where nothing stands near enough before it."""
    if gloss not in terms:
        return None
    before = [u for u in terms[: terms.index(gloss)] if not question[u.end : gloss.start].count(",")]
    return before[-1] if before and _touches(question, before[-1], gloss) else None


def _without_gloss(
    question: str, terms: Sequence[Term], last: Term, gloss: Term, facts: CompanyFacts
) -> list[Term]:
    """Terms without the bracketed one, or without the name or the description before it."""
    known = gloss.is_metric and (gloss.canonical in VOCABULARY or gloss.canonical in facts.labels - _MEASURES)
    kept = list(terms)
    if last.is_metric and (not known or _is_reported(last, facts) > _is_reported(gloss, facts)):
        if gloss.is_metric or question[gloss.start : gloss.end].isupper():
            kept.remove(gloss)
        return kept
    if not known or (last.is_metric and _names_part(last, gloss)):
        return kept
    if last.is_metric:
        kept.remove(last)
    return _without_description(question, kept, gloss)


def _names_part(last: Term, gloss: Term) -> bool:
    """'Client Computing (revenue)': the bracket says which figure of the part is meant."""
    return last.canonical not in VOCABULARY and gloss.canonical in VOCABULARY


def _is_reported(term: Term, facts: CompanyFacts) -> bool:
    return term.canonical in facts.by_canonical


def _fills_bracket(question: str, term: Term) -> bool:
    before, after = question[: term.start].rstrip(), question[term.end :].lstrip()
    return before.endswith("(") and after.startswith(")")


def _touches(question: str, one: Term, gloss: Term) -> bool:
    between = question[one.end : gloss.start]
    return len(between.replace("(", " ").split()) <= 3


def _without_description(question: str, terms: list[Term], gloss: Term) -> list[Term]:
    """Terms without the loose words that lead up to the bracket."""
    kept = list(terms)
    for term in reversed(terms[: terms.index(gloss)]):
        if term.is_metric and term.canonical not in VOCABULARY:
            break
        if len(question[term.end : gloss.start].split()) > 8:
            break
        kept.remove(term)
    return kept
