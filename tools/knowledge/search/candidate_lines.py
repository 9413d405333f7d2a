"""Line items that may fit a request, found by what its terms have in common with them, before any is scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import chain

from tools.knowledge.lexicon.metric_names import ATTRIBUTABLE
from tools.knowledge.lexicon.stopwords import GUIDANCE_WORDS
from tools.knowledge.search.line_items import CompanyFacts
from tools.knowledge.search.linking import Request
from tools.knowledge.search.matching import kinds_of, telling_words
from tools.knowledge.search.question_terms import Term


def lines_by_lack(request: Request, facts: CompanyFacts) -> tuple[list[int], list[int]]:
    """Items that may cover every term of the request, and those that lack one, ascending. Items that share no metric
    and no words of a term with it are none of either, nor are those that lack two: they score less than
    `MISSING_WORD_FACTOR` squared."""
    named: set[int] = set()
    covered: list[set[int]] = []
    for term in request.terms:
        by_metric, by_words = _by_metric(term, facts), _holding(term.words, facts.by_word)
        named |= by_metric
        named |= by_words
        covered.append(_by_more(term, facts) | by_metric | by_words)
    if not named:
        return [], []
    full = named.intersection(*covered)
    counts = Counter(chain.from_iterable(covered))
    lacking = {at for at in named if counts[at] == len(covered) - 1}
    return sorted(full), sorted(lacking)


def _by_metric(term: Term, facts: CompanyFacts) -> set[int]:
    found = set(facts.by_canonical.get(term.canonical, ()))
    for name in kinds_of(term.canonical):
        found.update(facts.by_canonical.get(name, ()))
    return found


def _by_more(term: Term, facts: CompanyFacts) -> set[int]:
    """Items that may have a term otherwise than by all its words or as a metric of their own; see `matching`."""
    words = telling_words(term.words)
    found = _holding(words, facts.by_word) if len(words) < len(term.words) else set()
    if term.is_metric:
        found.update(facts.by_whole.get(term.canonical.removesuffix(ATTRIBUTABLE), ()))
    else:
        found |= _holding(words, facts.by_title_word)
        if any(word.startswith("re") for word in words):
            found |= _holding([word.removeprefix("re") for word in words], facts.by_title_word)
    if words == _SHARES:
        found.update(facts.by_unit.get("shares", ()))
    return found | facts.guided if words <= GUIDANCE_WORDS else found


_SHARES = frozenset({"share"})


def _holding(words: Collection[str], index: Mapping[str, list[int]]) -> set[int]:
    """Items that hold all the words."""
    lists = []
    for word in words:
        if word not in index:
            return set()
        lists.append(index[word])
    lists.sort(key=len)
    return set(lists[0]).intersection(*lists[1:])
