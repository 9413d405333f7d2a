"""HTTP to EDGAR by its rules for programs (sec.gov, "Accessing EDGAR Data"): who asks is said in the User-Agent, and at
most ten requests a second are made; here eight, of all that this process asks."""

from __future__ import annotations

from types import TracebackType
from typing import Self

import httpx2
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt

from agent.endpoint.bounded_client import BoundedClient
from agent.endpoint.faults import retry_after
from agent.endpoint.limits import MAX_REQUESTS, Pace
from agent.endpoint_address import Endpoint

REQUESTS_A_SECOND = 8
REQUEST_SECONDS = 120.0
"""Longest that one request may take: annual reports have tens of megabytes."""


class EdgarError(OSError):
    """EDGAR can't be reached, refuses, or sends what it does not document. `str()` is for the user."""


class EdgarMissingError(EdgarError):
    """EDGAR has nothing at this address."""


class _PassingError(EdgarError):
    """What may be gone at the next request; `after`: seconds that EDGAR asks to wait."""

    def __init__(self, told: str, after: float | None = None) -> None:
        super().__init__(told)
        self.after = after


class Spacing:
    """Requests begin at least `1 / a_second` seconds apart."""

    def __init__(self, a_second: float, pace: Pace) -> None:
        self._apart, self._pace = 1 / a_second, pace
        self._next = pace.clock()

    def wait(self) -> None:
        """Until the next request may begin."""
        now = self._pace.clock()
        if self._next > now:
            self._pace.sleep(self._next - now)
        self._next = max(now, self._next) + self._apart


class EdgarClient:
    """Asks EDGAR, or a mirror of it; a context manager."""

    def __init__(self, address: str, identity: str, pace: Pace | None = None) -> None:
        """`address`: where EDGAR is, which tells whether a proxy may stand between; `identity`: name and e-mail
        address of whoever asks."""
        self._identity = identity
        self._pace = pace or Pace()
        self._spacing = Spacing(REQUESTS_A_SECOND, self._pace)
        self._client = BoundedClient(Endpoint(address, "EDGAR"))
        self._client.headers["User-Agent"] = identity

    def get(self, url: str) -> bytes:
        """The whole body at `url`, never half of it. EdgarMissingError, EdgarError."""
        retrying = Retrying(
            retry=retry_if_exception_type(_PassingError),
            stop=stop_after_attempt(MAX_REQUESTS),
            wait=self._wait,
            sleep=self._pace.sleep,
            reraise=True,
        )
        return retrying(self._get, url)

    def _wait(self, state: RetryCallState) -> float:
        """Seconds before the next request: as EDGAR asks, else longer each time."""
        error = state.outcome.exception() if state.outcome is not None else None
        return self._pace.wait(
            state.attempt_number, error.after if isinstance(error, _PassingError) else None
        )

    def _get(self, url: str) -> bytes:
        self._spacing.wait()
        try:
            reply = self._client.get(url, timeout=REQUEST_SECONDS)
        except httpx2.TransportError as error:  # a refused connection, a timeout, half a body
            raise _PassingError(f"{url} did not come whole: {str(error) or type(error).__name__}.") from error
        except (httpx2.RequestError, httpx2.InvalidURL) as error:
            raise EdgarError(f"{url} can't be asked for: {error}.") from error
        if reply.status_code == 200:
            return reply.content
        raise self._fault(url, reply)

    def _fault(self, url: str, reply: httpx2.Response) -> EdgarError:
        status, after = reply.status_code, retry_after(reply.headers)
        told = f"EDGAR answered {status} for {url}."
        if status == 404:
            return EdgarMissingError(told)
        if status == 403:
            return EdgarError(
                f"{told} It refuses callers that do not say who they are, and for some ten minutes those that ask too "
                f"fast. EDGAR_IDENTITY is '{self._identity}': it must be a name and an e-mail address of yours."
            )
        if status == 429 or status >= 500:
            if after is not None and after > self._pace.longest:
                return EdgarError(f"{told} It asks to come back in {after:,.0f} seconds.")
            return _PassingError(told, after)
        return EdgarError(told)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()
