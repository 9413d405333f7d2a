"""An answer and an index as plain text and as records for --json."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from agent.display.document_report import flag_words, reading_record, reading_words, warning_lines
from agent.display.printable import printable
from agent.display.reading_order import numbered
from graphs.contracts import Answer, Route, ToolName, Usage
from graphs.drafts.sentences import without_links
from tools.documents.text.language import language_note
from tools.documents.types import Document
from tools.knowledge.graph.knowledge_graph import GraphStats
from tools.store.reading.flags import flags_of
from tools.store.reading.report import FileOutcome, FileState, IndexReport

SHORT_STATES: tuple[FileState, ...] = ("unchanged", "incomplete")
"""Counted, not listed: `documents --details` has the ones, `agent.indexing.model_lines` the others."""
PLACES: dict[ToolName, str] = {
    "vector_search": "the text of the documents",
    "kg_search": "the knowledge graph",
    "ontology_search": "the ontology",
    "corpus_search": "every company's documents",
    "calculate": "figures that were computed",
}
"""Where a tool looks, for readers who do not know its name."""


def plain_answer(answer: Answer) -> str:
    """Route and why, the answer, its citations, faithfulness and seconds, as lines of text."""
    answer = numbered(answer)
    route = answer.route
    lines = [
        f"{answer.status}: {route.kind} -> {tools_asked(route)} ({route.reason})",
        "",
        answer.answer,
        "",
    ]
    return "\n".join([*lines, *_cited(answer), footer(answer)])


def plain_turn(answer: Answer) -> str:
    """The answer, its citations, then one line about it; as `agent.display.terminal.turn_view`."""
    answer = numbered(answer)
    return "\n".join([answer.answer, "", *_cited(answer), chat_footer(answer), ""])


def _cited(answer: Answer) -> list[str]:
    cited = [
        f"[{c.marker}] {c.document}, {c.where} ({c.source}): {shorten(c.quote)}" for c in answer.citations
    ]
    return [*cited, *nearest_lines(answer), *limited_to(answer)]


def limited_to(answer: Answer) -> list[str]:
    """One line that says which filters were set; none where none were."""
    return [f"Limited to: {answer.limits}"] if answer.limits else []


def nearest_lines(answer: Answer) -> list[str]:
    """What comes nearest to a question that was not answered, under a heading that says so."""
    lines = [f"- {c.document}, {c.where}: {shorten(c.quote)}" for c in answer.nearest]
    return ["Nearest in the documents (not checked to answer):", *lines] if lines else []


def chat_footer(answer: Answer) -> str:
    """One line: status, route, and what `footer` says."""
    route = answer.route
    return f"{answer.status} · {route.kind} -> {tools_asked(route)} · {footer(answer)}"


def tools_asked(route: Route) -> str:
    """The tools of a route, in words."""
    return ", ".join(route.tools) or "no tool"


def looked_up(answer: Answer) -> str:
    """Where an answer was looked for, in plain words: 'Looked up in the text and the knowledge graph, in 0.8 s,
    without a language model'."""
    where = f"Looked up in {_places(answer.route)}" if answer.route.tools else "Nothing was looked up"
    how = "without a language model" if answer.engine == "local" else "with a language model"
    return f"{where}, in {answer.seconds.get('total', 0):.1f} s, {how}."


def places_words(route: Route) -> str:
    """What a route comes to, in plain words, while it is gone."""
    return f"looking in {_places(route)}" if route.tools else "nothing has to be looked up"


def _places(route: Route) -> str:
    return " and ".join(PLACES[tool] for tool in route.tools)


def footer(answer: Answer) -> str:
    """One line: faithfulness, what went wrong on the way, seconds, what was spent on a model."""
    statements = answer.faithfulness.statements
    checked = (
        f"faithfulness {answer.faithfulness.score:.2f} "
        f"({sum(s.supported for s in statements)} of {len(statements)} statements supported)"
        if answer.faithfulness.score is not None
        else "faithfulness not checked"
        if answer.pipeline != "agent"
        else "nothing to check"
    )
    told = [checked, *([answer.reason] if answer.reason else [])]
    told += [gap for gap in answer.gaps if gap not in (answer.reason or "")]
    told += ["widened"] if answer.route.widened else []
    told += [f"{answer.seconds.get('total', 0):.2f} s", f"{answer.engine} engine"]
    return " · ".join([*told, *([spent(answer.usage)] if answer.usage.calls else [])])


def spent(usage: Usage) -> str:
    """Model calls, tokens in and out, and their cost where prices are set."""
    cost = "" if usage.cost is None else f", {usage.cost:.4f} USD"
    return f"{_many(usage.calls, 'call')}, {usage.input_tokens:,} + {usage.output_tokens:,} tokens{cost}"


def document_row(d: Document) -> tuple[str, ...]:
    """Id, company, ticker, type, fiscal label, period end, pages, path (of a plain document with its title, of one that
    is not in English with a word about it)."""
    label = f"Q{d.fiscal_quarter} {d.fiscal_year}" if d.fiscal_quarter else str(d.fiscal_year or "")
    end = d.period_end.isoformat() if d.period_end else ""
    company = d.company if d.is_of_company else ""
    title = f'"{d.title}"' if d.doc_type == "other" else ""
    file = "; ".join(filter(None, [d.path, title, language_note(d.language)]))
    return d.id[:8], company, d.ticker or "", d.doc_type, label, end, str(d.pages), file


def shorten(quote: str, limit: int = 160) -> str:
    """A quotation on one line, cut at a word, with nothing that a terminal would make a link of."""
    folded = " ".join(without_links(quote).split())
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


def report_record(report: IndexReport) -> dict[str, Any]:
    """An indexing run, for --json."""
    return {
        "files": [_file_record(o) for o in report.outcomes],
        "generation": report.generation,
        "digest": report.digest,
        "documents": report.documents,
        "chunks": report.chunks,
        "duplicates": report.duplicates,
        "triplets": report.triplets,
        "dropped_lines": report.dropped,
        "seconds": report.seconds,
    }


def _file_record(o: FileOutcome) -> dict[str, Any]:
    told = {"file": printable(o.file), "state": o.state, "reason": o.reason or None, "seconds": o.seconds}
    if o.document is None or o.entry is None:
        return told
    return {**told, **reading_record(o.document, flags_of(o.entry.flags))}


def _file_lines(o: FileOutcome) -> list[str]:
    """A file, what was found in it if it was read in this run, and what is amiss."""
    line = f"{o.state}: {o.file}" + (f" ({o.reason})" if o.reason else "")
    if o.document is None or o.entry is None:
        return [line]
    told = [reading_words(o.document), *flag_words(flags_of(o.entry.flags))]
    return [f"{line}: {'; '.join(told)}", *warning_lines(o.file, o.document)]


def report_lines(report: IndexReport) -> list[str]:
    """An indexing run: its files but those unchanged or told of apart, then the counts."""
    lines = [line for o in report.outcomes if o.state not in SHORT_STATES for line in _file_lines(o)]
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
