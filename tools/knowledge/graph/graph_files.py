"""The knowledge graph as files for other programs: GraphML, JSON-LD, and tables of nodes and edges. Each is written row
by row, so that a large graph takes no more memory than a small one."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any, BinaryIO, TextIO, cast
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

import orjson

from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.types import Triplet

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FORMULA = re.compile(r"[=+@\t\r\n\uff1d\uff0b\uff20]|[-\uff0d](?![\d.,\s%$€)]+$)")
"""Beginnings of what a spreadsheet computes, full width ones, too; a negative number stays one."""
_NODE_FIELDS = ("name", "type")
_EDGE_FIELDS = (
    "relation", "document", "page", "period", "quote", "value", "unit", "scale", "path", "company", "chunk", "date",
    "amount", "concept",
)  # fmt: skip
CONTEXT = {
    "@version": 1.1,
    "@vocab": "urn:hybridrag:term:",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "entity": "urn:hybridrag:entity:",
    "fact": "urn:hybridrag:fact:",
    "id": "@id",
    "type": "@type",
    "head": {"@id": "rdf:subject", "@type": "@id"},
    "tail": {"@id": "rdf:object", "@type": "@id"},
    "value": {"@type": "xsd:decimal"},
    "periodEnd": {"@type": "xsd:date"},
    "path": {"@container": "@list"},
}
"""Of the JSON-LD: entities and facts have names of their own, and a fact is a statement about two entities."""


def write_graphml(graph: KnowledgeGraph, file: IO[bytes]) -> None:
    """GraphML with plain attributes, readable by Gephi, yEd and NetworkX. OSError."""
    with _text(file) as out:
        out.write(
            '<?xml version="1.0" encoding="utf-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        )
        for kind, names in (("node", _NODE_FIELDS), ("edge", _EDGE_FIELDS)):
            for name in names:
                sort = "long" if name in ("page", "scale") else "string"
                out.write(f'<key id="{kind}-{name}" for="{kind}" attr.name="{name}" attr.type="{sort}"/>\n')
        out.write('<graph edgedefault="directed">\n')
        for entity in graph.entities:
            fields = {"name": entity.name, "type": entity.type}
            out.write(f"<node id={_attribute(entity.key)}>{_data('node', fields)}</node>\n")
        for head, tail, triplet in _edges(graph):
            ends = f"source={_attribute(head)} target={_attribute(tail)}"
            data = _data("edge", edge_fields(triplet))
            out.write(f"<edge id={_attribute(triplet.id)} {ends}>{data}</edge>\n")
        out.write("</graph>\n</graphml>\n")


def write_jsonld(graph: KnowledgeGraph, file: IO[bytes]) -> None:
    """JSON-LD with a context of its own: entities, then facts with their places. OSError."""
    file.write(b'{"@context":' + orjson.dumps(CONTEXT) + b',\n"@graph":[')
    for number, record in enumerate(_linked(graph)):
        file.write((b",\n" if number else b"\n") + orjson.dumps(record))
    file.write(b"\n]}\n")


def write_nodes(graph: KnowledgeGraph, file: IO[bytes]) -> None:
    """Comma-separated: id, name, type, and aliases with '|' between. OSError."""
    rows = (
        (each.key, each.name, each.type, "|".join(sorted({alias for alias, _ in each.aliases})))
        for each in graph.entities
    )
    _table(file, ("id", "name", "type", "aliases"), rows)


def write_edges(graph: KnowledgeGraph, file: IO[bytes]) -> None:
    """Comma-separated: one fact a row, `head` and `tail` as ids of nodes. OSError."""
    rows = ((triplet.id, head, tail, *edge_fields(triplet).values()) for head, tail, triplet in _edges(graph))
    _table(file, ("id", "head", "tail", *_EDGE_FIELDS), rows)


def edge_fields(t: Triplet) -> dict[str, str | int]:
    """What a fact says beside its ends, and where it stands."""
    said = (
        t.relation, t.document, t.page, t.period.describe(), t.quote, t.value or "", t.unit, t.scale,
        " / ".join(t.path), t.company, t.chunk_id, t.date, t.amount, t.concept,
    )  # fmt: skip
    return dict(zip(_EDGE_FIELDS, said, strict=True))


def _edges(graph: KnowledgeGraph) -> Iterator[tuple[str, str, Triplet]]:
    """(key of the head, key of the tail, the triplet), each made when it is needed."""
    entities = graph.entities
    for row in graph.tables.rows:
        ends = entities[row[r.HEAD_ENTITY]].key, entities[row[r.TAIL_ENTITY]].key
        yield *ends, r.make_row_triplet(graph.tables, row)


def _linked(graph: KnowledgeGraph) -> Iterator[dict[str, Any]]:
    for each in graph.entities:
        aliases = sorted({alias for alias, _ in each.aliases} - {each.name})
        told = {"id": _iri("entity", each.key), "type": each.type, "name": each.name}
        yield {**told, "alias": aliases} if aliases else told
    for head, tail, t in _edges(graph):
        record: dict[str, Any] = {
            "id": _iri("fact", t.id), "type": "rdf:Statement",
            "head": _iri("entity", head), "tail": _iri("entity", tail),
            **edge_fields(t), "path": list(t.path), "documentId": t.document_id, "documentType": t.doc_type,
            "periodEnd": t.period.end, "months": t.period.months,
            "fiscalYear": t.period.fiscal_year, "fiscalQuarter": t.period.fiscal_quarter,
        }  # fmt: skip
        yield {name: said for name, said in record.items() if said not in ("", None, [])}


def _iri(kind: str, key: str) -> str:
    return f"{kind}:{quote(key, safe='')}"


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("", text))


def _data(kind: str, fields: dict[str, Any]) -> str:
    return "".join(
        f'<data key="{kind}-{name}">{escape(_NOT_XML.sub("", str(said)))}</data>'
        for name, said in fields.items()
        if said != ""
    )


def _table(file: IO[bytes], head: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    with _text(file) as out:
        table = csv.writer(out)
        table.writerow(head)
        table.writerows([_cell(said) for said in row] for row in rows)


def _cell(said: object) -> object:
    """What a spreadsheet would take for a formula is marked as text, as in the tables that the page saves."""
    return f"'{said}" if isinstance(said, str) and _FORMULA.match(said) else said


@contextmanager
def _text(file: IO[bytes]) -> Iterator[TextIO]:
    """UTF-8 into a binary file, which stays open."""
    out = io.TextIOWrapper(cast("BinaryIO", file), "utf-8", newline="")
    yield out
    out.detach()
