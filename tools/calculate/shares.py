"""Shares of a whole: a part and the figure that it is surely a part of."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from tools.calculate.measures import Item
from tools.calculate.operands import Figures, Found
from tools.calculate.types import When
from tools.evidence import fact_of
from tools.knowledge.lexicon.word_forms import words_of


def share_items(part: str, whole: str) -> tuple[tuple[str, str], ...]:
    """What 'a' and 'b' stand for in the formula of a share: the part is called so beside the whole or alone."""
    return ("a", f"{part} {whole}|{whole} {part}|{part}"), ("b", whole)


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

    def part(self, item: Item) -> Found | None:
        """The figure of the part where it surely is one of the whole; else the one that is called so in a table whose
        parts add up to the whole."""
        found = self._find(item)
        if found is not None and self._belongs(found):
            return found
        whole = self._find(self.of)
        part = self.figures.part_of(whole, item.labels[-1]) if whole else None
        too_much = found is not None and whole is not None and _amount(found) >= _amount(whole)
        return found if part is None and too_much else part

    def whole(self, part: Found) -> Found | None:
        """The figure of the whole; the total of the part's table where the question says a word of its heading which
        the figure has not."""
        found = self._find(self.of, part)
        return self._narrower(found, part) or found

    def _find(self, item: Item, beside: Found | None = None) -> Found | None:
        taken = {each.item_id for _, each in beside.parts} if beside else set[str]()
        part = beside.first if beside else None
        return self.figures.find(self.company, item, self.when.periods, self.when.months or None, taken, part)

    def _belongs(self, part: Found) -> bool:
        """Whether it stands under words of the whole, on its page, or in a table that the question names."""
        found = self._find(self.of, part)
        if found is not None and _amount(part) >= _amount(found):
            return False
        place = words_of(f"{_place(part)} {part.first.section}")
        if found is None or any(words_of(label) & place for label in self.of.labels):
            return found is not None
        one, other = found.first, part.first
        near = (one.document_id, one.page) == (other.document_id, other.page)
        return near or self._narrower(found, part) is not None or self.figures.is_part(part, found)

    def _narrower(self, whole: Found | None, part: Found) -> Found | None:
        """The total of the part's table where the question says a word of its heading which the whole has not."""
        total = self.figures.whole_of(part)
        if total is None or whole is None:
            return None
        heading = words_of(_place(total)) - words_of(_place(whole))
        return total if heading & self.said else None


def _place(figure: Found) -> str:
    fact = fact_of(figure.first)
    return " ".join((*fact.path, fact.metric))


def _amount(figure: Found) -> Decimal:
    fact = fact_of(figure.first)
    return abs(Decimal(fact.value).scaleb(fact.scale))
