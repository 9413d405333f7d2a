"""Who gets in: a token in the first address becomes a cookie, and every answer says what its page may load."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent.origin import own_path
from tools.private_files import make_folder
from tools.store.disk.home import replace_file, writing

SECRET_FILE = "web.secret"
"""In the home: what the cookie of an admitted browser holds, so that a server that is started again knows its pages."""
SECRET_BYTES = 32
GUARDED = "/api/"
POLICY: Mapping[str, str] = {
    "default-src": "'none'",
    "script-src": "'self'",
    "worker-src": "'self'",  # pdf.js reads in one
    "style-src": "'self'",
    "img-src": "'self' blob:",  # pictures within a PDF
    "font-src": "'self'",
    "connect-src": "'self'",
    "frame-src": "'self'",  # reports, each with a policy of its own
    "form-action": "'none'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
"""The Content-Security-Policy: nothing from another host, no inline script or style, no frame around the page."""
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
OTHER_SITES = ("cross-site", "same-site")
"""What a browser says of a request that another site's page makes, also one that is sent without an Origin."""


class SafeAnswers:
    """ASGI middleware: `HEADERS` on every answer that has none of its own."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


class AdmittedOnly:
    """ASGI middleware: 401 below `GUARDED` without the cookie `name` of the value `secret`; 403 where another site's
    page asks. `secret` '' admits every page of this server's own."""

    def __init__(self, app: ASGIApp, name: str, secret: str) -> None:
        self.app, self.name, self.secret = app, name, secret

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        guarded = scope["type"] == "http" and own_path(scope).startswith(GUARDED)
        headers = Headers(scope=scope) if guarded else None
        if headers is not None and headers.get("sec-fetch-site") in OTHER_SITES:
            await JSONResponse({"detail": "Pages of other sites may not call this server."}, 403)(
                scope, receive, send
            )
        elif headers is not None and self.secret and not self._has_cookie(headers):
            told = "This browser has not been let in. Open the address that 'hybridrag web' has printed."
            await JSONResponse({"detail": told}, status_code=401)(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _has_cookie(self, headers: Headers) -> bool:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self.name)
        except CookieError:
            return False
        return found is not None and same(found.value, self.secret)


def same(given: str, expected: str) -> bool:
    """Are they equal? Takes as long whatever they have in common."""
    return secrets.compare_digest(given.encode("utf-8", "replace"), expected.encode())


def secret_of(home: Path) -> str:
    """The home's own, made at the first call. HomeWriteError."""
    path = home / SECRET_FILE
    with writing(home):
        make_folder(home)
        kept = path.read_bytes() if path.exists() else b""
        if len(kept) < SECRET_BYTES or not kept.isascii():
            kept = secrets.token_urlsafe(SECRET_BYTES).encode()
            replace_file(path, kept, private=True)
        return kept.decode("ascii")
