"""What the page is told of threads, turns and answers, as plain JSON values."""

from __future__ import annotations

from typing import Any

from agent.display.printable import shown
from agent.display.reading_order import reading_order
from agent.display.render import footer, looked_up, tools_asked
from agent.threads.thread_records import Thread, Turn
from graphs.contracts import Answer, Citation, Clarification
from tools.evidence import ONTOLOGY, Evidence


def thread_record(thread: Thread) -> dict[str, Any]:
    """A thread as the list shows it."""
    return {
        "id": thread.id,
        "name": shown(thread.name),
        "turns": thread.turns,
        "used": thread.used.isoformat(),
    }


def turn_record(turn: Turn) -> dict[str, Any]:
    """A finished turn: what was asked, the answer, and what it rests on."""
    return {
        "number": turn.number,
        "question": shown(turn.question),
        **_answer(turn.answer),
    }


def _answer(answer: Answer) -> dict[str, Any]:
    route = answer.route
    return {
        "understood": shown(answer.standalone_question),
        "status": answer.status,
        "limits": shown(answer.limits),
        "answer": shown(answer.answer),
        "numbers": {str(rank): number for rank, number in reading_order(answer).items()},
        "citations": [_citation(each) for each in answer.citations],
        "nearest": [_citation(each) for each in answer.nearest],
        "statements": [_shown(each.model_dump(mode="json")) for each in answer.faithfulness.statements],
        "evidence": [_evidence(each) for each in answer.evidence],
        "calculations": [_shown(each.model_dump(mode="json")) for each in answer.calculations],
        "gaps": _shown(answer.gaps),
        "looked_up": shown(looked_up(answer)),
        "route": shown(f"{route.kind} -> {tools_asked(route)}: {route.reason}"),
        "footer": shown(footer(answer)),
    }


def asked_back_record(asked: Clarification) -> dict[str, Any]:
    """What was asked back, with what can be answered: an option is sent back as it is."""
    return {"question": shown(asked.question), "options": asked.options}


def _shown(value: Any) -> Any:
    """Plain JSON values with every text as it can be shown: a document's words turn no line around."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {name: _shown(each) for name, each in value.items()}
    return [_shown(each) for each in value] if isinstance(value, (list, tuple)) else value


def _citation(citation: Citation) -> dict[str, Any]:
    return {
        "marker": citation.marker,
        "source": citation.source,
        "document": shown(citation.document),
        "where": shown(citation.where),
        "quote": shown(citation.quote),
    }


def _evidence(item: Evidence) -> dict[str, Any]:
    """`whole`: it is quoted whole, and there is no page to open."""
    return {
        "rank": item.rank,
        "id": item.item_id,
        "source": item.source,
        "kind": item.kind,
        "document": shown(item.document),
        "page": item.page,
        "company": shown(item.company),
        "text": shown(item.text),
        "whole": item.document_id == ONTOLOGY,
        "why": shown(item.why),
    }
