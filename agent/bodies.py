"""How much may be sent to a server in one request."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent.origin import own_path

MAX_BYTES = 1024 * 1024
"""Of a request's body, and of a message over a WebSocket. A question has a few hundred."""
TOO_LARGE = f"At most {MAX_BYTES:,} bytes may be sent in one request."


class SmallBodiesOnly:
    """ASGI middleware: 413 for a larger body, before it is read where its length is told, else once that much has
    come; a WebSocket that sends a larger message is closed. `but`: beginnings of paths that bound their bodies
    themselves."""

    def __init__(self, app: ASGIApp, but: tuple[str, ...] = ()) -> None:
        self.app, self.but = app, but

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self.app(scope, _short_messages(receive), send)
            return
        if scope["type"] != "http" or own_path(scope).startswith(self.but):
            await self.app(scope, receive, send)
            return
        told = Headers(scope=scope).get("content-length", "")
        if told:
            begun: list[Message] | None = [] if fits(told, MAX_BYTES) else None
        else:
            begun = await _read(receive)
        if begun is None:
            refusal = JSONResponse({"detail": TOO_LARGE}, status_code=413, headers={"Connection": "close"})
            await refusal(scope, receive, send)
            return
        await self.app(scope, _first(begun, receive), send)


def fits(told: str, most: int) -> bool:
    """Whether a Content-Length is a number of at most `most`, with whatever zeros before it."""
    digits = told.lstrip("0") or "0"
    return told.isdecimal() and len(digits) <= len(str(most)) and int(digits) <= most


async def _read(receive: Receive) -> list[Message] | None:
    """A body of untold length, in the messages it came in; None where it is too large."""
    messages: list[Message] = []
    size, more = 0, True
    while more:
        message = await receive()
        messages.append(message)
        size += len(message.get("body", b""))
        if size > MAX_BYTES:
            return None
        more = message.get("more_body", False)
    return messages


def _first(messages: list[Message], receive: Receive) -> Receive:
    """`receive`, after what was read already."""
    left = iter(messages)

    async def following() -> Message:
        for message in left:
            return message
        return await receive()

    return following


def _short_messages(receive: Receive) -> Receive:
    async def short() -> Message:
        message = await receive()
        text, data = message.get("text") or "", message.get("bytes") or b""
        if len(text) > MAX_BYTES or len(data) > MAX_BYTES:
            return {"type": "websocket.disconnect", "code": 1009, "reason": TOO_LARGE}
        return message

    return short
