"""The ASGI application: routes, who gets in, and what a failure says."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from agent.assistant import Assistant
from agent.bodies import SmallBodiesOnly
from agent.display.document_report import period_words
from agent.display.printable import shown
from agent.errors import OUR_FAILURES, USER_MISTAKES, UsageError
from agent.origin import OwnPagesOnly
from agent.threads.sessions import Sessions, ThreadBusyError
from agent.threads.thread_records import UnknownThreadError
from agent.web.access import AdmittedOnly, SafeAnswers, same
from agent.web.asked import Stopped, Tried
from agent.web.conversations import Conversations
from agent.web.reports import ReportGoneError, Reports
from agent.web.shelf import Documents
from agent.web.sources import SourceGoneError
from agent.web.turns import Turns, TurnUnderWayError
from agent.web.uploads import TooLargeError
from graphs.steps.filters import last_year
from tools.private_files import make_folder
from tools.store.disk.home import writing
from tools.store.disk.lock import FileLock, indexing_under_way
from tools.store.errors import IndexMissingError

HERE = Path(__file__).parent
LOCK = "web.lock"
POLL_SECONDS = 0.05
STATUS: tuple[tuple[type[Exception], int], ...] = (
    (UnknownThreadError, 404),
    (SourceGoneError, 404),
    (ReportGoneError, 404),
    (TooLargeError, 413),
    (TurnUnderWayError, 409),
    (ThreadBusyError, 409),
)
"""Of mistakes that are not plainly a bad request."""
log = logging.getLogger(__name__)


class Page:
    """What is served: one assistant, its threads, and what is on its way."""

    def __init__(
        self,
        assistant: Assistant,
        token: str,
        cookie: str,
        secret: str,
        reports: Path | None = None,
        origin: str = "",
    ) -> None:
        """`token`: what the first address holds, '' where every browser of this machine is let in; it is exchanged for
        the cookie of this name and value. `reports`: a folder of eval runs. `origin`: where a balancer on this machine
        shows the page. Raises what `Uploads.clear` raises, and UsageError for no folder."""
        self.assistant, self.token, self.cookie, self.secret = assistant, token, cookie, secret
        self.origin = origin
        self.sessions = Sessions(assistant)
        self.turns = Turns(self.sessions)
        self.documents = Documents(self)
        self.reports = Reports(reports)
        self._rehearsals = 0
        self._counting = threading.Lock()
        self._leaving = threading.Event()
        self._lock = self._serving()
        self._alone = False
        self._index = (HERE / "static" / "index.html").read_text("utf-8")

    def _serving(self) -> FileLock:
        """A lock that says that a page is served from this home; what earlier ones have left of uploads goes first,
        unless another is at work."""
        path = self.assistant.home / LOCK
        with writing(self.assistant.home):
            make_folder(self.assistant.home)
            alone = FileLock.try_take(path, shared=False)
            if alone is not None:
                self.documents.uploads.clear()
                alone.release()
            while (shared := FileLock.try_take(path, shared=True)) is None:
                time.sleep(POLL_SECONDS)  # another one clears, which takes no time
            return shared

    def app(self) -> Starlette:
        """The application; mounted below a path of another one, that one's lifespan has to enter its own."""
        return Starlette(
            routes=[
                Route("/", self.entered),
                Route("/t/{rest:path}", self.entered),
                Route("/d/{rest:path}", self.entered),
                Route("/api/state", self.state),
                *Conversations(self).routes(),
                *self.documents.routes(),
                *self.reports.routes(),
                Mount("/static", StaticFiles(directory=HERE / "static")),
                Mount("/vendor", StaticFiles(directory=HERE / "vendor")),
            ],
            middleware=[
                Middleware(SafeAnswers),
                Middleware(OwnPagesOnly, guests=(), public=self.origin),
                Middleware(AdmittedOnly, name=self.cookie, secret=self.secret if self.token else ""),
                Middleware(SmallBodiesOnly, but=("/api/uploads",)),
            ],
            exception_handlers={
                **dict.fromkeys(USER_MISTAKES, _mistake),
                **dict.fromkeys(OUR_FAILURES, _failure),
                ValidationError: _unreadable,
            },
            lifespan=self._lifespan,
        )

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        warming = asyncio.create_task(run_in_threadpool(self._warm))
        try:
            yield
        finally:
            self._leaving.set()
            await self.turns.leave()
            await self.rehearsals_end()
            await warming
            await run_in_threadpool(self.sessions.close)
            self._lock.release()

    def _warm(self) -> None:
        """Load what the first question would have to wait for; what can't be loaded the question will say."""
        try:
            index = self.assistant.current()
            loaded = (self.assistant.engine, index.vectors, index.known_names)
        except (*USER_MISTAKES, *OUR_FAILURES) as error:
            log.info("not loaded ahead: %s", error)
        else:
            log.debug("loaded ahead: %d parts", len(loaded))

    def check_free(self) -> None:
        """Raises UsageError while documents are being taken out."""
        if self._alone:
            raise UsageError("A document is being removed. Try again in a moment.")

    async def rehearsed(self, find: Callable[[Stopped], Sequence[Tried]]) -> list[Tried]:
        """What `find` has tried; none while a document is taken out, and none where the server ends first, which
        `find` is told by its argument."""
        try:
            return await run_in_threadpool(self._rehearsed, find)
        except asyncio.CancelledError:  # nobody waits for them any more
            return []

    def _rehearsed(self, find: Callable[[Stopped], Sequence[Tried]]) -> list[Tried]:
        """Counts what is tried, for as long as it is, whatever becomes of the request."""
        with self._counting:
            self._rehearsals += 1
        try:
            if self._alone or self._leaving.is_set():  # asked after it is counted: no gap between
                return []
            return list(find(self._leaving.is_set))
        finally:
            with self._counting:
                self._rehearsals -= 1

    async def rehearsals_end(self) -> None:
        """Waits until no question is being tried: what that has open could not be deleted."""
        while self._rehearsals:
            await asyncio.sleep(POLL_SECONDS)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Within it nothing is asked or indexed."""
        self._alone = True
        try:
            yield
        finally:
            self._alone = False

    async def entered(self, request: Request) -> Response:
        """The page; a token in the address becomes a cookie and leaves the address."""
        given, root = request.query_params.get("token"), request.scope.get("root_path", "")
        if given is None or not self.token:
            return HTMLResponse(self._index.replace('="/', f'="{root}/'))
        if not same(given, self.token):
            told = (
                "The token in this address is not this server's: it was started anew, or the address is cut off.\n"
                "Open the address that 'hybridrag web' has printed last."
            )
            return PlainTextResponse(told, status_code=403)
        entered = RedirectResponse(request.url.path, status_code=303)
        secure = self.origin.startswith("https:")
        entered.set_cookie(
            self.cookie, self.secret, httponly=True, samesite="strict", path=f"{root}/", secure=secure
        )
        return entered

    async def state(self, request: Request) -> Response:
        """What there is to ask: companies with their years, documents with their types, and what hinders."""
        return JSONResponse(await run_in_threadpool(self._state))

    def _state(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            "companies": [],
            "documents": [],
            "missing": "",
            "reports": self.reports.folder is not None,
        }
        assistant = self.assistant
        under_way = None if assistant.settings.store else indexing_under_way(assistant.home)
        told["under_way"] = under_way and {"ready": under_way[0], "of": under_way[1]}
        try:
            index = self.assistant.current()
        except IndexMissingError as error:
            return {**told, "missing": str(error)}
        companies = sorted(index.catalog.companies.values(), key=lambda each: each.name.casefold())
        years: dict[str, set[int]] = {each.key: set() for each in companies}
        for document in index.generation.documents.values():
            if document.fiscal_year is not None:
                years[document.company_key].add(document.fiscal_year)
        return {
            **told,
            "documents": [
                {
                    "id": each.id,
                    "name": shown(index.called(each)),
                    "company": each.company_key,
                    "type": each.doc_type,
                    "period": shown(period_words(each)),
                    "last_year": last_year(each),
                }
                for each in index.generation.documents.values()
            ],
            "companies": [
                {"key": each.key, "name": shown(each.name), "years": sorted(years[each.key], reverse=True)}
                for each in companies
            ],
        }


async def _mistake(request: Request, error: Exception) -> Response:
    status = next((status for kind, status in STATUS if isinstance(error, kind)), 400)
    return JSONResponse({"detail": str(error)}, status_code=status)


async def _failure(request: Request, error: Exception) -> Response:
    log.error("%s failed", request.url.path, exc_info=error)
    return JSONResponse({"detail": str(error)}, status_code=500)


async def _unreadable(request: Request, error: Exception) -> Response:
    assert isinstance(error, ValidationError)
    told = "; ".join(f"{'.'.join(map(str, each['loc'])) or 'body'}: {each['msg']}" for each in error.errors())
    return JSONResponse({"detail": f"The request can't be read: {told}"}, status_code=400)
