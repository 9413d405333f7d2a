"""Line items that may fit a request, found by what its terms have in common with them, before any is scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from tools.knowledge.lexicon.metric_names import ATTRIBUTABLE
from tools.knowledge.lexicon.stopwords import GENERIC_LABEL, GUIDANCE_WORDS
from tools.knowledge.search.line_items import CompanyFacts
from tools.knowledge.search.linking import Request
from tools.knowledge.search.matching import kinds_of
from tools.knowledge.search.question_terms import Term


def lines_by_lack(request: Request, facts: CompanyFacts) -> tuple[list[int], list[int]]:
    """Items that may cover every term of the request, and those that lack one, ascending. Items that share no metric
    and no words of a term with it are none of either, nor are those that lack two: they score less than
    `MISSING_WORD_FACTOR` squared."""
    named: set[int] = set()
    covered: Counter[int] = Counter()
    for term in request.terms:
        by_metric = _by_metric(term, facts)
        named |= by_metric | _holding(term.words, facts.by_word)
        covered.update(by_metric | _by_words(term, facts))
    size = len(request.terms)
    return (
        sorted(index for index in named if covered[index] >= size),
        sorted(index for index in named if covered[index] == size - 1),
    )


def _by_metric(term: Term, facts: CompanyFacts) -> set[int]:
    names = (term.canonical, *kinds_of(term.canonical))
    return {index for name in names for index in facts.by_canonical.get(name, ())}


def _by_words(term: Term, facts: CompanyFacts) -> set[int]:
    """Items that may have a term otherwise than as a metric of their own; see `matching`."""
    words = set(term.words) - GENERIC_LABEL or set(term.words)
    found = _holding(words, facts.by_word)
    if term.is_metric:
        found.update(facts.by_whole.get(term.canonical.removesuffix(ATTRIBUTABLE), ()))
    else:
        found |= _holding(words, facts.by_title_word)
        found |= _holding({word.removeprefix("re") for word in words}, facts.by_title_word)
    if words == {"share"}:
        found.update(facts.by_unit.get("shares", ()))
    return found | facts.guided if words <= GUIDANCE_WORDS else found


def _holding(words: Collection[str], index: dict[str, list[int]]) -> set[int]:
    """Items that hold all the words."""
    lists = sorted((index.get(word, []) for word in set(words)), key=len)
    return set(lists[0]).intersection(*lists[1:]) if lists and lists[0] else set()
