"""From pages to tables: the steps in order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tools.documents.tables.cells import Line
from tools.documents.tables.column_dates import has_period_words, read_period
from tools.documents.tables.columns import collect_ends, read_columns
from tools.documents.tables.fiscal_calendar import FiscalCalendar
from tools.documents.tables.footnote_scales import take_footnotes
from tools.documents.tables.headers import FURNITURE, fill_columns, take_header
from tools.documents.tables.known_kinds import mark_known, mark_quotients
from tools.documents.tables.note_names import name_apart, note_heading, outside_entity
from tools.documents.tables.regions import find_blocks
from tools.documents.tables.render import render_lines, render_markdown
from tools.documents.tables.report_units import PageLine, give_report_scales, notes_of_page
from tools.documents.tables.row_labels import assign_paths, join_wrapped
from tools.documents.tables.row_periods import mark_periods, roll_on
from tools.documents.tables.row_sums import mark_kin, mark_sums_of_balances
from tools.documents.tables.table_facts import block_facts, has_evidence
from tools.documents.tables.table_parts import FLOWS, Block
from tools.documents.tables.tagged import is_tagged, tags_by_line
from tools.documents.tables.titles import name_by_content, read_titles
from tools.documents.types import Document, Page, Table, TableFact
from tools.periods import Period

PageState = tuple[str, str]
"""The note or item heading in force, and a period alone at the foot of the page."""


def find_tables(pages: Sequence[Page], document: Document) -> list[Table]:
    """The tables of a document, in page order, with every figure whose row, unit and period could be read.

    Pages are read from `Page.layout`, or `Page.text` where that is empty. What is printed as
    a table but states no amounts (contents, chart labels) is left out. A period that the header does not
    state is `Period()`; differences between periods ('Change' columns) are shown but stated as no fact.
    """
    blocks, calendar = read_blocks(pages, document)
    read = [(block, _facts(block, calendar)) for block in blocks]
    kept = name_apart([(block, facts) for block, facts in read if facts])
    return [_table(block, facts) for block, facts in kept]


def read_blocks(pages: Sequence[Page], document: Document) -> tuple[list[Block], FiscalCalendar]:
    """The runs of rows of a document with their columns' periods read, and the calendar that dates them."""
    blocks: list[Block] = []
    notes: dict[PageLine, int | None] = {}
    state: PageState = ("", "")
    for page in pages:
        lines, found, state = _page_blocks(page, document, blocks, state)
        notes |= notes_of_page(page.number, lines, found)
        blocks += found
    name_by_content(blocks)
    give_report_scales(blocks, notes)
    _read_all_columns(blocks, FiscalCalendar(document))
    calendar = FiscalCalendar(document, collect_ends(blocks, document), _heads_lengths(blocks))
    _read_all_columns(blocks, calendar)
    for block in blocks:
        block.rows = join_wrapped(block.rows)
        mark_periods(block, calendar)
        mark_sums_of_balances(block)
        mark_kin(block)
        assign_paths(block)
        mark_quotients(block)
    roll_on(blocks, calendar)
    mark_known(blocks)
    return blocks, calendar


def _read_all_columns(blocks: Sequence[Block], calendar: FiscalCalendar) -> None:
    for block in blocks:
        read_columns(block, calendar)
    _doubt_repeats(blocks)


def _heads_lengths(blocks: Sequence[Block]) -> bool:
    """True unless the document's own statements of flows are headed by days or years alone."""
    flows = [c.period for block in blocks if block.statement in FLOWS for c in block.columns if c.stated]
    return not flows or 2 * sum(period.months is not None for period in flows) >= len(flows)


