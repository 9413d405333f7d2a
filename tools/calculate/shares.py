"""Shares of a whole: a part and the figure that it is surely a part of."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal

from tools.calculate.measures import Item, known_in
from tools.calculate.operands import Figures, Found
from tools.calculate.types import When
from tools.evidence import Evidence, fact_of
from tools.knowledge.lexicon.asked_metrics import find_asked
from tools.knowledge.lexicon.word_forms import words_of


def share_items(part: str, whole: str) -> tuple[tuple[str, str], ...]:
    """What 'a' and 'b' stand for in the formula of a share: the part is called so beside the whole or alone."""
    return ("a", "|".join(part_labels(part, whole))), ("b", whole)


def part_labels(part: str, whole: str) -> tuple[str, ...]:
    """What a part of a whole may be called."""
    return f"{part} {whole}", f"{whole} {part}", part


def share_title(part: str, whole: str) -> str:
    """What the share is called."""
    return f"share of {part} in {whole or 'the total'}"


@dataclass(frozen=True, slots=True)
class Share:
    """Finds part and whole of a share of a company for a period."""

    figures: Figures
    company: str
    when: When
    of: Item
    """The whole."""
    said: frozenset[str]
    """Words of the question beside those of part, whole and company."""
    names: frozenset[str] = frozenset()
    """Those of them that are written as names."""

    def part(self, item: Item, taken: Collection[str], words: str) -> Found | None:
        """The figure of the part where it surely is one of the whole, and not `taken`; else the one that is called by
        these words in a table whose parts add up to the whole; else one that is too large, so that this is told.
        ModelFileError on missing, altered or damaged files."""
        found = self._find(item, taken)
        if found is not None and self._belongs(found):
            return found
        whole = self._find(self.of)
        part = self.figures.part_of(whole, words, taken) if whole else None
        if part is None and found is not None and whole is not None:
            return found if _amount(found) > _amount(whole) else None
        return part

    def whole(self, part: Found) -> Found | None:
        """The figure of the whole; the total of the part's table where the question says a word of its heading which
        the figure has not."""
        found = self._whole_beside(part)
        return self._narrower(found, part) or found

    def _whole_beside(self, part: Found) -> Found | None:
        """The whole where it is of the part's length, or a table breaks it down into such parts."""
        taken = {each.item_id for _, each in part.parts}
        found = self._find(self.of, taken, part.first)
        other = self._find(self.of, taken) if found is None else None
        return other if other and self.figures.is_part(part, other) else found

    def _find(self, item: Item, taken: Collection[str] = (), beside: Evidence | None = None) -> Found | None:
        return self.figures.find(
            self.company, item, self.when.periods, self.when.months or None, taken, beside
        )

    def _belongs(self, part: Found) -> bool:
        """Whether it stands under words of the whole, on its page, or in a table that the question names."""
        found = self._whole_beside(part)
        if found is not None and (_amount(part) >= _amount(found) or self._is_of_another(part)):
            return False
        place = words_of(f"{_place(part)} {part.first.section}")
        if found is None or any(words_of(label) & place for label in self.of.labels):
            return found is not None
        one, other = found.first, part.first
        near = (one.document_id, one.page) == (other.document_id, other.page)
        return near or self._narrower(found, part) is not None or self.figures.is_part(part, found)

    def _is_of_another(self, part: Found) -> bool:
        """Whether a part that is a name, of a place say, stands under another line item than the whole is: sales of
        Europe are no part of operating income."""
        fact = fact_of(part.first)
        if known_in(fact.metric):
            return False
        own = {item for heading in fact.path for item in known_in(heading)}
        wanted = {item for label in self.of.labels for item in known_in(label)}
        said = [each.text for heading in fact.path for each in find_asked(heading)]
        named = any(map(find_asked, self.of.labels)) and not own & wanted
        return bool(own) and named and not words_of(" ".join(said)) & words_of(" ".join(self.of.labels))

    def _narrower(self, whole: Found | None, part: Found) -> Found | None:
        """The total of the part's table where the question says a word of its heading, or a name in its title, which
        the whole has not."""
        total = self.figures.whole_of(part)
        if total is None or whole is None:
            return None
        heading, title = words_of(_place(total)), words_of(total.first.section)
        return total if ((heading & self.said) | (title & self.names)) - words_of(_place(whole)) else None


def _place(figure: Found) -> str:
    fact = fact_of(figure.first)
    return " ".join((*fact.path, fact.metric))


def _amount(figure: Found) -> Decimal:
    facts = [(sign, fact_of(each)) for sign, each in figure.parts]
    return abs(sum((sign * Decimal(fact.value).scaleb(fact.scale) for sign, fact in facts), Decimal(0)))
