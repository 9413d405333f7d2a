"""From pages to tables: the steps in order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date

from tools.documents.tables.columns import collect_ends, read_columns
from tools.documents.tables.facts import block_facts, has_evidence, mark_periods
from tools.documents.tables.headers import fill_columns, take_header
from tools.documents.tables.model import Block
from tools.documents.tables.names import name_apart, note_heading, outside_entity
from tools.documents.tables.regions import find_blocks
from tools.documents.tables.render import render_lines, render_markdown
from tools.documents.tables.rows import assign_paths, join_wrapped
from tools.documents.tables.titles import read_titles
from tools.documents.types import Document, Page, Table, TableFact


def find_tables(pages: Sequence[Page], document: Document) -> list[Table]:
    """The tables of a document, in page order, with every figure whose row, unit and period could be read.

    Pages are read in layout mode (`Page.layout`), or as plain text where that is empty. What is printed as a table
    but states no amounts (contents, chart labels) is left out. A period that the header does not state is
    `Period()`; differences between periods ('Change' columns) are shown but stated as no fact.
    """
    blocks: list[Block] = []
    section = ""
    for page in pages:
        found, section = _page_blocks(page, document, blocks, section)
        blocks += found
    _read_all_columns(blocks, document, {})
    ends = collect_ends(blocks, document)
    _read_all_columns(blocks, document, ends)
    read = [(block, _facts(block, document)) for block in blocks]
    kept = name_apart([(block, facts) for block, facts in read if facts])
    return [_table(block, facts) for block, facts in kept]


def _read_all_columns(
    blocks: Sequence[Block], document: Document, ends: Mapping[tuple[int, int], date]
) -> None:
    for block in blocks:
        read_columns(block, document, ends)


def _page_blocks(
    page: Page, document: Document, before: Sequence[Block], section: str
) -> tuple[list[Block], str]:
    """Blocks of a page with header texts and titles read, and the note or item heading in force at its end.

    A block without a header goes on from the block before it.
    """
    lines, blocks = find_blocks(page.number, page.layout or page.text)
    floor = 0
    previous: Block | None = before[-1] if before and before[-1].page == page.number - 1 else None
    for block in blocks:
        section = note_heading(lines[floor : block.first_line]) or section
        body_end = block.last_line
        take_header(block, lines, floor)
        fill_columns(block)
        read_titles(block, document)
        if block.statement == "other" and "segment" in section.lower():
            block.statement = "segment"
        block.entity = outside_entity(f"{block.title} {block.caption}")
        floor = body_end
        block.shared = block.caption
        _inherit(block, previous)
        previous = block
    return blocks, note_heading(lines[floor:]) or section


def _inherit(block: Block, previous: Block | None) -> None:
    """Unit note and statement of a table that goes on below a second header, or on the next page."""
    if previous is not None and not block.note and re.search(r"\btables\b|^the following\b.*details", previous.shared, re.I):
        block.note, block.shared = previous.note, previous.shared
    if previous is None or block.title or len(previous.columns) != len(block.columns):
        return
    if not any(text for text in block.lead):
        block.title = previous.title
        block.note = block.note or previous.note
        block.statement = previous.statement
        if not any(column.texts for column in block.columns):
            block.caption = previous.caption
            block.stub = previous.stub
            for column, model in zip(block.columns, previous.columns, strict=True):
                column.texts = list(model.texts)


def _facts(block: Block, document: Document) -> list[TableFact]:
    if not has_evidence(block):
        return []
    block.rows = join_wrapped(block.rows)
    mark_periods(block, document)
    assign_paths(block)
    return block_facts(block, document)


def _table(block: Block, facts: Sequence[TableFact]) -> Table:
    return Table(
        title=block.title,
        statement=block.statement,
        note=block.note,
        page=block.page,
        first_line=block.first_line,
        last_line=block.last_line,
        markdown=render_markdown(block),
        lines=render_lines(facts),
        facts=tuple(facts),
    )
