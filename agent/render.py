"""How an answer and an index look: Rich renderables for a terminal, plain text elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from agent.printable import printable
from graphs.contracts import Answer
from tools.documents.types import Document
from tools.knowledge.graph import GraphStats
from tools.knowledge.types import Entity, Triplet
from tools.store.report import IndexReport

STATUS_STYLE = {"answered": "bold green", "partial": "bold yellow", "abstained": "bold magenta"}


def rich_answer(answer: Answer) -> RenderableType:
    """Route and why, the answer, its citations as a table, faithfulness and seconds."""
    route = answer.route
    head = Text.assemble(
        (answer.status, STATUS_STYLE[answer.status]),
        (f"  {route.kind}", "bold"),
        f" -> {', '.join(route.tools)}",
        (f"  ({route.reason})", "dim"),
    )
    parts: list[RenderableType] = [head, Padding(Markdown(answer.answer), (1, 0))]
    if answer.citations:
        table = Table(box=None, pad_edge=False, header_style="dim", expand=False)
        for column in ("", "document", "page", "from", "quote"):
            table.add_column(column, overflow="fold" if column == "quote" else "ellipsis")
        for c in answer.citations:
            table.add_row(
                Text(f"[{c.marker}]"), Text(c.document), str(c.page), c.source, Text(_short(c.quote))
            )
        parts.append(table)
    parts.append(Text(footer(answer), style="dim"))
    return Group(*parts)


def plain_answer(answer: Answer) -> str:
    """The same, as lines of text."""
    route = answer.route
    lines = [
        f"{answer.status}: {route.kind} -> {', '.join(route.tools)} ({route.reason})",
        "",
        answer.answer,
        "",
    ]
    lines += [
        f"[{c.marker}] {c.document}, p. {c.page} ({c.source}): {_short(c.quote)}" for c in answer.citations
    ]
    return "\n".join([*lines, footer(answer)])


def footer(answer: Answer) -> str:
    """One line: faithfulness, what went wrong on the way, seconds."""
    statements = answer.faithfulness.statements
    checked = (
        f"faithfulness {answer.faithfulness.score:.2f} "
        f"({sum(s.supported for s in statements)} of {len(statements)} statements supported)"
        if answer.faithfulness.score is not None
        else "faithfulness not checked"
        if answer.pipeline != "agent"
        else "nothing to check"
    )
    reason = f" · {answer.reason}" if answer.reason else ""
    widened = " · widened" if answer.route.widened else ""
    return f"{checked}{reason}{widened} · {answer.seconds.get('total', 0):.2f} s · {answer.engine} engine"


def documents_table(documents: Sequence[Document]) -> Table:
    """What is indexed, one document a row."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("id", "company", "ticker", "type", "fiscal", "period end", "pages", "file"):
        table.add_column(column, justify="right" if column == "pages" else "left")
    for d in documents:
        table.add_row(*document_row(d))
    return table


def document_row(d: Document) -> tuple[str, ...]:
    """Id, company, ticker, type, fiscal label, period end, pages, path."""
    label = f"Q{d.fiscal_quarter} {d.fiscal_year}" if d.fiscal_quarter else str(d.fiscal_year or "")
    end = d.period_end.isoformat() if d.period_end else ""
    return d.id[:8], d.company, d.ticker or "", d.doc_type, label, end, str(d.pages), d.path


def _short(quote: str, limit: int = 160) -> str:
    folded = " ".join(quote.split())
    return folded if len(folded) <= limit else folded[: limit - 4].rsplit(" ", 1)[0] + " ..."


def stats_record(stats: GraphStats) -> dict[str, Any]:
    """The counts of a graph, for --json."""
    return asdict(stats)


def stats_lines(stats: GraphStats) -> list[str]:
    """The counts of a graph, the largest first."""
    lines = [
        f"{stats.documents:,} documents, {stats.nodes:,} nodes, {stats.triplets:,} triplets",
        "",
        "nodes",
    ]
    lines += _counted(stats.nodes_by_type)
    lines += ["", "triplets by head and tail type", *_counted(stats.triplets_by_type)]
    lines += ["", "triplets by relation", *_counted(stats.triplets_by_relation, most=15)]
    if stats.without_triplets:
        lines += ["", f"without any triplet: {', '.join(stats.without_triplets)}"]
    return lines


def _counted(counts: dict[str, int], most: int | None = None) -> list[str]:
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"  {count:>9,}  {name}" for name, count in ranked[:most]]
    hidden = ranked[most:] if most is not None else []
    return [*shown, f"  {sum(c for _, c in hidden):>9,}  in {len(hidden)} more"] if hidden else shown


def entity_record(entity: Entity, triplets: Sequence[Triplet]) -> dict[str, Any]:
    """An entity and its triplets, for --json."""
    return {
        "entity": asdict(entity),
        "triplets": [{**asdict(t), "period": t.period.describe()} for t in triplets],
    }


def entity_lines(entity: Entity, triplets: Sequence[Triplet], limit: int) -> list[str]:
    """An entity, its aliases and its facts with where they stand."""
    aliases = sorted({alias for alias, _ in entity.aliases} - {entity.name})
    lines = [f"{entity.name} ({entity.type})" + (f", also {', '.join(aliases)}" if aliases else "")]
    for t in triplets[:limit]:
        qualifiers = f" [{' > '.join(t.path)}]" if t.path else ""
        when = f", {t.period.describe()}" if t.value is not None else ""
        source = f"({t.company}; {t.document}, p. {t.page})"
        lines.append(f"  {t.head} --{t.relation}--> {t.tail}{qualifiers}{when}  {source}")
    if len(triplets) > limit:
        lines.append(f"  ... and {len(triplets) - limit:,} more (--limit)")
    return lines


def report_record(report: IndexReport) -> dict[str, Any]:
    """An indexing run, for --json."""
    return {
        "files": [
            {"file": printable(o.file), "state": o.state, "reason": o.reason or None, "seconds": o.seconds}
            for o in report.outcomes
        ],
        "generation": report.generation,
        "digest": report.digest,
        "documents": report.documents,
        "chunks": report.chunks,
        "duplicates": report.duplicates,
        "triplets": report.triplets,
        "dropped_lines": report.dropped,
        "seconds": report.seconds,
    }


def report_lines(report: IndexReport) -> list[str]:
    """An indexing run: what did not go in and why, then the counts."""
    lines = [
        f"{o.state}: {o.file}" + (f" ({o.reason})" if o.reason else "")
        for o in report.outcomes
        if o.state in ("failed", "skipped", "same", "replaced")
    ]
    done = ", ".join(f"{count} {state}" for state, count in report.counts.items())
    noise = sum(report.dropped.values())
    return [
        *lines,
        f"{done} in {report.seconds:.1f} s; {_many(noise, 'line')} of noise left out",
        f"The index holds {_many(report.documents, 'document')}, {_many(report.chunks, 'chunk')} "
        f"({_many(report.duplicates, 'duplicate')} left out) and {_many(report.triplets, 'triplet')}.",
    ]


def _many(count: int, thing: str) -> str:
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"
