"""The printed tables that the figures of the last answer stand in, whole: for whoever asks to see them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.index import Index
from tools.scope import Scope

MAX_TABLES = 2
MAX_LOOKED_AT = 24
"""Tables near the last question among which those that were cited are looked for."""
_SOURCE = re.compile(r"^(?P<document>.+?), p\. (?P<page>\d+)\b.*?: “(?P<quote>.*)”$", re.DOTALL)
_VALUE = re.compile(r": -?\(?(?P<value>\d[\d,.]*\d|\d)")


def cited_tables(question: str, sources: Sequence[str], index: Index) -> str:
    """As printed, each with document and page; '' where none is found. `question`: the last one as it was understood;
    `sources`: what its answer cites, a line each."""
    keys = tuple(dict.fromkeys(mention.key for mention in index.catalog.link(question)))
    found: dict[str, str] = {}
    for source in filter(None, map(_SOURCE.match, sources)):
        value = _VALUE.search(source["quote"])
        if value is None or len(found) == MAX_TABLES:
            continue
        near = index.tables(f"{question} {source['quote']}", Scope(companies=keys), MAX_LOOKED_AT, whole=True)
        for table in near:
            cited = (table.document, str(table.page)) == (source["document"], source["page"])
            if cited and value["value"] in table.text:
                found[table.item_id] = f"{table.document}, p. {table.page}:\n\n{_spaced(table.text)}"
                break
    return "\n\n".join(found.values())


def _spaced(text: str) -> str:
    """A table begins a paragraph of its own."""
    head, bar, rows = text.partition("\n|")
    return f"{head}\n\n|{rows}" if bar else text
