"""HTTP to one endpoint, bounded in time and size whatever comes over the socket.

The library's timeouts bound a single read: a byte of a header now and then, or one `100 Continue` after another, is
waited for without end. Here every read and write of a request ends with the time that the request as a whole may take.
"""

from __future__ import annotations

import ssl
import threading
import time
from functools import cache
from typing import Any

import httpcore2
import httpx2

from agent.endpoint.limits import SERVER_QUESTION_SECONDS
from agent.endpoint_address import Endpoint

MAX_BYTES = 64 * 2**20
"""Of a reply, unpacked; embeddings of a batch are a few megabytes."""
_ABOUT_THE_BODY = ("content-encoding", "content-length", "transfer-encoding")


class BoundedClient(httpx2.Client):
    """For `endpoint` alone: follows no redirect (the key would be dropped, the prompt sent on) and uses no proxy on
    this machine. A request takes at most its read timeout, a reply at most `MAX_BYTES` once it is unpacked."""

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(
            follow_redirects=False,
            trust_env=not endpoint.is_local,
            timeout=SERVER_QUESTION_SECONDS,
            verify=certificates(),
        )
        self._clock = _Clock()
        for transport in (self._transport, *self._mounts.values()):
            if transport is not None:  # no argument of the transports takes a network
                pool = transport._pool  # type: ignore[attr-defined]
                pool._network_backend = _TimedNetwork(pool._network_backend, self._clock)

    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """See httpx2.Client; the reply is read before it is returned."""
        seconds = request.extensions.get("timeout", {}).get("read") or SERVER_QUESTION_SECONDS
        self._clock.until = time.monotonic() + seconds
        came = super().send(request, **{**options, "stream": True})
        try:
            body = self._unpacked(came)
        finally:
            came.close()
        headers = [pair for pair in came.headers.multi_items() if pair[0].lower() not in _ABOUT_THE_BODY]
        return httpx2.Response(
            came.status_code, headers=headers, content=body, request=request, extensions=came.extensions
        )

    def _unpacked(self, response: httpx2.Response) -> bytes:
        body = bytearray()
        for part in response.iter_bytes():
            if self._clock.is_over:  # unpacking takes time, too
                raise httpx2.ReadTimeout("the reply took too long", request=response.request)
            body += part
            if len(body) > MAX_BYTES:
                raise httpx2.ReadError("the reply is too large", request=response.request)
        return bytes(body)


def unused_async_client() -> httpx2.AsyncClient:
    """The clients build an asynchronous half too, which nobody asks; this one would follow no redirect either."""
    return httpx2.AsyncClient(follow_redirects=False, trust_env=False, verify=certificates())


@cache
def certificates() -> ssl.SSLContext:
    """Loaded once: it takes longer than a request to this machine."""
    return httpx2.create_ssl_context()


class _Clock(threading.local):
    """When the request of this thread has to be over."""

    until = float("inf")

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return time.monotonic() >= self.until

    def left(self, timeout: float | None) -> float:
        """`timeout`, or the seconds left where they are fewer. ReadTimeout when none are."""
        seconds = self.until - time.monotonic()
        if seconds <= 0:
            raise httpcore2.ReadTimeout("the reply took too long")
        return seconds if timeout is None else min(timeout, seconds)


class _TimedNetwork(httpcore2.NetworkBackend):
    """A network whose connections keep to the clock."""

    def __init__(self, network: httpcore2.NetworkBackend, clock: _Clock) -> None:
        self._network, self._clock = network, clock

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *args: Any, **options: Any
    ) -> httpcore2.NetworkStream:
        stream = self._network.connect_tcp(host, port, self._clock.left(timeout), *args, **options)
        return _TimedStream(stream, self._clock)


class _TimedStream(httpcore2.NetworkStream):
    """A connection that keeps to the clock."""

    def __init__(self, stream: httpcore2.NetworkStream, clock: _Clock) -> None:
        self._stream, self._clock = stream, clock

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._clock.left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._clock.left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        seconds = self._clock.left(timeout)
        return _TimedStream(self._stream.start_tls(ssl_context, server_hostname, seconds), self._clock)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