def _doubt_repeats(blocks: Sequence[Block]) -> None:
    """Tables alike in title, columns and rows differ in their date: where none is printed, none is
    assumed."""
    groups: dict[tuple[object, ...], list[Block]] = {}
    for block in blocks:
        if not any(column.stated for column in block.columns):
            names = tuple(column.qualifiers for column in block.columns)
            labels = tuple(row.label for row in block.rows if row.cells)[:3]
            groups.setdefault((block.title, names, labels), []).append(block)
    for alike in groups.values():
        for block in alike if len(alike) > 1 else []:
            for column in block.columns:
                column.period = Period()


def _page_blocks(
    page: Page, document: Document, before: Sequence[Block], state: PageState
) -> tuple[list[Line], list[Block], PageState]:
    """Lines and blocks of a page with header texts and titles read, and what its end hands to the next page.

    A block without a header goes on from the block before it.
    """
    section, carried = state
    tags = tags_by_line(page.tags)
    lines, blocks = find_blocks(page.number, page.layout or page.text)
    floor = 0
    previous: Block | None = before[-1] if before and before[-1].page == page.number - 1 else None
    for block in blocks:
        first = block is blocks[0]
        section = note_heading(lines[floor : block.first_line]) or section
        body_end = block.last_line
        take_header(block, lines, floor)
        fill_columns(block)
        if first and carried:
            _carry(block, carried)
        read_titles(block, document)
        if block.statement == "other" and "segment" in section.lower():
            block.statement = "segment"
        block.entity = outside_entity(f"{block.title} {block.caption}")
        floor = body_end
        block.shared, block.tags = block.caption, tags
        _inherit(block, previous)
        previous = block
    take_footnotes(blocks, lines)
    return lines, blocks, (note_heading(lines[floor:]) or section, _last_period(lines[floor:]))


def _last_period(lines: Sequence[Line]) -> str:
    """A period alone on the last printed line of a page, footer aside: the head of a table on the next
    page."""
    printed = [line for line in lines if not line.blank and not FURNITURE.fullmatch(line.text)]
    text = printed[-1].text if printed else ""
    period = read_period(text)
    return text if period.end is not None and not period.rest and len(printed[-1].cells) == 1 else ""


def _carry(block: Block, text: str) -> None:
    """Put a period from the foot of the page before over the columns of the first table, if it has none
    and no title."""
    if not any(t for t in block.lead) and not any(
        has_period_words(t) for c in block.columns for t in c.texts
    ):
        for column in block.columns:
            column.texts.insert(0, text)


def _inherit(block: Block, previous: Block | None) -> None:
    """Unit note and statement of a table that goes on below a second header, or on the next page."""
    if (
        previous is not None
        and not block.note
        and re.search(r"\btables\b|^the following\b.*details", previous.shared, re.I)
    ):
        block.note, block.shared = previous.note, previous.shared
    if previous is not None and previous.page == block.page and not (block.title or block.caption.strip()):
        block.caption = previous.caption
    if previous is None or block.title or len(previous.columns) != len(block.columns):
        return
    if not any(text for text in block.lead):
        block.shared = previous.shared
        block.title = previous.title
        block.note = block.note or previous.note
        block.statement = previous.statement
        if not any(column.texts for column in block.columns):
            block.caption = previous.caption
            block.stub = previous.stub
            for column, model in zip(block.columns, previous.columns, strict=True):
                column.texts = list(model.texts)


def _facts(block: Block, calendar: FiscalCalendar) -> list[TableFact]:
    if not has_evidence(block) and not is_tagged(block):
        return []
    return block_facts(block, calendar)


def _table(block: Block, facts: Sequence[TableFact]) -> Table:
    """The table; its facts' rows are numbered as its lines are."""
    numbers = {row: number for number, row in enumerate(sorted({fact.row for fact in facts}))}
    facts = [replace(fact, row=numbers[fact.row]) for fact in facts]
    return Table(
        title=block.title,
        statement=block.statement,
        note=block.note,
        page=block.page,
        first_line=block.first_line,
        last_line=block.last_line,
        markdown=render_markdown(block),
        lines=render_lines(facts, block.columns),
        facts=tuple(facts),
        caption=block.caption,
    )
