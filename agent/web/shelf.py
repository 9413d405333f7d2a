"""Documents over HTTP: list, open, upload, index, remove."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from agent.display.document_report import (
    flag_words,
    found_words,
    left_out_words,
    period_words,
    reading_words,
)
from agent.display.printable import shown
from agent.display.progress_words import in_hand_words, published_words
from agent.display.render import report_lines
from agent.errors import OUR_FAILURES, USER_MISTAKES, UsageError
from agent.threads.quoting import threads_that_quote
from agent.threads.server_file import threads_that_may_hold as server_threads
from agent.web.asked import STREAM, Served
from agent.web.line_channel import LineChannel
from agent.web.sources import document_record, entry_of, file_response, text_record
from agent.web.uploads import Uploads
from tools.documents.read.reading_counts import warnings_of
from tools.documents.types import Document
from tools.store.disk.home import Entry
from tools.store.reading.flags import flags_of
from tools.store.reading.report import FileOutcome, Progress


class Uploaded(BaseModel):
    """Files that were uploaded, by the ids that the page was given."""

    model_config = ConfigDict(extra="forbid")

    files: list[str] = Field(min_length=1, max_length=1_000)


class Documents:
    """The routes of documents."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.assistant = served.assistant
        self.uploads = Uploads(served.assistant, served.sessions.store)
        self._indexing = False
        self._task: asyncio.Task[None] | None = None

    def routes(self) -> list[Route]:
        """All of them."""
        return [
            Route("/api/documents", self.listed, methods=["GET"]),
            Route("/api/documents/{id}/file", self.file, methods=["GET"]),
            Route("/api/documents/{id}/pages/{page:int}", self.page, methods=["GET"]),
            Route("/api/documents/{id}", self.one, methods=["GET"]),
            Route("/api/documents/{id}", self.removed, methods=["DELETE"]),
            Route("/api/uploads", self.uploaded, methods=["PUT"]),
            Route("/api/index", self.indexed, methods=["POST"]),
        ]

    async def listed(self, request: Request) -> Response:
        """What is indexed, with what reading found."""
        return JSONResponse(await run_in_threadpool(self._listed))

    def _listed(self) -> list[dict[str, Any]]:
        generation = self.assistant.current().generation
        return [_record(entry, generation.documents[entry.document_id]) for entry in generation.entries]

    async def one(self, request: Request) -> Response:
        """What is needed to open a document."""
        entry = await run_in_threadpool(entry_of, self.assistant, request.path_params["id"])
        return JSONResponse(document_record(entry))

    async def file(self, request: Request) -> Response:
        """A document's bytes."""
        return await run_in_threadpool(file_response, self.assistant, request.path_params["id"])

    async def page(self, request: Request) -> Response:
        """A page as it was read."""
        id_, number = request.path_params["id"], request.path_params["page"]
        return JSONResponse(await run_in_threadpool(text_record, self.assistant, id_, number))

    async def removed(self, request: Request) -> Response:
        """Take a document out, without a trace; threads that quote it stay, and are named."""
        self.served.check_free()
        if self.served.turns.any or self._indexing:
            raise UsageError(
                "A question or an indexing run is on its way: remove the document when it is done."
            )
        with self.served.alone():
            await self.served.rehearsals_end()
            done = await run_in_threadpool(self._removed, request.path_params["id"])
        return JSONResponse(done)

    def _removed(self, document_id: str) -> dict[str, Any]:
        entry_of(self.assistant, document_id)  # a document's whole id, and no name or company
        self.assistant.close()  # what this server holds open could not be deleted
        report = self.assistant.remove(document_id)
        names = {name for entry in report.removed for name in (entry.name, entry.path)}
        home, settings = self.assistant.home, self.assistant.settings
        return {
            "removed": [shown(entry.name) for entry in report.removed],
            "quoting": [
                {"id": each.id, "name": shown(each.name)} for each in threads_that_quote(settings, names)
            ],
            "server_threads": [shown(name) for name in server_threads(home, names)],
            "held": bool(report.held),
        }

    async def uploaded(self, request: Request) -> Response:
        """Keep a file, to be indexed; its body is the file. Says the id for `indexed`."""
        id_ = await self.uploads.receive(request)
        return JSONResponse({"id": id_, "name": shown(id_.partition("/")[2])})

    async def indexed(self, request: Request) -> Response:
        """Read uploaded files into the index; progress and the report as JSON lines."""
        given = Uploaded.model_validate_json(await request.body())
        self.served.check_free()
        if self._indexing:
            raise UsageError("An indexing run is on its way: wait until it is done.")
        self._indexing = True
        try:
            files = await run_in_threadpool(self.uploads.files, given.files)
        except BaseException:
            self._indexing = False
            raise
        channel = LineChannel()
        self._task = asyncio.create_task(run_in_threadpool(self._index, channel, files))
        return StreamingResponse(channel.follow(), media_type=STREAM)

    def _index(self, channel: LineChannel, files: list[Path]) -> None:
        def tell(at: Progress) -> None:
            words = " · ".join(filter(None, (in_hand_words(at), published_words(at))))
            channel.tell("progress", stage=at.stage, share=at.share, words=shown(words))

        try:
            report = self.assistant.index(files, on_progress=tell)
            told = [shown(line) for line in report_lines(report)]
            channel.tell("report", files=[_outcome(each) for each in report.outcomes], lines=told)
        except (*USER_MISTAKES, *OUR_FAILURES) as error:
            channel.tell("error", text=shown(str(error)))
        finally:
            try:
                self.uploads.clear(files)
            finally:
                self._indexing = False
                channel.end()


def _record(entry: Entry, document: Document) -> dict[str, Any]:
    """A document as the list shows it: what it is, and what was found and left out in reading it."""
    pages = f"{document.pages:,} page{'' if document.pages == 1 else 's'}"
    is_of = (document.doc_type, document.company, period_words(document), pages)
    told = [*found_words(document), *left_out_words(document), *flag_words(flags_of(entry.flags))]
    return {
        **document_record(entry),
        "company": shown(document.company),
        "end": document.period_end.isoformat() if document.period_end else "",
        "head": shown(", ".join(is_of)),
        "found": [shown(words) for words in told],
        "warnings": [shown(words) for words in warnings_of(document)],
    }


def _outcome(outcome: FileOutcome) -> dict[str, Any]:
    words = shown(reading_words(outcome.document)) if outcome.document is not None else ""
    return {
        "file": shown(Path(outcome.file).name),
        "state": outcome.state,
        "reason": shown(outcome.reason),
        "words": words,
    }
