"""One logical call to an endpoint: the only retry layer there is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception_type

from agent.endpoint.faults import PassingError, status_fault
from agent.endpoint.limits import MAX_REQUESTS, Limits, Pace
from agent.endpoint_address import Endpoint
from tools.model.turn import current_turn
from tools.model.types import DeadlineError, ModelDownError

Result = TypeVar("Result")


class Caller:
    """Makes up to three requests until one succeeds, within the turn's deadline and the endpoint's limits."""

    def __init__(self, endpoint: Endpoint, limits: Limits, pace: Pace, timeout: float) -> None:
        """`timeout`: seconds a request may take."""
        self._endpoint = endpoint
        self._limits = limits
        self._pace = pace
        self._timeout = timeout

    def call(self, request: Callable[[float], Result]) -> tuple[Result, int]:
        """(what `request(seconds it may take)` returned, how many requests that took).

        `request` may raise what the OpenAI client raises, PassingError, or ModelError. Raises ModelError.
        """
        retrying = Retrying(
            retry=retry_if_exception_type(PassingError),
            wait=self._wait,
            stop=self._stop,
            sleep=self._pace.sleep,
            before_sleep=self._hold_back_others,
            reraise=True,
        )
        made = 0

        def attempt() -> Result:
            nonlocal made
            timeout = self._seconds()
            with self._limits.slot(timeout if current_turn().deadline is not None else None):
                timeout = self._seconds()
                made += 1
                return self._request(request, timeout)

        try:
            return retrying(attempt), made
        except PassingError as error:
            raise self._gave_up(error, made) from error

    def _seconds(self) -> float:
        left = current_turn().seconds_left()
        if left is None:
            return self._timeout
        if left <= 0:
            raise DeadlineError("The question's time (HYBRIDRAG_DEADLINE) is spent")
        return min(self._timeout, left)

    def _request(self, request: Callable[[float], Result], timeout: float) -> Result:
        import openai

        host = self._endpoint.host
        try:
            return request(timeout)
        except openai.APIStatusError as error:
            raise status_fault(
                error, self._endpoint
            ) from None  # the client's own exception holds the request, and with it the key
        except openai.APITimeoutError:
            raise PassingError(f"'{host}' did not answer within {timeout:.0f} s") from None
        except openai.APIConnectionError as error:
            why = self._endpoint.scrub(_root(error))
            raise PassingError(f"'{host}' cannot be reached: {why}") from None
        except (
            openai.OpenAIError,
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
            ArithmeticError,
            RecursionError,
        ) as error:
            # what the clients raise on a body that is no chat completion: HTML, an error inside a 200, no choice,
            # lists within lists, numbers beyond all bounds
            why = self._endpoint.scrub(f"{type(error).__name__}: {error}")
            raise PassingError(f"'{host}' answered with something that is not a reply: {why}") from None

    def _hold_back_others(self, state: RetryCallState) -> None:
        """Who waits because the endpoint asked for it has the others wait, too, but not for long: they hear for
        themselves how long it is. What nobody waits for holds nobody back."""
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, PassingError) and error.after:
            self._limits.hold(min(error.after, self._pace.most))

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        after = error.after if isinstance(error, PassingError) else None
        return self._pace.wait(state.attempt_number, after)

    def _stop(self, state: RetryCallState) -> bool:
        left = current_turn().seconds_left()
        most = self._pace.longest if left is None else left
        return state.attempt_number >= MAX_REQUESTS or state.upcoming_sleep >= most

    def _gave_up(self, error: PassingError, made: int) -> Exception:
        why = f"{error}" if made == 1 else f"{error} ({made} requests)"
        left = current_turn().seconds_left()
        if made < MAX_REQUESTS and left is not None:
            return DeadlineError(f"{why}; the question's time does not allow another request")
        if made < MAX_REQUESTS:
            return ModelDownError(f"{why}; it asks for a wait of {error.after or 0:.0f} s")
        return ModelDownError(why)


def _root(error: BaseException) -> str:
    """The words of the first cause: the clients' own are 'Connection error.'"""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error) or type(error).__name__
