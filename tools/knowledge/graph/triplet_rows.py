"""The knowledge graph as rows: the compact form that is kept in memory and on disk.

A triplet is a list `[id, head entity, tail entity, head, tail, context, document, page, chunk, period, quote, value,
printed]` whose entity, context, document and period are positions in tables of their own. Each is a line of its own, so
that a question reads those it looks at (`lookups`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

import orjson

from tools.documents.serial import dump_record, load_document
from tools.documents.types import Document
from tools.evidence import may_answer
from tools.knowledge.graph.decisions import Decision
from tools.knowledge.graph.resolution import person_words
from tools.knowledge.graph.resolver import Resolver
from tools.knowledge.types import Entity, EntityType, Triplet
from tools.periods import Period

FORMAT = "hybridrag-knowledge-graph"
VERSION = 3

Row = list[Any]
ID, HEAD_ENTITY, TAIL_ENTITY, HEAD, TAIL, CONTEXT, DOCUMENT, PAGE, CHUNK, PERIOD, QUOTE, VALUE, PRINTED = (
    range(13)
)
Context = tuple[str, str, str, str, int, tuple[str, ...], str, str, str, str, str]
"""(relation, head type, tail type, unit, scale, path, statement, title, concept, date, amount)."""


class GraphFormatError(ValueError):
    """The stored graph is damaged or of another format version; the index must be built again."""


@dataclass(slots=True)
class Tables:
    """Everything a graph consists of, in canonical order."""

    documents: Sequence[Document]
    entities: Sequence[Entity]
    contexts: Sequence[Context]
    periods: Sequence[Period]
    rows: Sequence[Row]
    """Sorted by document, page and id; the rows of one document are contiguous."""


def build_tables(
    triplets: Iterable[Triplet], documents: Mapping[str, Document], decisions: Sequence[Decision] = ()
) -> tuple[Tables, Resolver]:
    """Tables of these triplets, and what made their names entities; the same set in any order gives the same tables.
    Triplets of documents that are not in `documents` are left out, equal ones kept once."""
    unique = {t.id: t for t in triplets if t.document_id in documents}
    ordered = sorted(unique.values(), key=lambda t: (t.document_id, t.page, t.id))
    resolver = Resolver(ordered, documents, decisions)
    names: dict[str, Counter[str]] = defaultdict(Counter)
    aliases: dict[str, set[tuple[str, str]]] = defaultdict(set)
    keyed: list[tuple[str, str]] = []
    for t in ordered:
        head = resolver.key(t.head, t.head_type, t.company_key, t.document_id, t.path)
        tail = resolver.key(t.tail, t.tail_type, t.company_key, t.document_id, t.path)
        keyed.append((head, tail))
        for key, name in ((head, t.head), (tail, t.tail)):
            names[key][name] += 1
            aliases[key].add((name, t.document_id))
    titles = {f"company:{d.company_key}": d.company for d in documents.values()}
    entities = [_named_node(key, names[key], aliases[key], titles) for key in sorted(names)]
    positions = {entity.key: index for index, entity in enumerate(entities)}
    files = sorted(documents.values(), key=lambda d: d.id)
    file_positions = {document.id: index for index, document in enumerate(files)}
    of_row = [_context(t, *keys) for t, keys in zip(ordered, keyed, strict=True)]
    contexts = sorted(set(of_row))
    context_positions = {context: index for index, context in enumerate(contexts)}
    periods = sorted({t.period for t in ordered}, key=_period_key)
    period_positions = {period: index for index, period in enumerate(periods)}
    rows: list[Row] = [
        [t.id, positions[head], positions[tail], t.head, t.tail, context_positions[context],
         file_positions[t.document_id], t.page, t.chunk_id, period_positions[t.period], t.quote, t.value,
         t.printed]
        for t, (head, tail), context in zip(ordered, keyed, of_row, strict=True)
    ]  # fmt: skip
    return Tables(files, entities, contexts, periods, rows), resolver


def _context(t: Triplet, head: str, tail: str) -> Context:
    """`head` and `tail`: keys of the entities, whose types are the documents' together."""
    kinds = (t.relation, head.partition(":")[0], tail.partition(":")[0], t.unit, t.scale, t.path)
    return (*kinds, t.statement, t.title, t.concept, t.date, t.amount)


def _period_key(period: Period) -> tuple[str, int, int, int]:
    return (
        period.end.isoformat() if period.end else "",
        -1 if period.months is None else period.months,
        period.fiscal_year or 0,
        period.fiscal_quarter or 0,
    )


def _named_node(
    key: str, names: Counter[str], aliases: set[tuple[str, str]], titles: Mapping[str, str]
) -> Entity:
    kind: EntityType = key.split(":", 1)[0]  # type: ignore[assignment]
    if kind == "person":
        best = min(names, key=lambda n: (-len(person_words(n)), -names[n], n))
    else:
        best = titles.get(key) or min(names, key=lambda n: (-names[n], len(n), n))
    kept = () if kind in {"value", "period"} else tuple(sorted(aliases))
    return Entity(key, best, kind, kept)


def row_amount(tables: Tables, row: Row) -> Decimal | None:
    """The figure of a row with its scale applied: 81,797 million as 81797000000; None where it states none."""
    value, scale = row[VALUE], tables.contexts[row[CONTEXT]][4]
    try:
        return None if value is None else Decimal(value).scaleb(scale)
    except InvalidOperation:
        return None


