"""Threads over HTTP: list, open, ask, reply, go on, stop, rename, delete, export."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from agent.chat.export import as_json, as_markdown, file_name
from agent.display.printable import shown
from agent.display.render import shorten
from agent.errors import UsageError
from agent.threads.sessions import KEPT_TURNS, Session
from agent.threads.thread_records import Thread, Turn, UnknownThreadError, understood
from agent.threads.turn_parts import Event, Filters
from agent.web.asked import STREAM, Asked, Pinned, Said, Served, Stopped
from agent.web.disagreements import disagreements
from agent.web.elsewhere import followed_elsewhere
from agent.web.neighbourhood import neighbourhood
from agent.web.records import asked_back_record, thread_record, turn_record
from agent.web.sources import citation_record
from graphs.contracts import Clarification, Suggestion
from tools.documents.text.cleaning import clean
from tools.store.errors import IndexMissingError

MAX_KEPT = 64
"""Choices of filters whose examples are kept, since to try them takes a second."""
NAMED_CHARS = 72
"""Of a question, in its thread's name."""


class Conversations:
    """The routes of threads."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.sessions = served.sessions
        self._examples: dict[tuple[int, Filters], tuple[str, ...]] = {}

    def routes(self) -> list[Route]:
        """All of them."""
        return [
            Route("/api/threads", self.listed, methods=["GET"]),
            Route("/api/threads", self.made, methods=["POST"]),
            Route("/api/examples", self.examples, methods=["GET"]),
            Route("/api/threads/{id}", self.shown, methods=["GET"]),
            Route("/api/threads/{id}", self.renamed, methods=["PATCH"]),
            Route("/api/threads/{id}", self.deleted, methods=["DELETE"]),
            Route("/api/threads/{id}/filters", self.pinned, methods=["PUT"]),
            Route("/api/threads/{id}/export", self.exported, methods=["GET"]),
            Route("/api/threads/{id}/ask", self.asked, methods=["POST"]),
            Route("/api/threads/{id}/reply", self.replied, methods=["POST"]),
            Route("/api/threads/{id}/resume", self.resumed, methods=["POST"]),
            Route("/api/threads/{id}/follow", self.followed, methods=["GET"]),
            Route("/api/threads/{id}/stop", self.stopped, methods=["POST"]),
            Route("/api/threads/{id}/drop", self.dropped, methods=["POST"]),
            Route("/api/threads/{id}/suggestions", self.suggested, methods=["GET"]),
            Route("/api/threads/{id}/turns/{turn:int}/sources/{marker:int}", self.source, methods=["GET"]),
            Route("/api/threads/{id}/turns/{turn:int}/graph", self.graph, methods=["GET"]),
            Route("/api/threads/{id}/turns/{turn:int}/conflicts", self.conflicts, methods=["GET"]),
        ]

    def _thread(self, request: Request) -> Thread:
        id_ = request.path_params["id"]
        thread = None if "\0" in id_ else self.sessions.store.get(id_)  # which PostgreSQL does not take
        if thread is None:
            raise UnknownThreadError(id_, [t.name for t in self.sessions.threads()])
        return thread

    def _session(self, request: Request) -> Session:
        return Session(self.sessions, self._thread(request))

    async def _opened(self, request: Request) -> tuple[Thread, Session]:
        """Without holding up other requests: from here on the thread's file is read in threads alone."""
        thread = await run_in_threadpool(self._thread, request)
        return thread, Session(self.sessions, thread)

    async def listed(self, request: Request) -> Response:
        """Threads, the newest first; with `q` those in which all its words stand."""
        return JSONResponse(await run_in_threadpool(self._listed, request.query_params.get("q", "")))

    def _listed(self, words: str) -> list[dict[str, Any]]:
        threads, wanted = self.sessions.threads(), clean(words).split()
        found = self.sessions.store.with_words(wanted) if wanted else {thread.id for thread in threads}
        return [thread_record(thread) for thread in threads if thread.id in found]

    async def made(self, request: Request) -> Response:
        """A new thread, named after the question that it is to begin with."""
        said = Said.model_validate_json(await request.body())
        name = "".join(filter(str.isprintable, shorten(clean(said.text), NAMED_CHARS)))
        thread = await run_in_threadpool(self.sessions.store.make_like, name)
        return JSONResponse(thread_record(thread))

    async def shown(self, request: Request) -> Response:
        """A thread with its turns, and what is open in it."""
        return JSONResponse(await run_in_threadpool(self._shown, request))

    def _shown(self, request: Request) -> dict[str, Any]:
        session = self._session(request)
        thread_id = request.path_params["id"]
        standing = session.standing(running=self.served.turns.of(thread_id) is not None)
        pending, begun = standing.pending, standing.begun
        return {
            "thread": {**thread_record(session.thread), "filters": self.sessions.store.pinned(thread_id)},
            "turns": [turn_record(turn) for turn in session.turns()],
            "running": standing.running,
            "pending": _asked_back(pending, begun.question if begun else ""),
            "unfinished": shown(standing.unfinished or "") or None,
        }

    async def renamed(self, request: Request) -> Response:
        """Another name."""
        said, (thread, _) = Said.model_validate_json(await request.body()), await self._opened(request)
        await run_in_threadpool(self.sessions.store.rename, thread.id, said.text)
        return JSONResponse(thread_record(await run_in_threadpool(self._thread, request)))

    async def pinned(self, request: Request) -> Response:
        """Keep the filters of a thread; those that admit nothing are refused."""
        given, (thread, _) = Pinned.model_validate_json(await request.body()), await self._opened(request)
        await run_in_threadpool(self._pin, thread, given)
        return JSONResponse(given.model_dump())

    def _pin(self, thread: Thread, given: Pinned) -> None:
        with suppress(IndexMissingError):  # there is nothing yet that they could leave out
            given.filters().scope(self.served.assistant.current().catalog)
        self.sessions.store.pin(thread.id, given.model_dump())

    async def deleted(self, request: Request) -> Response:
        """Its turns and checkpoints, for good."""
        thread, _ = await self._opened(request)
        await run_in_threadpool(self.sessions.delete, thread.name)
        return JSONResponse({"deleted": thread.name})

    async def exported(self, request: Request) -> Response:
        """The thread as a file: Markdown, or JSON with `as=json`."""
        thread, session = await self._opened(request)
        turns = await run_in_threadpool(session.turns)
        kind = "json" if request.query_params.get("as") == "json" else "md"
        data = as_json(turns) if kind == "json" else as_markdown(thread, turns).encode()
        name = quote(f"{file_name(thread.name) or 'conversation'}.{kind}", safe="")
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
        return Response(data, media_type="application/octet-stream", headers=headers)

    async def asked(self, request: Request) -> Response:
        """A question; its course and its answer as JSON lines."""
        asked, (thread, session) = (
            Asked.model_validate_json(await request.body()),
            await self._opened(request),
        )
        self.served.check_free()
        question = clean(asked.question).strip()
        if not question:
            raise UsageError("The question is empty.")
        given = asked.filters()

        def ask() -> Generator[Event, None, None]:
            given.scope(self.served.assistant.current().catalog)
            return session.ask(question, given)

        return self._stream(thread, session, question, ask)

    async def replied(self, request: Request) -> Response:
        """The reply to what was asked back, streamed as `asked`."""
        said, (thread, session) = Said.model_validate_json(await request.body()), await self._opened(request)
        self.served.check_free()
        return self._stream(thread, session, said.text, lambda: session.reply(clean(said.text).strip()))

    async def resumed(self, request: Request) -> Response:
        """Go on with a question that was cut off, streamed as `asked`."""
        thread, session = await self._opened(request)
        begun = await run_in_threadpool(self.sessions.store.begun, thread.id)
        self.served.check_free()
        return self._stream(thread, session, begun.question if begun else "", session.resume)

    def _stream(
        self, thread: Thread, session: Session, question: str, ask: Callable[[], Generator[Event, None, None]]
    ) -> Response:
        turn = self.served.turns.begin(thread, session, question, ask)
        return StreamingResponse(turn.channel.follow(), media_type=STREAM)

    async def followed(self, request: Request) -> Response:
        """What is on its way, from its beginning; of what another process answers, its end. Nothing where nothing
        is."""
        thread, session = await self._opened(request)
        turn = self.served.turns.of(thread.id)
        if turn is not None:
            return StreamingResponse(turn.channel.follow(), media_type=STREAM)
        if await run_in_threadpool(session.is_answered_elsewhere):
            return StreamingResponse(followed_elsewhere(session, thread), media_type=STREAM)
        return Response(media_type=STREAM)

    async def stopped(self, request: Request) -> Response:
        """End what is on its way, here or in another process, after the step in hand."""
        thread, session = await self._opened(request)
        turn = self.served.turns.of(thread.id)
        if turn is not None:
            turn.stopped.set()
            return JSONResponse({"stopping": True})
        return JSONResponse({"stopping": await run_in_threadpool(session.stop_elsewhere)})

    async def dropped(self, request: Request) -> Response:
        """Give up what is unfinished or was asked back; what is being answered is left alone."""
        thread, session = await self._opened(request)
        if self.served.turns.of(thread.id) is None:
            await run_in_threadpool(self._drop, session)
        return JSONResponse({})

    def _drop(self, session: Session) -> None:
        if not self.sessions.is_busy(session.thread):
            session.drop()

    async def suggested(self, request: Request) -> Response:
        """Next questions, after the last answer and within the filters of the query."""
        (_, session), pinned = await self._opened(request), Pinned.model_validate(dict(request.query_params))
        found = await self.served.rehearsed(partial(self._suggested, session, pinned.filters()))
        return JSONResponse([{"question": shown(each.question), "why": shown(each.why)} for each in found])

    def _suggested(self, session: Session, pinned: Filters, stopped: Stopped) -> tuple[Suggestion, ...]:
        turns = session.turns()
        if not turns:
            return ()
        asked = [text for each in turns for text in (each.question, each.answer.standalone_question)]
        return self.served.assistant.next_questions(
            turns[-1].answer,
            asked,
            lambda: understood(turns[:-1][-KEPT_TURNS:]),
            **asdict(pinned),
            stopped=stopped,
        )

    async def examples(self, request: Request) -> Response:
        """Questions to begin with, within the filters of the query."""
        pinned = Pinned.model_validate(dict(request.query_params)).filters()
        found = await self.served.rehearsed(partial(self._begin, pinned))
        return JSONResponse([shown(each) for each in found])

    def _begin(self, pinned: Filters, stopped: Stopped) -> tuple[str, ...]:
        """The same as long as the index is in its generation; that there were none is not kept, nor what was cut
        off."""
        try:
            key = (self.served.assistant.current().generation.number, pinned)
        except IndexMissingError:
            return ()
        kept = self._examples.get(key)
        if kept:
            return kept
        found = self.served.assistant.examples(**asdict(pinned), stopped=stopped)
        if found and not stopped():
            self._examples = dict([*self._examples.items(), (key, found)][-MAX_KEPT:])
        return found

    async def source(self, request: Request) -> Response:
        """Where a citation leads."""
        return JSONResponse(await run_in_threadpool(self._source, request))

    def _source(self, request: Request) -> dict[str, Any]:
        return citation_record(self.served.assistant, self._turn(request), request.path_params["marker"])

    async def graph(self, request: Request) -> Response:
        """What of the knowledge graph an answer used."""
        return JSONResponse(await run_in_threadpool(self._graph, request))

    def _graph(self, request: Request) -> dict[str, Any]:
        return neighbourhood(self.served.assistant, self._turn(request).answer)

    async def conflicts(self, request: Request) -> Response:
        """Figures of an answer on which documents disagree."""
        return JSONResponse(await run_in_threadpool(self._conflicts, request))

    def _conflicts(self, request: Request) -> list[dict[str, Any]]:
        return disagreements(self.served.assistant, self._turn(request).answer)

    def _turn(self, request: Request) -> Turn:
        number = request.path_params["turn"]
        found = [turn for turn in self._session(request).turns() if turn.number == number]
        if not found:
            raise UsageError(f"This thread has no question {number}.")
        return found[0]


def _asked_back(asked: Clarification | None, question: str) -> dict[str, Any] | None:
    if asked is None:
        return None
    return {**asked_back_record(asked), "asked": shown(question)}
