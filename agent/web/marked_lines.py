"""Where on its page a citation is printed: lines of the page as it was read, or none where that is not sure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphs.contracts import Statement
from tools.documents.structure.cell_places import folded
from tools.documents.types import Page, Table, TableFact
from tools.evidence import Evidence, Fact
from tools.knowledge.types import Triplet

CHUNK_PAGES = 6
"""Pages that a passage may span."""
LEAST_CHARS = 12
"""Letters and digits of words that are looked for: shorter ones stand in many places."""
_QUOTED = re.compile(r"[\"“]([^\"”]{20,})[\"”]")


@dataclass(frozen=True, slots=True)
class Printed:
    """Something printed on one page."""

    page: int
    """1-based."""
    first: int
    """0-based lines [first, last) of the page's text."""
    last: int
    words: str
    """As printed there: a row of a table, a sentence."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from a document, as far as places need it."""

    pages: Sequence[Page]
    tables: Sequence[Table]
    triplets: Sequence[Triplet]


def printed_of(
    item: Evidence, quotes: Sequence[str], statements: Sequence[Statement], document: Reading
) -> list[Printed]:
    """The rows and sentences that citations of `item` rest on, which say `quotes`; [] where they can't be told for
    sure."""
    told = [each.text for each in statements if item.rank in each.evidence]
    if item.fact is not None and item.fact.statement != "prose":
        return _rows(_cells_of(item.fact, item.page, document.tables), document)
    if item.kind in ("fact", "relation"):
        sought = [each.quote for each in document.triplets if each.id == item.item_id]
    elif item.kind == "table":
        return _rows(_cells_stated(told, item, document.tables), document)
    else:
        sought = [q for text in told for q in _QUOTED.findall(text) if folded(q) in folded(item.text)]
        sought = sought or list(quotes)
    pages = document.pages[item.page - 1 : item.page - 1 + CHUNK_PAGES]
    found = [_sentence(part, pages) for quote in dict.fromkeys(sought) for part in _parts(quote)]
    return [each for each in dict.fromkeys(found) if each is not None]


def _cells_of(fact: Fact, page: int, tables: Sequence[Table]) -> list[TableFact]:
    """The cells of a page that hold just this figure."""
    return [
        cell
        for table in tables
        if table.statement == fact.statement
        for cell in table.facts
        if cell.page == page
        and (cell.metric, cell.path, cell.printed, cell.period, cell.value)
        == (fact.metric, fact.path, fact.printed, fact.period, fact.value)
    ]


def _cells_stated(told: Sequence[str], item: Evidence, tables: Sequence[Table]) -> list[TableFact]:
    """The cells of a cited table that statements name, by label and figure."""
    own = [table for table in tables if table.page == item.page and table.markdown in item.text]
    return [cell for table in own for cell in table.facts if names_figure(told, cell.metric, cell.printed)]


def names_figure(told: Sequence[str], label: str, printed: str) -> bool:
    """Whether statements name a figure, by its label and amount."""
    said = folded(label).casefold()
    return any(_figure(printed, text) for text in told) and any(
        said in folded(text).casefold() for text in told
    )


def _figure(printed: str, text: str) -> bool:
    digits = printed.strip("()$% -–—")
    return bool(digits) and re.search(rf"(?<![\d.,]){re.escape(digits)}(?![\d]|[.,]\d)", text) is not None


def _rows(cells: Sequence[TableFact], document: Reading) -> list[Printed]:
    """The lines of these cells; none where one cell seems to stand on several."""
    found: dict[tuple[str, tuple[str, ...]], set[tuple[int, int]]] = {}
    for cell in cells:
        found.setdefault((cell.metric, cell.path), set()).add((cell.page, cell.line))
    places = sorted(place for spots in found.values() if len(spots) == 1 for place in spots)
    return [
        Printed(page, line, line + 1, lines[line].strip())
        for page, line in dict.fromkeys(places)
        if 0 < page <= len(document.pages)
        and 0 <= line < len(lines := document.pages[page - 1].text.split("\n"))
    ]


def _parts(quote: str) -> Iterator[str]:
    """A quotation in the pieces that stand together, without the mark of what was cut off."""
    yield from filter(None, (part.strip() for part in re.split(r"\.\.\.|…", quote)))


def _sentence(words: str, pages: Sequence[Page]) -> Printed | None:
    """Where words stand on the first of these pages that holds them; None where that is nowhere, or in doubt."""
    sought = folded(words)
    if len(sought) < LEAST_CHARS:
        return None
    for page in pages:
        lines = page.text.split("\n")
        ends, text = [], ""
        for line in lines:
            text += folded(line)
            ends.append(len(text))
        at = text.find(sought)
        if at < 0:
            continue
        if text.find(sought, at + 1) >= 0:
            return None
        first = next(n for n, end in enumerate(ends) if end > at)
        last = next(n for n, end in enumerate(ends) if end >= at + len(sought))
        return Printed(page.number, first, last + 1, words)
    return None
