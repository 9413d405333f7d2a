"""The page of `hybridrag web` beside Studio: below `/page` of the LangGraph server, over the same home, with a token,
a cookie and checks of its own."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.routing import Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent.assistant import Assistant
from agent.origin import own_path
from agent.settings import Settings
from agent.web.app import Page
from agent.web.doors import door_of

PATH = "/page"
UPLOADS = f"{PATH}/api/uploads"
REFERENCE = "/docs"
"""LangGraph's: runs a script from another host, which must not act as the page that shares its origin."""
APART = "sandbox allow-scripts"
log = logging.getLogger(__name__)


class PageBeside:
    """The page and what the server needs to serve it."""

    def __init__(self, settings: Settings) -> None:
        """Raises what `door_of` and `Page` raise."""
        self.assistant = Assistant(settings)
        door = door_of(settings)
        self.token = door.token
        self._app = Page(self.assistant, door.token, door.cookie, door.secret).app()

    def route(self) -> Mount:
        """Where it is served. A bare application, so that the server's reference does not list its routes."""

        async def page(scope: Scope, receive: Receive, send: Send) -> None:
            await self._app(scope, receive, send)

        return Mount(PATH, app=page)

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """Of the application that it is mounted in; says the address."""
        with self.assistant:
            async with self._app.router.lifespan_context(self._app):
                address = os.environ.get("LANGGRAPH_API_URL", "")  # the server's own, once it has a port
                # a warning, for no level of the server's log may hide it
                log.warning("The page: open %s%s/?token=%s", address, PATH, self.token)
                yield


class ReferenceApart:
    """ASGI middleware: LangGraph's reference in an origin of its own, without what the browser knows of this one."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def apart(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["Content-Security-Policy"] = APART
            await send(message)

        reference = scope["type"] == "http" and own_path(scope).rstrip("/") == REFERENCE
        await self.app(scope, receive, apart if reference else send)
