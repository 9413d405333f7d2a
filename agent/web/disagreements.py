"""Figures of an answer on which documents disagree: the values side by side, each with the pages that print it."""

from __future__ import annotations

from typing import Any

from agent.assistant import Assistant
from agent.display.printable import shown
from agent.open_indexes import OpenIndex
from agent.web.marked_lines import names_figure
from graphs.contracts import Answer
from tools.evidence import Evidence
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.fusion import Conflict, Fused, conflicts_on
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph


def disagreements(assistant: Assistant, answer: Answer) -> list[dict[str, Any]]:
    """The conflicts on figures that the answer cites, on those of a cited table where a statement names them: `about`,
    `period`, `kind`, and of each of the `values` how it is printed, whether the answer rests on it (`cited`), whether
    it is the newest, and its `sources`. Raises what `Assistant.current` raises."""
    index = assistant.current()
    cited = {citation.marker for citation in answer.citations}
    figures = {
        figure
        for item in answer.evidence
        if item.rank in cited
        for figure in ([item.item_id] if item.fact is not None else _of_table(item, answer, index.graph))
    }
    return [_record(found, figures, index) for found in conflicts_on(index.graph, figures)]


def _of_table(item: Evidence, answer: Answer, graph: KnowledgeGraph) -> list[str]:
    """Ids of the figures of a table that statements resting on it name, by label and amount."""
    told = [each.text for each in answer.faithfulness.statements if item.rank in each.evidence]
    rows = graph.tables.rows
    return [
        rows[row][r.ID]
        for row in (graph.rows_of_chunk.get(item.item_id, ()) if item.kind == "table" else ())
        if rows[row][r.VALUE] is not None and names_figure(told, rows[row][r.HEAD], rows[row][r.PRINTED])
    ]


def _record(found: Conflict, cited: set[str], index: OpenIndex) -> dict[str, Any]:
    newest = found.newest
    return {
        "kind": found.kind,
        "about": shown(", ".join((newest.company, " > ".join((*newest.path, newest.head))))),
        "period": newest.period.describe(),
        "values": [
            {
                "printed": shown(value.fact.tail),
                "cited": any(t.id in cited for t in value.sources),
                "newest": found.kind == "restatement" and value is found.values[-1],
                "sources": _sources(value, index),
            }
            for value in found.values
        ],
    }


def _sources(value: Fused, index: OpenIndex) -> list[dict[str, Any]]:
    """The pages on which a value stands, each once."""
    documents = index.generation.documents
    pages = dict.fromkeys((t.document_id, t.page) for t in value.sources)
    return [
        {"document": id_, "name": shown(index.called(documents[id_])), "page": page} for id_, page in pages
    ]
