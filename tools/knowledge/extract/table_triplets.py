"""Table figures and line items as triplets. No language model and no spaCy: tables are parsed already."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.documents.types import Chunk, ParsedDocument, Table, TableFact
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.lexicon.metric_names import canonical_metric, find_metrics, fold_label
from tools.knowledge.types import Triplet
from tools.quantities import render_quantity

MAX_CAPTION_CHARACTERS = 240
"""Longer sentences explain; they are no name of a table."""
PRIMARY_STATEMENTS = frozenset({"income", "balance", "cash_flow", "comprehensive_income", "equity"})
"""Statements whose rows name their metrics themselves."""
_RANGE_END = re.compile(r"\s*(?:\([^()]*\))?\s*:?\s*$")


def table_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """`metric --was--> value` for every table fact, and `company --reports--> metric` once a metric and
    document.

    The period of a fact is its own; the quote is the table line it stands on. Facts whose label holds no
    word are left out.
    """
    reported: set[str] = set()
    document = parsed.document
    chunks = [chunk for chunk in parsed.chunks if chunk.kind == "table"]
    for table in parsed.tables:
        chunk_id = _chunk_of(table, chunks)
        title = full_title(table)
        for fact in table.facts:
            if not fold_label(fact.metric):
                continue
            quote = _line_of(table, fact)
            metric = canonical_metric(fact.metric, fact.path)
            if metric not in reported:
                reported.add(metric)
                yield make_triplet(
                    document,
                    (document.company, "company"),
                    "reports",
                    (fact.metric, "metric"),
                    page=fact.page,
                    quote=quote,
                    chunk_id=chunk_id,
                    path=fact.path,
                    statement=table.statement,
                    title=title,
                )
            yield make_triplet(
                document,
                (fact.metric, "metric"),
                "was",
                (render_quantity(fact.value, fact.unit, fact.scale, fact.printed), "value"),
                page=fact.page,
                quote=quote,
                chunk_id=chunk_id,
                period=fact.period,
                value=fact.value,
                unit=fact.unit,
                scale=fact.scale,
                printed=fact.printed,
                path=fact.path,
                statement=table.statement,
                title=title,
                concept=fact.concept,
            )


def full_title(table: Table) -> str:
    """The title, and the sentence below it where only that names the metric: a table of comparable sales
    under the heading 'Net Sales'."""
    if table.statement in PRIMARY_STATEMENTS or not table.caption or table.caption == table.title:
        return table.title
    titled = {mention.canonical for mention in find_metrics(table.title)}
    named = {mention.canonical for mention in find_metrics(table.caption)}
    caption = _RANGE_END.sub("", table.caption)
    return (
        f"{table.title}: {caption}".strip(": ")
        if named - titled and len(caption) <= MAX_CAPTION_CHARACTERS
        else table.title
    )


def _chunk_of(table: Table, chunks: list[Chunk]) -> str:
    """Id of the table chunk that shows this table; '' when none does."""
    on_page = [chunk for chunk in chunks if table.page in chunk.pages]
    for chunk in on_page:
        if table.markdown and table.markdown in chunk.text:
            return chunk.id
    first_row = next((line for line in table.lines if line), "")
    for chunk in on_page:
        if first_row and (first_row in chunk.embed_text or (table.title and table.title in chunk.text)):
            return chunk.id
    return on_page[0].id if len(on_page) == 1 else ""


def _line_of(table: Table, fact: TableFact) -> str:
    """The readable line of the table that states `fact`, cut to the part about its period where it is
    long."""
    line = ""
    if fact.row < len(table.lines) and fact.metric in table.lines[fact.row]:
        line = table.lines[fact.row]
    else:
        line = next((row for row in table.lines if fact.metric in row and fact.printed in row), "")
    if line and len(line) <= 240:
        return line
    return ", ".join((*fact.path, fact.metric, fact.period.describe())) + f": {fact.printed}"
