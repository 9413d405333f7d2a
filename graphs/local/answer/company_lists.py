"""What lists settle of a question that asks for companies: an auditor by its name, a number of people by its bound. Of
a company that a list holds it is known exactly, whatever its other lines are near to."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from decimal import Decimal

from graphs.drafts.words import content
from graphs.local.question.limits import bound_of
from tools.evidence import Evidence
from tools.values import find_quantities

MAX_SHARE = 0.75
"""Of the listed companies that may print a word by which they are told apart."""
_PRINTED = re.compile(r"“([^”]*)")


def settled(asked: str, listed: Sequence[Evidence | None]) -> list[bool | None]:
    """For each company whether what is asked is true of it by the line of a list, `listed`, that is of one kind; None
    where nothing is listed of it. All None where the question names neither a bound nor what any of the lines print."""
    bound = bound_of(asked)
    if bound is not None:
        limit, above = bound
        counts = [_count(each.text) if each else None for each in listed]
        return [None if n is None else (n > limit if above else n < limit) for n in counts]
    printed: list[Set[str]] = [_words(each) if each else frozenset() for each in listed]
    held = sum(bool(words) for words in printed)
    asked_words = set(content(asked))
    told = {word for word in asked_words if 0 < sum(word in words for words in printed) <= MAX_SHARE * held}
    if not told:
        return [None] * len(listed)
    return [told <= words if words else None for words in printed]


def _words(item: Evidence) -> frozenset[str]:
    """Stems that a line prints, without what the list itself says."""
    found = _PRINTED.search(item.text)
    return frozenset(content(found[1] if found else item.text))


def _count(text: str) -> Decimal | None:
    """The first number that a line of a list says, before what it quotes."""
    found = find_quantities(text.partition("“")[0])
    return found[0].amount if found else None
