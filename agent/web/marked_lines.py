"""Where on its page a citation is printed: lines of the page as it was read, or none where that is not sure."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from graphs.contracts import Statement
from tools.documents.structure.cell_places import folded
from tools.documents.types import Page, Table, TableFact
from tools.evidence import Evidence, Fact
from tools.knowledge.types import Triplet

CHUNK_PAGES = 6
"""Pages that a passage may span."""
LEAST_CHARS = 12
"""Letters and digits of words that are looked for: shorter ones stand in many places."""
AROUND_CHARS = 12
"""Letters and digits beside words, by which one of several places is known for that of a passage: at least these on
one side."""
EDGE_LINES = 4
"""Lines below or above which a sentence that goes over a page's end may have there: a page's number, a running head."""
LABEL_LINES = 4
"""That a row's label may take up."""
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
    found = (_sentence(part, item.text, pages) for quote in dict.fromkeys(sought) for part in _parts(quote))
    return list(dict.fromkeys(each for places in found for each in places))


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
    """The lines of these cells and of their labels; none where one cell seems to stand on several."""
    found: dict[tuple[str, tuple[str, ...]], set[tuple[int, int]]] = {}
    for cell in cells:
        found.setdefault((cell.metric, cell.path), set()).add((cell.page, cell.line))
    places = sorted(
        (*place, label) for (label, _), spots in found.items() if len(spots) == 1 for place in spots
    )
    rows = [
        Printed(page, n, n + 1, lines[n].strip())
        for page, line, label in places
        if 0 < page <= len(document.pages)
        and 0 <= line < len(lines := document.pages[page - 1].text.split("\n"))
        for n in range(line - _lines_above(label, line, lines), line + 1)
    ]
    return list(dict.fromkeys(rows))


def _lines_above(label: str, line: int, lines: Sequence[str]) -> int:
    """How many lines above a row's are nothing but the beginning of its label, which is broken."""
    sought, own = folded(label), folded(lines[line])
    for above in range(1, min(LABEL_LINES, line + 1)):
        begun = folded("".join(lines[line - above : line]))
        if begun and sought.startswith(begun) and own.startswith(sought[len(begun) :]) and sought not in own:
            return above
    return 0


def _parts(quote: str) -> Iterator[str]:
    """A quotation in the pieces that stand together, without the mark of what was cut off."""
    yield from filter(None, (part.strip() for part in re.split(r"\.\.\.|…", quote)))


def _sentence(words: str, passage: str, pages: Sequence[Page]) -> list[Printed]:
    """Where words of a passage stand on the first of these pages that holds them, or over the end of one; [] where that
    is nowhere, or in doubt."""
    sought = folded(words)
    if len(sought) < LEAST_CHARS:
        return []
    texts = [folded(page.text) for page in pages]
    if any(sought in text for text in texts):
        return [_printed(words, page, at) for page, at in _place_of(sought, folded(passage), pages, texts)]
    letters = [at for at, letter in enumerate(words) if letter.isalnum()]
    for (page, text), (next_page, after) in pairwise(zip(pages, texts, strict=True)):
        begun = _begun(sought, (page, text), (next_page, after))
        if begun:
            cut = letters[begun]
            parts = ((words[:cut].strip(), page, text), (words[cut:], next_page, after))
            return [
                _printed(part, page, text.index(folded(part)))
                for part, page, text in parts
                if len(folded(part)) >= LEAST_CHARS and text.count(folded(part)) == 1
            ]
    return []


def _begun(sought: str, page: tuple[Page, str], following: tuple[Page, str]) -> int:
    """How many letters end a page where the rest begins the following one, but for EDGE_LINES; 0: none. Each page with
    its letters."""
    foot = sum(_line_letters(page[0])[: -EDGE_LINES - 1])
    head = sum(_line_letters(following[0])[: EDGE_LINES + 1])
    ends = (n for n in range(len(sought) - 1, 0, -1) if page[1].find(sought[:n], max(0, foot + 1 - n)) >= 0)
    begun = next(ends, 0)
    return begun if 0 <= following[1].find(sought[begun:]) < head else 0


def _line_letters(page: Page) -> list[int]:
    """Of each line that has any."""
    return [count for line in page.text.split("\n") if (count := len(folded(line)))]


def _place_of(
    sought: str, passage: str, pages: Sequence[Page], texts: Sequence[str]
) -> list[tuple[Page, int]]:
    """The page and letter at which letters stand: of several places those that have beside them what the passage
    has, if any; of those left the one on the first page, [] where that has two."""
    before, own, after = passage.partition(sought)
    if not own or sought in after:
        before = after = ""
    before, after = before[-AROUND_CHARS:], after[:AROUND_CHARS]
    places = [
        (page, found.start(), text)
        for page, text in zip(pages, texts, strict=True)
        for found in re.finditer(f"(?={sought})", text)
    ]
    alike = [
        place
        for place in places
        if (len(before) == AROUND_CHARS and place[2].endswith(before, 0, place[1]))
        or (len(after) == AROUND_CHARS and place[2].startswith(after, place[1] + len(sought)))
    ]
    first, *others = alike or places
    return [] if others and others[0][0] is first[0] else [first[:2]]


def _printed(words: str, page: Page, at: int) -> Printed:
    """Words whose first letter is letter `at` of a page."""
    ends = list(accumulate(len(folded(line)) for line in page.text.split("\n")))
    last = at + len(folded(words))
    return Printed(page.number, bisect_right(ends, at), bisect_left(ends, last) + 1, words)