def row_may_answer(tables: Tables, row: Row) -> bool:
    """Whether a row may be used as an answer: a relation, or a figure whose unit and period are known."""
    context = tables.contexts[row[CONTEXT]]
    return row[VALUE] is None or may_answer(row[HEAD], context[3], tables.periods[row[PERIOD]], context[6])


def make_row_triplet(tables: Tables, row: Row) -> Triplet:
    """The triplet that a row stands for."""
    context = tables.contexts[row[CONTEXT]]
    relation, head_type, tail_type, unit, scale, path, statement, title, concept, date_, amount = context
    document = tables.documents[row[DOCUMENT]]
    return Triplet(
        id=row[ID],
        head=row[HEAD],
        head_type=head_type,  # type: ignore[arg-type]
        relation=relation,
        tail=row[TAIL],
        tail_type=tail_type,  # type: ignore[arg-type]
        document_id=document.id,
        document=document.name,
        page=row[PAGE],
        chunk_id=row[CHUNK],
        company_key=document.company_key,
        company=document.company,
        doc_type=document.doc_type,
        period=tables.periods[row[PERIOD]],
        quote=row[QUOTE],
        value=row[VALUE],
        unit=unit,
        scale=scale,
        printed=row[PRINTED],
        path=path,
        statement=statement,
        title=title,
        concept=concept,
        date=date_,
        amount=amount,
    )


def dump_tables(tables: Tables) -> bytes:
    """JSON Lines: a header with format version and counts, then documents, entities, contexts, periods,
    rows."""
    places = {document.id: index for index, document in enumerate(tables.documents)}
    header = {
        "format": FORMAT,
        "version": VERSION,
        "counts": [
            len(tables.documents), len(tables.entities), len(tables.contexts), len(tables.periods),
            len(tables.rows)
        ],
    }  # fmt: skip
    lines = [orjson.dumps(header)]
    lines += [dump_record(document).rstrip(b"\n") for document in tables.documents]
    lines += [
        orjson.dumps([e.key, e.name, e.type, [[alias, places[document]] for alias, document in e.aliases]])
        for e in tables.entities
    ]
    lines += [orjson.dumps(context) for context in tables.contexts]
    lines += [orjson.dumps([p.end, p.months, p.fiscal_year, p.fiscal_quarter]) for p in tables.periods]
    lines += [orjson.dumps(row) for row in tables.rows]
    return b"\n".join(lines) + b"\n"


def load_tables(data: bytes) -> Tables:
    """The inverse of `dump_tables`; GraphFormatError if the data is cut short, damaged or of another
    version."""
    lines = data.split(b"\n")
    counts = counts_of(lines[0])
    if lines[-1] or len(lines) != sum(counts) + 2:
        raise GraphFormatError("The knowledge graph is cut short. Build the index again.")
    try:
        return _read_sections(lines, counts)
    except _DAMAGE as error:
        raise GraphFormatError(f"The knowledge graph is damaged ({error}). Build the index again.") from error


_DAMAGE = (orjson.JSONDecodeError, KeyError, TypeError, IndexError, AttributeError)


def counts_of(line: bytes) -> list[int]:
    """The counts of a header: documents, entities, contexts, periods and rows. GraphFormatError if it is none, or of
    another version."""
    try:
        header = orjson.loads(line)
        if header.get("format") != FORMAT or header.get("version") != VERSION:
            raise GraphFormatError(
                f"The knowledge graph has format {header.get('format')!r} version {header.get('version')!r}; "
                f"this program reads version {VERSION}. Build the index again."
            )
        counts: list[int] = header["counts"]
    except _DAMAGE as error:
        raise GraphFormatError(f"The knowledge graph is damaged ({error}). Build the index again.") from error
    return counts


def _read_sections(lines: list[bytes], counts: list[int]) -> Tables:
    bounds = [1]
    for count in counts:
        bounds.append(bounds[-1] + count)

    def section(number: int) -> list[Any]:
        block: list[Any] = orjson.loads(b"[" + b",".join(lines[bounds[number] : bounds[number + 1]]) + b"]")
        return block

    documents = read_documents(lines[bounds[0] : bounds[1]])
    return Tables(
        documents,
        [read_entity(line, documents) for line in section(1)],
        [read_context(line) for line in section(2)],
        [read_period(line) for line in section(3)],
        section(4),
    )


def read_documents(lines: Sequence[bytes]) -> list[Document]:
    """The documents of these lines."""
    return [load_document(line) for line in lines]


def read_entity(line: list[Any], documents: Sequence[Document]) -> Entity:
    """The entity of a line; `documents`: all of the graph."""
    key, name, kind, aliases = line
    return Entity(key, name, kind, tuple((alias, documents[place].id) for alias, place in aliases))


def read_context(line: list[Any]) -> Context:
    """The context of a line."""
    relation, head_type, tail_type, unit, scale, path, *rest = line
    statement, title, concept, said_date, amount = rest
    return (
        relation,
        head_type,
        tail_type,
        unit,
        scale,
        tuple(path),
        statement,
        title,
        concept,
        said_date,
        amount,
    )


def read_period(line: list[Any]) -> Period:
    """The period of a line."""
    end, months, year, quarter = line
    return Period(None if end is None else date.fromisoformat(end), months, year, quarter)
