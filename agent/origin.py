"""Who may call a server of this project: no web page but its own and, of the LangGraph server, Studio's. CORS alone
hides answers from other pages, yet lets them start runs, and a page whose name is made to point at this machine would
even read them."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

STUDIO = "https://smith.langchain.com"
"""As in langgraph.json's `cors`."""
NETWORK_QUESTION = b"access-control-request-private-network"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
CLOSED = ("/deploy", "/internal")
"""What LangGraph's development server does besides: send the project to its maker's cloud, drop all threads, show rows
as they lie in memory."""


def own_path(scope: Scope) -> str:
    """A request's path as an application knows it that may be mounted below a path of another one."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))


class OwnPagesOnly:
    """ASGI middleware: 403 for a browser's request from a page that is neither of `guests` nor the server's own, for
    one from this machine that calls it by another name, and for whatever is `CLOSED`. Clients other than browsers send
    no Origin. `public`: the origin at which a balancer on this machine shows the server's pages; '' for none."""

    def __init__(self, app: ASGIApp, guests: tuple[str, ...] = (STUDIO,), public: str = "") -> None:
        self.app, self.guests = app, (*guests, public) if public else guests
        self.names = (_part(public, "hostname"),) if public else ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        why = refusal(scope, self.guests, self.names) if scope["type"] in ("http", "websocket") else ""
        if why and scope["type"] == "http":
            await JSONResponse({"detail": why}, status_code=403)(scope, receive, send)
        elif why:
            await send({"type": "websocket.close", "code": 1008, "reason": why})
        else:
            await self.app(_without_network_question(scope), receive, send)


def _without_network_question(scope: Scope) -> Scope:
    """`scope` without a browser's question whether a public page may call a private address. The server says yes to it
    on loopback, but its CORS layer (Starlette 1.x) refuses whatever asks, and langgraph.json can't allow it there.
    Whoever comes this far may."""
    if scope["type"] != "http":
        return scope
    return {
        **scope,
        "headers": [(name, value) for name, value in scope["headers"] if name != NETWORK_QUESTION],
    }


def refusal(scope: Scope, guests: tuple[str, ...] = (STUDIO,), names: tuple[str | None, ...] = ()) -> str:
    """Why a request is refused; '' where it is not. `guests`: origins of other pages that are let in; `names`: hosts
    besides this machine's own that the server may be called."""
    if f"{scope['path']}/".startswith(tuple(f"{closed}/" for closed in CLOSED)):
        return "This server answers questions, and nothing else."
    headers = Headers(scope=scope)
    host, origin = headers.get("host", ""), headers.get("origin")
    here = (scope.get("client") or ("",))[0] in LOOPBACK
    if here and _part(f"//{host}", "hostname") not in (*LOOPBACK, *names):
        return f"This server is called 127.0.0.1 or localhost, not '{host}'."
    if origin is not None and origin not in guests and _part(origin, "netloc") != host:
        return f"Pages of '{origin}' may not call this server."
    return ""


def _part(url: str, name: Literal["hostname", "netloc"]) -> str | None:
    """A part of a URL; None where it is none, as `//[`."""
    try:
        found: str | None = getattr(urlsplit(url), name)
        return found
    except ValueError:
        return None
