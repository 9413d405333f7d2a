"""Documents as the page shows them: the file itself, its text as it was read, and where a citation stands in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from agent.assistant import Assistant
from agent.display.printable import shown
from agent.display.reading_order import reading_order
from agent.threads.thread_records import Turn
from agent.web.marked_lines import Printed, Reading, printed_of
from tools.documents.read.page_reader import HTML_SUFFIXES, PDF_SUFFIXES
from tools.documents.types import Page
from tools.evidence import ONTOLOGY, Evidence
from tools.store.disk.home import Entry
from tools.store.disk.records import StoredRecord
from tools.store.errors import UserStoreError

CONTEXT_LINES = 3
"""Lines before and after a marked one, by which equal lines of a page are told apart."""
FILE_HEADERS = {
    "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
"""Of a document's bytes: opened by themselves they are a file to be kept, and nothing in them runs."""


class SourceGoneError(UserStoreError):
    """What was cited is not in the index any more, or not in this version."""


def entry_of(assistant: Assistant, document_id: str, called: str = "This document") -> Entry:
    """A document of the index in use. Raises SourceGoneError, and what `Assistant.current` raises."""
    return record_of(assistant, document_id, called)[0]


def record_of(
    assistant: Assistant, document_id: str, called: str = "This document"
) -> tuple[Entry, StoredRecord]:
    """The same, and what was read from it. Raises as `entry_of`."""
    generation = assistant.current().generation
    for entry in generation.entries:
        if entry.document_id == document_id:
            return entry, generation.record(document_id)
    raise SourceGoneError(f"{called} is not in the index any more: it was removed, or its file has changed.")


def kind_of(entry: Entry) -> str:
    """How a document can be shown: 'pdf', 'html', or 'text' as it was read."""
    suffix = Path(entry.name).suffix.lower()
    return "pdf" if suffix in PDF_SUFFIXES else "html" if suffix in HTML_SUFFIXES else "text"


def file_response(assistant: Assistant, document_id: str) -> Response:
    """A document's bytes, whole and as they were read. Raises SourceGoneError where no copy of them is left."""
    entry, record = record_of(assistant, document_id)
    data = record.original()
    if data is None:
        raise SourceGoneError(
            f"The file of '{shown(entry.name)}' was moved or changed, and this index was made before copies were kept."
        )
    named = f"attachment; filename*=UTF-8''{quote(entry.name, safe='')}"
    return Response(
        data, media_type="application/octet-stream", headers={**FILE_HEADERS, "Content-Disposition": named}
    )


def text_record(assistant: Assistant, document_id: str, number: int) -> dict[str, Any]:
    """A page as it was read. Raises SourceGoneError for one that is not there."""
    entry, record = record_of(assistant, document_id)
    pages = record.pages()
    if not 0 < number <= len(pages):
        raise SourceGoneError(f"'{shown(entry.name)}' has {len(pages):,} pages; there is no page {number:,}.")
    page = pages[number - 1]
    return {
        "page": number,
        "pages": len(pages),
        "label": page.label,
        "lines": _lines(page),
        "laid_out": bool(page.layout),
    }


def _lines(page: Page) -> list[str]:
    return [shown(line) for line in (page.layout or page.text).split("\n")]


def citation_record(assistant: Assistant, turn: Turn, marker: int) -> dict[str, Any]:
    """Where a piece of evidence of a turn stands: the document, and what of it is to be marked. Of one that is cited
    what its citations rest on, else the piece itself.

    Raises SourceGoneError for a rank that no piece has, and where its document is gone.
    """
    answer = turn.answer
    cited = [each for each in (*answer.citations, *answer.nearest) if each.marker == marker]
    item = next((each for each in answer.evidence if each.rank == marker), None)
    if item is None:
        raise SourceGoneError(f"This answer has no source [{marker}].")
    if item.document_id == ONTOLOGY:
        raise SourceGoneError(
            f"A definition of an ontology, quoted whole; it stands in {shown(item.document)}."
        )
    entry, record = record_of(assistant, item.document_id, f"'{shown(item.document)}'")
    pages = record.pages()
    reading = Reading(pages, record.tables(), record.triplets() if _needs_triplets(item) else ())
    quotes = [each.quote for each in cited] or [item.text]
    places = printed_of(item, quotes, answer.faithfulness.statements, reading)
    return {
        **document_record(entry),
        "number": reading_order(answer)[marker],
        "page": places[0].page if places else cited[0].page if cited else item.page,
        "where": shown(cited[0].where) if cited else f"p. {item.page:,}",
        "quote": shown(" … ".join(quotes)),
        "cited": bool(cited),
        "marks": [_mark(place, pages[place.page - 1]) for place in places],
    }


def _needs_triplets(item: Evidence) -> bool:
    return item.kind == "relation" or (item.fact is not None and item.fact.statement == "prose")


def document_record(entry: Entry) -> dict[str, Any]:
    """What the page needs to open a document."""
    return {
        "document": entry.document_id,
        "name": shown(entry.path),
        "kind": kind_of(entry),
        "pages": entry.pages,
    }


def _mark(place: Printed, page: Page) -> dict[str, Any]:
    """Words to be marked on a page, and those around them by which they are told from equal ones."""
    lines = page.text.split("\n")
    return {
        "page": place.page,
        "first": place.first,
        "last": place.last,
        "words": place.words,
        "row": place.words == lines[place.first].strip(),
        "before": " ".join(lines[max(0, place.first - CONTEXT_LINES) : place.first]),
        "after": " ".join(lines[place.last : place.last + CONTEXT_LINES]),
    }
